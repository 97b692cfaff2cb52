# SPDX-License-Identifier: MIT
"""Ways out that are not in test_wall.py: each tried inside, with a control
outside, and, where there is something to record, its record."""

import json

import pytest

from lab.origin import Listener
from lab.runs import PYTHON


def reach(result):
    assert result.returncode == 0, result
    return json.loads(result.stdout)


@pytest.mark.parametrize("port", [443, 4433, 8443])
def test_quic_reaches_nothing_and_is_recorded(exeat, allowed, probe, port):
    probe("reach.py")
    exeat.run(allowed, [PYTHON, "reach.py", f"udp=192.0.2.1:{port}",
                        f"udp=[2001:db8::1]:{port}"])
    found = {(r["host"], r["transport"], r["port"]) for r in exeat.records()
             if r["event"] == "tap"}
    assert found == {("192.0.2.1", "udp", port), ("2001:db8::1", "udp", port)}


def test_raw_tcp_to_any_port_is_recorded(exeat, allowed, probe):
    """Captured: the connection stands, the bytes go nowhere, a denial says so."""
    probe("reach.py")
    ports = [1, 22, 6667, 65535]
    exeat.run(allowed, [PYTHON, "reach.py",
                        *[f"tcp=192.0.2.9:{port}" for port in ports]])
    denied = {r["port"] for r in exeat.records()
              if r["event"] in ("decision", "tap") and r["host"] == "192.0.2.9"
              and r["verdict"] == "deny"}
    assert denied == set(ports)


def test_no_spelling_of_loopback_reaches_the_host(exeat, allowed, probe):
    probe("reach.py")
    with Listener.tcp("127.0.0.1") as server:
        words = [f"tcp={address}:{server.port}" for address in
                 ("127.0.0.1", "127.1.2.3", "0.0.0.0", "[::1]", "[::]",
                  "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]",
                  "[fe80::1%lo]", "[fe80::1]")]
        exeat.run(allowed, [PYTHON, "reach.py", *words])
        assert server.connections == 0
        control = reach(exeat.call([PYTHON, "reach.py", words[0]]))
        assert control[words[0]] == "open"
        assert server.wait(lambda: server.connections == 1)


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "127.0.0.2", "[::1]",
                                  "0.0.0.0", "[::ffff:127.0.0.1]"])
def test_the_proxy_is_no_way_to_itself(exeat, allowed, name):
    """Its own port, asked for through it, by every name that it may have."""
    script = ("p=${https_proxy##*:}; p=${p%%/*}; curl -sS -m 5 --noproxy '' -p"
              f" http://{name}:$p/; echo done")
    result = exeat.run(allowed, ["sh", "-c", script])
    assert "done" in result.stdout
    verdicts = {r["verdict"] for r in exeat.records() if r["event"] == "decision"}
    assert verdicts == {"deny"}, exeat.records()
