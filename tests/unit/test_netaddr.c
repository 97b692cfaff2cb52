/* SPDX-License-Identifier: MIT */
/* test_netaddr: spellings, folding, classes and blocks of IP addresses. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "netaddr.h"

static struct netaddr parse(const char *text)
{
	struct netaddr addr = {.family = 0};

	if (!netaddr_parse(text, strlen(text), &addr))
		fail_msg("%s was refused", text);
	return addr;
}

static void refuses_every_loose_spelling(void **state)
{
	static const char *const bad[] = {
		"",           "127.1",
		"127.0.1",    "2130706433",
		"0x7f000001", "0x7f.0.0.1",
		"0177.0.0.1", "127.0.0.010",
		"00.0.0.0",   "127.0.0.1.",
		" 127.0.0.1", "127.0.0.1 ",
		"256.0.0.1",  "1.2.3.4.5",
		"1.2.3",      "[::1]",
		"fe80::1%lo", "::1%25lo",
		"1::2::3",    ":::",
		"12345::",    "::ffff:127.0.0.01",
		"localhost",
	};
	struct netaddr addr;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (netaddr_parse(bad[i], strlen(bad[i]), &addr))
			fail_msg("%s was taken", bad[i]);
	assert_false(netaddr_parse("127.0.0.1\0x", 11, &addr));
}

static void writes_what_it_reads(void **state)
{
	static const char *const same[] = {
		"0.0.0.0", "255.255.255.255", "10.0.200.1", "::",
		"::1",     "2001:db8::1",     "fe80::1"};
	char text[NETADDR_TEXT_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		struct netaddr addr = parse(same[i]);
		netaddr_format(&addr, text);
		assert_string_equal(text, same[i]);
	}
}

/* One address at least of every block of the registries, and its borders
 * where the next block is of another class. */
static const struct {
	const char *text;
	enum netaddr_class is;
} classes[] = {
	{"1.1.1.1",			      NETADDR_PUBLIC    },
	{"9.255.255.255",                        NETADDR_PUBLIC    },
	{"10.0.0.0",			     NETADDR_PRIVATE   },
	{"10.255.255.255",                       NETADDR_PRIVATE   },
	{"11.0.0.0",			     NETADDR_PUBLIC    },
	{"0.0.0.0",			      NETADDR_LOOPBACK  },
	{"0.1.2.3",			      NETADDR_LOOPBACK  },
	{"127.0.0.1",			    NETADDR_LOOPBACK  },
	{"127.255.255.255",                      NETADDR_LOOPBACK  },
	{"128.0.0.0",			    NETADDR_PUBLIC    },
	{"100.63.255.255",                       NETADDR_PUBLIC    },
	{"100.64.0.0",			   NETADDR_PRIVATE   },
	{"100.127.255.255",                      NETADDR_PRIVATE   },
	{"100.128.0.0",			  NETADDR_PUBLIC    },
	{"100.100.100.200",                      NETADDR_METADATA  },
	{"169.254.169.254",                      NETADDR_METADATA  },
	{"169.254.170.2",                        NETADDR_METADATA  },
	{"169.254.170.23",                       NETADDR_METADATA  },
	{"169.254.169.253",                      NETADDR_LINK_LOCAL},
	{"168.63.129.16",                        NETADDR_METADATA  },
	{"168.63.129.17",                        NETADDR_PUBLIC    },
	{"172.15.255.255",                       NETADDR_PUBLIC    },
	{"172.16.0.0",			   NETADDR_PRIVATE   },
	{"172.31.255.255",                       NETADDR_PRIVATE   },
	{"172.32.0.0",			   NETADDR_PUBLIC    },
	{"192.0.0.8",			    NETADDR_SPECIAL   },
	{"192.0.0.192",			  NETADDR_METADATA  },
	{"192.0.2.1",			    NETADDR_SPECIAL   },
	{"192.31.196.1",			 NETADDR_SPECIAL   },
	{"192.52.193.1",			 NETADDR_SPECIAL   },
	{"192.88.99.1",			  NETADDR_SPECIAL   },
	{"192.168.0.1",			  NETADDR_PRIVATE   },
	{"192.175.48.1",			 NETADDR_SPECIAL   },
	{"198.18.0.1",			   NETADDR_SPECIAL   },
	{"198.19.255.255",                       NETADDR_SPECIAL   },
	{"198.20.0.0",			   NETADDR_PUBLIC    },
	{"198.51.100.1",			 NETADDR_SPECIAL   },
	{"203.0.113.1",			  NETADDR_SPECIAL   },
	{"223.255.255.255",                      NETADDR_PUBLIC    },
	{"224.0.0.1",			    NETADDR_SPECIAL   },
	{"240.0.0.1",			    NETADDR_SPECIAL   },
	{"255.255.255.255",                      NETADDR_SPECIAL   },
	{"::",				   NETADDR_LOOPBACK  },
	{"::1",				  NETADDR_LOOPBACK  },
	{"2606:4700::1",			 NETADDR_PUBLIC    },
	{"2001:4860:4860::8888",                 NETADDR_PUBLIC    },
	{"2001:db8::1",			  NETADDR_SPECIAL   },
	{"2001:2::1",			    NETADDR_SPECIAL   },
	{"2001:20::1",			   NETADDR_SPECIAL   },
	{"2620:4f:8000::1",                      NETADDR_SPECIAL   },
	{"3fff::1",			      NETADDR_SPECIAL   },
	{"fc00::1",			      NETADDR_PRIVATE   },
	{"fd12:3456::1",			 NETADDR_PRIVATE   },
	{"fd00:ec2::254",                        NETADDR_METADATA  },
	{"fd00:ec2::23",			 NETADDR_METADATA  },
	{"fd20:ce::254",			 NETADDR_METADATA  },
	{"fe80::1",			      NETADDR_LINK_LOCAL},
	{"4000::1",			      NETADDR_SPECIAL   },
	{"2001:200::1",			  NETADDR_PUBLIC    },
	{"2001:1::1",			    NETADDR_SPECIAL   },
	{"2001:4:112::1",                        NETADDR_SPECIAL   },
	{"100:0:0:1::1",			 NETADDR_SPECIAL   },
	{"fec0::1",			      NETADDR_SPECIAL   },
	{"ff02::1",			      NETADDR_SPECIAL   },
	{"100::1",			       NETADDR_SPECIAL   },
	{"5f00::1",			      NETADDR_SPECIAL   },
	{"64:ff9b:1::1",			 NETADDR_SPECIAL   },
 /* IPv4 inside IPv6 */
	{"::ffff:127.0.0.9",                     NETADDR_LOOPBACK  },
	{"::ffff:7f00:9",                        NETADDR_LOOPBACK  },
	{"::ffff:10.0.0.1",                      NETADDR_PRIVATE   },
	{"::ffff:169.254.169.254",               NETADDR_METADATA  },
	{"::ffff:1.1.1.1",                       NETADDR_PUBLIC    },
	{"64:ff9b::7f00:9",                      NETADDR_LOOPBACK  },
	{"64:ff9b::1.1.1.1",                     NETADDR_PUBLIC    },
	{"::127.0.0.9",			  NETADDR_SPECIAL   },
	{"::1.1.1.1",			    NETADDR_SPECIAL   },
	{"2002:7f00:9::1",                       NETADDR_SPECIAL   },
	{"2002:101:101::1",                      NETADDR_SPECIAL   },
	{"::ffff:0:7f00:9",                      NETADDR_SPECIAL   },
	{"2001:0:4136:e378:8000:63bf:3fff:fdd2", NETADDR_SPECIAL   },
};

