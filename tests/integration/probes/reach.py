# SPDX-License-Identifier: MIT
"""reach: tries ways out that ask no proxy. Words: kind=target; one JSON object
of outcomes: "open" where the way is open, else why it is not."""

import ctypes
import errno
import json
import os
import socket
import struct
import sys

SECONDS = 3
MSG_FASTOPEN = 0x20000000
IPPROTO_MPTCP, IPPROTO_SCTP = 262, 132


def split(target):
    address, port = target.rsplit(":", 1)
    return (address.strip("[]"), int(port))


def family(address):
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def converse(sock):
    """Whoever accepts is not yet whoever was meant: a listener of the tests
    reads to the end and closes, and what was captured is reset."""
    sock.sendall(b"reached")
    sock.shutdown(socket.SHUT_WR)
    while sock.recv(512):
        pass


def connect(target, kind=socket.SOCK_STREAM, protocol=0):
    address, port = split(target)
    with socket.socket(family(address), kind, protocol) as sock:
        sock.settimeout(SECONDS)
        sock.connect((address, port))
        if kind == socket.SOCK_STREAM:
            converse(sock)
        else:
            sock.sendall(b"reached")


def tcp(target):
    connect(target)


def mptcp(target):
    connect(target, protocol=IPPROTO_MPTCP)


def sctp(target):
    connect(target, protocol=IPPROTO_SCTP)


def fastopen(target):
    address, port = split(target)
    with socket.socket(family(address)) as sock:
        sock.settimeout(SECONDS)
        sock.sendto(b"reached", MSG_FASTOPEN, (address, port))
        sock.shutdown(socket.SHUT_WR)
        while sock.recv(512):
            pass


def udp(target):
    connect(target, socket.SOCK_DGRAM)


def query(target):
    """A DNS query for x.denied.test by UDP, and an address in the answer."""
    address, port = split(target)
    with socket.socket(family(address), socket.SOCK_DGRAM) as sock:
        sock.settimeout(SECONDS)
        sock.connect((address, port))
        sock.send(struct.pack("!HHHHHH", 7, 0x100, 1, 0, 0, 0) +
                  b"\1x\6denied\4test\0" + struct.pack("!HH", 1, 1))
        answer = sock.recv(512)
        if answer[3] & 15 or not answer[7]:
            raise OSError(f"rcode {answer[3] & 15}")


def unix(target):
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(SECONDS)
        sock.connect(target.replace("@", "\0", 1) if target[0] == "@" else target)
        sock.sendall(b"reached")


def unixgram(target):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.connect(target)


def resolve(target):
    socket.getaddrinfo(target, 443)


def family_of(target):
    """Can a socket of that family be made at all?"""
    socket.socket(*map(int, target.split(":"))).close()


def ping(target):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP) as s:
        s.settimeout(SECONDS)
        s.sendto(b"\x08\0\0\0\0\0\0\0", (target, 0))
        s.recv(512)


def raw(target):
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as s:
        s.sendto(b"\x08\0\0\0\0\0\0\0", (target, 0))


def fd(target):
    """Use an inherited descriptor: connect it as a socket, or list through it."""
    number, where = target.split(",")
    if where == "list":
        os.listdir(f"/proc/self/fd/{number}")
        os.stat(f"/proc/self/fd/{number}/.")
        return
    sock = socket.socket(fileno=int(number))
    sock.settimeout(SECONDS)
    sock.connect(split(where))
    sock.sendall(b"reached")


def io_uring(_target):
    """io_uring_setup(2), which would make sockets that seccomp does not see."""
    libc = ctypes.CDLL(None, use_errno=True)
    params = ctypes.create_string_buffer(248)
    if libc.syscall(425, 2, params) < 0:
        raise OSError(ctypes.get_errno(), "io_uring_setup")


def attempt(kind, target):
    try:
        globals()[kind](target)
        return "open"
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error)) \
            if error.errno else str(error) or type(error).__name__


print(json.dumps({word: attempt(*word.split("=", 1)) for word in sys.argv[1:]}))
