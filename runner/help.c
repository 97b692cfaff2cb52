/* SPDX-License-Identifier: MIT */
/* help: the texts of --help. */
#include "help.h"

#include <stdio.h>

#include "conf.h"
#include "handoff.h"

static const char exeat_text[] =
	"exeat - run a program that can connect only where you say\n"
	"\n"
	"usage: exeat run [FLAGS] [--] COMMAND...   run it behind the fence\n"
	"       exeat check [FLAGS] HOST[:PORT]|PATH   what would the policy "
	"say?\n"
	"       exeat connect HOST PORT             a tunnel, for ssh's "
	"ProxyCommand\n"
	"       exeat doctor [--json]               what can this machine "
	"do?\n"
	"       exeat prove [FLAGS]                 attack the fence, from "
	"inside\n"
	"       exeat ps [RUN], exeat kill RUN [PID] the runs that there are\n"
	"       exeat --version | --help            also: exeat run --help\n"
	"\n"
	"Try:\n"
	"  exeat run --allow example.com -- curl https://example.com/\n"
	"      one website and nothing else\n"
	"  exeat run -- make test\n"
	"      no network at all; the current folder stays writable\n"
	"  exeat check --allow '*.example.org' www.example.org\n"
	"      allowed, and by which rule\n"
	"\n"
	"Any other word runs the program exeat-WORD from exeat's folder.\n";

static const char run_text[] =
	"usage: exeat run [FLAGS] [--] COMMAND [ARGUMENT...]\n"
	"\n"
	"Runs COMMAND in a sandbox. Its only way out is a proxy that lets "
	"through what the\n"
	"policy allows; everything is recorded. The current folder is "
	"writable, the rest\n"
	"of the system is read-only or not there. The environment is built "
	"anew.\n"
	"\n"
	"  --policy FILE          read a policy file (exeat-policy(5)); flags "
	"add to it\n"
	"  --backend auto|bwrap   what raises the fence\n"
	"  --dry-run              print what would be done, and do nothing\n"
	"  --script FILE|-        run this text; the words after -- are its "
	"arguments\n"
	"  --interpreter P        what reads it, where its first line is no "
	"#!; else sh\n"
	"  --quiet                do not say after the run what was denied "
	"(exeat audit does)\n"
	"  --verbose              records name the processes above the one "
	"that connects, too\n"
	"\n"
	"Policy flags:\n";

static const char run_end[] =
	"\n"
	"  RULE = HOST|ADDRESS|CIDR [:PORT{,PORT}] [/tls|http|tcp] [+private]\n"
	"    example.com               port 443, TLS, the ClientHello must say "
	"example.com\n"
	"    *.example.org:443,8443    every name below example.org, not "
	"itself\n"
	"    db.example.net:5432/tcp+private   any protocol; may resolve to a "
	"private address\n"
	"\n"
	"Exit code: the command's; 124 time limit; 125 exeat's own failure "
	"(the "
	"command did\n"
	"not run, or was stopped); 126 cannot be executed; 127 not found; "
	"128+N signal N.\n"
	"Records: ~/.local/state/exeat/runs, or --audit FILE.\n";

static const char check_text[] =
	"usage: exeat check [FLAGS] HOST[:PORT]\n"
	"       exeat check [FLAGS] PATH\n"
	"\n"
	"Says whether the policy allows a connection there (port 443 unless "
	"given), or\n"
	"whether a command that is run here could read or write PATH (it "
	"starts with /, .\n"
	"or ~/), and by which rule. Exit code: 0 allowed, 1 denied, 125 "
	"error.\n"
	"\n"
	"  --policy FILE          read a policy file (exeat-policy(5)); flags "
	"add to it\n"
	"\n"
	"Policy flags:\n";

int help_print(enum help_topic topic)
{
	char flags[CONF_HELP_MAX_BYTES];

	conf_flags_help(flags, sizeof(flags));
	switch (topic) {
	case HELP_EXEAT:
		(void)fputs(exeat_text, stdout);
		break;
	case HELP_RUN:
		(void)fputs(run_text, stdout);
		(void)fputs(flags, stdout);
		(void)fputs(run_end, stdout);
		break;
	case HELP_CHECK:
		(void)fputs(check_text, stdout);
		(void)fputs(flags, stdout);
		break;
	}
	return fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
}
