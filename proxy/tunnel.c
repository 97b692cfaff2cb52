/* SPDX-License-Identifier: MIT */
/* tunnel: one client connection from its first byte to its last record. */
#include "tunnel_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>

#include "dialer.h"
#include "inner_dial.h"
#include "policy.h"
#include "policy_hold.h"
#include "resolver.h"
#include "ticks.h"
#include "tunnel_capture.h"
#include "tunnel_glance.h"
#include "tunnel_make.h"
#include "tunnel_who.h"
#include "upstream_ask.h"

#define LINGER_MS 1000 /* for the answer to reach a client that drains */

const struct policy *tunnel_policy(const struct tunnel *tunnel)
{
	return tunnel->policy->policy;
}

void tunnel_drop_opening(struct tunnel *tunnel)
{
	struct tunnel_opening *opening = tunnel->opening;

	if (opening == NULL)
		return;
	if (opening->ready_fd >= 0)
		(void)close(opening->ready_fd);
	resolver_cancel(opening->request);
	dial_cancel(opening->dial);
	inner_dial_cancel(opening->inner);
	upstream_ask_cancel(opening->ask);
	client_hello_clear(&opening->hello);
	tls_guard_free(opening->guard);
	byte_store_clear(&opening->input);
	tunnel_http_free(opening->http);
	free(opening->answer);
	free(opening);
	tunnel->opening = NULL;
}

/* The timer is set once and looked at when it fires: moving a deadline, as
 * every chunk of a relay does, costs one store. */
void tunnel_set_deadline(struct tunnel *tunnel, uint64_t ms)
{
	int64_t now = ticks_now_ms();

	tunnel->context->active_ms = now;
	tunnel->deadline_ms = now + (int64_t)ms;
	if (tunnel->armed_ms != 0 && tunnel->armed_ms <= tunnel->deadline_ms)
		return;
	struct timeval tv = ticks_timeval((int64_t)ms);
	tunnel->armed_ms = tunnel->deadline_ms;
	(void)event_add(&tunnel->timer, &tv);
}

/* RST tells the other side what we were told. */
static void close_side(struct tunnel *tunnel, enum relay_side side)
{
	const struct linger hard = {.l_onoff = 1, .l_linger = 0};
	int fd = tunnel->relay.fds[side];

	if (fd < 0)
		return;
	(void)event_del(&tunnel->events[side]);
	if (tunnel->is_reset)
		(void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard,
				 sizeof(hard));
	(void)close(fd);
	tunnel->relay.fds[side] = -1;
}

void tunnel_close_origin(struct tunnel *tunnel)
{
	close_side(tunnel, RELAY_ORIGIN);
}

void tunnel_change_origin(struct tunnel *tunnel)
{
	if (tunnel->has_close)
		tunnel_record_close(tunnel);
	close_side(tunnel, RELAY_ORIGIN);
	relay_change_origin(&tunnel->relay, &tunnel->context->tools);
}

static void close_now(struct tunnel *tunnel)
{
	struct context *context = tunnel->context;

	tunnel_forget_who(tunnel);
	if (tunnel->opening != NULL)
		tunnel_record_refusal(tunnel);
	if (tunnel->has_close)
		tunnel_record_close(tunnel);
	(void)event_del(&tunnel->timer);
	relay_clear(&tunnel->relay, &context->tools);
	close_side(tunnel, RELAY_CLIENT);
	close_side(tunnel, RELAY_ORIGIN);
	tunnel_drop_opening(tunnel);
	tunnel_bury(tunnel);
}

static struct tunnel_list *list_of(struct context *context,
				   enum tunnel_state state)
{
	return state == TUNNEL_HEAD ? &context->heads : &context->others;
}

static void enter(struct tunnel *tunnel)
{
	const struct policy *policy = tunnel_policy(tunnel);

	switch ((enum tunnel_state)tunnel->state) {
	case TUNNEL_HELLO:
		tunnel_set_deadline(tunnel, policy->proxy.hello_timeout_ms);
		break;
	case TUNNEL_RELAYING:
		tunnel_drop_opening(tunnel);
		tunnel_set_deadline(tunnel, policy->proxy.idle_timeout_ms);
		break;
	case TUNNEL_GUARDED:
	case TUNNEL_EXCHANGE:
		tunnel_set_deadline(tunnel, policy->proxy.idle_timeout_ms);
		break;
	case TUNNEL_REFUSING:
	case TUNNEL_DRAINING:
		tunnel_set_deadline(tunnel, LINGER_MS);
		break;
	case TUNNEL_CLOSED:
		close_now(tunnel);
		break;
	case TUNNEL_HEAD:
		tunnel->head_ms = ticks_now_ms();
		tunnel_set_deadline(tunnel, policy->proxy.idle_timeout_ms);
		break;
	case TUNNEL_RESOLVING: /* the resolver and the dialler have timers */
	case TUNNEL_DIALLING:
	case TUNNEL_STATE_COUNT:
		break;
	}
}

