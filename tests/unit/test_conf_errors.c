/* SPDX-License-Identifier: MIT */
/* test_conf_errors: what is wrong in a policy is refused, and the message says
 * where it stands and what to write instead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "conf.h"
#include "conf_build.h"

/**
 * struct mistake - a text, and what must stand in the message
 * @text:	from line 2 of a file on, whose line 1 is its version
 */
struct mistake {
	const char *text;
	const char *part;
	const char *part2;
};

static void expect_refused(const char *text, const struct mistake *row)
{
	struct diag diag;

	if (conf_build_text(text, &diag) != NULL)
		fail_msg("taken: %s", text);
	if (strncmp(diag.text, "etc/p.cfg:", 10) != 0 ||
	    strstr(diag.text, row->part) == NULL ||
	    strstr(diag.text, row->part2) == NULL)
		fail_msg("%s\nsaid: %s", text, diag.text);
}

static void expect_each(const struct mistake *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char text[512];

		(void)snprintf(text, sizeof(text), "version = 1;\n%s",
			       rows[i].text);
		expect_refused(text, &rows[i]);
	}
}

#define EXPECT_EACH(rows) expect_each(rows, sizeof(rows) / sizeof((rows)[0]))

#define RULE(members)     "allow = ( { " members " } );"

static void names_keys_that_do_not_exist(void **state)
{
	static const struct mistake rows[] = {
		{"alow = ( );",                        ":2: no such key: alow",       "did you mean allow"},
		{"files = { mood = 1; };",             ":2: no such key: files.mood",
		 "did you mean files.mode"								},
		{"\nzebra = 1;",                       ":3: no such key: zebra",      "exeat-policy(5)"   },
		{RULE("host = \"a.test\"; port = 1;"),
		 "no such key: allow[0].port",                                        "did you mean ports"},
		{"env = { set = { CI = 1; }; };",      "env.set must be a list",      ""                  },
		{"resolve = ( { name = \"a\"; } );",
		 "no such key: resolve[0].name",                                      ""                  },
	};

	(void)state;
	EXPECT_EACH(rows);
}

static void says_what_a_value_must_be(void **state)
{
	static const struct mistake rows[] = {
		{"files = { mode = \"loose\"; };",                ":2: files.mode: \"loose\"",
		 "strict, allowlist or open"								   },
		{"limits = { wall = \"ten\"; };",                 ":2: limits.wall: \"ten\"",
		 "such as \"10s\""									     },
		{"limits = { wall = 10; };",                      "limits.wall: 10 ",            "\"10s\""     },
		{"limits = { wall = \"0s\"; };",                  "limits.wall: \"0s\"",         "s"           },
		{"limits = { wall = \"99999999d\"; };",           "limits.wall",
		 "36500d"										      },
		{"limits = { memory = \"2X\"; };",                "limits.memory: \"2X\"",
		 "\"2G\""										      },
		{"proxy = { workers = 0; };",                     "proxy.workers: 0 ",           "1 to 256"    },
		{"proxy = { workers = -1; };",                    "proxy.workers: -1 ",
		 "1 to 256"										    },
		{"proxy = { workers = 2.0; };",                   "proxy.workers: wrong type",
		 "1 to 256"										    },
		{"proxy = { workers = \"2\"; };",                 "proxy.workers: \"2\"",
		 "1 to 256"										    },
		{"mode = \"report\";",                            "mode: \"report\"",            "enforce"     },
		{"ports = 5;",				    "ports must be a group",       ""            },
		{"ports = { listen = { }; };",                    "ports.listen must be a list",
		 ""											    },
		{"ports = { loopback = [ 0 ]; };",                "ports.loopback: 0 ",
		 "1 to 65535"										  },
		{"ports = { capture = 1; };",                     "ports.capture: 1 ",           "true"        },
		{"presets = [ \"nmp\" ];",                        "no preset \"nmp\"",           "npm"         },
		{"files = { read = [ \"~bob/x\" ]; };",
		 "files.read: \"~bob/x\"",						       "~/"          },
		{"files = { read = [ \"\" ]; };",                 "files.read: \"\"",            "a path"      },
		{"upstream = { url = \"http://h\"; };",           "upstream.url",
		 "http://HOST:PORT"									    },
		{"upstream = { except = [ \"a b\" ]; };",
		 "upstream.except: \"a b\"",						     "host name"   },
		{"dns = { servers = [ \"ns.test\" ]; };",
		 "dns.servers: \"ns.test\"",						     "ADDRESS"     },
		{"proxy = { listen = [ \"8899\" ]; };",
		 "proxy.listen: \"8899\"",						       "unix:PATH"   },
		{"proxy = { listen = [ \"localhost:8899\" ]; };",
		 "proxy.listen: \"localhost:8899\"",                                             "ADDRESS:PORT"},
		{"proxy = { listen = [ \"::1:8899\" ]; };",
		 "proxy.listen: \"::1:8899\"",						   "[IPV6]:PORT" },
		{"proxy = { admin = \"127.0.0.1\"; };",
		 "proxy.admin: \"127.0.0.1\"",						   "ADDRESS:PORT"},
		{"env = { pass = [ \"A-B\" ]; };",                "env.pass: \"A-B\"",
		 "variable"										    },
	};

	(void)state;
	EXPECT_EACH(rows);
}

