# SPDX-License-Identifier: MIT
"""exeat audit: what it shows of real runs, and of damaged files."""

import csv
import fcntl
import io
import json
import os
import pty
import struct
import termios

from lab.runs import PYTHON

CURL = ["curl", "-sS", "--max-time", "20", "--cacert", "ca.pem"]
RECORD = ('{"ts":"2025-12-01T00:00:0%d.123Z","seq":1,"event":"decision",'
          '"verdict":"%s","host":"%s","port":443}\n')


def audit(exeat, *words, **keywords):
    return exeat.call([exeat.program, "audit", *words], **keywords)


def rows(exeat, *words):
    return [json.loads(line)
            for line in audit(exeat, "--json", *words).stdout.splitlines()]


def write(exeat, text, name="r.jsonl"):
    path = exeat.work / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    path.chmod(0o644)
    return name


def test_shows_what_the_last_run_did(exeat, allowed, origin):
    exeat.run(allowed, ["true"])
    exeat.run(allowed, ["sh", "-c", f"""
        curl -sS --cacert ca.pem https://site.test:{origin.port}/ &&
        ! curl -sS https://other.test/ 2>/dev/null"""])
    denied, reached = rows(exeat)
    assert (denied["destination"], denied["verdict"], denied["count"]) == \
        ("other.test:443", "denied", 1)
    assert (reached["destination"], reached["verdict"]) == \
        (f"site.test:{origin.port}", "allowed")
    assert reached["bytes_down"] > len(origin.body)
    table = audit(exeat).stdout
    assert ": sh, " in table and "exit code 0" in table
    assert rows(exeat, "--denied") == [denied]
    assert rows(exeat, "last-1") == []
    assert len(rows(exeat, "--by", "run")) == 2
    assert len(rows(exeat, "--since", "1h")) == 2
    assert rows(exeat, "--since", "2030-01-01") == []
    parsed = list(csv.DictReader(io.StringIO(audit(exeat, "--csv").stdout)))
    assert [row["destination"] for row in parsed] == \
        ["other.test:443", f"site.test:{origin.port}"]


def test_a_run_is_found_by_the_beginning_of_its_name(exeat):
    exeat.run([], ["true"])
    name = next(exeat.state.glob("exeat/runs/*.jsonl")).name
    assert audit(exeat, name[:20]).returncode == 0
    assert audit(exeat, "--run", name.removesuffix(".jsonl")).returncode == 0
    missing = audit(exeat, "no-such-run")
    assert (missing.returncode, missing.stdout) == (125, "")
    assert "neither a file nor a run" in missing.stderr


def test_without_any_run_it_says_so(exeat):
    result = audit(exeat)
    assert result.returncode == 125
    assert "no run has been recorded" in result.stderr


def test_damaged_files_are_read_as_far_as_they_are_whole(exeat):
    good = RECORD % (1, "allow", "a.test")
    for name, text, warning in (
            ("cut", good + good[:40], "the last line has no end"),
            ("nul", good.encode() + b"\0" * 9, "9 bytes are empty (NUL)"),
            ("bad", "hello\n" + good, "1 of 2 lines could not be read"),
            ("newer", good.replace("decision", "teleport") + good,
             "1 records are of a kind that this version does not know")):
        result = audit(exeat, write(exeat, text, name))
        assert result.returncode == 0, name
        assert "a.test:443" in result.stdout, name
        assert warning in result.stderr and name in result.stderr
    empty = audit(exeat, write(exeat, "", "empty"))
    assert (empty.returncode, empty.stderr.count("it is empty")) == (0, 1)
    whole = audit(exeat, write(exeat, good, "whole"))
    assert (whole.returncode, whole.stderr) == (0, "")


def test_a_sparse_file_of_5_gb_costs_nothing(exeat):
    name = write(exeat, RECORD % (1, "allow", "a.test"))
    os.truncate(exeat.work / name, 5 << 30)
    result = audit(exeat, name, timeout=20)
    assert "a.test:443" in result.stdout
    assert "bytes are empty" in result.stderr


def test_hostile_names_stay_in_their_line(exeat):
    name = write(exeat, RECORD % (1, "deny", "a\\u001b[2K\\nb,\\\"=c"))
    table = audit(exeat, name).stdout
    assert "a\\x1b[2K\\x0ab," in table and "\x1b" not in table
    formula = write(exeat, RECORD % (1, "deny", "=cmd|' /C calc'!A0"), "f")
    row, = csv.DictReader(io.StringIO(audit(exeat, "--csv", formula).stdout))
    assert row["destination"].startswith("'=cmd")


