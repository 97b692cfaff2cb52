/* SPDX-License-Identifier: MIT */
/* conf: builds a policy from files, presets and flags. */
#include "conf.h"

#include <stdlib.h>
#include <string.h>

#include "conf_internal.h"
#include "text.h"

#define NEAR_MAX_BYTES 40
#define NEAR_MAX_EDITS 2

struct conf *conf_new(const char *cwd, const char *home)
{
	struct conf *conf = calloc(1, sizeof(*conf));

	if (conf == NULL)
		return NULL;
	conf->owned = policy_owned_new();
	conf->cwd = strdup(cwd);
	if (home != NULL)
		conf->home = strdup(home);
	if (conf->owned == NULL || conf->cwd == NULL ||
	    (home != NULL && conf->home == NULL)) {
		conf_free(conf);
		return NULL;
	}
	return conf;
}

void conf_free(struct conf *conf)
{
	if (conf == NULL)
		return;
	if (conf->owned != NULL)
		policy_free(&conf->owned->policy);
	free(conf->cwd);
	free(conf->home);
	free(conf);
}

/**
 * struct flag - a flag of the command line with its value
 * @used:	words that it took
 */
struct flag {
	const struct conf_key *key;
	const char *operand;
	int used;
};

/* "--name" with its value in the same word, in the next one, or none. */
static bool read_flag(struct flag *flag, int argc, char *const argv[])
{
	size_t len = strlen(flag->key->flag);

	if (strncmp(argv[0], flag->key->flag, len) != 0 ||
	    (argv[0][len] != '\0' && argv[0][len] != '='))
		return false;
	flag->used = 1;
	flag->operand = NULL;
	if (argv[0][len] == '=') {
		flag->operand = argv[0] + len + 1;
	} else if (flag->key->operand != NULL && argc > 1) {
		flag->operand = argv[1];
		flag->used = 2;
	}
	return true;
}

static enum conf_flag take_flag(struct conf *conf, const struct flag *flag,
				struct diag *diag)
{
	const struct conf_key *key = flag->key;
	const char *operand = flag->operand;
	char where[512];
	struct text t;

	if ((operand == NULL) != (key->operand == NULL)) {
		diag_set(diag, "%s %s", key->flag,
			 operand != NULL ? "takes no value" : "needs a value");
		return CONF_FLAG_BAD;
	}
	text_init(&t, where, sizeof(where));
	text_add(&t, key->flag);
	if (operand != NULL && !key->is_secret)
		text_addf(&t, " %s", operand);
	const struct conf_value value = {
		.type = CONF_TEXT,
		.text = operand != NULL ? operand : "",
		.len = operand != NULL ? strlen(operand) : 0,
		.where = where,
		.folder = conf->cwd,
	};
	return key->set(conf, key, &value, diag) == 0 ? CONF_FLAG_TAKEN
						      : CONF_FLAG_BAD;
}

enum conf_flag conf_add_flag(struct conf *conf, int argc, char *const argv[],
			     int *used_out, struct diag *diag)
{
	for (const struct conf_key *key = conf_keys; key->set != NULL; key++) {
		struct flag flag = {.key = key};

		if (key->flag == NULL || !read_flag(&flag, argc, argv))
			continue;
		*used_out = flag.used;
		return take_flag(conf, &flag, diag);
	}
	return CONF_FLAG_UNKNOWN;
}

static int check_whole(const struct policy *policy, struct diag *diag)
{
	if (!policy->observe_private || policy->mode == POLICY_OBSERVE)
		return 0;
	diag_set(diag, "--observe-private goes with --observe");
	return -1;
}

struct policy *conf_build(struct conf *conf, struct diag *diag)
{
	struct policy_owned *owned = conf->owned;

	if (check_whole(&owned->policy, diag) != 0)
		return NULL;
	struct policy_owned *next = policy_owned_new();
	if (next == NULL ||
	    policy_owned_set_rules(owned, conf->rules, conf->rule_count) != 0) {
		if (next != NULL)
			policy_free(&next->policy);
		(void)conf_out_of_memory(diag);
		return NULL;
	}
	conf->owned = next;
	conf->rules = NULL;
	conf->rule_count = 0;
	return &owned->policy;
}

/* Levenshtein distance, with one row of the table at a time. */
static size_t edits(const char *a, const char *b)
{
	size_t row[NEAR_MAX_BYTES + 1];
	size_t b_len = strlen(b);

	for (size_t k = 0; k <= b_len; k++)
		row[k] = k;
	for (size_t i = 0; a[i] != '\0'; i++) {
		size_t diagonal = row[0];
		row[0] = i + 1;
		for (size_t k = 0; k < b_len; k++) {
			size_t best = diagonal + (a[i] != b[k]);
			diagonal = row[k + 1];
			if (row[k] + 1 < best)
				best = row[k] + 1;
			if (diagonal + 1 < best)
				best = diagonal + 1;
			row[k + 1] = best;
		}
	}
	return row[b_len];
}

const char *conf_nearest(const char *word, const char *(*name)(size_t index),
			 size_t count)
{
	const char *best = NULL;
	size_t best_edits = NEAR_MAX_EDITS + 1;

	if (strlen(word) > NEAR_MAX_BYTES)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		if (strlen(name(i)) > NEAR_MAX_BYTES || name(i)[0] == '\0')
			continue;
		size_t n = edits(word, name(i));
		if (n < best_edits) {
			best_edits = n;
			best = name(i);
		}
	}
	return best;
}
