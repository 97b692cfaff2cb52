# SPDX-License-Identifier: MIT
"""Tries what each line of its input says ("OP PATH"), and prints ok or the
error's name for each."""

import errno
import os
import socket
import sys


def read(path):
    with open(path, "rb") as file:
        file.read(1)


def write(path):
    with open(path, "ab") as file:
        file.write(b"written\n")


def connect(path):
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(5)
        sock.connect(path)


def tcp(port):
    socket.create_connection(("127.0.0.1", int(port)), 5).close()


OPS = {
    "read": read,
    "write": write,
    "list": os.listdir,
    "stat": os.lstat,
    "delete": os.unlink,
    "rename": lambda path: os.rename(path, path + ".moved"),
    "link": lambda path: os.link(path, "linked"),
    "connect": connect,
    "tcp": tcp,
}

for line in sys.stdin.read().splitlines():
    op, _, path = line.partition(" ")
    try:
        OPS[op](path)
        print("ok")
    except OSError as error:
        print(errno.errorcode.get(error.errno, str(error)))
