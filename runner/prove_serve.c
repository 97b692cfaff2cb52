/* SPDX-License-Identifier: MIT */
/* prove_serve: the attacker as a server, and who can connect to it. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "prove_job.h"
#include "prove_run.h"
#include "prove_steps.h"
#include "text.h"

#define SERVE_MS  10000
#define PORTS_MAX 4

static int listen_on(uint16_t port)
{
	const int on = 1;
	struct sockaddr_in end = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 &&
	    (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
	     bind(fd, (const struct sockaddr *)&end, sizeof(end)) != 0 ||
	     listen(fd, 8) != 0)) {
		(void)close(fd);
		return -1;
	}
	return fd;
}

int prove_serve(char *const *ports)
{
	struct pollfd fds[PORTS_MAX];
	nfds_t count = 0;

	for (; *ports != NULL && count < PORTS_MAX; ports++) {
		uint16_t port;
		if (!text_parse_port(*ports, strlen(*ports), &port))
			return 2;
		fds[count++] = (struct pollfd){.fd = listen_on(port),
					       .events = POLLIN};
	}
	(void)puts("up");
	(void)fflush(stdout);
	while (poll(fds, count, SERVE_MS) > 0)
		for (nfds_t i = 0; i < count; i++) {
			int fd = fds[i].revents == 0
					 ? -1
					 : accept4(fds[i].fd, NULL, NULL,
						   SOCK_CLOEXEC);
			if (fd < 0)
				continue;
			(void)send(fd, "e", 1, MSG_NOSIGNAL);
			(void)close(fd);
		}
	return 0;
}

/* One that nobody listens on; 0: none. */
static uint16_t free_port(void)
{
	struct sockaddr_in end = {.sin_family = AF_INET};
	socklen_t len = sizeof(end);
	int fd = listen_on(0);

	if (fd < 0)
		return 0;
	if (getsockname(fd, (struct sockaddr *)&end, &len) != 0)
		end.sin_port = 0;
	(void)close(fd);
	return ntohs(end.sin_port);
}

static bool is_reached(const char *port)
{
	char value[32];

	(void)snprintf(value, sizeof(value), "127.0.0.1 %s", port);
	return step_tcp(value) == 0;
}

enum prove_verdict prove_run_listens(struct prove_stage *stage)
{
	static char listen_word[] = "--listen", end[] = "--",
		    attacker[] = "./attacker", serve[] = "--serve";
	struct prove_job job = {.words = {.count = 0}};
	char declared[8], other[8], out[8];
	enum prove_verdict verdict = PROVE_BROKEN;
	pid_t pid = -1;

	(void)snprintf(declared, sizeof(declared), "%u", free_port());
	(void)snprintf(other, sizeof(other), "%u", free_port());
	prove_job_environ(&job, prove_job_path());
	prove_job_fence(stage, &job.words);
	prove_job_word(&job.words, listen_word);
	prove_job_word(&job.words, declared);
	prove_job_word(&job.words, end);
	prove_job_word(&job.words, attacker);
	prove_job_word(&job.words, serve);
	prove_job_word(&job.words, declared);
	prove_job_word(&job.words, other);
	int fd = prove_job_start(stage, &job, &pid);
	if (fd < 0)
		return PROVE_BROKEN;
	struct pollfd p = {.fd = fd, .events = POLLIN};
	if (poll(&p, 1, PROVE_LIMIT_MS) == 1 && read(fd, out, 3) == 3) {
		verdict = is_reached(declared) ? PROVE_HOLDS : PROVE_BROKEN;
		if (is_reached(other))
			verdict = PROVE_FAILS;
	}
	/* It ends as if it were interrupted, and leaves nothing. */
	(void)kill(pid, SIGTERM);
	(void)close(fd);
	(void)prove_job_wait(pid);
	return verdict;
}
