# SPDX-License-Identifier: MIT
"""Nothing unseen: what reaches no listener of ours is recorded all the same."""

import os
import time

import pytest

from lab.runs import PYTHON

SECONDS = 10


def tapped(exeat):
    return [record for record in exeat.records() if record["event"] == "tap"]


def wait_for(exeat, count):
    """The records are written while the command runs."""
    deadline = time.monotonic() + SECONDS
    while len(tapped(exeat)) < count and time.monotonic() < deadline:
        os.sched_yield()
    return tapped(exeat)


def try_out(exeat, probe, words, flags=()):
    """(records, pid of the program that tried)"""
    probe("tap.py")
    with exeat.start([*flags], [PYTHON, "tap.py", *words], stdin=-1) as process:
        pid = int(process.stdout.readline())
        wait_for(exeat, 1)
        process.communicate(timeout=SECONDS)
    return tapped(exeat), pid


@pytest.mark.parametrize("address", ["192.0.2.1", "[2001:db8::1]", "255.1.2.3",
                                     "127.0.0.1", "[::1]", "127.0.0.53"])
def test_a_datagram_is_recorded(exeat, probe, address):
    found, pid = try_out(exeat, probe, [f"udp={address}:443"])
    record, = found
    assert record["host"] == address.strip("[]")
    assert (record["transport"], record["port"]) == ("udp", 443)
    assert (record["verdict"], record["via"]) == ("deny", "tap")
    assert record["pid"] == pid


@pytest.mark.parametrize("address", ["127.0.0.1", "[::1]", "127.9.9.9"])
def test_a_refused_connection_is_recorded(exeat, probe, address):
    found, _ = try_out(exeat, probe, [f"tcp={address}:5432"])
    record, = found
    assert record["host"] == address.strip("[]")
    assert (record["transport"], record["port"]) == ("tcp", 5432)
    assert record["reason"] == "connection_refused"


def test_one_record_for_a_flow_and_a_second(exeat, probe):
    found, _ = try_out(exeat, probe, ["flood=192.0.2.1:9", "flood=192.0.2.2:9"])
    for host in ("192.0.2.1", "192.0.2.2"):
        assert len([r for r in found if r["host"] == host]) in (1, 2), found


def test_what_is_done_last_is_recorded_too(exeat):
    """The command ends at once: its packet waits in the kernel."""
    for _ in range(5):
        exeat.run([], [PYTHON, "-c", "import socket; socket.socket(2, 2).sendto("
                       "b'x', ('192.0.2.7', 7))"])
    assert len(tapped(exeat)) == 5


def test_a_run_that_tries_nothing_has_no_such_record(exeat, allowed, origin):
    exeat.run(allowed, ["curl", "-s", "--cacert", "ca.pem",
                        f"https://site.test:{origin.port}/"])
    assert tapped(exeat) == []


def test_names_are_not_recorded_twice(exeat, probe):
    """DNS has a responder of ours, and records of its own."""
    probe("reach.py")
    exeat.run([], [PYTHON, "reach.py", "resolve=x.denied.test",
                   "query=192.0.2.53:53"])
    assert tapped(exeat) == []


def test_more_than_can_be_written_is_counted(exeat):
    script = ("import socket; s = socket.socket(2, 2); [s.sendto(b'x',"
              " ('192.0.2.%d' % (i % 250), 1000 + i // 250))"
              " for i in range(20000)]")
    exeat.run([], [PYTHON, "-c", script])
    found = tapped(exeat)
    said = [record for record in found if "detail" in record]
    lost = sum(int(record["detail"].rsplit(" ", 1)[1]) for record in said)
    assert len(found) > 1000
    assert lost > 0, len(found)
