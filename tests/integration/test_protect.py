# SPDX-License-Identifier: MIT
"""What others obey or execute later, by every name that a command has for it.

Each test writes beside the protected file as well, by the same name of the
same folder: where that does not land, nothing was tried.
"""

import os
import pathlib
import shutil
import socket
import stat
import subprocess
import time

import pytest

from lab.runs import PYTHON

PROBES = pathlib.Path(__file__).parent / "probes"
COARSE = 5  # CLOCK_REALTIME_COARSE
CONTENT = "# the user's own\n"
PROJECT = [".git/config", ".git/hooks/pre-commit", ".git/HEAD", ".envrc",
           "plain", "sub/plain"]


class Project:
    """PARENT/app is the working folder; the policy and the records lie in
    PARENT."""

    def __init__(self, runner):
        self.runner = runner
        self.parent = runner.lab.folder("project", runner.uid, runner.gid)
        self.app = self.parent / "app"
        self.state = self.parent / "state"
        self.policy = self.parent / "policy.cfg"
        for name in PROJECT:
            self.put(self.app / name)
        for name in ("other/plain", "plain", "conf/policy.cfg", "logs/old"):
            self.put(self.parent / name)
        for path in (self.policy, self.parent / "conf/policy.cfg"):
            path.write_text("version = 1;\n")
        self.own()

    def put(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CONTENT)

    def own(self):
        if self.runner.uid is None:
            return
        for path in [self.parent, *self.parent.rglob("*")]:
            os.chown(path, self.runner.uid, self.runner.gid,
                     follow_symlinks=False)

    def settle(self):
        """Wait until the clock that files are stamped with has gone on from
        what is here: what is new is told by it."""
        newest = max(path.lstat().st_ctime_ns
                     for path in [self.parent, *self.parent.rglob("*")])
        while time.clock_gettime_ns(COARSE) <= newest:
            pass

    def run(self, flags, command, **keywords):
        self.settle()
        return self.runner.run(
            [str(flag) for flag in flags], command, cwd=self.app,
            env={"XDG_STATE_HOME": str(self.state)}, **keywords)

    def attempt(self, flags, steps):
        """Steps of probes/files.py, inside: {step: answer}, and the run."""
        shutil.copyfile(PROBES / "files.py", self.app / "files.py")
        text = "".join(f"{step}\n" for step in steps)
        result = self.run(flags, [PYTHON, "files.py"], input=text.encode())
        assert result.returncode == 0, result
        answers = result.stdout.split()
        assert len(answers) == len(steps), result
        return dict(zip(steps, answers)), result


@pytest.fixture
def project(exeat):
    project = Project(exeat)
    yield project
    shutil.rmtree(project.parent)


def refused(answers, steps):
    """None of these steps worked."""
    return not [step for step in steps if answers[step] == "ok"]


@pytest.mark.parametrize("flag, seen", [("--mount", "/x"), ("--write", None)])
def test_policy_and_records_by_another_name(project, flag, seen):
    """The folder that holds them is writable, elsewhere or where it is."""
    seen = seen or str(project.parent)
    value = f"{project.parent}:{seen}:rw" if flag == "--mount" else seen
    audit = project.parent / "audit.jsonl"
    tries = [f"{op} {seen}/{name}" for name in ("policy.cfg", "audit.jsonl")
             for op in ("write", "delete", "rename")]
    answers, _ = project.attempt(
        ["--policy", project.policy, "--audit", audit, flag, value],
        [*tries, f"write {seen}/plain"])
    assert refused(answers, tries), answers
    assert answers[f"write {seen}/plain"] == "ok"
    assert "written" in (project.parent / "plain").read_text()
    assert project.policy.read_text() == "version = 1;\n"
    assert '"run_exit"' in audit.read_text()


def test_policy_in_a_folder_below_a_mount(project):
    """Nor can the folder be moved away from around it."""
    tries = ["write /x/conf/policy.cfg", "rename /x/conf",
             "delete /x/conf/policy.cfg"]
    answers, _ = project.attempt(
        ["--policy", project.parent / "conf/policy.cfg",
         "--mount", f"{project.parent}:/x:rw"],
        [*tries, "write /x/conf/new"])
    assert refused(answers, tries), answers
    assert answers["write /x/conf/new"] == "ok"
    assert (project.parent / "conf/policy.cfg").read_text() == "version = 1;\n"


