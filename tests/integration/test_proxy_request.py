# SPDX-License-Identifier: MIT
"""Requests: what is refused, how it is said, and what is recorded."""
import socket
import struct

import pytest

from proxy_harness import (HELLOS, Origin, Proxy, StubDns, hello, read_head,
                           read_until_eof, status, stopwatch)

BAD_TARGETS = [
    b"CONNECT [127.0.0.2]:443 HTTP/1.1",
    b"CONNECT [allowed.test]:443 HTTP/1.1",
    b"CONNECT allowed.test :443 HTTP/1.1",
    b"CONNECT allowed.test\t:443 HTTP/1.1",
    b"CONNECT allowed.test:443 x HTTP/1.1",
    b"CONNECT allowed.test HTTP/1.1",
    b"CONNECT allowed.test: HTTP/1.1",
    b"CONNECT :443 HTTP/1.1",
    b"CONNECT allowed.test:0 HTTP/1.1",
    b"CONNECT allowed.test:65979 HTTP/1.1",
    b"CONNECT allowed.test:+443 HTTP/1.1",
    b"CONNECT allowed.test:0x1bb HTTP/1.1",
    b"CONNECT allowed.test:443/ HTTP/1.1",
    b"CONNECT https://allowed.test:443 HTTP/1.1",
    b"CONNECT denied.test@allowed.test:443 HTTP/1.1",
    b"CONNECT allowed.test%2e:443 HTTP/1.1",
    b"CONNECT denied.test#.allowed.test:443 HTTP/1.1",
    b"CONNECT ::1:443 HTTP/1.0",
    b"CONNECT allowed.test..:443 HTTP/1.1",
    b"CONNECT .:443 HTTP/1.1",
    b"CONNECT 127.0.0.9.:443 HTTP/1.1",
    b"CONNECT 0177.0.0.1:443 HTTP/1.1",
    b"CONNECT 2130706433:443 HTTP/1.1",
    b"CONNECT 127.1:443 HTTP/1.1",
    b"CONNECT [fe80::1%25lo]:443 HTTP/1.1",
    b"connect allowed.test:443 HTTP/1.1",
    b"CONNECT\tallowed.test:443 HTTP/1.1",
    b"CONNECT  allowed.test:443 HTTP/1.1",
    b"CONNECT evil\x1b[2K\x07.test:443 HTTP/1.1",
    b"CONNECT a\nverdict=allow.test:443 HTTP/1.1",
    b"CONNECT " + b"a" * 8000 + b".test:443 HTTP/1.1",
]


@pytest.fixture(scope="module")
def dns():
    stub = StubDns()
    yield stub
    stub.close()


@pytest.fixture(scope="module")
def origin():
    recorder = Origin()
    yield recorder
    recorder.close()


@pytest.fixture
def proxy(origin, dns):
    p = Proxy("--allow", f"allowed.test:443,{origin.port}+private",
              "--resolve", "allowed.test:127.0.0.2", "--allow",
              "plain.test:443", policy="dns = { servers = "
              f"[ \"127.0.0.1:{dns.port}\" ]; }};")
    yield p
    p.close()


@pytest.mark.parametrize("line", BAD_TARGETS)
def test_answers_400_to_a_malformed_target(proxy, origin, dns, line):
    before, asked = origin.count(), len(dns.queries)
    answer = proxy.ask(line + b"\r\nHost: x\r\n\r\n")
    assert status(answer) == 400
    assert b"Connection: close" in answer
    record = proxy.wait_record("decision")
    assert record["verdict"] == "deny"
    assert record["reason"] == "http_request_error"
    assert len(proxy.everything()) == 1
    assert origin.count() == before and len(dns.queries) == asked


def test_bare_line_feeds_are_refused(proxy):
    assert status(proxy.ask(
        b"CONNECT allowed.test:443 HTTP/1.1\nHost: x\n\n")) == 400


def test_well_formed_loopback_literal_gets_a_policy_answer(proxy):
    answer = proxy.ask(b"CONNECT [::1]:443 HTTP/1.1\r\nHost: x\r\n\r\n")
    assert status(answer) == 403
    record = proxy.wait_record("decision")
    assert record["reason"] == "destination_ip_prohibited"
    assert record["address"] == "::1"


def test_nothing_is_read_as_a_request_after_a_refusal(proxy, origin):
    before = origin.count()
    second = (f"CONNECT allowed.test:{origin.port} HTTP/1.1\r\n"
              f"Host: allowed.test\r\n\r\n").encode() + hello("s_base_tls13")
    answer = proxy.ask(b"CONNECT denied.test:443 HTTP/1.1\r\n"
                       b"Host: denied.test:443\r\n\r\n" + second)
    assert status(answer) == 403
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"Connection: close" in answer
    proxy.wait_record("decision")
    assert len(proxy.everything()) == 1 and origin.count() == before


