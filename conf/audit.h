/* SPDX-License-Identifier: MIT */
/* audit: one record as one JSON line (audit.schema.json), and where it goes. */
#ifndef AUDIT_H
#define AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decision.h"
#include "hostname.h"
#include "netaddr.h"

#define AUDIT_LINE_MAX_BYTES 16384
#define AUDIT_RUN_ID_BYTES   33

enum audit_event {
	AUDIT_DECISION = 0,
	AUDIT_CLOSE,
	AUDIT_RESOLVE,
	AUDIT_LISTEN,
	AUDIT_LOOPBACK,
	AUDIT_TAP,
	AUDIT_RUN_START,
	AUDIT_RUN_EXIT,
	AUDIT_EVENT_COUNT,
};

enum audit_via {
	AUDIT_VIA_NONE = 0,
	AUDIT_VIA_CONNECT,
	AUDIT_VIA_HTTP,
	AUDIT_VIA_SOCKS5,
	AUDIT_VIA_SOCKS4,
	AUDIT_VIA_CAPTURE,
	AUDIT_VIA_LOOPBACK,
	AUDIT_VIA_LISTEN,
	AUDIT_VIA_DNS,
	AUDIT_VIA_TAP,
};

/**
 * struct audit_record - what is known; a zeroed record knows nothing
 *
 * A field that is NULL, 0 or has its has_ flag down is written as null or
 * left out, as the schema says. Strings are borrowed for the call and may hold
 * any byte. @ts_ms is the wall clock in ms since 1970, given by the caller.
 */
struct audit_record {
	enum audit_event event;
	uint64_t ts_ms;
	uint64_t seq;
	const char *run; /* run id, or NULL for a daemon */
	uint64_t conn;   /* joins the records of one connection; 0: none */
	bool has_verdict;
	enum verdict verdict;
	enum verdict would; /* written when it differs from verdict */
	enum reason reason;
	const char *rule; /* rule_source() */
	enum audit_via via;
	const char *transport; /* "tcp" */
	const char *host;      /* as canonical text, or the raw target */
	size_t host_len;
	uint16_t port;
	const char *server_name;
	size_t server_name_len;
	const char *alpn;
	size_t alpn_len;
	bool has_ech;
	bool ech;
	const struct netaddr *address; /* dialled or refused */
	bool has_bytes;
	uint64_t bytes_up;
	uint64_t bytes_down;
	uint64_t duration_ms;
	int64_t pid; /* 0: not known */
	const char *exe;
	const char *argv0;
	const char *process; /* "gone", "hidden", "unknown", or NULL */
	const char *parents; /* "PID ARGV0" lines, nearest first */
	const char *detail;  /* free text for run_start, run_exit, resolve */
	bool has_exit_code;
	int exit_code;
};

/** audit_event_text() - "run_start"; the value of a record's event */
const char *audit_event_text(enum audit_event event);

/**
 * audit_format() - the record as one line, newline included
 *
 * Long foreign strings are cut (host and server_name to 255 bytes, then "…"),
 * so a record always fits.
 *
 * Return: bytes written to @line_out, without a NUL.
 */
size_t audit_format(const struct audit_record *record,
		    char line_out[static AUDIT_LINE_MAX_BYTES]);

/**
 * audit_write() - append the record to @fd with one write(2)
 *
 * Return: 0, or -errno; a short write is -ENOSPC, and the cut line is ended
 * with a newline where there is room, so that readers lose one line, not two.
 */
int audit_write(int fd, const struct audit_record *record)
	__attribute__((warn_unused_result));

#endif
