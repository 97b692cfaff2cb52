/* SPDX-License-Identifier: MIT */
/* capture_rules: every address of a network namespace is ours. */
#include "capture_rules.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_addr.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>

#include "netlink_batch.h"

#define TABLE           "exeat"
#define CHAIN           "capture"
#define PRIORITY_MANGLE (-150) /* before routing, as tproxy has to be */
#define PORT_OF_DNS     53
#define LOOPBACK_INDEX  1 /* the first interface of every namespace */

static void write_route(struct netlink_batch *batch, unsigned int family)
{
	const uint32_t link = LOOPBACK_INDEX;
	const struct rtmsg route = {
		.rtm_family = (uint8_t)family,
		.rtm_table = RT_TABLE_LOCAL,
		.rtm_protocol = RTPROT_BOOT,
		.rtm_scope = RT_SCOPE_HOST,
		.rtm_type = RTN_LOCAL,
	};

	netlink_message(batch, RTM_NEWROUTE,
			NLM_F_CREATE | NLM_F_EXCL | NLM_F_ACK, &route,
			sizeof(route));
	netlink_put(batch, RTA_OIF, &link, sizeof(link));
}

/* Where 127.0.0.1 is all that there is of IPv4, glibc takes names to have no
 * IPv4 address (AI_ADDRCONFIG, RFC 3493 s6.1). Another address of lo makes the
 * difference, and this one is not captured. */
static void write_address(struct netlink_batch *batch)
{
	static const uint8_t address[] = {127, 0, 0, 2};
	const struct ifaddrmsg header = {
		.ifa_family = AF_INET,
		.ifa_prefixlen = 8,
		.ifa_scope = RT_SCOPE_HOST,
		.ifa_index = LOOPBACK_INDEX,
	};

	netlink_message(batch, RTM_NEWADDR,
			NLM_F_CREATE | NLM_F_REPLACE | NLM_F_ACK, &header,
			sizeof(header));
	netlink_put(batch, IFA_LOCAL, address, sizeof(address));
	netlink_put(batch, IFA_ADDRESS, address, sizeof(address));
}

int capture_add_routes(bool *has_ipv6_out)
{
	struct netlink_batch batch = {.len = 0};
	int errors[NETLINK_BATCH_MESSAGES];

	write_route(&batch, AF_INET);
	write_route(&batch, AF_INET6);
	write_address(&batch);
	int rc = netlink_exchange(NETLINK_ROUTE, &batch, errors);
	if (rc == 0)
		rc = errors[0] != 0 ? errors[0] : errors[2];
	if (rc == 0)
		*has_ipv6_out = errors[1] == 0;
	return rc;
}

/* Begin an expression of a rule. @data_out: where it ends; both are closed by
 * end_expression(). */
static size_t begin_expression(struct netlink_batch *batch, const char *name,
			       size_t *data_out)
{
	size_t element = netlink_nest(batch, NFTA_LIST_ELEM);

	netlink_put_text(batch, NFTA_EXPR_NAME, name);
	*data_out = netlink_nest(batch, NFTA_EXPR_DATA);
	return element;
}

static void end_expression(struct netlink_batch *batch, size_t element,
			   size_t data)
{
	netlink_nest_end(batch, data);
	netlink_nest_end(batch, element);
}

static void write_meta(struct netlink_batch *batch, uint32_t key)
{
	size_t data;
	size_t element = begin_expression(batch, "meta", &data);

	netlink_put_be32(batch, NFTA_META_DREG, NFT_REG_1);
	netlink_put_be32(batch, NFTA_META_KEY, key);
	end_expression(batch, element, data);
}

static void write_load(struct netlink_batch *batch, uint32_t base,
		       uint32_t offset, uint32_t len)
{
	size_t data;
	size_t element = begin_expression(batch, "payload", &data);

	netlink_put_be32(batch, NFTA_PAYLOAD_DREG, NFT_REG_1);
	netlink_put_be32(batch, NFTA_PAYLOAD_BASE, base);
	netlink_put_be32(batch, NFTA_PAYLOAD_OFFSET, offset);
	netlink_put_be32(batch, NFTA_PAYLOAD_LEN, len);
	end_expression(batch, element, data);
}

/* The rule goes on only where the register compares so. */
static void write_compare(struct netlink_batch *batch, uint32_t how,
			  const void *value, size_t len)
{
	size_t data;
	size_t element = begin_expression(batch, "cmp", &data);

	netlink_put_be32(batch, NFTA_CMP_SREG, NFT_REG_1);
	netlink_put_be32(batch, NFTA_CMP_OP, how);
	size_t nest = netlink_nest(batch, NFTA_CMP_DATA);
	netlink_put(batch, NFTA_DATA_VALUE, value, len);
	netlink_nest_end(batch, nest);
	end_expression(batch, element, data);
}

