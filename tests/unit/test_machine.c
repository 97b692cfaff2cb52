/* SPDX-License-Identifier: MIT */
/* test_machine: what is found out about paths of a real folder, links above
 * all. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "machine.h"
#include "machine_internal.h"
#include "policy_owned.h"

struct place {
	char root[PATH_MAX];
	int sock;
};

static const char *at(const struct place *place, const char *name)
{
	static char paths[8][PATH_MAX];
	static size_t turn;
	char *path = paths[turn++ % 8];

	assert_true(snprintf(path, PATH_MAX, "%.3000s/%s", place->root, name) <
		    PATH_MAX);
	return path;
}

static void make_file(const struct place *place, const char *name)
{
	FILE *file = fopen(at(place, name), "we");

	assert_non_null(file);
	assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
	static struct place place;
	char made[] = "/tmp/exeat-machine-XXXXXX";
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	assert_non_null(mkdtemp(made));
	assert_non_null(realpath(made, place.root));
	assert_int_equal(mkdir(at(&place, "folder"), 0700), 0);
	assert_int_equal(mkdir(at(&place, "folder/deep"), 0700), 0);
	make_file(&place, "folder/file");
	assert_int_equal(symlink("folder", at(&place, "link")), 0);
	assert_int_equal(symlink("link", at(&place, "link2")), 0);
	assert_int_equal(symlink("../file", at(&place, "folder/deep/up")), 0);
	assert_int_equal(symlink("none/x", at(&place, "dangling")), 0);
	assert_int_equal(symlink("loop", at(&place, "loop")), 0);
	place.sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%.60s/sock",
		       place.root);
	assert_int_equal(
		bind(place.sock, (struct sockaddr *)&address, sizeof(address)),
		0);
	*state = &place;
	return 0;
}

static int tear_down(void **state)
{
	static const char *const names[] = {"folder/deep/up", "folder/deep",
					    "folder/file",    "folder",
					    "link",           "link2",
					    "dangling",       "loop",
					    "sock",           ""};
	struct place *place = *state;

	(void)close(place->sock);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (unlink(at(place, names[i])) != 0)
			(void)rmdir(at(place, names[i]));
	return 0;
}

static void follows_links_as_the_kernel_does(void **state)
{
	struct place *place = *state;

	const struct {
		const char *asked;
		const char *at;
		const char *real;
		enum fence_kind kind;
	} rows[] = {
		{"folder",                "folder",         "folder",        FENCE_FOLDER},
		{"folder/file",           "folder/file",    "folder/file",   FENCE_FILE  },
		{"link",                  "link",           "folder",        FENCE_FOLDER},
		{"link2",                 "link2",          "folder",        FENCE_FOLDER},
		{"link/file",             "folder/file",    "folder/file",   FENCE_FILE  },
		{"link2/deep/up",         "folder/deep/up", "folder/file",   FENCE_FILE  },
		{"folder/deep/up",        "folder/deep/up", "folder/file",   FENCE_FILE  },
		{"none",                  "none",           "none",          FENCE_ABSENT},
		{"none/x/y",              "none/x/y",       "none/x/y",      FENCE_ABSENT},
		{"link/none/y",           "folder/none/y",  "folder/none/y", FENCE_ABSENT},
		{"dangling",              "dangling",       "none/x",        FENCE_ABSENT},
		{"dangling/y",            "none/x/y",       "none/x/y",      FENCE_ABSENT},
		{"folder/file/x",         "folder/file/x",  "folder/file/x",
		 FENCE_ABSENT							    },
		{"sock",                  "sock",           "sock",          FENCE_SOCKET},
		{"./folder/../link/file", "folder/file",    "folder/file",
		 FENCE_FILE							      },
		{"link2/deep/..",         "folder",         "folder",        FENCE_FOLDER},
		{"folder//file",          "folder/file",    "folder/file",   FENCE_FILE  },
		{"folder/",               "folder",         "folder",        FENCE_FOLDER},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fence_facts *facts = calloc(1, sizeof(*facts));
		assert_non_null(facts);
		const char *asked = at(place, rows[i].asked);
		assert_int_equal(machine_fill_paths(facts, &asked, 1), 0);
		const struct fence_path *fp = fence_facts_find(facts, asked);
		assert_non_null(fp);
		if (strcmp(fp->at, at(place, rows[i].at)) != 0 ||
		    strcmp(fp->real, at(place, rows[i].real)) != 0 ||
		    fp->kind != rows[i].kind)
			fail_msg("%s: at %s real %s kind %d", rows[i].asked,
				 fp->at, fp->real, (int)fp->kind);
		fence_facts_free(facts);
	}
}

/* All at once: folders that are known must not change an answer. */
static void answers_do_not_depend_on_the_order(void **state)
{
	static const char *const names[] = {
		"dangling/y", "link2/deep/up", "none/x/y",   "folder",
		"link/none",  "folder/file",   "link2/file", "loop/x",
		"loop",       "sock"};
	struct place *place = *state;
	struct fence_facts *all = calloc(1, sizeof(*all));
	const char *asked[10];

	assert_non_null(all);
	for (size_t i = 0; i < 10; i++)
		asked[i] = arena_strndup(&all->arena, at(place, names[i]),
					 strlen(at(place, names[i])));
	assert_int_equal(machine_fill_paths(all, asked, 10), 0);
	for (size_t i = 0; i < 10; i++) {
		struct fence_facts *one = calloc(1, sizeof(*one));
		assert_non_null(one);
		assert_int_equal(machine_fill_paths(one, &asked[i], 1), 0);
		const struct fence_path *a = fence_facts_find(all, asked[i]);
		const struct fence_path *b = fence_facts_find(one, asked[i]);
		assert_string_equal(a->at, b->at);
		assert_string_equal(a->real, b->real);
		assert_int_equal(a->kind, b->kind);
		fence_facts_free(one);
	}
	fence_facts_free(all);
}

