# SPDX-License-Identifier: MIT
"""steps: strace(1) as a way to stop or disturb a program at any system call."""

import collections
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def go_number():
    """HANDOFF_GO as it stands in conf/handoff.h."""
    text = (ROOT / "conf" / "handoff.h").read_text()
    names = re.search(r"enum handoff_type \{(.*?)\};", text, re.S).group(1)
    names = re.sub(r"/\*.*?\*/", "", names, flags=re.S)
    return [name.split("=")[0].strip()
            for name in names.split(",")].index("HANDOFF_GO") + 1


class Trace:
    """What strace wrote of a run: @calls are names, in order."""

    def __init__(self, path):
        self.lines = path.read_text(errors="replace").splitlines() \
            if path.exists() else []
        found = [re.match(r"([a-z_0-9]+)\(", line) for line in self.lines]
        self.calls = [match.group(1) for match in found if match]
        self._go = re.compile(r"send(msg|to)\(.*\"\\%o(\\0){3}.*= [1-9]\d*$"
                              % go_number())

    def has_gone(self):
        """Was the GO message sent, and did the call return?"""
        return any(self._go.search(line) for line in self.lines)

    def steps(self):
        """(name, which of that name) of every call up to GO, after exec."""
        counts = collections.Counter()
        for line in self.lines:
            match = re.match(r"([a-z_0-9]+)\(", line)
            if not match:
                continue
            counts[match.group(1)] += 1
            if match.group(1) != "execve":
                yield match.group(1), counts[match.group(1)]
            if self._go.search(line):
                return


def traced(log, words, *options):
    """The command under strace; its children are not traced, and run at their
    own speed."""
    return ["strace", "-o", log, "-s", "8", *options, *words]


def kill_at(step, log, words):
    """The same, killed as it enters a step: nothing of that call happens."""
    return traced(log, words, "-e",
                  f"inject={step[0]}:signal=SIGKILL:when={step[1]}")


def fail_at(call, error, number, log, words):
    """The command and all its children, where the @number-th @call of each
    fails with @error."""
    return ["strace", "-f", "-o", log, "-s", "8", "-e", f"trace={call}", "-e",
            f"inject={call}:error={error}:when={number}", *words]


def fail_in_gate(call, error, number, log, words):
    """The same in exeat and its gate alone, which executes nothing: whatever
    does is left to itself."""
    return ["strace", "-f", "-b", "execve", "-o", log, "-s", "8", "-e",
            f"trace={call}", "-e", f"inject={call}:error={error}:when={number}",
            *words]
