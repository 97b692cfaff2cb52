/* SPDX-License-Identifier: MIT */
/* upstream_ask: asks another proxy, on a fresh connection, for a tunnel. */
#include "upstream_ask.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/event_struct.h>

#include "byte_store.h"
#include "response_head.h"
#include "text.h"
#include "ticks.h"

#ifndef MSG_NOSIGNAL /* macOS: SIGPIPE is ignored anyway */
#define MSG_NOSIGNAL 0
#endif

#define REQUEST_BYTES  2048
#define DETAIL_BYTES   256
#define PEEK_BYTES     2048
#define INTERIM_MAX    8
#define HEAD_END_BYTES 4 /* CR LF CR LF */

/**
 * struct upstream_ask - one question
 * @request:	from @sent on still to be sent; holds credentials
 * @head:	of the answer, as far as it was read
 */
struct upstream_ask {
	struct event event;
	struct event timer; /* for all of it, not for each byte */
	struct upstream_settings settings;
	int fd;
	char request[REQUEST_BYTES];
	size_t request_len;
	size_t sent;
	struct byte_store head;
	int interim_count;
};

void upstream_ask_cancel(struct upstream_ask *ask)
{
	if (ask == NULL)
		return;
	(void)event_del(&ask->event);
	(void)event_del(&ask->timer);
	if (ask->fd >= 0)
		(void)close(ask->fd);
	byte_store_clear(&ask->head);
	explicit_bzero(ask->request, sizeof(ask->request));
	free(ask);
}

/* The receiver forgets the question before it is freed here. */
static void finish(struct upstream_ask *ask,
		   const struct upstream_answer *answer)
{
	const struct upstream_settings settings = ask->settings;

	if (answer->fd >= 0)
		ask->fd = -1;
	(void)event_del(&ask->event);
	settings.done(settings.arg, answer);
	upstream_ask_cancel(ask);
}

static void fail(struct upstream_ask *ask, enum reason reason, const char *why)
{
	char detail[DETAIL_BYTES];
	struct text t;

	text_init(&t, detail, sizeof(detail));
	text_addf(&t, "upstream proxy: %s", why);
	finish(ask, &(struct upstream_answer){
			    .fd = -1, .reason = reason, .detail = detail});
}

/* What it said, for the client: "upstream proxy: 407 Proxy Authentication". */
static void refuse(struct upstream_ask *ask, const struct response_head *head)
{
	char words[DETAIL_BYTES];
	struct text t;

	text_init(&t, words, sizeof(words));
	text_add_decimal(&t, head->status);
	text_add(&t, " ");
	text_add_printable(&t, head->phrase.at,
			   head->phrase.len < DETAIL_BYTES / 8
				   ? head->phrase.len
				   : DETAIL_BYTES / 8);
	fail(ask, REASON_CONNECTION_REFUSED, words);
}

/* Return: true: it is decided, and @ask is gone. */
static bool judge_head(struct upstream_ask *ask)
{
	struct head_scan scan = {0};
	struct response_head head;

	if (response_head_parse(&scan, (const char *)ask->head.data,
				ask->head.len, &head) != RESPONSE_HEAD_OK) {
		fail(ask, REASON_CONNECTION_REFUSED,
		     "it does not answer as an HTTP proxy does");
		return true;
	}
	if (head.status >= 200 && head.status < 300) {
		finish(ask, &(struct upstream_answer){.fd = ask->fd,
						      .reason = REASON_NONE});
		return true;
	}
	if (head.status >= 200 || head.status == 101 ||
	    ++ask->interim_count > INTERIM_MAX) {
		refuse(ask, &head);
		return true;
	}
	byte_store_drop(&ask->head, ask->head.len);
	return false;
}

/* How many of @len bytes that come next belong to the head; @is_whole_out: it
 * ends with them. */
static size_t head_part(const struct byte_store *head, const uint8_t *next,
			size_t len, bool *is_whole_out)
{
	static const uint8_t end[HEAD_END_BYTES] = {'\r', '\n', '\r', '\n'};
	uint8_t window[HEAD_END_BYTES + PEEK_BYTES];
	size_t kept =
		head->len < HEAD_END_BYTES - 1 ? head->len : HEAD_END_BYTES - 1;

	if (kept > 0)
		memcpy(window, head->data + head->len - kept, kept);
	memcpy(window + kept, next, len);
	const uint8_t *at = memmem(window, kept + len, end, sizeof(end));
	*is_whole_out = at != NULL;
	return at != NULL ? (size_t)(at - window) + sizeof(end) - kept : len;
}

