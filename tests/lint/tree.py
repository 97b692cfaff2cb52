# SPDX-License-Identifier: MIT
"""tree: which names stand at the top, and that every program and manual has
its place."""

import re

from sources import ROOT, finish, tracked

TOP = {"proxy", "fence", "runner", "conf", "tests", "CMakeLists.txt",
       "CMakePresets.json", "README.md", "DESIGN.md", "CONVENTIONS.md",
       "SECURITY.md", "CHANGELOG.md", "LICENSE", "dev"}
# The four layers hold modules, their lists, manuals and data of their own.
KINDS = re.compile(r"\.(c|h|[1-9]|cfg|cmake|json)$|/CMakeLists\.txt$")


def main():
    names = tracked()
    findings = sorted({f"{name.split('/')[0]}: not one of the agreed names"
                       for name in names
                       if name.split("/")[0] not in TOP and name[0] != "."})
    findings += [f"{needed} is missing" for needed in sorted(TOP)
                 if not (ROOT / needed).exists()]
    findings += [f"{name}: neither module nor manual nor data"
                 for name in names
                 if re.match(r"(conf|proxy|fence|runner)/", name)
                 and not KINDS.search(name)]
    for name in names:
        if name.endswith((".py", ".sh", ".c", ".h", ".md", ".txt", ".cmake")) \
                and b"\r\n" in (ROOT / name).read_bytes():
            findings.append(f"{name}: lines end in CR LF")
    finish(findings)


main()
