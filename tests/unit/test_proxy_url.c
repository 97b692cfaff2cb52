/* SPDX-License-Identifier: MIT */
/* test_proxy_url: one reading of a proxy's URL, and its credentials. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proxy_url.h"

static void reads_scheme_host_and_port(void **state)
{
	static const struct {
		const char *url;
		enum proxy_url_scheme scheme;
		const char *host;
	} rows[] = {
		{"http://proxy.test:3128",        PROXY_URL_HTTP,   "proxy.test:3128"},
		{"https://PROXY.test.:443/",      PROXY_URL_HTTPS,  "proxy.test:443" },
		{"socks5h://127.0.0.1:1080",      PROXY_URL_SOCKS5,
		 "127.0.0.1:1080"						    },
		{"socks5://[2001:DB8::1]:1",      PROXY_URL_SOCKS5,
		 "[2001:db8::1]:1"						   },
		{"http://u:p@a@proxy.test:65535", PROXY_URL_HTTP,
		 "proxy.test:65535"						  },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct proxy_url url;
		char buf[HOSTNAME_MAX_BYTES + 8];
		struct text t;

		assert_null(proxy_url_parse(rows[i].url, strlen(rows[i].url),
					    &url));
		text_init(&t, buf, sizeof(buf));
		proxy_url_add_host(&url, &t);
		assert_string_equal(buf, rows[i].host);
		assert_int_equal(url.scheme, rows[i].scheme);
	}
}

static void refuses_what_could_mean_two_things(void **state)
{
	static const char *const rows[] = {
		"",
		"proxy.test:3128",
		"ftp://proxy.test:1",
		"http://",
		"http://proxy.test",
		"http://proxy.test:",
		"http://proxy.test:0",
		"http://proxy.test:65536",
		"http://proxy.test:080",
		"http://proxy.test:80/x",
		"http://proxy.test:80//",
		"http://proxy.test:80?x",
		"http://proxy test:80",
		"http://:80",
		"http://127.1:80",
		"http://[127.0.0.1]:80",
		"http://2001:db8::1:80",
		"http://a..test:80",
		"http://u%0d%0aX:p@proxy.test:80",
		"http://u%00:p@proxy.test:80",
		"http://u%:p@proxy.test:80",
		"http://u%4:p@proxy.test:80",
		"http://u%zz:p@proxy.test:80",
		"http://u%3ax:p@proxy.test:80",
		"http://\xc3\xa4.test:80",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct proxy_url url = {.port = 7};

		if (proxy_url_parse(rows[i], strlen(rows[i]), &url) == NULL)
			fail_msg("taken: %s", rows[i]);
		assert_int_equal(url.port, 7);
	}
}

static void refuses_credentials_that_are_too_long(void **state)
{
	char buf[400];
	struct proxy_url url;
	struct text t;

	(void)state;
	for (int len = 255; len <= 256; len++) {
		text_init(&t, buf, sizeof(buf));
		text_add(&t, "http://");
		for (int i = 0; i < len; i++)
			text_add(&t, "u");
		text_add(&t, ":p@proxy.test:80");
		assert_int_equal(proxy_url_parse(buf, t.len, &url) == NULL,
				 len == 255);
	}
	assert_int_equal(strlen(url.user), 255);
}

static void encodes_credentials_as_rfc_7617_does(void **state)
{
	static const struct {
		const char *url, *basic;
	} rows[] = {
		{"http://Aladdin:open%20sesame@h.test:1",
		 "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="                     },
		{"http://u:p%40@h.test:1",                "Basic dTpwQA=="},
		{"http://u@h.test:1",                     "Basic dTo="    },
		{"http://ab:cd@h.test:1",                 "Basic YWI6Y2Q="},
		{"http://%C3%A4:%ff@h.test:1",            "Basic w6Q6/w=="},
		{"http://a:%3A:@h.test:1",                "Basic YTo6Og=="},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct proxy_url url;
		char buf[128];
		struct text t;

		assert_null(proxy_url_parse(rows[i].url, strlen(rows[i].url),
					    &url));
		assert_true(url.has_user);
		text_init(&t, buf, sizeof(buf));
		proxy_url_add_basic(&url, &t);
		assert_string_equal(buf, rows[i].basic);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_scheme_host_and_port),
		cmocka_unit_test(refuses_what_could_mean_two_things),
		cmocka_unit_test(refuses_credentials_that_are_too_long),
		cmocka_unit_test(encodes_credentials_as_rfc_7617_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
