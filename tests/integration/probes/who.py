# SPDX-License-Identifier: MIT
"""who: asks the proxy for denied.test in the way of one word, and says its pid.

plain: and waits for the answer; child: a child does, with our socket; gone:
closes the socket at once; hidden: cannot be looked at; thread: its descriptors
are a thread's own; many N: N connections, one after another.
"""

import ctypes
import os
import socket
import sys
import threading

PR_SET_DUMPABLE, CLONE_FILES = 4, 0x400
REQUEST = b"CONNECT denied.test:443 HTTP/1.0\r\n\r\n"
LIBC = ctypes.CDLL(None, use_errno=True)


def connect():
    host, port = os.environ["https_proxy"].rsplit("/", 1)[-1].rsplit(":", 1)
    return socket.create_connection((host, int(port)), 10)


def ask(sock):
    sock.sendall(REQUEST)
    head = b""
    while chunk := sock.recv(4096):
        head += chunk
    assert head.startswith(b"HTTP/1.1 403"), head


def in_child():
    sock = connect()
    pid = os.fork()
    if pid == 0:
        ask(sock)
        os._exit(0)
    sock.close()
    os.waitpid(pid, 0)
    print(os.getpid(), pid)


def in_thread():
    def run():
        assert LIBC.unshare(CLONE_FILES) == 0
        ask(connect())
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    print(os.getpid())


def main(way, count="1"):
    if way == "child":
        in_child()
        return
    if way == "thread":
        in_thread()
        return
    if way == "hidden":
        assert LIBC.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0
    for _ in range(int(count)):
        sock = connect()
        if way != "gone":
            ask(sock)
        sock.close()
    print(os.getpid())


main(*sys.argv[1:])
