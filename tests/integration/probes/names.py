# SPDX-License-Identifier: MIT
"""names: DNS questions by hand. Words: TYPE NAME SERVER [tcp|bound]; each line
of standard input is one; prints the code and the answers, or why there is none.
"bound" asks by a socket that is not connected, and looks who answers."""

import ipaddress
import socket
import struct
import sys

TYPES = {"A": 1, "MX": 15, "TXT": 16, "AAAA": 28, "PTR": 12, "SVCB": 64,
         "HTTPS": 65, "ANY": 255, "NS": 2, "SRV": 33}


def question(kind, name):
    labels = b"".join(bytes([len(label)]) + label.encode()
                      for label in name.strip(".").split(".") if label)
    return struct.pack("!HHHHHH", 77, 0x100, 1, 0, 0, 0) + labels + b"\0" + \
        struct.pack("!HH", TYPES[kind], 1)


def by_tcp(family, server, query):
    with socket.socket(family) as sock:
        sock.settimeout(3)
        sock.connect((server, 53))
        # Two at once: both are answered.
        message = struct.pack("!H", len(query)) + query
        sock.sendall(message + message)
        stream = sock.makefile("rb")
        answers = [stream.read(struct.unpack("!H", stream.read(2))[0])
                   for _ in range(2)]
        assert answers[0] == answers[1]
        return answers[0]


def by_udp(family, server, query, bound):
    with socket.socket(family, socket.SOCK_DGRAM) as sock:
        sock.settimeout(3)
        if not bound:
            sock.connect((server, 53))
            sock.send(query)
            return sock.recv(4096)
        sock.sendto(query, (server, 53))
        answer, sender = sock.recvfrom(4096)
        assert ipaddress.ip_address(sender[0]) == ipaddress.ip_address(server)
        return answer


def read_name(data, at):
    labels = []
    while data[at]:
        labels.append(data[at + 1:at + 1 + data[at]].decode())
        at += 1 + data[at]
    return ".".join(labels)


def show(query, answer):
    assert answer[:2] == query[:2] and answer[12:len(query)] == query[12:]
    count = struct.unpack_from("!H", answer, 6)[0]
    words = [{0: "ok", 2: "servfail", 3: "nxdomain"}.get(answer[3] & 15,
                                                         answer[3] & 15)]
    for _ in range(count):
        kind, _, _, size = struct.unpack_from("!HHIH", answer, len(query) + 2)
        data = answer[len(query) + 12:len(query) + 12 + size]
        words.append(read_name(data, 0) if kind == 12
                     else str(ipaddress.ip_address(data)))
    return " ".join(map(str, words))


for line in sys.stdin:
    kind, name, server, *way = line.split()
    query = question(kind, name)
    family = socket.AF_INET6 if ":" in server else socket.AF_INET
    try:
        answer = by_tcp(family, server, query) if way == ["tcp"] \
            else by_udp(family, server, query, bool(way))
        print(show(query, answer))
    except (OSError, AssertionError) as error:
        print("failed", repr(error))
