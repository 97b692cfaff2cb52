/* SPDX-License-Identifier: MIT */
/* audit_options: the command line of `exeat audit`. */
#include "audit_options.h"

#include <string.h>

#include "audit_time.h"
#include "text.h"

/* Fewer siblings than this are named one by one. */
#define DEFAULT_SIBLINGS 4

enum flag {
	FLAG_BY,
	FLAG_DENIED,
	FLAG_SINCE,
	FLAG_UNTIL,
	FLAG_RUN,
	FLAG_ALL,
	FLAG_FOLLOW,
	FLAG_JSON,
	FLAG_CSV,
	FLAG_SUGGEST,
	FLAG_INCLUDE_DENIED,
	FLAG_SIBLINGS,
	FLAG_HELP,
	FLAG_NONE,
};

static const struct {
	const char *name;
	bool has_value;
} flags[] = {
	[FLAG_BY] = {"--by",             true },
	[FLAG_DENIED] = {"--denied",         false},
	[FLAG_SINCE] = {"--since",          true },
	[FLAG_UNTIL] = {"--until",          true },
	[FLAG_RUN] = {"--run",            true },
	[FLAG_ALL] = {"--all",            false},
	[FLAG_FOLLOW] = {"--follow",         false},
	[FLAG_JSON] = {"--json",           false},
	[FLAG_CSV] = {"--csv",            false},
	[FLAG_SUGGEST] = {"--suggest",        false},
	[FLAG_INCLUDE_DENIED] = {"--include-denied", false},
	[FLAG_SIBLINGS] = {"--siblings",       true },
	[FLAG_HELP] = {"--help",           false},
};

static const char *const by_names[] = {
	[AUDIT_BY_DESTINATION] = "destination",
	[AUDIT_BY_HOST] = "host",
	[AUDIT_BY_PROCESS] = "process",
	[AUDIT_BY_RULE] = "rule",
	[AUDIT_BY_TIME] = "time",
	[AUDIT_BY_RUN] = "run",
};

/* Which flag argv[0] is; @value_out: its value, or NULL. */
static enum flag find_flag(int argc, char *argv[], const char **value_out,
			   int *used_out)
{
	if (strcmp(argv[0], "-h") == 0)
		return FLAG_HELP;
	for (int i = 0; i < FLAG_NONE; i++) {
		size_t len = strlen(flags[i].name);

		if (strncmp(argv[0], flags[i].name, len) != 0)
			continue;
		if (argv[0][len] == '=' && flags[i].has_value) {
			*value_out = argv[0] + len + 1;
			return (enum flag)i;
		}
		if (argv[0][len] != '\0')
			continue;
		if (flags[i].has_value && argc > 1) {
			*value_out = argv[1];
			*used_out = 2;
		}
		return (enum flag)i;
	}
	return FLAG_NONE;
}

static int set_by(struct audit_options *options, const char *value,
		  struct diag *diag)
{
	for (size_t i = 0; i < sizeof(by_names) / sizeof(by_names[0]); i++) {
		if (strcmp(value, by_names[i]) != 0)
			continue;
		options->by = (enum audit_by)i;
		options->has_by = true;
		return 0;
	}
	diag_set(diag, "--by %s: destination, host, process, rule, time or run",
		 value);
	return -1;
}

static int set_time(const struct audit_options *options, const char *name,
		    const char *value, uint64_t *ms_out, struct diag *diag)
{
	if (audit_time_parse_since(value, options->now_ms, ms_out))
		return 0;
	diag_set(diag,
		 "%s %s: a time such as 90s, 2h or 7d ago, 2025-12-01, "
		 "2025-12-01T10:30 or 2025-12-01T10:30:00Z",
		 name, value);
	return -1;
}

static int set_action(struct audit_options *options, enum audit_action action,
		      struct diag *diag)
{
	if (options->action == AUDIT_ACTION_TABLE)
		options->action = action;
	if (options->action == action)
		return 0;
	diag_set(diag, "only one of diff, --follow and --suggest");
	return -1;
}

static int set_siblings(struct audit_options *options, const char *value,
			struct diag *diag)
{
	if (text_parse_decimal(value, strlen(value), 1000000,
			       &options->siblings) &&
	    options->siblings >= 2)
		return 0;
	diag_set(diag, "--siblings %s: a number from 2 to 1000000", value);
	return -1;
}

