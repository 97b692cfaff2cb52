/* SPDX-License-Identifier: MIT */
/* desk: puts exeat-proxy's questions to the gate, and brings the answers back.
 */
#include "desk.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/queue.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/event_struct.h>

#include "service.h"
#include "ticks.h"

/**
 * struct desk_request - one question
 * @is_sent:	an answer will come, be it late
 * @is_over:	its receiver is not to be called any more
 */
struct desk_request {
	TAILQ_ENTRY(desk_request) link;
	struct desk *desk;
	struct service_question question;
	struct desk_receiver receiver;
	int64_t deadline_ms;
	bool is_sent;
	bool is_over;
};

/**
 * struct desk - @requests: oldest first, those that were sent before others
 * @sent_count:	of them were sent
 */
struct desk {
	struct event_base *base;
	struct event readable;
	struct event timer;
	int pair;
	uint32_t last_id;
	size_t sent_count;
	bool is_closed;
	TAILQ_HEAD(desk_requests, desk_request) requests;
};

static void drop(struct desk_request *request)
{
	struct desk *desk = request->desk;

	TAILQ_REMOVE(&desk->requests, request, link);
	if (request->is_sent)
		desk->sent_count--;
	free(request);
}

/* The receiver may ask and cancel other requests meanwhile. */
static void tell(struct desk_request *request,
		 const struct service_answer *answer, const int *fds)
{
	const struct desk_receiver receiver = request->receiver;

	if (request->is_over) {
		for (uint32_t i = 0; i < answer->count; i++)
			(void)close(fds[i]);
		return;
	}
	request->is_over = true;
	receiver.done(receiver.arg, answer, fds);
}

static void give_up(struct desk_request *request)
{
	const struct service_answer nothing = {
		.kind = request->question.kind,
		.process = SERVICE_UNKNOWN,
	};

	tell(request, &nothing, NULL);
}

/* The oldest request whose receiver still waits. */
static struct desk_request *first_waiting(const struct desk *desk)
{
	struct desk_request *request;

	TAILQ_FOREACH(request, &desk->requests, link)
	if (!request->is_over)
		return request;
	return NULL;
}

static void set_timer(struct desk *desk)
{
	const struct desk_request *request = first_waiting(desk);

	if (request == NULL) {
		(void)event_del(&desk->timer);
		return;
	}
	int64_t left = request->deadline_ms - ticks_now_ms();
	struct timeval tv = ticks_timeval(left > 0 ? left : 0);
	(void)event_add(&desk->timer, &tv);
}

static void send_more(struct desk *desk)
{
	struct desk_request *request;

	TAILQ_FOREACH(request, &desk->requests, link)
	{
		if (desk->is_closed || desk->sent_count >= SERVICE_WINDOW)
			return;
		if (request->is_sent)
			continue;
		/* Not now: when an answer comes, or never. */
		if (service_ask(desk->pair, &request->question) != 0)
			return;
		request->is_sent = true;
		desk->sent_count++;
	}
}

/* Those that were not sent are gone with it; the others' answers may come. */
static void expire(struct desk *desk, int64_t now)
{
	struct desk_request *request;

	while ((request = first_waiting(desk)) != NULL &&
	       (desk->is_closed || request->deadline_ms <= now)) {
		give_up(request);
		if (!request->is_sent || desk->is_closed)
			drop(request);
	}
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct desk *desk = arg;

	(void)fd;
	(void)what;
	expire(desk, ticks_now_ms());
	set_timer(desk);
}

static void take_answer(struct desk *desk, const struct service_answer *answer,
			const int *fds)
{
	struct desk_request *request;

	/* What drop() frees is in the list no more; the analyzer loses that. */
	TAILQ_FOREACH(request, &desk->requests, link)
	/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
	if (request->is_sent && request->question.id == answer->id)
		break;
	if (request == NULL) {
		for (uint32_t i = 0; i < answer->count; i++)
			(void)close(fds[i]);
		return;
	}
	tell(request, answer, fds);
	drop(request);
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct desk *desk = arg;
	struct service_answer answer;
	int fds[SERVICE_SOCKETS_MAX];
	int rc;

	(void)what;
	while ((rc = service_receive(fd, &answer, fds)) == 1)
		take_answer(desk, &answer, fds);
	if (rc != -EAGAIN && rc != -EPROTO) {
		/* The gate is gone; its pair says so, too. */
		desk->is_closed = true;
		(void)event_del(&desk->readable);
		expire(desk, 0);
	}
	send_more(desk);
	set_timer(desk);
}

struct desk *desk_new(struct event_base *base, int pair)
{
	struct desk *desk = calloc(1, sizeof(*desk));

	if (desk == NULL)
		return NULL;
	desk->base = base;
	desk->pair = pair;
	TAILQ_INIT(&desk->requests);
	(void)evtimer_assign(&desk->timer, base, on_timer, desk);
	(void)event_assign(&desk->readable, base, pair, EV_READ | EV_PERSIST,
			   on_readable, desk);
	(void)event_add(&desk->readable, NULL);
	return desk;
}

void desk_free(struct desk *desk)
{
	if (desk == NULL)
		return;
	(void)event_del(&desk->readable);
	(void)event_del(&desk->timer);
	while (!TAILQ_EMPTY(&desk->requests))
		/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): as above */
		drop(TAILQ_FIRST(&desk->requests));
	free(desk);
}

int desk_ask(struct desk *desk, const struct service_question *question,
	     const struct desk_receiver *receiver,
	     struct desk_request **request_out)
{
	struct desk_request *request = calloc(1, sizeof(*request));

	if (request == NULL)
		return -ENOMEM;
	request->desk = desk;
	request->question = *question;
	request->question.id = ++desk->last_id;
	request->receiver = *receiver;
	request->deadline_ms =
		ticks_now_ms() + (desk->is_closed ? 0 : DESK_TIMEOUT_MS);
	TAILQ_INSERT_TAIL(&desk->requests, request, link);
	send_more(desk);
	if (event_pending(&desk->timer, EV_TIMEOUT, NULL) == 0)
		set_timer(desk);
	*request_out = request;
	return 0;
}

void desk_cancel(struct desk_request *request)
{
	if (request == NULL)
		return;
	request->is_over = true;
	if (!request->is_sent)
		drop(request);
}
