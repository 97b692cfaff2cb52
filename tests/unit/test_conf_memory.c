/* SPDX-License-Identifier: MIT */
/* test_conf_memory: whichever allocation fails, a policy is whole or refused
 * with words, and nothing leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conf.h"

/* Linked with --wrap: calls of calloc() and strdup() come here. */
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
char *__real_strdup(const char *s);
char *__wrap_strdup(const char *s);

/* Allocations until the one that fails; SIZE_MAX: none does. */
static size_t left = SIZE_MAX;

static int is_failing(void)
{
	if (left == SIZE_MAX)
		return 0;
	if (left == 0)
		return 1;
	left--;
	return 0;
}

void *__wrap_calloc(size_t count, size_t size)
{
	return is_failing() ? NULL : __real_calloc(count, size);
}

char *__wrap_strdup(const char *s)
{
	return is_failing() ? NULL : __real_strdup(s);
}

/* Return: 0 when every flag was taken. */
static int add_flags(struct conf *conf, struct diag *diag)
{
	char words[][40] = {"--allow=a.test:80,81,82,83,84,85",
			    "--deny=10.0.0.0/8",
			    "--connect=443",
			    "--listen=8080",
			    "--loopback=5432",
			    "--read=~/a",
			    "--mount=b:c:rw",
			    "--env=A=b",
			    "--resolve=a.test:::1",
			    "--upstream=http://p.test:1/",
			    "--audit=x"};
	int used;

	/* No file and no preset: libconfig 1.5 does not look what it got. */
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char *argv[] = {words[i]};
		if (conf_add_flag(conf, 1, argv, &used, diag) !=
		    CONF_FLAG_TAKEN)
			return -1;
	}
	return 0;
}

static struct policy *build(struct diag *diag)
{
	struct conf *conf = conf_new("/w", "/h");
	struct policy *policy = NULL;

	if (conf == NULL) {
		diag_set(diag, "out of memory");
		return NULL;
	}
	if (add_flags(conf, diag) == 0)
		policy = conf_build(conf, diag);
	conf_free(conf);
	return policy;
}

static void survives_every_failed_allocation(void **state)
{
	struct policy *policy = NULL;
	size_t n = 0;

	(void)state;
	for (; policy == NULL && n < 1000; n++) {
		struct diag diag = {.text = ""};
		left = n;
		policy = build(&diag);
		left = SIZE_MAX;
		if (policy == NULL)
			assert_string_equal(diag.text, "out of memory");
	}
	assert_non_null(policy);
	assert_true(n > 5);
	assert_string_equal(policy->audit.file, "/w/x");
	policy_free(policy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(survives_every_failed_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
