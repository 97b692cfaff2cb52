/* SPDX-License-Identifier: MIT */
/* fuzz_conf_file: a policy file is taken, or refused with words. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* libconfig 1.5 drops the string that it was reading on a syntax error. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libconfig\n";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct conf *conf = conf_new("/w", "/h");
	struct diag diag = {.text = ""};
	struct policy *policy = NULL;

	if (conf == NULL || size > 16384) {
		conf_free(conf);
		return 0;
	}
	if (conf_add_file(conf, "p", (const char *)data, size, &diag) == 0)
		policy = conf_build(conf, &diag);
	require((policy == NULL) == (diag.text[0] != '\0'));
	policy_free(policy);
	conf_free(conf);
	return 0;
}
