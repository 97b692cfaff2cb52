/* SPDX-License-Identifier: MIT */
/* relay: moves bytes between two sockets, both ways, unchanged and counted. */
#include "relay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>

#ifndef MSG_NOSIGNAL /* macOS: SIGPIPE is ignored anyway */
#define MSG_NOSIGNAL 0
#endif

/* One way may move this much before other tunnels have their turn. */
#define TURN_BYTES (1024U * 1024U)
/* A pipe that carried less than this was not worth it. */
#define BULK_MIN_BYTES 8192

static enum relay_side other(enum relay_side side)
{
	return side == RELAY_CLIENT ? RELAY_ORIGIN : RELAY_CLIENT;
}

void relay_init(struct relay *relay)
{
	memset(relay, 0, sizeof(*relay));
	relay->fds[RELAY_CLIENT] = -1;
	relay->fds[RELAY_ORIGIN] = -1;
}

static void drop_memory(struct relay_way *way)
{
	free(way->memory);
	way->memory = NULL;
	way->memory_at = 0;
}

static void drop_held(struct relay_way *way, struct relay_tools *tools)
{
	relay_pool_give(&tools->pool, way->pipe, way->held);
	way->pipe = NULL;
	drop_memory(way);
	way->held = 0;
}

void relay_clear(struct relay *relay, struct relay_tools *tools)
{
	drop_held(&relay->ways[RELAY_CLIENT], tools);
	drop_held(&relay->ways[RELAY_ORIGIN], tools);
}

void relay_change_origin(struct relay *relay, struct relay_tools *tools)
{
	relay_clear(relay, tools);
	memset(relay->ways, 0, sizeof(relay->ways));
	relay->fds[RELAY_ORIGIN] = -1;
	relay->is_readable[RELAY_ORIGIN] = false;
	relay->is_writable[RELAY_ORIGIN] = false;
	relay->has_fin[RELAY_ORIGIN] = false;
}

void relay_note(struct relay *relay, enum relay_side side, short what)
{
	if ((what & EV_READ) != 0)
		relay->is_readable[side] = true;
	if ((what & EV_WRITE) != 0)
		relay->is_writable[side] = true;
	if ((what & EV_CLOSED) != 0) {
		relay->has_fin[side] = true;
		relay->is_readable[side] = true;
	}
}

ssize_t relay_read(struct relay *relay, enum relay_side side, void *buf,
		   size_t size)
{
	struct relay_way *way = &relay->ways[side];
	ssize_t n;

	do
		n = recv(relay->fds[side], buf, size, 0);
	while (n < 0 && errno == EINTR);
	if (n == 0)
		way->is_ended = true;
	if (n < 0 && errno == EAGAIN) {
		relay->is_readable[side] = false;
		return -EAGAIN;
	}
	/* A short read has emptied the socket (epoll(7)): the next byte makes
	 * a new edge. A FIN that was there already does not. */
	if (n > 0 && (size_t)n < size && !relay->has_fin[side])
		relay->is_readable[side] = false;
	return n < 0 ? -errno : n;
}

/* Return: bytes taken by the kernel, maybe 0; -errno. */
static ssize_t send_some(struct relay *relay, enum relay_side to,
			 const void *bytes, size_t len)
{
	ssize_t n;

	do
		n = send(relay->fds[to], bytes, len, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EAGAIN) {
		relay->is_writable[to] = false;
		return 0;
	}
	return n < 0 ? -errno : n;
}

static int hold(struct relay_way *way, const void *bytes, size_t len)
{
	/* What is held already comes first. */
	size_t total = way->held + len;
	uint8_t *memory = malloc(total);

	if (memory == NULL || total > UINT32_MAX) {
		free(memory);
		return -ENOMEM;
	}
	if (way->held > 0)
		memcpy(memory, way->memory + way->memory_at, way->held);
	memcpy(memory + way->held, bytes, len);
	drop_memory(way);
	way->memory = memory;
	way->held = (uint32_t)total;
	return 0;
}

int relay_send(struct relay *relay, enum relay_side from, const void *bytes,
	       size_t len)
{
	struct relay_way *way = &relay->ways[from];
	const uint8_t *at = bytes;
	ssize_t n = 0;

	if (way->held == 0)
		n = send_some(relay, other(from), bytes, len);
	if (n < 0)
		return (int)n;
	way->bytes += (uint64_t)n;
	if ((size_t)n == len)
		return 0;
	return hold(way, at + n, len - (size_t)n);
}

static ssize_t flush_some(struct relay *relay, enum relay_side from)
{
	struct relay_way *way = &relay->ways[from];
	enum relay_side to = other(from);

	if (way->pipe == NULL)
		return send_some(relay, to, way->memory + way->memory_at,
				 way->held);
	ssize_t n = relay_pipe_drain(way->pipe, relay->fds[to], way->held);
	if (n == -EAGAIN) {
		relay->is_writable[to] = false;
		return 0;
	}
	return n;
}

int relay_flush(struct relay *relay, struct relay_tools *tools,
		enum relay_side from)
{
	struct relay_way *way = &relay->ways[from];

	while (way->held > 0) {
		if (!relay->is_writable[other(from)])
			return -EAGAIN;
		ssize_t n = flush_some(relay, from);
		if (n < 0)
			return (int)n;
		way->bytes += (uint64_t)n;
		way->held -= (uint32_t)n;
		if (way->pipe == NULL)
			way->memory_at += (uint32_t)n;
	}
	if (way->memory != NULL)
		drop_memory(way);
	if (way->pipe != NULL) {
		relay_pool_give(&tools->pool, way->pipe, 0);
		way->pipe = NULL;
	}
	return 0;
}

