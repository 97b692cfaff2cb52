/* SPDX-License-Identifier: MIT */
/* test_conf: files and flags make one policy, and errors say what to do. */
#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "conf.h"
#include "conf_build.h"
#include "conf_internal.h"

static struct decision ask(const struct policy *policy, const char *host,
			   uint16_t port)
{
	struct hostname name;

	assert_int_equal(hostname_parse(host, strlen(host), &name),
			 HOSTNAME_OK);
	return policy_decide_name(policy, &name, port);
}

static void loads_every_key(void **state)
{
	static const char text[] =
		"version = 1;\n"
		"mode = \"observe\";\n"
		"presets = [ \"npm\", \"github\" ];\n"
		"allow = (\n"
		"  { host = \"api.example.com\"; },\n"
		"  { host = \"*.example.org\"; ports = [443, 8443]; },\n"
		"  { host = \"plain.example.org\"; ports = (80, \"8080\"); },\n"
		"  { host = \"db.corp.example\"; ports = [5432];\n"
		"    protocol = \"tcp\"; private = true; },\n"
		"  { address = \"192.0.2.0/24\"; ports = [443]; }\n"
		");\n"
		"deny = ( { host = \"telemetry.example.org\"; } );\n"
		"ports : { listen = ( \"8080\", \"3000:13000\" );"
		" connect = [ ]; loopback = [ 5432 ];\n"
		"          capture = true; private_loopback = false; };\n"
		"files = { mode = \"allowlist\"; read = [ \"~/.gitconfig\" ];"
		" write = [ \"out\" ]; hide = [ ]; protect = \"list\";\n"
		"  mounts = ( { source = \"~/data\"; target = \"data\";"
		" access = \"ro\"; } ); };\n"
		"env = { pass = [ \"LANG\", \"LC_*\" ];"
		" set = ( \"CI=true\" ); };\n"
		"unix = [ \"/run/x.sock\" ];\n"
		"limits = { wall = \"10m\"; memory = \"2G\";"
		" processes = 256; };\n"
		"tls = { ech = \"deny\"; };\n"
		"upstream = { url = \"http://u:p@proxy.corp.example:3128\";"
		" except = [ \"*.corp.example\" ]; };\n"
		"resolve = ( { host = \"db.corp.example\";"
		" address = \"10.1.2.3\"; } );\n"
		"dns = { servers = [ \"127.0.0.1:5353\" ];"
		" timeout = \"5s\"; };\n"
		"audit = { file = \"audit.jsonl\"; on_error = \"continue\";"
		" keep = \"30d\"; max_size = \"1G\"; };\n"
		"proxy = { listen = [ \"127.0.0.1:8899\" ]; workers = 2;"
		" max_tunnels = 100; admin = \"127.0.0.1:9901\";\n"
		"  reload_closes = true; head_timeout = \"1s\";"
		" hello_timeout = \"2s\"; connect_timeout = \"3s\";"
		" idle_timeout = \"500ms\"; };\n";
	struct diag diag;
	struct policy *p = conf_build_text(text, &diag);

	(void)state;
	if (p == NULL)
		fail_msg("%s", diag.text);
	assert_int_equal(p->mode, POLICY_OBSERVE);
	assert_int_equal(p->ports.listen_count, 2);
	assert_int_equal(p->ports.listen[1].port, 3000);
	assert_int_equal(p->ports.listen[1].host_port, 13000);
	assert_int_equal(p->ports.loopback.items[0], 5432);
	assert_false(p->ports.private_loopback);
	assert_int_equal(p->files.mode, POLICY_FILES_ALLOWLIST);
	assert_string_equal(p->files.read.items[0], "/home/u/.gitconfig");
	assert_string_equal(p->files.write.items[0], "/work/etc/out");
	assert_int_equal(p->files.protect, POLICY_PROTECT_LIST);
	assert_string_equal(p->files.mounts[0].source, "/home/u/data");
	assert_string_equal(p->env.items[1].name, "LC_*");
	assert_string_equal(p->env.items[2].value, "true");
	assert_int_equal(p->limits.wall_ms, 600000);
	assert_true(p->limits.memory_bytes == 2ULL << 30);
	assert_true(p->ech_denied);
	assert_int_equal(p->answer_count, 1);
	assert_int_equal(p->dns.servers[0].port, 5353);
	assert_string_equal(p->audit.file, "/work/etc/audit.jsonl");
	assert_int_equal(p->audit.on_error, POLICY_AUDIT_CONTINUE);
	assert_true(p->audit.keep_ms == 30ULL * 86400000);
	assert_int_equal(p->proxy.workers, 2);
	assert_int_equal(p->proxy.idle_timeout_ms, 500);
	struct decision d = ask(p, "plain.example.org", 80);
	assert_int_equal(d.protocol, RULE_PROTOCOL_HTTP);
	assert_string_equal(rule_source(d.rule), "etc/p.cfg:7");
	d = ask(p, "registry.npmjs.org", 443);
	assert_string_equal(rule_source(d.rule), "preset npm:4");
	policy_free(p);
}

