# SPDX-License-Identifier: MIT
"""No wall, no run: whatever is missing or breaks, the command does not start;
and what breaks later takes the command with it."""

import os
import pathlib
import shutil
import signal

import pytest

from lab import processes
from lab.runs import PATH, PYTHON
from lab.steps import Trace, fail_at, kill_at, traced

TOUCH = ["touch", "marker"]


def not_run(exeat, result, *words):
    """One message, with a cause and something to do about it; no marker."""
    assert not (exeat.work / "marker").exists()
    assert result.returncode == 125, result
    messages = [line for line in result.stderr.splitlines()
                if line.startswith("exeat: ")]
    assert len(messages) == 1 and result.stderr.startswith("exeat: "), result
    for word in words:
        assert word in result.stderr, result


def fake(exeat, name, text):
    """A folder to be put first on PATH, with a program of that name in it."""
    folder = exeat.lab.folder("fake")
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return folder


def with_bwrap(exeat, text):
    folder = fake(exeat, "bwrap", text)
    return exeat.run([], TOUCH, env={"PATH": f"{folder}:{PATH}"})


# --- bubblewrap

def test_bubblewrap_is_missing(exeat):
    empty = exeat.lab.folder("empty")
    result = exeat.run([], TOUCH, env={"PATH": str(empty)})
    not_run(exeat, result, "bubblewrap", "apt install bubblewrap")


