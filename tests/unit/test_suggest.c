/* SPDX-License-Identifier: MIT */
/* test_suggest: the flag named is the shortest that helps, or none is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "conf.h"
#include "policy.h"
#include "suggest.h"

static const struct {
	const char *name;
	const char *address;
	uint16_t port;
	enum rule_protocol protocol;
	const char *flag; /* NULL: none helps */
} rows[] = {
	{"other.test", NULL,              443,  RULE_PROTOCOL_TLS,  "--allow other.test"      },
	{"other.test", NULL,              8443, RULE_PROTOCOL_TLS,
	 "--allow other.test:8443"							    },
	{"other.test", NULL,              80,   RULE_PROTOCOL_TLS,  "--allow other.test:80"   },
	{"other.test", NULL,              80,   RULE_PROTOCOL_HTTP, "--allow other.test:80"   },
	{"other.test", NULL,              8080, RULE_PROTOCOL_HTTP,
	 "--allow other.test:8080/http"						       },
	{"other.test", NULL,              443,  RULE_PROTOCOL_TCP,  "--allow other.test/tcp"  },
	{"git.test",   NULL,              22,   RULE_PROTOCOL_TLS,  "--allow git.test:22/tcp" },
	{"db.test",    "10.1.2.3",        5432, RULE_PROTOCOL_TLS,
	 "--allow db.test:5432/tcp+private"						   },
	{"db.test",    "fd00::1",         443,  RULE_PROTOCOL_TLS,
	 "--allow db.test+private"							    },
	{"site.test",  "127.0.0.2",       8443, RULE_PROTOCOL_TLS,
	 "--allow site.test:8443+private --resolve site.test:127.0.0.2"                       },
	{"site.test",  "fe80::1",         443,  RULE_PROTOCOL_TLS,
	 "--allow site.test+private --resolve site.test:fe80::1"                              },
	{"site.test",  "192.0.2.1",       443,  RULE_PROTOCOL_TLS,
	 "--allow site.test+private --resolve site.test:192.0.2.1"                            },
	{NULL,         "1.1.1.1",         443,  RULE_PROTOCOL_TLS,  "--allow 1.1.1.1"         },
	{NULL,         "1.1.1.1",         53,   RULE_PROTOCOL_TCP,  "--allow 1.1.1.1:53/tcp"  },
	{NULL,         "2606:4700::1111", 443,  RULE_PROTOCOL_TLS,
	 "--allow [2606:4700::1111]"							  },
	{NULL,         "2606:4700::1111", 8443, RULE_PROTOCOL_TLS,
	 "--allow [2606:4700::1111]:8443"						     },
	{NULL,         "10.1.2.3",        443,  RULE_PROTOCOL_TLS,  "--allow 10.1.2.3+private"},
	{NULL,         "127.0.0.1",       8080, RULE_PROTOCOL_TLS,
	 "--allow 127.0.0.1:8080+private"						     },
	{NULL,         "169.254.1.1",     443,  RULE_PROTOCOL_TLS,
	 "--allow 169.254.1.1+private"							},
	{NULL,         "192.0.2.1",       443,  RULE_PROTOCOL_TLS,  "--allow 192.0.2.1"       },
	{NULL,         "169.254.169.254", 80,   RULE_PROTOCOL_TLS,  NULL                      },
	{"meta.test",  "169.254.169.254", 80,   RULE_PROTOCOL_TLS,  NULL                      },
	{NULL,         "::ffff:10.1.2.3", 443,  RULE_PROTOCOL_TLS,  NULL                      },
	{NULL,         "2002:a01:203::1", 443,  RULE_PROTOCOL_TLS,  NULL                      },
	{NULL,         NULL,              443,  RULE_PROTOCOL_TLS,  NULL                      },
};

struct parsed {
	struct hostname name;
	struct netaddr address;
	struct suggest_target target;
};

static void parse_row(size_t i, struct parsed *out)
{
	out->target = (struct suggest_target){.port = rows[i].port,
					      .protocol = rows[i].protocol};
	if (rows[i].name != NULL) {
		assert_int_equal(hostname_parse(rows[i].name,
						strlen(rows[i].name),
						&out->name),
				 HOSTNAME_OK);
		out->target.name = &out->name;
	}
	if (rows[i].address != NULL) {
		assert_true(netaddr_parse(rows[i].address,
					  strlen(rows[i].address),
					  &out->address));
		out->target.address = &out->address;
	}
}

