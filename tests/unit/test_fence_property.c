/* SPDX-License-Identifier: MIT */
/*
 * test_fence_property: for many random policies, what `exeat check` says, the
 * plan and the Seatbelt profile agree on every path and port.
 *
 * How it works: paths come from a small tree, so that grants and hides meet
 * often. What the policy means is worked out here anew, by the one sentence of
 * DESIGN.md: the most specific prefix wins, a hide wins ties, a grant by name
 * wins over what is secret by default.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bytes.h"
#include "check_answer.h"
#include "paths.h"
#include "plan_case.h"
#include "plan_text.h"
#include "plan_view.h"
#include "sbpl.h"
#include "sbpl_eval.h"

#define POLICIES   10000
#define GRANTS_MAX 6
#define PORTS_MAX  3
#define PROXY_PORT 17080

static const char *const tree[] = {
	"/d",       "/d/a",       "/d/a/x",       "/d/a/x/y",
	"/d/ab",    "/d/b",       "/d/b/x",       "/d/b/x/y",
	"/h/app/s", "/h/app/s/t", "/h/app/s/t/u", "/h/app/v",
	"/h/n",     "/h/n/m",     "/h/.ssh/k",    "/h/.npmrc",
};

#define TREE_COUNT (sizeof(tree) / sizeof(tree[0]))

static const uint16_t some_ports[] = {22, 80, 443, 5432, 8080, 9090};

enum grant_kind {
	GRANT_READ = 0,
	GRANT_WRITE,
	GRANT_HIDE,
	GRANT_MOUNT_RO,
	GRANT_MOUNT_RW,
};

/* One random policy, in words of our own. */
struct sample {
	enum policy_files_mode mode;

	struct {
		enum grant_kind kind;
		const char *path;
	} grants[GRANTS_MAX];

	size_t grant_count;
	uint16_t connect[PORTS_MAX], loopback[PORTS_MAX], listen[PORTS_MAX];
	size_t connect_count, loopback_count, listen_count;
};

/* xorshift64*: the same samples on every machine. */
static uint32_t next_number(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)((*state * 0x2545f4914f6cdd1dULL) >> 32);
}

static size_t pick_ports(uint64_t *state, uint16_t ports[static PORTS_MAX],
			 size_t first)
{
	size_t count = next_number(state) % PORTS_MAX;

	/* Each list has ports of its own: a port in two is refused. */
	for (size_t i = 0; i < count; i++)
		ports[i] = some_ports[first + i];
	return count;
}

static void make_sample(uint64_t *state, struct sample *s)
{
	*s = (struct sample){
		.mode = (enum policy_files_mode)(next_number(state) % 3),
		.grant_count = next_number(state) % (GRANTS_MAX + 1),
	};
	for (size_t i = 0; i < s->grant_count; i++) {
		s->grants[i].kind = (enum grant_kind)(next_number(state) % 5);
		s->grants[i].path = tree[next_number(state) % TREE_COUNT];
	}
	s->connect_count = pick_ports(state, s->connect, 0);
	s->loopback_count = pick_ports(state, s->loopback, 2);
	s->listen_count = pick_ports(state, s->listen, 4);
}

struct flags {
	const char *words[64];
	size_t count;
	char text[32][96];
	size_t text_count;
};

static const char *keep(struct flags *f, const char *format, const char *path)
{
	char *text = f->text[f->text_count++];

	(void)format;
	(void)snprintf(text, sizeof(f->text[0]), "%s:%s%s", path, path, format);
	return text;
}

static void add(struct flags *f, const char *name, const char *value)
{
	f->words[f->count++] = name;
	f->words[f->count++] = value;
}

static void add_ports(struct flags *f, const char *name, const uint16_t *ports,
		      size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *text = f->text[f->text_count++];
		(void)snprintf(text, sizeof(f->text[0]), "%u",
			       (unsigned int)ports[i]);
		add(f, name, text);
	}
}

static void make_flags(const struct sample *s, struct flags *f)
{
	static const char *const modes[] = {"strict", "allowlist", "open"};

	memset(f, 0, sizeof(*f));
	add(f, "--mode", modes[s->mode]);
	for (size_t i = 0; i < s->grant_count; i++) {
		const char *path = s->grants[i].path;
		switch (s->grants[i].kind) {
		case GRANT_READ:
			add(f, "--read", path);
			break;
		case GRANT_WRITE:
			add(f, "--write", path);
			break;
		case GRANT_HIDE:
			add(f, "--hide", path);
			break;
		case GRANT_MOUNT_RO:
			add(f, "--mount", keep(f, ":ro", path));
			break;
		case GRANT_MOUNT_RW:
			add(f, "--mount", keep(f, ":rw", path));
			break;
		}
	}
	add_ports(f, "--connect", s->connect, s->connect_count);
	add_ports(f, "--loopback", s->loopback, s->loopback_count);
	add_ports(f, "--listen", s->listen, s->listen_count);
}

/* What the policy means for one path. */
struct meaning {
	bool is_read;
	bool is_written;
};