static void finds_mistakes_in_rules(void **state)
{
	static const struct mistake rows[] = {
		{"allow = \"a.test\";",                                    ":2: allow must be a list",       ""                                             },
		{"allow = ( ( ) );",				       ":2: allow: wrong type",          "RULE"                                         },
		{RULE("host = 5;"),					"allow[0].host: 5 ",              "a string"                                     },
		{RULE("ports = [443];"),                                   "allow[0]",                       "either host or address"                       },
		{RULE("host = \"a.test\"; address = \"192.0.2.1\";"),
		 "allow[0]",										 "either host or address"                       },
		{RULE("host = \"a.test\"; ports = [70000];"),
		 ":2: allow[0].ports: 70000 ",							       "1 to 65535"                                   },
		{RULE("host = \"a.test\"; ports = [443, 0];"),
		 "allow[0].ports: 0 ",								       "1 to 65535"                                   },
		{RULE("host = \"a.test\"; ports = ( \"443x\" );"),
		 "allow[0].ports: \"443x\" ",								"1 to 65535"                                   },
		{RULE("host = \"a.test\"; ports = [ ];"),
		 "allow[0].ports: wrong type",							       "1 to 64 ports"                                },
		{RULE("host = \"a.test\"; private = 1;"),
		 "allow[0].private: 1 ",								     "true or false"                                },
		{"allow = ( \"a.test\", { host = \"b.test\";\n"
		 "  protocol = \"udp\"; } );",            ":3: allow[1].protocol: \"udp\"", "\"tcp\""                                      },
		{RULE("host = \"*\";"),                                    ":2: ",                           "i_mean_any = true"                            },
		{RULE("host = \"*.co.uk\";"),                              ":2: ",                           "a name of its own"                            },
		{RULE("host = \"192.0.2.1\";"),
		 ":2: ",										     "address = \"192.0.2.1\""                      },
		{RULE("host = \"https://a.test/\";"),                      ":2: ",                           "not a URL"                                    },
		{"allow = ( \"https://a.test/\" );",                       ":2: ",                           "not a URL"                                    },
		{RULE("host = \"a..test\";"),                              ":2: \"a..test\"",                "label"                                        },
		{RULE("address = \"10.0.0.0/8\";"),
		 ":2: ",										     "(Private-Use, RFC 1918): say so with +private"},
		{RULE("address = \"192.0.2.1/24\";"),                      ":2: \"192.0.2.1/24\"",
		 "all other bits zero"														      },
		{"resolve = ( { host = \"a.test\"; } );",                  "resolve[0]",
		 "host and address"															 },
		{"resolve = ( { host = \"a.test\"; address = \"x\"; } );",
		 "resolve: \"x\"",									   "no IP address"                                },
		{"files = { mounts = ( { source = \"a\"; } ); };",
		 "files.mounts[0]",									  "source, target and access"                    },
		{"files = { mounts = ( { source = \"a\"; target = \"b\"; "
		 "access = \"w\"; } ); };",               "files.mounts[0].access: \"w\"",  "\"rw\""                                       },
	};

	(void)state;
	EXPECT_EACH(rows);
}

