/* SPDX-License-Identifier: MIT */
/* test_policy: the decisions, by name and port, by address, by server_name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conf.h"

static struct policy *policy;

/* Replace the policy by what flags say. */
static void given(const char *const *words)
{
	struct conf *conf = conf_new("/work", "/home/u");
	struct diag diag = {.text = ""};
	int used;

	policy_free(policy);
	policy = NULL;
	for (size_t i = 0; words[i] != NULL; i += (size_t)used) {
		char *argv[2] = {strdup(words[i]),
				 words[i + 1] ? strdup(words[i + 1]) : NULL};
		if (conf_add_flag(conf, argv[1] != NULL ? 2 : 1, argv, &used,
				  &diag) != CONF_FLAG_TAKEN)
			fail_msg("%s", diag.text);
		free(argv[0]);
		free(argv[1]);
	}
	policy = conf_build(conf, &diag);
	conf_free(conf);
	if (policy == NULL)
		fail_msg("%s", diag.text);
}

#define GIVEN(...) given((const char *const[]){__VA_ARGS__, NULL})

static struct hostname name_of(const char *text)
{
	struct hostname name = {.len = 0};

	assert_int_equal(hostname_parse(text, strlen(text), &name),
			 HOSTNAME_OK);
	return name;
}

static struct netaddr addr_of(const char *text)
{
	struct netaddr addr = {.family = 0};

	assert_true(netaddr_parse(text, strlen(text), &addr));
	return addr;
}

static struct decision by_name(const char *host, uint16_t port)
{
	struct hostname name = name_of(host);

	return policy_decide_name(policy, &name, port);
}

static struct decision by_literal(const char *text, uint16_t port)
{
	struct netaddr addr = addr_of(text);

	return policy_decide_literal(policy, &addr, port, 0);
}

static struct decision by_address(const char *host, uint16_t port,
				  const char *text, unsigned int traits)
{
	struct decision name = by_name(host, port);
	struct netaddr addr = addr_of(text);

	assert_int_equal(name.verdict, VERDICT_ALLOW);
	return policy_decide_address(policy, &name, &addr, port, traits);
}

#define ALLOWED(d) assert_int_equal((d).verdict, VERDICT_ALLOW)
#define DENIED(d, why)                                             \
	do {                                                       \
		struct decision decision_ = (d);                   \
		assert_int_equal(decision_.verdict, VERDICT_DENY); \
		assert_int_equal(decision_.would, VERDICT_DENY);   \
		assert_int_equal(decision_.reason, (why));         \
	} while (0)

static int clean(void **state)
{
	(void)state;
	policy_free(policy);
	policy = NULL;
	return 0;
}

static void denies_everything_without_rules(void **state)
{
	(void)state;
	given((const char *const[]){NULL});
	DENIED(by_name("a.test", 443), REASON_HTTP_REQUEST_DENIED);
	DENIED(by_literal("1.1.1.1", 443), REASON_HTTP_REQUEST_DENIED);
	assert_null(by_name("a.test", 443).rule);
}

static void allows_a_host_on_its_port_only(void **state)
{
	static const uint16_t others[] = {1, 22, 25, 80, 444, 8443, 65535};

	(void)state;
	GIVEN("--allow", "allowed.test");
	ALLOWED(by_name("allowed.test", 443));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		DENIED(by_name("allowed.test", others[i]),
		       REASON_PORT_NOT_ALLOWED);
	GIVEN("--allow", "allowed.test:8443");
	ALLOWED(by_name("allowed.test", 8443));
	DENIED(by_name("allowed.test", 443), REASON_PORT_NOT_ALLOWED);
}

static void matches_wildcards_on_label_borders(void **state)
{
	(void)state;
	GIVEN("--allow", "*.corp.test");
	ALLOWED(by_name("a.corp.test", 443));
	ALLOWED(by_name("a.b.c.corp.test", 443));
	DENIED(by_name("corp.test", 443), REASON_HTTP_REQUEST_DENIED);
	DENIED(by_name("evilcorp.test", 443), REASON_HTTP_REQUEST_DENIED);
	DENIED(by_name("a.corp.test.evil.test", 443),
	       REASON_HTTP_REQUEST_DENIED);
}