static void knows_every_special_block(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		struct netaddr addr = parse(classes[i].text);
		if (netaddr_classify(&addr) != classes[i].is)
			fail_msg("%s is %s", classes[i].text,
				 netaddr_class_text(netaddr_classify(&addr)));
	}
}

static void unfolds_ipv4_for_the_record(void **state)
{
	static const struct {
		const char *from, *to;
	} rows[] = {
		{"::ffff:127.0.0.9",                     "127.0.0.9"       },
		{"::127.0.0.9",                          "127.0.0.9"       },
		{"64:ff9b::7f00:9",                      "127.0.0.9"       },
		{"2002:7f00:9::1",                       "127.0.0.9"       },
		{"::ffff:0:7f00:9",                      "127.0.0.9"       },
		{"2001:0:4136:e378:8000:63bf:80ff:fff6", "127.0.0.9"       },
		{"::1",				  "::1"             },
		{"::",				   "::"              },
		{"2001:db8::7f00:9",                     "2001:db8::7f00:9"},
		{"127.0.0.9",                            "127.0.0.9"       },
	};

	char text[NETADDR_TEXT_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct netaddr addr = parse(rows[i].from);
		struct netaddr folded = netaddr_fold(&addr);
		netaddr_format(&folded, text);
		assert_string_equal(text, rows[i].to);
	}
}

static void reads_blocks_without_host_bits(void **state)
{
	static const char *const bad[] = {
		"10.0.0.1/8",     "10.0.0.0/33", "10.0.0.0/-1",
		"10.0.0.0/08",    "10.0.0.0/",   "10.0.0.0/8 ",
		"2001:db8::1/32", "::/129",      "/8"};
	struct netaddr_block block;
	struct netaddr in = parse("10.255.0.1"), out = parse("11.0.0.0");

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (netaddr_parse_block(bad[i], strlen(bad[i]), &block))
			fail_msg("%s was taken", bad[i]);
	assert_true(netaddr_parse_block("10.0.0.0/8", 10, &block));
	assert_true(netaddr_block_contains(&block, &in));
	assert_false(netaddr_block_contains(&block, &out));
	assert_true(netaddr_parse_block("172.16.0.0/12", 13, &block));
	in = parse("172.31.255.255");
	out = parse("172.32.0.0");
	assert_true(netaddr_block_contains(&block, &in));
	assert_false(netaddr_block_contains(&block, &out));
	assert_true(netaddr_parse_block("::/0", 4, &block));
	in = parse("2001:db8::1");
	assert_true(netaddr_block_contains(&block, &in));
	in = parse("1.2.3.4");
	assert_false(netaddr_block_contains(&block, &in));
	assert_true(netaddr_parse_block("1.2.3.4", 7, &block));
	assert_int_equal(block.prefix_bits, 32);
}

