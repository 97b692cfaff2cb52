# SPDX-License-Identifier: MIT
"""Another proxy behind ours: asked after the decision, and never mistaken for
the policy."""
import os
import socket
import subprocess

import pytest

from lab.runs import Runner
from proxy_harness import (BIN, Origin, Proxy, StubDns, drained, hello,
                           read_head, read_until_eof, record_all, status)

HELLO = hello("s_base_tls13")  # names allowed.test
ALLOW = 'allow = ( { host = "allowed.test"; }, ' \
        '{ host = "raw.test"; ports = [22]; protocol = "tcp"; }, ' \
        '{ host = "plain.test"; ports = [80]; }, ' \
        '{ address = "192.0.2.7"; ports = [443]; } );\n'


class Upstream(Origin):
    """A proxy that answers every head with @answer, then records."""

    def __init__(self, answer=b"HTTP/1.1 200 OK\r\n\r\n", then=record_all):
        self.answer, self.then, self.heads = answer, then, []
        super().__init__("127.0.0.4", script=self._serve)

    def _serve(self, visit):
        self.heads.append(read_head(visit.sock))
        for part in self.answer if isinstance(self.answer, list) \
                else [self.answer]:
            visit.sock.sendall(part)
        self.then(visit)


@pytest.fixture
def dns():
    server = StubDns()
    yield server
    server.close()


@pytest.fixture
def start(dns):
    """start(upstream, user="", except_=""): a proxy behind our own."""
    made = []

    def make(upstream, user="", url=None, more=""):
        url = url or f"http://{user}127.0.0.4:{upstream.port}"
        made.append(Proxy(policy=(
            ALLOW + f'upstream = {{ url = "{url}"; {more} }};\n'
            f'dns = {{ servers = [ "127.0.0.1:{dns.port}" ]; }};\n'
            'proxy = { connect_timeout = "1s"; };\n')))
        return made[-1]

    yield make
    for proxy in made:
        proxy.close()


@pytest.fixture
def upstream():
    made = []

    def make(*words, **more):
        made.append(Upstream(*words, **more))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_an_allowed_name_goes_through_it_unresolved(start, upstream, dns):
    up = upstream()
    proxy = start(up, user="us%40er:p%20w@")
    sock, answer = proxy.open("allowed.test", 443, early=HELLO)
    assert status(answer) == 200
    assert up.wait_visit().wait_bytes(len(HELLO)) == HELLO
    sock.close()
    assert up.heads == [b"CONNECT allowed.test:443 HTTP/1.1\r\n"
                        b"Host: allowed.test:443\r\n"
                        b"Proxy-Authorization: Basic dXNAZXI6cCB3\r\n\r\n"]
    record = proxy.wait_record("decision", verdict="allow")
    assert record["host"] == "allowed.test"
    assert record["address"].startswith("127.0.0.4")
    assert dns.queries == []
    seen = str(proxy.all) + "".join(proxy.log)
    assert "p%20w" not in seen and "dXNAZXI6cCB3" not in seen
    with open(f"/proc/{proxy.process.pid}/cmdline", "rb") as f:
        assert b"p%20w" not in f.read()


