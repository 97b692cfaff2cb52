/* SPDX-License-Identifier: MIT */
/* connect: `exeat connect HOST PORT`, a tunnel for programs that cannot use a
 * proxy themselves. */
#include "connect.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connect_dialogue.h"
#include "connect_tunnel.h"
#include "handoff.h"
#include "hostname.h"
#include "netaddr.h"
#include "proxy_url.h"
#include "text.h"

#define EXIT_REFUSED 1

static const char usage[] =
	"usage: exeat connect HOST PORT\n"
	"\n"
	"Joins standard input and output to HOST:PORT through the proxy that\n"
	"the environment names (https_proxy, HTTPS_PROXY, all_proxy or\n"
	"ALL_PROXY: http://ADDRESS:PORT or socks5h://ADDRESS:PORT). For "
	"ssh:\n"
	"  ssh -o ProxyCommand='exeat connect %h %p' git@git.example.org\n"
	"Inside `exeat run` the same program is /run/exeat/connect.\n"
	"\n"
	"Exit code: 0; 1 the proxy refused; 125 no proxy, or it failed.\n";

/**
 * struct target - what was asked for
 * @host:	canonical
 */
struct target {
	char host[HOSTNAME_MAX_BYTES + 1];
	uint16_t port;
};

bool connect_is_asked(const char *argv0)
{
	const char *slash = argv0 != NULL ? strrchr(argv0, '/') : NULL;
	const char *name = slash != NULL ? slash + 1 : argv0;

	return name != NULL && (strcmp(name, "connect") == 0 ||
				strcmp(name, "exeat-connect") == 0);
}

__attribute__((format(printf, 1, 2))) static int fail(const char *format, ...)
{
	char line[CONNECT_SAY_MAX_BYTES];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	(void)fprintf(stderr, "exeat connect: %s\n", line);
	return EXIT_OWN_FAILURE;
}

static bool read_target(const char *host, const char *port,
			struct target *target_out)
{
	struct netaddr addr;
	struct hostname name;
	size_t len = strlen(host);

	if (!text_parse_port(port, strlen(port), &target_out->port))
		return false;
	if (netaddr_parse(host, len, &addr)) {
		netaddr_format(&addr, target_out->host);
		return true;
	}
	if (hostname_parse(host, len, &name) != HOSTNAME_OK)
		return false;
	memcpy(target_out->host, name.text, name.len + 1U);
	return true;
}

/* Names are resolved by nobody here: the proxy's own is an address. */
static bool fix_localhost(struct proxy_url *url)
{
	if (url->is_address)
		return true;
	if (strcmp(url->name.text, "localhost") != 0)
		return false;
	url->is_address = netaddr_parse("127.0.0.1", 9, &url->address);
	return url->is_address;
}

/* Return: 0 or an exit code, after a message. No byte of the value is shown:
 * it may hold a password. */
static int read_proxy(struct proxy_url *url_out)
{
	static const char *const names[] = {"https_proxy", "HTTPS_PROXY",
					    "all_proxy", "ALL_PROXY"};
	char buf[2 * PROXY_URL_SECRET_BYTES + HOSTNAME_MAX_BYTES + 32];
	const char *value = NULL;
	const char *name = NULL;
	struct text url;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		name = names[i];
		value = getenv(name);
		if (value != NULL && value[0] != '\0')
			break;
		value = NULL;
	}
	if (value == NULL)
		return fail("no proxy is named: set https_proxy to "
			    "http://ADDRESS:PORT");
	text_init(&url, buf, sizeof(buf));
	text_add(&url, strstr(value, "://") != NULL ? "" : "http://");
	text_add(&url, value);
	const char *why = url.is_cut ? "too long"
				     : proxy_url_parse(buf, url.len, url_out);
	explicit_bzero(buf, sizeof(buf));
	if (why != NULL)
		return fail("%s: %s", name, why);
	if (url_out->scheme == PROXY_URL_HTTPS)
		return fail("%s: TLS to the proxy is not spoken here; use "
			    "http:// or socks5h://",
			    name);
	if (!fix_localhost(url_out))
		return fail("%s: the proxy must be given by its address", name);
	return 0;
}

