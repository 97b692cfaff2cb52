# SPDX-License-Identifier: MIT
"""Plain HTTP: each request judged by itself, framing kept strict."""
import socket
import subprocess

import pytest

from proxy_harness import Origin, Proxy, read_until_eof, status

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\npage\n"


def read_message(sock, data=b""):
    """One head with a Content-Length or chunked content; returns
    (head, content, rest)."""
    while b"\r\n\r\n" not in data:
        chunk = sock.recv(65536)
        if not chunk:
            return data, b"", b""
        data += chunk
    head, rest = data.split(b"\r\n\r\n", 1)
    lower = head.lower()
    if b"transfer-encoding: chunked" in lower:
        while not rest.endswith(b"0\r\n\r\n"):
            rest += sock.recv(65536)
        return head, rest, b""
    length = 0
    for line in lower.split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    while len(rest) < length:
        chunk = sock.recv(65536)
        if not chunk:
            break
        rest += chunk
    return head, rest[:length], rest[length:]


def serve(answer=OK, close=False):
    """A script that answers each request; what came stays in received."""
    def script(visit):
        rest = b""
        while True:
            head, content, rest = read_message(visit.sock, rest)
            if not head:
                return
            visit.received += head + b"\r\n\r\n" + content
            reply = answer(head, content) if callable(answer) else answer
            visit.sock.sendall(reply)
            if close:
                return
    return script


class Setup:
    def __init__(self, script=None, policy=None):
        self.origin = Origin(script=script or serve())
        self.other = Origin("127.0.0.3", script=serve())
        port, second = self.origin.port, self.other.port
        self.proxy = Proxy(
            "--allow", f"allowed.test:{port}/http+private", "--resolve",
            "allowed.test:127.0.0.2", "--allow",
            f"other.test:{second}/http+private", "--resolve",
            "other.test:127.0.0.3", "--allow",
            f"tls.test:{port}+private", "--resolve", "tls.test:127.0.0.2",
            "--allow", f"127.0.0.2:{port}/http+private", policy=policy)

    def get(self, path="/", host=None, port=None, extra="", method="GET",
            version="1.1"):
        host = host or "allowed.test"
        port = port or self.origin.port
        return (f"{method} http://{host}:{port}{path} HTTP/{version}\r\n"
                f"Host: {host}:{port}\r\n{extra}\r\n").encode("latin1")

    def close(self):
        self.proxy.close()
        self.origin.close()
        self.other.close()


@pytest.fixture
def setup():
    s = Setup()
    yield s
    s.close()


def test_a_request_is_forwarded_and_rewritten(setup):
    with setup.proxy.connect() as sock:
        sock.sendall(f"GET http://allowed.test:{setup.origin.port}/a?b=c "
                     "HTTP/1.1\r\nHost: lie.test\r\nAccept: x\r\n"
                     "Proxy-Authorization: Basic c2VjcmV0\r\n"
                     "Proxy-Connection: keep-alive\r\nConnection: close, X-A"
                     "\r\nX-A: 1\r\n\r\n".encode())
        answer = read_until_eof(sock)
    assert status(answer) == 200 and answer.endswith(b"page\n")
    got = setup.origin.visits[0].received
    assert got.startswith(b"GET /a?b=c HTTP/1.1\r\n")
    assert f"Host: allowed.test:{setup.origin.port}\r\n".encode() in got
    assert b"Accept: x\r\n" in got
    for word in (b"lie.test", b"Proxy-", b"secret", b"X-A"):
        assert word not in got
    decision = setup.proxy.wait_record("decision")
    assert decision["via"] == "http" and decision["verdict"] == "allow"
    close = setup.proxy.wait_record("close")
    assert close["bytes_up"] == len(got)


def test_each_request_of_a_connection_is_judged(setup):
    """C09."""
    with setup.proxy.connect() as sock:
        sock.sendall(setup.get("/a"))
        head, content, _ = read_message(sock)
        assert status(head) == 200 and content == b"page\n"
        sock.sendall(setup.get("/b", host="denied.test"))
        answer = read_until_eof(sock)
    assert status(answer) == 403 and b"Connection: close" in answer
    assert b"denied.test" not in setup.origin.visits[0].received
    setup.proxy.wait_record("decision", count=2)
    decisions = setup.proxy.records("decision")
    assert [d["verdict"] for d in decisions] == ["allow", "deny"]
    assert [d["host"] for d in decisions] == ["allowed.test", "denied.test"]
    close = setup.proxy.wait_record("close")
    assert close["host"] == "allowed.test" and close["verdict"] == "allow"


