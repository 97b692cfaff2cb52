# SPDX-License-Identifier: MIT
"""servers: real PostgreSQL and Redis on 127.0.0.2, for as long as a test."""

import glob
import os
import pathlib
import shutil
import socket
import subprocess
import time

POSTGRES = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1:]
DEADLINE = 60


def postgres_program(name):
    """The program itself; distributions put a wrapper before it."""
    return os.path.join(POSTGRES[0], name) if POSTGRES else shutil.which(name)


def free_port(address):
    with socket.socket() as sock:
        sock.bind((address, 0))
        return sock.getsockname()[1]


class Server:
    """@account: who runs it, or None; what it writes is in @folder."""

    address = "127.0.0.2"

    def __init__(self, folder, account=None):
        self.folder = pathlib.Path(folder)
        self.who = {}
        if account is not None:
            os.chown(self.folder, account.uid, account.gid)
            self.who = {"user": account.uid, "group": account.gid,
                        "extra_groups": []}
        self.port = free_port(self.address)
        self.process = self.start()
        self._wait()

    def call(self, *words):
        subprocess.run(words, check=True, capture_output=True, cwd=self.folder,
                       stdin=subprocess.DEVNULL, timeout=DEADLINE, **self.who)

    def popen(self, *words):
        return subprocess.Popen(words, cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, **self.who)

    def _wait(self):
        """Until it takes connections, or has ended."""
        end = time.monotonic() + DEADLINE
        while self.process.poll() is None and time.monotonic() < end:
            with socket.socket() as sock:
                if sock.connect_ex((self.address, self.port)) == 0:
                    return
        raise RuntimeError(f"{type(self).__name__} did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(DEADLINE)


class Postgres(Server):
    def start(self):
        data = str(self.folder / "data")
        self.call(postgres_program("initdb"), "-D", data, "-U", "someone",
                  "--auth=trust", "--no-sync")
        return self.popen(
            postgres_program("postgres"), "-D", data, "-p", str(self.port),
            "-c", f"listen_addresses={self.address}", "-c",
            f"unix_socket_directories={self.folder}", "-c", "fsync=off")


class Redis(Server):
    def start(self):
        return self.popen("redis-server", "--bind", self.address, "--port",
                          str(self.port), "--save", "", "--dir", str(self.folder))
