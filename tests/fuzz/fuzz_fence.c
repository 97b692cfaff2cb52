/* SPDX-License-Identifier: MIT */
/* fuzz_fence: facts with any names. What is read is written back the same; a
 * plan is written by every back end; and a profile with its paths quoted reads
 * as the one that has them as parameters. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "facts_text.h"
#include "policy_owned.h"
#include "sbpl.h"
#include "text.h"

#define PARAMS_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Values of -D, in order, and the profile: the last word. */
struct words {
	const char *params[PARAMS_MAX];
	size_t count;
	const char *profile;
};

static void check(bool holds)
{
	if (!holds)
		abort();
}

static struct words split(const struct bytes *out)
{
	struct words w = {.count = 0};

	for (size_t at = 0; at < out->len; at += strlen(out->data + at) + 1) {
		const char *word = out->data + at;
		if (word[0] == 'P' && isdigit((unsigned char)word[1])) {
			check(w.count < PARAMS_MAX);
			w.params[w.count++] = strchr(word, '=') + 1;
		}
		w.profile = word;
	}
	return w;
}

/* A string's value from its opening quote on; *at ends behind the closing one.
 */
static char *read_string(const char **at)
{
	const char *p = *at + 1;
	char *value = malloc(strlen(p) + 1);
	size_t len = 0;

	check(value != NULL);
	while (*p != '"') {
		check(*p != '\0');
		if (*p == '\\')
			p++;
		value[len++] = *p++;
	}
	value[len] = '\0';
	*at = p + 1;
	return value;
}

/* @quoted is at a string where @with is at (param "Pn"). */
static void compare_path(const char **quoted, const char **with,
			 const struct words *words)
{
	char *value = read_string(quoted);
	uint64_t n;

	*with += strlen("(param \"P");
	size_t digits = strspn(*with, "0123456789");
	check(text_parse_decimal(*with, digits, PARAMS_MAX, &n));
	*with += digits;
	check(n < words->count && strncmp(*with, "\")", 2) == 0);
	*with += 2;
	check(strcmp(value, words->params[n]) == 0);
	free(value);
}

static void compare(const char *quoted, const struct words *words)
{
	const char *with = words->profile;
	int depth = 0;

	while (*quoted != '\0') {
		if (strncmp(with, "(param ", 7) == 0) {
			check(*quoted == '"');
			compare_path(&quoted, &with, words);
			continue;
		}
		depth += (*quoted == '(') - (*quoted == ')');
		check(depth >= 0 && *quoted == *with);
		quoted++;
		with++;
	}
	check(depth == 0 && *with == '\0');
}

static void compare_profiles(const struct fence_plan *plan)
{
	struct bytes quoted = {NULL, 0, 0, false};
	struct bytes words = {NULL, 0, 0, false};
	struct diag diag = {""};
	int rc = sbpl_write(plan, &quoted, &diag);

	check(sbpl_write_words(plan, &words, &diag) == rc);
	if (rc == 0) {
		struct words w = split(&words);
		compare(quoted.data, &w);
	} else {
		check(diag.text[0] != '\0');
	}
	free(quoted.data);
	free(words.data);
}

static void write_all(const struct fence_plan *plan)
{
	static const char *const names[] = {"plan", "bwrap", "docker"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct bytes out = {NULL, 0, 0, false};
		struct diag diag = {""};
		const struct backend *backend = backend_find(names[i]);
		if (backend->write(plan, &out, &diag) == 0)
			check(backend->is_words ? out.data[out.len - 1] == 0
						: strlen(out.data) == out.len);
		else
			check(diag.text[0] != '\0');
		free(out.data);
	}
}

static void make_plan(struct fence_facts *facts, enum policy_files_mode mode)
{
	struct policy_owned *owned = policy_owned_new();
	struct diag diag = {""};

	if (owned == NULL)
		return;
	owned->policy.files.mode = mode;
	const struct fence_query query = {.policy = &owned->policy,
					  .home = facts->home,
					  .search_path = "/usr/bin:/a/bin"};
	const struct fence_request request = {.query = &query,
					      .tmp_dir = "/private/tmp/x"};
	check(facts_text_complete(facts, &query) == 0);
	struct fence_plan *plan =
		fence_plan_new(&owned->policy, facts, &request, &diag);
	if (plan != NULL) {
		compare_profiles(plan);
		write_all(plan);
	} else {
		check(diag.text[0] != '\0');
	}
	fence_plan_free(plan);
	policy_free(&owned->policy);
}

static void read_back(const struct fence_facts *facts)
{
	struct bytes first = {NULL, 0, 0, false};
	struct bytes second = {NULL, 0, 0, false};
	struct diag diag = {""};

	facts_text_write(facts, &first);
	struct fence_facts *again =
		facts_text_read("f", first.data, first.len, &diag);
	check(again != NULL);
	facts_text_write(again, &second);
	check(strcmp(first.data, second.data) == 0);
	fence_facts_free(again);
	free(first.data);
	free(second.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag diag = {""};
	struct fence_facts *facts;

	if (size < 1)
		return 0;
	facts = facts_text_read("f", (const char *)data + 1, size - 1, &diag);
	if (facts == NULL) {
		check(diag.text[0] != '\0');
		return 0;
	}
	read_back(facts);
	make_plan(facts, (enum policy_files_mode)(data[0] % 3));
	fence_facts_free(facts);
	return 0;
}
