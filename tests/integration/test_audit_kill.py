# SPDX-License-Identifier: MIT
"""Killed at any moment, a run loses no decision that let a byte pass."""

import os
import signal
import socket

import pytest

from lab import processes, schema
from lab.origin import READ, Listener

KILLS = (1, 2, 3, 5, 8, 13, 34)


class Tokens(Listener):
    """Remembers the line of each connection, and answers it with a byte."""

    def __init__(self, address):
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        sock.bind((address, 0))
        self.tokens = []
        super().__init__(sock, self._token)

    def _token(self, conn):
        line = b""
        while not line.endswith(b"\n"):
            part = conn.recv(READ)
            if not part:
                break
            line += part
        if line:
            with self._changed:
                self.tokens.append(line)
                self._changed.notify_all()
            conn.sendall(b"!")


@pytest.mark.parametrize("victim", ["exeat", "exeat-proxy"])
def test_no_decision_is_lost(exeat, probe, victim):
    program = probe("tokens.py")
    seen = 0
    for count in KILLS:
        with Tokens("127.0.0.2") as origin:
            target = f"site.test:{origin.port}"
            before = set(exeat.state.glob("exeat/runs/*.jsonl"))
            with exeat.start(["--allow", f"{target}/tcp+private",
                              "--resolve", "site.test:127.0.0.2"],
                             ["/usr/bin/python3", program, target]) as run:
                came = origin.wait(lambda: len(origin.tokens) >= count)
                for pid, name in [(run.pid, "exeat"),
                                  *processes.descendants(run.pid).items()]:
                    if name == victim:
                        os.kill(pid, signal.SIGKILL)
                        break
                out, err = run.communicate(timeout=30)
                assert came, (out, err)
                processes.kill_all(processes.wait_until_none())
            path, = set(exeat.state.glob("exeat/runs/*.jsonl")) - before
            text = path.read_text()
            schema.check_lines(text, path.name)
            assert '"event":"run_start"' in text.splitlines()[0]
            allowed = sum('"event":"decision","verdict":"allow"' in line
                          for line in text.splitlines())
            # Each line that arrived came over a connection of its own.
            assert len(set(origin.tokens)) == len(origin.tokens) <= allowed
            seen += len(origin.tokens)
            shown = exeat.call([exeat.program, "audit", "--json"])
            assert (shown.returncode, shown.stderr) == (0, "")
            assert target in shown.stdout
    assert seen >= sum(KILLS)
