# SPDX-License-Identifier: MIT
"""Capture: what ignores the proxy is judged by name all the same, and hears a
refusal in its own language."""

import re
import ssl

import pytest

from lab import steps
from lab.origin import Listener
from lab.runs import PYTHON

CURL = ["curl", "-sS", "--noproxy", "*", "--max-time", "20", "--cacert", "ca.pem"]
DENIED = "b'\\x15\\x03\\x03\\x00\\x02\\x021'"  # a fatal alert, access_denied
AWAY = "192.0.2.7"  # an address where nobody is, RFC 5737


def hello(name):
    """The first flight of a client that asks for @name, or for none."""
    context = ssl.create_default_context()
    context.check_hostname = name is not None
    out = ssl.MemoryBIO()
    client = context.wrap_bio(ssl.MemoryBIO(), out, server_hostname=name)
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    return out.read()


def say(exeat, flags, said, *targets):
    """What comes back on a plain connection to each target, in order."""
    result = exeat.run(flags, [PYTHON, "say.py", said.hex(), *targets])
    assert result.returncode == 0, result
    return [line.split(" ", 1)[1] for line in result.stdout.splitlines()]


def captured(exeat):
    return [record for record in exeat.records() if record.get("via") == "capture"]


@pytest.fixture
def plain():
    """A plain HTTP origin on 127.0.0.2 that keeps connections open."""
    def serve(conn):
        stream = conn.makefile("rb")
        while line := stream.readline():
            head = [line]
            while (line := stream.readline()) not in (b"\r\n", b""):
                head.append(line)
            origin.record(b"".join(head))
            body = head[0].split()[1]
            conn.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s"
                         % (len(body), body))

    with Listener.tcp("127.0.0.2", serve=serve) as origin:
        yield origin


def test_tls_to_an_allowed_name(exeat, allowed, origin):
    result = exeat.run(allowed, [*CURL, f"https://site.test:{origin.port}/"])
    assert (result.returncode, result.stdout, result.stderr) == \
        (0, "hello from site.test\n", "")
    decision, close = captured(exeat)
    assert (decision["event"], decision["verdict"], decision["host"],
            decision["port"], decision["address"]) == \
        ("decision", "allow", "site.test", origin.port, "127.0.0.2")
    assert close["server_name"] == "site.test"
    assert close["bytes_up"] > 0 and close["bytes_down"] > len(origin.body)


def test_another_name_does_not_exist(exeat, allowed, other):
    result = exeat.run(allowed, [*CURL, f"https://other.test:{other.port}/"])
    assert result.returncode == 6, result  # curl: could not resolve host
    assert "denied other.test; allow it with --allow other.test" in result.stderr
    assert other.connections == 0


def test_another_port_is_refused(exeat, allowed, origin, probe):
    probe("say.py")
    assert say(exeat, allowed, hello("site.test"), "site.test:1") == [DENIED]
    record, = captured(exeat)
    assert (record["verdict"], record["reason"]) == ("deny", "port_not_allowed")
    assert origin.connections == 0


def test_a_bare_address_is_judged_by_server_name(exeat, allowed, origin):
    """The name's own address is dialled, never the one that was asked for."""
    target = f"site.test:{origin.port}"
    for address in (AWAY, "[2001:db8::7]"):
        result = exeat.run(allowed, [
            *CURL, "--connect-to", f"{target}:{address}:{origin.port}",
            f"https://{target}/"])
        assert result.stdout == "hello from site.test\n", result
    assert {r["address"] for r in captured(exeat)} == {"127.0.0.2"}


@pytest.mark.parametrize("address", [AWAY, "2001:db8::7", "::ffff:192.0.2.7"])
def test_a_bare_address_without_an_allowed_name_is_refused(
        exeat, allowed, origin, probe, address):
    probe("say.py")
    target = f"[{address}]:{origin.port}" if ":" in address \
        else f"{address}:{origin.port}"
    assert say(exeat, allowed, hello("other.test"), target) == [DENIED]
    assert say(exeat, allowed, hello(None), target) == [DENIED]
    assert say(exeat, allowed, b"\0\1\2\3", target) == ["ConnectionResetError"]
    assert say(exeat, allowed, b"SSH-2.0-x y\r\n", target) == \
        ["ConnectionResetError"]
    answer, = say(exeat, allowed, b"GET / HTTP/1.1\r\nHost: other.test:%d\r\n\r\n"
                  % origin.port, target)
    assert answer.startswith("b'HTTP/1.1 403 "), answer
    assert origin.connections == 0
    assert [r["verdict"] for r in captured(exeat)] == ["deny"] * 5


