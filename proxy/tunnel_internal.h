/* SPDX-License-Identifier: MIT */
/* tunnel_internal: what the files of tunnel share. */
#ifndef TUNNEL_INTERNAL_H
#define TUNNEL_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <event2/event_struct.h>

#include "audit.h"
#include "authority.h"
#include "byte_store.h"
#include "client_hello.h"
#include "context.h"
#include "decision.h"
#include "netaddr.h"
#include "relay.h"
#include "request_head.h"
#include "response.h"
#include "socks_request.h"
#include "tls_guard.h"
#include "tunnel.h"
#include "tunnel_record.h"
#include "tunnel_state.h"

struct desk_request;
struct dial;
struct inner_dial;
struct process_info;
struct resolver_request;
struct tunnel_http;
struct upstream_ask;

/**
 * struct tunnel_opening - what is needed only until bytes may flow
 * @input:	request head, then early data and hello; then what the guard
 *		holds
 * @has_unread:	a head may be in the input already
 * @ready_fd:	the origin, while the record waits for the client's process
 * @has_record_due: a refusal's record waits for it, and so does the answer
 * @http:	plain HTTP is spoken; NULL: not so far
 * @ask:	another proxy is asked for the connection
 * @is_upstream: it goes through another proxy, whose address is dialled
 * @answer:	what is left to say to the client, from @answer_at on
 * @looked:	captured: how much of the input was fed to @hello
 * @speaks:	captured: what the client's first bytes look like
 * @awaits_first: what is said depends on those
 * @alert:	what is said to a client that speaks TLS
 */
struct tunnel_opening {
	struct request_head_scan scan;
	struct authority authority;
	struct byte_store input;
	struct resolver_request *request;
	struct dial *dial;
	struct inner_dial *inner; /* from the host to a server inside */
	struct upstream_ask *ask;
	bool is_upstream;
	int ready_fd;
	bool has_record_due;
	struct client_hello_state hello;
	bool has_hello;
	struct tls_guard *guard;
	char *answer;
	size_t answer_at;
	size_t answer_len;
	size_t drained;
	struct socks_request socks;
	bool is_socks;
	bool has_unread;
	bool awaits_first;
	bool is_glance; /* tunnel_glance.h */
	uint8_t speaks; /* enum tunnel_speech, tunnel_capture.h */
	uint8_t alert_len;
	uint8_t alert[RESPONSE_ALERT_BYTES];
	size_t looked;
	struct tunnel_http *http;
};

/** struct tunnel_input - unread bytes of the client: in the scratch buffer, or
 * in opening->input with what was kept */
struct tunnel_input {
	const uint8_t *data;
	size_t len;
};

/**
 * struct tunnel - one client connection
 * @host:	as in records: canonical text, or the raw target; heap
 * @server_name: heap, only where it is not @host; see @has_server_name
 * @client:	its entry where clients are counted, else NULL
 * @decision:	what was decided last
 * @head_ms:	since when a head is waited for
 * @is_captured: it was meant for somebody else, who speaks first
 * @is_answered: the 200 was sent: no more HTTP to the client
 * @has_close:	a close record is due
 * @who:	the gate is asked for the client's process; then @process
 */
struct tunnel {
	TAILQ_ENTRY(tunnel) link;
	TAILQ_ENTRY(tunnel) again_link;
	struct context *context;
	struct policy_hold *policy;
	struct client_entry *client;
	struct event events[RELAY_SIDE_COUNT];
	struct event timer;
	struct relay relay;
	struct tunnel_opening *opening;
	struct decision decision;
	uint64_t conn;
	int64_t start_ms;
	int64_t head_ms;
	int64_t deadline_ms;
	int64_t armed_ms;
	char *host;
	char *server_name;
	char *alpn;
	struct desk_request *who;
	struct process_info *process;
	struct netaddr address;
	uint16_t port;
	uint16_t host_len;
	uint16_t server_name_len;
	uint8_t alpn_len;
	uint8_t state;
	uint8_t via;
	bool has_server_name;
	bool has_address;
	bool has_ech;
	bool ech;
	bool is_captured;
	bool is_answered;
	bool has_close;
	bool is_in_again;
	bool has_write_event[RELAY_SIDE_COUNT];
	bool is_reset;
};

/**
 * struct tunnel_refusal - why not
 * @status:	of the HTTP answer where the reason does not say; 0
 * @detail:	in words, for the client; NULL
 * @is_silent:	close without a word
 * @raw:	@raw_len bytes to say instead of the reason's; or NULL
 */