static void names_the_shortest_flag(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char buf[SUGGEST_MAX_BYTES];
		struct parsed row;
		struct text t;

		parse_row(i, &row);
		text_init(&t, buf, sizeof(buf));
		bool helps = suggest_flag(&row.target, &t);
		assert_int_equal(helps, rows[i].flag != NULL);
		assert_string_equal(buf, helps ? rows[i].flag : "");
	}
}

/* Splits the suggestion at spaces, as a shell would. */
static int split(char *flag, char *words[4])
{
	int count = 0;

	for (char *at = flag; at != NULL; count++) {
		assert_true(count < 4);
		words[count] = strsep(&at, " ");
	}
	return count;
}

static struct policy *policy_with(char *flag)
{
	struct conf *conf = conf_new("/", NULL);
	char *words[4];
	int count = split(flag, words);
	struct diag diag = {.text = ""};
	int used = 0;

	assert_non_null(conf);
	for (int at = 0; at < count; at += used)
		if (conf_add_flag(conf, count - at, words + at, &used, &diag) !=
		    CONF_FLAG_TAKEN)
			fail_msg("%s", diag.text);
	struct policy *policy = conf_build(conf, &diag);
	if (policy == NULL)
		fail_msg("%s", diag.text);
	conf_free(conf);
	return policy;
}

static struct decision decide(const struct policy *policy,
			      const struct suggest_target *target)
{
	unsigned int traits =
		policy->answer_count > 0 ? POLICY_ADDRESS_WRITTEN : 0;

	if (target->name == NULL)
		return policy_decide_literal(policy, target->address,
					     target->port, 0);
	struct decision d =
		policy_decide_name(policy, target->name, target->port);
	if (d.verdict != VERDICT_ALLOW || target->address == NULL)
		return d;
	return policy_decide_address(policy, &d, target->address, target->port,
				     traits);
}

static void names_flags_that_help(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char buf[SUGGEST_MAX_BYTES];
		struct parsed row;
		struct text t;

		parse_row(i, &row);
		text_init(&t, buf, sizeof(buf));
		if (!suggest_flag(&row.target, &t))
			continue;
		struct policy *policy = policy_with(buf);
		struct decision d = decide(policy, &row.target);
		if (d.verdict != VERDICT_ALLOW)
			fail_msg("does not help: %s", rows[i].flag);
		policy_free(policy);
	}
}

static void says_nothing_for_localhost(void **state)
{
	static const char *const names[] = {"localhost", "a.localhost"};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct hostname name;
		char buf[SUGGEST_MAX_BYTES];
		struct text t;

		assert_int_equal(
			hostname_parse(names[i], strlen(names[i]), &name),
			HOSTNAME_OK);
		text_init(&t, buf, sizeof(buf));
		assert_false(suggest_flag(
			&(struct suggest_target){.name = &name, .port = 80},
			&t));
		assert_int_equal(t.len, 0);
	}
}

static void says_nothing_against_a_deny_rule(void **state)
{
	char buf[SUGGEST_MAX_BYTES];
	struct parsed row;
	struct text t;

	(void)state;
	parse_row(0, &row);
	row.target.denied_by_rule = true;
	text_init(&t, buf, sizeof(buf));
	assert_false(suggest_flag(&row.target, &t));
}

static void treats_an_own_address_as_loopback(void **state)
{
	char buf[SUGGEST_MAX_BYTES];
	struct parsed row;
	struct text t;

	(void)state;
	parse_row(12, &row);
	row.target.address_is_own = true;
	text_init(&t, buf, sizeof(buf));
	assert_true(suggest_flag(&row.target, &t));
	assert_string_equal(buf, "--allow 1.1.1.1+private");
}

static void suggests_nothing_that_would_be_cut(void **state)
{
	struct hostname name = {.len = HOSTNAME_MAX_BYTES};
	struct netaddr address;
	struct suggest_target target = {
		.name = &name, .address = &address, .port = 65535};
	char buf[SUGGEST_MAX_BYTES];
	struct text t;

	(void)state;
	memset(name.text, 'a', HOSTNAME_MAX_BYTES);
	assert_true(netaddr_parse("fe80::1", 7, &address));
	text_init(&t, buf, sizeof(buf));
	assert_false(suggest_flag(&target, &t));
	target.address = NULL;
	assert_true(suggest_flag(&target, &t));
	assert_int_equal(t.len, 8 + 253 + 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_the_shortest_flag),
		cmocka_unit_test(names_flags_that_help),
		cmocka_unit_test(says_nothing_for_localhost),
		cmocka_unit_test(says_nothing_against_a_deny_rule),
		cmocka_unit_test(treats_an_own_address_as_loopback),
		cmocka_unit_test(suggests_nothing_that_would_be_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