void tunnel_apply(struct tunnel *tunnel, enum tunnel_event event)
{
	struct context *context = tunnel->context;
	enum tunnel_state from = tunnel->state;
	enum tunnel_state next = tunnel_state_next(from, event);

	if (from == TUNNEL_CLOSED)
		return;
	if (next == TUNNEL_CLOSED && !tunnel_state_has(from, event))
		log_warn("bug: %s in state %s", tunnel_event_text(event),
			 tunnel_state_text(from));
	tunnel->state = (uint8_t)next;
	TAILQ_REMOVE(list_of(context, from), tunnel, link);
	if (next == TUNNEL_CLOSED)
		context->count--;
	else
		TAILQ_INSERT_TAIL(list_of(context, next), tunnel, link);
	enter(tunnel);
}

void tunnel_run_relay(struct tunnel *tunnel)
{
	struct context *context = tunnel->context;

	switch (relay_run(&tunnel->relay, &context->tools)) {
	case RELAY_WAIT:
		break;
	case RELAY_AGAIN:
		tunnel_run_again(tunnel);
		break;
	case RELAY_BROKEN:
		tunnel->is_reset = true;
		tunnel_apply(tunnel, TUNNEL_ENDED);
		return;
	case RELAY_DONE:
		tunnel_apply(tunnel, TUNNEL_ENDED);
		return;
	}
	tunnel_set_deadline(tunnel,
			    tunnel_policy(tunnel)->proxy.idle_timeout_ms);
}

static void act(struct tunnel *tunnel, enum relay_side side, short what)
{
	switch ((enum tunnel_state)tunnel->state) {
	case TUNNEL_HEAD:
		if (side == RELAY_ORIGIN && (what & ~EV_WRITE & ~EV_ET) != 0)
			tunnel_http_origin_spoke(tunnel);
		else
			tunnel_read_head(tunnel);
		break;
	case TUNNEL_EXCHANGE:
		tunnel_run_exchange(tunnel);
		break;
	case TUNNEL_HELLO:
		if (tunnel->opening->is_glance)
			tunnel_glance(tunnel);
		else
			tunnel_read_hello(tunnel);
		break;
	case TUNNEL_GUARDED:
		tunnel_run_guard(tunnel);
		break;
	case TUNNEL_RELAYING:
		tunnel_run_relay(tunnel);
		break;
	case TUNNEL_REFUSING:
		tunnel_send_answer(tunnel);
		break;
	case TUNNEL_DRAINING:
		tunnel_drain(tunnel);
		break;
	case TUNNEL_RESOLVING: /* noted: read when its turn comes */
	case TUNNEL_DIALLING:
	case TUNNEL_CLOSED:
	case TUNNEL_STATE_COUNT:
		break;
	}
}

void tunnel_on_ready(struct tunnel *tunnel, enum relay_side side, short what)
{
	relay_note(&tunnel->relay, side, what);
	act(tunnel, side, what);
	tunnel_settle(tunnel);
}

static void on_client(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	tunnel_on_ready(arg, RELAY_CLIENT, what);
}

static void on_origin(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	tunnel_on_ready(arg, RELAY_ORIGIN, what);
}

static void on_deadline(struct tunnel *tunnel)
{
	switch ((enum tunnel_state)tunnel->state) {
	case TUNNEL_HEAD:
		tunnel_head_timeout(tunnel);
		break;
	case TUNNEL_HELLO:
		if (tunnel->opening->is_glance)
			tunnel_end_glance(tunnel);
		else
			tunnel_refuse(tunnel,
				      &(struct tunnel_refusal){
					      .reason = REASON_HELLO_TIMEOUT});
		break;
	case TUNNEL_REFUSING:
		tunnel->is_reset |= tunnel->opening->awaits_first;
		tunnel_apply(tunnel, TUNNEL_ENDED);
		break;
	case TUNNEL_GUARDED:
	case TUNNEL_EXCHANGE:
	case TUNNEL_RELAYING:
	case TUNNEL_DRAINING:
		tunnel_apply(tunnel, TUNNEL_ENDED);
		break;
	case TUNNEL_RESOLVING:
	case TUNNEL_DIALLING:
	case TUNNEL_CLOSED:
	case TUNNEL_STATE_COUNT:
		break;
	}
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct tunnel *tunnel = arg;
	int64_t left = tunnel->deadline_ms - ticks_now_ms();

	(void)fd;
	(void)what;
	tunnel->armed_ms = 0;
	if (tunnel->state == TUNNEL_RESOLVING ||
	    tunnel->state == TUNNEL_DIALLING)
		return; /* the next state sets it again */
	if (left <= 0)
		on_deadline(tunnel);
	else
		tunnel_set_deadline(tunnel, (uint64_t)left);
	tunnel_settle(tunnel);
}

