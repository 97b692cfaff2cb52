/* SPDX-License-Identifier: MIT */
/* fence_bench: how long a plan and each back end's output take, for 100 to
 * 10,000 rules and 200 paths; the best of some rounds, in milliseconds. Fails
 * where 1,000 rules take 10 ms, or more rules take more than their share. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend.h"
#include "bytes.h"
#include "conf.h"
#include "facts_text.h"

#define ROUNDS 20
#define PATHS  200

/* Ten times the rules may take ten times as long, and half of that for what
 * else a machine does. */
#define SHARE_MAX 15.0
#define MS_MAX    10.0

static void need(bool holds, const char *what)
{
	if (holds)
		return;
	(void)fprintf(stderr, "fence_bench: %s\n", what);
	exit(1);
}

static double now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static struct policy *make_policy(unsigned int rules)
{
	struct bytes text = {NULL, 0, 0, false};
	struct conf *conf = conf_new("/home/ada/app", "/home/ada");
	struct diag diag = {""};

	bytes_add_text(&text, "version = 1; allow = (");
	for (unsigned int i = 0; i < rules; i++)
		bytes_addf(&text, "%s{ host = \"h%u.example.com\"; }",
			   i == 0 ? "" : ",", i);
	bytes_add_text(&text, "); files = { mode = \"allowlist\"; read = [");
	for (unsigned int i = 0; i < PATHS / 2; i++)
		bytes_addf(&text, "%s\"/d/%u\"", i == 0 ? "" : ",", i);
	bytes_add_text(&text, "]; hide = [");
	for (unsigned int i = 0; i < PATHS / 2; i++)
		bytes_addf(&text, "%s\"/d/%u/x\"", i == 0 ? "" : ",", i);
	bytes_add_text(&text, "]; };");
	need(conf != NULL &&
		     conf_add_file(conf, "p", text.data, text.len, &diag) == 0,
	     diag.text);
	struct policy *policy = conf_build(conf, &diag);
	need(policy != NULL, diag.text);
	conf_free(conf);
	free(text.data);
	return policy;
}

static struct fence_facts *make_facts(const struct fence_query *query)
{
	struct bytes text = {NULL, 0, 0, false};
	struct diag diag = {""};

	bytes_add_text(&text, "user ada 1\ngroup ada 1\nhome /home/ada\n"
			      "cwd /home/ada/app\npath folder /usr\n");
	for (unsigned int i = 0; i < PATHS / 2; i++)
		bytes_addf(&text, "path folder /d/%u\npath folder /d/%u/x\n", i,
			   i);
	struct fence_facts *facts =
		facts_text_read("f", text.data, text.len, &diag);
	need(facts != NULL && facts_text_complete(facts, query) == 0,
	     diag.text);
	free(text.data);
	return facts;
}

static double measure(const struct fence_request *request,
		      const struct fence_facts *facts, const char *name)
{
	double best = 1e9;

	for (int i = 0; i < ROUNDS; i++) {
		struct bytes out = {NULL, 0, 0, false};
		struct diag diag = {""};
		double start = now_ms();
		struct fence_plan *plan = fence_plan_new(request->query->policy,
							 facts, request, &diag);
		need(plan != NULL, diag.text);
		need(backend_find(name)->write(plan, &out, &diag) == 0,
		     diag.text);
		double took = now_ms() - start;
		best = took < best ? took : best;
		free(out.data);
		fence_plan_free(plan);
	}
	return best;
}

static void judge(const double *ms, unsigned int rules, const char *name)
{
	static const unsigned int promised = 1000;

	if (rules == promised && ms[1] >= MS_MAX)
		need(false, name);
	if (rules > promised && ms[2] > ms[1] * SHARE_MAX)
		need(false, name);
}

int main(void)
{
	static const char *const names[] = {"plan", "bwrap", "seatbelt",
					    "docker"};
	static const unsigned int rules[] = {100, 1000, 10000};
	double ms[4][3];

	for (size_t r = 0; r < sizeof(rules) / sizeof(rules[0]); r++) {
		struct fence_query query = {.policy = make_policy(rules[r]),
					    .home = "/home/ada"};
		const struct fence_request request = {.query = &query};
		struct fence_facts *facts = make_facts(&query);
		(void)printf("%5u rules, %d paths:", rules[r], PATHS);
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			ms[i][r] = measure(&request, facts, names[i]);
			(void)printf("  %s %.2f ms", names[i], ms[i][r]);
			judge(ms[i], rules[r], names[i]);
		}
		(void)printf("\n");
		fence_facts_free(facts);
		struct policy *policy;
		memcpy(&policy, &query.policy, sizeof(policy));
		policy_free(policy);
	}
	return 0;
}
