/* SPDX-License-Identifier: MIT */
/* probe_host: control groups, name servers and the clock. */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "cgroup.h"
#include "probe.h"

#define CGROUP_MEANING                                                    \
	"no guarantee is lost; limits.memory counts per process, and as " \
	"root limits.processes is refused"

void probe_cgroup(struct probe_result *result)
{
	static const char *const controllers[] = {"memory", "pids"};
	struct cgroup_place place = {.folder = ""};
	char group[PATH_MAX], name[32];
	int rc = 0;

	(void)snprintf(name, sizeof(name), "exeat-probe-%d", getpid());
	for (size_t i = 0; rc == 0 && i < 2; i++) {
		rc = cgroup_find(&cgroup_kernel_files, controllers[i], &place);
		if (rc == 0)
			rc = cgroup_make(&place, name, group);
		if (rc == 0)
			rc = cgroup_remove(group);
	}
	if (rc == 0) {
		probe_found(result, "version %d, groups can be made in %s",
			    place.is_v2 ? 2 : 1, place.folder);
		probe_say(result, PROBE_OK,
			  "limits.memory and limits.processes hold for the "
			  "whole run",
			  NULL);
		return;
	}
	probe_found(result, "%s",
		    rc == -ENOENT ? "no controllers for memory and pids"
				  : "not delegated to this user");
	probe_say(result, PROBE_LIMITED, CGROUP_MEANING,
		  rc == -ENOENT
			  ? "boot with cgroup version 2 "
			    "(systemd.unified_cgroup_hierarchy=1)"
			  : "start exeat in a delegated group: systemd-run "
			    "--user --scope -p Delegate=yes exeat run ...");
}

#define RESOLVER_WAIT_MS 2000
#define DNS_PORT         53
#define MAX_SERVERS      3

/* Three as resolv.conf(5) has it; without any, the one on this host. */
static size_t read_servers(struct in_addr servers[static MAX_SERVERS],
			   size_t *unread_out)
{
	char line[256], word[64];
	FILE *file = fopen("/etc/resolv.conf", "re");
	size_t count = 0;

	*unread_out = 0;
	while (file != NULL && count < MAX_SERVERS &&
	       fgets(line, sizeof(line), file) != NULL) {
		if (strncmp(line, "nameserver", 10) != 0)
			continue;
		char *at = line + 10 + strspn(line + 10, " \t");
		size_t len = strcspn(at, " \t\r\n#");
		if (len >= sizeof(word))
			continue;
		memcpy(word, at, len);
		word[len] = '\0';
		if (inet_pton(AF_INET, word, &servers[count]) == 1)
			count++;
		else
			(*unread_out)++;
	}
	if (file != NULL)
		(void)fclose(file);
	if (count == 0 && *unread_out == 0)
		servers[count++].s_addr = htonl(INADDR_LOOPBACK);
	return count;
}

/* Who serves the root? It tells nobody anything, and any answer will do. */
static bool has_answer(const struct in_addr *servers, size_t count)
{
	unsigned char query[17] = {[2] = 1, [5] = 1, [14] = 2, [16] = 1};
	unsigned char answer[512];
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	bool is_there = false;

	if (fd < 0 || getrandom(query, 2, 0) != 2)
		return false;
	for (size_t i = 0; i < count; i++) {
		struct sockaddr_in to = {.sin_family = AF_INET,
					 .sin_addr = servers[i],
					 .sin_port = htons(DNS_PORT)};
		(void)!sendto(fd, query, sizeof(query), 0,
			      (const struct sockaddr *)&to, sizeof(to));
	}
	while (!is_there && poll(&ready, 1, RESOLVER_WAIT_MS) == 1) {
		ssize_t n = recv(fd, answer, sizeof(answer), 0);
		is_there = n > 3 && memcmp(answer, query, 2) == 0 &&
			   (answer[2] & 0x80) != 0;
	}
	(void)close(fd);
	return is_there;
}

void probe_resolver(struct probe_result *result)
{
	struct in_addr servers[MAX_SERVERS];
	size_t unread;
	size_t count = read_servers(servers, &unread);
	char first[INET_ADDRSTRLEN] = "";

	if (count > 0)
		(void)inet_ntop(AF_INET, &servers[0], first, sizeof(first));
	if (count > 0 && has_answer(servers, count)) {
		probe_found(result, "answers (%zu, first %s)", count, first);
		probe_say(result, PROBE_OK, "G5: allowed names are resolved",
			  NULL);
	} else if (count == 0) {
		probe_found(result, "not tried: IPv6 servers alone");
		probe_say(result, PROBE_LIMITED, "nothing by itself", NULL);
	} else {
		probe_found(result, "no answer within %d ms (first %s)",
			    RESOLVER_WAIT_MS, first);
		probe_say(
			result, PROBE_BROKEN,
			"no guarantee is lost; allowed names cannot be "
			"reached, but those of --resolve and /etc/hosts",
			"mend /etc/resolv.conf, or name servers that answer "
			"in the policy: dns = { servers = [ \"ADDRESS\" ]; };");
	}
}

/* Before this was written it cannot be. */
#define CLOCK_EARLIEST 1767225600

void probe_clock(struct probe_result *result)
{
	struct timex state = {.modes = 0};
	int rc = adjtimex(&state);
	bool is_wrong = time(NULL) < CLOCK_EARLIEST;

	if (!is_wrong && rc >= 0 && rc != TIME_ERROR) {
		probe_found(result, "synchronised");
		probe_say(result, PROBE_OK, "G11: records bear the right time",
			  NULL);
		return;
	}
	probe_found(result, "%s",
		    is_wrong ? "years behind"
		    : rc < 0 ? "its state cannot be read"
			     : "not synchronised");
	probe_say(result, is_wrong ? PROBE_BROKEN : PROBE_LIMITED,
		  "G11: records may bear a wrong time; programs refuse "
		  "certificates when it is far off",
		  "timedatectl set-ntp true, or run chronyd; in a virtual "
		  "machine the host's clock counts");
}
