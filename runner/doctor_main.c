/* SPDX-License-Identifier: MIT */
/*
 * exeat-doctor: what this machine can do, measured.
 *
 * How it works: each probe tries the real thing in a child of its own, all side
 * by side, and is killed after four seconds. What a group of probes said is
 * kept for twenty seconds. Nothing of a run waits for any of this.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "doctor_cache.h"
#include "doctor_report.h"
#include "handoff.h"
#include "probe_pool.h"

static const char help[] =
	"usage: exeat doctor [--json] [--recheck]\n"
	"\n"
	"Measures what this machine gives a fence: one line a probe, with what "
	"is not well\n"
	"what it means for the guarantees G1 to G13 and how to mend it.\n"
	"\n"
	"  --json       one JSON object instead of text\n"
	"  --recheck    measure again what was measured less than 20 seconds "
	"ago\n"
	"\n"
	"Exit code: 0 the fence can be raised, 1 it cannot, 125 error.\n";

/**
 * struct doctor - the table as arrays that the pool takes
 * @fresh:	which of them have to be asked
 */
struct doctor {
	const struct probe *probes[PROBE_MAX];
	struct probe_result results[PROBE_MAX];
	size_t count;
	const struct probe *fresh[PROBE_MAX];
	size_t fresh_at[PROBE_MAX];
	size_t fresh_count;
};

/* Probes of one group stand together in the table. */
static size_t group_end(const struct doctor *d, size_t first)
{
	size_t end = first;

	while (end < d->count &&
	       d->probes[end]->group == d->probes[first]->group)
		end++;
	return end;
}

static void examine(struct doctor *d, bool is_recheck)
{
	struct probe_result answers[PROBE_MAX];
	time_t now = time(NULL);

	for (size_t i = 0, end; i < d->count; i = end) {
		enum probe_group group = d->probes[i]->group;

		end = group_end(d, i);
		if (!is_recheck &&
		    doctor_cache_get(group, now, &d->results[i], end - i))
			continue;
		for (size_t k = i; k < end; k++) {
			d->fresh_at[d->fresh_count] = k;
			d->fresh[d->fresh_count++] = d->probes[k];
		}
	}
	probe_pool_run(d->fresh, d->fresh_count, PROBE_LIMIT_MS, answers);
	for (size_t i = 0; i < d->fresh_count; i++)
		d->results[d->fresh_at[i]] = answers[i];
	now = time(NULL);
	for (size_t i = 0; i < d->fresh_count; i++) {
		size_t first = d->fresh_at[i];

		if (first == 0 ||
		    d->probes[first - 1]->group != d->probes[first]->group)
			doctor_cache_put(d->probes[first]->group, now,
					 &d->results[first],
					 group_end(d, first) - first);
	}
}

int main(int argc, char *argv[])
{
	struct doctor doctor = {.count = 0};
	bool is_json = false, is_recheck = false;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--json") == 0) {
			is_json = true;
		} else if (strcmp(argv[i], "--recheck") == 0) {
			is_recheck = true;
		} else if (strcmp(argv[i], "--help") == 0 ||
			   strcmp(argv[i], "-h") == 0) {
			(void)fputs(help, stdout);
			return fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
		} else {
			(void)fprintf(stderr,
				      "exeat: doctor takes --json and "
				      "--recheck, not %s\n",
				      argv[i]);
			return EXIT_OWN_FAILURE;
		}
	}
	while (probe_table[doctor.count].name != NULL) {
		doctor.probes[doctor.count] = &probe_table[doctor.count];
		doctor.count++;
	}
	examine(&doctor, is_recheck);
	(is_json ? doctor_report_json : doctor_report_text)(
		stdout, doctor.probes, doctor.results, doctor.count);
	if (fflush(stdout) != 0)
		return EXIT_OWN_FAILURE;
	return doctor_is_healthy(doctor.probes, doctor.results, doctor.count)
		       ? 0
		       : 1;
}