/* Return: 1: a head is whole; 0: more is to come; -errno; -EPIPE: the end. */
static int read_head(struct upstream_ask *ask)
{
	uint8_t next[PEEK_BYTES];
	bool is_whole = false;
	ssize_t n = recv(ask->fd, next, sizeof(next), MSG_PEEK);

	if (n <= 0)
		return n == 0 ? -EPIPE : -errno;
	size_t part = head_part(&ask->head, next, (size_t)n, &is_whole);
	if (ask->head.len + part > RESPONSE_HEAD_MAX_BYTES)
		return -EMSGSIZE;
	/* These bytes are there: they were just looked at. */
	n = recv(ask->fd, next, part, 0);
	if (n != (ssize_t)part)
		return n < 0 ? -errno : -EPIPE;
	if (byte_store_add(&ask->head, next, part) != 0)
		return -ENOMEM;
	return is_whole ? 1 : 0;
}

static bool is_passing(int error)
{
	return error == EAGAIN || error == EINTR;
}

/* Return: 0: all is sent or the socket is full; -errno. */
static int send_request(struct upstream_ask *ask)
{
	while (ask->sent < ask->request_len) {
		ssize_t n = send(ask->fd, ask->request + ask->sent,
				 ask->request_len - ask->sent, MSG_NOSIGNAL);

		if (n >= 0)
			ask->sent += (size_t)n;
		else if (errno != EINTR)
			return errno == EAGAIN ? 0 : -errno;
	}
	return 0;
}

static void fail_by_errno(struct upstream_ask *ask, int error)
{
	fail(ask, REASON_CONNECTION_REFUSED,
	     error == EPIPE      ? "it closed the connection"
	     : error == EMSGSIZE ? "its answer is too long"
				 : strerror(error));
}

static void on_event(evutil_socket_t fd, short what, void *arg)
{
	struct upstream_ask *ask = arg;

	(void)fd;
	(void)what;
	int rc = send_request(ask);
	while (rc == 0 || rc == 1) {
		if (rc == 1 && judge_head(ask))
			return;
		rc = read_head(ask);
	}
	if (!is_passing(-rc))
		fail_by_errno(ask, -rc);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	fail(arg, REASON_CONNECTION_TIMEOUT, "no answer in time");
}

static void write_request(struct upstream_ask *ask)
{
	char to[AUTHORITY_TEXT_BYTES];
	struct text t;

	text_init(&t, ask->request, sizeof(ask->request));
	(void)authority_text(ask->settings.to, to);
	text_addf(&t, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n", to, to);
	if (ask->settings.url->has_user) {
		text_add(&t, "Proxy-Authorization: ");
		proxy_url_add_basic(ask->settings.url, &t);
		text_add(&t, "\r\n");
	}
	text_add(&t, "\r\n");
	ask->request_len = t.len;
	ask->settings.to = NULL;
	ask->settings.url = NULL;
}

int upstream_ask_start(const struct upstream_settings *settings,
		       struct upstream_ask **ask_out)
{
	struct upstream_ask *ask = calloc(1, sizeof(*ask));
	const struct timeval tv = ticks_timeval((int64_t)settings->timeout_ms);

	if (ask == NULL) {
		(void)close(settings->fd_own);
		return -ENOMEM;
	}
	ask->settings = *settings;
	ask->fd = settings->fd_own;
	write_request(ask);
	(void)event_assign(&ask->event, settings->base, ask->fd,
			   EV_READ | EV_WRITE | EV_ET | EV_PERSIST, on_event,
			   ask);
	(void)evtimer_assign(&ask->timer, settings->base, on_timer, ask);
	if (event_add(&ask->event, NULL) != 0 ||
	    event_add(&ask->timer, &tv) != 0) {
		upstream_ask_cancel(ask);
		return -ENOMEM;
	}
	*ask_out = ask;
	return 0;
}
