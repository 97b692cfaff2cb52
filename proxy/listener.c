/* SPDX-License-Identifier: MIT */
/* listener: sockets that accept, opened by us or handed over. */
#include "listener.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <event2/event.h>

#include "text.h"

#define BACKLOG      1024
#define ACCEPT_BURST 64 /* then those that are open have their turn */

bool listener_address(int fd, struct netaddr *addr_out, uint16_t *port_out)
{
	struct sockaddr_storage sa = {.ss_family = AF_UNSPEC};
	socklen_t len = sizeof(sa);

	return getsockname(fd, (struct sockaddr *)&sa, &len) == 0 &&
	       netaddr_from_sockaddr((const struct sockaddr *)&sa, addr_out,
				     port_out);
}

static int fail(struct diag *diag, const char *where, const char *what, int fd)
{
	diag_set(diag, "%s: %s: %s", where, what, strerror(errno));
	if (fd >= 0)
		(void)close(fd);
	return -1;
}

/* "ADDR:PORT": the port may be 0, any free one. */
static bool parse_where(const char *where, struct netaddr *addr, uint16_t *port)
{
	const char *colon = strrchr(where, ':');
	uint64_t number = 0;

	if (colon == NULL || !text_parse_decimal(colon + 1, strlen(colon + 1),
						 UINT16_MAX, &number))
		return false;
	size_t len = (size_t)(colon - where);
	bool has_brackets = len > 2 && where[0] == '[' && where[len - 1] == ']';
	*port = (uint16_t)number;
	if (has_brackets)
		return netaddr_parse(where + 1, len - 2, addr) &&
		       addr->family == AF_INET6;
	return netaddr_parse(where, len, addr) && addr->family == AF_INET;
}

static int open_tcp(const char *where, bool shared, struct diag *diag)
{
	struct sockaddr_storage sa;
	struct netaddr addr;
	uint16_t port = 0;
	int one = 1;

	if (!parse_where(where, &addr, &port)) {
		diag_set(diag,
			 "%s: not a place to listen: use ADDRESS:PORT, "
			 "[IPV6]:PORT or unix:PATH",
			 where);
		return -1;
	}
	int fd = socket(addr.family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return fail(diag, where, "socket", fd);
	socklen_t len = netaddr_to_sockaddr(&addr, port, &sa);
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (addr.family == AF_INET6)
		(void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one,
				 sizeof(one));
	if (shared &&
	    setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one)) != 0)
		return fail(diag, where, "SO_REUSEPORT", fd);
	if (bind(fd, (struct sockaddr *)&sa, len) != 0 ||
	    listen(fd, BACKLOG) != 0)
		return fail(diag, where, "cannot listen", fd);
	return fd;
}

/* A socket file that nobody listens on is left over. */
static void remove_stale(const struct sockaddr_un *sa)
{
	struct stat st;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return;
	if (lstat(sa->sun_path, &st) == 0 && S_ISSOCK(st.st_mode) &&
	    connect(fd, (const struct sockaddr *)sa, sizeof(*sa)) != 0 &&
	    errno == ECONNREFUSED)
		(void)unlink(sa->sun_path);
	(void)close(fd);
}

static int open_unix(const char *where, const char *path, struct diag *diag)
{
	struct sockaddr_un sa = {.sun_family = AF_UNIX};
	size_t len = strlen(path);

	if (len == 0 || len >= sizeof(sa.sun_path)) {
		diag_set(diag, "%s: a socket path has 1 to %zu bytes", where,
			 sizeof(sa.sun_path) - 1);
		return -1;
	}
	memcpy(sa.sun_path, path, len);
	remove_stale(&sa);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return fail(diag, where, "socket", fd);
	/* Who may connect is who may write: the owner, from the first moment
	 * on. */
	mode_t before = umask(S_IXUSR | S_IRWXG | S_IRWXO);
	int rc = bind(fd, (struct sockaddr *)&sa, sizeof(sa));
	(void)umask(before);
	if (rc != 0 || listen(fd, BACKLOG) != 0)
		return fail(diag, where, "cannot listen", fd);
	return fd;
}

