/* SPDX-License-Identifier: MIT */
/* tunnel_state: the transition table of one client connection. */
#include "tunnel_state.h"

#include <stddef.h>

static const struct {
	enum tunnel_state state;
	enum tunnel_event event;
	enum tunnel_state next;
} rows[] = {
	{TUNNEL_HEAD,      TUNNEL_AUTHORISED,     TUNNEL_RESOLVING},
	{TUNNEL_HEAD,      TUNNEL_DESTINED,       TUNNEL_DIALLING },
	{TUNNEL_HEAD,      TUNNEL_REQUESTED,      TUNNEL_EXCHANGE },
	{TUNNEL_HEAD,      TUNNEL_REFUSED,        TUNNEL_REFUSING },
	{TUNNEL_HEAD,      TUNNEL_ENDED,          TUNNEL_CLOSED   },
	{TUNNEL_RESOLVING, TUNNEL_DESTINED,       TUNNEL_DIALLING },
	{TUNNEL_RESOLVING, TUNNEL_REFUSED,        TUNNEL_REFUSING },
	{TUNNEL_RESOLVING, TUNNEL_ENDED,          TUNNEL_CLOSED   },
	{TUNNEL_DIALLING,  TUNNEL_OPEN_FOR_HELLO, TUNNEL_HELLO    },
	{TUNNEL_DIALLING,  TUNNEL_OPEN_FOR_HTTP,  TUNNEL_HEAD     },
	{TUNNEL_DIALLING,  TUNNEL_REQUESTED,      TUNNEL_EXCHANGE },
	{TUNNEL_DIALLING,  TUNNEL_OPEN,           TUNNEL_RELAYING },
	{TUNNEL_DIALLING,  TUNNEL_REFUSED,        TUNNEL_REFUSING },
	{TUNNEL_DIALLING,  TUNNEL_ENDED,          TUNNEL_CLOSED   },
	{TUNNEL_EXCHANGE,  TUNNEL_EXCHANGED,      TUNNEL_HEAD     },
	{TUNNEL_EXCHANGE,  TUNNEL_FINISHED,       TUNNEL_DRAINING },
	{TUNNEL_EXCHANGE,  TUNNEL_OPEN,           TUNNEL_RELAYING },
	{TUNNEL_EXCHANGE,  TUNNEL_REFUSED,        TUNNEL_REFUSING },
	{TUNNEL_EXCHANGE,  TUNNEL_ENDED,          TUNNEL_CLOSED   },
	{TUNNEL_HELLO,     TUNNEL_HELLO_PASSED,   TUNNEL_GUARDED  },
	{TUNNEL_HELLO,     TUNNEL_OPEN,           TUNNEL_RELAYING },
	{TUNNEL_HELLO,     TUNNEL_REFUSED,        TUNNEL_REFUSING },
	{TUNNEL_HELLO,     TUNNEL_ENDED,          TUNNEL_CLOSED   },
	{TUNNEL_GUARDED,   TUNNEL_GUARD_DONE,     TUNNEL_RELAYING },
	{TUNNEL_GUARDED,   TUNNEL_REFUSED,        TUNNEL_REFUSING },
	{TUNNEL_GUARDED,   TUNNEL_ENDED,          TUNNEL_CLOSED   },
	{TUNNEL_RELAYING,  TUNNEL_ENDED,          TUNNEL_CLOSED   },
	{TUNNEL_REFUSING,  TUNNEL_ANSWERED,       TUNNEL_DRAINING },
	{TUNNEL_REFUSING,  TUNNEL_ENDED,          TUNNEL_CLOSED   },
	{TUNNEL_DRAINING,  TUNNEL_ENDED,          TUNNEL_CLOSED   },
};

static size_t find_row(enum tunnel_state state, enum tunnel_event event)
{
	size_t i = 0;

	while (i < sizeof(rows) / sizeof(rows[0]) &&
	       (rows[i].state != state || rows[i].event != event))
		i++;
	return i;
}

_Bool tunnel_state_has(enum tunnel_state state, enum tunnel_event event)
{
	return find_row(state, event) < sizeof(rows) / sizeof(rows[0]);
}

enum tunnel_state tunnel_state_next(enum tunnel_state state,
				    enum tunnel_event event)
{
	size_t i = find_row(state, event);

	return i < sizeof(rows) / sizeof(rows[0]) ? rows[i].next
						  : TUNNEL_CLOSED;
}

const char *tunnel_state_text(enum tunnel_state state)
{
	static const char *const texts[TUNNEL_STATE_COUNT] = {
		[TUNNEL_HEAD] = "head",
		[TUNNEL_RESOLVING] = "resolving",
		[TUNNEL_DIALLING] = "dialling",
		[TUNNEL_EXCHANGE] = "exchange",
		[TUNNEL_HELLO] = "hello",
		[TUNNEL_GUARDED] = "guarded",
		[TUNNEL_RELAYING] = "relaying",
		[TUNNEL_REFUSING] = "refusing",
		[TUNNEL_DRAINING] = "draining",
		[TUNNEL_CLOSED] = "closed",
	};

	return (size_t)state < TUNNEL_STATE_COUNT ? texts[state] : "?";
}

const char *tunnel_event_text(enum tunnel_event event)
{
	static const char *const texts[TUNNEL_EVENT_COUNT] = {
		[TUNNEL_AUTHORISED] = "authorised",
		[TUNNEL_DESTINED] = "destined",
		[TUNNEL_OPEN_FOR_HELLO] = "open_for_hello",
		[TUNNEL_OPEN_FOR_HTTP] = "open_for_http",
		[TUNNEL_REQUESTED] = "requested",
		[TUNNEL_EXCHANGED] = "exchanged",
		[TUNNEL_FINISHED] = "finished",
		[TUNNEL_OPEN] = "open",
		[TUNNEL_HELLO_PASSED] = "hello_passed",
		[TUNNEL_GUARD_DONE] = "guard_done",
		[TUNNEL_REFUSED] = "refused",
		[TUNNEL_ANSWERED] = "answered",
		[TUNNEL_ENDED] = "ended",
	};

	return (size_t)event < TUNNEL_EVENT_COUNT ? texts[event] : "?";
}