@pytest.mark.parametrize("second", [
    b"POST http://allowed.test/b HTTP/1.1\r\nHost: allowed.test\r\n"
    b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    b"CONNECT denied.test:443 HTTP/1.1\r\nHost: denied.test\r\n\r\n",
    b"GET /b HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
    b"GET http://allowed.test/ HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n"])
def test_two_requests_in_one_send(setup, second):
    with setup.proxy.connect() as sock:
        sock.sendall(setup.get("/a") + second + setup.get("/c"))
        head, content, rest = read_message(sock)
        assert status(head) == 200 and content == b"page\n"
        answer = rest + read_until_eof(sock)
    assert status(answer) == 400
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"/b" not in setup.origin.visits[0].received
    assert b"/c" not in setup.origin.visits[0].received
    assert setup.proxy.wait_record("decision", count=2)["verdict"] == "deny"


def test_many_requests_share_one_connection(setup):
    with setup.proxy.connect() as sock:
        rest = b""
        sock.sendall(b"".join(setup.get(f"/{i}") for i in range(50)))
        for _ in range(50):
            head, content, rest = read_message(sock, rest)
            assert status(head) == 200 and content == b"page\n"
    assert setup.origin.count() == 1
    assert setup.origin.visits[0].received.count(b"GET /") == 50
    setup.proxy.wait_record("decision", count=50)
    setup.proxy.wait_record("close")
    assert len(setup.proxy.records("close")) == 1


def test_another_host_gets_another_connection(setup):
    with setup.proxy.connect() as sock:
        for _ in range(3):
            sock.sendall(setup.get("/1"))
            assert read_message(sock)[1] == b"page\n"
            sock.sendall(setup.get("/2", "other.test", setup.other.port))
            assert read_message(sock)[1] == b"page\n"
    assert setup.origin.count() == 3 and len(setup.other.visits) == 3
    setup.proxy.wait_record("close", count=6)


def test_content_goes_up_by_length_and_in_chunks():
    def answer(_, content):
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(content)\
            + content

    s = Setup(script=serve(answer))
    try:
        with s.proxy.connect() as sock:
            body = b"x" * 300000
            sock.sendall(s.get(method="POST", extra="Content-Length: 300000"
                               "\r\n") + body)
            assert read_message(sock)[1] == body
            chunks = b"5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n"
            sock.sendall(s.get(method="POST", extra="Transfer-Encoding: "
                               "chunked\r\n"))
            for i in range(len(chunks)):
                sock.sendall(chunks[i:i + 1])
            assert read_message(sock)[1] == chunks
        assert len(s.origin.visits) == 1
    finally:
        s.close()


@pytest.mark.parametrize("fields", [
    "Content-Length: 5\r\nContent-Length: 5\r\n",
    "Content-Length: 5\r\nContent-Length: 6\r\n", "Content-Length: +5\r\n",
    "Content-Length:\r\n", "Content-Length: 5, 5\r\n",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
    "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding: xchunked\r\n",
    "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
    "Content-Length : 5\r\n", "X: a\r\n b\r\n", "X: a\rb\r\n", ": x\r\n",
    "Host: again.test\r\n"])
def test_framing_that_can_be_read_two_ways_is_400(setup, fields):
    answer = setup.proxy.ask(setup.get(method="POST", extra=fields) +
                             b"hello" + setup.get("/smuggled"))
    assert status(answer) == 400 and b"Connection: close" in answer
    assert setup.origin.visits == []
    setup.proxy.wait_record("decision")
    assert len(setup.proxy.everything()) == 1


def test_malformed_chunks_end_it(setup):
    with setup.proxy.connect() as sock:
        sock.sendall(setup.get(method="POST",
                               extra="Transfer-Encoding: chunked\r\n"))
        sock.sendall(b"5\r\nhelloXX0\r\n\r\n")
        answer = read_until_eof(sock)
    assert status(answer) == 400
    visit = setup.origin.wait_visit()
    assert b"XX" not in visit.received


