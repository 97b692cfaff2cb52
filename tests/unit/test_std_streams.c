/* SPDX-License-Identifier: MIT */
/* test_std_streams: what may become 0, 1 and 2 of a command, and what not. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "std_streams.h"

/* What a case finds, in a child whose 0, 1 and 2 are its to change. */
enum outcome {
	REFUSED = 10,
	PASSED,
	RELAYED,
};

static int look_at_input(void)
{
	struct std_streams streams;
	struct diag diag = {.text = ""};
	int rc = std_streams_open(&streams, &diag);

	if (rc != 0)
		return strstr(diag.text, "standard input") != NULL ? REFUSED
								   : 1;
	if (streams.child[0] == STDIN_FILENO)
		return PASSED;
	return streams.input_count > 0 ? RELAYED : 2;
}

/* Run look_at_input() with @fd as standard input; -1: closed. */
static int with_input(int fd)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);
		(void)close(STDIN_FILENO);
		if (fd >= 0)
			(void)dup2(fd, STDIN_FILENO);
		(void)dup2(null, STDOUT_FILENO);
		(void)dup2(null, STDERR_FILENO);
		if (std_streams_fill() != 0)
			_exit(3);
		_exit(look_at_input());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void refuses_a_directory(void **state)
{
	int fd = open("/", O_RDONLY | O_DIRECTORY);

	(void)state;
	assert_int_equal(with_input(fd), REFUSED);
	(void)close(fd);
}

static void refuses_a_path_descriptor(void **state)
{
	int fd = open("/etc/passwd", O_PATH);

	(void)state;
	assert_int_equal(with_input(fd), REFUSED);
	(void)close(fd);
}

static void refuses_an_unconnected_socket(void **state)
{
	static const struct {
		int family, type;
	} kinds[] = {
		{AF_INET,  SOCK_STREAM},
		{AF_INET,  SOCK_DGRAM },
		{AF_INET6, SOCK_STREAM},
		{AF_UNIX,  SOCK_STREAM},
		{AF_UNIX,  SOCK_DGRAM }
        };

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		int fd = socket(kinds[i].family, kinds[i].type, 0);
		assert_true(fd >= 0);
		assert_int_equal(with_input(fd), REFUSED);
		(void)close(fd);
	}
}

static void relays_a_connected_internet_socket(void **state)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t len = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	(void)state;
	assert_int_equal(bind(listener, (struct sockaddr *)&address, len), 0);
	assert_int_equal(listen(listener, 1), 0);
	assert_int_equal(
		getsockname(listener, (struct sockaddr *)&address, &len), 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&address, len), 0);
	assert_int_equal(with_input(fd), RELAYED);
	(void)close(fd);
	(void)close(listener);
}

static void passes_pipes_and_null(void **state)
{
	int ends[2], pair[2];
	int null = open("/dev/null", O_RDWR);

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	assert_int_equal(with_input(ends[0]), PASSED);
	/* Its peer could send descriptors of the host's files. */
	assert_int_equal(with_input(pair[0]), RELAYED);
	assert_int_equal(with_input(null), PASSED);
	(void)close(null);
	for (int i = 0; i < 2; i++) {
		(void)close(ends[i]);
		(void)close(pair[i]);
	}
}

static void relays_a_local_datagram_pair(void **state)
{
	int pair[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair), 0);
	assert_int_equal(with_input(pair[0]), RELAYED);
	(void)close(pair[0]);
	(void)close(pair[1]);
}

static void fills_a_closed_stream_with_dev_null(void **state)
{
	(void)state;
	assert_int_equal(with_input(-1), PASSED);
}

static int temporary_file(const char *text)
{
	char path[] = "/tmp/test_std_streams.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	(void)unlink(path);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static void relays_a_regular_file(void **state)
{
	int fd = temporary_file("x");

	(void)state;
	assert_int_equal(with_input(fd), RELAYED);
	(void)close(fd);
}

/* As in `while read line; do exeat run -- head -c 3; done < file`. */
static int read_three_bytes(void)
{
	struct std_streams streams;
	struct diag diag = {.text = ""};
	struct pollfd fds[STD_STREAMS_MAX_PUMPS];
	char got[3];

	if (std_streams_open(&streams, &diag) != 0)
		return 1;
	for (int i = 0; i < 4; i++) {
		size_t count = std_streams_poll(&streams, fds);
		if (poll(fds, (nfds_t)count, 0) >= 0)
			std_streams_step(&streams, fds);
	}
	if (read(streams.child[0], got, 3) != 3 || memcmp(got, "abc", 3) != 0)
		return 2;
	std_streams_close_child(&streams);
	std_streams_finish(&streams);
	std_streams_close(&streams);
	return 0;
}

static void gives_unread_input_back_to_the_file(void **state)
{
	int fd = temporary_file("abcdefgh");
	int status;

	(void)state;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		(void)dup2(fd, STDIN_FILENO);
		_exit(read_three_bytes());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	/* The offset belongs to the open file, which we share. */
	assert_int_equal(lseek(fd, 0, SEEK_CUR), 3);
	(void)close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_a_directory),
		cmocka_unit_test(refuses_a_path_descriptor),
		cmocka_unit_test(refuses_an_unconnected_socket),
		cmocka_unit_test(relays_a_connected_internet_socket),
		cmocka_unit_test(passes_pipes_and_null),
		cmocka_unit_test(relays_a_local_datagram_pair),
		cmocka_unit_test(fills_a_closed_stream_with_dev_null),
		cmocka_unit_test(relays_a_regular_file),
		cmocka_unit_test(gives_unread_input_back_to_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