static int set_value(struct audit_options *options, enum flag flag,
		     const char *value, struct diag *diag)
{
	switch ((int)flag) {
	case FLAG_BY:
		return set_by(options, value, diag);
	case FLAG_SINCE:
		return set_time(options, "--since", value, &options->since_ms,
				diag);
	case FLAG_UNTIL:
		return set_time(options, "--until", value, &options->until_ms,
				diag);
	case FLAG_RUN:
		options->run = value;
		return 0;
	default:
		return set_siblings(options, value, diag);
	}
}

static int set_switch(struct audit_options *options, enum flag flag,
		      struct diag *diag)
{
	switch ((int)flag) {
	case FLAG_DENIED:
		options->denied = true;
		return 0;
	case FLAG_ALL:
		options->all = true;
		return 0;
	case FLAG_JSON:
		options->format = AUDIT_FORMAT_JSON;
		return 0;
	case FLAG_CSV:
		options->format = AUDIT_FORMAT_CSV;
		return 0;
	case FLAG_INCLUDE_DENIED:
		options->include_denied = true;
		return 0;
	case FLAG_FOLLOW:
		return set_action(options, AUDIT_ACTION_FOLLOW, diag);
	case FLAG_SUGGEST:
		return set_action(options, AUDIT_ACTION_SUGGEST, diag);
	default:
		options->action = AUDIT_ACTION_HELP;
		return 0;
	}
}

static int take_source(struct audit_options *options, const char *word,
		       struct diag *diag)
{
	if (options->source_count == 0 && strcmp(word, "diff") == 0 &&
	    options->action == AUDIT_ACTION_TABLE)
		return set_action(options, AUDIT_ACTION_DIFF, diag);
	int most = options->action == AUDIT_ACTION_DIFF ? 2 : 1;
	if (options->source_count < most) {
		options->sources[options->source_count++] = word;
		return 0;
	}
	diag_set(diag, "%s: one RUN or FILE (two for diff)", word);
	return -1;
}

static int take(struct audit_options *options, int argc, char *argv[],
		int *used_out, struct diag *diag)
{
	const char *value = NULL;

	*used_out = 1;
	if (argv[0][0] != '-' || strcmp(argv[0], "-") == 0)
		return take_source(options, argv[0], diag);
	enum flag flag = find_flag(argc, argv, &value, used_out);
	if (flag == FLAG_NONE) {
		diag_set(diag, "%s: not a flag of audit (exeat audit --help)",
			 argv[0]);
		return -1;
	}
	if (!flags[flag].has_value)
		return set_switch(options, flag, diag);
	if (value != NULL)
		return set_value(options, flag, value, diag);
	diag_set(diag, "%s: a value is missing", argv[0]);
	return -1;
}

static int check(const struct audit_options *options, struct diag *diag)
{
	if (options->action == AUDIT_ACTION_DIFF && options->source_count != 2)
		diag_set(diag, "diff compares two: exeat audit diff RUN1 RUN2");
	else if (options->include_denied &&
		 options->action != AUDIT_ACTION_SUGGEST)
		diag_set(diag, "--include-denied goes with --suggest");
	else if (options->has_by && options->action != AUDIT_ACTION_TABLE)
		diag_set(diag, "--by goes with the table");
	else if (options->all && options->source_count > 0)
		diag_set(diag, "--all reads every run: no RUN or FILE");
	else
		return 0;
	return options->action == AUDIT_ACTION_HELP ? 0 : -1;
}

int audit_options_parse(struct audit_options *options, int argc, char *argv[],
			uint64_t now_ms, struct diag *diag)
{
	int used;

	*options = (struct audit_options){
		.until_ms = UINT64_MAX,
		.siblings = DEFAULT_SIBLINGS,
		.now_ms = now_ms,
	};
	while (argc > 0) {
		if (take(options, argc, argv, &used, diag) != 0)
			return -1;
		argc -= used;
		argv += used;
	}
	/* Without a file it is the run's own that is read, as a whole. */
	if (options->run != NULL && options->source_count == 0) {
		options->sources[options->source_count++] = options->run;
		options->run = NULL;
	}
	return check(options, diag);
}

bool audit_options_want(const struct audit_options *options,
			const struct audit_entry *entry)
{
	if (entry->ts_ms < options->since_ms ||
	    entry->ts_ms >= options->until_ms)
		return false;
	if (options->run != NULL && !audit_words_are(entry->run, options->run))
		return false;
	if (!options->denied)
		return true;
	return entry->has_verdict &&
	       (entry->verdict == VERDICT_DENY || entry->would == VERDICT_DENY);
}
