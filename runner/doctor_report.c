/* SPDX-License-Identifier: MIT */
/* doctor_report: the probes' answers as text or JSON. */
#include "doctor_report.h"

#include <string.h>

#include "text.h"

static const char *const states[PROBE_STATES] = {
	[PROBE_OK] = "ok",         [PROBE_LIMITED] = "limited",
	[PROBE_ABSENT] = "absent", [PROBE_BROKEN] = "broken",
	[PROBE_HANGS] = "hangs",
};

static const char *const groups[PROBE_GROUPS] = {
	[PROBE_FOR_BWRAP] = "bwrap",
	[PROBE_FOR_SEATBELT] = "seatbelt",
	[PROBE_FOR_DOCKER] = "docker",
	[PROBE_FOR_ALL] = "machine",
};

static bool is_well(const struct probe *probe,
		    const struct probe_result *result)
{
	/* Limited is not lost. */
	return !probe->is_needed || result->state == PROBE_OK ||
	       result->state == PROBE_LIMITED;
}

bool doctor_is_healthy(const struct probe *const *probes,
		       const struct probe_result *results, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!is_well(probes[i], &results[i]))
			return false;
	return true;
}

/* Every line of @text below @label. */
static void print_block(FILE *to, const char *label, const char *text)
{
	while (*text != '\0') {
		size_t len = strcspn(text, "\n");

		(void)fprintf(to, "           %-7s %.*s\n", label, (int)len,
			      text);
		label = "";
		text += len + (text[len] == '\n');
	}
}

void doctor_report_text(FILE *to, const struct probe *const *probes,
			const struct probe_result *results, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct probe_result *r = &results[i];

		(void)fprintf(to, "%-10s %-7s %s\n", probes[i]->name,
			      states[r->state], r->found);
		if (r->state == PROBE_OK)
			continue;
		print_block(to, "means", r->meaning);
		print_block(to, "remedy", r->remedy);
	}
	(void)fputs(doctor_is_healthy(probes, results, count)
			    ? "The fence can be raised here: G1 to G13 hold "
			      "(exeat prove tries them).\n"
			    : "The fence cannot be raised here: exeat run "
			      "will run nothing.\n",
		    to);
}

static void print_json(FILE *to, const char *key, const char *text)
{
	char quoted[8192];
	struct text value;

	text_init(&value, quoted, sizeof(quoted));
	text_add_json(&value, text, strlen(text));
	(void)fprintf(to, ",\"%s\":%s", key, quoted);
}

void doctor_report_json(FILE *to, const struct probe *const *probes,
			const struct probe_result *results, size_t count)
{
	(void)fprintf(
		to, "{\"version\":\"%s\",\"ok\":%s,\"probes\":[", EXEAT_VERSION,
		doctor_is_healthy(probes, results, count) ? "true" : "false");
	for (size_t i = 0; i < count; i++) {
		(void)fprintf(to,
			      "%s{\"name\":\"%s\",\"backend\":\"%s\","
			      "\"needed\":%s,\"state\":\"%s\"",
			      i == 0 ? "" : ",\n", probes[i]->name,
			      groups[probes[i]->group],
			      probes[i]->is_needed ? "true" : "false",
			      states[results[i].state]);
		print_json(to, "found", results[i].found);
		print_json(to, "meaning", results[i].meaning);
		print_json(to, "remedy", results[i].remedy);
		(void)fputc('}', to);
	}
	(void)fputs("]}\n", to);
}
