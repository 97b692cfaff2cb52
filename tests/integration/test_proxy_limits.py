# SPDX-License-Identifier: MIT
"""Limits and faults: descriptors, time, tunnels, a full disk, signals."""
import os
import socket
import stat
import subprocess
import threading

from proxy_harness import (BIN, DEADLINE, Origin, Proxy, hello, read_head,
                           read_until_eof, record_all, status, stopwatch)


def start(*flags, **more):
    origin = Origin()
    p = Proxy("--allow", f"allowed.test:{origin.port}+private", "--resolve",
              "allowed.test:127.0.0.2", *flags, **more)
    return origin, p


def test_without_descriptors_it_waits_and_recovers():
    """C59: 300 connections that send nothing, 64 descriptors."""
    origin, p = start(limit_files=64)
    try:
        socks = []
        for _ in range(300):
            socks.append(p.connect())
        p.wait_log("accepting pauses")
        before, watch = p.cpu_seconds(), stopwatch()
        # Connections without a request make way after a second.
        p.wait_record("decision", count=60, reason="http_request_error")
        assert p.cpu_seconds() - before < 0.1 * watch() + 0.05
        assert len([x for x in p.log if "accepting pauses" in x]) \
            <= watch() + 2
        assert any("limit is" in x for x in p.log)
        for sock in socks:
            sock.close()
        sock, head = p.open("allowed.test", origin.port)
        assert status(head) == 200
        sock.close()
    finally:
        p.close()
        origin.close()


def test_tunnels_above_the_limit_are_told_so():
    origin, p = start(policy="proxy = { max_tunnels = 2; };")
    try:
        first = [p.open("allowed.test", origin.port) for _ in range(2)]
        assert [status(head) for _, head in first] == [200, 200]
        sock, head = p.open("allowed.test", origin.port)
        sock.close()
        assert status(head) == 503
        assert b"connection_limit_reached" in head
        first[0][0].close()
        p.wait_record("close")
        sock, head = p.open("allowed.test", origin.port)
        assert status(head) == 200
        sock.close()
        first[1][0].close()
    finally:
        p.close()
        origin.close()


def from_address(p, address):
    sock = socket.create_connection((p.host, p.port), DEADLINE, (address, 0))
    return sock


def ask_from(p, origin, address):
    sock = from_address(p, address)
    sock.sendall(f"CONNECT allowed.test:{origin.port} HTTP/1.0\r\n\r\n"
                 .encode())
    return sock, read_head(sock)


def test_one_client_cannot_take_all_tunnels():
    origin, p = start(policy="proxy = { max_client_tunnels = 2; };")
    try:
        first = [ask_from(p, origin, "127.0.0.7") for _ in range(2)]
        assert [status(head) for _, head in first] == [200, 200]
        sock, head = ask_from(p, origin, "127.0.0.7")
        sock.close()
        assert status(head) == 503 and b"connection_limit_reached" in head
        for address in ("127.0.0.8", "127.0.0.9"):
            sock, head = ask_from(p, origin, address)
            sock.close()
            assert status(head) == 200
        first[0][0].close()
        p.wait_record("close", count=3)
        sock, head = ask_from(p, origin, "127.0.0.7")
        sock.close()
        assert status(head) == 200
        first[1][0].close()
    finally:
        p.close()
        origin.close()


def test_clients_of_a_unix_socket_are_users(tmp_path):
    path = tmp_path / "s"
    origin, p = start(policy="proxy = { max_client_tunnels = 1; };",
                      listen=f"unix:{path}")
    socks = []
    try:
        for want in (200, 503):
            sock = socket.socket(socket.AF_UNIX)
            sock.connect(str(path))
            sock.sendall(f"CONNECT allowed.test:{origin.port} HTTP/1.0\r\n"
                         "\r\n".encode())
            assert status(read_head(sock)) == want
            socks.append(sock)
    finally:
        for sock in socks:
            sock.close()
        p.close()
        origin.close()


