/* SPDX-License-Identifier: MIT */
/* tunnel_record: what a tunnel has to say to the audit trail. */
#include "tunnel_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy.h"
#include "process_info.h"
#include "text.h"
#include "ticks.h"
#include "tunnel_who.h"

/* What a record may hold of a raw target: more is cut there anyway. */
#define HOST_KEPT_BYTES 300

static char *copy_bytes(const void *bytes, size_t len)
{
	char *copy = malloc(len + 1);

	if (copy != NULL) {
		memcpy(copy, bytes, len);
		copy[len] = '\0';
	}
	return copy;
}

int tunnel_set_host(struct tunnel *tunnel, const char *host, size_t len,
		    uint16_t port)
{
	if (len > HOST_KEPT_BYTES)
		len = HOST_KEPT_BYTES;
	char *copy = copy_bytes(len > 0 ? host : "", len);
	if (copy == NULL)
		return -ENOMEM;
	free(tunnel->host);
	tunnel->host = copy;
	tunnel->host_len = (uint16_t)len;
	tunnel->port = port;
	return 0;
}

/* A name that is the host's own is not kept twice. Out of memory: the record
 * lacks the name, and its reason still says what was wrong with it. */
static void set_server_name(struct tunnel *tunnel, const void *name, size_t len)
{
	free(tunnel->server_name);
	tunnel->server_name = NULL;
	tunnel->server_name_len = (uint16_t)len;
	tunnel->has_server_name = true;
	if (len == tunnel->host_len && memcmp(name, tunnel->host, len) == 0)
		return;
	tunnel->server_name = copy_bytes(name, len);
	if (tunnel->server_name == NULL)
		tunnel->has_server_name = false;
}

void tunnel_set_raw_name(struct tunnel *tunnel, const uint8_t *name, size_t len)
{
	set_server_name(tunnel, name, len);
}

void tunnel_set_hello(struct tunnel *tunnel, const struct client_hello *hello)
{
	tunnel->has_ech = true;
	tunnel->ech = hello->has_ech || hello->has_esni;
	tunnel->has_server_name = false;
	if (hello->has_server_name)
		set_server_name(tunnel, hello->server_name.text,
				hello->server_name.len);
	else if (hello->raw_name_len > 0)
		set_server_name(tunnel, hello->raw_name, hello->raw_name_len);
	free(tunnel->alpn);
	tunnel->alpn = NULL;
	tunnel->alpn_len = 0;
	if (hello->alpn_len == 0)
		return;
	tunnel->alpn = copy_bytes(hello->alpn, hello->alpn_len);
	if (tunnel->alpn != NULL)
		tunnel->alpn_len = hello->alpn_len;
}

static void fill(const struct tunnel *tunnel, const struct decision *d,
		 struct audit_record *record)
{
	record->conn = tunnel->conn;
	record->has_verdict = true;
	record->verdict = d->verdict;
	record->would = d->would;
	record->reason = d->reason;
	record->rule = d->rule != NULL ? rule_source(d->rule) : NULL;
	record->via = tunnel->via;
	record->transport = "tcp";
	record->host = tunnel->host;
	record->host_len = tunnel->host_len;
	record->port = tunnel->port;
	record->alpn = tunnel->alpn;
	record->alpn_len = tunnel->alpn_len;
	record->has_ech = tunnel->has_ech;
	record->ech = tunnel->ech;
	record->address = tunnel->has_address ? &tunnel->address : NULL;
	process_info_fill(tunnel->process, record);
	if (tunnel->has_server_name) {
		record->server_name = tunnel->server_name != NULL
					      ? tunnel->server_name
					      : tunnel->host;
		record->server_name_len = tunnel->server_name_len;
	}
}

int tunnel_record_decision(struct tunnel *tunnel, const struct decision *d)
{
	struct audit_record record = {
		.event = tunnel->via == AUDIT_VIA_LISTEN ? AUDIT_LISTEN
							 : AUDIT_DECISION,
	};

	fill(tunnel, d, &record);
	return trail_write(&tunnel->context->trail, &record);
}

void tunnel_record_refusal(struct tunnel *tunnel)
{
	if (!tunnel->opening->has_record_due)
		return;
	tunnel->opening->has_record_due = false;
	(void)!tunnel_record_decision(tunnel, &tunnel->decision);
}

void tunnel_record_close(struct tunnel *tunnel)
{
	struct audit_record record = {.event = AUDIT_CLOSE};

	fill(tunnel, &tunnel->decision, &record);
	record.has_bytes = true;
	record.bytes_up = tunnel->relay.ways[RELAY_CLIENT].bytes;
	record.bytes_down = tunnel->relay.ways[RELAY_ORIGIN].bytes;
	record.duration_ms = (uint64_t)(ticks_now_ms() - tunnel->start_ms);
	/* The tunnel ends anyway; the failure was logged. */
	(void)!trail_write(&tunnel->context->trail, &record);
	tunnel->has_close = false;
}

void tunnel_count_denied(struct tunnel *tunnel, enum reason reason,
			 const char *flag)
{
	char destination[AUTHORITY_TEXT_BYTES];

	if (!reason_is_refusal(reason) || tunnel->port == 0)
		return;
	(void)authority_text(&tunnel->opening->authority, destination);
	deny_table_add(&tunnel->context->denied, destination, flag);
}
