# SPDX-License-Identifier: MIT
"""Listen ports: a server inside is reached from the host, on what was declared
and nothing else (G7)."""

import os
import socket
import time

import pytest

from lab.runs import PYTHON

SECONDS = 10


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def free_range(count):
    """The first of @count ports in a row that are free."""
    for first in range(20000, 32000, count):
        taken = []
        try:
            for port in range(first, first + count):
                taken.append(socket.create_server(("127.0.0.1", port)))
            return first
        except OSError:
            continue
        finally:
            for sock in taken:
                sock.close()
    raise OSError("no range is free")


def talk(port, address="127.0.0.1", words=(b"one\n", b"two\n")):
    with socket.create_connection((address, port), SECONDS) as sock:
        sock.settimeout(SECONDS)
        with sock.makefile("rwb") as stream:
            said = []
            for word in words:
                stream.write(word)
                stream.flush()
                said.append(stream.readline())
            return said


ANSWERS = [b"echo one\n", b"echo two\n"]


def listens(exeat):
    return [record for record in exeat.records() if record["event"] == "listen"]


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "0.0.0.0", "::"])
def test_a_server_inside_is_reached(exeat, probe, address):
    probe("serve.py")
    inner, outer = 8080, free_port()
    with exeat.start(["--listen", f"{inner}:{outer}"],
                     [PYTHON, "serve.py", address, inner]) as process:
        assert process.stdout.readline() == b"up\n"
        assert talk(outer) == ANSWERS
        assert process.wait(SECONDS) == 0
    record, = listens(exeat)
    assert record["verdict"] == "allow"
    assert (record["via"], record["port"]) == ("listen", inner)
    assert record["address"] == "127.0.0.1"
    assert record["argv0"] == PYTHON
    end, = [r for r in exeat.records() if r["event"] == "close"]
    assert (end["bytes_up"], end["bytes_down"]) == (8, 18)


def test_the_same_port_on_both_sides(exeat, probe):
    probe("serve.py")
    port = free_port()
    with exeat.start(["--listen", port],
                     [PYTHON, "serve.py", "127.0.0.1", port]) as process:
        assert process.stdout.readline() == b"up\n"
        assert talk(port) == ANSWERS
        assert process.wait(SECONDS) == 0


def test_a_connection_waits_for_the_server(exeat, probe):
    """The port is open from the start; the server comes a second later."""
    probe("serve.py")
    port = free_port()
    with exeat.start(["--listen", port],
                     ["sh", "-c", f"echo soon; sleep 1; exec {PYTHON} serve.py"
                      f" 127.0.0.1 {port}"]) as process:
        assert process.stdout.readline() == b"soon\n"
        assert talk(port) == ANSWERS
        process.communicate(timeout=SECONDS)


def test_a_connection_without_a_server_is_closed_after_5_s(exeat):
    port = free_port()
    with exeat.start(["--listen", port],
                     ["sh", "-c", "echo up; read line"], stdin=-1) as process:
        assert process.stdout.readline() == b"up\n"
        began = time.monotonic()
        with socket.create_connection(("127.0.0.1", port), SECONDS) as sock:
            sock.settimeout(SECONDS)
            try:
                assert sock.recv(1) == b""
            except ConnectionResetError:
                pass
        assert 4 < time.monotonic() - began < 8
        process.communicate(b"\n", SECONDS)
    record, = listens(exeat)
    assert (record["verdict"], record["reason"]) == ("deny", "connection_refused")


def test_a_range_of_ports(exeat, probe):
    probe("serve.py")
    first = free_range(4)
    script = "".join(f"{PYTHON} serve.py 127.0.0.1 {port} & "
                     for port in range(first, first + 4)) + "wait"
    with exeat.start(["--listen", f"{first}-{first + 3}"],
                     ["sh", "-c", script]) as process:
        for _ in range(4):
            assert process.stdout.readline() == b"up\n"
        for port in range(first, first + 4):
            assert talk(port) == ANSWERS
        assert process.wait(SECONDS) == 0


def test_undeclared_ports_are_not_reached(exeat, probe):
    probe("serve.py")
    declared, other = free_port(), free_port()
    with exeat.start(["--listen", declared],
                     ["sh", "-c", f"{PYTHON} serve.py 0.0.0.0 {other} & exec"
                      f" {PYTHON} serve.py 0.0.0.0 {declared}"]) as process:
        assert process.stdout.readline() == b"up\n"
        assert process.stdout.readline() == b"up\n"
        with pytest.raises(ConnectionRefusedError):
            talk(other)
        assert talk(declared) == ANSWERS  # the control
        process.kill()
        process.communicate(timeout=SECONDS)


def test_only_loopback_unless_said(exeat, probe):
    probe("serve.py")
    for where, is_open in (("", False), ("0.0.0.0:", True)):
        port = free_port()
        flag = f"{where}{port}"
        with exeat.start(["--listen", flag],
                         [PYTHON, "serve.py", "0.0.0.0", port]) as process:
            assert process.stdout.readline() == b"up\n"
            if is_open:
                assert talk(port, "127.0.0.2") == ANSWERS
                assert process.wait(SECONDS) == 0
            else:
                with pytest.raises(ConnectionRefusedError):
                    talk(port, "127.0.0.2")
                process.kill()
                process.communicate(timeout=SECONDS)


def test_a_port_in_use_is_125_and_says_whose(exeat):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        result = exeat.run(["--listen", port], ["touch", "ran"])
        assert result.returncode == 125, result
        assert not (exeat.work / "ran").exists()
        assert str(port) in result.stderr and "--listen" in result.stderr
        if exeat.name == "root" or os.geteuid() != 0:
            assert f"pid {os.getpid()} " in result.stderr, result


def test_low_ports_can_be_bound_inside(exeat, probe):
    probe("serve.py")
    outer = free_port()
    with exeat.start(["--listen", f"80:{outer}"],
                     [PYTHON, "serve.py", "127.0.0.1", 80]) as process:
        assert process.stdout.readline() == b"up\n"
        assert talk(outer) == ANSWERS
        assert process.wait(SECONDS) == 0


def test_many_connections_at_once(exeat, probe):
    probe("serve.py")
    port = free_port()
    with exeat.start(["--listen", port],
                     [PYTHON, "serve.py", "127.0.0.1", port, 40]) as process:
        assert process.stdout.readline() == b"up\n"
        socks = [socket.create_connection(("127.0.0.1", port), SECONDS)
                 for _ in range(40)]
        for sock in socks:
            sock.sendall(b"x\n")
            sock.shutdown(socket.SHUT_WR)
        for sock in socks:
            sock.settimeout(SECONDS)
            assert sock.makefile("rb").read() == b"echo x\n"
            sock.close()
        assert process.wait(SECONDS) == 0
    assert len(listens(exeat)) == 40


def test_the_sandbox_cannot_take_the_way_round(exeat, probe, allowed):
    """The host's side of a listen port is the proxy's own: not dialled."""
    probe("serve.py")
    port = free_port()
    result = exeat.run([*allowed, "--listen", port, "--allow",
                        f"127.0.0.1:{port}/tcp+private"],
                       ["curl", "-sS", "-p", "--noproxy", "",
                        f"http://127.0.0.1:{port}/"])
    assert result.returncode != 0, result
    assert not listens(exeat)
