# SPDX-License-Identifier: MIT
"""ask: CONNECT with the first word as target, exactly as written, and print the
answer's head; then send the second word (hex) and wait for the end."""

import os
import socket
import sys

host, port = os.environ["https_proxy"].removeprefix("http://").split(":")
with socket.create_connection((host, int(port)), 10) as sock:
    sock.sendall(f"CONNECT {sys.argv[1]} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        data = sock.recv(4096)
        if not data:
            break
        answer += data
    print(answer.decode("latin-1"))
    if len(sys.argv) > 2:
        sock.sendall(bytes.fromhex(sys.argv[2]))
        try:
            while sock.recv(4096):
                pass
        except ConnectionResetError:
            pass
