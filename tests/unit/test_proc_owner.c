/* SPDX-License-Identifier: MIT */
/* proc_owner, sock_diag: this process and its sockets are found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proc_owner.h"
#include "sock_diag.h"

static struct sockaddr_in name_of(int fd)
{
	struct sockaddr_in name;
	socklen_t len = sizeof(name);

	assert_int_equal(getsockname(fd, (struct sockaddr *)&name, &len), 0);
	return name;
}

static int make_listener(int type)
{
	const struct sockaddr_in any = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (const struct sockaddr *)&any, sizeof(any)),
			 0);
	if (type == SOCK_STREAM)
		assert_int_equal(listen(fd, 8), 0);
	return fd;
}

static int connect_to(int listener, int type)
{
	struct sockaddr_in to = name_of(listener);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	return fd;
}

static void set_end(struct netaddr *addr, uint16_t *port,
		    const struct sockaddr_in *name)
{
	*addr = (struct netaddr){.family = AF_INET};
	memcpy(addr->bytes, &name->sin_addr, sizeof(name->sin_addr));
	*port = ntohs(name->sin_port);
}

static struct service_flow flow_of(int fd, int listener, uint32_t protocol)
{
	struct service_flow flow = {.protocol = protocol};
	struct sockaddr_in inner = name_of(fd);
	struct sockaddr_in outer = name_of(listener);

	set_end(&flow.inner, &flow.inner_port, &inner);
	set_end(&flow.outer, &flow.outer_port, &outer);
	return flow;
}

static uint32_t inode_of(int fd)
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	return (uint32_t)st.st_ino;
}

static int open_proc(void)
{
	int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(proc >= 0);
	return proc;
}

static void check_flow(int type, uint32_t protocol)
{
	int diag = sock_diag_open();
	int listener = make_listener(type);
	int client = connect_to(listener, type);
	struct service_flow flow = flow_of(client, listener, protocol);
	uint32_t inode = 0;

	assert_true(diag >= 0);
	assert_int_equal(sock_diag_inode(diag, &flow, &inode), 0);
	assert_int_equal(inode, inode_of(client));
	(void)close(client);
	(void)close(listener);
	assert_int_equal(sock_diag_inode(diag, &flow, &inode), -ENOENT);
	(void)close(diag);
}

static void names_the_connecting_end_of_tcp(void **state)
{
	(void)state;
	check_flow(SOCK_STREAM, IPPROTO_TCP);
}

static void names_the_sending_end_of_udp(void **state)
{
	(void)state;
	check_flow(SOCK_DGRAM, IPPROTO_UDP);
}

static void names_a_listener(void **state)
{
	int diag = sock_diag_open();
	int listener = make_listener(SOCK_STREAM);
	struct service_flow flow = flow_of(listener, listener, IPPROTO_TCP);
	uint32_t inode = 0;

	(void)state;
	memset(flow.outer.bytes, 0, sizeof(flow.outer.bytes));
	flow.outer_port = 0;
	assert_int_equal(sock_diag_inode(diag, &flow, &inode), 0);
	assert_int_equal(inode, inode_of(listener));
	(void)close(listener);
	(void)close(diag);
}

static void finds_this_process(void **state)
{
	int proc = open_proc();
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct service_answer answer = {.pid = 0};
	char parent[32];

	(void)state;
	assert_int_equal(proc_owner_find(proc, inode_of(fd), 0), getpid());
	assert_int_equal(proc_owner_find(proc, inode_of(fd), getpid()),
			 getpid());
	proc_owner_describe(proc, getpid(), true, &answer);
	assert_int_equal(answer.pid, getpid());
	assert_non_null(strstr(answer.exe, "test_proc_owner"));
	assert_non_null(strstr(answer.argv0, "test_proc_owner"));
	(void)snprintf(parent, sizeof(parent), "%ld ", (long)getppid());
	assert_int_equal(strncmp(answer.parents, parent, strlen(parent)), 0);
	(void)close(fd);
	(void)close(proc);
}

static void finds_nobody_for_an_inode_that_is_none(void **state)
{
	int proc = open_proc();

	(void)state;
	assert_true(proc_owner_find(proc, UINT32_MAX, 0) <= 0);
	(void)close(proc);
}

static void finds_the_child_that_inherited_it(void **state)
{
	int proc = open_proc();
	int ends[2];
	int gate[2];
	char byte;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	assert_int_equal(pipe(gate), 0);
	uint32_t inode = inode_of(ends[0]);
	pid_t child = fork();
	if (child == 0) {
		(void)close(gate[1]);
		(void)!read(gate[0], &byte, 1);
		_exit(0);
	}
	(void)close(ends[0]);
	(void)close(gate[0]);
	assert_int_equal(proc_owner_find(proc, inode, 0), child);
	(void)close(gate[1]);
	(void)waitpid(child, NULL, 0);
	(void)close(ends[1]);
	(void)close(proc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_the_connecting_end_of_tcp),
		cmocka_unit_test(names_the_sending_end_of_udp),
		cmocka_unit_test(names_a_listener),
		cmocka_unit_test(finds_this_process),
		cmocka_unit_test(finds_nobody_for_an_inode_that_is_none),
		cmocka_unit_test(finds_the_child_that_inherited_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
