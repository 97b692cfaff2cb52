/* SPDX-License-Identifier: MIT */
/* plan_case: a plan from flags and facts in text, for tests. */
#include "plan_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "conf.h"
#include "facts_text.h"

#define FLAGS_MAX 64

static void make_policy(struct plan_case *c)
{
	char *words[FLAGS_MAX];
	int count = 0;
	int used = 1;
	struct conf *conf = conf_new(c->facts->cwd, c->facts->home);

	assert_non_null(conf);
	while (c->flags != NULL && c->flags[count] != NULL) {
		/* Words are read only. */
		memcpy(&words[count], &c->flags[count], sizeof(char *));
		count++;
	}
	for (int at = 0; at < count; at += used) {
		if (conf_add_flag(conf, count - at, words + at, &used,
				  &c->diag) != CONF_FLAG_TAKEN)
			fail_msg("%s: %s", words[at], c->diag.text);
	}
	c->policy = conf_build(conf, &c->diag);
	conf_free(conf);
	if (c->policy == NULL)
		fail_msg("%s", c->diag.text);
}

void plan_case_make(struct plan_case *c)
{
	c->facts = facts_text_read("facts", c->facts_text,
				   strlen(c->facts_text), &c->diag);
	if (c->facts == NULL)
		fail_msg("%s", c->diag.text);
	make_policy(c);
	c->query = (struct fence_query){
		.policy = c->policy,
		.home = c->facts->home,
		.search_path = c->search_path,
		.command = c->command,
		.protect = c->protect,
	};
	assert_int_equal(facts_text_complete(c->facts, &c->query), 0);
	c->request.query = &c->query;
	c->plan = fence_plan_new(c->policy, c->facts, &c->request, &c->diag);
}

void plan_case_clear(struct plan_case *c)
{
	fence_plan_free(c->plan);
	fence_facts_free(c->facts);
	policy_free(c->policy);
}

const struct plan_entry *plan_case_find(const struct plan_case *c,
					const char *path)
{
	for (size_t i = 0; i < c->plan->entry_count; i++)
		if (strcmp(c->plan->entries[i].path, path) == 0)
			return &c->plan->entries[i];
	return NULL;
}
