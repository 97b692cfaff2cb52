/* SPDX-License-Identifier: MIT */
/*
 * tunnel_state: the states of one client connection and how they follow.
 *
 * How it works: one flat table of {state, event, next} in tunnel_state.c is the
 * only place where transitions live. A pair that has no row is a bug of ours
 * and leads to CLOSED, so a mistake can end a tunnel but never open one.
 *
 *   state      owned besides the client                  timer
 *   HEAD       opening (request bytes so far); with      head_timeout, in all
 *              plain HTTP maybe the last request's
 *              origin
 *   RESOLVING  opening, a resolver request               dns.timeout
 *   DIALLING   opening, a dial                           connect_timeout
 *   EXCHANGE   opening (plain HTTP: one request and its  idle_timeout
 *              response), origin
 *   HELLO      opening (hello bytes so far), origin      hello_timeout, in all
 *   GUARDED    opening (guard), origin, relay            idle_timeout
 *   RELAYING   origin, relay                             idle_timeout
 *   REFUSING   opening (answer not sent yet)             linger
 *   DRAINING   nothing: reads and forgets until FIN      linger
 *   CLOSED     nothing; freed when the loop is back
 */
#ifndef TUNNEL_STATE_H
#define TUNNEL_STATE_H

enum tunnel_state {
	TUNNEL_HEAD = 0,
	TUNNEL_RESOLVING,
	TUNNEL_DIALLING,
	TUNNEL_EXCHANGE,
	TUNNEL_HELLO,
	TUNNEL_GUARDED,
	TUNNEL_RELAYING,
	TUNNEL_REFUSING,
	TUNNEL_DRAINING,
	TUNNEL_CLOSED,
	TUNNEL_STATE_COUNT
};

enum tunnel_event {
	TUNNEL_AUTHORISED = 0, /* a name is allowed and must be resolved */
	TUNNEL_DESTINED,       /* the addresses to dial are known */
	TUNNEL_OPEN_FOR_HELLO, /* origin connected, 200 sent; TLS is due */
	TUNNEL_OPEN_FOR_HTTP, /* origin connected, 200 sent; requests are due */
	TUNNEL_REQUESTED,     /* a request that was judged has its origin */
	TUNNEL_EXCHANGED,     /* it was answered; another one may come */
	TUNNEL_FINISHED,      /* it was answered; it was the last one */
	TUNNEL_OPEN,          /* origin connected, 200 sent; all may pass */
	TUNNEL_HELLO_PASSED,  /* the ClientHello was let through */
	TUNNEL_GUARD_DONE,    /* no second ClientHello can come any more */
	TUNNEL_REFUSED,       /* an answer or an alert says no */
	TUNNEL_ANSWERED,      /* that answer is sent */
	TUNNEL_ENDED,         /* both ways are done, or one side broke */
	TUNNEL_EVENT_COUNT
};

/** tunnel_state_next() - the state after @event; TUNNEL_CLOSED for a pair that
 * has no row */
enum tunnel_state tunnel_state_next(enum tunnel_state state,
				    enum tunnel_event event);

/** tunnel_state_has() - there is a row for the pair */
_Bool tunnel_state_has(enum tunnel_state state, enum tunnel_event event);

const char *tunnel_state_text(enum tunnel_state state);
const char *tunnel_event_text(enum tunnel_event event);

#endif
