/* SPDX-License-Identifier: MIT */
/* setup_cause: from bubblewrap's words to a cause and a remedy. */
#include "setup_cause.h"

#include <stddef.h>
#include <string.h>

#define USERNS_CAUSE "this system does not let bubblewrap make user namespaces"

/* Never a global switch first: the narrow remedy names bwrap alone. */
#define USERNS_REMEDY                                                        \
	"check: bwrap --unshare-user --ro-bind / / true\n"                   \
	"  Ubuntu 23.10 and later: give bwrap an AppArmor profile with the " \
	"'userns,' rule:\n"                                                  \
	"    printf 'abi <abi/4.0>,\\ninclude <tunables/global>\\n"          \
	"profile bwrap /usr/bin/bwrap flags=(unconfined) {\\n  "             \
	"userns,\\n}\\n'"                                                    \
	" | sudo tee /etc/apparmor.d/bwrap\n"                                \
	"    sudo apparmor_parser -r /etc/apparmor.d/bwrap\n"                \
	"  elsewhere: sysctl user.max_user_namespaces must not be 0, nor "   \
	"kernel.unprivileged_userns_clone"

static const struct {
	const char *part;
	struct setup_cause is;
} causes[] = {
	{"Failed RTM_NEWADDR",            {USERNS_CAUSE " with a network", USERNS_REMEDY}},
	{"Failed RTM_NEWLINK",            {USERNS_CAUSE " with a network", USERNS_REMEDY}},
	{"setting up uid map",            {USERNS_CAUSE, USERNS_REMEDY}                  },
	{"setting up gid map",            {USERNS_CAUSE, USERNS_REMEDY}                  },
	{"error setting up uid",          {USERNS_CAUSE, USERNS_REMEDY}                  },
	{"No permissions to creat",       {USERNS_CAUSE, USERNS_REMEDY}                  },
	{"Creating new namespace failed", {USERNS_CAUSE, USERNS_REMEDY}                  },
	{"Can't mount proc",
	 {"/proc of this container is partly masked, so no fresh one may be "
	  "mounted",
	  "start the container with an unmasked /proc (docker run "
	  "--security-opt systempaths=unconfined), or run outside of it"}                },
	{"Unknown option",
	 {"this bubblewrap is too old", "install bubblewrap 0.5 or later"}               },
	{"unknown option",
	 {"this bubblewrap is too old", "install bubblewrap 0.5 or later"}               },
	{"Can't find source path",
	 {"a path of the policy is not there",
	  "create it, or take it out of the policy (--read, --write, "
	  "--mount)"}								    },
	{"No space left on device",
	 {"a limit of this system is used up",
	  "check: sysctl user.max_user_namespaces user.max_net_namespaces"}              },
};

const struct setup_cause *setup_cause_find(const char *message)
{
	static const struct setup_cause unknown = {
		"bubblewrap could not raise the fence",
		"check: bwrap --unshare-all --ro-bind / / --dev /dev --proc "
		"/proc true"};

	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		if (strstr(message, causes[i].part) != NULL)
			return &causes[i].is;
	return &unknown;
}