def test_oversized_head_is_431_and_the_rest_is_forgotten(proxy, origin):
    before = origin.count()
    padding = b"".join(b"X-%d: %s\r\n" % (i, b"y" * 700) for i in range(99))
    answer = proxy.ask(
        b"CONNECT denied.test:443 HTTP/1.1\r\nHost: denied.test:443\r\n" +
        padding + b"\r\nCONNECT allowed.test:443 HTTP/1.1\r\n"
        b"Host: allowed.test:443\r\n\r\n" + hello("s_base_tls13"))
    assert status(answer) == 431
    assert len(proxy.everything()) == 1 and origin.count() == before


def test_ten_thousand_field_lines_are_431(proxy):
    answer = proxy.ask(b"CONNECT allowed.test:443 HTTP/1.1\r\n" +
                       b"A: b\r\n" * 10000)
    assert status(answer) == 431


def test_64_kib_without_a_newline_is_refused(proxy):
    assert status(proxy.ask(b"C" * 65536)) in (400, 431)


def test_refusal_names_host_port_and_the_flag(proxy):
    answer = proxy.ask(b"CONNECT denied.test:8443 HTTP/1.1\r\n"
                       b"Host: x\r\n\r\n")
    line = answer.split(b"\r\n")[0]
    assert line.startswith(b"HTTP/1.1 403 ")
    assert b"denied.test:8443" in line
    assert b"--allow denied.test:8443" in line
    assert b"Proxy-Status: exeat; error=http_request_denied" in answer
    assert b"--allow denied.test:8443" in answer.split(b"\r\n\r\n", 1)[1]


@pytest.mark.parametrize("target,code", [
    ("secret.corp.test.:443", 403), ("SECRET.CORP.TEST.:443", 403),
    ("allowed.test.:PORT", 200), ("ALLOWED.test:PORT", 200)])
def test_a_trailing_dot_is_the_same_name(origin, target, code):
    p = Proxy("--allow", "*.corp.test", "--allow",
              f"allowed.test.:{origin.port}+private", "--resolve",
              "allowed.test:127.0.0.2", "--deny", "secret.corp.test")
    try:
        target = target.replace("PORT", str(origin.port))
        with p.connect() as sock:
            sock.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: x\r\n\r\n"
                         .encode())
            assert status(read_head(sock)) == code
        record = p.wait_record("decision")
        assert record["host"] in ("secret.corp.test", "allowed.test")
    finally:
        p.close()


def test_dotted_request_and_hello_without_dot_work(proxy, origin):
    number = origin.count()
    data = hello("c_curl_trailing_dot")
    sock, head = proxy.open("allowed.test.", origin.port, early=data)
    assert status(head) == 200
    assert origin.wait_visit(number).wait_bytes(len(data)) == data
    sock.close()


def test_an_allowed_host_is_allowed_on_its_port_only(origin):
    p = Proxy("--allow", "allowed.test", "--allow",
              f"other.test:{origin.port}+private", "--resolve",
              "other.test:127.0.0.2")
    try:
        for port in (80, 22, 25, 8443, 1):
            sock, head = p.open("allowed.test", port)
            sock.close()
            assert status(head) == 403
            assert f"allowed.test:{port}".encode() in head
            record = p.wait_record("decision", port=port)
            assert record["reason"] == "port_not_allowed"
        sock, head = p.open("other.test", 443)
        sock.close()
        assert status(head) == 403
        sock, head = p.open("other.test", origin.port)
        sock.close()
        assert status(head) == 200
    finally:
        p.close()


def test_http_1_0_connect_without_host_works(proxy, origin):
    number = origin.count()
    data = hello("c_python_ssl")
    with proxy.connect() as sock:
        sock.sendall(f"CONNECT allowed.test:{origin.port} HTTP/1.0\r\n\r\n"
                     .encode())
        assert status(read_head(sock)) == 200
        sock.sendall(data)
        assert origin.wait_visit(number).wait_bytes(len(data)) == data


def test_tls_on_the_plain_port_is_answered_at_once(proxy):
    watch = stopwatch()
    answer = proxy.ask(hello("c_python_ssl"))
    assert watch() < 1.0
    assert status(answer) == 400
    proxy.ask(hello("c_python_ssl"))
    proxy.wait_record("decision", count=2)
    assert [line for line in proxy.log if "use http://" in line] == \
        ["exeat-proxy: TLS sent to plain proxy, use http://\n"]


