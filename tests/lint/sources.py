# SPDX-License-Identifier: MIT
"""sources: the project's C files as the checks of this folder see them."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAYERS = ("conf", "proxy", "fence", "runner")
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


class Source:
    """One file. @code is its text with comments and the inside of strings
    blanked out, so that line numbers and columns stay what they are."""

    def __init__(self, path):
        self.path = path
        self.name = str(path.relative_to(ROOT))
        self.folder = self.name.split("/")[0]
        self.text = path.read_text(encoding="utf-8")
        self.code = TOKEN.sub(_blank, self.text)

    @property
    def lines(self):
        return self.text.splitlines()

    def includes(self):
        """(line number, "<" or '"', name) of each #include."""
        for number, line in enumerate(self.lines, 1):
            found = re.match(r'#\s*include\s*([<"])([^>"]+)[>"]', line)
            if found:
                yield number, found.group(1), found.group(2)


def _blank(match):
    token = match.group()
    if token[0] in "\"'":
        return token[0] + " " * (len(token) - 2) + token[0]
    return re.sub(r"[^\n]", " ", token)


def c_files(*folders):
    """Every .c and .h below the folders (default: the four layers)."""
    for folder in folders or LAYERS:
        for path in sorted((ROOT / folder).rglob("*.[ch]")):
            yield Source(path)


def tracked():
    """Names of the files of the project: git's where there is git."""
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files"],
                            capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return listed.stdout.splitlines()
    return [str(p.relative_to(ROOT)) for p in ROOT.rglob("*")
            if p.is_file() and "build" not in p.relative_to(ROOT).parts[:1]]


def finish(findings):
    """Print the findings, one a line, and leave with 0 or 1."""
    for finding in findings:
        print(finding)
    sys.exit(1 if findings else 0)