def test_policy_by_a_mount_of_the_host(project):
    """The host shows its folder a second time, inside what is writable."""
    alias = project.app / "alias"
    alias.mkdir()
    project.own()
    unshare = ["unshare", "-m"] if project.runner.uid is None \
        else ["unshare", "-Urm"]
    command = (f"echo x >>{alias}/policy.cfg; rm -f {alias}/policy.cfg;"
               f"echo x >{alias}/new")
    script = (f"mount --bind {project.parent}/conf {alias} && exec "
              f"{project.runner.program} run --policy "
              f"{project.parent}/conf/policy.cfg -- sh -c '{command}'")
    result = project.runner.call(
        [*unshare, "sh", "-c", script], cwd=project.app,
        env={"XDG_STATE_HOME": str(project.state)})
    assert result.returncode == 0, result
    assert (project.parent / "conf/new").read_text() == "x\n"
    assert (project.parent / "conf/policy.cfg").read_text() == "version = 1;\n"


def test_own_state_by_another_name(project):
    """Records of earlier runs, and where the next ones will be."""
    assert project.run([], ["true"]).returncode == 0
    old = next((project.state / "exeat/runs").glob("*.jsonl"))
    before = old.read_text()
    for seen, flags in (("/x", ["--mount", f"{project.parent}:/x:rw"]),
                        (project.parent, ["--write", project.parent])):
        tries = [f"write {seen}/state/exeat/runs/new",
                 f"write {seen}/state/exeat/runs/{old.name}",
                 f"delete {seen}/state/exeat/runs/{old.name}",
                 f"rename {seen}/state/exeat/runs",
                 f"rename {seen}/state/exeat", f"rename {seen}/state"]
        answers, _ = project.attempt(flags, [*tries, f"write {seen}/state/new"])
        assert refused(answers, tries), answers
        assert answers[f"write {seen}/state/new"] == "ok"
    assert old.read_text() == before


@pytest.mark.parametrize("where", ["policy", "audit", "hop", "folder"])
def test_a_link_that_the_command_could_turn(project, where):
    """It would choose the next run's policy or the place of its records."""
    flags = ["--audit", project.parent / "logs/a.jsonl"]
    link = project.app / "link"
    if where == "policy":
        link.symlink_to("../policy.cfg")
        flags = ["--policy", link]
    elif where == "hop":
        link.symlink_to("../policy.cfg")
        (project.parent / "first").symlink_to("app/link")
        flags = ["--policy", project.parent / "first"]
    elif where == "folder":
        link.symlink_to("../conf")
        flags = ["--policy", link / "policy.cfg"]
    else:
        link.symlink_to("../logs")
        flags = ["--audit", link / "a.jsonl"]
    project.own()
    result = project.run(flags, ["touch", "marker"])
    assert result.returncode == 125, result
    assert str(link) in result.stderr and "link" in result.stderr
    assert not (project.app / "marker").exists()
    # The same through a link that the command cannot turn.
    outside = project.parent / "outside"
    outside.symlink_to(project.parent / "policy.cfg")
    project.own()
    assert project.run(["--policy", outside], ["true"]).returncode == 0


def test_protected_files_by_another_name(project):
    """The working folder is also below a writable mount, and mounted twice."""
    flags = ["--mount", f"{project.parent}:/x:rw",
             "--mount", f"{project.app}:/y:rw", "--mount", f"{project.app}:/z:rw"]
    for seen in ("/x/app", "/y", "/z", str(project.app)):
        tries = [f"write {seen}/.git/config", f"write {seen}/.git/hooks/new",
                 f"write {seen}/.git/hooks/pre-commit", f"write {seen}/.envrc",
                 f"delete {seen}/.envrc", f"rename {seen}/.git/hooks",
                 f"rename {seen}/.git"]
        answers, _ = project.attempt(
            flags, [*tries, f"write {seen}/plain", f"write {seen}/.git/HEAD"])
        assert refused(answers, tries), answers
        assert answers[f"write {seen}/plain"] == "ok"
        assert answers[f"write {seen}/.git/HEAD"] == "ok"
    for name in (".git/config", ".git/hooks/pre-commit", ".envrc"):
        assert (project.app / name).read_text() == CONTENT