static void reads_rules_of_the_command_line(void **state)
{
	static const struct {
		const char *rule, *text;
	} rows[] = {
		{"example.com",                     "example.com:443"          },
		{"EXAMPLE.com.",                    "example.com:443"          },
		{"example.com:8443",                "example.com:8443"         },
		{"example.com:443,8443",            "example.com:443,8443"     },
		{"*.example.org",                   "*.example.org:443"        },
		{"db.test:5432/tcp+private",        "db.test:5432/tcp+private" },
		{"db.test+private",                 "db.test:443+private"      },
		{"a.test/tcp",                      "a.test:443/tcp"           },
		{"192.0.2.7",                       "192.0.2.7:443"            },
		{"192.0.2.0/24:80,443",             "192.0.2.0/24:80,443"      },
		{"192.0.2.0/24/tcp",                "192.0.2.0/24:443/tcp"     },
		{"10.0.0.0/8:22/tcp+private",       "10.0.0.0/8:22/tcp+private"},
		{"[2001:db8::/32]:443/tcp+private",
		 "[2001:db8::/32]:443/tcp+private"                             },
		{"2001:db8::1",                     "[2001:db8::1]:443"        },
		{"[2001:db8::1]",                   "[2001:db8::1]:443"        },
		{"b\xc3\xbc"
		 "cher.example",   "xn--bcher-kva.example:443"},
		{"xn--bcher-kva.example",           "xn--bcher-kva.example:443"},
		{"_x.example.com",                  "_x.example.com:443"       },
	};
	struct diag diag;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char flag[128];
		(void)snprintf(flag, sizeof(flag), "--allow=%s", rows[i].rule);
		struct policy *p = conf_build_flags(FLAGS(flag), &diag);
		if (p == NULL)
			fail_msg("%s", diag.text);
		policy_free(p);
	}
	for (size_t i = 0; i < 6; i++) {
		struct policy *p =
			conf_build_flags(FLAGS("--allow", rows[i].rule), &diag);
		struct decision d = ask(p,
					i == 4   ? "x.example.org"
					: i == 5 ? "db.test"
						 : "example.com",
					i == 2   ? 8443
					: i == 5 ? 5432
						 : 443);
		assert_int_equal(d.verdict, VERDICT_ALLOW);
		assert_string_equal(rule_text(d.rule), rows[i].text);
		policy_free(p);
	}
}

static void refuses_rules_that_mean_something_else(void **state)
{
	static const char *const bad[] = {
		"",
		":443",
		"example.com:",
		"example.com:0",
		"example.com:65536",
		"example.com:+443",
		"example.com:443x",
		"example.com:443,",
		"example.com:https",
		"example.com/udp",
		"example.com/",
		"https://example.com",
		"example.com:74536",
		"example.com:4294967739",
		"example.com:0443",
		"example.com: 443",
		"example.com/path",
		"user@example.com",
		"exa mple.com",
		"example..com",
		".example.com",
		"*example.com",
		"*.*.example.com",
		"a.*.example.com",
		"*.com",
		"*.co.uk",
		"*.github.io",
		"*",
		"*.",
		"[example.com]:443",
		"[192.0.2.1]:443",
		"[::1",
		"127.1",
		"0x7f.1",
		"2130706433",
		"192.0.2.1/24",
		"192.0.2.0/33",
		"10.0.0.0/8",
		"127.0.0.1",
		"::1",
		"169.254.0.0/16",
		"fe80::1%eth0",
		"example.com+public",
		"b\xc3\x9c\x63her.example",
		"xn--\xff.example",
		"xn--a.example",
	};
	struct diag diag;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct policy *p =
			conf_build_flags(FLAGS("--allow", bad[i]), &diag);
		if (p != NULL)
			fail_msg("taken: %s", bad[i]);
		if (strstr(diag.text, "--allow") == NULL)
			fail_msg("%s: %s", bad[i], diag.text);
	}
}

