/* SPDX-License-Identifier: MIT */
/*
 * connect_dialogue: asks a proxy for a tunnel, as its client. Pure.
 *
 * How it works: say what connect_dialogue_start() wrote, then give all that
 * came to connect_dialogue_hear() until it no longer answers MORE:
 *
 *   HTTP    CONNECT host:port			-> 2xx (RFC 9110 s9.3.6)
 *   SOCKS5  methods -> method [-> user, password -> ok] -> CONNECT -> reply
 *							(RFC 1928, RFC 1929)
 */
#ifndef CONNECT_DIALOGUE_H
#define CONNECT_DIALOGUE_H

#include <stddef.h>
#include <stdint.h>

#include "proxy_url.h"
#include "text.h"

/* Longer answers than this are refused; enough for what is said as well. */
#define CONNECT_ANSWER_MAX_BYTES 16384
#define CONNECT_SAY_MAX_BYTES    2048

enum connect_result {
	CONNECT_OPEN = 0, /* what follows the used bytes is the origin's */
	CONNECT_MORE,     /* read more and call again with all of it */
	CONNECT_SAY,      /* send what was written, drop what was used */
	CONNECT_REFUSED,  /* the proxy said no: @why */
	CONNECT_BAD,      /* it speaks something else: @why */
};

enum connect_stage {
	CONNECT_STAGE_HTTP = 0,
	CONNECT_STAGE_METHOD,
	CONNECT_STAGE_PASSWORD,
	CONNECT_STAGE_REPLY,
};

/**
 * struct connect_dialogue - where it stands
 * @proxy, @host: borrowed for the whole of it
 * @host:	an address or a name, checked by the caller
 */
struct connect_dialogue {
	const struct proxy_url *proxy;
	const char *host;
	uint16_t port;
	enum connect_stage stage;
};

/** connect_dialogue_start() - write what is to be said first into @say, which
 * is empty and of CONNECT_SAY_MAX_BYTES */
void connect_dialogue_start(struct connect_dialogue *dialogue,
			    struct text *say);

/**
 * connect_dialogue_hear() - take what the proxy said
 * @used_out:	bytes that are done with (OPEN, SAY)
 * @say:	emptied, then what to send (SAY), or why not in printable ASCII
 *		(REFUSED, BAD)
 */
enum connect_result connect_dialogue_hear(struct connect_dialogue *dialogue,
					  const char *data, size_t len,
					  size_t *used_out, struct text *say)
	__attribute__((warn_unused_result));

#endif