static bool has_socket(const struct fence_facts *facts, const char *path)
{
	for (size_t i = 0; i < facts->socket_count; i++)
		if (strcmp(facts->sockets[i], path) == 0)
			return true;
	return false;
}

static int bind_at(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	assert_int_equal(
		bind(sock, (const struct sockaddr *)&address, sizeof(address)),
		0);
	return sock;
}

static void finds_sockets_of_this_machine(void **state)
{
	struct place *place = *state;
	struct policy_owned *owned = policy_owned_new();
	struct fence_facts *facts = calloc(1, sizeof(*facts));

	assert_non_null(facts);
	assert_non_null(owned);
	facts->cwd = at(place, "");
	assert_int_equal(machine_fill_sockets(facts, &owned->policy), 0);
	assert_true(has_socket(facts, at(place, "sock")));
	assert_int_equal(machine_fill_kernel(facts), 0);
	assert_true(facts->mount_count > 0);
	fence_facts_free(facts);
	policy_free(&owned->policy);
}

static void finds_sockets_by_relative_and_by_old_names(void **state)
{
	struct place *place = *state;
	struct policy_owned *owned = policy_owned_new();
	struct fence_facts *facts = calloc(1, sizeof(*facts));

	assert_non_null(facts);
	assert_non_null(owned);
	assert_int_equal(chdir(place->root), 0);
	int relative = bind_at("relative");
	int moved = bind_at(at(place, "old"));
	assert_int_equal(rename("old", "moved"), 0);
	facts->cwd = place->root;
	assert_int_equal(machine_fill_sockets(facts, &owned->policy), 0);
	assert_true(has_socket(facts, at(place, "relative")));
	assert_true(has_socket(facts, at(place, "moved")));
	assert_false(facts->has_more_sockets);
	(void)close(relative);
	(void)close(moved);
	assert_int_equal(unlink("relative") | unlink("moved") | chdir("/"), 0);
	fence_facts_free(facts);
	policy_free(&owned->policy);
}

/* own -> hop -> folder/file, where folder is a link as well. */
static void names_the_links_on_a_way(void **state)
{
	struct place *place = *state;
	struct fence_facts *facts = calloc(1, sizeof(*facts));
	const char *own[] = {NULL, NULL};
	const char *const wanted[] = {"own", "hop", "way"};

	assert_non_null(facts);
	assert_int_equal(mkdir(at(place, "end"), 0755), 0);
	assert_int_equal(symlink("end", at(place, "way")), 0);
	assert_int_equal(symlink("way/../way/./file", at(place, "hop")), 0);
	assert_int_equal(symlink(at(place, "hop"), at(place, "own")), 0);
	own[0] = arena_strndup(&facts->arena, at(place, "own"),
			       strlen(at(place, "own")));
	assert_int_equal(machine_fill_paths(facts, own, 1), 0);
	assert_int_equal(machine_fill_links(facts, own), 0);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(facts->own_links[i], at(place, wanted[i]));
	fence_facts_free(facts);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(unlink(at(place, wanted[i])), 0);
	assert_int_equal(rmdir(at(place, "end")), 0);
}

static void looks_at_all_that_a_plan_asks(void **state)
{
	struct policy_owned *owned = policy_owned_new();
	struct diag diag = {""};
	struct fence_facts *facts = NULL;

	(void)state;
	assert_non_null(owned);
	const struct fence_query query = {.policy = &owned->policy,
					  .home = "/nonexistent/home",
					  .search_path = "/usr/bin:/bin",
					  .command = "env"};
	assert_int_equal(machine_look(&query, &facts, &diag), 0);
	assert_int_equal(facts->uid, getuid());
	assert_string_equal(facts->home, "/nonexistent/home");
	assert_non_null(fence_facts_find(facts, "/usr"));
	assert_int_equal(fence_facts_find(facts, "/usr")->kind, FENCE_FOLDER);
	assert_non_null(fence_facts_find(facts, "/nonexistent/home/.ssh"));
	fence_facts_free(facts);
	policy_free(&owned->policy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(follows_links_as_the_kernel_does),
		cmocka_unit_test(answers_do_not_depend_on_the_order),
		cmocka_unit_test(finds_sockets_of_this_machine),
		cmocka_unit_test(finds_sockets_by_relative_and_by_old_names),
		cmocka_unit_test(names_the_links_on_a_way),
		cmocka_unit_test(looks_at_all_that_a_plan_asks),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