static void knows_a_name_by_every_spelling(void **state)
{
	(void)state;
	GIVEN("--allow", "*.corp.test", "--allow", "ALLOWED.test.", "--deny",
	      "secret.corp.test");
	DENIED(by_name("secret.corp.test.", 443), REASON_HTTP_REQUEST_DENIED);
	DENIED(by_name("SECRET.CORP.TEST.", 443), REASON_HTTP_REQUEST_DENIED);
	ALLOWED(by_name("allowed.test.", 443));
	ALLOWED(by_name("Allowed.Test", 443));
	GIVEN("--deny", "Secret.corp.test.", "--allow", "*.Corp.test.");
	DENIED(by_name("secret.corp.test", 443), REASON_HTTP_REQUEST_DENIED);
	ALLOWED(by_name("open.corp.test", 443));
}

static void lets_deny_win_in_every_order(void **state)
{
	(void)state;
	GIVEN("--allow", "*.corp.test:443,22", "--deny", "secret.corp.test");
	ALLOWED(by_name("a.corp.test", 443));
	DENIED(by_name("secret.corp.test", 443), REASON_HTTP_REQUEST_DENIED);
	DENIED(by_name("secret.corp.test", 22), REASON_HTTP_REQUEST_DENIED);
	assert_string_equal(rule_source(by_name("secret.corp.test", 443).rule),
			    "--deny secret.corp.test");
	GIVEN("--deny", "*.corp.test", "--allow", "a.corp.test");
	DENIED(by_name("a.corp.test", 443), REASON_HTTP_REQUEST_DENIED);
	GIVEN("--deny", "a.corp.test:22", "--allow", "a.corp.test:22,443");
	DENIED(by_name("a.corp.test", 22), REASON_HTTP_REQUEST_DENIED);
	ALLOWED(by_name("a.corp.test", 443));
	GIVEN("--deny", "*", "--allow", "a.corp.test");
	DENIED(by_name("a.corp.test", 443), REASON_HTTP_REQUEST_DENIED);
}

static void joins_rules_of_one_host(void **state)
{
	(void)state;
	GIVEN("--allow", "a.test", "--allow", "a.test:443+private");
	ALLOWED(by_address("a.test", 443, "10.0.0.1", 0));
	GIVEN("--allow", "a.test:443", "--allow", "a.test:80");
	assert_int_equal(by_name("a.test", 443).protocol, RULE_PROTOCOL_TLS);
	assert_int_equal(by_name("a.test", 80).protocol, RULE_PROTOCOL_HTTP);
}

static void keeps_literals_and_names_apart(void **state)
{
	(void)state;
	GIVEN("--allow", "192.0.2.0/24", "--allow", "1.0.0.0/8");
	ALLOWED(by_literal("192.0.2.7", 443));
	ALLOWED(by_literal("1.1.1.1", 443));
	ALLOWED(by_literal("::ffff:1.1.1.1", 443));
	DENIED(by_literal("1.1.1.1", 22), REASON_PORT_NOT_ALLOWED);
	DENIED(by_literal("8.8.8.8", 443), REASON_HTTP_REQUEST_DENIED);
	DENIED(by_literal("2002:101:101::1", 443),
	       REASON_DESTINATION_IP_PROHIBITED);
	DENIED(by_name("one.test", 443), REASON_HTTP_REQUEST_DENIED);
}

static void opens_no_private_address_by_a_wide_block(void **state)
{
	static const char *const closed[] = {
		"10.0.0.1",        "127.0.0.1",      "0.0.0.0",
		"169.254.169.254", "169.254.1.1",    "224.0.0.1",
		"192.168.1.1",     "100.64.0.1",     "255.255.255.255",
		"192.0.2.1",       "::ffff:10.0.0.1"};

	(void)state;
	GIVEN("--allow", "0.0.0.0/0", "--allow", "::/0");
	ALLOWED(by_literal("8.8.8.8", 443));
	for (size_t i = 0; i < sizeof(closed) / sizeof(closed[0]); i++)
		DENIED(by_literal(closed[i], 443),
		       REASON_DESTINATION_IP_PROHIBITED);
	GIVEN("--allow", "0.0.0.0/0+private");
	ALLOWED(by_literal("10.0.0.1", 443));
	DENIED(by_literal("127.0.0.1", 443), REASON_DESTINATION_IP_PROHIBITED);
	DENIED(by_literal("169.254.1.1", 443),
	       REASON_DESTINATION_IP_PROHIBITED);
	GIVEN("--allow", "127.0.0.0/8+private");
	ALLOWED(by_literal("127.0.0.1", 443));
}

