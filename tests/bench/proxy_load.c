/* SPDX-License-Identifier: MIT */
/*
 * proxy_load: clients and an origin for measuring a proxy; for proxy_bench.py.
 *
 * How it works: "origin PORT" serves three loopback ports until it is killed:
 * PORT answers a ClientHello with a ServerHello's worth of bytes, PORT+1 then
 * streams zeros, PORT+2 then echoes. All other modes are clients: each tunnel
 * sends CONNECT (where asked to), then the hello, and waits for the answer.
 *
 *   proxy_load tunnels|bulk|pingpong|idle HELLO PROXYPORT CONNECT PARALLEL N
 *
 * CONNECT is HOST:PORT, "-" for a proxy that needs none, or "=" where the port
 * is the origin's. N counts tunnels, MiB a tunnel, round trips, or is not used.
 * One line of figures goes to standard output.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

#define ANSWER_BYTES 1200
#define CHUNK_BYTES  (256 * 1024)
#define BATCH        256

static double now_s(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static _Noreturn void fail(const char *what)
{
	(void)fprintf(stderr, "proxy_load: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t number(const char *text)
{
	uint64_t value = 0;

	if (!text_parse_decimal(text, strlen(text), UINT32_MAX, &value))
		fail(text);
	return value;
}

static struct sockaddr_in loopback(uint64_t port, const char *address)
{
	struct sockaddr_in sa = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)port)};

	(void)inet_pton(AF_INET, address, &sa.sin_addr);
	return sa;
}

/* --- origin */

enum kind {
	ANSWER = 0,
	STREAM,
	ECHO,
	KINDS
};

/* A ServerHello that is no HelloRetryRequest, then protected records. */
static void make_answer(uint8_t answer[static ANSWER_BYTES])
{
	static const uint8_t start[] = {22, 3, 3, 0, 90, 2, 0, 0, 86, 3, 3, 7};
	size_t rest = ANSWER_BYTES - 95 - 5;

	memset(answer, 7, ANSWER_BYTES);
	memcpy(answer, start, sizeof(start));
	answer[43] = 32;
	answer[95] = 23;
	answer[96] = 3;
	answer[97] = 3;
	answer[98] = (uint8_t)(rest >> 8);
	answer[99] = (uint8_t)rest;
}

static void watch(int poller, int fd, uint32_t what, uint64_t tag)
{
	struct epoll_event event = {.events = what, .data.u64 = tag};

	if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) != 0)
		fail("epoll_ctl");
}

static int open_origin(uint64_t port)
{
	struct sockaddr_in sa = loopback(port, "127.0.0.2");
	int one = 1;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&sa, sizeof(sa)) != 0 ||
	    listen(fd, 4096) != 0)
		fail("listen");
	return fd;
}

/* The tag: descriptor, kind, and whether it was answered. */
#define TAG(fd, kind, answered)                              \
	((uint64_t)(uint32_t)(fd) | (uint64_t)(kind) << 32 | \
	 (uint64_t)(answered) << 40)

static void serve_stream(int poller, int fd)
{
	static uint8_t zeros[CHUNK_BYTES];
	ssize_t n = 1;

	while (n > 0)
		n = send(fd, zeros, sizeof(zeros), MSG_NOSIGNAL);
	if (errno != EAGAIN) {
		(void)epoll_ctl(poller, EPOLL_CTL_DEL, fd, NULL);
		(void)close(fd);
	}
}

static void serve_client(int poller, const struct epoll_event *event,
			 const uint8_t *answer)
{
	static uint8_t buf[65536];
	int fd = (int)(uint32_t)event->data.u64;
	enum kind kind = (enum kind)(event->data.u64 >> 32 & 0xff);
	bool is_answered = (event->data.u64 >> 40) != 0;

	if (is_answered && kind == STREAM) {
		serve_stream(poller, fd);
		return;
	}
	ssize_t n = recv(fd, buf, sizeof(buf), 0);
	if (n <= 0) {
		if (n == 0 || errno != EAGAIN)
			(void)close(fd);
		return;
	}
	if (is_answered) {
		if (kind == ECHO)
			(void)!send(fd, buf, (size_t)n, MSG_NOSIGNAL);
		return;
	}
	(void)!send(fd, answer, ANSWER_BYTES, MSG_NOSIGNAL);
	struct epoll_event next = {
		.events = kind == STREAM ? EPOLLOUT : EPOLLIN,
		.data.u64 = TAG(fd, kind, 1),
	};
	if (kind != ANSWER)
		(void)epoll_ctl(poller, EPOLL_CTL_MOD, fd, &next);
}