def test_hard_link_to_the_policy(project):
    """A second name in the working folder: not run, and said."""
    os.link(project.policy, project.app / "second")
    result = project.run(["--policy", project.policy], ["touch", "marker"])
    assert result.returncode == 125, result
    assert "hard link" in result.stderr
    assert not (project.app / "marker").exists()


def test_hard_link_to_a_protected_file(project):
    """It cannot be made inside; one that is there is told of when used."""
    answers, result = project.attempt([], ["link .git/config"])
    assert refused(answers, ["link .git/config"])
    assert ".git/config" not in result.stderr
    os.link(project.app / ".git/config", project.app / "second")
    answers, result = project.attempt([], ["write second"])
    assert answers["write second"] == "ok"
    assert f"{project.app}/.git/config" in result.stderr


PLANTED = [".git/commondir", ".git/modules/m/config", "sub/.git/config",
           ".git/modules/m/hooks/post-checkout", ".git/worktrees/w/commondir",
           "sub/.envrc", ".vscode/tasks.json", "sub/deep/.git"]


def plant(seen):
    return "".join(f"mkdir -p $(dirname {seen}/{name}); echo x >{seen}/{name};"
                   for name in PLANTED)


@pytest.mark.parametrize("seen", [None, "/x"])
def test_what_was_planted_is_told(project, seen):
    """By its name on the host, wherever the command saw it."""
    where = project.app if seen is None else project.parent / "other"
    flags = [] if seen is None else ["--mount", f"{where}:{seen}:rw"]
    control = project.run(flags, ["sh", "-c", f"echo x >{seen or '.'}/plain"])
    assert "later" not in control.stderr
    result = project.run(flags, ["sh", "-c", plant(seen or ".")])
    assert result.returncode == 0, result
    told = result.stderr.splitlines()
    for name in PLANTED:
        at = where / name
        assert at.exists()
        assert [line for line in told if line.strip() in (
            str(at), *(str(p) for p in at.parents if p != where and
                       where in p.parents))], f"{name}: {result.stderr}"
    again = project.run(flags, ["true"])
    assert "later" not in again.stderr, again


def test_setuid_files_are_told(project):
    """A host's other user could run it as us."""
    result = project.run([], ["sh", "-c",
                              "cp /bin/true u; cp u g; cp u n; mkdir s;"
                              "chmod 4755 u; chmod 2755 g; chmod 755 n;"
                              "chmod 2775 s; chmod 4755 sub/plain"])
    assert result.returncode == 0, result
    for name in ("u", "g", "sub/plain"):
        assert f"{project.app}/{name}" in result.stderr
    for name in ("n", "s"):
        assert f"{project.app}/{name}\n" not in result.stderr
    assert "setuid" in result.stderr
    assert (project.app / "u").stat().st_mode & stat.S_ISUID
    assert "setuid" not in project.run([], ["true"]).stderr


