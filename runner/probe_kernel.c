/* SPDX-License-Identifier: MIT */
/* probe_kernel: what the kernel lets an ordinary process build walls from. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"
#include "programs.h"
#include "setup_cause.h"

#define USERNS_MEANING "G1 to G13: no command runs"

static bool is_file(const char *path, char wanted)
{
	char first = '\0';
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	bool is = read(fd, &first, 1) == 1 && first == wanted;
	(void)close(fd);
	return is;
}

/* The one switch that is in the way, each with its narrow remedy. */
static void refuse_userns(struct probe_result *result, int rc)
{
	probe_found(result, "refused: %s", strerror(-rc));
	if (is_file("/proc/sys/user/max_user_namespaces", '0')) {
		probe_say(result, PROBE_BROKEN, USERNS_MEANING,
			  "sysctl user.max_user_namespaces is 0: sudo sysctl "
			  "-w user.max_user_namespaces=15000 (for good: a file "
			  "in /etc/sysctl.d)");
	} else if (is_file("/proc/sys/kernel/unprivileged_userns_clone", '0')) {
		probe_say(result, PROBE_BROKEN, USERNS_MEANING,
			  "sudo sysctl -w kernel.unprivileged_userns_clone=1 "
			  "(for good: a file in /etc/sysctl.d)");
	} else {
		/* AppArmor's narrow remedy, and what else there is. */
		probe_say(result, PROBE_BROKEN, USERNS_MEANING,
			  setup_cause_find("setting up uid map")->remedy);
	}
}

/* In a namespace that AppArmor restricts one has no capability. */
static int raise_loopback(void)
{
	struct ifreq request = {.ifr_flags = IFF_UP};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	(void)snprintf(request.ifr_name, sizeof(request.ifr_name), "lo");
	int rc = ioctl(fd, SIOCSIFFLAGS, &request) == 0 ? 0 : -errno;
	(void)close(fd);
	return rc;
}

static bool bwrap_may(void)
{
	char path[PATH_MAX], said[64];
	char all[] = "--unshare-all", bind[] = "--ro-bind", root[] = "/",
	     version[] = "--version";
	char *argv[] = {path, all, bind, root, root, path, version, NULL};
	struct text output;

	text_init(&output, said, sizeof(said));
	return programs_find_bwrap(path) == 0 &&
	       probe_execute(argv, &output) == 0;
}

void probe_userns(struct probe_result *result)
{
	/* First: afterwards we are in another namespace. */
	bool may_bwrap = bwrap_may();
	int rc = probe_user_namespace(CLONE_NEWNET);

	if (rc == 0)
		rc = raise_loopback();
	if (rc != 0 && !may_bwrap) {
		refuse_userns(result, rc);
		return;
	}
	probe_found(result,
		    rc == 0 ? "made, with a network of its own"
			    : "refused to others, allowed to bwrap (%s)",
		    strerror(-rc));
	probe_say(result, PROBE_OK,
		  "G4, G5, G6: the command gets an empty network", NULL);
}

/* A fresh /proc is refused where the one that is there is partly covered. */
static int mount_proc(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(mount("proc", "/proc", "proc",
			    MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0
			      ? 0
			      : errno);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EIO;
}

void probe_proc(struct probe_result *result)
{
	int rc = probe_user_namespace(CLONE_NEWNS | CLONE_NEWPID);

	if (rc != 0) {
		probe_found(result, "not tried: no user namespace (%s)",
			    strerror(-rc));
		probe_say(result, PROBE_LIMITED,
			  "nothing by itself: see userns and fence", NULL);
		return;
	}
	rc = mount_proc();
	if (rc == 0) {
		probe_found(result, "a fresh one can be mounted");
		probe_say(result, PROBE_OK,
			  "G8, G11: the command sees its own processes alone",
			  NULL);
		return;
	}
	const struct setup_cause *cause = setup_cause_find("Can't mount proc");
	probe_found(result, "a fresh one is refused: %s", strerror(-rc));
	probe_say(result, PROBE_BROKEN, USERNS_MEANING, cause->remedy);
}

void probe_seccomp(struct probe_result *result)
{
	uint32_t action = SECCOMP_RET_ERRNO;

	if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0) {
		probe_found(result, "filters can be set");
		probe_say(result, PROBE_OK,
			  "G4, G13: system calls of proxy and command are "
			  "filtered",
			  NULL);
		return;
	}
	probe_found(result, "no filters: %s", strerror(errno));
	probe_say(result, PROBE_BROKEN,
		  "G1 to G13: the proxy does not start unconfined",
		  "a kernel with CONFIG_SECCOMP_FILTER; in a container, one "
		  "whose own filter allows seccomp(2)");
}

