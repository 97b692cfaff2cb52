/* SPDX-License-Identifier: MIT */
/* response_head: a strict HTTP/1.x response head of an origin's. */
#ifndef RESPONSE_HEAD_H
#define RESPONSE_HEAD_H

#include <stddef.h>
#include <stdint.h>

#include "head_scan.h"
#include "http_text.h"

/* Origins send more than clients: long policies, many cookies. */
#define RESPONSE_HEAD_MAX_BYTES  32768
#define RESPONSE_HEAD_MAX_FIELDS 200

enum response_head_result {
	RESPONSE_HEAD_OK = 0,
	RESPONSE_HEAD_MORE, /* read more and call again */
	RESPONSE_HEAD_BAD,  /* 502; see reason */
};

/**
 * struct response_head - what it says; spans are borrowed from the buffer
 * @phrase:	may be empty
 * @fields:	the field lines, each ended by CRLF, syntax checked, without
 *		the empty line
 * @head_len:	size with the empty line; the content begins there
 * @reason:	why, when the result is BAD: fixed text
 */
struct response_head {
	uint8_t minor_version;
	uint16_t status; /* 100 to 599 */
	struct http_span phrase;
	struct http_span fields;
	size_t head_len;
	const char *reason;
};

/**
 * response_head_parse() - look at what has come of a head so far
 * @scan:	zeroed before the first call of each head
 * @data:	all bytes since the head began; may have moved between calls
 * @head_out:	filled on OK; on BAD only @reason is
 *
 * As strict as request_head_parse(): an origin that is read in two ways can
 * give one client the answer to another's request. Only a status line without
 * the space behind the code is let pass, as many send it.
 */
enum response_head_result response_head_parse(struct head_scan *scan,
					      const char *data, size_t len,
					      struct response_head *head_out)
	__attribute__((warn_unused_result));

#endif
