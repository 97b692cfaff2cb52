/* SPDX-License-Identifier: MIT */
/*
 * capture_load: connections by CONNECT and captured ones, in turns; for
 * capture_bench.py.
 *
 *   capture_load origin	echoes one byte a connection on 127.0.0.2; says
 *				its port first
 *   capture_load PROXY ADDRESS PORT NAME COUNT
 *
 * The second runs inside the sandbox: PROXY is the proxy's port there, ADDRESS
 * stands for NAME. It prints the medians in microseconds: captured, proxied,
 * and the median ratio of the pairs.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

#define WARM_UP   200
#define COUNT_MAX 1000000

static _Noreturn void fail(const char *what)
{
	(void)fprintf(stderr, "capture_load: %s: %s\n", what, strerror(errno));
	exit(1);
}

static double now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static struct sockaddr_in place(const char *address, uint16_t port)
{
	struct sockaddr_in sa = {.sin_family = AF_INET,
				 .sin_port = htons(port)};

	if (inet_pton(AF_INET, address, &sa.sin_addr) != 1)
		fail(address);
	return sa;
}

static _Noreturn void run_origin(void)
{
	struct sockaddr_in sa = place("127.0.0.2", 0);
	socklen_t len = sizeof(sa);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (bind(fd, (const struct sockaddr *)&sa, len) != 0 ||
	    listen(fd, SOMAXCONN) != 0 ||
	    getsockname(fd, (struct sockaddr *)&sa, &len) != 0)
		fail("origin");
	(void)printf("%u\n", (unsigned int)ntohs(sa.sin_port));
	(void)fflush(stdout);
	for (;;) {
		int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
		char byte;

		if (client < 0)
			fail("accept");
		if (recv(client, &byte, 1, 0) == 1 &&
		    send(client, &byte, 1, MSG_NOSIGNAL) == 1)
			(void)!recv(client, &byte, 1, 0);
		(void)close(client);
	}
}

/* From connect(2) to the echo of a byte. @head: a request first, or NULL */
static double one(const struct sockaddr_in *to, const char *head)
{
	char buf[512];
	double start = now_us();
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (connect(fd, (const struct sockaddr *)to, sizeof(*to)) != 0)
		fail("connect");
	if (head != NULL && (send(fd, head, strlen(head), 0) < 0 ||
			     recv(fd, buf, sizeof(buf), 0) < 12 ||
			     strncmp(buf, "HTTP/1.1 200", 12) != 0))
		fail("CONNECT");
	if (send(fd, "x", 1, 0) != 1 || recv(fd, buf, 1, 0) != 1)
		fail("echo");
	double spent = now_us() - start;
	(void)close(fd);
	return spent;
}

static int compare(const void *a, const void *b)
{
	const double *x = a;
	const double *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare);
	return values[count / 2];
}

static void measure(const struct sockaddr_in *captured,
		    const struct sockaddr_in *proxy, const char *head,
		    size_t count)
{
	double *direct = calloc(count, sizeof(*direct));
	double *asked = calloc(count, sizeof(*asked));
	double *ratios = calloc(count, sizeof(*ratios));

	if (direct == NULL || asked == NULL || ratios == NULL)
		fail("calloc");
	for (size_t i = 0; i < WARM_UP; i++)
		(void)(one(captured, NULL) + one(proxy, head));
	for (size_t i = 0; i < count; i++) {
		direct[i] = one(captured, NULL);
		asked[i] = one(proxy, head);
		ratios[i] = direct[i] / asked[i];
	}
	(void)printf("%.1f %.1f %.3f\n", median(direct, count),
		     median(asked, count), median(ratios, count));
	free(direct);
	free(asked);
	free(ratios);
}

int main(int argc, char *argv[])
{
	uint64_t count = 0;
	uint16_t proxy_port = 0;
	uint16_t port = 0;
	char head[512];

	if (argc == 2 && strcmp(argv[1], "origin") == 0)
		run_origin();
	if (argc != 6 ||
	    !text_parse_port(argv[1], strlen(argv[1]), &proxy_port) ||
	    !text_parse_port(argv[3], strlen(argv[3]), &port) ||
	    !text_parse_decimal(argv[5], strlen(argv[5]), COUNT_MAX, &count) ||
	    count == 0) {
		(void)fprintf(stderr,
			      "usage: see the head of capture_load.c\n");
		return 2;
	}
	const struct sockaddr_in captured = place(argv[2], port);
	const struct sockaddr_in proxy = place("127.0.0.1", proxy_port);
	(void)snprintf(head, sizeof(head),
		       "CONNECT %s:%s HTTP/1.1\r\nHost: %s\r\n\r\n", argv[4],
		       argv[3], argv[4]);
	measure(&captured, &proxy, head, (size_t)count);
	return 0;
}