static void opens_metadata_by_its_exact_rule_only(void **state)
{
	(void)state;
	GIVEN("--allow", "169.254.0.0/16+private", "--allow", "a.test+private");
	DENIED(by_literal("169.254.169.254", 443),
	       REASON_DESTINATION_IP_PROHIBITED);
	DENIED(by_address("a.test", 443, "169.254.169.254",
			  POLICY_ADDRESS_WRITTEN),
	       REASON_DESTINATION_IP_PROHIBITED);
	GIVEN("--allow", "169.254.169.254", "--allow", "a.test");
	ALLOWED(by_literal("169.254.169.254", 443));
	ALLOWED(by_address("a.test", 443, "169.254.169.254", 0));
}

/* Of several blocks the narrowest that permits the address counts, in whatever
 * order they were written. */
static void finds_the_rule_behind_a_wider_one(void **state)
{
	(void)state;
	GIVEN("--allow", "0.0.0.0/0", "--allow", "169.254.169.254", "--allow",
	      "a.test");
	ALLOWED(by_literal("169.254.169.254", 443));
	ALLOWED(by_address("a.test", 443, "169.254.169.254", 0));
	GIVEN("--allow", "0.0.0.0/0+private", "--allow", "127.0.0.0/8+private");
	ALLOWED(by_literal("127.0.0.1", 443));
	ALLOWED(by_literal("::ffff:127.0.0.1", 443));
	GIVEN("--allow", "8.0.0.0/6", "--allow", "0.0.0.0/0+private");
	ALLOWED(by_literal("10.0.0.1", 443));
	GIVEN("--allow", "0.0.0.0/0", "--allow", "8.8.8.0/24/tcp");
	assert_int_equal(by_literal("8.8.8.8", 443).protocol,
			 RULE_PROTOCOL_TCP);
	assert_int_equal(by_literal("8.8.9.8", 443).protocol,
			 RULE_PROTOCOL_TLS);
}

/* 0.0.0.0/1 begins and ends with loopback, and is not it. */
static void takes_no_wide_block_for_a_written_one(void **state)
{
	(void)state;
	GIVEN("--allow", "0.0.0.0/1+private");
	ALLOWED(by_literal("10.0.0.1", 443));
	DENIED(by_literal("127.0.0.1", 443), REASON_DESTINATION_IP_PROHIBITED);
	GIVEN("--allow", "[::/0]+private");
	DENIED(by_literal("::1", 443), REASON_DESTINATION_IP_PROHIBITED);
	DENIED(by_literal("fe80::1", 443), REASON_DESTINATION_IP_PROHIBITED);
	DENIED(by_literal("ff02::1", 443), REASON_DESTINATION_IP_PROHIBITED);
}

/* What is spelt in a form out of use is refused, whatever IPv4 rule there is;
 * a deny rule covers it all the same. */
static void opens_no_outdated_spelling_of_ipv4(void **state)
{
	static const char *const forms[] = {
		"2002:c000:207::1", "::192.0.2.7", "::ffff:0:192.0.2.7",
		"2001:0:4136:e378:8000:63bf:3fff:fdf8"};

	(void)state;
	GIVEN("--allow", "192.0.2.0/24");
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		DENIED(by_literal(forms[i], 443),
		       REASON_DESTINATION_IP_PROHIBITED);
	ALLOWED(by_literal("::ffff:192.0.2.7", 443));
	ALLOWED(by_literal("64:ff9b::192.0.2.7", 443));
	GIVEN("--allow", "[2002::/16]", "--deny", "192.0.2.0/24");
	ALLOWED(by_literal("2002:808:808::1", 443));
	DENIED(by_literal("2002:c000:207::1", 443), REASON_HTTP_REQUEST_DENIED);
}

