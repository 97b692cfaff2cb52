# SPDX-License-Identifier: MIT
"""ClientHello: judged before a byte of it reaches the origin."""
import csv
import os
import socket
import ssl
import subprocess
import threading

import pytest

from proxy_harness import (HELLOS, Origin, Proxy, drained, hello, record_all,
                           status)


def rows():
    path = os.path.join(HELLOS, "index.tsv")
    with open(path, encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f, delimiter="\t",
                                   quoting=csv.QUOTE_NONE))


ROWS = rows()
UNRECOGNIZED_NAME = bytes([21, 3, 3, 0, 2, 2, 112])
ACCESS_DENIED = bytes([21, 3, 3, 0, 2, 2, 49])
DECODE_ERROR = bytes([21, 3, 3, 0, 2, 2, 50])


@pytest.fixture(scope="module")
def origin():
    recorder = Origin()
    yield recorder
    recorder.close()


@pytest.fixture(scope="module")
def proxy(origin):
    p = Proxy("--allow", f"allowed.test:{origin.port}+private", "--resolve",
              "allowed.test:127.0.0.2", "--allow",
              f"other.test:{origin.port}+private", "--resolve",
              "other.test:127.0.0.2", policy="proxy = { hello_timeout = "
              "\"2s\"; };")
    yield p
    p.close()


def deliver(proxy, origin, data, pieces):
    """Send a hello in pieces, then FIN. Returns what the origin got and what
    came back."""
    number = origin.count()
    sock, head = proxy.open("allowed.test", origin.port)
    assert status(head) == 200
    try:
        for piece in pieces(data):
            sock.sendall(piece)
        sock.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # refused before all was sent
    answer = drained(sock)
    visit = origin.wait_visit(number)
    assert visit.ended.wait(20)
    return visit.received, answer


def whole(data):
    return [data]


def bytewise(data):
    return [data[i:i + 1] for i in range(len(data))]


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r["name"])
def test_corpus_whole(proxy, origin, row):
    data = hello(row["name"])
    got, _ = deliver(proxy, origin, data, whole)
    assert got == (data if row["verdict"] == "allow" else b"")


@pytest.mark.parametrize("row", [r for r in ROWS if int(r["bytes"]) < 3000],
                         ids=lambda r: r["name"])
def test_corpus_one_byte_at_a_time(proxy, origin, row):
    data = hello(row["name"])
    got, _ = deliver(proxy, origin, data, bytewise)
    assert got == (data if row["verdict"] == "allow" else b"")


@pytest.mark.parametrize("name", ["s_base_tls13", "s_base_denied",
                                  "s_rec_split_in_name"])
def test_every_cut(proxy, origin, name):
    data = hello(name)
    verdict = next(r["verdict"] for r in ROWS if r["name"] == name)
    for cut in range(1, len(data)):
        got, _ = deliver(proxy, origin, data,
                         lambda d, c=cut: [d[:c], d[c:]])
        assert got == (data if verdict == "allow" else b""), cut


@pytest.mark.parametrize("name,reason,alert", [
    ("c_openssl_sni_denied", "server_name_mismatch", UNRECOGNIZED_NAME),
    ("s_base_denied", "server_name_mismatch", UNRECOGNIZED_NAME),
    ("c_openssl_nosni", "server_name_absent", UNRECOGNIZED_NAME),
    ("s_sni_nul_suffix", "server_name_malformed", DECODE_ERROR),
    ("s_snext_dup_same", "server_name_malformed", DECODE_ERROR),
    ("s_snlist_two_same_type", "server_name_malformed", DECODE_ERROR),
    ("s_esni_legacy_no_sni", "server_name_absent", UNRECOGNIZED_NAME),
    ("s_http_get", "not_tls", b"")])
def test_refusal_says_why(origin, name, reason, alert):
    p = Proxy("--allow", f"allowed.test:{origin.port}+private", "--resolve",
              "allowed.test:127.0.0.2")
    try:
        got, answer = deliver(p, origin, hello(name), whole)
        assert got == b"" and answer == alert
        close = p.wait_record("close")
        assert close["verdict"] == "deny" and close["reason"] == reason
        assert close["bytes_up"] == 0 and close["bytes_down"] == 0
        decisions = p.records("decision")
        assert [d["verdict"] for d in decisions] == ["allow", "deny"]
        assert decisions[1]["reason"] == reason
        assert decisions[0]["conn"] == decisions[1]["conn"] == close["conn"]
    finally:
        p.close()


