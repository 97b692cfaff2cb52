# SPDX-License-Identifier: MIT
"""noise: what a captured connection should not be: cut, slow, reset, odd.
Words: SEED COUNT HELLO(hex) PORT; says how many it made."""

import random
import socket
import struct
import sys

seed, count, first, port = sys.argv[1:]
rng = random.Random(int(seed))
first = bytes.fromhex(first)
HTTP = b"GET / HTTP/1.1\r\nHost: site.test:%s\r\n\r\n" % port.encode()
PLACES = ["site.test", "192.0.2.7", "2001:db8::7", "198.18.0.99", "10.0.0.1",
          "127.0.0.1", "fd00:6578:6561:74::1", "fd00:6578:6561:74::ffff"]


def pieces(data):
    at = 0
    while at < len(data):
        step = rng.choice([1, 2, 5, 50, 2000])
        yield data[at:at + step]
        at += step


def mangled(data):
    data = bytearray(data)
    for _ in range(rng.randrange(4)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data[:rng.randrange(len(data) + 1)])


def one():
    said = rng.choice([first, HTTP, b"SSH-2.0-x\r\n", rng.randbytes(40), b""])
    if said and rng.random() < 0.7:
        said = mangled(said)
    where = (rng.choice(PLACES), rng.choice([int(port), 53, 443, 80, 17081]))
    with socket.create_connection(where, 2) as sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for piece in pieces(said):
            sock.sendall(piece)
        end = rng.randrange(4)
        if end == 0:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                            struct.pack("ii", 1, 0))
        elif end == 1:
            sock.shutdown(socket.SHUT_WR)
            sock.settimeout(2)
            while sock.recv(4096):
                pass


made = 0
for _ in range(int(count)):
    try:
        one()
        made += 1
    except OSError:
        pass
print("made", made > 0)