static int watch(struct tunnel *tunnel, enum relay_side side, short what)
{
	(void)event_assign(
		&tunnel->events[side], tunnel->context->base,
		tunnel->relay.fds[side],
		(short)(what | EV_READ | EV_CLOSED | EV_ET | EV_PERSIST),
		side == RELAY_CLIENT ? on_client : on_origin, tunnel);
	return event_add(&tunnel->events[side], NULL) == 0 ? 0 : -ENOMEM;
}

void tunnel_settle(struct tunnel *tunnel)
{
	for (enum relay_side side = 0; side < RELAY_SIDE_COUNT; side++) {
		if (tunnel->relay.fds[side] < 0 ||
		    tunnel->relay.is_writable[side] ||
		    tunnel->has_write_event[side])
			continue;
		(void)event_del(&tunnel->events[side]);
		tunnel->has_write_event[side] = true;
		if (watch(tunnel, side, EV_WRITE) != 0)
			tunnel_apply(tunnel, TUNNEL_ENDED);
	}
}

int tunnel_watch_origin(struct tunnel *tunnel, int fd_own)
{
	tunnel->relay.fds[RELAY_ORIGIN] = fd_own;
	tunnel->relay.is_writable[RELAY_ORIGIN] = true;
	tunnel->has_write_event[RELAY_ORIGIN] = false;
	return watch(tunnel, RELAY_ORIGIN, 0);
}

struct tunnel *tunnel_make(struct context *context, int fd_own)
{
	struct tunnel *tunnel = calloc(1, sizeof(*tunnel));
	struct tunnel_opening *opening = calloc(1, sizeof(*opening));

	if (tunnel == NULL || opening == NULL) {
		free(tunnel);
		free(opening);
		(void)close(fd_own);
		return NULL;
	}
	tunnel->context = context;
	tunnel->policy = policy_hold_ref(context->policy);
	tunnel->opening = opening;
	tunnel->conn = ++context->trail.next_conn;
	tunnel->start_ms = ticks_now_ms();
	tunnel->head_ms = tunnel->start_ms;
	tunnel->state = TUNNEL_HEAD;
	opening->ready_fd = -1;
	client_hello_init(&opening->hello);
	relay_init(&tunnel->relay);
	tunnel->relay.fds[RELAY_CLIENT] = fd_own;
	tunnel->relay.is_writable[RELAY_CLIENT] = true;
	(void)evtimer_assign(&tunnel->timer, context->base, on_timer, tunnel);
	TAILQ_INSERT_TAIL(&context->heads, tunnel, link);
	context->count++;
	tunnel_set_deadline(tunnel,
			    tunnel_policy(tunnel)->proxy.head_timeout_ms);
	if (watch(tunnel, RELAY_CLIENT, 0) == 0 &&
	    tunnel_count_client(tunnel) == 0)
		return tunnel;
	tunnel_apply(tunnel, TUNNEL_ENDED);
	return NULL;
}

int tunnel_start(struct context *context, int fd_own)
{
	struct tunnel *tunnel = tunnel_make(context, fd_own);

	if (tunnel == NULL)
		return -ENOMEM;
	tunnel_ask_who(tunnel);
	/* Under load the request is there by now: a turn of the loop less. */
	tunnel_on_ready(tunnel, RELAY_CLIENT, EV_READ);
	return 0;
}

int tunnel_start_captured(struct context *context, int fd_own)
{
	struct tunnel *tunnel = tunnel_make(context, fd_own);

	if (tunnel == NULL)
		return -ENOMEM;
	tunnel_ask_who(tunnel);
	tunnel->is_captured = true;
	tunnel_take_captured(tunnel);
	tunnel_on_ready(tunnel, RELAY_CLIENT, EV_READ);
	return 0;
}