def test_a_listed_name_that_is_not_the_host_is_refused(proxy, origin):
    number = origin.count()
    sock, head = proxy.open("other.test", origin.port,
                            early=hello("s_base_tls13"))
    assert status(head) == 200
    assert drained(sock) == UNRECOGNIZED_NAME
    visit = origin.wait_visit(number)
    assert visit.ended.wait(20) and visit.received == b""
    record = proxy.wait_record("decision", verdict="deny", host="other.test")
    assert record["server_name"] == "allowed.test"
    assert record["reason"] == "server_name_mismatch"


def test_early_data_is_judged_too(proxy, origin):
    number = origin.count()
    data = hello("s_base_denied")
    sock, head = proxy.open("allowed.test", origin.port, early=data)
    assert status(head) == 200
    assert drained(sock) == UNRECOGNIZED_NAME
    visit = origin.wait_visit(number)
    assert visit.ended.wait(20) and visit.received == b""


def test_hello_time_is_total(proxy, origin):
    """One byte at a time does not extend it."""
    number = origin.count()
    sock, head = proxy.open("allowed.test", origin.port)
    assert status(head) == 200
    stop = threading.Event()

    def drip():
        for byte in bytewise(hello("s_base_tls13")):
            if stop.wait(0.2):
                return
            try:
                sock.sendall(byte)
            except OSError:
                return

    thread = threading.Thread(target=drip)
    thread.start()
    answer = drained(sock)
    stop.set()
    thread.join()
    assert answer == b""
    record = proxy.wait_record("decision", reason="hello_timeout")
    assert record["verdict"] == "deny"
    visit = origin.wait_visit(number)
    assert visit.ended.wait(20) and visit.received == b""


ECH = [("c_nss_ech_real_outer_front", False),
       ("c_nss_ech_real_outer_allowed_inner_denied", True),
       ("c_nss_ech_grease", True), ("c_chromium156", True),
       ("s_ech_no_sni", False), ("s_ech_outer_front", False)]


@pytest.mark.parametrize("knob", ["allow", "deny"])
def test_the_outer_name_decides_and_ech_can_be_denied(origin, knob):
    p = Proxy("--allow", f"allowed.test:{origin.port}+private", "--resolve",
              "allowed.test:127.0.0.2", policy=f"tls = {{ ech = \"{knob}\"; "
              "};")
    try:
        for count, (name, passes) in enumerate(ECH, 1):
            data = hello(name)
            got, answer = deliver(p, origin, data, whole)
            close = p.wait_record("close", count=count)
            assert close["ech"] is True
            if passes and knob == "allow":
                assert got == data and close["verdict"] == "allow"
            else:
                assert got == b"" and close["verdict"] == "deny"
            if passes and knob == "deny":
                assert close["reason"] == "server_name_encrypted"
                assert answer == ACCESS_DENIED
    finally:
        p.close()


# --- HelloRetryRequest, with real TLS ends

@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    key, cert = str(folder / "key.pem"), str(folder / "cert.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048",
                    "-nodes", "-keyout", key, "-out", cert, "-days", "2",
                    "-subj", "/CN=allowed.test", "-addext",
                    "subjectAltName=DNS:allowed.test"],
                   check=True, capture_output=True)
    return key, cert


def hrr_server(certificate, seen):
    """A server that wants P-384 while clients offer X25519 first: it answers
    the first hello with a HelloRetryRequest."""
    key, cert = certificate

    def script(visit):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
        context.set_ecdh_curve("secp384r1")
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.sni_callback = lambda sock, name, ctx: seen.append(name)
        try:
            with context.wrap_socket(visit.sock, server_side=True) as tls:
                tls.sendall(b"hello " + tls.recv(100))
        except ssl.SSLError:
            pass

    return script