static void reads_a_mapped_block_as_the_ipv4_block(void **state)
{
	(void)state;
	GIVEN("--allow", "[::ffff:127.0.0.0/104]+private", "--deny",
	      "[::ffff:127.0.0.9]");
	ALLOWED(by_literal("127.0.0.1", 443));
	ALLOWED(by_literal("::ffff:127.0.0.1", 443));
	DENIED(by_literal("127.0.0.9", 443), REASON_HTTP_REQUEST_DENIED);
	assert_string_equal(rule_text(by_literal("127.0.0.1", 443).rule),
			    "127.0.0.0/8:443+private");
}

static void refuses_what_a_public_name_must_not_be(void **state)
{
	static const char *const bad[] = {"127.0.0.9",
					  "0.0.0.0",
					  "10.0.0.1",
					  "100.64.0.1",
					  "169.254.169.254",
					  "172.16.0.1",
					  "192.168.0.1",
					  "198.18.0.1",
					  "224.0.0.1",
					  "240.0.0.1",
					  "255.255.255.255",
					  "::1",
					  "::",
					  "fe80::1",
					  "fc00::1",
					  "fd00:ec2::254",
					  "ff02::1",
					  "::ffff:127.0.0.9",
					  "::127.0.0.9",
					  "64:ff9b::7f00:9",
					  "2002:7f00:9::1",
					  "::ffff:0:7f00:9"};

	(void)state;
	GIVEN("--allow", "a.test");
	ALLOWED(by_address("a.test", 443, "8.8.8.8", 0));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		DENIED(by_address("a.test", 443, bad[i], 0),
		       REASON_DESTINATION_IP_PROHIBITED);
	DENIED(by_address("a.test", 443, "8.8.8.8", POLICY_ADDRESS_OWN),
	       REASON_DESTINATION_IP_PROHIBITED);
}

static void lifts_just_what_private_says(void **state)
{
	(void)state;
	GIVEN("--allow", "a.test+private");
	ALLOWED(by_address("a.test", 443, "10.0.0.1", 0));
	ALLOWED(by_address("a.test", 443, "fd12::1", 0));
	ALLOWED(by_address("a.test", 443, "100.64.0.1", 0));
	DENIED(by_address("a.test", 443, "127.0.0.2", 0),
	       REASON_DESTINATION_IP_PROHIBITED);
	DENIED(by_address("a.test", 443, "fe80::1", 0),
	       REASON_DESTINATION_IP_PROHIBITED);
	ALLOWED(by_address("a.test", 443, "127.0.0.2", POLICY_ADDRESS_WRITTEN));
	ALLOWED(by_address("a.test", 443, "10.0.0.1",
			   POLICY_ADDRESS_OWN | POLICY_ADDRESS_WRITTEN));
	DENIED(by_address("a.test", 443, "10.0.0.1", POLICY_ADDRESS_OWN),
	       REASON_DESTINATION_IP_PROHIBITED);
	GIVEN("--allow", "a.test");
	DENIED(by_address("a.test", 443, "127.0.0.2", POLICY_ADDRESS_WRITTEN),
	       REASON_DESTINATION_IP_PROHIBITED);
}

static void lets_address_denies_judge_names_too(void **state)
{
	(void)state;
	GIVEN("--allow", "a.test", "--deny", "8.8.8.0/24");
	DENIED(by_address("a.test", 443, "8.8.8.8", 0),
	       REASON_DESTINATION_IP_PROHIBITED);
	DENIED(by_address("a.test", 443, "::ffff:8.8.8.8", 0),
	       REASON_DESTINATION_IP_PROHIBITED);
	ALLOWED(by_address("a.test", 443, "8.8.9.8", 0));
}

static struct decision shown(const char *authority, const char *server_name)
{
	struct decision d = authority != NULL ? by_name(authority, 443)
					      : by_literal("8.8.8.8", 443);
	struct hostname a, s;

	ALLOWED(d);
	if (authority != NULL)
		a = name_of(authority);
	if (server_name != NULL)
		s = name_of(server_name);
	return policy_decide_server_name(policy, &d,
					 authority != NULL ? &a : NULL,
					 server_name != NULL ? &s : NULL, 443);
}

