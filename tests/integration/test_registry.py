# SPDX-License-Identifier: MIT
"""exeat ps and exeat kill: which runs there are, and ending them."""

import json
import os
import pathlib
import signal
import time

import pytest

LOOP = ["sh", "-c", "sleep 1000 & echo up; wait"]


@pytest.fixture(params=["runtime", "state"])
def live(request, exeat):
    """Where the list is kept: with and without XDG_RUNTIME_DIR."""
    if request.param == "runtime":
        folder = exeat.lab.folder("runtime", exeat.uid, exeat.gid, 0o700)
        exeat.env["XDG_RUNTIME_DIR"] = str(folder)
        yield folder / "exeat"
    else:
        yield exeat.state / "exeat" / "live"


@pytest.fixture
def started(exeat):
    """Starts a run and waits until it is in the list."""
    runs = []

    def start(command=None, flags=()):
        process = exeat.start(list(flags), command or LOOP)
        runs.append(process)
        assert process.stdout.readline() == b"up\n"
        deadline = time.monotonic() + 10
        while not (mine := [r for r in ps(exeat) if r["runner"] == process.pid]):
            assert time.monotonic() < deadline
        return process, mine[0]
    yield start
    for process in runs:
        process.kill()
        process.communicate()


def ps(exeat, *words):
    result = exeat.call([exeat.program, "ps", "--json", *words])
    assert result.returncode == 0, result
    return json.loads(result.stdout)


def kill(exeat, *words):
    return exeat.call([exeat.program, "kill", *words])


def is_alive(pid):
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2][1] not in "ZX"


def test_run_is_listed_while_it_lasts_and_not_after(exeat, live, started):
    process, run = started()
    assert run["run"].startswith("2") and run["command"] == "sh"
    assert run["processes"] == 3 and run["memory_kib"] > 0
    assert 0 <= run["age_ms"] < 20000
    assert (run["tunnels"], run["denied"]) == (0, 0)
    assert len(list(live.glob("run-*"))) == 1
    table = exeat.call([exeat.program, "ps"]).stdout.splitlines()
    assert table[0].split()[0] == "RUN" and run["run"] in table[1]
    assert kill(exeat, run["run"]).returncode == 0
    assert process.wait(10) == 128 + signal.SIGTERM
    assert ps(exeat) == [] and not list(live.glob("run-*"))


def test_arguments_are_not_in_the_list(exeat, live, started):
    started(["sh", "-c", "echo up; : s3cr3t; sleep 1000"])
    text = next(live.glob("run-*")).read_bytes()
    assert b"s3cr3t" not in text
    assert next(live.glob("run-*")).stat().st_mode & 0o777 == 0o600
    assert live.stat().st_mode & 0o777 == 0o700


def test_open_connections_and_denied_ones_are_counted(exeat, live, allowed,
                                                      origin, started):
    script = ("import socket, os\n"
              "p = os.environ['https_proxy'].rpartition(':')[2]\n"
              "def ask(name, port):\n"
              "    s = socket.create_connection(('127.0.0.1', int(p)))\n"
              "    s.sendall(f'CONNECT {name}:{port} HTTP/1.0\\r\\n\\r\\n'"
              ".encode())\n    s.recv(4096)\n    return s\n"
              f"a = ask('site.test', {origin.port})\n"
              "b = ask('denied.test', 443)\n"
              "print('up', flush=True)\nimport time\ntime.sleep(1000)\n")
    _, run = started(["python3", "-c", script], allowed)
    assert (run["tunnels"], run["denied"]) == (1, 1), exeat.records()


def test_runner_that_was_killed_leaves_no_entry(exeat, live, started):
    process, run = started()
    process.kill()
    process.wait()
    deadline = time.monotonic() + 10
    while list(live.glob("run-*")):
        assert time.monotonic() < deadline
    assert ps(exeat) == []
    assert kill(exeat, run["run"]).returncode == 1


