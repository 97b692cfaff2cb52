/* SPDX-License-Identifier: MIT */
/* fuzz_rule: a rule that is taken means the same when its own text is read. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "conf_internal.h"

static void require(bool holds)
{
	if (!holds)
		abort();
}

static struct conf *with_rule(const char *flag, const char *text,
			      struct diag *diag)
{
	struct conf *conf = conf_new("/w", "/h");
	char *argv[] = {strdup(flag), strdup(text)};
	enum conf_flag rc = CONF_FLAG_BAD;
	int used;

	if (conf != NULL && argv[0] != NULL && argv[1] != NULL)
		rc = conf_add_flag(conf, 2, argv, &used, diag);
	free(argv[0]);
	free(argv[1]);
	if (rc == CONF_FLAG_TAKEN)
		return conf;
	conf_free(conf);
	return NULL;
}

static void require_same(const struct rule *a, const struct rule *b)
{
	require(strcmp(a->text, b->text) == 0);
	require(a->kind == b->kind && a->is_deny == b->is_deny);
	require(hostname_equal(&a->host, &b->host));
	require(netaddr_equal(&a->block.addr, &b->block.addr));
	require(a->block.prefix_bits == b->block.prefix_bits);
	require(a->port_count == b->port_count);
	for (size_t i = 0; i < a->port_count; i++)
		require(a->ports[i] == b->ports[i]);
	require(a->has_protocol == b->has_protocol);
	require(!a->has_protocol || a->protocol == b->protocol);
	require(a->is_private == b->is_private);
}

static void try_rule(const char *flag, const char *text)
{
	struct diag diag = {.text = ""};
	struct conf *conf = with_rule(flag, text, &diag);

	require((conf == NULL) == (diag.text[0] != '\0'));
	if (conf == NULL)
		return;
	require(conf->rule_count == 1);
	struct conf *again = with_rule(flag, conf->rules[0].text, &diag);
	require(again != NULL);
	require_same(&conf->rules[0], &again->rules[0]);
	conf_free(conf);
	conf_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 1024)
		return 0;
	char *text = calloc(1, size + 1);
	if (text == NULL)
		return 0;
	memcpy(text, data, size);
	try_rule("--allow", text);
	try_rule("--deny", text);
	free(text);
	return 0;
}
