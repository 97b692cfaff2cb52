/* SPDX-License-Identifier: MIT */
/* tap: records what was tried in the sandbox and reached no listener of ours.
 */
#include "tap.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/event_struct.h>

#include "audit.h"
#include "context.h"
#include "desk.h"
#include "policy.h"
#include "policy_hold.h"
#include "process_info.h"
#include "tap_packet.h"
#include "tap_socket.h"
#include "text.h"
#include "ticks.h"

/* Power of two. A flow whose place another takes may be recorded twice. */
#define RECENT_FLOWS     1024U
#define RECORDS_A_SECOND 2000U
#define ATTEMPTS_WAITING 256U
/* Tunnels are to have their turn as well. */
#define PACKETS_A_TURN 1024U

/** struct attempt - a record that waits for the process */
struct attempt {
	LIST_ENTRY(attempt) link;
	struct tap *tap;
	struct service_flow flow;
	struct desk_request *request;
};

/** struct recent - a flow, and the second in which it was recorded last */
struct recent {
	struct service_flow flow;
	int64_t second;
};

/**
 * struct tap - the socket and what it has seen
 * @seen:	packets read, and @counted: those that the kernel counted
 * @lost:	since the last record about it
 */
struct tap {
	struct context *context;
	struct event readable;
	int fd;
	uint64_t seen;
	uint64_t counted;
	uint64_t lost;
	int64_t second;
	unsigned int records_this_second;
	size_t waiting;
	LIST_HEAD(, attempt) attempts;
	struct recent recent[RECENT_FLOWS];
};

static const char *transport_of(uint32_t protocol)
{
	switch (protocol) {
	case IPPROTO_TCP:
		return "tcp";
	case IPPROTO_UDP:
		return "udp";
	default:
		return "icmp";
	}
}

static void write_attempt(struct tap *tap, const struct service_flow *flow,
			  const struct process_info *process)
{
	char host[NETADDR_TEXT_BYTES];
	struct audit_record record = {
		.event = AUDIT_TAP,
		.has_verdict = true,
		.verdict = VERDICT_DENY,
		.would = VERDICT_DENY,
		.reason = flow->protocol == IPPROTO_TCP
				  ? REASON_CONNECTION_REFUSED
				  : REASON_DESTINATION_IP_PROHIBITED,
		.via = AUDIT_VIA_TAP,
		.transport = transport_of(flow->protocol),
		.host = host,
		.port = flow->outer_port,
	};

	netaddr_format(&flow->outer, host);
	record.host_len = strlen(host);
	process_info_fill(process, &record);
	(void)!trail_write(&tap->context->trail, &record);
}

static void write_losses(struct tap *tap)
{
	struct audit_record record = {
		.event = AUDIT_TAP,
		.via = AUDIT_VIA_TAP,
	};
	char detail[96];
	struct text t;

	if (tap->lost == 0)
		return;
	text_init(&t, detail, sizeof(detail));
	text_add(&t, "packets or flows that are not recorded: ");
	text_add_decimal(&t, tap->lost);
	record.detail = detail;
	(void)!trail_write(&tap->context->trail, &record);
	tap->lost = 0;
}

static void drop(struct attempt *attempt)
{
	LIST_REMOVE(attempt, link);
	attempt->tap->waiting--;
	free(attempt);
}

static void on_who(void *arg, const struct service_answer *answer,
		   const int *fds)
{
	struct attempt *attempt = arg;
	struct process_info *process = process_info_new(answer);

	(void)fds;
	write_attempt(attempt->tap, &attempt->flow, process);
	process_info_free(process);
	drop(attempt);
}

/* Who was it? Where that cannot be asked the record says nothing of it. */
static void find_process(struct tap *tap, const struct service_flow *flow)
{
	struct desk *desk = tap->context->desk;
	struct attempt *attempt = NULL;

	if (desk != NULL && tap->waiting < ATTEMPTS_WAITING &&
	    (flow->protocol == IPPROTO_TCP || flow->protocol == IPPROTO_UDP))
		attempt = calloc(1, sizeof(*attempt));
	if (attempt == NULL) {
		write_attempt(tap, flow, NULL);
		return;
	}
	const struct desk_receiver receiver = {on_who, attempt};
	const struct service_question question = {
		.kind = SERVICE_WHO,
		.wants_parents = tap->context->wants_parents,
		.flow = *flow,
	};
	*attempt = (struct attempt){.tap = tap, .flow = *flow};
	if (desk_ask(desk, &question, &receiver, &attempt->request) != 0) {
		write_attempt(tap, flow, NULL);
		free(attempt);
		return;
	}
	LIST_INSERT_HEAD(&tap->attempts, attempt, link);
	tap->waiting++;
}

