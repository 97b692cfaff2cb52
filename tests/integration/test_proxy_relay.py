# SPDX-License-Identifier: MIT
"""Relay: half-close, exact counts, back-pressure, idle time."""
import hashlib
import os
import socket
import threading

import pytest

from proxy_harness import (Origin, Proxy, hello, read_until_eof, record_all,
                           status, stopwatch)

MIB = 1048576


def start(script, *flags, policy=None, protocol="tcp"):
    origin = Origin(script=script)
    p = Proxy("--allow", f"raw.test:{origin.port}/{protocol}+private",
              "--resolve", "raw.test:127.0.0.2", *flags, policy=policy)
    return origin, p


def test_the_clients_end_is_not_the_tunnels_end():
    """C03: the origin answers only after the client's FIN."""
    data = hello("s_base_tls13")

    def script(visit):
        record_all(visit)
        for _ in range(64):
            visit.sock.sendall(b"x" * 16384)

    origin = Origin(script=script)
    p = Proxy("--allow", f"allowed.test:{origin.port}+private", "--resolve",
              "allowed.test:127.0.0.2")
    try:
        sock, head = p.open("allowed.test", origin.port)
        assert status(head) == 200
        # application data, which may pass before the server has spoken
        up = data + b"\x17\x03\x03\x00\x64" + b"a" * 100
        sock.sendall(up)
        sock.shutdown(socket.SHUT_WR)
        assert read_until_eof(sock) == b"x" * MIB
        sock.close()
        assert origin.visits[0].received == up
        close = p.wait_record("close")
        assert close["bytes_up"] == len(up) and close["bytes_down"] == MIB
    finally:
        p.close()
        origin.close()


def test_the_origins_end_is_not_the_tunnels_end():
    sent = threading.Event()

    def script(visit):
        visit.sock.sendall(b"y" * MIB)
        visit.sock.shutdown(socket.SHUT_WR)
        sent.set()
        record_all(visit)

    origin, p = start(script)
    try:
        sock, head = p.open("raw.test", origin.port)
        assert status(head) == 200
        assert read_until_eof(sock) == b"y" * MIB
        for _ in range(64):
            sock.sendall(b"z" * 16384)
        sock.shutdown(socket.SHUT_WR)
        assert origin.visits[0].ended.wait(20)
        assert origin.visits[0].received == b"z" * MIB
        close = p.wait_record("close")
        assert (close["bytes_up"], close["bytes_down"]) == (MIB, MIB)
        sock.close()
    finally:
        p.close()
        origin.close()


@pytest.mark.parametrize("chunk", [1, 100, 4096, 32768, 32769, 300000])
def test_bytes_arrive_unchanged_both_ways_at_once(chunk):
    total = 65536 if chunk == 1 else 8 * MIB
    payload = os.urandom(total)

    def pump(sock, data):
        for at in range(0, len(data), chunk):
            sock.sendall(data[at:at + chunk])
        sock.shutdown(socket.SHUT_WR)

    def script(visit):
        thread = threading.Thread(target=pump, args=(visit.sock, payload))
        thread.start()
        record_all(visit)
        thread.join()

    origin, p = start(script)
    try:
        sock, head = p.open("raw.test", origin.port)
        assert status(head) == 200
        thread = threading.Thread(target=pump, args=(sock, payload))
        thread.start()
        down = read_until_eof(sock)
        thread.join()
        assert origin.visits[0].ended.wait(20)
        digest = hashlib.sha256(payload).digest()
        assert hashlib.sha256(down).digest() == digest
        assert hashlib.sha256(origin.visits[0].received).digest() == digest
        close = p.wait_record("close")
        assert (close["bytes_up"], close["bytes_down"]) == (total, total)
        sock.close()
    finally:
        p.close()
        origin.close()


def has_sanitizer(p):
    """Freed memory is kept for a while there, so that use of it is seen."""
    with open(f"/proc/{p.process.pid}/maps", encoding="ascii") as f:
        return "libasan" in f.read()


def rss_kib(p):
    with open(f"/proc/{p.process.pid}/status", encoding="ascii") as f:
        for line in f:
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
    raise AssertionError("no VmRSS")


def test_an_origin_that_never_reads_stops_the_client():
    release = threading.Event()

    def script(visit):
        release.wait(20)
        record_all(visit)

    origin, p = start(script)
    try:
        sock, head = p.open("raw.test", origin.port)
        assert status(head) == 200
        before = rss_kib(p)
        sock.settimeout(1.0)
        sent = 0
        with pytest.raises(socket.timeout):
            while sent < 1 << 30:
                sent += sock.send(b"w" * 65536)
        assert sent < 64 * MIB  # kernel buffers, no more
        assert rss_kib(p) - before < (32768 if has_sanitizer(p) else 1024)
        cpu = p.cpu_seconds()
        release.set()
        sock.settimeout(20)
        sock.shutdown(socket.SHUT_WR)
        assert read_until_eof(sock) == b""
        assert len(origin.visits[0].received) == sent
        assert p.wait_record("close")["bytes_up"] == sent
        assert cpu < (5.0 if has_sanitizer(p) else 1.0)
        sock.close()
    finally:
        release.set()
        p.close()
        origin.close()


def test_a_reset_is_passed_on():
    def script(visit):
        visit.sock.recv(10)
        visit.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                              b"\1\0\0\0\0\0\0\0")

    origin, p = start(script)
    try:
        sock, head = p.open("raw.test", origin.port)
        assert status(head) == 200
        sock.sendall(b"go")
        with pytest.raises(ConnectionResetError):
            sock.recv(10)
        p.wait_record("close")
        sock.close()
    finally:
        p.close()
        origin.close()


def test_idle_time_counts_both_ways_together():
    def script(visit):
        for _ in range(8):
            threading.Event().wait(0.25)
            visit.sock.sendall(b".")
        record_all(visit)

    origin, p = start(script, policy="proxy = { idle_timeout = \"1s\"; };")
    try:
        sock, head = p.open("raw.test", origin.port)
        assert status(head) == 200
        watch = stopwatch()
        assert read_until_eof(sock) == b"." * 8
        assert 2.5 < watch() < 8
        p.wait_record("close")
        sock.close()
    finally:
        p.close()
        origin.close()


def test_a_hundred_tunnels_at_once():
    origin, p = start(lambda visit: visit.sock.sendall(visit.sock.recv(100)))
    try:
        socks = [p.open("raw.test", origin.port)[0] for _ in range(100)]
        for i, sock in enumerate(socks):
            sock.sendall(b"%d" % i)
        for i, sock in enumerate(socks):
            assert read_until_eof(sock) == b"%d" % i
            sock.close()
        p.wait_record("close", count=100)
    finally:
        p.close()
        origin.close()