static void wants_the_name_it_allowed(void **state)
{
	(void)state;
	GIVEN("--allow", "a.test", "--allow", "b.test", "--allow", "8.8.8.8",
	      "--deny", "evil.test");
	ALLOWED(shown("a.test", "a.test"));
	DENIED(shown("a.test", NULL), REASON_SERVER_NAME_ABSENT);
	/* Allowed as well, but not at this address. */
	DENIED(shown("a.test", "b.test"), REASON_SERVER_NAME_MISMATCH);
	DENIED(shown("a.test", "a.test.evil.test"),
	       REASON_SERVER_NAME_MISMATCH);
	ALLOWED(shown(NULL, NULL));
	ALLOWED(shown(NULL, "anything.test"));
	DENIED(shown(NULL, "evil.test"), REASON_HTTP_REQUEST_DENIED);
}

static void observes_without_opening_the_house(void **state)
{
	struct decision d;

	(void)state;
	GIVEN("--observe", "--deny", "evil.test", "--allow", "known.test");
	d = by_name("any.test", 22);
	ALLOWED(d);
	assert_int_equal(d.would, VERDICT_DENY);
	assert_int_equal(d.protocol, RULE_PROTOCOL_TCP);
	assert_int_equal(by_name("any.test", 80).protocol, RULE_PROTOCOL_HTTP);
	DENIED(by_name("evil.test", 443), REASON_HTTP_REQUEST_DENIED);
	d = by_name("known.test", 443);
	assert_int_equal(d.would, VERDICT_ALLOW);
	d = by_address("any.test", 443, "8.8.8.8", 0);
	ALLOWED(d);
	assert_int_equal(d.would, VERDICT_DENY);
	DENIED(by_address("any.test", 443, "10.0.0.1", 0),
	       REASON_DESTINATION_IP_PROHIBITED);
	DENIED(by_address("any.test", 443, "127.0.0.1", 0),
	       REASON_DESTINATION_IP_PROHIBITED);
	DENIED(by_literal("127.0.0.1", 443), REASON_DESTINATION_IP_PROHIBITED);
	ALLOWED(by_literal("8.8.8.8", 443));
	ALLOWED(by_address("any.test", 443, "127.0.0.1",
			   POLICY_ADDRESS_WRITTEN));
	DENIED(by_address("any.test", 443, "169.254.169.254",
			  POLICY_ADDRESS_WRITTEN),
	       REASON_DESTINATION_IP_PROHIBITED);
	d = shown("known.test", "other.test");
	ALLOWED(d);
	assert_int_equal(d.would, VERDICT_DENY);
	DENIED(shown("known.test", "evil.test"), REASON_HTTP_REQUEST_DENIED);
	GIVEN("--observe", "--observe-private");
	ALLOWED(by_address("any.test", 443, "10.0.0.1", 0));
	DENIED(by_address("any.test", 443, "127.0.0.1", 0),
	       REASON_DESTINATION_IP_PROHIBITED);
}

/* --connect is what a rule of an operating system says: every site on that
 * port. It opens nothing that a name's own rule would not open either. */
static void opens_a_port_to_every_site(void **state)
{
	(void)state;
	GIVEN("--connect", "8443", "--deny", "evil.test", "--deny",
	      "9.9.9.0/24", "--allow", "strict.test:8443");
	ALLOWED(by_name("any.test", 8443));
	assert_int_equal(by_name("any.test", 8443).protocol, RULE_PROTOCOL_TCP);
	assert_string_equal(rule_source(by_name("any.test", 8443).rule),
			    "--connect 8443");
	assert_int_equal(by_name("strict.test", 8443).protocol,
			 RULE_PROTOCOL_TLS);
	DENIED(by_name("any.test", 443), REASON_PORT_NOT_ALLOWED);
	DENIED(by_name("evil.test", 8443), REASON_HTTP_REQUEST_DENIED);
	ALLOWED(by_literal("8.8.8.8", 8443));
	ALLOWED(by_literal("2606:4700::1", 8443));
	DENIED(by_literal("9.9.9.9", 8443), REASON_HTTP_REQUEST_DENIED);
	DENIED(by_literal("10.0.0.1", 8443), REASON_DESTINATION_IP_PROHIBITED);
	DENIED(by_literal("127.0.0.1", 8443), REASON_DESTINATION_IP_PROHIBITED);
	DENIED(by_literal("169.254.169.254", 8443),
	       REASON_DESTINATION_IP_PROHIBITED);
	ALLOWED(by_address("any.test", 8443, "8.8.8.8", 0));
	DENIED(by_address("any.test", 8443, "10.0.0.1", 0),
	       REASON_DESTINATION_IP_PROHIBITED);
}

