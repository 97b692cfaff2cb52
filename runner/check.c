/* SPDX-License-Identifier: MIT */
/* check: `exeat check HOST[:PORT]|PATH`, what the policy says, and why. */
#include "check.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "check_answer.h"
#include "check_path.h"
#include "handoff.h"
#include "help.h"
#include "hostname.h"
#include "netaddr.h"
#include "policy_args.h"
#include "suggest.h"
#include "text.h"

#define CHECK_DEFAULT_PORT 443

/**
 * struct destination - what is asked about
 * @is_address:	@address counts, else @host
 */
struct destination {
	bool is_address;
	struct netaddr address;
	struct hostname host;
	uint16_t port;
};

/* "HOST", "HOST:PORT", "ADDRESS", "V4:PORT", "[V6]:PORT". */
static bool split(const char *word, const char **host, size_t *host_len,
		  uint16_t *port)
{
	const char *colon = strrchr(word, ':');
	size_t len = strlen(word);

	*port = CHECK_DEFAULT_PORT;
	*host = word;
	*host_len = len;
	if (word[0] == '[') {
		const char *end = strchr(word, ']');
		if (end == NULL)
			return false;
		*host = word + 1;
		*host_len = (size_t)(end - *host);
		if (end[1] == '\0')
			return true;
		colon = end + 1;
	} else if (colon == NULL || strchr(word, ':') != colon) {
		return true; /* no port; several colons are IPv6 */
	} else {
		*host_len = (size_t)(colon - word);
	}
	return *colon == ':' &&
	       text_parse_port(colon + 1, strlen(colon + 1), port);
}

static int parse_destination(const char *word, struct destination *to,
			     struct diag *diag)
{
	const char *host;
	size_t len;

	if (!split(word, &host, &len, &to->port)) {
		diag_set(diag, "%s: not HOST or HOST:PORT (port 1 to 65535)",
			 word);
		return -1;
	}
	to->is_address = netaddr_parse(host, len, &to->address);
	if (to->is_address)
		return 0;
	enum hostname_result rc = hostname_parse(host, len, &to->host);
	if (rc != HOSTNAME_OK) {
		diag_set(diag, "%s: not a host name: %s", word,
			 hostname_result_text(rc));
		return -1;
	}
	return 0;
}

static const char *protocol_text(enum rule_protocol protocol)
{
	switch (protocol) {
	case RULE_PROTOCOL_TLS:
		return "tls (the ClientHello must name the host)";
	case RULE_PROTOCOL_HTTP:
		return "http";
	case RULE_PROTOCOL_TCP:
		return "tcp (anything)";
	}
	return "";
}

static void print_destination(const struct destination *to)
{
	char text[NETADDR_TEXT_BYTES];

	if (!to->is_address) {
		printf("%s:%u", to->host.text, to->port);
		return;
	}
	netaddr_format(&to->address, text);
	printf(to->address.family == AF_INET6 ? "[%s]:%u" : "%s:%u", text,
	       to->port);
}

static void print_remedy(const struct destination *to)
{
	char flag[SUGGEST_MAX_BYTES];
	struct text t;
	const struct suggest_target target = {
		.name = to->is_address ? NULL : &to->host,
		.address = to->is_address ? &to->address : NULL,
		.port = to->port,
		.protocol =
			to->port == 80 ? RULE_PROTOCOL_HTTP : RULE_PROTOCOL_TLS,
	};

	text_init(&t, flag, sizeof(flag));
	if (suggest_flag(&target, &t))
		printf("\n  no rule allows it; this would: %s\n", flag);
	else
		printf("\n  no rule allows it\n");
}

/* The proxy's word, and the rule that it goes by. */
static void print_decision(const struct decision *d,
			   const struct destination *to)
{
	bool is_allowed = d->verdict == VERDICT_ALLOW;

	printf(" %s", is_allowed ? protocol_text(d->protocol)
				 : reason_text(d->reason));
	if (d->rule != NULL)
		printf("\n  by %s (%s)\n", rule_text(d->rule),
		       rule_source(d->rule));
	else if (is_allowed)
		printf("\n  by the mode: observe lets it through and records "
		       "it\n");
	else
		print_remedy(to);
}

static int answer(const struct policy *policy, const struct destination *to)
{
	const struct check_target target = {
		.host = to->is_address ? NULL : &to->host,
		.address = to->is_address ? &to->address : NULL,
		.port = to->port,
	};
	struct check_answer a = check_answer(policy, &target);

	printf(a.verdict == CHECK_DENIED ? "denied " : "allowed ");
	print_destination(to);
	switch (a.verdict) {
	case CHECK_DENIED:
	case CHECK_ALLOWED:
		print_decision(&a.decision, to);
		break;
	case CHECK_GIVEN_BACK:
		printf("\n  by ports.loopback: the host's own port\n");
		break;
	case CHECK_OWN:
		printf("\n  by ports.listen: the command's own port\n");
		break;
	}
	return a.verdict == CHECK_DENIED ? 1 : 0;
}

static int read_destination(const char *word, const char **word_out,
			    struct diag *diag)
{
	if (*word_out != NULL) {
		diag_set(diag, "%s: one destination at a time", word);
		return -1;
	}
	*word_out = word;
	return 0;
}

static int read_flag(struct policy_args *args, int argc, char *argv[],
		     int *used_out, struct diag *diag)
{
	enum policy_args_result rc =
		policy_args_take(args, argc, argv, used_out, diag);

	if (rc == POLICY_ARGS_NOT_OURS)
		diag_set(diag,
			 "%s: no such flag (exeat check --help lists "
			 "them)",
			 argv[0]);
	return rc == POLICY_ARGS_TAKEN ? 0 : -1;
}

/* Flags may stand on either side of the one destination. */
static int read_words(struct policy_args *args, int argc, char *argv[],
		      const char **word_out, struct diag *diag)
{
	for (int i = 0; i < argc;) {
		int used = 1;
		int rc = argv[i][0] == '-'
				 ? read_flag(args, argc - i, argv + i, &used,
					     diag)
				 : read_destination(argv[i], word_out, diag);

		if (rc != 0)
			return -1;
		i += used;
	}
	if (*word_out == NULL) {
		diag_set(diag, "nothing to check: exeat check [FLAGS] "
			       "HOST[:PORT]|PATH");
		return -1;
	}
	return 0;
}

int check_main(int argc, char *argv[])
{
	struct policy_args args;
	struct policy *policy = NULL;
	struct destination to;
	struct diag diag = {.text = ""};
	const char *word = NULL;
	bool is_path = false;
	int rc = EXIT_OWN_FAILURE;

	for (int i = 0; i < argc; i++)
		if (strcmp(argv[i], "--help") == 0 ||
		    strcmp(argv[i], "-h") == 0)
			return help_print(HELP_CHECK);
	if (policy_args_init(&args, argc, &diag) != 0 ||
	    read_words(&args, argc, argv, &word, &diag) != 0)
		goto out;
	is_path = check_path_is_one(word);
	if (is_path || parse_destination(word, &to, &diag) == 0)
		policy = policy_args_build(&args, &diag);
	if (policy != NULL)
		rc = is_path ? check_path(policy, args.file_path, word, &diag)
			     : answer(policy, &to);
out:
	if (diag.text[0] != '\0')
		(void)fprintf(stderr, "exeat: %s\n", diag.text);
	policy_free(policy);
	policy_args_clear(&args);
	return rc;
}