def test_http2_preface_is_505(proxy):
    assert status(proxy.ask(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")) == 505


@pytest.mark.parametrize("raw", [
    b"CONNECT \xe2\x80\xae\xe2\x80\xa8.test:443 HTTP/1.1\r\n\r\n",
    b"CONNECT denied.test:443 HTTP/1.1\r\nHost: x\r\n"
    b"User-Agent: \x1b]0;x\x07\r\n\r\n",
    b"CONNECT " + b"h" * 65536 + b":443 HTTP/1.1\r\n\r\n"])
def test_hostile_bytes_stay_out_of_the_records(proxy, raw):
    proxy.ask(raw)
    record = proxy.wait_record("decision")
    assert len(record.get("host", "")) <= 256 + 1
    assert len(proxy.everything()) == 1


def abort(sock):
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                    struct.pack("ii", 1, 0))
    sock.close()


def test_every_accepted_connection_has_exactly_one_decision(origin, dns):
    dead = Origin()
    dead.close()
    p = Proxy("--allow", f"allowed.test:{origin.port},{dead.port}+private",
              "--resolve", "allowed.test:127.0.0.2", "--allow", "nx.test",
              "--allow", f"raw.test:{origin.port}/tcp+private", "--resolve",
              "raw.test:127.0.0.2", policy="proxy = { head_timeout = "
              "\"1s\"; }; dns = { servers = [ \"127.0.0.1:"
              f"{dns.port}\" ]; }};")
    try:
        p.connect().close()                                      # nothing
        abort(p.connect())                                       # reset
        assert status(p.ask(b"CONNECT x")) == 408                # unfinished
        assert status(p.ask(b"BAD\r\n\r\n")) == 400
        assert status(p.ask(b"CONNECT denied.test:443 HTTP/1.1\r\n"
                            b"Host: x\r\n\r\n")) == 403
        assert status(p.ask(f"CONNECT allowed.test:{dead.port} HTTP/1.1\r\n"
                            "Host: x\r\n\r\n".encode())) == 502
        assert status(p.ask(b"CONNECT nx.test:443 HTTP/1.1\r\n"
                            b"Host: x\r\n\r\n")) == 502
        p.open("allowed.test", origin.port)[0].close()
        abort(p.open("allowed.test", origin.port)[0])
        p.open("raw.test", origin.port)[0].close()
        p.wait_record("close", count=3)
        with p.news:
            p.news.wait_for(lambda: len(p.records("decision")) >= 10, 5)
        decisions = p.records("decision")
        assert sorted(r["conn"] for r in decisions) == list(range(1, 11))
        reasons = sorted(r.get("reason", "") for r in decisions)
        assert reasons == sorted(["", "", "", "http_request_error",
                                  "http_request_error", "http_request_error",
                                  "http_request_error", "connection_refused",
                                  "dns_error", "http_request_denied"])
        seqs = [r["seq"] for r in p.all]
        assert seqs == list(range(1, len(seqs) + 1))
    finally:
        p.close()


def test_a_banner_on_a_tls_rule_is_not_tls(proxy, origin):
    number = origin.count()
    sock, head = proxy.open("allowed.test", origin.port,
                            early=hello("s_ssh_banner"))
    assert status(head) == 200
    assert read_until_eof(sock) == b""
    sock.close()
    visit = origin.wait_visit(number)
    assert visit.ended.wait(20) and visit.received == b""
    record = proxy.wait_record("close")
    assert record["verdict"] == "deny" and record["reason"] == "not_tls"
    denied = proxy.wait_record("decision", verdict="deny")
    assert denied["reason"] == "not_tls"


def test_a_tcp_rule_relays_a_server_that_speaks_first():
    def banner(visit):
        visit.sock.sendall(b"SSH-2.0-test\r\n")
        visit.received += visit.sock.recv(100)

    origin = Origin(script=banner)
    p = Proxy("--allow", f"git.test:{origin.port}/tcp+private", "--resolve",
              "git.test:127.0.0.2")
    try:
        sock, head = p.open("git.test", origin.port)
        assert status(head) == 200
        assert sock.recv(100) == b"SSH-2.0-test\r\n"
        sock.sendall(b"SSH-2.0-client\r\n")
        assert read_until_eof(sock) == b""
        sock.close()
        record = p.wait_record("close")
        assert record["bytes_up"] == 16 and record["bytes_down"] == 14
    finally:
        p.close()
        origin.close()


def test_the_proxy_itself_is_never_a_destination():
    p = Proxy("--allow", "free.test")  # finds a free port
    try:
        port = p.port
    finally:
        p.close()
    p = Proxy("--allow", f"127.0.0.1:{port}/tcp+private", "--allow",
              f"self.test:{port}/tcp+private", "--resolve",
              "self.test:127.0.0.1", listen=f"127.0.0.1:{port}")
    try:
        for host in ("127.0.0.1", "self.test", "[::ffff:127.0.0.1]"):
            sock, head = p.open(host, port)
            sock.close()
            assert status(head) == 403, head
            assert b"--allow" not in head.split(b"\r\n")[0]
    finally:
        p.close()


def test_the_data_is_there():
    assert len(HELLOS) > 0 and len(hello("c_curl_default")) == 517