/* Of several grants for one path: a mount counts more than a grant, what is
 * less counts more than what is more. */
static int rank(enum grant_kind kind)
{
	static const int ranks[] = {
		[GRANT_READ] = 1,     [GRANT_WRITE] = 2, [GRANT_MOUNT_RW] = 3,
		[GRANT_MOUNT_RO] = 4, [GRANT_HIDE] = 5,
	};

	return ranks[kind];
}

static struct meaning start_meaning(const struct sample *s, const char *path)
{
	if (path_is_within(path, "/h/app"))
		return (struct meaning){true, true};
	return (struct meaning){s->mode == POLICY_FILES_OPEN, false};
}

static struct meaning apply(struct meaning m, enum grant_kind kind)
{
	switch (kind) {
	case GRANT_READ:
		/* Gives reading and takes nothing away. */
		return (struct meaning){true, m.is_written};
	case GRANT_WRITE:
	case GRANT_MOUNT_RW:
		return (struct meaning){true, true};
	case GRANT_MOUNT_RO:
		return (struct meaning){true, false};
	case GRANT_HIDE:
		break;
	}
	return (struct meaning){false, false};
}

/* From the outermost prefix in. */
static struct meaning meaning_of(const struct sample *s, const char *path)
{
	struct meaning m = start_meaning(s, path);

	for (size_t len = 1; len <= strlen(path); len++) {
		if (path[len] != '/' && path[len] != '\0')
			continue;
		int best = 0;
		enum grant_kind kind = GRANT_READ;
		for (size_t i = 0; i < s->grant_count; i++) {
			const char *granted = s->grants[i].path;
			enum grant_kind k = s->grants[i].kind;
			if (strlen(granted) != len ||
			    strncmp(granted, path, len) != 0 ||
			    (k == GRANT_READ && s->mode == POLICY_FILES_STRICT))
				continue;
			if (rank(k) >= best) {
				best = rank(k);
				kind = k;
			}
		}
		bool is_secret = strncmp(path, "/h/.ssh", len) == 0 && len == 7;
		is_secret = is_secret || strcmp(path, "/h/.npmrc") == 0;
		if (is_secret && best == 0)
			m = (struct meaning){false, false};
		else if (best > 0)
			m = apply(m, kind);
	}
	return m;
}

static enum sbpl_answer ask_path(const struct sbpl_rules *rules,
				 const char *operation, const char *path)
{
	const struct sbpl_question q = {.operation = operation, .path = path};

	return sbpl_ask(rules, &q);
}

/* The policy that was wrong, as flags. */
static void tell(const struct sample *s)
{
	struct flags f;

	make_flags(s, &f);
	for (size_t i = 0; i < f.count; i += 2)
		print_message("%s %s\n", f.words[i], f.words[i + 1]);
}

static void check_path(const struct sample *s, const struct fence_plan *plan,
		       const struct sbpl_rules *rules, const char *path)
{
	struct meaning wanted = meaning_of(s, path);
	struct plan_view planned = plan_view(plan, path);

	if (planned.is_read != wanted.is_read ||
	    planned.is_written != wanted.is_written) {
		tell(s);
		fail_msg("%s: plan says %d %d, policy %d %d", path,
			 planned.is_read, planned.is_written, wanted.is_read,
			 wanted.is_written);
	}
	if (ask_path(rules, "file-read-data", path) !=
		    (enum sbpl_answer)wanted.is_read ||
	    ask_path(rules, "file-write-data", path) !=
		    (enum sbpl_answer)wanted.is_written) {
		tell(s);
		fail_msg("%s: profile says %d %d, policy %d %d", path,
			 (int)ask_path(rules, "file-read-data", path),
			 (int)ask_path(rules, "file-write-data", path),
			 wanted.is_read, wanted.is_written);
	}
}

static bool holds(const uint16_t *ports, size_t count, uint16_t port)
{
	for (size_t i = 0; i < count; i++)
		if (ports[i] == port)
			return true;
	return false;
}

/* What `exeat check` says of @port: of any site's, and of this machine's. */
static void check_asked(const struct sample *s, const struct policy *policy,
			uint16_t port)
{
	struct hostname site;
	struct netaddr here, there;

	assert_int_equal(hostname_parse("example.net", 11, &site), HOSTNAME_OK);
	assert_true(netaddr_parse("127.0.0.1", 9, &here));
	assert_true(netaddr_parse("93.184.216.34", 13, &there));
	const struct check_target targets[] = {
		{&site, NULL,   port},
		{NULL,  &there, port},
		{NULL,  &here,  port},
	};

	enum check_verdict wanted[] = {CHECK_DENIED, CHECK_DENIED,
				       CHECK_DENIED};

	if (holds(s->connect, s->connect_count, port))
		wanted[0] = wanted[1] = CHECK_ALLOWED;
	if (holds(s->loopback, s->loopback_count, port))
		wanted[2] = CHECK_GIVEN_BACK;
	if (holds(s->listen, s->listen_count, port))
		wanted[2] = CHECK_OWN;
	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
		if (check_answer(policy, &targets[i]).verdict != wanted[i])
			fail_msg("port %u: check of %zu is not %d",
				 (unsigned int)port, i, (int)wanted[i]);
}