def test_a_client_that_never_reads_stops_the_origin():
    stopped = threading.Event()
    sent = []

    def pour(visit):
        visit.sock.settimeout(1.0)
        try:
            while sum(sent) < 1 << 30:
                sent.append(visit.sock.send(b"w" * 65536))
        except TimeoutError:
            stopped.set()
        visit.sock.settimeout(DEADLINE)
        visit.sock.shutdown(socket.SHUT_WR)
        record_all(visit)

    origin = Origin(script=pour)
    p = Proxy("--allow", f"raw.test:{origin.port}/tcp+private", "--resolve",
              "raw.test:127.0.0.2")
    try:
        sock, head = p.open("raw.test", origin.port)
        assert status(head) == 200
        assert stopped.wait(DEADLINE) and sum(sent) < 64 << 20
        assert len(read_until_eof(sock)) == sum(sent)
        sock.close()
        assert p.wait_record("close")["bytes_down"] == sum(sent)
    finally:
        p.close()
        origin.close()


def test_a_dripped_head_ends_in_time():
    origin, p = start(policy="proxy = { head_timeout = \"1s\"; };")
    try:
        with p.connect() as sock:
            watch = stopwatch()
            sock.settimeout(0.2)
            answer = b""
            for byte in b"CONNECT allowed.test:443 HTTP/1.1\r\n" * 4:
                sock.sendall(bytes([byte]))
                try:
                    answer = sock.recv(4096)
                    break
                except TimeoutError:
                    continue
            assert status(answer) == 408
            assert watch() < 3
    finally:
        p.close()
        origin.close()


def test_what_cannot_be_recorded_is_refused():
    origin, p = start(audit="/dev/full")
    try:
        sock, head = p.open("allowed.test", origin.port,
                            early=hello("s_base_tls13"))
        sock.close()
        assert status(head) == 503
        assert b"audit_failed" in head
        visit = origin.wait_visit()
        assert visit.ended.wait(20) and visit.received == b""
        p.wait_log("audit record not written")
    finally:
        p.close()
        origin.close()


def test_unless_the_policy_says_to_continue():
    origin, p = start(audit="/dev/full",
                      policy="audit = { on_error = \"continue\"; };")
    try:
        data = hello("s_base_tls13")
        sock, head = p.open("allowed.test", origin.port, early=data)
        assert status(head) == 200
        assert origin.wait_visit().wait_bytes(len(data)) == data
        sock.close()
        p.wait_log("audit record not written")
    finally:
        p.close()
        origin.close()


def test_audit_file_is_private_appended_and_never_a_link(tmp_path):
    path = tmp_path / "audit.jsonl"
    path.write_text("{}\n", encoding="ascii")
    path.chmod(0o600)
    for count in (2, 3):
        origin, p = start(audit=str(path))
        p.ask(b"CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n")
        p.close()
        origin.close()
        assert len(path.read_text(encoding="utf-8").splitlines()) == count
    path.unlink()
    origin, p = start(audit=str(path))
    p.close()
    origin.close()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    link = tmp_path / "link"
    link.symlink_to(path)
    done = subprocess.run(
        [os.path.join(BIN, "exeat-proxy"), "--allow", "a.test", "--audit",
         str(link), "--listen-on", "127.0.0.1:0"], capture_output=True,
        timeout=20, check=False)
    assert done.returncode == 125 and b"audit file" in done.stderr


def test_sigterm_closes_tunnels_with_their_records():
    origin, p = start()
    data = hello("s_base_tls13")
    sock, head = p.open("allowed.test", origin.port, early=data)
    assert status(head) == 200
    origin.wait_visit().wait_bytes(len(data))
    p.close()
    assert read_until_eof(sock) == b""
    sock.close()
    close = p.records("close")
    assert len(close) == 1 and close[0]["bytes_up"] == len(data)
    origin.close()


def run(*words):
    return subprocess.run([os.path.join(BIN, "exeat-proxy"), *words],
                          capture_output=True, timeout=20, check=False)


def test_check_validates_and_exits():
    assert run("--check", "--allow", "a.test").returncode == 0
    bad = run("--check", "--allow", "a.test:0")
    assert bad.returncode == 125 and b"--allow a.test:0" in bad.stderr


def test_help_and_version():
    assert run("--version").stdout.startswith(b"exeat-proxy ")
    text = run("--help").stdout
    for word in (b"--listen-on", b"--allow", b"--audit", b"--check"):
        assert word in text


def test_nowhere_to_listen_says_what_to_give():
    done = run("--allow", "a.test")
    assert done.returncode == 125 and b"--listen-on" in done.stderr


def test_a_unix_socket_serves_its_owner_only(tmp_path):
    path = tmp_path / "s"
    p = Proxy("--allow", "a.test", listen=f"unix:{path}")
    try:
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    finally:
        p.close()
    assert not path.exists()
