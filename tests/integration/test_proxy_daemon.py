# SPDX-License-Identifier: MIT
"""As a daemon: reload whole or not at all, drain, several listeners."""
import os
import signal
import socket
import threading

from proxy_harness import Origin, Proxy, read_until_eof, status


def rule(name, port):
    return f"allow = ( {{ host = \"{name}\"; ports = [ {port} ]; protocol = " \
           "\"tcp\"; private = true; } ); resolve = ( { host = " \
           f"\"{name}\"; address = \"127.0.0.2\"; }} );"


def rewrite(p, text):
    path = os.path.join(p.folder.name, "policy.cfg")
    with open(path, "w", encoding="utf-8") as f:
        f.write("version = 1;\n" + text)
    p.process.send_signal(signal.SIGHUP)


def try_open(p, host, port):
    sock, head = p.open(host, port)
    sock.close()
    return status(head)


def test_reload_changes_the_policy_and_open_tunnels_stay():
    origin = Origin(script=lambda v: v.sock.sendall(v.sock.recv(10)))
    p = Proxy(policy=rule("a.test", origin.port))
    try:
        sock, head = p.open("a.test", origin.port)
        assert status(head) == 200
        assert try_open(p, "b.test", origin.port) == 403
        rewrite(p, rule("b.test", origin.port))
        p.wait_log("policy reloaded")
        assert try_open(p, "a.test", origin.port) == 403
        assert try_open(p, "b.test", origin.port) == 200
        sock.sendall(b"still here")
        assert read_until_eof(sock) == b"still here"
        sock.close()
        close = p.wait_record("close", host="a.test")
        assert close["rule"].endswith("policy.cfg:2")
    finally:
        p.close()
        origin.close()


def test_a_bad_file_keeps_the_old_policy():
    origin = Origin()
    p = Proxy(policy=rule("a.test", origin.port))
    try:
        rewrite(p, "allow = 5;\n")
        p.wait_log("reload refused")
        assert any("policy.cfg:2: " in line for line in p.log)
        assert try_open(p, "a.test", origin.port) == 200
    finally:
        p.close()
        origin.close()


def test_reload_may_close_what_is_open():
    origin = Origin()
    p = Proxy(policy=rule("a.test", origin.port))
    try:
        sock, head = p.open("a.test", origin.port)
        assert status(head) == 200
        rewrite(p, rule("a.test", origin.port) +
                "proxy = { reload_closes = true; };")
        assert read_until_eof(sock) == b""
        sock.close()
        p.wait_record("close")
    finally:
        p.close()
        origin.close()


def test_sigterm_lets_a_transfer_end():
    go = threading.Event()

    def script(visit):
        visit.sock.recv(10)
        for i in range(10):
            visit.sock.sendall(b"x" * 1000)
            if i == 0:
                go.set()
            threading.Event().wait(0.1)

    origin = Origin(script=script)
    p = Proxy(policy=rule("a.test", origin.port))
    try:
        sock, head = p.open("a.test", origin.port)
        assert status(head) == 200
        sock.sendall(b"go")
        assert go.wait(20)
        p.process.send_signal(signal.SIGTERM)
        assert len(read_until_eof(sock)) == 10000
        sock.close()
        assert p.process.wait(20) == 0
        p.close()
        assert p.records("close")[0]["bytes_down"] == 10000
    finally:
        origin.close()


def test_several_listeners_and_a_unix_socket(tmp_path):
    path = str(tmp_path / "s")
    p = Proxy("--listen-on", f"unix:{path}", "--allow", "a.test")
    try:
        where = p.listening.get(timeout=20)
        assert path in (p.where.removeprefix("unix:"),
                        where.removeprefix("unix:"))
        with socket.socket(socket.AF_UNIX) as sock:
            sock.connect(path)
            sock.sendall(b"CONNECT b.test:443 HTTP/1.1\r\nHost: x\r\n\r\n")
            assert status(read_until_eof(sock)) == 403
    finally:
        p.close()
