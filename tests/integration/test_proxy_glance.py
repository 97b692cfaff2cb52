# SPDX-License-Identifier: MIT
"""Where any bytes may pass, a deny rule still has its say on a name that is
shown, and nobody waits for one that is not."""
import socket

import pytest

from lab.origin import Listener
from proxy_harness import Origin, Proxy, drained, hello, read_until_eof, status

ACCESS_DENIED = bytes([21, 3, 3, 0, 2, 2, 49])


@pytest.fixture
def origin():
    recorder = Origin()
    yield recorder
    recorder.close()


def open_by_address(port, *flags):
    return Proxy("--allow", f"127.0.0.2:{port}/tcp+private", *flags)


@pytest.fixture
def proxy(origin):
    p = open_by_address(origin.port, "--deny", "allowed.test")
    yield p
    p.close()


def test_a_denied_server_name_is_refused(proxy, origin):
    sock, head = proxy.open("127.0.0.2", origin.port)
    assert status(head) == 200
    sock.sendall(hello("c_apt_https"))
    assert drained(sock) == ACCESS_DENIED
    visit = origin.wait_visit(0)
    visit.ended.wait(10)
    assert visit.received == b""
    record = proxy.wait_record("decision", verdict="deny")
    assert (record["verdict"], record["reason"], record["server_name"]) == \
        ("deny", "http_request_denied", "allowed.test")


@pytest.mark.parametrize("first", [b"\0binary", b"SSH-2.0-x\r\n", b"\x16\3"])
def test_other_bytes_pass(proxy, origin, first):
    sock, _ = proxy.open("127.0.0.2", origin.port, early=first)
    sock.shutdown(socket.SHUT_WR)
    origin.wait_visit(0).wait_bytes(len(first))
    assert origin.wait_visit(0).received == first


def test_a_name_that_no_rule_denies_passes_and_is_recorded(origin):
    p = open_by_address(origin.port, "--deny", "else.test")
    try:
        data = hello("c_apt_https")
        sock, _ = p.open("127.0.0.2", origin.port)
        for at in range(0, len(data), 100):
            sock.sendall(data[at:at + 100])
        origin.wait_visit(0).wait_bytes(len(data))
        sock.close()
        close = p.wait_record("close")
        assert close["server_name"] == "allowed.test"
        assert close["bytes_up"] == len(data)
    finally:
        p.close()


def test_a_server_that_speaks_first_is_heard():
    with Listener.tcp("127.0.0.2", serve=lambda c: c.sendall(b"220 hi\r\n")) as s:
        p = open_by_address(s.port)
        try:
            sock, _ = p.open("127.0.0.2", s.port)
            assert read_until_eof(sock) == b"220 hi\r\n"
        finally:
            p.close()