def test_trailers_are_dropped_both_ways():
    """What is merged into a head behind us was never judged."""
    tail = b"Host: evil.test\r\nX-A: b\r\n"

    def answer(_head, _content):
        return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n" \
            b"Trailer: X-A\r\n\r\n2\r\nok\r\n0\r\n" + tail + b"\r\n"

    s = Setup(script=serve(answer))
    try:
        with s.proxy.connect() as sock:
            for _ in range(2):
                sock.sendall(s.get(method="POST", extra="Transfer-Encoding: "
                                   "chunked\r\nTrailer: X-A\r\n") +
                             b"2\r\nhi\r\n0\r\n" + tail + b"\r\n")
                head, content, _ = read_message(sock)
                assert content == b"2\r\nok\r\n0\r\n\r\n"
                assert b"Trailer" not in head
        got = s.origin.visits[0].received
        assert got.count(b"2\r\nhi\r\n0\r\n\r\n") == 2
        assert b"evil.test" not in got and b"X-A" not in got
    finally:
        s.close()


def test_until_close_and_bad_responses():
    answers = {
        b"/close": b"HTTP/1.1 200 OK\r\n\r\nuntil the end",
        b"/old": b"HTTP/1.0 200 OK\r\n\r\nold",
        b"/none": b"",
        b"/bad": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: "
                 b"6\r\n\r\nhello!",
        b"/garbage": b"SSH-2.0-x\r\n",
        b"/short": b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello"}

    def answer(head, _):
        return answers[head.split(b" ")[1]]

    s = Setup(script=serve(answer, close=True))
    try:
        got = {path: s.proxy.ask(s.get(path.decode())) for path in answers}
        assert got[b"/close"].endswith(b"\r\n\r\nuntil the end")
        assert got[b"/old"].endswith(b"\r\n\r\nold")
        for path in (b"/none", b"/bad", b"/garbage"):
            assert status(got[path]) == 502, path
        assert status(got[b"/short"]) == 200
        assert not got[b"/short"].endswith(b"\r\n")
    finally:
        s.close()


def test_continue_head_and_no_content():
    def script(visit):
        head = read_until(visit.sock, b"\r\n\r\n")
        assert b"Expect: 100-continue" in head
        visit.sock.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        assert visit.sock.recv(5) == b"hello"
        visit.sock.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
        assert visit.sock.recv(4096).startswith(b"HEAD /h HTTP/1.1\r\n")
        visit.sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n")
        visit.sock.recv(1)

    s = Setup(script=script)
    try:
        with s.proxy.connect() as sock:
            sock.sendall(s.get(method="POST", extra="Expect: 100-continue"
                               "\r\nContent-Length: 5\r\n"))
            head = read_until(sock, b"\r\n\r\n")
            assert status(head) == 100
            sock.sendall(b"hello")
            assert status(read_until(sock, b"\r\n\r\n")) == 204
            sock.sendall(s.get("/h", method="HEAD"))
            assert b"Content-Length: 99" in read_until(sock, b"\r\n\r\n")
    finally:
        s.close()


def read_until(sock, end):
    data = b""
    while not data.endswith(end):
        byte = sock.recv(1)
        if not byte:
            break
        data += byte
    return data


def test_a_websocket_becomes_a_relay():
    def script(visit):
        head = read_until(visit.sock, b"\r\n\r\n")
        assert b"upgrade: websocket" in head.lower()
        visit.sock.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: "
                           b"websocket\r\nConnection: Upgrade\r\n\r\nfirst")
        while True:
            data = visit.sock.recv(100)
            if not data:
                return
            visit.sock.sendall(data.upper())

    s = Setup(script=script)
    try:
        with s.proxy.connect() as sock:
            sock.sendall(s.get(extra="Upgrade: websocket\r\nConnection: "
                               "Upgrade\r\n"))
            assert status(read_until(sock, b"\r\n\r\n")) == 101
            assert sock.recv(5) == b"first"
            sock.sendall(b"\x81\x03abc")
            assert sock.recv(100) == b"\x81\x03ABC"
        assert s.proxy.wait_record("close")["verdict"] == "allow"
    finally:
        s.close()


def test_connect_to_an_http_rule_is_judged_per_request(setup):
    port = setup.origin.port
    sock, head = setup.proxy.open("allowed.test", port)
    assert status(head) == 200
    good = f"GET /a HTTP/1.1\r\nHost: allowed.test:{port}\r\n\r\n".encode()
    for _ in range(2):
        sock.sendall(good)
        assert read_message(sock)[1] == b"page\n"
    sock.sendall(b"GET /b HTTP/1.1\r\nHost: denied.test\r\n\r\n" + good)
    answer = read_until_eof(sock)
    sock.close()
    assert status(answer) == 400 and answer.count(b"HTTP/1.1") == 1
    got = setup.origin.visits[0].received
    assert got.count(b"GET /a") == 2 and b"/b" not in got
    setup.proxy.wait_record("decision", count=4)
    decisions = setup.proxy.records("decision")
    assert [d["verdict"] for d in decisions] == ["allow"] * 3 + ["deny"]


