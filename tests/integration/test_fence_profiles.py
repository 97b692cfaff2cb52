# SPDX-License-Identifier: MIT
"""Every Seatbelt profile of the golden files, evaluated, and what the ports,
services and files of each mean, under both readings of rule order."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

from lab import sbpl

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"
CASES = sorted(path.parent.name for path in GOLDEN.glob("*/profile.sb")
               if not path.read_bytes().startswith(b"refused"))
CHECKER = os.environ.get("EXEAT_SBPL_CHECK", "")

pytestmark = pytest.mark.skipif(sbpl.TINYSCHEME is None,
                                reason="tinyscheme is missing")

# case | what | where | answer. Ports: "connect HOST:PORT", "udp HOST:PORT",
# "listen PORT" (bind and accept), "unix PATH", "service NAME".
ROWS = """
mac-strict   connect  93.184.216.34:443        deny
mac-strict   connect  93.184.216.34:80         deny
mac-strict   udp      93.184.216.34:53         deny
mac-strict   udp      93.184.216.34:443        deny
mac-strict   connect  127.0.0.1:17080          allow
mac-strict   connect  ::1:17080                allow
mac-strict   udp      127.0.0.1:17080          deny
mac-strict   connect  127.0.0.1:17081          deny
mac-strict   connect  127.0.0.1:5432           deny
mac-strict   connect  self:22                  deny
mac-strict   connect  192.168.1.1:17080        deny
mac-strict   listen   8080                     deny
mac-strict   listen   0                        deny
mac-strict   unix     /private/var/run/docker.sock          deny
mac-strict   unix     /private/var/run/mDNSResponder        deny
mac-strict   unix     /Users/ada/app/dev.sock               deny
mac-strict   unix     /private/tmp/exeat-run/own.sock       allow
mac-strict   service  com.apple.trustd.agent                deny
mac-strict   service  com.apple.trustd                      deny
mac-strict   service  com.apple.coreservices.launchservicesd deny
mac-strict   service  com.apple.nsurlsessiond               deny
mac-strict   service  com.apple.mDNSResponder               deny
mac-strict   service  com.apple.system.opendirectoryd.libinfo allow
mac-strict   op       appleevent-send          deny
mac-strict   op       lsopen                   deny
mac-strict   op       pseudo-tty               deny
mac-strict   op       system-socket            deny
mac-strict   read     /Users/ada/app/file      allow
mac-strict   read     /Users/ada/APP/file      allow
mac-strict   read     /Users/ada/other         deny
mac-strict   read     /Users/ada/.ssh/id       deny
mac-strict   read     /Users/bob/x             deny
mac-strict   read     /usr/lib/dyld            allow
mac-strict   read     /System/Library/Frameworks/x           allow
mac-strict   read     /System/Volumes/Data/Users/ada/.ssh/id deny
mac-strict   read     /System/Volumes/Preboot/Cryptexes/OS/x allow
mac-strict   read     /private/etc/hosts       allow
mac-strict   read     /private/etc/master.passwd deny
mac-strict   read     /Library/Keychains/System.keychain     deny
mac-strict   read     /private/tmp/other       deny
mac-strict   read     /private/var/folders/xx/T/secret       deny
mac-strict   stat     /Users                   allow
mac-strict   stat     /Users/ada               allow
mac-strict   stat     /Users/ada/.ssh          deny
mac-strict   stat     /tmp                     allow
mac-strict   write    /Users/ada/app/file      allow
mac-strict   write    /Users/ada/other         deny
mac-strict   write    /usr/local/bin/x         deny
mac-strict   write    /private/tmp/other       deny
mac-strict   write    /private/tmp/exeat-run/x allow
mac-strict   write    /dev/null                allow
mac-strict   write    /dev/disk0               deny
mac-strict   write    /dev/ttys001             deny
mac-strict   write    /Users/ada/app/.envrc    deny
mac-strict   write    /Users/ada/app/.vscode/tasks.json      deny
mac-strict   write    /Users/ada/app/.git/hooks/pre-commit   allow
mac-strict   write    /Users/ada/Library/LaunchAgents/x      deny
mac-strict   delete   /Users/ada/app           deny
mac-strict   delete   /Users/ada/app/file      allow
mac-strict   delete   /private/tmp/exeat-run   deny
mac-strict   link     /Users/ada/.ssh/id       deny
mac-strict   clone    /Users/ada/.ssh/id       deny
mac-git      write    /Users/ada/app/.git/hooks/pre-commit   deny
mac-git      write    /Users/ada/app/.git/config             deny
mac-git      write    /Users/ada/app/.git/objects/x          allow
mac-git      delete   /Users/ada/app/.git      deny
mac-git      delete   /Users/ada/app/.git/hooks deny
mac-git      link     /Users/ada/app/.git/hooks/pre-commit   deny
mac-git      read     /Users/ada/app/.git/config             allow
mac-open     read     /Users/ada/other         allow
mac-open     read     /Users/ada/.ssh/id       deny
mac-open     write    /Users/ada/.ssh/id       deny
mac-open     write    /Users/ada/other         deny
mac-open     read     /Users/ada/app/.env      deny
mac-open     write    /Users/ada/app/.env      deny
mac-open     delete   /Users/ada/app/.env      deny
mac-open     link     /Users/ada/app/.env      deny
mac-open     read     /private/tmp/other       deny
mac-open     read     /private/etc/sudoers     deny
mac-open     read     /Users/ada/.netrc        deny
mac-open     read     /Users/ada/Library/Keychains/x         deny
mac-open     connect  93.184.216.34:443        deny
mac-open     unix     /private/var/run/docker.sock           deny
mac-allowlist read    /Users/ada/.gitconfig    allow
mac-allowlist read    /Users/ada/docs/a        allow
mac-allowlist read    /Users/ada/docs/private/b deny
mac-allowlist read    /Users/ada/docs/private/public/c       allow
mac-allowlist write   /Users/ada/docs/a        deny
mac-allowlist stat    /Users/ada/docs/private  allow
mac-allowlist read    /Users/ada/dotfiles/ssh/id             deny
mac-allowlist read    /Users/ada/dotfiles/ssh/known_hosts    allow
mac-allowlist write   /Users/ada/dotfiles/ssh/known_hosts    deny
mac-ports    connect  93.184.216.34:443        allow
mac-ports    connect  93.184.216.34:22         allow
mac-ports    connect  93.184.216.34:80         deny
mac-ports    connect  2606:2800::1:443         allow
mac-ports    udp      93.184.216.34:443        deny
mac-ports    connect  127.0.0.1:443            deny
mac-ports    connect  ::1:443                  deny
mac-ports    connect  self:22                  deny
mac-ports    connect  127.0.0.1:5432           allow
mac-ports    connect  127.0.0.1:8080           allow
mac-ports    connect  127.0.0.1:9090           allow
mac-ports    connect  127.0.0.1:17080          allow
mac-ports    connect  127.0.0.1:5433           deny
mac-ports    listen   8080                     allow
mac-ports    listen   9090                     allow
mac-ports    listen   5432                     deny
mac-ports    listen   443                      deny
mac-ports    unix     /private/var/run/mDNSResponder         allow
mac-ports    service  com.apple.mDNSResponder  allow
mac-ports    service  com.apple.nsurlsessiond  deny
mac-listen   listen   8080                     allow
mac-listen   connect  127.0.0.1:8080           allow
mac-listen   connect  127.0.0.1:24101          deny
mac-listen   connect  93.184.216.34:8080       deny
mac-listen   connect  93.184.216.34:443        deny
mac-listen   unix     /private/var/run/mDNSResponder         deny
mac-loopback connect  127.0.0.1:5432           allow
mac-loopback connect  93.184.216.34:5432       deny
mac-loopback listen   5432                     deny
mac-socket   unix     /private/var/run/docker.sock           allow
mac-socket   unix     /private/var/run/podman.sock           deny
mac-socket   unix     /Users/ada/.docker/run/docker.sock     deny
mac-openings service  com.apple.trustd.agent   allow
mac-openings service  com.apple.nsurlsessiond  deny
mac-openings op       pseudo-tty               allow
mac-openings op       lsopen                   allow
mac-openings op       appleevent-send          deny
mac-openings write    /dev/ttys001             allow
mac-openings write    /dev/ttysX               deny
mac-mounts   read     /Users/ada/data/x        allow
mac-mounts   write    /Users/ada/data/x        deny
mac-mounts   write    /Users/ada/app/vendor/x  deny
mac-mounts   read     /Users/ada/app/vendor/x  allow
mac-mounts   write    /Users/ada/out/x         allow
mac-mounts   write    /Users/ada/out/.bashrc   deny
mac-mounts   delete   /Users/ada/app/vendor    deny
policy-inside write   /System/Volumes/Data/home/ada/app/policy.cfg deny
policy-inside delete  /System/Volumes/Data/home/ada/app/policy.cfg deny
policy-inside read    /System/Volumes/Data/home/ada/app/policy.cfg allow
"""


def queries(what, where):
    """What a program's step asks of the kernel: (operation, query) pairs."""
    if what in ("connect", "udp"):
        host, _, port = where.rpartition(":")
        proto = "tcp" if what == "connect" else "udp"
        return [("network-outbound", {"remote": (host, int(port)),
                                      "proto": proto})]
    if what == "listen":
        end = ("127.0.0.1", int(where))
        return [("network-bind", {"local": end}),
                ("network-inbound", {"local": end})]
    if what == "unix":
        return [("network-outbound", {"unix": where})]
    if what == "service":
        return [("mach-lookup", {"name": where})]
    if what == "op":
        return [(where, {})]
    return [(operation, {"path": where}) for operation in {
        "read": ["file-read-metadata", "file-read-data"],
        "stat": ["file-read-metadata"],
        "write": ["file-write-data", "file-write-create"],
        "delete": ["file-write-unlink"],
        "link": ["file-link"],
        "clone": ["file-clone"],
    }[what]]