def test_stale_entry_is_recognised_and_removed(exeat, live, started):
    """As after a crash of the machine: the numbers are others' now."""
    _, run = started()
    file = next(live.glob("run-*"))
    bytes_ = bytearray(file.read_bytes())
    number = run["runner"].to_bytes(4, "little")
    at = bytes_.index(number)
    bytes_[at:at + 4] = os.getpid().to_bytes(4, "little")
    stale = file.with_name("run-19700101T000000Z-00000000")
    stale.write_bytes(bytes_)
    if exeat.uid is not None:
        os.chown(stale, exeat.uid, exeat.gid)
    assert [r["run"] for r in ps(exeat)] == [run["run"]]
    assert not stale.exists() and file.exists()


def test_processes_of_a_run_with_both_numbers(exeat, live, started):
    _, run = started()
    inside = ps(exeat, run["run"])
    assert {p["inner_pid"] for p in inside} >= {1, 2}
    assert any(p["pid"] == run["pid"] for p in inside)
    assert any(p["command"] == "sleep 1000" for p in inside)
    # The beginning and the last digits name it as well.
    assert ps(exeat, run["run"][-8:]) and ps(exeat, run["run"][:20])


def test_one_process_of_a_run_can_be_killed(exeat, live, started):
    process, run = started()
    sleep = next(p for p in ps(exeat, run["run"]) if p["command"] == "sleep 1000")
    assert kill(exeat, run["run"], str(sleep["pid"])).returncode == 0
    # `wait` returns with it.
    assert process.wait(10) == 0


def test_nothing_else_can_be_killed(exeat, live, started):
    _, run = started()
    inside = ps(exeat, run["run"])
    first = next(p for p in inside if p["inner_pid"] == 1)
    with exeat.popen(["sleep", "1000"]) as other:
        for word, why in ((1, "process 1"), (other.pid, "not a process of this"),
                          (run["runner"], "not a process of this"),
                          (os.getpid(), "not a process of this"),
                          (first["pid"], "first process"), (0, "not the number"),
                          (-1, "not the number"), ("x", "not the number"),
                          (4194304 + 5, "no such process")):
            result = kill(exeat, run["run"], str(word))
            assert result.returncode == 1 and why in result.stderr, result
        assert other.poll() is None
        other.kill()
    assert [r["run"] for r in ps(exeat)] == [run["run"]]


def test_process_of_another_run_is_not_of_this_one(exeat, live, started):
    _, one = started()
    _, two = started()
    result = kill(exeat, one["run"], str(two["pid"]))
    assert result.returncode == 1, result
    assert {r["run"] for r in ps(exeat)} == {one["run"], two["run"]}
    # Both begin alike: that names neither.
    result = kill(exeat, "2")
    assert result.returncode == 1 and "more than one" in result.stderr


def test_command_that_ignores_the_end_is_killed(exeat, live, started):
    process, run = started(["sh", "-c", "trap '' TERM; echo up; while :; do "
                                        "sleep 1000; done"])
    assert kill(exeat, run["run"]).returncode == 0
    assert process.wait(10) == 128 + signal.SIGKILL


def test_named_signal_is_sent_once(exeat, live, started):
    process, run = started(["sh", "-c", "trap 'exit 9' USR1; echo up; "
                                        "while :; do sleep 0.05; done"])
    assert kill(exeat, "-USR1", run["run"]).returncode == 0
    assert process.wait(10) == 9
    assert kill(exeat, "-NOPE", run["run"]).returncode == 125


def test_watch_prints_again_and_again(exeat, live, started):
    started()
    with exeat.popen([exeat.program, "ps", "--watch"]) as watch:
        heads = 0
        while heads < 2:
            heads += watch.stdout.readline().startswith(b"RUN ")
        watch.kill()


def test_no_runs_no_such_run_and_wrong_words(exeat, live):
    assert ps(exeat) == []
    assert exeat.call([exeat.program, "ps", "nope"]).returncode == 1
    assert exeat.call([exeat.program, "ps", "--fix"]).returncode == 125
    assert kill(exeat).returncode == 125
    assert kill(exeat, "nope").returncode == 1
    assert kill(exeat, "").returncode == 1
    for verb in ("ps", "kill"):
        assert "usage" in exeat.call([exeat.program, verb, "--help"]).stdout