/* FNV-1a, over a structure that was zeroed before it was filled. */
static uint32_t hash(const struct service_flow *flow)
{
	const uint8_t *bytes = (const uint8_t *)flow;
	uint32_t sum = 2166136261U;

	for (size_t i = 0; i < sizeof(*flow); i++)
		sum = (sum ^ bytes[i]) * 16777619U;
	return sum;
}

/* A second has many packets of one flow, but one record. */
static bool is_news(struct tap *tap, const struct service_flow *flow)
{
	struct recent *recent = &tap->recent[hash(flow) % RECENT_FLOWS];

	if (recent->second == tap->second &&
	    memcmp(&recent->flow, flow, sizeof(*flow)) == 0)
		return false;
	recent->second = tap->second;
	recent->flow = *flow;
	return true;
}

/* Our own connection to a server inside that is not up yet, most likely; and
 * nobody else's business where it is the command's. */
static bool is_listen_port(const struct tap *tap,
			   const struct service_flow *flow)
{
	const struct policy *policy = tap->context->policy->policy;

	if (flow->protocol != IPPROTO_TCP ||
	    netaddr_classify(&flow->outer) != NETADDR_LOOPBACK)
		return false;
	for (size_t i = 0; i < policy->ports.listen_count; i++)
		if (policy->ports.listen[i].port == flow->outer_port)
			return true;
	return false;
}

static void take_packet(struct tap *tap, const uint8_t *data, size_t len)
{
	struct tap_packet packet;

	tap->seen++;
	if (!tap_packet_parse(data, len, &packet) ||
	    is_listen_port(tap, &packet.flow) || !is_news(tap, &packet.flow))
		return;
	if (tap->records_this_second++ >= RECORDS_A_SECOND)
		tap->lost++;
	else
		find_process(tap, &packet.flow);
}

static void begin_second(struct tap *tap)
{
	int64_t second = ticks_now_ms() / 1000;

	if (second == tap->second)
		return;
	tap->second = second;
	tap->records_this_second = 0;
	write_losses(tap);
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct tap *tap = arg;
	uint8_t packet[TAP_PACKET_BYTES];

	(void)what;
	begin_second(tap);
	for (unsigned int i = 0; i < PACKETS_A_TURN; i++) {
		ssize_t n = recv(fd, packet, sizeof(packet), MSG_DONTWAIT);
		if (n < 0)
			break;
		take_packet(tap, packet, (size_t)n);
	}
}

/* Reading the kernel's counters sets them to zero. */
static void count(struct tap *tap)
{
	struct tpacket_stats stats;
	socklen_t len = sizeof(stats);

	if (getsockopt(tap->fd, SOL_PACKET, PACKET_STATISTICS, &stats, &len) !=
	    0)
		return;
	tap->counted += stats.tp_packets - stats.tp_drops;
	tap->lost += stats.tp_drops;
}

bool tap_is_behind(struct tap *tap)
{
	on_readable(tap->fd, 0, tap);
	count(tap);
	return tap->seen < tap->counted || tap->waiting > 0;
}

struct tap *tap_new(struct context *context, int fd_own)
{
	struct tap *tap = calloc(1, sizeof(*tap));

	if (tap == NULL) {
		(void)close(fd_own);
		return NULL;
	}
	tap->context = context;
	tap->fd = fd_own;
	LIST_INIT(&tap->attempts);
	(void)event_assign(&tap->readable, context->base, fd_own,
			   EV_READ | EV_PERSIST, on_readable, tap);
	(void)event_add(&tap->readable, NULL);
	return tap;
}

void tap_free(struct tap *tap)
{
	if (tap == NULL)
		return;
	on_readable(tap->fd, 0, tap);
	while (!LIST_EMPTY(&tap->attempts)) {
		struct attempt *attempt = LIST_FIRST(&tap->attempts);

		/* What drop() frees is in the list no more. */
		/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
		desk_cancel(attempt->request);
		write_attempt(tap, &attempt->flow, NULL);
		drop(attempt);
	}
	count(tap);
	write_losses(tap);
	(void)event_del(&tap->readable);
	(void)close(tap->fd);
	free(tap);
}