#define LANDLOCK_REMEDY                                     \
	"Linux 5.13 or later with landlock in the list of " \
	"/sys/kernel/security/lsm (boot parameter lsm=landlock,...)"

void probe_landlock(struct probe_result *result)
{
#ifdef SYS_landlock_create_ruleset
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, 1U);
#else
	long abi = syscall(444, NULL, 0, 1U);
#endif

	if (abi > 0) {
		probe_found(result, "ABI %ld", abi);
		probe_say(result, PROBE_OK,
			  "G13: the proxy opens no file; G7: undeclared binds "
			  "can be denied (ABI 4)",
			  NULL);
		if (abi < 4)
			probe_say(result, PROBE_LIMITED,
				  "G7: ports.private_loopback = false cannot "
				  "be had (ABI 4, Linux 6.7)",
				  "Linux 6.7 or later");
		return;
	}
	probe_found(result, "none: %s", strerror(errno));
	probe_say(result, PROBE_ABSENT,
		  "no guarantee is lost; the proxy is confined by seccomp "
		  "alone; ports.private_loopback = false cannot be had",
		  LANDLOCK_REMEDY);
}

/* Asks for the number of the rule set: the smallest request there is. */
static int ask_nf_tables(int fd)
{
	struct {
		struct nlmsghdr header;
		struct nfgenmsg body;
	} request = {
		.header = {.nlmsg_len = sizeof(request),
			   .nlmsg_type =
				   (NFNL_SUBSYS_NFTABLES << 8) | NFT_MSG_GETGEN,
			   .nlmsg_flags = NLM_F_REQUEST},
	};
	struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};

	union {
		struct nlmsghdr header;
		char bytes[1024];
	} answer;

	if (sendto(fd, &request, sizeof(request), 0,
		   (const struct sockaddr *)&kernel, sizeof(kernel)) < 0)
		return -errno;
	ssize_t n = recv(fd, &answer, sizeof(answer), 0);
	if (n < (ssize_t)sizeof(answer.header))
		return n < 0 ? -errno : -EPROTO;
	if (answer.header.nlmsg_type != NLMSG_ERROR)
		return 0;
	const struct nlmsgerr *error = NLMSG_DATA(&answer.header);
	return error->error;
}

void probe_nf_tables(struct probe_result *result)
{
	int rc = probe_user_namespace(CLONE_NEWNET);

	if (rc != 0) {
		probe_found(result, "not tried: no user namespace (%s)",
			    strerror(-rc));
		probe_say(result, PROBE_LIMITED,
			  "nothing by itself: see userns and fence", NULL);
		return;
	}
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER);
	rc = fd < 0 ? -errno : ask_nf_tables(fd);
	if (rc == 0) {
		probe_found(result, "answers in a network namespace of ours");
		probe_say(result, PROBE_OK,
			  "G4, G11: connections to any port can be captured",
			  NULL);
		return;
	}
	probe_found(result, "no: %s", strerror(-rc));
	probe_say(result, PROBE_ABSENT,
		  "G4 holds as a wall: what ignores the proxy is not captured "
		  "on undeclared ports",
		  "sudo modprobe nf_tables nft_tproxy (for good: a file in "
		  "/etc/modules-load.d)");
}
