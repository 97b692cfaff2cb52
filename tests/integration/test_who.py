# SPDX-License-Identifier: MIT
"""Records name the process that connected; one that is not found is said to be
gone or hidden, never guessed."""

import os
import time

from lab.runs import PYTHON


def decisions(exeat):
    return [record for record in exeat.records() if record["event"] == "decision"]


def run(exeat, probe, *words, flags=()):
    probe("who.py")
    result = exeat.run([*flags], [PYTHON, "who.py", *words])
    assert result.returncode == 0, result
    pids = [int(word) for word in result.stdout.split()]
    return pids if len(pids) > 1 else pids[0]


def test_the_process_is_named(exeat, probe):
    pid = run(exeat, probe, "plain")
    record, = decisions(exeat)
    assert record["pid"] == pid
    assert record["argv0"] == PYTHON
    assert record["exe"] == os.path.realpath(PYTHON)
    assert "parents" not in record and "process" not in record


def test_a_program_is_told_from_its_shell(exeat):
    exeat.run([], ["sh", "-c", "curl -s https://denied.test/; true"])
    record, = decisions(exeat)
    assert os.path.basename(record["exe"]) == "curl"


def test_verbose_names_those_above(exeat, probe):
    probe("who.py")
    exeat.run(["--verbose"], ["sh", "-c", f"{PYTHON} who.py plain; true"])
    record, = decisions(exeat)
    names = [line.split(" ", 1)[1] for line in record["parents"]]
    assert names[0] == "sh", record


def test_of_two_that_have_the_socket_one_is_named(exeat, probe):
    pids = run(exeat, probe, "child")
    record, = decisions(exeat)
    assert record["pid"] in pids


def test_a_socket_that_was_closed_is_gone(exeat, probe):
    run(exeat, probe, "gone")
    record, = decisions(exeat)
    # Asked before it could close: then it was still there.
    assert record.get("process") == "gone" or record["pid"] is not None, record


def test_a_process_that_hides_is_said_to(exeat, probe):
    pid = run(exeat, probe, "hidden")
    record, = decisions(exeat)
    if record["pid"] is None:
        assert record["process"] == "hidden"
    else:
        assert record["pid"] == pid  # as root nothing hides


def test_a_thread_with_descriptors_of_its_own_is_hidden(exeat, probe):
    """They are in no list of its process: not gone, and not somebody else."""
    pid = run(exeat, probe, "thread")
    record, = decisions(exeat)
    assert record["pid"] == pid or record.get("process") == "hidden", record


def test_every_one_of_many_is_named(exeat, probe):
    began = time.monotonic()
    pid = run(exeat, probe, "plain", "2000")
    seconds = time.monotonic() - began
    found = decisions(exeat)
    assert len(found) == 2000
    assert {record["pid"] for record in found} == {pid}, seconds