static void reads_mapped_blocks_as_ipv4(void **state)
{
	static const struct {
		const char *from, *to;
	} rows[] = {
		{"::ffff:127.0.0.0/104", "127.0.0.0/8"  },
		{"::ffff:0:0/96",        "0.0.0.0/0"    },
		{"::ffff:10.0.0.1",      "10.0.0.1"     },
		{"::fffe:0:0/95",        "::fffe:0:0/95"},
		{"64:ff9b::/96",         "64:ff9b::/96" },
		{"10.0.0.0/8",           "10.0.0.0/8"   },
	};
	struct netaddr_block from, to;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(netaddr_parse_block(rows[i].from,
						strlen(rows[i].from), &from));
		assert_true(netaddr_parse_block(rows[i].to, strlen(rows[i].to),
						&to));
		from = netaddr_block_unmap(&from);
		assert_true(netaddr_equal(&from.addr, &to.addr));
		assert_int_equal(from.prefix_bits, to.prefix_bits);
	}
}

static void knows_blocks_that_lie_in_one_class(void **state)
{
	static const struct {
		const char *text;
		enum netaddr_class c;
		bool is_within;
	} rows[] = {
		{"127.0.0.0/8",    NETADDR_LOOPBACK,   true },
		{"127.0.0.1",      NETADDR_LOOPBACK,   true },
		{"0.0.0.0/1",      NETADDR_LOOPBACK,   false},
		{"126.0.0.0/7",    NETADDR_LOOPBACK,   false},
		{"10.0.0.0/8",     NETADDR_PRIVATE,    true },
		{"10.0.0.0/7",     NETADDR_PRIVATE,    false},
		{"10.0.0.0/8",     NETADDR_LOOPBACK,   false},
		{"169.254.0.0/16", NETADDR_LINK_LOCAL, true },
		{"fe80::/10",      NETADDR_LINK_LOCAL, true },
		{"fe00::/9",       NETADDR_LINK_LOCAL, false},
		{"fd00::/8",       NETADDR_PRIVATE,    true },
		{"::1",            NETADDR_LOOPBACK,   true },
		{"::/0",           NETADDR_SPECIAL,    false},
		{"2001:db8::/32",  NETADDR_SPECIAL,    true },
		{"ff02::/16",      NETADDR_SPECIAL,    true },
	};
	struct netaddr_block block;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(netaddr_parse_block(rows[i].text,
						strlen(rows[i].text), &block));
		if (netaddr_block_is_within(&block, rows[i].c) !=
		    rows[i].is_within)
			fail_msg("%s", rows[i].text);
	}
}

static void names_the_registry_entry(void **state)
{
	static const struct {
		const char *text, *purpose;
	} rows[] = {
		{"10.1.2.3",        "Private-Use, RFC 1918"               },
		{"::ffff:10.1.2.3", "Private-Use, RFC 1918"               },
		{"203.0.113.9",     "Documentation (TEST-NET-3), RFC 5737"},
		{"2001:db8::1",     "Documentation, RFC 3849"             },
		{"2001:2::1",       "Benchmarking, RFC 5180"              },
		{"2002:808:808::1", "6to4, RFC 3056"                      },
	};

	char text[NETADDR_PURPOSE_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct netaddr addr = parse(rows[i].text);
		assert_true(netaddr_purpose(&addr, text));
		assert_string_equal(text, rows[i].purpose);
	}
	struct netaddr public = parse("8.8.8.8");
	assert_false(netaddr_purpose(&public, text));
}

static void goes_to_a_sockaddr_and_back(void **state)
{
	static const char *const texts[] = {"127.0.0.1", "2001:db8::5"};
	struct sockaddr_storage sa;
	struct netaddr back;
	uint16_t port = 0;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct netaddr addr = parse(texts[i]);
		socklen_t len = netaddr_to_sockaddr(&addr, 8443, &sa);
		assert_int_equal(len, i == 0 ? sizeof(struct sockaddr_in)
					     : sizeof(struct sockaddr_in6));
		assert_true(netaddr_from_sockaddr((struct sockaddr *)&sa, &back,
						  &port));
		assert_true(netaddr_equal(&addr, &back));
		assert_int_equal(port, 8443);
	}
	sa.ss_family = AF_UNIX;
	assert_false(
		netaddr_from_sockaddr((struct sockaddr *)&sa, &back, &port));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_every_loose_spelling),
		cmocka_unit_test(writes_what_it_reads),
		cmocka_unit_test(knows_every_special_block),
		cmocka_unit_test(unfolds_ipv4_for_the_record),
		cmocka_unit_test(reads_blocks_without_host_bits),
		cmocka_unit_test(reads_mapped_blocks_as_ipv4),
		cmocka_unit_test(knows_blocks_that_lie_in_one_class),
		cmocka_unit_test(names_the_registry_entry),
		cmocka_unit_test(goes_to_a_sockaddr_and_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
