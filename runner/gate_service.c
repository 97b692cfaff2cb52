/* SPDX-License-Identifier: MIT */
/* gate_service: what the gate does for exeat-proxy while a command runs. */
#include "gate_service.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proc_owner.h"
#include "service.h"
#include "sock_diag.h"

void gate_service_init(struct gate_service *service, int pair_own)
{
	*service = (struct gate_service){
		.pair = pair_own,
		.diag = sock_diag_open(),
		.proc = -1,
	};
}

int gate_service_enter(struct gate_service *service, const char *proc)
{
	service->proc = open(proc, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return service->proc >= 0 ? 0 : -errno;
}

/* The socket of a process that has just ended goes with it: then it is gone.
 * One that stays is held where we cannot look: by a process that made itself
 * unreadable, by a thread with descriptors of its own, or in a message. */
static enum service_process judge_absent(const struct gate_service *service,
					 const struct service_flow *flow,
					 uint32_t inode)
{
	uint32_t now;

	if (sock_diag_inode(service->diag, flow, &now) == 0 && now == inode)
		return SERVICE_HIDDEN;
	return SERVICE_GONE;
}

static void find_process(struct gate_service *service,
			 const struct service_question *question,
			 struct service_answer *answer)
{
	uint32_t inode;
	int rc = sock_diag_inode(service->diag, &question->flow, &inode);

	if (rc == -ENOENT)
		answer->process = SERVICE_GONE;
	if (rc != 0 || service->proc < 0)
		return;
	pid_t pid = proc_owner_find(service->proc, inode, service->last);
	if (pid <= 0) {
		answer->process =
			(uint32_t)judge_absent(service, &question->flow, inode);
		return;
	}
	service->last = pid;
	answer->process = SERVICE_FOUND;
	proc_owner_describe(service->proc, pid, question->wants_parents != 0,
			    answer);
}

static uint32_t make_sockets(uint32_t family,
			     int fds[static SERVICE_SOCKETS_MAX])
{
	uint32_t count = 0;

	if (family != AF_INET && family != AF_INET6)
		return 0;
	while (count < SERVICE_SOCKETS_MAX) {
		fds[count] =
			socket((int)family,
			       SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		if (fds[count] < 0)
			break;
		count++;
	}
	return count;
}

static int answer_question(struct gate_service *service,
			   const struct service_question *question)
{
	struct service_answer answer = {
		.kind = question->kind,
		.id = question->id,
	};
	int fds[SERVICE_SOCKETS_MAX] = {0};

	if (question->kind == SERVICE_WHO)
		find_process(service, question, &answer);
	else if (question->kind == SERVICE_SOCKETS)
		answer.count = make_sockets(question->family, fds);
	int rc = service_answer(service->pair, &answer, fds);
	for (uint32_t i = 0; i < answer.count; i++)
		(void)close(fds[i]);
	return rc;
}

void gate_service_serve(struct gate_service *service)
{
	struct service_question question;
	int rc;

	while ((rc = service_hear(service->pair, &question)) == 1)
		/* No room for an answer: the proxy goes on without. */
		(void)!answer_question(service, &question);
	if (rc == -EAGAIN || rc == -EPROTO)
		return;
	(void)close(service->pair);
	service->pair = -1;
}
