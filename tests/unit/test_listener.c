/* SPDX-License-Identifier: MIT */
/* test_listener: what an accepted connection is like. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>
#include <event2/event.h>

#include "diag.h"
#include "listener.h"

static bool has_room(void *arg)
{
	(void)arg;
	return true;
}

static void take(void *arg, int fd_own)
{
	int *accepted = arg;

	*accepted = fd_own;
}

static void starve(void *arg, int error)
{
	(void)arg;
	fail_msg("starved: %d", error);
}

/* Listens at @where. Return: what one client gets. */
static int accept_at(const char *where, bool is_inside)
{
	struct event_base *base = event_base_new();
	struct diag diag = {.text = ""};
	int accepted = -1;
	const struct listener_owner owner = {
		.base = base,
		.has_room = has_room,
		.take = take,
		.starve = starve,
		.arg = &accepted,
		.is_inside = is_inside,
	};
	struct sockaddr_in sa = {.sin_family = AF_INET};
	socklen_t len = sizeof(sa);
	int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int fd = listener_open(where, false, &diag);

	assert_true(fd >= 0);
	struct listener *listener = listener_new(&owner, fd);
	assert_non_null(listener);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&sa, &len), 0);
	sa.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(connect(client, (struct sockaddr *)&sa, sizeof(sa)),
			 0);
	while (accepted < 0)
		assert_true(event_base_loop(base, EVLOOP_ONCE) >= 0);
	listener_free(listener);
	event_base_free(base);
	(void)close(client);
	return accepted;
}

struct control {
	char name[16];
};

static struct control control_of(int fd_own)
{
	struct control control = {.name = ""};
	socklen_t len = sizeof(control.name) - 1;

	assert_int_equal(getsockopt(fd_own, IPPROTO_TCP, TCP_CONGESTION,
				    control.name, &len),
			 0);
	(void)close(fd_own);
	return control;
}

static void sends_small_messages_at_once(void **state)
{
	int is_set = 0;
	socklen_t len = sizeof(is_set);
	int fd = accept_at("127.0.0.1:0", false);

	(void)state;
	assert_int_equal(
		getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &is_set, &len), 0);
	assert_int_equal(is_set, 1);
	(void)close(fd);
}

static void does_not_pace_what_stays_on_the_machine(void **state)
{
	struct control loopback = control_of(accept_at("127.0.0.1:0", false));
	struct control inside = control_of(accept_at("0.0.0.0:0", true));

	(void)state;
	assert_string_equal(loopback.name, "reno");
	assert_string_equal(inside.name, "reno");
}

static void leaves_the_network_its_congestion_control(void **state)
{
	struct control usual =
		control_of(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
	struct control network = control_of(accept_at("0.0.0.0:0", false));

	(void)state;
	assert_string_equal(network.name, usual.name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sends_small_messages_at_once),
		cmocka_unit_test(does_not_pace_what_stays_on_the_machine),
		cmocka_unit_test(leaves_the_network_its_congestion_control),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
