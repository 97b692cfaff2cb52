/* SPDX-License-Identifier: MIT */
/* places: the sockets that a daemon accepts on, one set for each worker. */
#include "places.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "listener.h"
#include "log.h"
#include "netaddr.h"
#include "server.h"
#include "text.h"

#define PLACE_BYTES (NETADDR_TEXT_BYTES + sizeof("[]:65535"))

/* Where it really listens: port 0 was any free one. Return: false: @fd is no
 * Internet socket. */
static bool write_place(int fd, char out[static PLACE_BYTES])
{
	char address[NETADDR_TEXT_BYTES];
	struct netaddr addr;
	uint16_t port = 0;
	struct text t;

	if (!listener_address(fd, &addr, &port))
		return false;
	netaddr_format(&addr, address);
	text_init(&t, out, PLACE_BYTES);
	text_addf(&t, addr.family == AF_INET6 ? "[%s]:%u" : "%s:%u", address,
		  (unsigned int)port);
	return true;
}

/* The other workers listen beside the first one's socket. */
static int open_beside(int first, struct diag *diag)
{
	char where[PLACE_BYTES];

	if (write_place(first, where))
		return listener_open(where, true, diag);
	int fd = fcntl(first, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		diag_set(diag, "listening socket: %s", strerror(errno));
	return fd;
}

static int open_place(struct places *places, size_t place)
{
	struct diag diag = {.text = ""};
	int first = listener_open(places->where[place],
				  places->worker_count > 1, &diag);

	places->fds[place] = first;
	for (size_t w = 1; w < places->worker_count && diag.text[0] == '\0';
	     w++)
		places->fds[w * places->count + place] =
			open_beside(first, &diag);
	if (diag.text[0] == '\0')
		return 0;
	log_warn("%s", diag.text);
	return -1;
}

int places_open(struct places *places, const char *const *where, size_t count,
		size_t worker_count)
{
	size_t total = count * worker_count;
	int rc = 0;

	*places = (struct places){.worker_count = worker_count};
	places->fds = calloc(total > 0 ? total : 1, sizeof(*places->fds));
	if (places->fds == NULL || count > PLACES_MAX) {
		log_warn("%s", count > PLACES_MAX ? "too many places to listen"
						  : "out of memory");
		places_close(places);
		return -1;
	}
	places->count = count;
	for (size_t i = 0; i < total; i++)
		places->fds[i] = -1;
	for (size_t i = 0; i < count && rc == 0; i++) {
		places->where[i] = where[i];
		rc = open_place(places, i);
	}
	if (rc != 0)
		places_close(places);
	return rc;
}

int places_serve(struct places *places, size_t worker, struct server *server)
{
	int *own = places->fds + worker * places->count;
	int rc = 0;

	for (size_t i = 0; i < places->count && rc == 0; i++) {
		rc = server_add_listener(server, own[i], SERVER_HOST);
		own[i] = -1;
	}
	places_close(places);
	return rc;
}

void places_announce(const struct places *places, FILE *out)
{
	for (size_t i = 0; i < places->count; i++) {
		char where[PLACE_BYTES];
		bool is_tcp = write_place(places->fds[i], where);

		(void)fprintf(out, "listening %s\n",
			      is_tcp ? where : places->where[i]);
	}
	(void)fflush(out);
}

void places_close(struct places *places)
{
	size_t total = places->count * places->worker_count;

	for (size_t i = 0; places->fds != NULL && i < total; i++)
		if (places->fds[i] >= 0)
			(void)close(places->fds[i]);
	free(places->fds);
	places->fds = NULL;
}
