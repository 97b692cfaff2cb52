# SPDX-License-Identifier: MIT
"""many: opens N TLS tunnels to HOST:PORT, holds them all, and uses each."""

import os
import socket
import ssl
import sys

proxy = os.environ["https_proxy"].removeprefix("http://").split(":")
target, count = sys.argv[1], int(sys.argv[2])
context = ssl.create_default_context(cafile="ca.pem")

tunnels = []
for _ in range(count):
    sock = socket.create_connection((proxy[0], int(proxy[1])), 20)
    sock.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
    head = b""
    while b"\r\n\r\n" not in head:
        head += sock.recv(1)
    assert head.startswith(b"HTTP/1.1 200 "), head
    tunnels.append(context.wrap_socket(sock, server_hostname=target.split(":")[0]))
print(f"{count} open", flush=True)
sys.stdin.readline()

answered = 0
for tunnel in tunnels:
    tunnel.sendall(b"GET / HTTP/1.1\r\nHost: site.test\r\n\r\n")
for tunnel in tunnels:
    answer = b""
    while data := tunnel.recv(4096):
        answer += data
    answered += answer.endswith(b"hello from site.test\n")
print(f"{answered} answered")
