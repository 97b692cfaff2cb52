/* SPDX-License-Identifier: MIT */
/* fuzz_conf: policy files and rules; a rule that loads must load again from
 * its own text and mean the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_file(const char *text, size_t len)
{
	struct conf *conf = conf_new("/w", "/h");
	struct diag diag = {.text = ""};

	if (conf == NULL)
		return;
	if (conf_add_file(conf, "p", text, len, &diag) == 0)
		policy_free(conf_build(conf, &diag));
	else if (diag.text[0] == '\0')
		abort(); /* refused without a word */
	conf_free(conf);
}

static struct policy *with_rule(const char *rule)
{
	char flag[] = "--deny";
	char *argv[] = {flag, strdup(rule)};
	struct conf *conf = conf_new("/w", "/h");
	struct diag diag = {.text = ""};
	struct policy *policy = NULL;
	int used;

	if (argv[1] != NULL && conf != NULL &&
	    conf_add_flag(conf, 2, argv, &used, &diag) == CONF_FLAG_TAKEN)
		policy = conf_build(conf, &diag);
	else if (conf != NULL && diag.text[0] == '\0')
		abort();
	free(argv[1]);
	conf_free(conf);
	return policy;
}

/* The same question to the policy of the rule and to that of its text. */
static void try_rule(const char *rule)
{
	struct policy *policy = with_rule(rule);
	struct netaddr addr = {
		.family = 2, .bytes = {8, 8, 8, 8}
        };
	struct hostname name;

	if (policy == NULL)
		return;
	(void)!hostname_parse("a.example.com", 13, &name);
	struct decision d = policy_decide_name(policy, &name, 443);
	if (d.rule == NULL)
		d = policy_decide_literal(policy, &addr, 443, 0);
	if (d.rule != NULL) {
		struct policy *again = with_rule(rule_text(d.rule));
		if (again == NULL)
			abort();
		policy_free(again);
	}
	policy_free(policy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0 || size > 4096)
		return 0;
	char *text = calloc(1, size + 1);
	if (text == NULL)
		return 0;
	memcpy(text, data, size);
	if (text[0] == '=')
		try_rule(text + 1);
	else
		try_file(text, size);
	free(text);
	return 0;
}