static void finds_ports_that_clash(void **state)
{
	static const struct mistake rows[] = {
		{"ports = { listen = [ 80, 80 ]; };",                  ":2: ports.listen",
		 "twice"									     },
		{"ports = { loopback = [ 80 ];\n listen = [ 80 ]; };",
		 ":3: ports.listen",						       "loopback"},
		{"ports = { listen = [ 80 ];\n loopback = [ 80 ]; };",
		 ":3: ports.loopback",						     "listen"  },
	};

	(void)state;
	EXPECT_EACH(rows);
}

/* libconfig 1.5 wraps integers, ends strings at \x00 and follows @include. */
static void refuses_what_libconfig_takes_in_silence(void **state)
{
	static const struct mistake rows[] = {
		{"@include \"x\"",                                 ":2: ", "@include"      },
		{"proxy = { workers = 99999999999999999999; };",
		 ":2: ",						   "out of range"  },
 /* 443 and 2^32 */
		{RULE("host = \"a.test\"; ports = [4294967739];"),
		 ":2: ",						   "out of range"  },
		{"proxy = { workers = -4294967295; };",            ":2: ", "out of range"  },
		{"proxy = { workers = 0x2; };",                    ":2: ", "decimal"       },
		{"proxy = { workers = 010; };",                    ":2: ", "decimal"       },
		{"proxy = { workers = 2L; };",                     ":2: ", "decimal digits"},
		{"limits = { wall = 10m; };",                      ":2: ", "\"10s\""       },
		{"mode = \"enforce\\x00\";",                       ":2: ", "\\x00"         },
		{"mode = \"enforce\\X00\";",                       ":2: ", ""              },
		{"/* \n */ mode = \"a\x01\";",                     ":3: ", "control byte"  },
		{"((((((((((((((((((",                             ":2: ", "nested"        },
		{"mode = \"enforce",                               ":2: ", "no end"        },
		{"/* mode",					":2: ", "no end"        },
		{"version = 1;",				   ":2: ", "duplicate"     },
		{"ports = { capture = true; capture = false; };",
		 ":2: ",						   "duplicate"     },
		{RULE("host = \"a.test\"; host = \"b.test\";"),
		 ":2: ",						   "duplicate"     },
		{"\nmode = ;",				     ":3: ", "syntax error"  },
	};

	(void)state;
	EXPECT_EACH(rows);
}

static void wants_its_version(void **state)
{
	static const struct mistake missing = {"", ":1: version is missing",
					       "version = 1;"};
	static const struct mistake later = {"", ":1: version: 2 ", "takes 1"};

	(void)state;
	expect_refused("mode = \"enforce\";\n", &missing);
	expect_refused("", &missing);
	expect_refused("version = 2;", &later);
	expect_refused("version = \"1\";",
		       &(const struct mistake){"", "version: \"1\"", ""});
}

static void refuses_a_nul_in_the_text(void **state)
{
	struct conf *conf = conf_new("/work", NULL);
	struct diag diag = {.text = ""};

	(void)state;
	assert_int_equal(
		conf_add_file(conf, "p", "version = 1;\0mode", 17, &diag), -1);
	assert_non_null(strstr(diag.text, "p:1: a NUL byte"));
	conf_free(conf);
}

static void tells_unknown_flags_from_bad_ones(void **state)
{
	struct conf *conf = conf_new("/work", "/home/u");
	char unknown[] = "--allowed", bad[] = "--timeout", value[] = "soon",
	     extra[] = "--observe=yes";
	char *words[] = {unknown, value};
	struct diag diag = {.text = ""};
	int used;

	(void)state;
	assert_int_equal(conf_add_flag(conf, 2, words, &used, &diag),
			 CONF_FLAG_UNKNOWN);
	words[0] = bad;
	assert_int_equal(conf_add_flag(conf, 2, words, &used, &diag),
			 CONF_FLAG_BAD);
	assert_non_null(strstr(diag.text, "--timeout soon"));
	diag.text[0] = '\0';
	assert_int_equal(conf_add_flag(conf, 1, words, &used, &diag),
			 CONF_FLAG_BAD);
	assert_non_null(strstr(diag.text, "needs a value"));
	diag.text[0] = '\0';
	words[0] = extra;
	assert_int_equal(conf_add_flag(conf, 1, words, &used, &diag),
			 CONF_FLAG_BAD);
	assert_non_null(strstr(diag.text, "takes no value"));
	conf_free(conf);
}

