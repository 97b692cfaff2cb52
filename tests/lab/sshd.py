# SPDX-License-Identifier: MIT
"""sshd: a real ssh server, started anew for each connection."""

import getpass
import pathlib
import socket
import subprocess

from .origin import Listener

SSHD = "/usr/sbin/sshd"


def is_there():
    return pathlib.Path(SSHD).exists()


class SshServer(Listener):
    """Lets whoever runs the tests in, by the key @key; serves any command.

    known_hosts(name) is the line by which a client knows it.
    """

    def __init__(self, folder, address="127.0.0.2"):
        self.folder = pathlib.Path(folder)
        self.user = getpass.getuser()
        self.key, host_key = self._make_key("id"), self._make_key("host")
        self._host_key = host_key.with_suffix(".pub").read_text().split()[:2]
        self._config = self.folder / "sshd_config"
        self._config.write_text(
            f"HostKey {host_key}\n"
            f"AuthorizedKeysFile {self.key}.pub\n"
            "StrictModes no\nUsePAM no\nPidFile none\n"
            "PasswordAuthentication no\nLogLevel QUIET\n")
        super().__init__(self._open(address), self._ssh)

    @staticmethod
    def _open(address):
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        sock.bind((address, 0))
        return sock

    def _make_key(self, name):
        path = self.folder / name
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f",
                        str(path)], check=True, stdin=subprocess.DEVNULL)
        return path

    def known_hosts(self, name):
        return f"[{name}]:{self.port} {' '.join(self._host_key)}\n"

    def _ssh(self, conn):
        pathlib.Path("/run/sshd").mkdir(exist_ok=True)
        subprocess.run([SSHD, "-i", "-f", str(self._config)], stdin=conn,
                       stdout=conn, stderr=subprocess.DEVNULL, check=False)
