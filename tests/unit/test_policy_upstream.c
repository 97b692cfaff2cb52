/* SPDX-License-Identifier: MIT */
/* test_policy_upstream: which destinations another proxy is asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conf_build.h"
#include "policy_upstream.h"

#define TEXT                                                            \
	"version = 1;\nupstream = { url = \"http://proxy.test:3128\"; " \
	"except = [ \"*.corp.test\", \"one.test\", \"192.0.2.0/24\", "  \
	"\"2001:db8::1\" ]; };\n"

static struct policy *build(const char *text)
{
	struct diag diag = {.text = ""};
	struct policy *policy = conf_build_text(text, &diag);

	if (policy == NULL)
		fail_msg("%s", diag.text);
	return policy;
}

static bool goes(const struct policy *policy, const char *host)
{
	struct hostname name;
	struct netaddr address;

	if (netaddr_parse(host, strlen(host), &address))
		return policy_goes_upstream(policy, NULL, &address);
	assert_int_equal(hostname_parse(host, strlen(host), &name),
			 HOSTNAME_OK);
	return policy_goes_upstream(policy, &name, NULL);
}

static void excepts_names_and_addresses_by_label_and_block(void **state)
{
	static const struct {
		const char *host;
		bool goes;
	} rows[] = {
		{"a.corp.test",        false},
                {"a.b.corp.test",      false},
		{"corp.test",          true },
                {"acorp.test",         true },
		{"one.test",           false},
                {"a.one.test",         true },
		{"other.test",         true },
                {"192.0.2.9",          false},
		{"::ffff:192.0.2.9",   false},
                {"192.0.3.1",          true },
		{"2001:db8::1",        false},
                {"2001:db8::2",        true },
		{"192.0.2.0.one.test", true },
	};
	struct policy *policy = build(TEXT);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (goes(policy, rows[i].host) != rows[i].goes)
			fail_msg("%s", rows[i].host);
	policy_free(policy);
}

static void asks_nobody_without_an_upstream(void **state)
{
	struct policy *policy = build("version = 1;\n");

	(void)state;
	assert_false(goes(policy, "other.test"));
	assert_false(goes(policy, "192.0.3.1"));
	policy_free(policy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			excepts_names_and_addresses_by_label_and_block),
		cmocka_unit_test(asks_nobody_without_an_upstream),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