int listener_open(const char *where, bool shared, struct diag *diag)
{
	static const char prefix[] = "unix:";

	if (strncmp(where, prefix, sizeof(prefix) - 1) == 0)
		return open_unix(where, where + sizeof(prefix) - 1, diag);
	return open_tcp(where, shared, diag);
}

static int accept_one(int fd)
{
	int client;

	do
#ifdef __linux__
		client = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
#else
		client = accept(fd, NULL, NULL);
#endif
	while (client < 0 && (errno == EINTR || errno == ECONNABORTED));
#ifndef __linux__
	if (client >= 0)
		(void)(evutil_make_socket_nonblocking(client),
		       evutil_make_socket_closeonexec(client));
#endif
	return client;
}

static void on_accept(evutil_socket_t fd, short what, void *arg)
{
	struct listener *listener = arg;
	const struct listener_owner *owner = listener->owner;

	(void)what;
	for (int i = 0; i < ACCEPT_BURST; i++) {
		if (!owner->has_room(owner->arg)) {
			owner->starve(owner->arg, 0);
			return;
		}
		int client = accept_one(fd);
		if (client < 0) {
			if (errno != EAGAIN)
				owner->starve(owner->arg, errno);
			return;
		}
		owner->take(owner->arg, client);
	}
}

/* One address of the loopback interface, not all of the machine's. */
static bool is_on_loopback(int fd)
{
	static const struct netaddr unspecified = {.family = AF_UNSPEC};
	struct netaddr addr;
	uint16_t port;

	return listener_address(fd, &addr, &port) &&
	       netaddr_classify(&addr) == NETADDR_LOOPBACK &&
	       memcmp(addr.bytes, unspecified.bytes, sizeof(addr.bytes)) != 0;
}

/*
 * Small messages go out at once. No network is between a local client and us,
 * so there is no congestion to control: "reno", which every kernel has, does
 * nothing there, while "bbr", the default of some systems, paces by timers and
 * halves what a tunnel can carry. Accepted sockets inherit both.
 */
static void prepare(int fd, bool is_inside)
{
	int one = 1;

	(void)evutil_make_socket_nonblocking(fd);
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
#ifdef TCP_CONGESTION
	static const char plain[] = "reno";
	if (is_inside || is_on_loopback(fd))
		(void)setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, plain,
				 sizeof(plain) - 1);
#else
	(void)is_inside;
	(void)is_on_loopback;
#endif
}

static char *unix_path(int fd)
{
	struct sockaddr_un sa = {.sun_family = AF_UNSPEC};
	socklen_t len = sizeof(sa);

	if (getsockname(fd, (struct sockaddr *)&sa, &len) != 0 ||
	    sa.sun_family != AF_UNIX || sa.sun_path[0] == '\0')
		return NULL;
	return strndup(sa.sun_path, sizeof(sa.sun_path));
}

struct listener *listener_new(const struct listener_owner *owner, int fd_own)
{
	struct listener *listener = calloc(1, sizeof(*listener));

	if (listener == NULL) {
		(void)close(fd_own);
		return NULL;
	}
	prepare(fd_own, owner->is_inside);
	listener->owner = owner;
	listener->fd = fd_own;
	listener->path = unix_path(fd_own);
	(void)event_assign(&listener->event, owner->base, fd_own,
			   EV_READ | EV_PERSIST, on_accept, listener);
	(void)event_add(&listener->event, NULL);
	return listener;
}

void listener_free(struct listener *listener)
{
	if (listener == NULL)
		return;
	(void)event_del(&listener->event);
	(void)close(listener->fd);
	if (listener->path != NULL)
		(void)unlink(listener->path);
	free(listener->path);
	free(listener);
}

void listener_pause(struct listener *listener)
{
	(void)event_del(&listener->event);
}

void listener_resume(struct listener *listener)
{
	(void)event_add(&listener->event, NULL);
}
