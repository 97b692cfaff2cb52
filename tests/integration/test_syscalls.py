# SPDX-License-Identifier: MIT
"""The filter for system calls: the table is walked inside, in each ABI of the
machine, and outside as the control; and what programs need still works."""

import collections
import os
import pathlib

import pytest

from conftest import BIN
from lab.runs import PYTHON

EAFNOSUPPORT = 97
WALK = pathlib.Path(BIN).parent / "tests" / "syscall_walk"

Try = collections.namedtuple("Try", "abi name arguments error wanted")


def tries(result):
    assert result.returncode == 0, result
    found = [Try(*line.split()[:3], *map(int, line.split()[3:]))
             for line in result.stdout.splitlines()]
    assert len(found) > 100, result
    return found


@pytest.fixture
def walk(exeat):
    """syscall_walk in the working folder"""
    name = exeat.give(WALK)
    (exeat.work / name).chmod(0o755)
    return f"./{name}"


def is_refused(entry):
    # socketcall(2) of 32-bit x86 needs one answer for every socket; and a
    # family with bits above an int's is no family that is known.
    return entry.error == entry.wanted or \
        (entry.name == "socket" and entry.error == EAFNOSUPPORT)


def test_every_row_of_the_table_is_refused_inside(exeat, walk):
    inside = tries(exeat.run([], [walk]))
    assert [entry for entry in inside if not is_refused(entry)] == []
    abis = {entry.abi for entry in inside}
    assert abis == ({"native", "i386", "x32"} if os.uname().machine == "x86_64"
                    else {"native"})


def test_outside_the_same_calls_are_answered_otherwise(exeat, walk):
    """The control: it is the filter that refuses, not this machine."""
    outside = tries(exeat.call([walk]))
    answered = {entry.name for entry in outside
                if entry.abi == "native" and entry.error != entry.wanted}
    assert {"socket", "ioctl", "unshare", "clone", "clone3", "keyctl"} <= \
        answered, answered


@pytest.mark.parametrize("script", [
    "unshare -U true", "unshare -Ur true", "unshare -Un true",
    "bwrap --unshare-user --ro-bind / / true",
])
def test_no_user_namespace_is_made_inside(exeat, script):
    assert exeat.call(["sh", "-c", script]).returncode == 0, "control"
    result = exeat.run([], ["sh", "-c", script])
    assert result.returncode != 0, result


@pytest.mark.parametrize("statement", [
    "import threading; t = threading.Thread(target=print, args=('done',));"
    " t.start(); t.join()",
    "import multiprocessing as m; p = m.get_context('spawn').Process("
    "target=print, args=('done',)); p.start(); p.join()",
    "import socket; a, b = socket.socketpair(); a.send(b'done\\n');"
    " print(b.recv(9).decode())",
    "import socket; s = socket.create_server(('', 0), family=socket.AF_INET6,"
    " dualstack_ipv6=True); print('done')",
    "import socket; socket.if_nameindex(); socket.socket(socket.AF_NETLINK,"
    " socket.SOCK_RAW, 0); print('done')",
])
def test_what_programs_need_is_not_refused(exeat, statement):
    result = exeat.run([], [PYTHON, "-c", statement])
    assert "done" in result.stdout, result


def test_the_first_process_inside_has_the_filter_too(exeat):
    """Whoever traced it could have it call what it may not itself."""
    result = exeat.run([], ["grep", "-h", "^Seccomp:", "/proc/1/status",
                            "/proc/self/status"])
    assert result.stdout.split() == ["Seccomp:", "2"] * 2, result
