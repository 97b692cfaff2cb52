# SPDX-License-Identifier: MIT
"""tokens: one connection after another through the proxy to argv[1], each with
a line of its own, for ever."""

import os
import socket
import sys
import urllib.parse

proxy = urllib.parse.urlsplit(os.environ["HTTPS_PROXY"])
number = 0
while True:
    with socket.create_connection((proxy.hostname, proxy.port), 20) as sock:
        sock.sendall(f"CONNECT {sys.argv[1]} HTTP/1.0\r\n\r\n".encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            part = sock.recv(4096)
            if not part:
                sys.exit(1)
            answer += part
        if not answer.startswith(b"HTTP/1.1 200"):
            sys.exit(answer.decode())
        sock.sendall(f"token {number}\n".encode())
        sock.recv(1)
        number += 1
