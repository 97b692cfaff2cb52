/* SPDX-License-Identifier: MIT */
/* probe_programs: exeat's own programs, bubblewrap, docker, sandbox-exec. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "handoff.h"
#include "probe.h"
#include "programs.h"
#include "setup_cause.h"

#define OUTPUT_BYTES 512

void probe_programs(struct probe_result *result)
{
	static const char *const names[] = {"exeat", "exeat-proxy",
					    "exeat-init"};
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (programs_find_own(names[i], path) == 0)
			continue;
		probe_found(result,
			    "%s is neither beside exeat nor in "
			    "../libexec/exeat",
			    names[i]);
		probe_say(result, PROBE_ABSENT,
			  "G1 to G13: exeat run starts nothing",
			  "install exeat again (./dev install)");
		return;
	}
	probe_found(result, "exeat %s, all programs are there", EXEAT_VERSION);
	probe_say(result, PROBE_OK, "G1 to G3, G11: the proxy can be started",
		  NULL);
}

/* One line, for what is shown: the first that is not empty. */
static void cut_line(char *said)
{
	char *line = said + strspn(said, "\n ");
	size_t len = strcspn(line, "\n");

	memmove(said, line, len);
	said[len] = '\0';
}

#define BWRAP_REMEDY                                                     \
	"install the package bubblewrap: apt install bubblewrap, dnf "   \
	"install bubblewrap, pacman -S bubblewrap, apk add bubblewrap, " \
	"zypper install bubblewrap"

void probe_bwrap(struct probe_result *result)
{
	char path[PATH_MAX], said[OUTPUT_BYTES];
	char version[] = "--version";
	char *argv[] = {path, version, NULL};
	struct text output;
	struct stat st;

	text_init(&output, said, sizeof(said));
	if (programs_find_bwrap(path) != 0) {
		probe_found(result, "bwrap is not on PATH");
		probe_say(result, PROBE_ABSENT,
			  "G1 to G13: there is no fence, so no command runs",
			  BWRAP_REMEDY);
		return;
	}
	int rc = probe_execute(argv, &output);
	cut_line(said);
	if (rc != 0) {
		probe_found(result, "%s does not run (%d): %s", path, rc, said);
		probe_say(result, PROBE_BROKEN,
			  "G1 to G13: there is no fence, so no command runs",
			  "check: bwrap --version\n" BWRAP_REMEDY);
		return;
	}
	bool is_setuid = stat(path, &st) == 0 && (st.st_mode & S_ISUID) != 0;
	probe_found(result, "%s, %s%s", said, path,
		    is_setuid ? " (setuid: exeat starts it without)" : "");
	probe_say(result, PROBE_OK, "G4, G6, G9, G10: the fence has its tool",
		  NULL);
}

/* The whole of it, as a run starts it. */
void probe_fence(struct probe_result *result)
{
	char path[PATH_MAX], said[OUTPUT_BYTES];
	char all[] = "--unshare-all", die[] = "--die-with-parent",
	     drop[] = "--cap-drop", every[] = "ALL", bind[] = "--ro-bind",
	     root[] = "/", dev[] = "--dev", dev_path[] = "/dev",
	     proc[] = "--proc", proc_path[] = "/proc", end[] = "--",
	     version[] = "--version";
	/* Inside it shows its own version: a program that is there. */
	char *argv[] = {path, all,  die,     drop,     every, bind,
			root, root, dev,     dev_path, proc,  proc_path,
			end,  path, version, NULL};
	struct text output;

	text_init(&output, said, sizeof(said));
	if (programs_find_bwrap(path) != 0) {
		probe_found(result, "not tried: there is no bwrap");
		probe_say(result, PROBE_ABSENT,
			  "G1 to G13: there is no fence, so no command runs",
			  BWRAP_REMEDY);
		return;
	}
	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	int rc = probe_execute(argv, &output);
	if (rc == 0) {
		probe_found(result, "raised and taken down again");
		probe_say(result, PROBE_OK,
			  "G1 to G13: exeat run works on this machine", NULL);
		return;
	}
	const struct setup_cause *cause = setup_cause_find(said);
	cut_line(said);
	probe_found(result, "%s", said);
	probe_say(result, PROBE_BROKEN, NULL, cause->remedy);
	struct text meaning;
	text_init(&meaning, result->meaning, sizeof(result->meaning));
	text_addf(&meaning, "G1 to G13: no command runs, since %s",
		  cause->cause);
}

void probe_docker(struct probe_result *result)
{
	char said[OUTPUT_BYTES];
	char docker[] = "docker", version[] = "version", format[] = "--format",
	     server[] = "{{.Server.Version}}";
	char *argv[] = {docker, version, format, server, NULL};
	struct text output;

	text_init(&output, said, sizeof(said));
	int rc = probe_execute(argv, &output);
	cut_line(said);
	if (rc == EXIT_NOT_FOUND) {
		probe_found(result, "docker is not on PATH");
		probe_say(result, PROBE_ABSENT,
			  "nothing: exeat run does not use it; exeat-fence "
			  "--backend docker writes arguments for it",
			  NULL);
	} else if (rc != 0 || said[0] == '\0') {
		probe_found(result,
			    "the client is there, no daemon answers: "
			    "%s",
			    said);
		probe_say(result, PROBE_BROKEN,
			  "nothing for exeat run; arguments of exeat-fence "
			  "--backend docker cannot be used here",
			  "start the daemon: systemctl start docker; or let "
			  "DOCKER_HOST name the one that runs");
	} else {
		probe_found(result, "the daemon answers, version %s", said);
		probe_say(result, PROBE_OK,
			  "exeat-fence --backend docker can be used; docker "
			  "alone keeps no G1, G2 or G5",
			  NULL);
	}
}

#define SANDBOX_EXEC "/usr/bin/sandbox-exec"

void probe_seatbelt(struct probe_result *result)
{
	char path[] = SANDBOX_EXEC, flag[] = "-p",
	     profile[] = "(version 1)(allow default)",
	     command[] = "/usr/bin/true", said[OUTPUT_BYTES];
	char *argv[] = {path, flag, profile, command, NULL};
	struct text output;

	text_init(&output, said, sizeof(said));
	if (access(SANDBOX_EXEC, X_OK) != 0) {
		probe_found(result, "there is no sandbox-exec: not macOS");
		probe_say(result, PROBE_ABSENT,
			  "nothing: the fence here is bubblewrap", NULL);
		return;
	}
	int rc = probe_execute(argv, &output);
	cut_line(said);
	probe_found(result, rc == 0 ? "a profile was applied" : "failed: %s",
		    said);
	probe_say(result, rc == 0 ? PROBE_OK : PROBE_BROKEN,
		  "G4, G6, G9, G10 on macOS",
		  rc == 0 ? NULL
			  : "a process that is sandboxed already cannot be "
			    "sandboxed again: start exeat outside of it");
}
