/* SPDX-License-Identifier: MIT */
/*
 * policy: what the user said, in one immutable value, and its decisions.
 *
 * How it works: conf.h builds a struct policy from files and flags. Plans
 * (fence/) read the lists below; the proxy asks the decisions. Nobody writes
 * to it after it is built, so it may be shared without locks and swapped
 * whole.
 */
#ifndef POLICY_H
#define POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decision.h"
#include "hostname.h"
#include "netaddr.h"

struct rule_set;

enum policy_mode {
	POLICY_ENFORCE = 0,
	POLICY_OBSERVE,
};

enum policy_files_mode {
	POLICY_FILES_STRICT = 0, /* system roots, mounts, working directory */
	POLICY_FILES_ALLOWLIST,  /* and what files.read names */
	POLICY_FILES_OPEN,       /* everything but secrets */
};

enum policy_protect {
	POLICY_PROTECT_DENY = 0, /* protected paths are read-only */
	POLICY_PROTECT_LIST,     /* writable, listed after the run */
};

enum policy_audit_error {
	POLICY_AUDIT_DENY = 0, /* what cannot be recorded is refused */
	POLICY_AUDIT_CONTINUE,
};

/** struct policy_strings - a list of NUL-terminated strings */
struct policy_strings {
	const char *const *items;
	size_t count;
};

/** struct policy_listen - a port inside, and where the host offers it */
struct policy_listen {
	uint16_t port;
	struct netaddr host_address; /* 127.0.0.1 unless said */
	uint16_t host_port;
};

struct policy_ports {
	const uint16_t *items;
	size_t count;
};

/** struct policy_mount - a folder given to the command */
struct policy_mount {
	const char *source; /* absolute, as written otherwise */
	const char *target; /* absolute, or below the working directory */
	bool is_writable;
};

/** struct policy_variable - NAME or NAME* passed on, or NAME=VALUE */
struct policy_variable {
	const char *name;
	const char *value; /* NULL: the caller's */
	bool is_unsafe;    /* it may make programs load code */
};

/** struct policy_answer - a fixed answer for a name, as curl --resolve */
struct policy_answer {
	struct hostname host;
	struct netaddr address;
};

struct policy_endpoint {
	struct netaddr address;
	uint16_t port;
};

/**
 * struct policy - the whole of it; every pointer lives as long as the policy
 *
 * Durations are in milliseconds, sizes in bytes; 0 in a limit means none.
 */
struct policy {
	enum policy_mode mode;
	bool observe_private;
	const struct rule_set *rules;

	struct {
		const struct policy_listen *listen;
		size_t listen_count;
		struct policy_ports connect;
		struct policy_ports loopback;
		bool capture;
		bool private_loopback;
	} ports;

	struct {
		enum policy_files_mode mode;
		enum policy_protect protect;
		struct policy_strings read;
		struct policy_strings write;
		struct policy_strings hide;
		const char *home; /* NULL: one that goes with the run */
		const struct policy_mount *mounts;
		size_t mount_count;
	} files;

	struct {
		const struct policy_variable *items;
		size_t count;
	} env;

	struct policy_strings unix_sockets;

	struct {
		uint64_t wall_ms;
		uint64_t memory_bytes;
		uint64_t processes;
	} limits;

	bool ech_denied;

	struct {
		const char *url; /* NULL: none */
		struct policy_strings except;
	} upstream;

	const struct policy_answer *answers;
	size_t answer_count;

	struct {
		const struct policy_endpoint *servers;
		size_t server_count;
		uint64_t timeout_ms;
	} dns;

	struct {
		const char *file; /* NULL: the caller's default */
		enum policy_audit_error on_error;
		uint64_t keep_ms;
		uint64_t max_size_bytes;
	} audit;

	struct {
		struct policy_strings listen; /* "ADDR:PORT", "unix:PATH" */
		uint64_t workers;
		uint64_t max_tunnels;
		uint64_t max_client_tunnels; /* 0: no limit */
		const char *admin;           /* NULL: none */
		bool reload_closes;
		uint64_t head_timeout_ms;
		uint64_t hello_timeout_ms;
		uint64_t connect_timeout_ms;
		uint64_t idle_timeout_ms;
	} proxy;
};

/** policy_free() - NULL does nothing */
void policy_free(struct policy *policy);

/**
 * policy_decide_name() - may a connection to @host:@port be made? Asked before
 * any name is resolved.
 *
 * A deny rule wins over every allow rule. No rule: deny, with
 * REASON_PORT_NOT_ALLOWED where only the port is at fault.
 */
struct decision policy_decide_name(const struct policy *policy,
				   const struct hostname *host, uint16_t port);

/* What the caller knows of an address beyond its bits. */
enum policy_address_trait {
	POLICY_ADDRESS_WRITTEN = 1, /* the user wrote it for this name
				       (`resolve`): with `private` that permits
				       loopback and link-local too */
	POLICY_ADDRESS_OWN = 2,     /* of this host's interfaces: as loopback */
};

/**
 * policy_decide_literal() - may a connection to an address that the client
 * wrote be made? Name rules never match it (RFC 9110 s7.2 gives no name).
 */
struct decision policy_decide_literal(const struct policy *policy,
				      const struct netaddr *addr, uint16_t port,
				      unsigned int traits);

/**
 * policy_decide_address() - may an address that an allowed name resolved to be
 * dialled?
 * @by_name:	the decision that allowed the name
 * @traits:	of enum policy_address_trait
 *
 * Denies private and special-purpose addresses unless the rule lifts that,
 * metadata addresses always, and what an address deny rule covers.
 */
struct decision policy_decide_address(const struct policy *policy,
				      const struct decision *by_name,
				      const struct netaddr *addr, uint16_t port,
				      unsigned int traits);

/**
 * policy_decide_server_name() - does the name in a ClientHello fit?
 * @authorised:	the decision that allowed the connection
 * @authority:	the name asked for, or NULL where an address was
 * @server_name: of the ClientHello, or NULL: it had none
 *
 * For a name: must be equal. For an address: need not be shown, but host deny
 * rules judge one that is.
 */
struct decision policy_decide_server_name(const struct policy *policy,
					  const struct decision *authorised,
					  const struct hostname *authority,
					  const struct hostname *server_name,
					  uint16_t port);

/**
 * policy_next_answer() - walk the fixed answers of @host
 * @at:		0 at first; what the last call returned after that
 *
 * Return: a position for the next call, or 0: no more. *addr_out is filled
 * when non-zero is returned.
 */
size_t policy_next_answer(const struct policy *policy,
			  const struct hostname *host, size_t at,
			  struct netaddr *addr_out);

/** rule_source() - "policy.cfg:12", "--allow example.com", "preset npm:3";
 * rule_text() - the rule as RULE syntax of the command line */
const char *rule_source(const struct rule *rule);
const char *rule_text(const struct rule *rule);
#endif