def test_connect_to_an_http_rule_carries_nothing_else(setup):
    for data in (b"SSH-2.0-x\r\n\r\n", b"\x16\x03\x01\x00\x05hello",
                 b"\x05\x01\x00"):
        number = setup.origin.count()
        sock, head = setup.proxy.open("allowed.test", setup.origin.port)
        assert status(head) == 200
        sock.sendall(data)
        sock.shutdown(socket.SHUT_WR)
        read_until_eof(sock)
        sock.close()
        setup.proxy.wait_record("close", count=number + 1)
        assert setup.origin.wait_visit(number).received == b""


def test_plain_http_to_a_tls_rule_is_refused(setup):
    answer = setup.proxy.ask(setup.get(host="tls.test"))
    assert status(answer) == 403 and b"https://" in answer
    assert setup.origin.visits == []


def test_origin_form_says_that_this_is_a_proxy(setup):
    answer = setup.proxy.ask(b"GET / HTTP/1.1\r\nHost: allowed.test\r\n\r\n")
    assert status(answer) == 400 and b"proxy" in answer


@pytest.mark.parametrize("target", [
    "ftp://allowed.test/", "https://allowed.test/", "http:/allowed.test/",
    "http://user@allowed.test/", "http://allowed.test:0/", "http:///x",
    "http://allowed.test%2e/", "http://127.1/", "*"])
def test_odd_targets_are_400(setup, target):
    answer = setup.proxy.ask(f"GET {target} HTTP/1.1\r\nHost: a\r\n\r\n"
                             .encode())
    assert status(answer) == 400
    assert setup.proxy.wait_record("decision")["verdict"] == "deny"


def test_localhost_says_to_leave_the_proxy_out(setup):
    """A browser that knows no exception asks for its own machine's pages."""
    for host in ("localhost", "app.localhost"):
        answer = setup.proxy.ask(setup.get(host=host))
        assert status(answer) == 403
        assert b"loopback is reached without a proxy (NO_PROXY)" in answer
        assert b"--allow" not in answer


def test_a_denied_host_names_the_flag(setup):
    answer = setup.proxy.ask(b"GET http://denied.test:8080/ HTTP/1.1\r\n"
                             b"Host: denied.test:8080\r\n\r\n")
    assert status(answer) == 403
    assert b"--allow denied.test:8080/http" in answer


def test_a_kept_connection_ends_without_a_record(setup):
    with setup.proxy.connect() as sock:
        sock.sendall(setup.get())
        read_message(sock)
    setup.proxy.wait_record("close")
    assert len(setup.proxy.everything()) == 2


def test_a_slow_client_stops_the_origin():
    def script(visit):
        read_until(visit.sock, b"\r\n\r\n")
        visit.sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 33554432"
                           b"\r\n\r\n")
        for _ in range(512):
            visit.sock.sendall(b"z" * 65536)

    s = Setup(script=script)
    try:
        with s.proxy.connect() as sock:
            sock.sendall(s.get(extra="Connection: close\r\n"))
            s.origin.wait_visit()
            answer = read_until_eof(sock)
        assert len(answer.split(b"\r\n\r\n", 1)[1]) == 33554432
    finally:
        s.close()


def test_curl_over_plain_http(setup):
    port = setup.origin.port
    done = subprocess.run(
        ["curl", "-sS", "-x", f"http://127.0.0.1:{setup.proxy.port}",
         f"http://allowed.test:{port}/1", f"http://allowed.test:{port}/2"],
        capture_output=True, timeout=30, check=False)
    assert done.returncode == 0 and done.stdout == b"page\npage\n"
    assert setup.origin.count() == 1
    done = subprocess.run(
        ["curl", "-sS", "-p", "-x", f"http://127.0.0.1:{setup.proxy.port}",
         f"http://allowed.test:{port}/3"],
        capture_output=True, timeout=30, check=False)
    assert done.returncode == 0 and done.stdout == b"page\n"