/* What the plan says of @port, in its text. */
static void check_told(const struct sample *s, const char *text, uint16_t port)
{
	const struct {
		const char *word;
		bool wanted;
	} rows[] = {
		{"connect",  holds(s->connect,  s->connect_count,  port)},
		{"loopback", holds(s->loopback, s->loopback_count, port)},
		{"listen",   holds(s->listen,   s->listen_count,   port)},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char line[32];
		(void)snprintf(line, sizeof(line), "\n%s %u", rows[i].word,
			       (unsigned int)port);
		const char *at = strstr(text, line);
		bool is_told = at != NULL && strchr("\n ", at[strlen(line)]);
		if (is_told != rows[i].wanted)
			fail_msg("port %u: the plan's %s is %d",
				 (unsigned int)port, rows[i].word, is_told);
	}
}

static void check_port(const struct sample *s, const struct sbpl_rules *rules,
		       uint16_t port)
{
	bool is_listen = holds(s->listen, s->listen_count, port);
	bool is_near = is_listen || port == PROXY_PORT ||
		       holds(s->loopback, s->loopback_count, port);

	const struct {
		struct sbpl_question question;
		bool wanted;
	} rows[] = {
		{{"network-outbound", NULL, "remote", 0, port},
		 holds(s->connect,                                  s->connect_count, port)},
		{{"network-outbound", NULL, "remote", 1, port},                                        is_near                                         },
		{{"network-bind", NULL, "local", 1, port},is_listen},
		{{"network-inbound", NULL, "local", 1, port},                                      is_listen										},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (sbpl_ask(rules, &rows[i].question) !=
		    (enum sbpl_answer)rows[i].wanted)
			fail_msg("port %u: row %zu is not %d",
				 (unsigned int)port, i, rows[i].wanted);
}

static void check_ports(const struct sample *s, const struct plan_case *c,
			const struct sbpl_rules *rules)
{
	struct bytes text = {NULL, 0, 0, false};

	plan_text_write(c->plan, &text);
	bytes_add(&text, "", 1);
	assert_false(text.is_failed);
	for (size_t i = 0; i < sizeof(some_ports) / sizeof(some_ports[0]);
	     i++) {
		check_port(s, rules, some_ports[i]);
		check_asked(s, c->policy, some_ports[i]);
		check_told(s, text.data, some_ports[i]);
	}
	check_port(s, rules, PROXY_PORT);
	check_port(s, rules, 1);
	check_asked(s, c->policy, 1);
	free(text.data);
}

static void check_sample(const struct sample *s, const struct plan_case *c)
{
	const struct fence_plan *plan = c->plan;
	struct bytes out = {NULL, 0, 0, false};
	struct diag diag = {""};

	if (sbpl_write(plan, &out, &diag) != 0)
		fail_msg("%s", diag.text);
	struct sbpl_rules *rules = sbpl_rules_read(out.data);
	assert_non_null(rules);
	for (size_t i = 0; i < TREE_COUNT; i++)
		check_path(s, plan, rules, tree[i]);
	check_ports(s, c, rules);
	sbpl_rules_free(rules);
	free(out.data);
}

static const char facts[] =
	"user ada 1\ngroup ada 1\nhome /h\naccount-home /h\ncwd /h/app\n"
	"path folder /h/app\npath folder /usr\npath folder /tmp\n"
	"path folder /d\npath folder /d/a\npath folder /d/a/x\n"
	"path folder /d/a/x/y\npath folder /d/ab\npath folder /d/b\n"
	"path folder /d/b/x\npath folder /d/b/x/y\npath folder /h/app/s\n"
	"path folder /h/app/s/t\npath folder /h/app/s/t/u\n"
	"path folder /h/app/v\npath folder /h/n\npath folder /h/n/m\n"
	"path folder /h/.ssh\npath file /h/.ssh/k\npath file /h/.npmrc\n";

static void policy_plan_and_profile_agree(void **state)
{
	uint64_t random = 0x9e3779b97f4a7c15ULL;
	size_t refused = 0;

	(void)state;
	for (size_t i = 0; i < POLICIES; i++) {
		struct sample s;
		struct flags f;
		make_sample(&random, &s);
		make_flags(&s, &f);
		struct plan_case c = {
			.facts_text = facts,
			.flags = f.words,
			.request = {.proxy_port = PROXY_PORT,
				    .tmp_dir = "/private/tmp/x"},
		};
		plan_case_make(&c);
		if (c.plan != NULL)
			check_sample(&s, &c);
		refused += c.plan == NULL;
		plan_case_clear(&c);
	}
	/* Grants of secrets are refused; most others are not. */
	assert_true(refused < POLICIES / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(policy_plan_and_profile_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
