# SPDX-License-Identifier: MIT
"""layers: who may include whom (CONVENTIONS 2), and one door per library.

The build refuses most of it already, since a folder publishes only its own
headers; this says so in words, and sees what a build on one system does not.
"""

import collections
import fnmatch
import re

from sources import LAYERS, c_files, finish

USES = {
    "conf": {"conf"},
    "proxy": {"conf", "proxy"},
    "fence": {"conf", "fence"},
    "runner": {"conf", "fence", "runner"},
}

# A header of a library -> the only files that may include it.
DOORS = {
    "libconfig.h": {"conf/conf_file.c"},
    "idn2.h": {"conf/idna.c"},
    "libpsl.h": {"conf/public_suffix.c"},
    "ares.h": {"proxy/resolver_ares.c"},
    "seccomp.h": {"runner/seccomp_make.c"},
    "openssl/": {"proxy/tls_session.c"},
    "json-c/": {"runner/audit_json.c"},
    "event2/": {"proxy/"},
}

# These layers decide and never act, but for the modules named.
PURE = {
    "conf": {"conf/audit.c", "conf/conf_file.c", "conf/handoff.c",
             "conf/service.c"},
    "fence": {"fence/machine*.c", "fence/tree_walk.c", "fence/main.c"},
}
ACTS = re.compile(r"(?<![\w.>])(socket|connect|bind|listen|accept4?|sendmsg|"
                  r"recvmsg|open|openat|fopen|creat|read|write|unlink|mkdir|"
                  r"stat|lstat|readlink|realpath|getenv|getuid|geteuid|time|"
                  r"clock_gettime|gettimeofday|fork|vfork|exec[lv]p?e?|mount|"
                  r"unshare|setns|kill|printf|fprintf|fputs|puts|perror)\s*\(")


def door_of(header):
    for prefix, files in DOORS.items():
        if header == prefix or (prefix[-1] == "/" and header.startswith(prefix)):
            return files
    return None


def check(source, owners):
    for line, kind, name in source.includes():
        where = f"{source.name}:{line}"
        if kind == "<":
            door = door_of(name)
            if door and not any(source.name == f or
                                (f[-1] == "/" and source.name.startswith(f))
                                for f in door):
                yield f"{where}: <{name}> enters by {', '.join(sorted(door))}"
            continue
        owner = owners.get(name)
        if owner is None:
            continue  # the compiler says so
        if owner not in USES[source.folder]:
            yield f"{where}: {source.folder} must not use {owner}/{name}"
        if name.endswith("_internal.h") and owner != source.folder:
            yield f"{where}: {name} is internal to {owner}"
    if not any(fnmatch.fnmatch(source.name, pattern)
               for pattern in PURE.get(source.folder, {"*"})):
        for number, line in enumerate(source.code.splitlines(), 1):
            for call in ACTS.finditer(line):
                yield f"{source.name}:{number}: {call.group(1)}() acts, and " \
                      "this module decides"


def main():
    sources = list(c_files())
    headers = collections.defaultdict(set)
    for source in sources:
        if source.path.suffix == ".h":
            headers[source.path.name].add(source.folder)
    findings = [f"{name} exists in {', '.join(sorted(where))}: names of headers "
                "are unique" for name, where in headers.items() if len(where) > 1]
    owners = {name: min(where) for name, where in headers.items()}
    for source in sources:
        findings.extend(check(source, owners))
    findings.extend(f"{folder}/ is missing" for folder in LAYERS
                    if not any(s.folder == folder for s in sources))
    finish(findings)


main()
