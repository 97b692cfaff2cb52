# SPDX-License-Identifier: MIT
"""Binds inside, and the Landlock domain of the command: ABI by ABI."""

import ctypes
import json

import pytest

from lab.runs import PYTHON

NO_BINDS = "version = 1;\nports = { private_loopback = false; listen = (%s); };\n"
BIND = """
import json, socket
found = {}
for address, port in (("127.0.0.1", 0), ("127.0.0.1", 8099), ("0.0.0.0", 8098),
                      ("::", 8098), ("127.0.0.1", 80)):
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as s:
        try:
            s.bind((address, port))
            found[f"{address} {port}"] = "bound"
        except OSError as error:
            found[f"{address} {port}"] = error.strerror
print(json.dumps(found))
"""


def landlock_abi():
    abi = ctypes.CDLL(None, use_errno=True).syscall(444, None, 0, 1)
    return max(abi, 0)


def binds(exeat, flags):
    result = exeat.run(flags, [PYTHON, "-c", BIND])
    assert result.returncode == 0, result
    return json.loads(result.stdout), result


def test_any_port_can_be_bound_by_default(exeat):
    found, _ = binds(exeat, [])
    assert set(found.values()) == {"bound"}, found


def policy(exeat, ports):
    path = exeat.home / "policy.cfg"
    path.write_text(NO_BINDS % ports)
    path.chmod(0o644)
    exeat.home.chmod(0o755)
    return ["--policy", path]


def test_undeclared_binds_are_refused_where_asked(exeat):
    found, result = binds(exeat, policy(exeat, ""))
    if landlock_abi() < 4:
        assert "private_loopback" in result.stderr
        return
    assert found.pop("127.0.0.1 0") == "bound"
    assert set(found.values()) == {"Permission denied"}, found


def test_a_declared_port_can_be_bound_then(exeat):
    if landlock_abi() < 4:
        return
    found, _ = binds(exeat, policy(exeat, '"8099:18099"'))
    assert found["127.0.0.1 8099"] == "bound"
    assert found["0.0.0.0 8098"] == "Permission denied"


@pytest.mark.parametrize("script, is_refused", [
    ("kill -0 1", True),
    ("sleep 9 & kill $!", False),
])
def test_signals_stay_inside_the_domain(exeat, script, is_refused):
    """The sandbox's first process is bubblewrap's, not the command's."""
    if landlock_abi() < 6:
        return
    result = exeat.run([], ["sh", "-c", script])
    assert (result.returncode != 0) == is_refused, result


def test_the_first_process_inside_cannot_be_traced(exeat):
    script = ("import ctypes; libc = ctypes.CDLL(None, use_errno=True);"
              " print(libc.ptrace(16, 1, 0, 0), ctypes.get_errno())")
    result = exeat.run([], [PYTHON, "-c", script])  # 16: PTRACE_ATTACH
    if landlock_abi() >= 6:
        assert result.stdout == "-1 1\n", result


def test_a_child_can_be_traced(exeat):
    """Debuggers work inside: the control of the one above."""
    script = ("import ctypes, os, time; libc = ctypes.CDLL(None);"
              " pid = os.fork() or time.sleep(9) or os._exit(0);"
              " print(libc.ptrace(16, pid, 0, 0)); os.kill(pid, 9)")
    result = exeat.run([], [PYTHON, "-c", script])
    assert result.stdout == "0\n", result
