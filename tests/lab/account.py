# SPDX-License-Identifier: MIT
"""account: a throw-away ordinary user, for tests that run as root.

    account.py make NAME | remove NAME

By hand a test makes its own. Under ctest all share one, made before the first
and removed after the last: the user database changes under no running test.
"""

import os
import pwd
import shutil
import subprocess
import sys


class Account:
    def __init__(self, name=None, home="/nonexistent"):
        self.name = name or f"exeat-t{os.getpid()}"
        try:
            entry = pwd.getpwnam(self.name)
        except KeyError:
            self._make(home)
            entry = pwd.getpwnam(self.name)
        self.uid, self.gid = entry.pw_uid, entry.pw_gid

    def _make(self, home):
        for command in (
                ["useradd", "--no-log-init", "--no-create-home", "--user-group",
                 "--home-dir", home, "--shell", "/bin/sh", self.name],
                ["adduser", "-D", "-H", "-h", home, "-s", "/bin/sh", self.name]):
            if shutil.which(command[0]):
                subprocess.run(command, check=True, capture_output=True,
                               stdin=subprocess.DEVNULL)
                break

    def remove(self):
        for command in (["userdel", self.name], ["deluser", self.name]):
            if shutil.which(command[0]):
                subprocess.run(command, check=True, capture_output=True,
                               stdin=subprocess.DEVNULL)
                return


if __name__ == "__main__" and os.geteuid() == 0:
    account = Account(sys.argv[2])
    if sys.argv[1] == "remove":
        account.remove()