def test_follows_a_run_until_it_ends(exeat):
    with exeat.start([], ["sh", "-c", "read line; "
                          "curl -sS https://other.test/ 2>/dev/null"],
                     stdin=-1) as run:
        # Its file is there before the command runs.
        while not list(exeat.state.glob("exeat/runs/*.jsonl")):
            assert run.poll() is None
        with exeat.popen([exeat.program, "audit", "--follow"]) as follower:
            run.communicate(b"go\n", 30)
            out, err = follower.communicate(timeout=30)
    assert (follower.returncode, err) == (0, b"")
    assert b"denied    other.test:443" in out


def test_on_a_terminal_it_fits(exeat):
    long_name = ".".join(["x" * 60] * 3) + ".example.test"
    name = write(exeat, RECORD % (1, "deny", long_name) +
                 RECORD % (2, "allow", "a.test"))

    def show(columns, env):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ,
                    struct.pack("HHHH", 24, columns, 0, 0))
        with exeat.popen([exeat.program, "audit", name], stdout=slave,
                         env=env) as process:
            os.close(slave)
            assert process.wait(30) == 0
        data = b""
        try:
            while part := os.read(master, 65536):
                data += part
        except OSError:
            pass
        os.close(master)
        return data.decode()

    shown = show(60, {"TERM": "xterm"})
    assert "\x1b[31m" in shown and "example.test:443" in shown
    plain = show(60, {"TERM": "xterm", "NO_COLOR": "1"})
    assert "\x1b" not in plain
    assert max(len(line) for line in plain.splitlines()) <= 60
    assert "\x1b" not in audit(exeat, name).stdout
    assert long_name in audit(exeat, name).stdout


def test_flags_that_contradict_are_refused(exeat):
    for words, wanted in ((["--by", "shoe"], "--by shoe: destination, host"),
                          (["--since", "noon"], "--since noon: a time"),
                          (["--nonsense"], "not a flag of audit"),
                          (["--html", "x"], "not a flag of audit"),
                          (["a", "b"], "one RUN or FILE"),
                          (["--since"], "a value is missing"),
                          (["--follow", "--by", "host"], "--by goes with")):
        result = audit(exeat, *words)
        assert result.returncode == 125 and wanted in result.stderr, words


def test_the_program_works_by_its_own_name(exeat):
    exeat.run([], [PYTHON, "-c", ""])
    result = exeat.call([exeat.lab.bin / "exeat-audit", "--json"])
    assert (result.returncode, result.stdout) == (0, "")


def test_diff_shows_destinations_that_are_new(exeat):
    write(exeat, RECORD % (1, "allow", "a.test") +
          RECORD % (2, "deny", "b.test"), "before")
    write(exeat, RECORD % (1, "deny", "a.test") +
          RECORD % (2, "allow", "b.test"), "same")
    write(exeat, RECORD % (1, "allow", "a.test") +
          RECORD % (2, "allow", "c.test"), "after")
    same = audit(exeat, "diff", "before", "same")
    assert (same.returncode, same.stdout) == (0, "no new destination\n")
    new = audit(exeat, "diff", "--json", "before", "after")
    assert new.returncode == 1
    row, = [json.loads(line) for line in new.stdout.splitlines()]
    assert row["destination"] == "c.test:443"
    assert "c.test:443" in audit(exeat, "diff", "before", "after").stdout
    assert audit(exeat, "diff", "before").returncode == 125
    assert audit(exeat, "diff", "before", "no-such").returncode == 125
    write(exeat, "", "empty")
    assert audit(exeat, "diff", "empty", "after").returncode == 1
    assert audit(exeat, "diff", "after", "empty").returncode == 0


def test_diff_compares_runs_by_name(exeat):
    exeat.run([], ["sh", "-c", "true"])
    exeat.run([], ["sh", "-c", "curl -sS https://other.test/ 2>/dev/null"])
    assert audit(exeat, "diff", "last-1", "last").returncode == 1
    assert audit(exeat, "diff", "last", "last-1").returncode == 0


def test_quiet_says_nothing_of_denials(exeat):
    command = ["sh", "-c", "curl -sS https://other.test/ 2>/dev/null; true"]
    loud, quiet = exeat.run([], command), exeat.run(["--quiet"], command)
    assert "denied other.test:443; allow it with --allow" in loud.stderr
    assert (quiet.returncode, quiet.stderr) == (0, "")
    assert [row["destination"] for row in rows(exeat, "--denied")] == \
        ["other.test:443"]
