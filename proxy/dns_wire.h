/* SPDX-License-Identifier: MIT */
/*
 * dns_wire: one DNS question in, one answer out (RFC 1035). Pure.
 *
 * How it works: a query is read strictly: one question, its name spelt out in
 * labels. What follows the question is walked only to see whether the asker
 * knows EDNS (RFC 6891), since such a one must be answered in kind. The answer
 * repeats the question byte by byte, because resolvers compare it.
 */
#ifndef DNS_WIRE_H
#define DNS_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hostname.h"
#include "netaddr.h"

#define DNS_ANSWER_MAX_BYTES 640
#define DNS_NAME_MAX_BYTES   1024 /* printable, with \DDD for odd bytes */

enum dns_type {
	DNS_TYPE_A = 1,
	DNS_TYPE_PTR = 12,
	DNS_TYPE_AAAA = 28,
	DNS_TYPE_OPT = 41,
};

enum dns_code { /* RFC 1035 s4.1.1 */
	DNS_OK = 0,
	DNS_FORMERR = 1,
	DNS_SERVFAIL = 2,
	DNS_NXDOMAIN = 3,
	DNS_NOTIMP = 4,
	DNS_REFUSED = 5,
};

/**
 * struct dns_query - a question
 * @code:	DNS_OK, or what it has to be answered with
 * @question:	its bytes, borrowed from the query; @question_len 0: none
 * @text:	the name for people, as in RFC 1035 s5.1, without the last dot
 */
struct dns_query {
	uint16_t id;
	uint16_t flags;
	enum dns_code code;
	const uint8_t *question;
	size_t question_len;
	uint16_t type;
	bool has_edns;
	char text[DNS_NAME_MAX_BYTES];
	size_t text_len;
};

/**
 * dns_query_read() - read a query
 * Return: false: nothing that can be answered: too short, or an answer itself.
 */
bool dns_query_read(const uint8_t *data, size_t len,
		    struct dns_query *query_out)
	__attribute__((warn_unused_result));

/**
 * struct dns_answer - what to say
 * @address:	of a type A or AAAA, or NULL
 * @name:	of a PTR, or NULL
 */
struct dns_answer {
	enum dns_code code;
	const struct netaddr *address;
	const struct hostname *name;
};

/** dns_answer_write() - Return: bytes written. */
size_t dns_answer_write(const struct dns_query *query,
			const struct dns_answer *answer,
			uint8_t out[static DNS_ANSWER_MAX_BYTES]);

/** dns_reverse_read() - the address in "1.2.0.192.in-addr.arpa" or the like
 * under ip6.arpa (RFC 3596 s2.5). Return: false: it is not such a name. */
bool dns_reverse_read(const struct hostname *name, struct netaddr *addr_out)
	__attribute__((warn_unused_result));

#endif