SERVER = """
import os, socket, sys
os.chdir(sys.argv[1])
sock = socket.socket(socket.AF_UNIX)
sock.bind(sys.argv[2])
sock.listen()
if len(sys.argv) > 3:
    os.rename(sys.argv[2], sys.argv[3])
print("up", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("names, found", [
    (["dev.sock"], "dev.sock"), (["sub/dev.sock"], "sub/dev.sock"),
    (["../app/sub/dev.sock"], "sub/dev.sock"),
    (["{}/dev.sock", "{}/moved.sock"], "moved.sock"),
])
def test_sockets_of_the_host_in_the_folder(project, names, found):
    """Bound by a relative name, or renamed since."""
    words = [name.format(project.app) for name in names]
    server = project.runner.popen([PYTHON, "-c", SERVER, project.app, *words],
                                  stdin=subprocess.PIPE)
    with server:
        assert server.stdout.readline() == b"up\n"
        with socket.socket(socket.AF_UNIX) as control:
            control.connect(str(project.app / found))
        answers, result = project.attempt([], [f"connect {found}"])
        assert refused(answers, [f"connect {found}"]), result
        server.stdin.close()


def test_kernel_pressure_files_open_for_nobody(project):
    """Whoever may write there makes the kernel watch and wake."""
    opens = ("import os\nfor name in ('cpu', 'io', 'memory'):\n  try:\n"
             "    os.open('/proc/pressure/' + name, os.O_WRONLY)\n"
             "    print(name)\n  except OSError: pass\n")
    outside = project.runner.call([PYTHON, "-c", opens])
    assert outside.returncode == 0
    if os.path.exists("/proc/pressure"):
        assert outside.stdout != ""
    result = project.run([], [PYTHON, "-c", opens])
    assert result.returncode == 0, result
    assert result.stdout == ""


def test_git_that_is_a_link(project):
    """A planted `.git` leads elsewhere: what it leads to is protected where it
    is ours, and that the link can be turned is said."""
    os.rename(project.app / ".git", project.app / "real")
    (project.app / ".git").symlink_to("real")
    project.own()
    tries = ["write real/config", "write .git/config", "write real/hooks/new",
             "rename real", "rename real/hooks"]
    answers, _ = project.attempt([], [*tries, "write real/HEAD"])
    assert refused(answers, tries), answers
    assert answers["write real/HEAD"] == "ok"
    result = project.run([], ["sh", "-c", "rm .git; mkdir .git;"
                              "echo x >.git/config"])
    assert f"{project.app}/.git/config" in result.stderr


def test_git_that_leads_out(project):
    """Nothing outside becomes readable or writable by it."""
    shutil.rmtree(project.app / ".git")
    project.put(project.parent / "repo/config")
    (project.app / ".git").symlink_to("../repo")
    project.own()
    tries = ["write .git/config", "read .git/config", "write .git/new"]
    answers, _ = project.attempt([], [*tries, "write plain"])
    assert refused(answers, tries), answers
    assert answers["write plain"] == "ok"
    assert (project.parent / "repo/config").read_text() == CONTENT
    assert not (project.parent / "repo/new").exists()


# Stands between exeat and bubblewrap: reads all options, which are written
# when exeat has looked and planned; turns a name; and passes them on.
SWAPPER = """#!/usr/bin/python3
import os, subprocess, sys
where = sys.argv.index("--args") + 1
text = b""
while True:
    part = os.read(int(sys.argv[where]), 65536)
    if not part:
        break
    text += part
subprocess.run([{step!r}], shell=True, check=True, cwd={app!r})
memory = os.memfd_create("args", 0)
os.write(memory, text)
os.lseek(memory, 0, os.SEEK_SET)
os.dup2(memory, int(sys.argv[where]))
os.execv({bwrap!r}, [{bwrap!r}, *sys.argv[1:]])
"""


@pytest.mark.parametrize("step, runs", [
    ("true", True),
    ("mv .git old; ln -s ../repo .git", False),
    ("mv .git old; cp -r old .git", True),  # what is there is what is shown
    ("rm .envrc; ln -s plain .envrc", False),
    ("mv sub/vendor old; ln -s ../../other sub/vendor", False),
])
def test_a_name_that_is_turned_before_the_mount(project, step, runs):
    """Between the plan and bubblewrap's mounts: the command is not run."""
    project.put(project.parent / "repo/config")
    project.put(project.parent / "repo/hooks/x")
    project.put(project.app / "sub/vendor/v")
    project.own()
    folder = project.runner.lab.folder("swap")
    swapper = folder / "bwrap"
    swapper.write_text(SWAPPER.format(step=step, app=str(project.app),
                                      bwrap=shutil.which("bwrap")))
    swapper.chmod(0o755)
    result = project.runner.run(
        ["--mount", "sub/vendor:sub/vendor"], ["touch", "marker"],
        cwd=project.app,
        env={"PATH": f"{folder}:{project.runner.env['PATH']}"})
    assert (project.app / "marker").exists() == runs, result
    assert (result.returncode == 0) == runs, result
    if not runs:
        assert result.returncode == 125
