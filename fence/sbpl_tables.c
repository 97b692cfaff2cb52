/* SPDX-License-Identifier: MIT */
/* sbpl_tables: the paths and services of macOS that a profile speaks of. */
#include "sbpl_tables.h"

#include <stddef.h>

#include "fence_plan.h"

const char *const sbpl_read_roots[] = {
	"/usr",
	"/bin",
	"/sbin",
	"/System",
	"/Library",
	"/opt",                                       /* Homebrew, MacPorts */
	"/nix/store",                                 /* Nix */
	"/Applications/Xcode.app/Contents/Developer", /* git, python3, cc */
	"/private/etc/ssl",
	"/private/var/db/timezone",
	"/private/var/db/dyld",
	"/private/var/select", /* which shell sh is */
	"/dev/fd",
	NULL,
};

const char *const sbpl_read_literals[] = {
	"/", /* programs abort at start without it */
	"/dev",
	"/dev/null",
	"/dev/zero",
	"/dev/random",
	"/dev/urandom",
	"/dev/tty",
	"/dev/dtracehelper",
	"/dev/autofs_nowait",
	"/private/etc/hosts",
	"/private/etc/resolv.conf",
	"/private/etc/services",
	"/private/etc/protocols",
	"/private/etc/passwd",
	"/private/etc/group",
	"/private/etc/shells",
	"/private/etc/localtime",
	"/private/etc/gitconfig",
	"/private/etc/nix/nix.conf",
	NULL,
};

const char *const sbpl_read_aliases[] = {"/System/Volumes", NULL};

const char *const sbpl_read_cryptexes[] = {"/System/Volumes/Preboot/Cryptexes",
					   NULL};

const char *const sbpl_links[] = {
	"/tmp", "/var", "/etc", "/home", "/Applications/Xcode.app", NULL,
};

const char *const sbpl_write_devices[] = {
	"/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper", NULL,
};

const char *const sbpl_system_secrets[] = {
	"/Library/Keychains",
	"/Library/Application Support/com.apple.TCC",
	"/private/etc/master.passwd",
	"/private/etc/sudoers",
	"/private/etc/sudoers.d",
	"/private/var/db/dslocal",
	"/private/var/root",
	"/private/var/log",
	"/private/var/folders", /* everybody's temporary files */
	NULL,
};

const char *const sbpl_control_sockets[] = {
	"/private/var/run/docker.sock",      "/private/var/run/podman.sock",
	"/private/var/run/usbmuxd",          "/private/var/run/cupsd",
	"/private/var/run/vpncontrol.sock",  "/private/var/run/syslog",
	"/nix/var/nix/daemon-socket/socket", NULL,
};

const char *const sbpl_home_control_sockets[] = {
	".docker/run/docker.sock",   ".colima/default/docker.sock",
	".orbstack/run/docker.sock", ".rd/docker.sock",
	".gnupg/S.gpg-agent",        NULL,
};

const struct sbpl_service sbpl_services_denied[] = {
  /* start programs outside of the sandbox */
	{"com.apple.coreservices.launchservicesd",           PLAN_OPEN_BROWSER},
	{"com.apple.coreservices.quarantine-resolver",       PLAN_OPEN_BROWSER},
	{"com.apple.lsd.open",			       0                },
	{"com.apple.lsd.modifydb",                           0                },
	{"com.apple.xpc.launchd.domain.user",                0                },
	{"com.apple.xpc.launchd.domain.system",              0                },
 /* transfer in the background, by a daemon */
	{"com.apple.nsurlsessiond",                          0                },
	{"com.apple.nsurlsessiond.NSURLSessionProxyService", 0                },
	{"com.apple.nsurlstorage-cache",                     0                },
	{"com.apple.cfnetwork.cfnetworkagent",               0                },
 /* resolve any name */
	{"com.apple.mDNSResponder",                          0                },
	{"com.apple.mDNSResponder_Helper",                   0                },
 /* fetch what a certificate names; Go verifies by it */
	{"com.apple.trustd",				 PLAN_OPEN_TRUSTD },
	{"com.apple.trustd.agent",                           PLAN_OPEN_TRUSTD },
 /* hold secrets */
	{"com.apple.SecurityServer",                         0                },
	{"com.apple.securityd.xpc",                          0                },
	{"com.apple.pasteboard.1",                           0                },
	{"com.apple.pboard",				 0                },
	{NULL,					       0		},
};
