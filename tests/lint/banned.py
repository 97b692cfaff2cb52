# SPDX-License-Identifier: MIT
"""banned: calls that have a safer replacement here (CONVENTIONS 15)."""

import re

from sources import c_files, finish

BANNED = {
    "strcpy": "text.h", "strcat": "text.h", "sprintf": "snprintf or text.h",
    "vsprintf": "vsnprintf or text.h", "strncpy": "text.h",
    "strncat": "text.h", "strtok": "a cursor", "strtok_r": "a cursor",
    "atoi": "text_parse", "atol": "text_parse", "atoll": "text_parse",
    "atof": "text_parse", "strtol": "text_parse", "strtoll": "text_parse",
    "strtoul": "text_parse", "strtoull": "text_parse", "strtod": "text_parse",
    "strtoumax": "text_parse", "strtoimax": "text_parse",
    "sscanf": "a parser", "scanf": "a parser", "gets": "read",
    "system": "execve", "popen": "execve", "signal": "sigaction or signalfd",
    "rand": "getrandom", "srand": "getrandom", "random": "getrandom",
    "getaddrinfo": "resolver.h", "gethostbyname": "resolver.h",
    "alloca": "a bounded buffer", "mktemp": "mkostemp", "tmpnam": "mkostemp",
}
CALL = re.compile(r"(?<![\w.>])(" + "|".join(BANNED) + r")\s*\(")
COMMENTED_CODE = re.compile(r"^\s*//|^\s*/\*.*;\s*\*/\s*$")
TODO = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")


def main():
    findings = []
    for source in c_files("conf", "proxy", "fence", "runner", "tests"):
        for number, line in enumerate(source.code.splitlines(), 1):
            for call in CALL.finditer(line):
                name = call.group(1)
                findings.append(f"{source.name}:{number}: {name}() is banned; "
                                f"use {BANNED[name]}")
        for number, line in enumerate(source.lines, 1):
            if COMMENTED_CODE.match(line):
                findings.append(f"{source.name}:{number}: comments are /* */ "
                                "and hold no code")
            if TODO.search(line) and not re.search(r"#\d+|issue \d+", line):
                findings.append(f"{source.name}:{number}: without the number "
                                "of an issue")
    finish(findings)


main()
