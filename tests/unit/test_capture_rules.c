/* SPDX-License-Identifier: MIT */
/* Every address leads to one listener, in a network namespace of the test's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture_rules.h"
#include "netaddr.h"
#include "netns.h"

#define PORT 17081

enum {
	HOLDS = 0,
	FAILS = 1,
	NO_NAMESPACE = 77,
};

static bool raise_lo(bool with_ipv6)
{
	struct ifreq request = {.ifr_name = "lo"};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (!with_ipv6) {
		int file = open("/proc/sys/net/ipv6/conf/lo/disable_ipv6",
				O_WRONLY | O_CLOEXEC);
		if (file < 0 || write(file, "1", 1) != 1)
			return false;
		(void)close(file);
	}
	request.ifr_flags = IFF_UP;
	bool is_up = ioctl(fd, SIOCSIFFLAGS, &request) == 0;
	(void)close(fd);
	return is_up;
}

/* In a child: a namespace cannot be left again. */
static void in_namespace(int (*check)(void), bool with_ipv6)
{
	pid_t pid = fork();
	int status = 0;

	assert_true(pid >= 0);
	if (pid == 0) {
		if (unshare(CLONE_NEWNET) != 0 &&
		    unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
			_exit(NO_NAMESPACE);
		_exit(raise_lo(with_ipv6) ? check() : NO_NAMESPACE);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == NO_NAMESPACE)
		skip();
	assert_int_equal(WEXITSTATUS(status), HOLDS);
}

static int connect_to(const char *text, uint16_t port)
{
	struct sockaddr_storage sa;
	struct netaddr addr;

	if (!netaddr_parse(text, strlen(text), &addr))
		return -EINVAL;
	socklen_t len = netaddr_to_sockaddr(&addr, port, &sa);
	int fd = socket(addr.family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (const struct sockaddr *)&sa, len) == 0)
		return fd;
	int rc = -errno;
	(void)close(fd);
	return rc;
}

/* A connection there comes out of @listener, and says where it was meant to go
 * ("::ffff:" before IPv4 on a socket of both families). */
static bool leads_here(int listener, const char *text, const char *seen,
		       uint16_t port)
{
	struct sockaddr_storage sa = {.ss_family = AF_UNSPEC};
	socklen_t len = sizeof(sa);
	char found[NETADDR_TEXT_BYTES];
	struct netaddr addr;
	uint16_t found_port = 0;

	int client = connect_to(text, port);
	if (client < 0)
		return false;
	int accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (accepted < 0 ||
	    getsockname(accepted, (struct sockaddr *)&sa, &len) != 0 ||
	    !netaddr_from_sockaddr((const struct sockaddr *)&sa, &addr,
				   &found_port))
		return false;
	(void)close(client);
	(void)close(accepted);
	netaddr_format(&addr, found);
	return strcmp(found, seen) == 0 && found_port == port;
}

static int listen_to_all(bool has_ipv6)
{
	const struct netns_socket wanted = {
		.type = SOCK_STREAM,
		.port = PORT,
		.is_transparent = true,
		.is_ipv4_only = !has_ipv6,
	};

	return netns_socket(&wanted);
}

static int check_both(void)
{
	bool has_ipv6 = false;

	if (capture_add_routes(&has_ipv6) != 0 || !has_ipv6 ||
	    capture_add_rules(PORT) != 0)
		return FAILS;
	int fd = listen_to_all(true);
	if (fd < 0 || !leads_here(fd, "192.0.2.1", "::ffff:192.0.2.1", 443) ||
	    !leads_here(fd, "8.8.8.8", "::ffff:8.8.8.8", 1) ||
	    !leads_here(fd, "2001:db8::1", "2001:db8::1", 65535) ||
	    !leads_here(fd, "::ffff:10.1.2.3", "::ffff:10.1.2.3", 22))
		return FAILS;
	/* The sandbox's own, and the port of names. */
	if (connect_to("127.0.0.1", 443) != -ECONNREFUSED ||
	    connect_to("127.1.2.3", 443) != -ECONNREFUSED ||
	    connect_to("::1", 443) != -ECONNREFUSED ||
	    connect_to("8.8.8.8", 53) != -ECONNREFUSED)
		return FAILS;
	return HOLDS;
}

static int check_ipv4(void)
{
	bool has_ipv6 = true;

	if (capture_add_routes(&has_ipv6) != 0 || has_ipv6 ||
	    capture_add_rules(PORT) != 0)
		return FAILS;
	int fd = listen_to_all(false);
	return fd >= 0 && leads_here(fd, "192.0.2.1", "192.0.2.1", 443) &&
			       connect_to("2001:db8::1", 443) < 0
		       ? HOLDS
		       : FAILS;
}

/* What is already there is not taken for done. */
static int check_twice(void)
{
	bool has_ipv6 = false;

	int first = capture_add_routes(&has_ipv6);
	int second = capture_add_routes(&has_ipv6);
	return first == 0 && second == -EEXIST ? HOLDS : FAILS;
}

static void every_address_leads_to_the_listener(void **state)
{
	(void)state;
	in_namespace(check_both, true);
}

static void without_ipv6_ipv4_is_captured(void **state)
{
	(void)state;
	in_namespace(check_ipv4, false);
}

static void an_error_of_the_kernel_is_heard(void **state)
{
	(void)state;
	in_namespace(check_twice, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_address_leads_to_the_listener),
		cmocka_unit_test(without_ipv6_ipv4_is_captured),
		cmocka_unit_test(an_error_of_the_kernel_is_heard),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