@pytest.mark.parametrize("answer", [
    b"HTTP/1.0 200\r\n\r\n", b"HTTP/1.1 299 Fine\r\nVia: 1.1 x\r\n\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
    [bytes([b]) for b in b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n"]])
def test_what_follows_its_answer_is_the_origins(start, upstream, answer):
    banner = b"SSH-2.0-x\r\n\r\n"
    answer = answer + [banner] if isinstance(answer, list) else answer + banner
    proxy = start(upstream(answer))
    sock, head = proxy.open("raw.test", 22)
    assert status(head) == 200
    with sock:
        got = b""
        while len(got) < len(banner):
            got += sock.recv(100)
        assert got == banner
        sock.sendall(b"SSH-2.0-y\r\n")
        sock.shutdown(socket.SHUT_WR)
        assert read_until_eof(sock) == b""
    close = proxy.wait_record("close", host="raw.test")
    assert (close["bytes_up"], close["bytes_down"]) == (11, len(banner))


@pytest.mark.parametrize("target", ["other.test:443", "allowed.test:22",
                                    "169.254.169.254:443", "127.0.0.4:443",
                                    "192.0.2.8:443", "[::ffff:10.0.0.1]:443"])
def test_what_is_denied_never_gets_there(start, upstream, target):
    up = upstream()
    proxy = start(up)
    host, port = target.rsplit(":", 1)
    sock, answer = proxy.open(host, port)
    sock.close()
    assert status(answer) == 403
    assert up.visits == []


def test_an_allowed_literal_goes_through_it(start, upstream):
    up = upstream()
    proxy = start(up)
    sock, answer = proxy.open("192.0.2.7", 443)
    sock.close()
    assert status(answer) == 200
    assert up.heads[0].startswith(b"CONNECT 192.0.2.7:443 HTTP/1.1\r\n")


def test_the_hello_is_judged_as_ever(start, upstream):
    up = upstream()
    proxy = start(up)
    sock, _ = proxy.open("allowed.test", 443, early=hello("s_base_denied"))
    assert drained(sock)[:1] == b"\x15"
    assert proxy.wait_record("decision", verdict="deny")["reason"] == \
        "server_name_mismatch"
    assert up.total() == 0


@pytest.mark.parametrize("answer, shown", [
    (b"HTTP/1.1 403 Forbidden\r\n\r\n", b"upstream proxy: 403 Forbidden"),
    (b"HTTP/1.1 407 Auth\r\nProxy-Authenticate: Basic\r\n\r\n",
     b"upstream proxy: 407 Auth"),
    (b"HTTP/1.1 503 Busy\r\n\r\n", b"upstream proxy: 503 Busy"),
    (b"HTTP/1.1 101 Up\r\nUpgrade: x\r\n\r\n", b"upstream proxy: 101 Up"),
    (b"HTTP/1.1 100 C\r\n\r\n" * 9, b"upstream proxy: 100 C"),
    (b"SSH-2.0-x\r\n\r\n", b"does not answer as an HTTP proxy does"),
    (b"HTTP/1.1 200 OK\r\n b: c\r\n\r\n", b"does not answer as an HTTP"),
    (b"HTTP/1.1 200 OK\r\nA: " + b"a" * 40000 + b"\r\n\r\n", b"too long"),
    (b"HTTP/1.1 200 OK\r\n", b"closed the connection")])
def test_its_failures_are_502_and_not_403(start, upstream, answer, shown):
    proxy = start(upstream(answer, then=lambda visit: None))
    sock, head = proxy.open("allowed.test", 443, early=HELLO)
    sock.close()
    assert status(head) == 502 and shown in head, head
    record = proxy.wait_record("decision", verdict="deny")
    assert record["reason"] == "connection_refused"


def test_its_silence_is_504(start, upstream):
    proxy = start(upstream(b""))
    sock, head = proxy.open("allowed.test", 443)
    sock.close()
    assert status(head) == 504 and b"upstream proxy: no answer in time" in head
    assert proxy.wait_record("decision")["reason"] == "connection_timeout"


def test_its_absence_is_502(start, upstream):
    up = upstream()
    proxy = start(up, url=f"http://127.0.0.5:{up.port}")
    sock, head = proxy.open("allowed.test", 443)
    sock.close()
    assert status(head) == 502 and b"upstream proxy 127.0.0.5" in head


def test_its_name_is_resolved_and_not_judged(start, upstream, dns):
    up = upstream()
    dns.answers["proxy.test"] = {"A": ["127.0.0.4"]}
    proxy = start(up, url=f"http://proxy.test:{up.port}")
    sock, answer = proxy.open("allowed.test", 443)
    sock.close()
    assert status(answer) == 200
    assert {name for name, _ in dns.queries} == {"proxy.test"}
    lost = start(up, url=f"http://lost.test:{up.port}")
    sock, answer = lost.open("allowed.test", 443)
    sock.close()
    assert status(answer) == 502 and b"the upstream proxy's name" in answer


def test_exceptions_are_reached_without_it(upstream, dns):
    up = upstream()
    origin = Origin()
    dns.answers["a.corp.test"] = {"A": ["127.0.0.2"]}
    proxy = Proxy(policy=(
        f'allow = ( {{ host = "*.corp.test"; ports = [{origin.port}]; '
        f'protocol = "tcp"; private = true; }}, {{ address = "127.0.0.2"; '
        f'ports = [{origin.port}]; protocol = "tcp"; private = true; }} );\n'
        'resolve = ( { host = "b.corp.test"; address = "127.0.0.2"; } );\n'
        f'upstream = {{ url = "http://127.0.0.4:{up.port}"; '
        'except = [ "*.corp.test", "127.0.0.0/8" ]; };\n'
        f'dns = {{ servers = [ "127.0.0.1:{dns.port}" ]; }};\n'))
    try:
        for host in ("b.corp.test", "127.0.0.2"):
            sock, answer = proxy.open(host, origin.port)
            sock.close()
            assert status(answer) == 200, answer
        sock, answer = proxy.open("a.corp.test", origin.port)
        sock.close()
        # Judged by its address, as ever: it was resolved here.
        assert status(answer) == 403 and b"127.0.0.2 is loopback" in answer
        assert up.visits == []
    finally:
        proxy.close()
        origin.close()


def test_plain_http_goes_through_it_as_a_tunnel(start, upstream):
    def serve(visit):
        visit.received = read_head(visit.sock)
        visit.sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        record_all(visit)

    up = upstream(then=serve)
    proxy = start(up, user="u:p@")
    answer = proxy.ask(b"GET http://plain.test/x HTTP/1.1\r\nHost: h\r\n"
                       b"Connection: close\r\n\r\n")
    assert answer.endswith(b"ok")
    assert up.heads[0].startswith(b"CONNECT plain.test:80 HTTP/1.1\r\n")
    got = up.wait_visit().received
    assert got.startswith(b"GET /x HTTP/1.1\r\n") and b"Basic" not in got


def test_no_field_of_a_client_chooses_the_way(start, upstream):
    up, other = upstream(), upstream()
    proxy = start(up)
    for name in ("X-Upstream-Https-Proxy", "X-Forwarded-Host", "Forwarded"):
        head = proxy.ask(b"CONNECT allowed.test:443 HTTP/1.1\r\nHost: a\r\n" +
                         f"{name}: http://127.0.0.4:{other.port}\r\n\r\n"
                         .encode() + hello("s_base_denied"))
        assert status(head) == 200
    assert len(up.heads) == 3 and other.visits == []
    assert all(b"Forwarded" not in head and b"X-" not in head
               for head in up.heads)


def test_it_cannot_be_the_proxy_itself(start, upstream):
    sock = socket.create_server(("127.0.0.1", 0))
    port = sock.getsockname()[1]
    sock.close()
    proxy = Proxy("--allow", "allowed.test", "--upstream",
                  f"http://127.0.0.1:{port}", listen=f"127.0.0.1:{port}")
    try:
        sock, answer = proxy.open("allowed.test", 443)
        sock.close()
        assert status(answer) in (500, 502)
        assert b"upstream.url is this proxy itself" in answer
    finally:
        proxy.close()


def test_two_of_ours_in_a_row():
    origin = Origin()
    outer = Proxy("--allow", f"allowed.test:{origin.port}+private",
                  "--resolve", "allowed.test:127.0.0.2")
    inner = Proxy("--allow", f"allowed.test:{origin.port}",
                  "--upstream", f"http://127.0.0.1:{outer.port}")
    try:
        sock, answer = inner.open("allowed.test", origin.port, early=HELLO)
        assert status(answer) == 200
        assert origin.wait_visit().wait_bytes(len(HELLO)) == HELLO
        sock.close()
        sock, answer = inner.open("allowed.test", 1)
        sock.close()
        assert status(answer) == 403
    finally:
        inner.close()
        outer.close()
        origin.close()


def test_a_run_goes_out_through_it(lab, authority, origin):
    """By the proxy variables and without them: captured, the same way."""
    outer = Proxy("--allow", f"site.test:{origin.port}+private",
                  "--resolve", "site.test:127.0.0.2")
    exeat = Runner(lab)
    exeat.give(authority.cert, "ca.pem")
    flags = ["--upstream", f"http://127.0.0.1:{outer.port}", "--allow",
             f"site.test:{origin.port}", "--allow", "mid.test"]
    curl = f"curl -sS --cacert ca.pem https://site.test:{origin.port}/"
    try:
        for words in (curl, "unset ALL_PROXY HTTPS_PROXY all_proxy "
                      f"https_proxy; {curl}"):
            done = exeat.run(flags, ["sh", "-c", words])
            assert done.stdout == "hello from site.test\n", done
        done = exeat.run(flags, ["curl", "-sS", "https://mid.test/"])
        assert "response 502" in done.stderr, done
        outer.wait_record("decision", host="mid.test", verdict="deny")
    finally:
        outer.close()


def test_tls_to_it_is_refused_not_left_out():
    done = subprocess.run(
        [os.path.join(BIN, "exeat-proxy"), "--check", "--upstream",
         "https://127.0.0.1:3128"], capture_output=True, check=False)
    assert done.returncode == 125 and b"upstream.url: TLS" in done.stderr