@pytest.mark.parametrize("said, target, flag", [
    (hello("other.test"), "1.1.1.1:443", "other.test"),
    (hello(None), "1.1.1.1:443", "1.1.1.1"),
    (b"SSH-2.0-x\r\n", "1.1.1.1:22", "1.1.1.1:22/tcp"),
    (b"\0\0\0\10", "10.1.2.3:5432", "10.1.2.3:5432/tcp+private"),
    (b"GET / HTTP/1.1\r\nHost: [2606:4700::1]\r\n\r\n", "[2606:4700::1]:80",
     "[2606:4700::1]:80"),
])
def test_the_user_is_told_what_would_allow_it(exeat, probe, said, target, flag):
    probe("say.py")
    result = exeat.run([], [PYTHON, "say.py", said.hex(), target])
    assert result.stderr.endswith(f"; allow it with --allow {flag}\n"), result


def test_a_server_name_that_is_not_the_name_asked_for(exeat, allowed, origin, probe):
    """Fronting: the address stands for one name, the hello asks for another."""
    probe("say.py")
    target = f"site.test:{origin.port}"
    for name in ("other.test", None):
        assert say(exeat, allowed, hello(name), target) == [DENIED]
    assert bytes(origin.received) == b""
    assert {r["reason"] for r in captured(exeat) if r["verdict"] == "deny"} == \
        {"server_name_mismatch", "server_name_absent"}


