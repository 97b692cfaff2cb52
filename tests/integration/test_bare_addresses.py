# SPDX-License-Identifier: MIT
"""Captured connections to addresses that stand for no name: open by an address
rule, by ports.connect or while observing, and never against a deny rule.

A host and a site in namespaces of the test's own, with nothing behind them.
"""

import contextlib
import os
import types

import pytest

from lab.dns import NameServer
from lab.origin import Listener
from lab.runs import PYTHON
from proxy_harness import Namespace
from test_capture import DENIED, hello, say

SITE, SITE6, PRIVATE = "93.184.216.34", "2a00:1450::34", "10.9.8.7"


@pytest.fixture
def world():
    """Two hosts and a wire; .here runs things on the first."""
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    with contextlib.ExitStack() as stack:
        here, site = Namespace(), Namespace()
        stack.callback(site.close)
        stack.callback(here.close)
        here.ip("link", "add", "wire", "type", "veth", "peer", "name", "eth0",
                "netns", str(site.tid))
        for place, link, addresses in (
                (here, "wire", ("93.184.216.1/24", "10.9.8.1/24",
                                "2a00:1450::1/64")),
                (site, "eth0", (f"{SITE}/24", f"{PRIVATE}/24", f"{SITE6}/64"))):
            place.ip("link", "set", link, "up")
            for address in addresses:
                place.ip("addr", "add", address, "dev", link,
                         *(["nodad"] if ":" in address else []))
        origin = site.run(Listener.tcp, "::", serve=echo)
        stack.callback(origin.close)
        yield types.SimpleNamespace(here=here, origin=origin, port=origin.port)


def echo(conn):
    while data := conn.recv(4096):
        conn.sendall(b"site:" + data)


def ask(world, exeat, flags, said, *targets):
    return world.here.run(say, exeat, flags, said, *targets)


def test_nothing_is_open_without_a_rule(exeat, world, probe):
    probe("say.py")
    flags = ["--allow", f"site.test:{world.port}/tcp"]
    assert ask(world, exeat, flags, b"hi", f"{SITE}:{world.port}") == \
        ["ConnectionResetError"]
    assert world.origin.connections == 0
    # The control: the wire works.
    outside = world.here.run(exeat.call, [PYTHON, "say.py", b"hi".hex(),
                                          f"{SITE}:{world.port}"])
    assert "site:hi" in outside.stdout, outside


def test_an_address_rule_opens_that_address(exeat, world, probe):
    probe("say.py")
    flags = ["--allow", f"{SITE}:{world.port}/tcp",
             "--allow", f"[{SITE6}]:{world.port}/tcp"]
    assert ask(world, exeat, flags, b"hi", f"{SITE}:{world.port}",
               f"[{SITE6}]:{world.port}", f"[::ffff:{SITE}]:{world.port}",
               "93.184.216.35:1", f"{PRIVATE}:{world.port}") == \
        ["b'site:hi'"] * 3 + ["ConnectionResetError"] * 2


def test_an_open_port_is_open_for_public_addresses_alone(exeat, world, probe):
    probe("say.py")
    assert ask(world, exeat, ["--connect", world.port], b"hi",
               f"{SITE}:{world.port}", f"{PRIVATE}:{world.port}",
               f"{SITE}:{world.port + 1}", f"169.254.169.254:{world.port}") == \
        ["b'site:hi'"] + ["ConnectionResetError"] * 3
    assert world.origin.connections == 1


def test_a_deny_rule_beats_an_open_port(exeat, world, probe):
    probe("say.py")
    flags = ["--connect", world.port, "--deny", "telemetry.test",
             "--deny", SITE6]
    target = f"{SITE}:{world.port}"
    assert ask(world, exeat, flags, hello("telemetry.test"), target) == [DENIED]
    assert bytes(world.origin.received) == b""
    answer, = ask(world, exeat, flags, hello("other.test"), target)
    assert "site:\\x16\\x03\\x01" in answer
    assert ask(world, exeat, flags, b"hi", f"[{SITE6}]:{world.port}") == \
        ["ConnectionResetError"]


def test_any_name_is_open_on_an_open_port(exeat, world, probe):
    probe("say.py")
    with world.here.run(NameServer, "127.0.0.1",
                        table={"any.test": [SITE], "rebound.test": [PRIVATE]}) \
            as server:
        policy = exeat.work / "p.cfg"
        policy.write_text(
            f'version = 1;\ndns = {{ servers = [ "127.0.0.1:{server.port}" ]; }};\n'
            f"ports = {{ connect = [ {world.port} ]; }};\n")
        assert ask(world, exeat, ["--policy", policy], b"hi",
                   f"any.test:{world.port}", f"rebound.test:{world.port}") == \
            ["b'site:hi'", "ConnectionResetError"]
        assert set(server.names) == {"any.test", "rebound.test"}


def test_observing_lets_pass_and_says_what_enforcing_had_done(exeat, world, probe):
    probe("say.py")
    assert ask(world, exeat, ["--observe"], b"hi", f"{SITE}:{world.port}",
               f"{PRIVATE}:{world.port}") == ["b'site:hi'", "ConnectionResetError"]
    decisions = [(r["host"], r["verdict"], r.get("would"))
                 for r in exeat.records() if r["event"] == "decision"]
    assert decisions == [(SITE, "allow", "deny"), (PRIVATE, "deny", None)]
