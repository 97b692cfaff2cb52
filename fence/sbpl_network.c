/* SPDX-License-Identifier: MIT */
/* sbpl_network: where the command may connect and listen, as rules. */
#include <string.h>

#include "paths.h"
#include "sbpl_internal.h"
#include "sbpl_tables.h"

static void outbound(struct sbpl *s, const char *verdict, const char *host,
		     uint16_t port)
{
	bytes_addf(s->out, "(%s network-outbound (remote tcp \"%s:%u\"))\n",
		   verdict, host, (unsigned int)port);
}

static bool has_loopback_port(const struct sbpl *s, uint16_t port)
{
	const struct policy_ports *loopback = &s->plan->policy->ports.loopback;

	for (size_t i = 0; i < loopback->count; i++)
		if (loopback->items[i] == port)
			return true;
	return port != 0 && port == s->plan->proxy_port;
}

static bool is_loopback(const struct netaddr *address)
{
	return netaddr_classify(address) == NETADDR_LOOPBACK;
}

/* Binding and accepting look at the own end, connecting at the other: `local`
 * on an outbound rule would open every destination. */
static void listen_port(struct sbpl *s, const struct policy_listen *listen)
{
	const char *host =
		is_loopback(&listen->host_address) ? "localhost" : "*";

	if (listen->port != listen->host_port)
		sbpl_refuse(s,
			    "listen %u: on macOS the port outside is the port "
			    "inside: say %u for both",
			    (unsigned int)listen->port,
			    (unsigned int)listen->port);
	if (has_loopback_port(s, listen->port))
		sbpl_refuse(s,
			    "listen %u: is a port of the host's too, and on "
			    "macOS both are one: choose another",
			    (unsigned int)listen->port);
	bytes_addf(s->out,
		   "(allow network-bind network-inbound (local tcp "
		   "\"%s:%u\"))\n",
		   host, (unsigned int)listen->port);
	outbound(s, "allow", "localhost", listen->port);
}

static void give_back(struct sbpl *s)
{
	const struct policy *policy = s->plan->policy;

	if (s->plan->proxy_port != 0)
		outbound(s, "allow", "localhost", s->plan->proxy_port);
	for (size_t i = 0; i < policy->ports.loopback.count; i++)
		outbound(s, "allow", "localhost",
			 policy->ports.loopback.items[i]);
	for (size_t i = 0; i < policy->ports.listen_count; i++)
		listen_port(s, &policy->ports.listen[i]);
}

static bool is_granted(const struct sbpl *s, const char *socket)
{
	for (size_t i = 0; i < s->plan->entry_count; i++) {
		const struct plan_entry *e = &s->plan->entries[i];
		if (e->access == PLAN_SOCKET && strcmp(e->path, socket) == 0)
			return true;
	}
	return false;
}

static void give_sockets(struct sbpl *s)
{
	for (size_t i = 0; i < s->plan->entry_count; i++) {
		const struct plan_entry *e = &s->plan->entries[i];
		if (e->access == PLAN_SOCKET)
			sbpl_rule(s, "allow network-outbound", SBPL_LITERAL,
				  sbpl_real(s, e->path));
	}
	/* Sockets of the run's own, between its processes. */
	if (strcmp(s->plan->tmp, "/tmp") != 0)
		sbpl_rule(s,
			  "allow network-outbound network-bind "
			  "network-inbound",
			  SBPL_SUBPATH, sbpl_real(s, s->plan->tmp));
	/* A resolver answers any name, so it is itself a way out: only where
	 * programs connect by themselves. */
	if (s->plan->policy->ports.connect.count > 0)
		bytes_add_text(s->out,
			       "(allow network-outbound (literal "
			       "\"/private/var/run/mDNSResponder\"))\n");
}

static void deny_socket(struct sbpl *s, const char *path)
{
	if (path == NULL)
		s->is_failed = true;
	else if (!is_granted(s, path))
		sbpl_rule(s, "deny network-outbound", SBPL_LITERAL,
			  sbpl_real(s, path));
}

static void deny_sockets(struct sbpl *s)
{
	const struct fence_facts *facts = s->plan->facts;
	const char *homes[] = {facts->home, facts->account_home};

	for (size_t i = 0; sbpl_control_sockets[i] != NULL; i++)
		deny_socket(s, sbpl_control_sockets[i]);
	for (size_t h = 0; h < 2; h++) {
		if (homes[h] == NULL || (h == 1 && homes[0] != NULL &&
					 strcmp(homes[0], homes[1]) == 0))
			continue;
		for (size_t i = 0; sbpl_home_control_sockets[i] != NULL; i++)
			deny_socket(s, path_join(&s->arena, homes[h],
						 sbpl_home_control_sockets[i]));
	}
	for (size_t i = 0; i < facts->socket_count; i++)
		deny_socket(s, facts->sockets[i]);
}

void sbpl_network(struct sbpl *s)
{
	const struct policy_ports *connect = &s->plan->policy->ports.connect;

	bytes_add_text(s->out, "\n; network\n(deny network*)\n");
	for (size_t i = 0; i < connect->count; i++)
		outbound(s, "allow", "*", connect->items[i]);
	/* "*" holds this machine as well: shut it again, in either case. */
	bytes_add_text(s->out, "(deny network-outbound (remote ip "
			       "\"localhost:*\"))\n");
	give_back(s);
	give_sockets(s);
	deny_sockets(s);
}

static bool is_opened(const struct sbpl *s, const struct sbpl_service *service)
{
	if ((service->opened_by & s->plan->openings) != 0)
		return true;
	/* getaddrinfo(3) asks the resolver by this name on new systems. */
	return s->plan->policy->ports.connect.count > 0 &&
	       strcmp(service->name, "com.apple.mDNSResponder") == 0;
}

void sbpl_services(struct sbpl *s)
{
	bytes_add_text(s->out, "\n; services that would act for the command\n"
			       "(deny mach-lookup");
	for (size_t i = 0; sbpl_services_denied[i].name != NULL; i++)
		if (!is_opened(s, &sbpl_services_denied[i]))
			bytes_addf(s->out, "\n  (global-name \"%s\")",
				   sbpl_services_denied[i].name);
	bytes_add_text(s->out, ")\n(deny appleevent-send)\n");
	if ((s->plan->openings & PLAN_OPEN_BROWSER) == 0)
		bytes_add_text(s->out, "(deny lsopen)\n");
	if ((s->plan->openings & PLAN_OPEN_TERMINALS) == 0)
		bytes_add_text(s->out, "(deny pseudo-tty)\n");
	bytes_add_text(s->out, "(deny system-socket)\n"
			       "(deny file-mount file-unmount)\n"
			       "(deny process-info* (target others))\n"
			       "(deny signal (target others))\n");
}
