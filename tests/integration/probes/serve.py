# SPDX-License-Identifier: MIT
"""serve ADDRESS PORT [COUNT]: answers each line of COUNT connections (1), one after
another, with the same line."""

import socket
import sys


def serve_one(server):
    client, _ = server.accept()
    with client, client.makefile("rwb") as stream:
        for line in stream:
            stream.write(b"echo " + line)
            stream.flush()


def main(address, port, count="1"):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind((address, int(port)))
        server.listen()
        print("up", flush=True)
        for _ in range(int(count)):
            serve_one(server)


main(*sys.argv[1:])