@pytest.fixture(scope="module")
def profile():
    known = {}

    def rules(case):
        if case not in known:
            known[case] = sbpl.evaluate(
                (GOLDEN / case / "profile.sb").read_bytes())
        return known[case]
    return rules


@pytest.mark.parametrize("row", ROWS.strip().splitlines(),
                         ids=lambda row: "-".join(row.split()))
def test_row(profile, row):
    case, what, where, wanted = row.split()
    assert sbpl.ask_all(profile(case), queries(what, where)) == wanted


def test_there_are_rows_enough():
    assert len(ROWS.strip().splitlines()) >= 120


@pytest.mark.parametrize("case", CASES)
def test_form(profile, case):
    """What every profile says, whatever the policy."""
    rules = profile(case)
    text = (GOLDEN / case / "profile.sb").read_text("latin-1")
    assert rules[0] == ("allow", ["default"], [])
    assert ("deny", ["network*"], []) in rules
    for verdict, operations, filters in rules:
        # `local` on outbound is true of every connection.
        if "network-outbound" in operations:
            assert not any(f[0] == "local" for f in filters)
        if verdict == "allow":
            assert "network*" not in operations
            assert filters or operations == ["default"]
    for word in re.findall(r"[(](?:allow|deny)[^()]*", text):
        assert "*:*" not in word
    answers = {sbpl.ask(rules, "network-outbound", remote=(host, 443))
               for host in ("127.0.0.1", "::1", "self")}
    assert answers == {"deny"}


@pytest.mark.parametrize("case", [c for c in CASES if c.startswith("mac-")])
def test_independent_checker_agrees(case):
    """Another evaluator, where EXEAT_SBPL_CHECK names one."""
    if not os.path.exists(CHECKER):
        pytest.skip("EXEAT_SBPL_CHECK names no other evaluator")
    rows = [row.split() for row in ROWS.strip().splitlines()
            if row.startswith(case + " ")]
    words = []
    for _, what, where, wanted in rows:
        for operation, query in queries(what, where):
            if wanted == "deny" and len(queries(what, where)) > 1:
                continue  # one of several is denied, not each
            text = operation
            for key, value in query.items():
                if isinstance(value, tuple):
                    host = f"[{value[0]}]" if ":" in value[0] else value[0]
                    value = f"{host}:{value[1]}"
                text += f" {key}={value}"
            words.append(f"{text} => {wanted}".replace("self:", "10.9.8.7:"))
    done = subprocess.run(
        [sys.executable, CHECKER, GOLDEN / case / "profile.sb", "--strict",
         "--self-addr", "10.9.8.7", *words],
        capture_output=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stdout.decode()[-2000:]