static _Noreturn void run_origin(uint64_t port)
{
	uint8_t answer[ANSWER_BYTES];
	struct epoll_event events[BATCH];
	int listeners[KINDS];
	int poller = epoll_create1(0);

	make_answer(answer);
	for (enum kind kind = 0; kind < KINDS; kind++) {
		listeners[kind] = open_origin(port + kind);
		watch(poller, listeners[kind], EPOLLIN, UINT64_MAX - kind);
	}
	(void)printf("ready\n");
	(void)fflush(stdout);
	for (;;) {
		int count = epoll_wait(poller, events, BATCH, -1);

		for (int i = 0; i < count; i++) {
			uint64_t kind = UINT64_MAX - events[i].data.u64;

			if (kind >= KINDS) {
				serve_client(poller, &events[i], answer);
				continue;
			}
			int fd = accept4(listeners[kind], NULL, NULL,
					 SOCK_NONBLOCK);
			if (fd >= 0)
				watch(poller, fd, EPOLLIN, TAG(fd, kind, 0));
		}
	}
}

/* --- clients */

enum step {
	CONNECTING = 0,
	AWAIT_200,
	AWAIT_ANSWER,
	OPEN,
};

struct client {
	int fd;
	enum step step;
	size_t got;
	uint64_t bytes;
};

struct load {
	struct sockaddr_in proxy;
	char request[300];
	size_t request_len; /* 0: no CONNECT */
	uint8_t hello[4096];
	size_t hello_len;
	int poller;
	struct client *clients;
	size_t parallel;
	uint64_t failed;
};

static void start(struct load *load, size_t index)
{
	struct client *client = &load->clients[index];
	int one = 1;

	*client = (struct client){
		.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0)};
	if (client->fd < 0)
		fail("socket");
	(void)setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &one,
			 sizeof(one));
	if (connect(client->fd, (struct sockaddr *)&load->proxy,
		    sizeof(load->proxy)) != 0 &&
	    errno != EINPROGRESS)
		fail("connect");
	watch(load->poller, client->fd, EPOLLIN | EPOLLOUT | EPOLLET, index);
}

static void say_hello(const struct load *load, struct client *client)
{
	client->step = AWAIT_ANSWER;
	client->got = 0;
	(void)!send(client->fd, load->hello, load->hello_len, MSG_NOSIGNAL);
}

/* Return: -1 it broke, 1 the tunnel is open, 0 not yet. */
static int advance(const struct load *load, struct client *client,
		   uint32_t what)
{
	static uint8_t buf[65536];

	if (client->step == CONNECTING) {
		if ((what & EPOLLOUT) == 0)
			return 0;
		if (load->request_len == 0) {
			say_hello(load, client);
		} else {
			client->step = AWAIT_200;
			(void)!send(client->fd, load->request,
				    load->request_len, MSG_NOSIGNAL);
		}
	}
	for (;;) {
		ssize_t n = recv(client->fd, buf, sizeof(buf), 0);

		if (n <= 0)
			return n < 0 && errno == EAGAIN ? 0 : -1;
		client->got += (size_t)n;
		if (client->step == AWAIT_200) {
			if (memmem(buf, (size_t)n, "\r\n\r\n", 4) == NULL)
				continue;
			if (memmem(buf, (size_t)n, " 200 ", 5) == NULL)
				return -1;
			say_hello(load, client);
		} else if (client->got >= ANSWER_BYTES) {
			client->step = OPEN;
			return 1;
		}
	}
}

/* Open tunnels until @total were open; each is closed at once unless @keep. */
static double open_tunnels(struct load *load, uint64_t total, bool keep)
{
	struct epoll_event events[BATCH];
	uint64_t started = 0;
	uint64_t done = 0;
	double begin = now_s();

	for (; started < load->parallel && started < total; started++)
		start(load, started);
	while (done < total) {
		int count = epoll_wait(load->poller, events, BATCH, 10000);

		if (count <= 0)
			fail("no progress");
		for (int i = 0; i < count; i++) {
			size_t index = events[i].data.u64;
			struct client *client = &load->clients[index];
			int rc = advance(load, client, events[i].events);

			if (rc == 0)
				continue;
			load->failed += rc < 0;
			done++;
			if (keep && rc > 0)
				continue;
			(void)close(client->fd);
			client->fd = -1;
			if (started < total) {
				start(load, index);
				started++;
			}
		}
	}
	return now_s() - begin;
}

