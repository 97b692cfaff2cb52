# SPDX-License-Identifier: MIT
"""SOCKS5 and SOCKS4a on the same port, judged alike."""
import socket
import subprocess

import pytest

from proxy_harness import Origin, Proxy, hello, read_until_eof

NAME = b"allowed.test"


@pytest.fixture(scope="module")
def origin():
    recorder = Origin()
    yield recorder
    recorder.close()


@pytest.fixture
def proxy(origin):
    p = Proxy("--allow", f"allowed.test:{origin.port}+private", "--resolve",
              "allowed.test:127.0.0.2", "--allow",
              f"127.0.0.2:{origin.port}/tcp+private", policy="proxy = { "
              "head_timeout = \"2s\"; };")
    yield p
    p.close()


def port_bytes(port):
    return port.to_bytes(2, "big")


def take(sock, count):
    data = b""
    while len(data) < count:
        chunk = sock.recv(count - len(data))
        if not chunk:
            break
        data += chunk
    return data


def socks5(name, port):
    return b"\5\1\0\3" + bytes([len(name)]) + name + port_bytes(port)


def test_socks5_with_a_name(proxy, origin):
    number = origin.count()
    data = hello("s_base_tls13")
    with proxy.connect() as sock:
        sock.sendall(b"\5\1\0")
        assert take(sock, 2) == b"\5\0"
        sock.sendall(socks5(NAME, origin.port))
        assert take(sock, 10)[:2] == b"\5\0"
        sock.sendall(data)
        assert origin.wait_visit(number).wait_bytes(len(data)) == data
    close = proxy.wait_record("close")
    assert close["via"] == "socks5" and close["server_name"] == "allowed.test"
    assert close["bytes_up"] == len(data) and close["bytes_down"] == 0


def test_socks5_with_user_and_password(proxy, origin):
    with proxy.connect() as sock:
        sock.sendall(b"\5\1\2")
        assert take(sock, 2) == b"\5\2"
        sock.sendall(b"\1\4user\6secret")
        assert take(sock, 2) == b"\1\0"
        sock.sendall(socks5(NAME, origin.port))
        assert take(sock, 10)[:2] == b"\5\0"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_everything_in_one_flight_or_in_pieces(proxy, origin, size):
    number = origin.count()
    data = hello("s_base_tls13")
    flight = b"\5\2\0\2" + socks5(NAME, origin.port) + data
    with proxy.connect() as sock:
        for at in range(0, len(flight), size):
            sock.sendall(flight[at:at + size])
        assert take(sock, 12)[:4] == b"\5\0\5\0"
        assert origin.wait_visit(number).wait_bytes(len(data)) == data


def test_socks4a_with_a_name_and_socks4_with_an_address(proxy, origin):
    with proxy.connect() as sock:
        sock.sendall(b"\4\1" + port_bytes(origin.port) + b"\0\0\0\1me\0" +
                     NAME + b"\0")
        assert take(sock, 8)[:2] == b"\0\x5a"
    with proxy.connect() as sock:
        sock.sendall(b"\4\1" + port_bytes(origin.port) +
                     socket.inet_aton("127.0.0.2") + b"\0")
        assert take(sock, 8)[:2] == b"\0\x5a"
    assert proxy.wait_record("close", count=2)["via"] == "socks4"


@pytest.mark.parametrize("name,reason", [
    (b"denied.test", "http_request_denied"),
    (b"allowed.test\0.denied.test", "http_request_error"),
    (b"127.1", "http_request_error"),
    (b"", "http_request_error")])
def test_refused_names(proxy, origin, name, reason):
    before = origin.count()
    with proxy.connect() as sock:
        sock.sendall(b"\5\1\0" + socks5(name, origin.port) +
                     socks5(NAME, origin.port))
        answer = read_until_eof(sock)
    assert answer[:2] == b"\5\0" and answer[2:4] != b"\5\0"
    assert len(answer) in (2, 12)
    assert proxy.wait_record("decision")["reason"] == reason
    assert len(proxy.everything()) == 1 and origin.count() == before


def test_bind_and_udp_are_refused(proxy):
    for command in (2, 3):
        with proxy.connect() as sock:
            sock.sendall(b"\5\1\0\5" + bytes([command]) + b"\0\1\x7f\0\0\2"
                         + port_bytes(80))
            assert read_until_eof(sock)[:4] == b"\5\0\5\7"


def test_a_dialogue_that_stops_ends_in_time(proxy):
    with proxy.connect() as sock:
        sock.sendall(b"\5\1\0")
        read_until_eof(sock)
    assert proxy.wait_record("decision")["reason"] == "http_request_error"


def test_curl_resolves_nothing_itself(proxy, origin):
    done = subprocess.run(
        ["curl", "-sS", "-m", "20", "-x",
         f"socks5h://127.0.0.1:{proxy.port}", "https://denied.test/"],
        capture_output=True, timeout=30, check=False)
    assert done.returncode == 97  # CURLE_PROXY
    assert proxy.wait_record("decision")["host"] == "denied.test"
