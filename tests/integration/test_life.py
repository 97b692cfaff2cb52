# SPDX-License-Identifier: MIT
"""What a run may use, Ctrl-Z and job control, and many runs at once."""

import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import time

import pytest

from lab.runs import PYTHON
from lab.terminal import Terminal

# --- limits


def how(exeat):
    """What the first record says holds the limits."""
    start = max((r for r in exeat.records() if r["event"] == "run_start"),
                key=lambda r: r["ts"])
    return dict(re.findall(r"(memory|processes) by ([^,]*)",
                           start["detail"]))


def test_memory_limit_is_kept_and_said(exeat):
    script = "x = bytearray(300 << 20); print(len(x))"
    assert exeat.run([], [PYTHON, "-c", script]).returncode == 0, "control"
    assert how(exeat) == {}
    result = exeat.run(["--memory", "100M"], [PYTHON, "-c", script])
    assert result.returncode != 0 and result.stdout == "", result
    if how(exeat)["memory"] == "rlimit":
        assert "MemoryError" in result.stderr, result
    else:
        assert "memory limit was reached" in result.stderr, result
    result = exeat.run(["--memory", "100M"], [PYTHON, "-c", "print(1)"])
    assert (result.returncode, result.stderr) == (0, ""), result


def test_process_limit_is_kept_and_said(exeat):
    script = ("import os, time\nn = 0\ntry:\n    for n in range(200):\n"
              "        if os.fork() == 0:\n            time.sleep(100)\n"
              "except OSError:\n    pass\nprint(n)\n")
    result = exeat.run(["--processes", "40"], [PYTHON, "-c", script])
    assert result.returncode == 0, result
    assert 30 <= int(result.stdout) <= 41, result
    assert how(exeat)["processes"]
    assert exeat.run([], [PYTHON, "-c", script]).stdout == "199\n", "control"


def test_limits_of_a_policy_file_hold_as_well(exeat):
    (exeat.work / "p.cfg").write_text(
        'version = 1; limits = { memory = "100M"; processes = 50; };\n')
    assert exeat.run(["--policy", "p.cfg"], ["true"]).returncode == 0
    assert set(how(exeat)) == {"memory", "processes"}


def groups():
    """Control groups of ours, anywhere."""
    return {str(path) for path in
            pathlib.Path("/sys/fs/cgroup").glob("**/exeat-[0-9]*")}


def test_no_control_group_is_left_behind(exeat):
    before = groups()
    exeat.run(["--processes", "40", "--memory", "1G"],
              ["sh", "-c", "for i in 1 2 3 4 5; do sleep 100 & done; exit 0"])
    assert groups() <= before


def test_group_of_a_killed_runner_is_removed_by_the_next(exeat):
    with exeat.start(["--processes", "40"], ["sh", "-c", "echo up; sleep 100"]) \
            as process:
        assert process.stdout.readline() == b"up\n"
        mine = {g for g in groups() if g.endswith(f"exeat-{process.pid}")}
        process.kill()
        process.wait()
    if how(exeat)["processes"].startswith("cgroup"):
        assert mine, "control"
    exeat.run(["--processes", "40"], ["true"])
    assert not mine & groups()


# --- terminals


@pytest.fixture
def terminal(exeat):
    """A shell with job control in front of a terminal, as users have one."""
    opened = []

    def start(command, **keywords):
        opened.append(Terminal(exeat, command, **keywords))
        return opened[-1]
    yield start
    for one in opened:
        one.close()


@pytest.fixture
def shell(exeat, terminal):
    t = terminal(["bash", "--norc", "--noprofile", "-i"],
                 env={"PS1": "host> ", "PATH": exeat.env["PATH"]})
    t.expect(b"host> ")
    return t


def test_suspended_command_gives_the_terminal_back(exeat, shell):
    shell.send(f"{exeat.program} run -- sh -c 'echo up; read x; echo got-$x'\r")
    shell.expect(b"\nup")
    shell.send(b"\x1a")
    shell.expect(b"Stopped")
    shell.expect(b"host> ")
    # The user's shell is there again, with the terminal as it was.
    shell.send("stty -a | grep -o ' icanon'\r")
    shell.expect(b"\n icanon")
    shell.send("fg\r")
    shell.expect(b"exeat run")
    shell.send("more\r")
    shell.expect(b"got-more")
    shell.expect(b"host> ")
    shell.send("exit 3\r")
    assert shell.end() == 3


def test_command_that_stops_itself_gives_the_terminal_back(exeat, shell):
    """vim, less and others take the key and stop by themselves."""
    shell.send(f"{exeat.program} run -- sh -c "
               "'read x; kill -STOP $$; echo on-again'\r")
    shell.send("go\r")
    shell.expect(b"Stopped")
    shell.send("fg\r")
    shell.expect(b"\non-again")
    shell.expect(b"host> ")
    shell.send("exit\r")
    assert shell.end() == 0


