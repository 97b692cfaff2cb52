# SPDX-License-Identifier: MIT
"""account: a throw-away ordinary user, for tests that run as root."""

import os
import pwd
import shutil
import subprocess


class Account:
    def __init__(self, home):
        self.name = f"exeat-t{os.getpid()}"
        self.home = home
        for command in (
                ["useradd", "--no-log-init", "--no-create-home", "--user-group",
                 "--home-dir", home, "--shell", "/bin/sh", self.name],
                ["adduser", "-D", "-H", "-h", home, "-s", "/bin/sh", self.name]):
            if shutil.which(command[0]):
                subprocess.run(command, check=True, capture_output=True,
                               stdin=subprocess.DEVNULL)
                break
        entry = pwd.getpwnam(self.name)
        self.uid, self.gid = entry.pw_uid, entry.pw_gid

    def remove(self):
        for command in (["userdel", self.name], ["deluser", self.name]):
            if shutil.which(command[0]):
                subprocess.run(command, check=True, capture_output=True,
                               stdin=subprocess.DEVNULL)
                return
