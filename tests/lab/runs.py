# SPDX-License-Identifier: MIT
"""runs: exeat, started as somebody, from programs that everybody can reach."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from lab import schema

PROGRAMS = ("exeat", "exeat-proxy", "exeat-init", "exeat-connect", "exeat-fence",
            "exeat-doctor", "exeat-prove", "exeat-audit", "exeat-ps",
            "exeat-kill")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PYTHON = "/usr/bin/python3"


class Lab:
    """A folder below /tmp that every user can reach, with the programs in it:
    a checkout may lie below a folder that is closed to others."""

    def __init__(self, build_bin):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="exeat-test-",
                                                  dir="/tmp"))
        self.root.chmod(0o755)
        self.bin = self.root / "bin"
        self.bin.mkdir()
        for name in PROGRAMS:
            if (pathlib.Path(build_bin) / name).exists():
                shutil.copy2(pathlib.Path(build_bin) / name, self.bin / name)

    def folder(self, prefix, uid=None, gid=None, mode=0o755):
        path = pathlib.Path(tempfile.mkdtemp(prefix=prefix + "-", dir=self.root))
        path.chmod(mode)
        if uid is not None:
            os.chown(path, uid, gid)
        return path

    def remove(self):
        shutil.rmtree(self.root, ignore_errors=True)


class Runner:
    """exeat as one user: with a home, a working folder and a state folder.

    @uid None: whoever runs this.
    """

    def __init__(self, lab, uid=None, gid=None, name="root"):
        self.lab, self.uid, self.gid, self.name = lab, uid, gid, name
        self.home = lab.folder("home", uid, gid, 0o700)
        self.work = lab.folder("work", uid, gid)
        self.state = self.home / "state"
        self.env = {"PATH": PATH, "HOME": str(self.home), "LANG": "C.UTF-8",
                    "USER": name, "LOGNAME": name,
                    "XDG_STATE_HOME": str(self.state)}
        if "ASAN_OPTIONS" in os.environ:
            self.env["ASAN_OPTIONS"] = os.environ["ASAN_OPTIONS"]

    @property
    def program(self):
        return str(self.lab.bin / "exeat")

    def popen(self, words, env=None, **keywords):
        """Any command, as this user, in its working folder."""
        settings = {"cwd": self.work, "env": {**self.env, **(env or {})},
                    "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                    "stderr": subprocess.PIPE}
        if self.uid is not None:
            settings.update(user=self.uid, group=self.gid, extra_groups=[])
        return subprocess.Popen([str(word) for word in words],
                                **{**settings, **keywords})

    def call(self, words, timeout=30, input=None, **keywords):
        """The same, until it ends: .returncode, .stdout, .stderr (text)."""
        if input is not None:
            keywords["stdin"] = subprocess.PIPE
        with self.popen(words, **keywords) as process:
            try:
                out, err = process.communicate(input, timeout)
            except BaseException:
                process.kill()
                raise
        return Result(process.returncode, out or b"", err or b"")

    def run(self, flags, command, **keywords):
        """exeat run FLAGS -- COMMAND"""
        return self.call([self.program, "run", *flags, "--", *command], **keywords)

    def start(self, flags, command, **keywords):
        return self.popen([self.program, "run", *flags, "--", *command],
                          **keywords)

    def give(self, path, name=None):
        """A copy of a file in the working folder; its name there."""
        target = self.work / (name or pathlib.Path(path).name)
        shutil.copyfile(path, target)
        if self.uid is not None:
            os.chown(target, self.uid, self.gid)
        return target.name

    def check_records(self):
        """Whatever a test did: each record is what the schema says."""
        for path in self.state.glob("exeat/runs/*.jsonl"):
            schema.check_lines(path.read_text(), path.name)

    def records(self):
        """The audit records of every run so far."""
        return [json.loads(line)
                for path in sorted(self.state.glob("exeat/runs/*.jsonl"))
                for line in path.read_text().splitlines()]


class Result:
    def __init__(self, returncode, out, err):
        self.returncode, self.out, self.err = returncode, out, err
        self.stdout = out.decode("utf-8", "replace")
        self.stderr = err.decode("utf-8", "replace")

    def __repr__(self):
        return f"exit {self.returncode}\n{self.stdout}\n{self.stderr}"