/* "Every name" does not mean those of the machine or of its own network. */
static void wants_local_names_written(void **state)
{
	static const char *const local[] = {"localhost", "foo.localhost",
					    "printer", "nas.local",
					    "metadata.google.internal"};

	(void)state;
	GIVEN("--connect", "443");
	for (size_t i = 0; i < sizeof(local) / sizeof(local[0]); i++)
		DENIED(by_name(local[i], 443), REASON_HTTP_REQUEST_DENIED);
	ALLOWED(by_name("internal.test", 443));
	GIVEN("--connect", "443", "--allow", "nas.local", "--allow",
	      "*.corp.internal", "--allow", "printer");
	ALLOWED(by_name("nas.local", 443));
	ALLOWED(by_name("printer", 443));
	ALLOWED(by_name("a.corp.internal", 443));
	GIVEN("--deny", "*", "--allow", "nas.local");
	DENIED(by_name("nas.local", 443), REASON_HTTP_REQUEST_DENIED);
}

static void decides_alike_among_many_rules(void **state)
{
	struct conf *conf = conf_new("/", NULL);
	struct diag diag = {.text = ""};
	int used;

	(void)state;
	for (int i = 0; i < 10000; i++) {
		char flag[64];
		char *argv[] = {flag};
		(void)snprintf(flag, sizeof(flag), "--allow=h%d.example.com",
			       i);
		assert_int_equal(conf_add_flag(conf, 1, argv, &used, &diag),
				 CONF_FLAG_TAKEN);
	}
	policy_free(policy);
	policy = conf_build(conf, &diag);
	conf_free(conf);
	assert_non_null(policy);
	for (int i = 0; i < 10000; i++) {
		char host[64];
		(void)snprintf(host, sizeof(host), "h%d.example.com", i);
		ALLOWED(by_name(host, 443));
		(void)snprintf(host, sizeof(host), "g%d.example.com", i);
		DENIED(by_name(host, 443), REASON_HTTP_REQUEST_DENIED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(denies_everything_without_rules),
		cmocka_unit_test(allows_a_host_on_its_port_only),
		cmocka_unit_test(matches_wildcards_on_label_borders),
		cmocka_unit_test(knows_a_name_by_every_spelling),
		cmocka_unit_test(lets_deny_win_in_every_order),
		cmocka_unit_test(joins_rules_of_one_host),
		cmocka_unit_test(keeps_literals_and_names_apart),
		cmocka_unit_test(opens_no_private_address_by_a_wide_block),
		cmocka_unit_test(opens_metadata_by_its_exact_rule_only),
		cmocka_unit_test(finds_the_rule_behind_a_wider_one),
		cmocka_unit_test(takes_no_wide_block_for_a_written_one),
		cmocka_unit_test(opens_no_outdated_spelling_of_ipv4),
		cmocka_unit_test(reads_a_mapped_block_as_the_ipv4_block),
		cmocka_unit_test(refuses_what_a_public_name_must_not_be),
		cmocka_unit_test(lifts_just_what_private_says),
		cmocka_unit_test(lets_address_denies_judge_names_too),
		cmocka_unit_test(wants_the_name_it_allowed),
		cmocka_unit_test(observes_without_opening_the_house),
		cmocka_unit_test(opens_a_port_to_every_site),
		cmocka_unit_test(wants_local_names_written),
		cmocka_unit_test(decides_alike_among_many_rules),
	};

	return cmocka_run_group_tests(tests, NULL, clean);
}
