/* SPDX-License-Identifier: MIT */
/* probe_table: every question that `exeat doctor` asks. */
#include "probe.h"

#define NO_RUN "G1 to G13: no command runs before that is mended"

const struct probe probe_table[] = {
	{"programs",  PROBE_FOR_BWRAP,    true,  probe_programs,  NO_RUN,
	 "look at the disk that exeat is installed on"                                                 },
	{"bwrap",     PROBE_FOR_BWRAP,    true,  probe_bwrap,     NO_RUN,
	 "check: bwrap --version"								      },
	{"userns",    PROBE_FOR_BWRAP,    true,  probe_userns,    NO_RUN,
	 "check: bwrap --unshare-user --ro-bind / / true"                                              },
	{"proc",      PROBE_FOR_BWRAP,    true,  probe_proc,      NO_RUN,
	 "check: unshare -Urpfm --mount-proc true"						     },
	{"seccomp",   PROBE_FOR_BWRAP,    true,  probe_seccomp,   NO_RUN,
	 "check: grep Seccomp /proc/self/status"						       },
	{"fence",     PROBE_FOR_BWRAP,    true,  probe_fence,     NO_RUN,
	 "check: bwrap --unshare-all --ro-bind / / --dev /dev --proc /proc "
	 "true"											},
	{"landlock",  PROBE_FOR_BWRAP,    false, probe_landlock,
	 "no guarantee is lost",					  ""                           },
	{"nf_tables", PROBE_FOR_BWRAP,    false, probe_nf_tables,
	 "G4 holds as a wall: nothing is captured on undeclared ports",   "sudo modprobe nf_tables"    },
	{"cgroup",    PROBE_FOR_ALL,      false, probe_cgroup,
	 "no guarantee is lost; limits count per process",                ""                           },
	{"resolver",  PROBE_FOR_ALL,      false, probe_resolver,
	 "no guarantee is lost; allowed names cannot be reached",	 "mend /etc/resolv.conf"      },
	{"clock",     PROBE_FOR_ALL,      false, probe_clock,
	 "G11: records may bear a wrong time",                            "timedatectl status"         },
	{"seatbelt",  PROBE_FOR_SEATBELT, false, probe_seatbelt,
	 "G4, G6, G9, G10 on macOS",				      "restart the machine"        },
	{"docker",    PROBE_FOR_DOCKER,   false, probe_docker,
	 "nothing for exeat run, which does not use it",		  "the client waits for a daemon that does not answer: systemctl "
	 "restart docker, or unset DOCKER_HOST"},
	{NULL,        PROBE_FOR_ALL,      false, NULL,            NULL,   NULL                         },
};
