# SPDX-License-Identifier: MIT
"""Loopback ports: a declared one is joined to the host's, and only that one."""

import contextlib

import pytest

from lab.origin import Listener
from lab.runs import PYTHON


def echo(conn):
    while data := conn.recv(4096):
        conn.sendall(b"host:" + data)


def say(exeat, flags, *targets):
    result = exeat.run(flags, [PYTHON, "say.py", b"hi".hex(), *targets])
    assert result.returncode == 0, result
    return dict(line.split(" ", 1) for line in result.stdout.splitlines())


@pytest.fixture
def services(probe):
    """Two of the host: one to be declared, and one that never is."""
    probe("say.py")
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(Listener.tcp("127.0.0.1", serve=echo))
               for _ in range(2)]


def test_only_the_declared_port_is_given_back(exeat, services):
    given, other = services
    targets = [f"{address}:{service.port}" for service in services
               for address in ("127.0.0.1", "[::1]", "localhost")]
    found = say(exeat, ["--loopback", given.port], *targets)
    assert [found[target] for target in targets] == \
        ["b'host:hi'"] * 3 + ["ConnectionRefusedError"] * 3
    assert (given.connections, other.connections) == (3, 0)
    # The control: outside, both are there.
    outside = exeat.call([PYTHON, "say.py", b"hi".hex(), f"127.0.0.1:{other.port}"])
    assert "host:hi" in outside.stdout, outside


def test_what_listens_on_ipv6_alone_is_given_back(exeat, probe):
    probe("say.py")
    with Listener.tcp("::1", serve=echo) as service:
        targets = [f"127.0.0.1:{service.port}", f"[::1]:{service.port}"]
        assert set(say(exeat, ["--loopback", service.port], *targets).values()) \
            == {"b'host:hi'"}


def test_without_capture_it_is_given_back_too(exeat, services):
    policy = exeat.work / "p.cfg"
    policy.write_text("version = 1;\nports = { capture = false; loopback = "
                      f"[ {services[0].port} ]; }};\n")
    targets = [f"127.0.0.1:{service.port}" for service in services]
    found = say(exeat, ["--policy", policy], *targets)
    assert list(found.values()) == ["b'host:hi'", "ConnectionRefusedError"]


def test_each_connection_is_recorded(exeat, services):
    target = f"127.0.0.1:{services[0].port}"
    say(exeat, ["--loopback", services[0].port], target)
    decision, close = [r for r in exeat.records() if r.get("via") == "loopback"]
    assert (decision["event"], decision["verdict"], decision["host"],
            decision["port"]) == ("decision", "allow", "127.0.0.1", services[0].port)
    assert (close["event"], close["bytes_up"], close["bytes_down"]) == \
        ("close", 2, 7)


def test_nobody_at_home_is_a_reset(exeat, services):
    port = services[0].port
    services[0].close()
    found = say(exeat, ["--loopback", port], f"127.0.0.1:{port}")
    assert list(found.values()) == ["ConnectionResetError"]


def test_a_loopback_port_is_no_way_round_the_proxy(exeat, services, probe):
    """By the proxy, the host's loopback stays refused."""
    probe("ask.py")
    port = services[0].port
    result = exeat.run(["--loopback", port], [PYTHON, "ask.py", f"127.0.0.1:{port}"])
    assert result.stdout.startswith("HTTP/1.1 403 "), result


@pytest.mark.parametrize("flag", ["--loopback", "--listen"])
def test_the_port_of_names_cannot_be_had_twice(exeat, flag):
    result = exeat.run([flag, "53"], ["true"])
    assert result.returncode == 125
    assert "port 53 inside is where names are asked for" in result.stderr, result