@pytest.mark.parametrize("said", [
    "bwrap: setting up uid map: Permission denied",
    "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted",
    "bwrap: No permissions to create new namespace, likely because the kernel "
    "does not allow non-privileged user namespaces.",
    "bwrap: Creating new namespace failed: Operation not permitted",
])
def test_user_namespaces_are_refused(exeat, said):
    """C31: what restricted systems make bubblewrap say."""
    result = with_bwrap(exeat, f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    not_run(exeat, result, "user namespaces", "check: bwrap", "AppArmor",
            said.removeprefix("bwrap: "))


@pytest.mark.parametrize("text, word", [
    ("#!/bin/sh\nexit 0\n", "bubblewrap"),
    ("#!/bin/sh\nexit 1\n", "bubblewrap"),
    ("#!/bin/sh\nkill -9 $$\n", "bubblewrap"),
    ("#!/no/such/interpreter\n", "bwrap"),
    ("#!/bin/sh\necho bwrap: Unknown option --args >&2\nexit 1\n", "too old"),
    ("#!/bin/sh\necho '{ \"child-pid\": 1 }' >&5\nexit 1\n", "check: bwrap"),
    # No fence at all around what was asked for.
    ("#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"\n",
     "bubblewrap"),
])
def test_bubblewrap_does_not_do_its_work(exeat, text, word):
    not_run(exeat, with_bwrap(exeat, text), word)


@pytest.mark.parametrize("limit", ["max_user_namespaces", "max_net_namespaces",
                                   "max_pid_namespaces"])
def test_namespaces_are_used_up(exeat, limit):
    """For real: in a user namespace whose limit is nought."""
    result = exeat.call([
        "unshare", "-Ur", "sh", "-c",
        f"echo 0 >/proc/sys/user/{limit} && exec \"$@\"", "sh",
        exeat.program, "run", "--", *TOUCH])
    not_run(exeat, result, "check:")


def test_namespace_limits_are_the_cause(exeat):
    """The control: the same without the limit runs."""
    result = exeat.call(["unshare", "-Ur", exeat.program, "run", "--", *TOUCH])
    assert result.returncode == 0, result
    assert (exeat.work / "marker").exists()


# --- exeat's own programs

def copy_of_programs(exeat, replaced=None, text=None):
    """The programs in another folder, one of them missing or another's."""
    folder = exeat.lab.folder("bin")
    for path in exeat.lab.bin.iterdir():
        if path.name != replaced:
            shutil.copy2(path, folder / path.name)
    if text is not None:
        (folder / replaced).write_text(text)
        (folder / replaced).chmod(0o755)
    return str(folder / "exeat")


def test_copy_of_the_programs_runs(exeat):
    assert exeat.call([copy_of_programs(exeat), "run", "--", *TOUCH]).returncode == 0


@pytest.mark.parametrize("name", ["exeat-proxy", "exeat-init"])
@pytest.mark.parametrize("text", [None, "#!/bin/sh\nexit 0\n", "#!/bin/sh\nexit 1\n",
                                  "not a program\n", "#!/no/such\n"])
def test_program_of_exeat_is_missing_or_ends(exeat, name, text):
    program = copy_of_programs(exeat, name, text)
    result = exeat.call([program, "run", "--", *TOUCH])
    # exeat-init runs inside: its failure looks like bubblewrap's.
    not_run(exeat, result, name if text is None or name == "exeat-proxy"
            else "check: bwrap")


def test_sandbox_that_shares_the_network_is_refused(exeat):
    """What says it is bubblewrap's child lives in the host's own namespace,
    and exeat-init is ready there: the gate must see it."""
    text = (f"#!/bin/sh\necho '{{ \"child-pid\": '$$' }}' >&5\nexec 5>&-\n"
            f"exec {exeat.lab.bin}/exeat-init touch marker\n")
    not_run(exeat, with_bwrap(exeat, text), "gate")


def test_proxy_that_closes_its_ends_is_noticed(exeat):
    """It lives, but nobody listens."""
    text = "#!/bin/sh\nexec 3>&- 4>&-\nexec sleep 1000\n"
    program = copy_of_programs(exeat, "exeat-proxy", text)
    not_run(exeat, exeat.call([program, "run", "--", *TOUCH]), "exeat-proxy")


# --- records

def test_folder_for_records_cannot_be_made(exeat):
    exeat.state.parent.mkdir(exist_ok=True)
    exeat.state.write_text("a file stands in the way\n")
    not_run(exeat, exeat.run([], TOUCH), str(exeat.state))


def test_record_that_cannot_be_written(exeat):
    not_run(exeat, exeat.run(["--audit", "/dev/full"], TOUCH), "/dev/full")


def test_audit_file_behind_a_link_is_refused(exeat):
    target = exeat.home / "target"
    link = exeat.work / "link"
    link.symlink_to(target)
    not_run(exeat, exeat.run(["--audit", "link"], TOUCH), "link")
    assert not target.exists()


# --- every step before GO

NO_LEAK_CHECK = {"ASAN_OPTIONS": "detect_leaks=0"}  # it cannot be traced


def trace_of(exeat, wrap):
    """(trace, marker) of a run under strace, and that nothing is left of it."""
    folder = exeat.lab.folder("trace", exeat.uid, exeat.gid)
    marker = exeat.work / "marker"
    marker.unlink(missing_ok=True)
    exeat.call(wrap(folder / "log", [exeat.program, "run", "--", *TOUCH]),
               env=NO_LEAK_CHECK)
    left = processes.wait_until_none()
    trace = Trace(folder / "log")
    assert not left, f"left {left} after {trace.lines[-2:]}"
    shutil.rmtree(folder)
    return trace, marker.exists()


def test_runner_killed_at_any_step_before_go_never_runs_the_command(exeat):
    whole, has_run = trace_of(exeat, traced)
    assert whole.has_gone() and has_run, "the control"
    steps = list(whole.steps())
    assert len(steps) > 60, steps
    for step in steps:
        trace, has_run = trace_of(
            exeat, lambda log, words, step=step: kill_at(step, log, words))
        # What comes when differs a little from run to run.
        assert trace.has_gone() or not has_run, (step, trace.lines[-3:])


# Calls by which runner, gate, bubblewrap and init raise the fence: each fails
# in every process, the @when-th time it is used there.
@pytest.mark.parametrize("call", [
    "setns", "socket", "bind", "listen", "socketpair", "sendmsg", "recvmsg",
    "ioctl", "prctl", "setsid", "pipe2", "execve", "clone", "vfork",
    "close_range", "dup2", "memfd_create", "setsockopt", "unshare", "mount",
    "pivot_root", "capset", "pidfd_open", "signalfd4", "open_tree",
    "mount_setattr", "move_mount", "openat2", "mkdirat", "symlinkat",
    "sendfile", "sendto",
])
@pytest.mark.parametrize("when", [1, 2, 3])
def test_failing_call_means_no_run_or_a_whole_fence(exeat, probe, call, when):
    """Either the command runs fenced in, or it does not run at all."""
    if call == "execve" and when == 1:
        return  # strace itself starts the runner by it
    probe("fenced.py")
    assert run_with_failing(exeat, call, when) in (None, "fenced\n")


def test_no_failing_call_means_a_run(exeat, probe):
    """The control of the test above."""
    probe("fenced.py")
    assert run_with_failing(exeat, "reboot", 1) == "fenced\n"


def run_with_failing(exeat, call, when):
    """What the command said of its fence; None: it did not run."""
    log = exeat.lab.folder("trace", exeat.uid, exeat.gid) / "log"
    words = fail_at(call, "EPERM", when, log,
                    [exeat.program, "run", "--", PYTHON, "-S", "fenced.py"])
    result = exeat.call(words, timeout=60, env=NO_LEAK_CHECK)
    left = processes.wait_until_none()
    assert not left, f"left {left}"
    said = exeat.work / "fenced"
    if said.exists():
        return said.read_text()
    assert result.returncode != 0, result
    return None


# --- death later on

def started(exeat, flags=()):
    process = exeat.start(flags, ["sh", "-c", "echo ready; exec sleep 1000"])
    assert process.stdout.readline() == b"ready\n"
    return process


def helper(process, name, parent=None):
    found = [pid for pid, called in processes.descendants(process.pid).items()
             if called == name and
             (parent is None or processes.parents()[pid][0] == parent)]
    return found[0]


def is_of_others(path, exeat):
    """Of another test that runs at the same time, as the same user."""
    return path.startswith(("/tmp/exeat-test-", "/tmp/exeat-prove-")) and \
        not path.startswith(str(exeat.lab.root))


def files_of(exeat):
    """Files that belong to the throw-away user, where files are left."""
    found = set()
    for top in ("/tmp", "/run", "/var/tmp", "/dev/shm", "/dev/mqueue"):
        for folder, folders, names in os.walk(top):
            # The same user's other tests, which may run at this moment.
            folders[:] = [name for name in folders
                          if not name.startswith("exeat-test-")
                          or pathlib.Path(folder, name) == exeat.lab.root]
            for name in [*folders, *names]:
                path = pathlib.Path(folder, name)
                if is_of_others(str(path), exeat):
                    continue
                try:
                    if path.lstat().st_uid == exeat.uid:
                        found.add(str(path))
                except OSError:
                    continue
    return found


def test_killed_runner_leaves_no_process_and_no_file(exeat, allowed):
    before = files_of(exeat) if exeat.uid is not None else set()
    with started(exeat, allowed) as process:
        everything = processes.descendants(process.pid)
        assert len(everything) >= 4, everything
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=20)
    left = processes.wait_until_none()
    assert not left
    if exeat.uid is not None:
        new = {path for path in files_of(exeat) - before
               if not path.startswith(str(exeat.state))}
        assert new == set()