/* Return: a connected socket, or -errno. */
static int dial(const struct proxy_url *url)
{
	struct sockaddr_storage sa;
	socklen_t len = netaddr_to_sockaddr(&url->address, url->port, &sa);
	int one = 1;
	int fd = socket(url->address.family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int rc = 0;

	if (fd < 0)
		return -errno;
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (connect(fd, (const struct sockaddr *)&sa, len) == 0)
		return fd;
	rc = -errno;
	(void)close(fd);
	return rc;
}

static int send_all(int fd, const struct text *say)
{
	size_t at = 0;

	while (at < say->len) {
		ssize_t n =
			send(fd, say->buf + at, say->len - at, MSG_NOSIGNAL);

		if (n > 0)
			at += (size_t)n;
		else if (errno != EINTR)
			return -errno;
	}
	return 0;
}

/**
 * struct answer - what came of the proxy and is not used yet
 */
struct answer {
	char bytes[CONNECT_ANSWER_MAX_BYTES];
	size_t len;
};

/* Return: 0 or -errno; -EPIPE: the proxy closed. */
static int hear_more(int fd, struct answer *answer)
{
	ssize_t n;

	do
		n = recv(fd, answer->bytes + answer->len,
			 sizeof(answer->bytes) - answer->len, 0);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return n < 0 ? -errno : -EPIPE;
	answer->len += (size_t)n;
	return 0;
}

static void drop(struct answer *answer, size_t used)
{
	answer->len -= used;
	memmove(answer->bytes, answer->bytes + used, answer->len);
}

/* Return: 0: the tunnel is open; else an exit code, after a message. */
static int negotiate(int fd, struct connect_dialogue *d, struct answer *answer)
{
	enum connect_result result = CONNECT_SAY;
	char buf[CONNECT_SAY_MAX_BYTES];
	struct text say;
	int rc = 0;

	text_init(&say, buf, sizeof(buf));
	connect_dialogue_start(d, &say);
	while (rc == 0 && (result == CONNECT_SAY || result == CONNECT_MORE)) {
		size_t used = 0;

		if (result == CONNECT_SAY)
			rc = send_all(fd, &say);
		if (rc == 0 && (result == CONNECT_MORE || answer->len == 0))
			rc = hear_more(fd, answer);
		if (rc != 0)
			break;
		result = connect_dialogue_hear(d, answer->bytes, answer->len,
					       &used, &say);
		drop(answer, used);
	}
	if (rc != 0)
		return fail("the proxy did not answer: %s",
			    rc == -EPIPE ? "it closed the connection"
					 : strerror(-rc));
	if (result == CONNECT_OPEN)
		return 0;
	(void)fail("%s:%u: %s", d->host, (unsigned int)d->port, buf);
	return result == CONNECT_REFUSED ? EXIT_REFUSED : EXIT_OWN_FAILURE;
}

static int tunnel(const struct proxy_url *url, const struct target *target)
{
	struct connect_dialogue dialogue = {
		.proxy = url, .host = target->host, .port = target->port};
	struct answer answer = {.len = 0};
	int fd = dial(url);

	if (fd < 0)
		return fail("the proxy cannot be reached: %s", strerror(-fd));
	int code = negotiate(fd, &dialogue, &answer);
	if (code == 0) {
		int error = connect_tunnel_run(fd, answer.bytes, answer.len);

		if (error != 0)
			code = fail("%s", strerror(error));
	}
	(void)close(fd);
	return code;
}

int connect_main(int argc, char *argv[])
{
	struct proxy_url url = {.has_user = false};
	struct target target;

	if (argc == 2 &&
	    (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
		return fputs(usage, stdout) < 0 ? EXIT_OWN_FAILURE : 0;
	if (argc != 3) {
		(void)fputs(usage, stderr);
		return EXIT_OWN_FAILURE;
	}
	if (!read_target(argv[1], argv[2], &target))
		return fail("not HOST PORT: a name or an address, and a port "
			    "from 1 to 65535");
	int code = read_proxy(&url);
	if (code == 0)
		code = tunnel(&url, &target);
	explicit_bzero(&url, sizeof(url));
	return code;
}
