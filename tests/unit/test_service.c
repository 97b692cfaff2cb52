/* SPDX-License-Identifier: MIT */
/* service: questions and answers arrive whole, with their descriptors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "service.h"

static void open_pair(int pair[2])
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
}

static void a_question_arrives(void **state)
{
	const struct service_question asked = {
		.kind = SERVICE_WHO,
		.id = 7,
		.flow = {.inner_port = 443},
	};
	struct service_question heard;
	int pair[2];

	(void)state;
	open_pair(pair);
	assert_int_equal(service_hear(pair[1], &heard), -EAGAIN);
	assert_int_equal(service_ask(pair[0], &asked), 0);
	assert_int_equal(service_hear(pair[1], &heard), 1);
	assert_int_equal(heard.id, 7);
	assert_int_equal(heard.flow.inner_port, 443);
	(void)close(pair[0]);
	assert_int_equal(service_hear(pair[1], &heard), 0);
	(void)close(pair[1]);
}

static void an_answer_brings_its_sockets(void **state)
{
	struct service_answer sent = {.id = 9, .count = 3};
	struct service_answer got;
	int made[SERVICE_SOCKETS_MAX] = {0};
	int taken[SERVICE_SOCKETS_MAX];
	int pair[2];

	(void)state;
	open_pair(pair);
	for (size_t i = 0; i < sent.count; i++)
		made[i] = socket(AF_UNIX, SOCK_STREAM, 0);
	memset(sent.exe, 'x', sizeof(sent.exe));
	assert_int_equal(service_answer(pair[0], &sent, made), 0);
	assert_int_equal(service_receive(pair[1], &got, taken), 1);
	assert_int_equal(got.count, 3);
	assert_int_equal(strlen(got.exe), sizeof(got.exe) - 1);
	for (size_t i = 0; i < sent.count; i++) {
		assert_int_equal(fcntl(taken[i], F_GETFD), FD_CLOEXEC);
		(void)close(taken[i]);
		(void)close(made[i]);
	}
	(void)close(pair[0]);
	assert_int_equal(service_receive(pair[1], &got, taken), 0);
	(void)close(pair[1]);
}

static void an_answer_that_lies_about_its_sockets_is_refused(void **state)
{
	struct service_answer sent = {.id = 9, .count = 0};
	struct service_answer got;
	int taken[SERVICE_SOCKETS_MAX];
	int pair[2];

	(void)state;
	open_pair(pair);
	sent.count = 2;
	assert_true(send(pair[0], &sent, sizeof(sent), 0) > 0);
	assert_int_equal(service_receive(pair[1], &got, taken), -EPROTO);
	assert_true(send(pair[0], &sent, 8, 0) > 0);
	assert_int_equal(service_receive(pair[1], &got, taken), -EPROTO);
	(void)close(pair[0]);
	(void)close(pair[1]);
}

static void asking_never_waits(void **state)
{
	const struct service_question question = {.kind = SERVICE_WHO};
	int pair[2];
	int rc = 0;

	(void)state;
	open_pair(pair);
	while (rc == 0)
		rc = service_ask(pair[0], &question);
	assert_int_equal(rc, -EAGAIN);
	(void)close(pair[0]);
	(void)close(pair[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_question_arrives),
		cmocka_unit_test(an_answer_brings_its_sockets),
		cmocka_unit_test(
			an_answer_that_lies_about_its_sockets_is_refused),
		cmocka_unit_test(asking_never_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