static void write_tproxy(struct netlink_batch *batch, uint16_t port)
{
	const uint16_t ordered = htons(port);
	size_t data;
	size_t element = begin_expression(batch, "immediate", &data);

	netlink_put_be32(batch, NFTA_IMMEDIATE_DREG, NFT_REG_1);
	size_t nest = netlink_nest(batch, NFTA_IMMEDIATE_DATA);
	netlink_put(batch, NFTA_DATA_VALUE, &ordered, sizeof(ordered));
	netlink_nest_end(batch, nest);
	end_expression(batch, element, data);

	element = begin_expression(batch, "tproxy", &data);
	netlink_put_be32(batch, NFTA_TPROXY_FAMILY, NFPROTO_UNSPEC);
	netlink_put_be32(batch, NFTA_TPROXY_REG_PORT, NFT_REG_1);
	end_expression(batch, element, data);
}

/* Where an address is that must not be loopback. */
struct not_loopback {
	uint8_t family;
	uint32_t offset; /* of the destination in the header */
	uint8_t len;     /* how much of it says so */
	uint8_t value[16];
};

static void write_rule(struct netlink_batch *batch,
		       const struct nfgenmsg *header,
		       const struct not_loopback * not, uint16_t port)
{
	const uint8_t tcp = IPPROTO_TCP;
	const uint16_t dns = htons(PORT_OF_DNS);

	netlink_message(batch, NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWRULE,
			NLM_F_CREATE | NLM_F_APPEND | NLM_F_ACK, header,
			sizeof(*header));
	netlink_put_text(batch, NFTA_RULE_TABLE, TABLE);
	netlink_put_text(batch, NFTA_RULE_CHAIN, CHAIN);
	size_t list = netlink_nest(batch, NFTA_RULE_EXPRESSIONS);
	write_meta(batch, NFT_META_NFPROTO);
	write_compare(batch, NFT_CMP_EQ, &not ->family, sizeof(not ->family));
	write_meta(batch, NFT_META_L4PROTO);
	write_compare(batch, NFT_CMP_EQ, &tcp, sizeof(tcp));
	write_load(batch, NFT_PAYLOAD_NETWORK_HEADER, not ->offset, not ->len);
	write_compare(batch, NFT_CMP_NEQ, not ->value, not ->len);
	write_load(batch, NFT_PAYLOAD_TRANSPORT_HEADER, 2, sizeof(dns));
	write_compare(batch, NFT_CMP_NEQ, &dns, sizeof(dns));
	write_tproxy(batch, port);
	netlink_nest_end(batch, list);
}

static void write_chain(struct netlink_batch *batch,
			const struct nfgenmsg *header)
{
	netlink_message(batch, NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWTABLE,
			NLM_F_CREATE, header, sizeof(*header));
	netlink_put_text(batch, NFTA_TABLE_NAME, TABLE);

	netlink_message(batch, NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWCHAIN,
			NLM_F_CREATE, header, sizeof(*header));
	netlink_put_text(batch, NFTA_CHAIN_TABLE, TABLE);
	netlink_put_text(batch, NFTA_CHAIN_NAME, CHAIN);
	size_t hook = netlink_nest(batch, NFTA_CHAIN_HOOK);
	netlink_put_be32(batch, NFTA_HOOK_HOOKNUM, NF_INET_PRE_ROUTING);
	netlink_put_be32(batch, NFTA_HOOK_PRIORITY, (uint32_t)PRIORITY_MANGLE);
	netlink_nest_end(batch, hook);
	netlink_put_text(batch, NFTA_CHAIN_TYPE, "filter");
}

int capture_add_rules(uint16_t port)
{
	static const struct not_loopback all[] = {
		{NFPROTO_IPV4, 16, 1,  {127}     },
		{NFPROTO_IPV6, 24, 16, {[15] = 1}},
	};
	const struct nfgenmsg edge = {
		.nfgen_family = AF_UNSPEC,
		.version = NFNETLINK_V0,
		.res_id = htons(NFNL_SUBSYS_NFTABLES),
	};
	const struct nfgenmsg inet = {
		.nfgen_family = NFPROTO_INET,
		.version = NFNETLINK_V0,
	};
	struct netlink_batch batch = {.len = 0};
	int errors[NETLINK_BATCH_MESSAGES];

	netlink_message(&batch, NFNL_MSG_BATCH_BEGIN, 0, &edge, sizeof(edge));
	write_chain(&batch, &inet);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		write_rule(&batch, &inet, &all[i], port);
	netlink_message(&batch, NFNL_MSG_BATCH_END, 0, &edge, sizeof(edge));
	int rc = netlink_exchange(NETLINK_NETFILTER, &batch, errors);
	for (size_t i = 0; rc == 0 && i < batch.count; i++)
		rc = errors[i];
	return rc;
}