def test_stopped_runner_stops_the_command(exeat):
    """kill -TSTP, as a shell sends it to a job without a terminal inside. In a
    group of its own, as a shell makes it: the kernel stops no orphaned one."""
    with exeat.start([], ["sh", "-c", "echo up; while :; do read x || sleep 1;"
                                      " done"], stdin=-1,
                     preexec_fn=os.setpgrp) as process:
        assert process.stdout.readline() == b"up\n"
        inside = [pid for pid, name in exeat_children(process.pid)
                  if name == "sh"]
        assert inside
        process.send_signal(signal.SIGTSTP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        wait_for(lambda: state(inside[0]) == "T")
        process.send_signal(signal.SIGCONT)
        wait_for(lambda: state(inside[0]) != "T")
        process.terminate()


def state(pid):
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][1]


def exeat_children(root):
    from lab.processes import descendants
    return descendants(root).items()


def wait_for(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        os.sched_yield()


def test_interactive_shell_inside_has_job_control(exeat, terminal):
    t = terminal([exeat.program, "run", "--env", "PS1=in> ", "--", "bash",
                  "--norc", "--noprofile", "-i"])
    t.expect(b"in> ")
    assert b"no job control" not in t.text
    t.send("sh -c 'echo up; exec sleep 1000'\r")
    t.expect(b"\nup")
    t.send(b"\x1a")
    t.expect(b"Stopped")
    t.send("jobs\r")
    t.expect(b"[1]+")
    t.send("bg; jobs -r; kill %1; wait; echo all-$?\r")
    t.expect(b"\nall-")
    t.send("sh -c 'echo up; exec sleep 1000'\r")
    t.expect(b"\nup")
    t.send(b"\x03")
    t.expect(b"^C")
    t.send("echo code-$?; exit 4\r")
    t.expect(b"code-130")
    assert t.end() == 4


def test_new_window_size_reaches_the_command(exeat, terminal):
    t = terminal([exeat.program, "run", "--", "bash", "-c",
                  "trap 'stty size; exit 0' WINCH; stty size; echo up;"
                  " while :; do sleep 0.05; done"])
    t.expect(b"up")
    t.resize(33, 101)
    t.expect(b"33 101")
    assert t.end() == 0


@pytest.mark.skipif(not shutil.which("vim"), reason="vim is missing")
def test_vim_edits_suspends_and_saves(exeat, shell):
    (exeat.work / "text").write_text("first\n")
    if exeat.uid is not None:
        os.chown(exeat.work / "text", exeat.uid, exeat.gid)
    shell.send(f"{exeat.program} run --env TERM=xterm -- vim -u NONE text\r")
    shell.expect(b"first")
    shell.send("osecond")
    shell.expect(b"second")
    shell.send(b"\x1b")
    shell.send(b"\x1a")
    shell.expect(b"Stopped")
    shell.send("fg\r")
    shell.expect(b"\x1b[?1049h")
    shell.send(":wq\r")
    shell.expect(b"host> ")
    shell.send("echo left-$?\r")
    shell.expect(b"left-0")
    assert (exeat.work / "text").read_text() == "first\nsecond\n"


@pytest.mark.skipif(not shutil.which("less"), reason="less is missing")
def test_less_pages_and_quits(exeat, terminal):
    (exeat.work / "long").write_text("".join(f"line-{n}\n" for n in range(500)))
    t = terminal([exeat.program, "run", "--env", "TERM=xterm", "--", "less",
                  "long"])
    t.expect(b"line-0")
    t.send("G")
    t.expect(b"line-499")
    t.send("g/line-250\r")
    t.expect(b"line-250")
    t.send("q")
    assert t.end() == 0


# --- many at once


def test_ten_runs_in_one_folder_do_not_disturb_each_other(exeat, allowed, origin):
    script = ("echo $0 >out-$0; echo $$ $(ls /proc | grep -c '^[0-9]');"
              f" curl -s --cacert ca.pem https://site.test:{origin.port}/$0")

    def one(number):
        return exeat.run(allowed, ["sh", "-c", script, str(number)])
    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        results = list(pool.map(one, range(10)))
    for number, result in enumerate(results):
        assert result.returncode == 0, result
        assert "hello from site.test" in result.stdout
        assert (exeat.work / f"out-{number}").read_text() == f"{number}\n"
    runs = [r["run"] for r in exeat.records() if r["event"] == "run_exit"]
    assert len(set(runs)) == 10
