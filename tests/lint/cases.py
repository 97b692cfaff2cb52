# SPDX-License-Identifier: MIT
"""cases: every row of tests/cases.tsv names tests that exist."""

import re

from sources import ROOT, finish

TESTS = ROOT / "tests"


def has_test(place):
    path, _, name = place.partition("::")
    file = TESTS / path
    if not name or not file.exists():
        return False
    text = file.read_text(encoding="utf-8")
    pattern = rf"^def {name}\(" if path.endswith(".py") \
        else rf"cmocka_unit_test\(\s*{name}\)"
    return re.search(pattern, text, re.MULTILINE) is not None


def main():
    findings, seen = [], set()
    lines = (TESTS / "cases.tsv").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            continue
        parts = line.split("\t")
        where = f"tests/cases.tsv:{number}"
        if len(parts) != 4 or not all(parts):
            findings.append(f"{where}: not id, kind, answer and tests")
            continue
        if parts[0] in seen:
            findings.append(f"{where}: {parts[0]} stands there twice")
        seen.add(parts[0])
        findings += [f"{where}: no test {place}" for place in parts[3].split()
                     if place != "-" and not has_test(place)]
    finish(findings)


main()