def test_normal_run_leaves_no_file(exeat, allowed):
    if exeat.uid is None:
        return  # other programs make files as root too
    before = files_of(exeat)
    assert exeat.run(allowed, ["sh", "-c", "touch /tmp/x $HOME/x $TMPDIR/y"]
                     ).returncode == 0
    assert {path for path in files_of(exeat) - before
            if not path.startswith(str(exeat.state))} == set()


@pytest.mark.parametrize("name", ["exeat-proxy", "exeat", "bwrap"])
def test_death_of_a_part_ends_the_command(exeat, allowed, name):
    """G13: the sandbox loses the network or dies; it never falls open."""
    with started(exeat, allowed) as process:
        os.kill(helper(process, name, process.pid), signal.SIGKILL)
        _, err = process.communicate(timeout=20)
    if name == "bwrap":
        assert process.returncode == 128 + signal.SIGKILL
    else:  # "exeat" is the gate, whose end ends the proxy: either may be named
        assert process.returncode == 125
        assert "the command was killed" in err.decode()


def test_stopped_proxy_does_not_open_anything(exeat, allowed, probe, origin):
    probe("reach.py")
    with exeat.start(allowed, ["sh", "-c", f"echo ready; read x; exec {PYTHON} "
                               f"reach.py tcp=127.0.0.2:{origin.port}"],
                     stdin=-1) as process:
        assert process.stdout.readline() == b"ready\n"
        proxy = helper(process, "exeat-proxy")
        os.kill(proxy, signal.SIGSTOP)
        process.stdin.write(b"\n")
        process.stdin.flush()
        said = process.stdout.readline()
        os.kill(proxy, signal.SIGCONT)
        process.communicate(timeout=20)
    assert b'"open"' not in said and origin.connections == 0
