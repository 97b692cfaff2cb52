# SPDX-License-Identifier: MIT
"""sizes: how long files, functions and lines may be (CONVENTIONS 1), and that
each file begins by saying what it is for."""

import re

from sources import c_files, finish

FILE_AIM, FILE_MAX, HEADER_AIM = 400, 600, 120
FUNCTION_MAX, FUNCTION_MAX_TEST = 60, 100
LINE_MAX, TAB, PARAMETERS_MAX = 80, 8, 5
# Rows of a table stay rows, however long.
ROW = re.compile(r'\s*(\[\w+\] = )?[{".].*|.*\}[,;]?( /\*.*\*/)?$')


def functions(source):
    """(line, name, length, parameters) of each function body: it opens and
    closes in column one, which clang-format sees to."""
    lines = source.code.splitlines()
    start = None
    for number, line in enumerate(lines, 1):
        if line == "{":
            start = number
        elif line == "}" and start is not None:
            head = []
            above = start - 2
            while above >= 0 and lines[above].strip() and \
                    lines[above].rstrip()[-1:] not in ";}":
                head.insert(0, lines[above])
                above -= 1
            found = re.search(r"(\w+)\s*\((.*)\)", " ".join(head), re.S)
            name, inside = found.groups() if found else ("?", "")
            inside = re.sub(r"\([^()]*\)", "", inside)
            count = 0 if inside.strip() in ("", "void") else inside.count(",") + 1
            yield start, name, number - start + 1, count
            start = None


def check(source):
    is_test = source.folder == "tests"
    count = len(source.lines)
    if count > FILE_MAX:
        yield f"{source.name}: {count} lines, at most {FILE_MAX} (aim {FILE_AIM})"
    # A header is mostly contract; one of structs with a comment each is long.
    if source.path.suffix == ".h" and count > 2 * HEADER_AIM:
        yield f"{source.name}: {count} lines in a header (aim {HEADER_AIM})"
    for number, line in enumerate(source.lines, 1):
        if len(line.expandtabs(TAB)) > LINE_MAX and not ROW.match(line):
            yield f"{source.name}:{number}: over {LINE_MAX} columns"
        if line != line.rstrip():
            yield f"{source.name}:{number}: ends in a blank"
    for line, name, length, parameters in functions(source):
        # A test is long where its table is.
        most = FUNCTION_MAX_TEST if is_test else FUNCTION_MAX
        if length > most:
            yield f"{source.name}:{line}: {name}() has {length} lines, " \
                  f"at most {most}"
        if parameters > PARAMETERS_MAX and not is_test:
            yield f"{source.name}:{line}: {name}() has {parameters} parameters, " \
                  f"at most {PARAMETERS_MAX}"
    if source.lines[:1] != ["/* SPDX-License-Identifier: MIT */"]:
        yield f"{source.name}:1: begins with its SPDX line"
    elif not source.lines[1].startswith("/*"):
        yield f"{source.name}:2: says in one sentence what it is for"
    if source.path.suffix == ".h":
        guard = source.path.stem.upper() + "_H"
        if f"#ifndef {guard}\n#define {guard}\n" not in source.text:
            yield f"{source.name}: guard is {guard}"


def main():
    findings = []
    for source in c_files("conf", "proxy", "fence", "runner", "tests"):
        findings.extend(check(source))
    finish(findings)


main()