static void keeps_credentials_off_the_command_line(void **state)
{
	struct diag diag;

	(void)state;
	assert_null(
		conf_build_flags(FLAGS("--upstream", "http://u:p@h:1"), &diag));
	assert_non_null(strstr(diag.text, "policy file"));
	assert_null(strstr(diag.text, "u:p"));
}

static void keeps_secrets_out_of_messages(void **state)
{
	struct diag diag;

	(void)state;
	assert_null(conf_build_flags(FLAGS("--upstream", "socks5://u:p4ss@h:1"),
				     &diag));
	assert_null(strstr(diag.text, "p4ss"));
	assert_null(conf_build_flags(FLAGS("--env", "1A=p4ss"), &diag));
	assert_non_null(strstr(diag.text, "--env"));
	assert_null(strstr(diag.text, "p4ss"));
	assert_null(conf_build_text("version = 1;\nupstream = { url = "
				    "\"ftp://u:p4ss@h:1\"; };",
				    &diag));
	assert_non_null(strstr(diag.text, "p.cfg:2: upstream.url"));
	assert_null(strstr(diag.text, "p4ss"));
	assert_null(conf_build_text(
		"version = 1;\nenv = { set = [ \"A B=p4ss\" ]; };", &diag));
	assert_non_null(strstr(diag.text, "p.cfg:2: env.set"));
	assert_null(strstr(diag.text, "p4ss"));
}

static void takes_urls_of_proxies_only(void **state)
{
	static const struct {
		const char *url, *kept;
	} rows[] = {
		{"http://proxy.test:3128",   "http://proxy.test:3128" },
		{"http://proxy.test:3128/",  "http://proxy.test:3128" },
		{"https://PROXY.test.:443",  "https://PROXY.test.:443"},
		{"http://192.0.2.1:80",      "http://192.0.2.1:80"    },
		{"http://[2001:db8::1]:80",  "http://[2001:db8::1]:80"},
		{"http://proxy.test",        NULL                     },
		{"http://:3128",             NULL                     },
		{"http://proxy.test:0",      NULL                     },
		{"http://proxy.test:3128/x", NULL                     },
		{"http://proxy test:3128",   NULL                     },
		{"http://127.1:3128",        NULL                     },
		{"http://2001:db8::1:80",    NULL                     },
		{"http://[192.0.2.1]:80",    NULL                     },
		{"socks5://proxy.test:1080", NULL                     },
		{"proxy.test:3128",          NULL                     },
		{"",			 NULL                     },
	};
	struct diag diag;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct policy *p = conf_build_flags(
			FLAGS("--upstream", rows[i].url), &diag);
		if ((p != NULL) != (rows[i].kept != NULL))
			fail_msg("%s: %s", rows[i].url, diag.text);
		if (p != NULL)
			assert_string_equal(p->upstream.url, rows[i].kept);
		policy_free(p);
	}
	struct policy *p = conf_build_text("version = 1;\nupstream = { url = "
					   "\"http://u:p%40@proxy.test:1\"; };",
					   &diag);
	if (p == NULL)
		fail_msg("%s", diag.text);
	policy_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_keys_that_do_not_exist),
		cmocka_unit_test(says_what_a_value_must_be),
		cmocka_unit_test(finds_mistakes_in_rules),
		cmocka_unit_test(finds_ports_that_clash),
		cmocka_unit_test(refuses_what_libconfig_takes_in_silence),
		cmocka_unit_test(wants_its_version),
		cmocka_unit_test(refuses_a_nul_in_the_text),
		cmocka_unit_test(tells_unknown_flags_from_bad_ones),
		cmocka_unit_test(keeps_credentials_off_the_command_line),
		cmocka_unit_test(keeps_secrets_out_of_messages),
		cmocka_unit_test(takes_urls_of_proxies_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
