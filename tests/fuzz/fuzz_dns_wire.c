/* SPDX-License-Identifier: MIT */
/* fuzz_dns_wire: whatever is asked, the answer fits and repeats the question.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dns_wire.h"

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* The longest name, as far as the input has letters for it. */
static struct hostname make_name(const uint8_t *data, size_t len)
{
	struct hostname name = {.text = "a", .len = 1};
	char text[HOSTNAME_MAX_BYTES];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = i % 64 == 63 ? '.'
			  : i < len    ? (char)('a' + data[i] % 26)
				       : 'z';
	(void)!hostname_parse(text, sizeof(text) - 1, &name);
	return name;
}

static void check(const struct dns_query *query,
		  const struct dns_answer *answer)
{
	uint8_t out[DNS_ANSWER_MAX_BYTES];
	struct dns_query again;
	size_t len = dns_answer_write(query, answer, out);

	require(len >= 12 && len <= sizeof(out));
	require((out[2] & 0x80) != 0 && (out[3] & 15) == (int)answer->code);
	require(query->question_len == 0 ||
		memcmp(out + 12, query->question, query->question_len) == 0);
	/* It is no question, unless its flag says so. */
	require(!dns_query_read(out, len, &again));
	out[2] = (uint8_t)(out[2] & ~0x80);
	require(dns_query_read(out, len, &again));
	if (query->question_len > 0 && query->code == DNS_OK) {
		require(again.code == DNS_OK && again.type == query->type);
		require(strcmp(again.text, query->text) == 0);
		require(again.has_edns == query->has_edns);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct netaddr ipv4 = {
		AF_INET, {198, 18, 0, 1}
        };
	static const struct netaddr ipv6 = {AF_INET6, {0xfd}};
	struct hostname name = make_name(data, size);
	struct dns_query query;
	struct netaddr addr;

	if (!dns_query_read(data, size, &query))
		return 0;
	require(query.text_len == strlen(query.text));
	check(&query, &(struct dns_answer){.code = query.code});
	check(&query, &(struct dns_answer){.address = &ipv4});
	check(&query, &(struct dns_answer){.address = &ipv6});
	check(&query, &(struct dns_answer){.name = &name});
	if (hostname_parse(query.text, query.text_len, &name) == HOSTNAME_OK)
		(void)!dns_reverse_read(&name, &addr);
	return 0;
}
