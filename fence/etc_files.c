/* SPDX-License-Identifier: MIT */
/* etc_files: the files of /etc that the fence writes itself. */
#include "etc_files.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* passwd(5) and group(5) lines: a name, numbers, a path of PATH_MAX at most */
#define LINE_MAX_BYTES 4400
#define ID_NAME_MAX    64

static const char resolv_conf[] = "nameserver 127.0.0.1\n";

static const char hosts[] = "127.0.0.1 localhost exeat\n"
			    "::1 localhost ip6-localhost ip6-loopback\n";

static const char nsswitch_conf[] = "passwd: files\n"
				    "group: files\n"
				    "shadow: files\n"
				    "hosts: files dns\n"
				    "networks: files\n"
				    "protocols: files\n"
				    "services: files\n";

/* Numbers and names of IANA's registries, for programs that ask by name. */
static const char protocols[] = "ip 0 IP\n"
				"icmp 1 ICMP\n"
				"tcp 6 TCP\n"
				"udp 17 UDP\n"
				"ipv6 41 IPv6\n"
				"ipv6-icmp 58 IPv6-ICMP\n"
				"sctp 132 SCTP\n";

static const char services[] = "ftp 21/tcp\n"
			       "ssh 22/tcp\n"
			       "telnet 23/tcp\n"
			       "smtp 25/tcp mail\n"
			       "domain 53/tcp\n"
			       "domain 53/udp\n"
			       "http 80/tcp www\n"
			       "pop3 110/tcp\n"
			       "ntp 123/udp\n"
			       "imap2 143/tcp imap\n"
			       "ldap 389/tcp\n"
			       "https 443/tcp\n"
			       "https 443/udp\n"
			       "submissions 465/tcp\n"
			       "submission 587/tcp\n"
			       "ldaps 636/tcp\n"
			       "rsync 873/tcp\n"
			       "imaps 993/tcp\n"
			       "pop3s 995/tcp\n"
			       "socks 1080/tcp\n"
			       "ms-sql-s 1433/tcp\n"
			       "mqtt 1883/tcp\n"
			       "mysql 3306/tcp\n"
			       "svn 3690/tcp\n"
			       "postgresql 5432/tcp\n"
			       "amqp 5672/tcp\n"
			       "redis 6379/tcp\n"
			       "http-alt 8080/tcp\n"
			       "git 9418/tcp\n";

/* A name that cannot break the line it stands in. */
static const char *safe_name(const char *name)
{
	size_t len = strlen(name);

	if (len == 0 || len > ID_NAME_MAX)
		return "user";
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) &&
		    strchr("_-.", name[i]) == NULL)
			return "user";
	return name;
}

/* A home that cannot break the line either. */
static const char *safe_home(const char *home)
{
	return strpbrk(home, ":\n") == NULL ? home : "/";
}

static const char *passwd_line(struct fence_plan *plan,
			       const struct fence_facts *facts)
{
	char buf[LINE_MAX_BYTES];
	int n = snprintf(buf, sizeof(buf), "%s:x:%u:%u::%s:/bin/sh\n",
			 safe_name(facts->user), facts->uid, facts->gid,
			 safe_home(plan->home));

	return n < 0 || n >= (int)sizeof(buf)
		       ? NULL
		       : arena_strndup(&plan->arena, buf, (size_t)n);
}

static const char *group_line(struct fence_plan *plan,
			      const struct fence_facts *facts)
{
	char buf[LINE_MAX_BYTES];
	int n = snprintf(buf, sizeof(buf), "%s:x:%u:\n",
			 safe_name(facts->group), facts->gid);

	return n < 0 ? NULL : arena_strndup(&plan->arena, buf, (size_t)n);
}

/* Where /etc is the host's, a file can only lie over one that exists, at the
 * place that the host's link leads to. */
static const char *place_of(const struct fence_facts *facts, const char *path,
			    bool is_open)
{
	const struct fence_path *fp = fence_facts_find(facts, path);

	if (!is_open)
		return path;
	return fp == NULL || fp->kind != FENCE_FILE ? NULL : fp->real;
}

int etc_files(struct fence_plan *plan, const struct fence_facts *facts,
	      struct plan_file **files_out, size_t *count_out)
{
	bool is_open = plan->policy->files.mode == POLICY_FILES_OPEN;

	const struct {
		const char *path;
		const char *bytes;
	} all[] = {
		{"/etc/resolv.conf",   resolv_conf     },
		{"/etc/hosts",         hosts           },
		{"/etc/nsswitch.conf", nsswitch_conf   },
		{"/etc/passwd",        passwd_line(plan, facts)},
		{"/etc/group",                    group_line(plan,                         facts)},
		{"/etc/protocols",              protocols     },
		{"/etc/services",services        },
	};

	size_t count = is_open ? 3 : sizeof(all) / sizeof(all[0]);
	struct plan_file *files =
		arena_alloc(&plan->arena, count * sizeof(*files));

	*count_out = 0;
	for (size_t i = 0; files != NULL && i < count; i++) {
		struct plan_file file = {
			.path = place_of(facts, all[i].path, is_open),
			.bytes = all[i].bytes,
		};
		if (file.path == NULL)
			continue;
		if (file.bytes == NULL)
			return -ENOMEM;
		file.len = strlen(file.bytes);
		files[(*count_out)++] = file;
	}
	*files_out = files;
	return files == NULL ? -ENOMEM : 0;
}