static void run_bulk(struct load *load, uint64_t mib)
{
	static uint8_t buf[CHUNK_BYTES];
	struct epoll_event events[BATCH];
	uint64_t want = mib << 20;
	size_t left = load->parallel;

	(void)open_tunnels(load, load->parallel, true);
	double begin = now_s();
	for (size_t i = 0; i < load->parallel; i++) {
		struct epoll_event event = {.events = EPOLLIN, .data.u64 = i};

		(void)epoll_ctl(load->poller, EPOLL_CTL_MOD,
				load->clients[i].fd, &event);
	}
	while (left > 0) {
		int count = epoll_wait(load->poller, events, BATCH, 10000);

		if (count <= 0)
			fail("no progress");
		for (int i = 0; i < count; i++) {
			struct client *client =
				&load->clients[events[i].data.u64];
			ssize_t n = recv(client->fd, buf, sizeof(buf),
					 MSG_TRUNC); /* not copied to us */

			if (n < 0 && errno == EAGAIN)
				continue;
			if (n <= 0)
				fail("tunnel broke");
			client->bytes += (uint64_t)n;
			if (client->bytes < want)
				continue;
			(void)close(client->fd);
			left--;
		}
	}
	double took = now_s() - begin;
	(void)printf("mib_per_s %.1f\n", (double)(mib * load->parallel) / took);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static void run_pingpong(struct load *load, uint64_t rounds)
{
	double *took = calloc(rounds, sizeof(*took));
	int fd;

	if (took == NULL)
		fail("calloc");
	(void)open_tunnels(load, 1, true);
	fd = load->clients[0].fd;
	(void)fcntl(fd, F_SETFL, 0);
	for (uint64_t i = 0; i < rounds; i++) {
		uint8_t byte = 'x';
		double begin = now_s();

		if (send(fd, &byte, 1, MSG_NOSIGNAL) != 1 ||
		    recv(fd, &byte, 1, 0) != 1)
			fail("ping-pong");
		took[i] = (now_s() - begin) * 1e6;
	}
	qsort(took, rounds, sizeof(*took), compare);
	(void)printf("median_us %.2f p99_us %.2f\n", took[rounds / 2],
		     took[rounds * 99 / 100]);
	free(took);
}

static void run_idle(struct load *load)
{
	char line[16];

	(void)open_tunnels(load, load->parallel, true);
	(void)printf("open %zu failed %lu\n", load->parallel,
		     (unsigned long)load->failed);
	(void)fflush(stdout);
	/* Held until the other side has looked. */
	(void)!read(STDIN_FILENO, line, sizeof(line));
	uint64_t lost = 0;
	for (size_t i = 0; i < load->parallel; i++)
		lost += recv(load->clients[i].fd, line, 1, MSG_PEEK) >= 0;
	(void)printf("lost %lu\n", (unsigned long)lost);
}

static void read_hello(struct load *load, const char *path)
{
	static char hex[2 * sizeof(load->hello) + 2];
	FILE *f = fopen(path, "re");
	size_t len = f != NULL ? fread(hex, 1, sizeof(hex) - 1, f) : 0;

	if (f == NULL || len < 2)
		fail(path);
	(void)fclose(f);
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i + 1 < len; i += 2) {
		const char *high = strchr(digits, hex[i]);
		const char *low = strchr(digits, hex[i + 1]);

		if (high == NULL || low == NULL || *high == '\0')
			break;
		load->hello[load->hello_len++] =
			(uint8_t)((unsigned long)(high - digits) << 4 |
				  (unsigned long)(low - digits));
	}
}

int main(int argc, char *argv[])
{
	static struct load load;

	if (argc == 3 && strcmp(argv[1], "origin") == 0)
		run_origin(number(argv[2]));
	if (argc != 7) {
		(void)fprintf(stderr, "usage: see the head of proxy_load.c\n");
		return 2;
	}
	read_hello(&load, argv[2]);
	load.proxy = loopback(number(argv[3]),
			      argv[4][0] == '=' ? "127.0.0.2" : "127.0.0.1");
	if (strchr(argv[4], ':') != NULL)
		load.request_len = (size_t)snprintf(
			load.request, sizeof(load.request),
			"CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", argv[4],
			argv[4]);
	load.parallel = number(argv[5]);
	load.clients = calloc(load.parallel, sizeof(*load.clients));
	load.poller = epoll_create1(0);
	uint64_t n = number(argv[6]);
	if (load.clients == NULL || load.poller < 0)
		fail("start");
	if (strcmp(argv[1], "tunnels") == 0) {
		double took = open_tunnels(&load, n, false);

		(void)printf("tunnels_per_s %.0f failed %lu\n",
			     (double)n / took, (unsigned long)load.failed);
	} else if (strcmp(argv[1], "bulk") == 0) {
		run_bulk(&load, n);
	} else if (strcmp(argv[1], "pingpong") == 0) {
		run_pingpong(&load, n);
	} else {
		run_idle(&load);
	}
	return 0;
}