def test_what_is_not_tls_does_not_pass_a_tls_rule(exeat, allowed, origin, probe):
    probe("say.py")
    target = f"site.test:{origin.port}"
    assert say(exeat, allowed, b"SSH-2.0-x y\r\n", target) == \
        ["ConnectionResetError"]
    answer, = say(exeat, allowed, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", target)
    assert answer.startswith("b'HTTP/1.1 403 "), answer
    assert bytes(origin.received) == b""


def test_a_client_that_waits_is_reset(exeat, allowed, probe):
    """Nothing it could say would help, and nobody is there to speak first."""
    probe("say.py")
    assert say(exeat, allowed, b"", "site.test:1") == ["ConnectionResetError"]


def rule(origin, protocol):
    return ["--allow", f"site.test:{origin.port}/{protocol}+private",
            "--resolve", "site.test:127.0.0.2"]


def test_plain_http_is_judged_per_request(exeat, plain):
    url = f"http://site.test:{plain.port}"
    result = exeat.run(rule(plain, "http"), [
        "curl", "-sS", "--noproxy", "*", f"{url}/a", f"{url}/b"])
    assert result.stdout == "/a/b", result
    assert plain.connections == 1
    assert f"Host: site.test:{plain.port}".encode() in plain.received
    allowed = [r for r in captured(exeat) if r["event"] == "decision"]
    assert {r["verdict"] for r in allowed} == {"allow"}


def test_plain_http_for_another_host_is_refused(exeat, plain, probe):
    probe("say.py")
    target = f"site.test:{plain.port}"
    asked = [b"GET / HTTP/1.1\r\nHost: %s\r\n\r\n" % host.encode()
             for host in (f"other.test:{plain.port}", "site.test")]
    first = b"GET /first HTTP/1.1\r\nHost: site.test:%d\r\n\r\n" % plain.port
    for request in asked:
        answer, = say(exeat, rule(plain, "http"), request, target)
        assert re.match(r"b'HTTP/1.1 40[03] ", answer), answer
    assert plain.connections <= 2 and bytes(plain.received) == b""
    answer, = say(exeat, rule(plain, "http"), first + asked[0], target)
    assert "/first" in answer and "HTTP/1.1 40" in answer, answer
    assert b"other.test" not in plain.received


def test_plain_http_to_a_bare_address_goes_by_host(exeat, plain):
    result = exeat.run(rule(plain, "http"), [
        "curl", "-sS", "--noproxy", "*", "--connect-to",
        f"site.test:{plain.port}:{AWAY}:{plain.port}",
        f"http://site.test:{plain.port}/page"])
    assert result.stdout == "/page", result
    refused = exeat.run(rule(plain, "http"), [
        "curl", "-sS", "--noproxy", "*", "-o", "/dev/null", "-w", "%{http_code}",
        "--connect-to", f"other.test:{plain.port}:{AWAY}:{plain.port}",
        f"http://other.test:{plain.port}/page"])
    assert refused.stdout == "403", refused
    assert plain.connections == 1


def test_connect_inside_a_captured_connection_is_refused(exeat, plain, probe):
    """What is captured is no proxy."""
    probe("say.py")
    answer, = say(exeat, rule(plain, "http"),
                  b"CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\n\r\n",
                  f"site.test:{plain.port}")
    assert answer.startswith("b'HTTP/1.1 40"), answer
    assert bytes(plain.received) == b""


def test_any_protocol_is_held_to_a_name(exeat, probe):
    probe("say.py")
    with Listener.tcp("127.0.0.2", serve=lambda conn: conn.sendall(
            b"220 ready\r\n" + conn.recv(100))) as server:
        target = f"site.test:{server.port}"
        flags = rule(server, "tcp")
        assert say(exeat, flags, b"EHLO x\r\n", target) == \
            [repr(b"220 ready\r\nEHLO x\r\n")]
        # The same words to an address that nobody gave out lead nowhere.
        assert say(exeat, flags, b"EHLO x\r\n", f"{AWAY}:{server.port}",
                   f"198.18.0.77:{server.port}") == ["ConnectionResetError"] * 2
        assert server.connections == 1


def test_an_address_that_stands_for_a_name_does_so_for_the_proxy_too(
        exeat, allowed, origin):
    """Programs that resolve first and then ask the proxy for an address."""
    url = f"https://site.test:{origin.port}/"
    for proxy in ("socks5", "socks4", "http"):
        result = exeat.run(allowed, [
            "sh", "-c", "a=$(getent ahostsv4 site.test | sed -n '1s/ .*//p');"
            "echo $a;"
            f"curl -sS --cacert ca.pem --proxy {proxy}://127.0.0.1:17080 "
            f"--connect-to site.test:{origin.port}:$a:{origin.port} {url}"])
        assert result.stdout == "198.18.0.1\nhello from site.test\n", result
    assert [r["host"] for r in exeat.records() if r["event"] == "decision"] == \
        ["site.test"] * 3


def test_an_own_listener_is_not_reached_by_another_name(exeat, allowed, probe):
    """The proxy's own ports, by loopback and by any other address."""
    probe("say.py")
    request = b"GET / HTTP/1.1\r\nHost: site.test\r\n\r\n"
    found = say(exeat, allowed, request, "127.0.0.1:17081", f"{AWAY}:17080",
                f"{AWAY}:17081", "[::1]:17081", "127.0.0.2:17081")
    assert [answer[:13] for answer in found] == ["b'HTTP/1.1 40"] * 5
    assert {r["verdict"] for r in captured(exeat)} == {"deny"}


def test_odd_addresses_lead_nowhere(exeat, allowed, origin, probe):
    """Link-local, multicast, broadcast, unspecified: whatever the kernel makes
    of them, nobody answers."""
    probe("say.py")
    found = say(exeat, allowed, hello("other.test"), *(
        f"{address}:{origin.port}" for address in (
            "[fe80::1%lo]", "[ff02::1%lo]", "224.0.0.1", "255.255.255.255",
            "0.0.0.0", "[::]", "[::ffff:127.0.0.2]", "[64:ff9b::7f00:2]",
            "[2002:7f00:2::1]", "[::127.0.0.2]", "169.254.169.254")))
    assert all(answer == DENIED or answer.endswith("Error") for answer in found), \
        found
    assert origin.connections == 0


def test_port_80_is_plain_http_without_saying_so(exeat):
    def serve(conn):
        request = conn.recv(4096)
        conn.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + request.split(b"\r\n")[1])

    with Listener.tcp("127.0.0.80", 80, serve=serve):
        result = exeat.run(["--allow", "site.test:80+private", "--resolve",
                            "site.test:127.0.0.80"],
                           ["curl", "-sS", "--noproxy", "*", "http://site.test/"])
        assert result.stdout == "Host: site.test", result


def test_without_tproxy_the_ports_of_the_policy_are_captured(
        exeat, allowed, origin, probe):
    """One of the gate's sockets is the one for nf_tables."""
    probe("say.py")
    command = [exeat.program, "run", *allowed, "--", "sh", "-c",
               " ".join(CURL).replace("*", "'*'") +
               f" https://site.test:{origin.port}/; {PYTHON} say.py 00 {AWAY}:9"]
    results = (exeat.call(steps.fail_in_gate("socket", "EAFNOSUPPORT", number,
                                             "/dev/null", command))
               for number in range(1, 13))
    result = next(r for r in results if "no nf_tables tproxy" in r.stderr)
    assert result.stdout == (f"hello from site.test\n{AWAY}:9 "
                             "ConnectionRefusedError\n"), result