struct tunnel_refusal {
	enum reason reason;
	unsigned int status;
	const char *detail;
	bool is_silent;
	const uint8_t *raw;
	size_t raw_len;
};

/* tunnel.c */
void tunnel_apply(struct tunnel *tunnel, enum tunnel_event event);
void tunnel_set_deadline(struct tunnel *tunnel, uint64_t ms);
int tunnel_watch_origin(struct tunnel *tunnel, int fd_own)
	__attribute__((warn_unused_result));
void tunnel_run_relay(struct tunnel *tunnel);
void tunnel_close_origin(struct tunnel *tunnel);
/** tunnel_change_origin() - end the tunnel to it with its record; the client
 * stays, and another origin may take its place */
void tunnel_change_origin(struct tunnel *tunnel);
void tunnel_drop_opening(struct tunnel *tunnel);
const struct policy *tunnel_policy(const struct tunnel *tunnel);

/** tunnel_settle() - at the end of each callback: be told when a socket that
 * took nothing more can take again */
void tunnel_settle(struct tunnel *tunnel);
void tunnel_on_ready(struct tunnel *tunnel, enum relay_side side, short what);

/* tunnel_lists.c */
/** tunnel_run_again() - when other tunnels had their turn */
void tunnel_run_again(struct tunnel *tunnel);
/** tunnel_count_client() - count it, where clients are. Return: 0 or -ENOMEM.
 */
int tunnel_count_client(struct tunnel *tunnel)
	__attribute__((warn_unused_result));
/** tunnel_bury() - to be freed when no callback of its can be running */
void tunnel_bury(struct tunnel *tunnel);

/* tunnel_request.c */
void tunnel_read_head(struct tunnel *tunnel);
void tunnel_head_timeout(struct tunnel *tunnel);
/** tunnel_keep_from() - keep what a later step needs, from offset @from on.
 * Return: 0 or -ENOMEM. */
int tunnel_keep_from(struct tunnel *tunnel, const struct tunnel_input *input,
		     size_t from) __attribute__((warn_unused_result));
/** tunnel_judge() - decide on opening->authority, and go on from there */
void tunnel_judge(struct tunnel *tunnel, enum audit_via via);
void tunnel_refuse_silently(struct tunnel *tunnel);
/** tunnel_speaks_http() - plain HTTP, as far as is known */
bool tunnel_speaks_http(const struct tunnel *tunnel);
/** tunnel_refuse_target() - a head that is wrong, its target for the record */
void tunnel_refuse_target(struct tunnel *tunnel,
			  const struct request_head *head, unsigned int status);
/** tunnel_is_settled() - after an allow: refuse what cannot be served, or use
 * the connection that is there. Return: nothing is left to do. */
bool tunnel_is_settled(struct tunnel *tunnel);
/** tunnel_await_head() - another request may come, or be there already */
void tunnel_await_head(struct tunnel *tunnel);

/* tunnel_socks.c */
void tunnel_take_socks(struct tunnel *tunnel, const struct tunnel_input *input);

/* tunnel_http.c */
void tunnel_take_request(struct tunnel *tunnel, const struct request_head *head,
			 const struct tunnel_input *input);
/** tunnel_http_enter() - a tunnel to a plain HTTP rule is open.
 * Return: 0 or -ENOMEM. */
int tunnel_http_enter(struct tunnel *tunnel)
	__attribute__((warn_unused_result));
/** tunnel_http_reuse() - send the request to the origin that is connected.
 * Return: false: none is, or it is another. */
bool tunnel_http_reuse(struct tunnel *tunnel);
void tunnel_http_start(struct tunnel *tunnel);
void tunnel_http_free(struct tunnel_http *http);
void tunnel_run_exchange(struct tunnel *tunnel);
/** tunnel_http_origin_spoke() - between two requests: it is of no use then */
void tunnel_http_origin_spoke(struct tunnel *tunnel);
bool tunnel_http_is_idle(const struct tunnel *tunnel);
/** tunnel_http_may_answer() - the client has got nothing of a response yet */
bool tunnel_http_may_answer(const struct tunnel *tunnel);

/* tunnel_hello.c */
void tunnel_read_hello(struct tunnel *tunnel);
void tunnel_run_guard(struct tunnel *tunnel);

/* tunnel_refuse.c */
void tunnel_refuse(struct tunnel *tunnel, const struct tunnel_refusal *refusal);
void tunnel_send_answer(struct tunnel *tunnel);
void tunnel_drain(struct tunnel *tunnel);
/** tunnel_finish() - all was said: close so that the client gets it */
void tunnel_finish(struct tunnel *tunnel);

#endif
