/* SPDX-License-Identifier: MIT */
/* What exeat-proxy can no longer do once it is confined, tried for real. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "confine.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER 1
#else
#define HAS_SANITIZER 0
#endif

/* Run @check confined, in a process of its own. Return: its answer. */
static int confined(int (*check)(void), const struct confine_settings *settings)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		if (confine_early() != 0 || confine_late(settings) != 0)
			_exit(99);
		_exit(check());
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* Each check returns the number of its first line that did what it must not,
 * or 0. */
static int check_nothing_opens(void)
{
	if (open("/etc/passwd", O_RDONLY) >= 0)
		return 1;
	if (open("/dev/null", O_RDONLY) >= 0)
		return 2;
	if (open("/tmp/exeat-confine", O_WRONLY | O_CREAT, 0600) >= 0)
		return 3;
	return 0;
}

static int check_nothing_runs(void)
{
	char *argv[] = {NULL};

	(void)execve("/bin/true", argv, argv);
	if (errno != EPERM && errno != EACCES)
		return 1;
	if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) >= 0)
		return 2;
	if (kill(getppid(), 0) == 0)
		return 3;
	return 0;
}

static int check_nothing_is_traced(void)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
		return 1;
	if (syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0) == 0)
		return 2;
	return 0;
}

static int check_no_code_is_made(void)
{
	if (mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		return 1;
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return 2;
	return mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0 ? 3 : 0;
}

static int check_sockets(void)
{
	struct sockaddr_in sa = {.sin_family = AF_INET};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return 1;
	if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0)
		return 2;
	if (socket(40 /* AF_VSOCK */, SOCK_STREAM, 0) >= 0)
		return 3;
	sa.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (connect(fd, (struct sockaddr *)&sa, sizeof(sa)) == 0 ||
	    errno == EPERM)
		return 4; /* port 0: refused by TCP, not by us */
	if (listen(fd, 1) == 0)
		return 5;
	return socket(AF_INET6, SOCK_DGRAM, 0) < 0 ? 6 : 0;
}

/* A record that was synced would cost more than the tunnel that it is of. */
static int check_no_sync(void)
{
	if (fsync(STDOUT_FILENO) == 0 || errno != EPERM)
		return 1;
	return fdatasync(STDOUT_FILENO) == 0 || errno != EPERM ? 2 : 0;
}

static int check_reading(void)
{
	int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 1;
	if (open("/etc/passwd", O_RDWR) >= 0)
		return 2;
	if (open("/etc/passwd", O_RDONLY | O_TRUNC) >= 0)
		return 3;
	return 0;
}

static const struct confine_settings no_files = {.count = 0};

static void skip_where_it_is_not_built(void)
{
	if (HAS_SANITIZER)
		skip();
}

static void a_run_opens_no_file(void **state)
{
	(void)state;
	skip_where_it_is_not_built();
	assert_int_equal(confined(check_nothing_opens, &no_files), 0);
}

static void executes_nothing_and_signals_nobody(void **state)
{
	(void)state;
	skip_where_it_is_not_built();
	assert_int_equal(confined(check_nothing_runs, &no_files), 0);
}

static void traces_nothing(void **state)
{
	(void)state;
	skip_where_it_is_not_built();
	assert_int_equal(confined(check_nothing_is_traced, &no_files), 0);
}

static void makes_no_code(void **state)
{
	(void)state;
	skip_where_it_is_not_built();
	assert_int_equal(confined(check_no_code_is_made, &no_files), 0);
}

static void has_the_sockets_of_a_relay_only(void **state)
{
	(void)state;
	skip_where_it_is_not_built();
	assert_int_equal(confined(check_sockets, &no_files), 0);
}

static void never_waits_for_a_disk(void **state)
{
	(void)state;
	skip_where_it_is_not_built();
	assert_int_equal(confined(check_no_sync, &no_files), 0);
}

static void a_daemon_reads_what_a_reload_needs(void **state)
{
	static const char *const reads[] = {"/etc/passwd"};

	(void)state;
	skip_where_it_is_not_built();
	assert_int_equal(confined(check_reading,
				  &(struct confine_settings){
					  .reads = reads,
					  .count = 1,
				  }),
			 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_opens_no_file),
		cmocka_unit_test(executes_nothing_and_signals_nobody),
		cmocka_unit_test(traces_nothing),
		cmocka_unit_test(makes_no_code),
		cmocka_unit_test(has_the_sockets_of_a_relay_only),
		cmocka_unit_test(never_waits_for_a_disk),
		cmocka_unit_test(a_daemon_reads_what_a_reload_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