void relay_pass_fin(struct relay *relay, enum relay_side from)
{
	/* Where the other way is over the caller closes, which says the same.
	 */
	if (!relay->ways[other(from)].is_done)
		(void)shutdown(relay->fds[other(from)], SHUT_WR);
	relay->ways[from].is_done = true;
}

/* Return: as relay_read(); a pipe that could not be had is -ENOSYS. */
static ssize_t take_bulk(struct relay *relay, struct relay_tools *tools,
			 enum relay_side from)
{
	struct relay_way *way = &relay->ways[from];

	way->pipe = relay_pool_take(&tools->pool);
	if (way->pipe == NULL)
		return -ENOSYS;
	ssize_t n = relay_pipe_fill(way->pipe, relay->fds[from]);
	if (n > 0) {
		way->held = (uint32_t)n;
		way->is_bulk = n >= BULK_MIN_BYTES;
		return n;
	}
	relay_pool_give(&tools->pool, way->pipe, 0);
	way->pipe = NULL;
	if (n == 0)
		way->is_ended = true;
	if (n == -EAGAIN)
		relay->is_readable[from] = false;
	return n;
}

/* Failures of a way; a source that fails ends the whole relay. */
enum {
	STEP_GO_ON = 0,
	STEP_WAIT,
	STEP_TURN_OVER,
	STEP_SOURCE_FAILED,
	STEP_SINK_FAILED,
};

static ssize_t take(struct relay *relay, struct relay_tools *tools,
		    enum relay_side from)
{
	struct relay_way *way = &relay->ways[from];

	if (way->is_bulk) {
		ssize_t n = take_bulk(relay, tools, from);
		if (n != -ENOSYS && n != -EINVAL)
			return n;
		way->is_bulk = false;
	}
	ssize_t n =
		relay_read(relay, from, tools->scratch, sizeof(tools->scratch));
	way->is_bulk = n == (ssize_t)sizeof(tools->scratch);
	return n;
}

static int step(struct relay *relay, struct relay_tools *tools,
		enum relay_side from, size_t *left)
{
	struct relay_way *way = &relay->ways[from];
	int rc = relay_flush(relay, tools, from);

	if (rc == -EAGAIN)
		return STEP_WAIT;
	if (rc < 0)
		return STEP_SINK_FAILED;
	if (way->is_ended) {
		relay_pass_fin(relay, from);
		return STEP_WAIT;
	}
	if (!relay->is_readable[from])
		return STEP_WAIT;
	if (*left == 0)
		return STEP_TURN_OVER;
	ssize_t n = take(relay, tools, from);
	if (n == -EAGAIN)
		return STEP_WAIT;
	if (n < 0)
		return STEP_SOURCE_FAILED;
	*left -= (size_t)n < *left ? (size_t)n : *left;
	/* What went into a pipe is sent by the next step's flush. */
	if (n == 0 || way->pipe != NULL)
		return STEP_GO_ON;
	rc = relay_send(relay, from, tools->scratch, (size_t)n);
	return rc == 0 ? STEP_GO_ON : STEP_SINK_FAILED;
}

/*
 * The other side no longer takes anything: what it sent before may still wait
 * to be read, so only this way ends here. The way back ends by itself, because
 * a read of that side finds its end or the error.
 */
static void end_way(struct relay *relay, struct relay_tools *tools,
		    enum relay_side from)
{
	drop_held(&relay->ways[from], tools);
	relay->ways[from].is_done = true;
	relay->is_readable[other(from)] = true;
	relay->has_fin[other(from)] = true;
}

static enum relay_result run_way(struct relay *relay, struct relay_tools *tools,
				 enum relay_side from)
{
	struct relay_way *way = &relay->ways[from];
	size_t left = TURN_BYTES;
	int now = STEP_GO_ON;

	while (now == STEP_GO_ON && !way->is_done)
		now = step(relay, tools, from, &left);
	if (now == STEP_SINK_FAILED)
		end_way(relay, tools, from);
	if (now == STEP_SOURCE_FAILED)
		return RELAY_BROKEN;
	return now == STEP_TURN_OVER ? RELAY_AGAIN : RELAY_WAIT;
}

enum relay_result relay_run(struct relay *relay, struct relay_tools *tools)
{
	enum relay_result up = run_way(relay, tools, RELAY_CLIENT);
	enum relay_result down = run_way(relay, tools, RELAY_ORIGIN);

	if (up == RELAY_BROKEN || down == RELAY_BROKEN)
		return RELAY_BROKEN;
	/* A way that ended may have left work for the one that ran first. */
	if (relay->ways[RELAY_ORIGIN].is_done &&
	    !relay->ways[RELAY_CLIENT].is_done &&
	    relay->has_fin[RELAY_CLIENT] && relay->is_readable[RELAY_CLIENT])
		up = RELAY_AGAIN;
	if (relay->ways[RELAY_CLIENT].is_done &&
	    relay->ways[RELAY_ORIGIN].is_done)
		return RELAY_DONE;
	return up == RELAY_AGAIN || down == RELAY_AGAIN ? RELAY_AGAIN
							: RELAY_WAIT;
}