def test_a_tunnel_survives_a_hello_retry_request(certificate):
    seen = []
    origin = Origin(script=hrr_server(certificate, seen))
    p = Proxy("--allow", f"allowed.test:{origin.port}+private", "--resolve",
              "allowed.test:127.0.0.2")
    try:
        sock, head = p.open("allowed.test", origin.port)
        assert status(head) == 200
        context = ssl.create_default_context(cafile=certificate[1])
        with context.wrap_socket(sock, server_hostname="allowed.test") as tls:
            tls.sendall(b"world")
            assert tls.recv(100) == b"hello world"
        assert seen and set(seen) == {"allowed.test"}
        assert p.wait_record("close")["verdict"] == "allow"
    finally:
        p.close()
        origin.close()


class SecondHello:
    """Between a TLS client and the proxy: changes the name in the second
    ClientHello, as a hostile client would."""

    def __init__(self, sock):
        self.sock = sock
        self.here, self.there = socket.socketpair()
        threading.Thread(target=self._up, daemon=True).start()
        threading.Thread(target=self._down, daemon=True).start()

    @staticmethod
    def _change(data):
        return data.replace(b"allowed.test", b"another.test")

    def _up(self):
        first = self.there.recv(65536)
        self.sock.sendall(first)
        while True:
            data = self.there.recv(65536)
            if not data:
                return
            try:
                self.sock.sendall(self._change(data))
            except OSError:
                return

    def _down(self):
        while True:
            try:
                data = self.sock.recv(65536)
            except OSError:
                data = b""
            if not data:
                self.there.shutdown(socket.SHUT_WR)
                return
            self.there.sendall(data)


def test_another_name_in_the_second_hello_is_refused(certificate):
    seen = []
    origin = Origin(script=hrr_server(certificate, seen))
    p = Proxy("--allow", f"allowed.test:{origin.port}+private", "--resolve",
              "allowed.test:127.0.0.2")
    try:
        sock, head = p.open("allowed.test", origin.port)
        assert status(head) == 200
        middle = SecondHello(sock)
        context = ssl.create_default_context(cafile=certificate[1])
        with pytest.raises(OSError):
            context.wrap_socket(middle.here, server_hostname="allowed.test")
        close = p.wait_record("close")
        assert close["verdict"] == "deny"
        assert close["reason"] == "server_name_mismatch"
        assert close["server_name"] == "another.test"
        assert "another.test" not in seen
        denied = p.wait_record("decision", verdict="deny")
        assert denied["server_name"] == "another.test"
    finally:
        p.close()
        origin.close()


def test_a_second_hello_in_the_first_flight_waits(proxy, origin):
    """Held until the server has spoken; this one never does."""
    first, second = hello("s_base_tls13"), hello("s_hrr_flight2_denied")
    got, _ = deliver(proxy, origin, first + second, whole)
    assert got == first


SERVER_HELLO = bytes([22, 3, 3, 0, 42, 2, 0, 0, 38, 3, 3]) + bytes(
    range(1, 33)) + bytes([0, 0x13, 0x01, 0])


def test_what_is_held_goes_before_the_end_of_the_client():
    """A client that shuts its sending side must not lose the bytes that wait
    for the server's answer."""
    has_first, may_answer = threading.Event(), threading.Event()

    def script(visit):
        size = len(hello("s_base_tls13"))
        while len(visit.received) < size:
            visit.received += visit.sock.recv(65536)
        has_first.set()
        assert may_answer.wait(20)
        visit.sock.sendall(SERVER_HELLO)
        record_all(visit)

    origin = Origin(script=script)
    proxy = Proxy("--allow", f"allowed.test:{origin.port}+private",
                  "--resolve", "allowed.test:127.0.0.2")
    try:
        first = hello("s_base_tls13")
        sock, head = proxy.open("allowed.test", origin.port)
        assert status(head) == 200
        sock.sendall(first + first)
        sock.shutdown(socket.SHUT_WR)
        visit = origin.wait_visit()
        assert has_first.wait(20)
        may_answer.set()
        assert drained(sock) == SERVER_HELLO
        assert visit.ended.wait(20)
        assert visit.received == first + first
    finally:
        proxy.close()
        origin.close()
