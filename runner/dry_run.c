/* SPDX-License-Identifier: MIT */
/* dry_run: what `exeat run` would do, as text. */
#include "dry_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bwrap_argv.h"
#include "bytes.h"
#include "handoff.h"
#include "plan_text.h"
#include "policy.h"
#include "rule.h"

/* A word as a shell would read it back. */
static void print_word(const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789_-+=:,./@%";

	if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
		(void)fputs(word, stdout);
		return;
	}
	(void)fputc('\'', stdout);
	for (; *word != '\0'; word++)
		if (*word == '\'')
			(void)fputs("'\\''", stdout);
		else
			(void)fputc(*word, stdout);
	(void)fputc('\'', stdout);
}

static void print_rules(const struct policy *policy)
{
	const struct rule *rule;

	printf("\n[policy]\nmode %s\n",
	       policy->mode == POLICY_OBSERVE ? "observe" : "enforce");
	for (size_t i = 0; (rule = rule_set_at(policy->rules, i)) != NULL; i++)
		printf("%s %s (%s)\n", rule->is_deny ? "deny" : "allow",
		       rule_text(rule), rule_source(rule));
}

/* Files, network, limits, environment, what stays unprotected, notes. */
static void print_plan(const struct fence_plan *plan)
{
	struct bytes text = {.data = NULL};

	plan_text_write(plan, &text);
	if (!text.is_failed)
		(void)fwrite(text.data, 1, text.len, stdout);
	free(text.data);
}

/* One option a line, its values beside it. */
static void print_options(const char *title, const char *word, size_t len)
{
	const char *end = word + len;

	(void)fputs(title, stdout);
	for (; word < end; word += strlen(word) + 1) {
		(void)fputs(strncmp(word, "--", 2) == 0 ? "\n  " : " ", stdout);
		print_word(word);
	}
	(void)fputc('\n', stdout);
}

int dry_run_print(const struct run_fence *fence, char *const *command)
{
	char *grafts;
	size_t len;

	if (bwrap_argv_write(fence->plan, BWRAP_GRAFTS, 0, &grafts, &len) != 0)
		return EXIT_OWN_FAILURE;
	printf("backend bwrap\n");
	printf("proxy 127.0.0.1:%u\n", fence->plan->proxy_port);
	print_options("arguments", fence->args, fence->args_len);
	print_options("mounts that the gate adds, in the same words", grafts,
		      len);
	free(grafts);
	printf("command");
	for (; *command != NULL; command++) {
		(void)fputc(' ', stdout);
		print_word(*command);
	}
	printf("\n");
	print_rules(fence->plan->policy);
	printf("\n");
	print_plan(fence->plan);
	return fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
}
