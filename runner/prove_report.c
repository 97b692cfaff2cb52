/* SPDX-License-Identifier: MIT */
/* prove_report: what the attempts prove, one line a guarantee. */
#include "prove_report.h"

#include <stdio.h>
#include <string.h>

#define LIST_MAX_BYTES 512

static const char *const promises[PROVE_GUARANTEES + 1] = {
	NULL,
	"only declared names are reached, on declared ports",
	"TLS shows the authorised name",
	"the address checked is the address dialled",
	"ignoring the proxy gains nothing",
	"no name is resolved before it is allowed",
	"host loopback is closed",
	"declared listen ports, and no other",
	"environment and descriptors are built",
	"host sockets are out of reach",
	"files elsewhere are neither read nor written",
	"attempts are recorded",
	"no fence, no run",
	"the command does not outlive the proxy",
};

static bool twin_is_reached(const struct prove_case *cases, size_t count,
			    int guarantee)
{
	for (size_t i = 0; i < count; i++)
		if (cases[i].probe->guarantee == guarantee &&
		    cases[i].probe->is_wanted)
			return cases[i].inside == PROVE_REACHED;
	return false;
}

enum prove_verdict prove_judge(const struct prove_case *cases, size_t count,
			       size_t at)
{
	const struct prove_case *c = &cases[at];

	if (c->probe->is_wanted)
		return c->inside == PROVE_REACHED ? PROVE_HOLDS : PROVE_BROKEN;
	if (c->inside == PROVE_REACHED)
		return PROVE_FAILS;
	if (c->inside == PROVE_UNTRIED)
		return PROVE_BROKEN;
	switch (c->probe->control) {
	case PROVE_OUTSIDE:
		return c->control == PROVE_REACHED ? PROVE_HOLDS : PROVE_BROKEN;
	case PROVE_PERHAPS:
		return c->control == PROVE_REACHED ? PROVE_HOLDS
						   : PROVE_NOTHING;
	case PROVE_TWIN:
		break;
	}
	return twin_is_reached(cases, count, c->probe->guarantee)
		       ? PROVE_HOLDS
		       : PROVE_BROKEN;
}

/* Of one guarantee: how many attempts said what, and the bad ones by name. */
struct sum {
	unsigned int counts[4];
	char bad[LIST_MAX_BYTES];
};

static void add(struct sum *sum, enum prove_verdict verdict, const char *what)
{
	size_t len = strlen(sum->bad);

	sum->counts[verdict]++;
	if (verdict == PROVE_FAILS || verdict == PROVE_BROKEN)
		(void)snprintf(sum->bad + len, sizeof(sum->bad) - len, "%s%s",
			       len > 0 ? "; " : "", what);
}

/* Return: it holds, or was not tried. */
static bool print_line(int guarantee, const struct sum *sum)
{
	const char *what = promises[guarantee];

	if (sum->counts[PROVE_FAILS] > 0)
		(void)printf("G%-3d does not hold    %s: reached %s\n",
			     guarantee, what, sum->bad);
	else if (sum->counts[PROVE_BROKEN] > 0)
		(void)printf("G%-3d not proved       %s: the attempt itself "
			     "is broken: %s\n",
			     guarantee, what, sum->bad);
	else if (sum->counts[PROVE_HOLDS] == 0)
		(void)printf("G%-3d not tried here   %s: this machine has "
			     "nothing to try it with\n",
			     guarantee, what);
	else
		(void)printf("G%-3d holds            %s (%u tried)\n",
			     guarantee, what, sum->counts[PROVE_HOLDS]);
	return sum->counts[PROVE_FAILS] + sum->counts[PROVE_BROKEN] == 0;
}

static const char *answer_word(enum prove_answer answer)
{
	static const char *const words[] = {"untried", "reached", "blocked"};

	return words[answer];
}

static void print_case(const struct prove_case *c)
{
	(void)printf("     %-9s inside %s%s%s  (%s)\n", c->probe->name,
		     answer_word(c->inside),
		     c->probe->control == PROVE_TWIN ? "" : ", without fence ",
		     c->probe->control == PROVE_TWIN ? ""
						     : answer_word(c->control),
		     c->probe->what);
}

static void sum_extra(const struct prove_extra *extra, int guarantee,
		      struct sum *sum)
{
	static const char *const whats[PROVE_GUARANTEES + 1] = {
		[5] = "a name server with a name that is not allowed",
		[7] = "a listening port that is not declared",
		[11] = "the end without a record of a denial",
		[12] = "the command with a bubblewrap that fails",
		[13] = "further work after the proxy was killed",
	};

	if (whats[guarantee] != NULL)
		add(sum, extra->verdicts[guarantee], whats[guarantee]);
}

int prove_report(const struct prove_stage *stage,
		 const struct prove_extra *extra, bool is_verbose)
{
	bool holds = true;

	for (int g = 1; g <= PROVE_GUARANTEES; g++) {
		struct sum sum = {.bad = ""};
		for (size_t i = 0; i < stage->case_count; i++)
			if (stage->cases[i].probe->guarantee == g)
				add(&sum,
				    prove_judge(stage->cases, stage->case_count,
						i),
				    stage->cases[i].probe->what);
		sum_extra(extra, g, &sum);
		holds = print_line(g, &sum) && holds;
		for (size_t i = 0; is_verbose && i < stage->case_count; i++)
			if (stage->cases[i].probe->guarantee == g)
				print_case(&stage->cases[i]);
	}
	return holds ? 0 : 1;
}