static void checks_ports_against_each_other(void **state)
{
	static const char *const clashes[][2] = {
		{"--listen=80",         "--listen=80"        },
		{"--listen=80:90",      "--listen=81:90"     },
		{"--listen=0.0.0.0:80", "--listen=80"        },
		{"--listen=80",         "--listen=0.0.0.0:80"},
		{"--listen=[::]:80",    "--listen=[::1]:80"  },
		{"--listen=80",         "--loopback=80"      },
		{"--loopback=80",       "--listen=80:90"     },
	};
	struct diag diag;

	(void)state;
	for (size_t i = 0; i < sizeof(clashes) / sizeof(clashes[0]); i++) {
		assert_null(conf_build_flags(
			FLAGS(clashes[i][0], clashes[i][1]), &diag));
		assert_non_null(strstr(diag.text, "port"));
	}
	/* One server, offered at two addresses or two ports, is no clash. */
	struct policy *p = conf_build_flags(
		FLAGS("--listen", "127.0.0.1:80", "--listen", "[::1]:80",
		      "--listen", "80:90", "--loopback", "90"),
		&diag);
	if (p == NULL)
		fail_msg("%s", diag.text);
	assert_int_equal(p->ports.listen_count, 3);
	assert_int_equal(p->ports.listen[1].host_address.family, AF_INET6);
	assert_int_equal(p->ports.listen[2].port, 80);
	assert_int_equal(p->ports.listen[2].host_port, 90);
	policy_free(p);
}

static void takes_ranges_of_listen_ports(void **state)
{
	static const char *const bad[] = {
		"--listen=3010-3000",      "--listen=3000-",
		"--listen=-3000",          "--listen=0-5",
		"--listen=65535-65536",    "--listen=8080:3000-3010",
		"--listen=3000-3010:8080", "--listen=x:3000-3010",
	};
	struct diag diag;

	(void)state;
	struct policy *p = conf_build_flags(
		FLAGS("--listen=3000-3002", "--listen=[::1]:4000-4000"), &diag);
	if (p == NULL)
		fail_msg("%s", diag.text);
	assert_int_equal(p->ports.listen_count, 4);
	assert_int_equal(p->ports.listen[2].port, 3002);
	assert_int_equal(p->ports.listen[2].host_port, 3002);
	assert_int_equal(p->ports.listen[3].host_address.family, AF_INET6);
	policy_free(p);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		p = conf_build_flags(FLAGS(bad[i]), &diag);
		if (p != NULL)
			fail_msg("taken: %s", bad[i]);
	}
}

static void finds_listen_sockets_below_the_file(void **state)
{
	struct diag diag;
	struct policy *p = conf_build_text("version = 1;\nproxy = { listen = [ "
					   "\"unix:run/p.sock\", \"[::1]:0\", "
					   "\"unix:~/p.sock\" ]; };",
					   &diag);

	(void)state;
	if (p == NULL)
		fail_msg("%s", diag.text);
	assert_string_equal(p->proxy.listen.items[0],
			    "unix:/work/etc/run/p.sock");
	assert_string_equal(p->proxy.listen.items[1], "[::1]:0");
	assert_string_equal(p->proxy.listen.items[2], "unix:/home/u/p.sock");
	policy_free(p);
}

static void means_port_80_by_http(void **state)
{
	struct diag diag;
	struct policy *p =
		conf_build_flags(FLAGS("--allow", "a.test/http"), &diag);

	(void)state;
	if (p == NULL)
		fail_msg("%s", diag.text);
	assert_int_equal(ask(p, "a.test", 80).verdict, VERDICT_ALLOW);
	assert_int_equal(ask(p, "a.test", 443).verdict, VERDICT_DENY);
	policy_free(p);
}

