# SPDX-License-Identifier: MIT
"""tap: tries what no listener of exeat's takes, a word each: KIND=ADDRESS:PORT.
Says its pid, and stays until its input ends: its sockets, too."""

import os
import socket
import sys


def attempt(word, kept):
    kind, where = word.split("=", 1)
    address, port = where.rsplit(":", 1)
    address = address.strip("[]")
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM if kind == "tcp"
                         else socket.SOCK_DGRAM)
    kept.append(sock)
    count = 50 if kind == "flood" else 1
    try:
        if kind == "tcp":
            sock.connect((address, int(port)))
        for _ in range(count if kind != "tcp" else 0):
            sock.sendto(b"x", (address, int(port)))
    except OSError:
        pass


def main(words):
    kept = []
    for word in words:
        attempt(word, kept)
    print(os.getpid(), flush=True)
    sys.stdin.read()


main(sys.argv[1:])