static void reads_answers(void **state)
{
	struct diag diag;
	struct policy *p = conf_build_flags(
		FLAGS("--resolve", "a.test:127.0.0.2", "--resolve",
		      "a.test:::1", "--resolve", "b.test:[::2]"),
		&diag);
	struct hostname name;
	struct netaddr addr;

	(void)state;
	if (p == NULL)
		fail_msg("%s", diag.text);
	assert_int_equal(hostname_parse("a.test", 6, &name), HOSTNAME_OK);
	size_t at = policy_next_answer(p, &name, 0, &addr);
	assert_int_equal(addr.bytes[3], 2);
	at = policy_next_answer(p, &name, at, &addr);
	assert_int_equal(addr.family, AF_INET6);
	assert_int_equal(policy_next_answer(p, &name, at, &addr), 0);
	policy_free(p);
	assert_null(conf_build_flags(FLAGS("--resolve", "a.test"), &diag));
	assert_null(conf_build_flags(FLAGS("--resolve", "a.test:x"), &diag));
	assert_null(conf_build_flags(FLAGS("--resolve", ":127.0.0.1"), &diag));
}

static void allows_any_name_when_it_is_meant(void **state)
{
	struct diag diag;
	struct policy *p = conf_build_text("version = 1;\nallow = ( { host = "
					   "\"*\"; i_mean_any = true; } );",
					   &diag);

	(void)state;
	if (p == NULL)
		fail_msg("%s", diag.text);
	assert_int_equal(ask(p, "any.test", 443).verdict, VERDICT_ALLOW);
	assert_int_equal(ask(p, "localhost", 443).verdict, VERDICT_DENY);
	policy_free(p);
}

/* Without the backslashes before hyphens. */
static void read_manual(char *text, size_t size)
{
	FILE *f = fopen(MANUAL, "r");
	size_t len = 0;

	assert_non_null(f);
	for (int c = fgetc(f); c != EOF && len + 1 < size; c = fgetc(f))
		if (c != '\\')
			text[len++] = (char)c;
	(void)fclose(f);
	text[len] = '\0';
}

static void has_every_key_in_the_manual(void **state)
{
	static char manual[65536];

	(void)state;
	read_manual(manual, sizeof(manual));
	for (const struct conf_key *key = conf_keys; key->set != NULL; key++)
		if (key->path != NULL && strstr(manual, key->path) == NULL)
			fail_msg("%s is not in the manual", key->path);
}

/* What the manual shows must load. */
static void loads_every_example(void **state)
{
	DIR *dir = opendir(EXAMPLES_DIR);
	int count = 0;

	(void)state;
	assert_non_null(dir);
	for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
		char path[PATH_MAX], text[8192];
		struct diag diag;

		if (e->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", EXAMPLES_DIR,
			       e->d_name);
		FILE *f = fopen(path, "r");
		assert_non_null(f);
		size_t n = fread(text, 1, sizeof(text) - 1, f);
		text[n] = '\0';
		(void)fclose(f);
		struct policy *p = conf_build_text(text, &diag);
		if (p == NULL)
			fail_msg("%s: %s", path, diag.text);
		policy_free(p);
		count++;
	}
	(void)closedir(dir);
	assert_true(count >= 5);
}

static void loads_every_preset(void **state)
{
	static const char *const names[] = {"crates", "debian", "github",
					    "go",     "npm",    "pypi"};
	struct diag diag;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct policy *p =
			conf_build_flags(FLAGS("--preset", names[i]), &diag);
		if (p == NULL)
			fail_msg("%s", diag.text);
		policy_free(p);
	}
	assert_null(conf_build_flags(FLAGS("--preset", "nmp"), &diag));
	assert_non_null(strstr(diag.text, "npm"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_every_key),
		cmocka_unit_test(reads_rules_of_the_command_line),
		cmocka_unit_test(refuses_rules_that_mean_something_else),
		cmocka_unit_test(checks_ports_against_each_other),
		cmocka_unit_test(takes_ranges_of_listen_ports),
		cmocka_unit_test(finds_listen_sockets_below_the_file),
		cmocka_unit_test(means_port_80_by_http),
		cmocka_unit_test(reads_answers),
		cmocka_unit_test(allows_any_name_when_it_is_meant),
		cmocka_unit_test(has_every_key_in_the_manual),
		cmocka_unit_test(loads_every_example),
		cmocka_unit_test(loads_every_preset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
