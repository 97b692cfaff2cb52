# SPDX-License-Identifier: MIT
"""The files of the fence, tried for real inside it; and the same rows asked of
the Seatbelt profile for the same policy, in the same folders.

"write" counts by what the host sees afterwards: what lands in a folder of the
run's own has not been written.
"""

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile

import pytest

from lab import sbpl

# Secrets, a project, and things beside it; all below one home.
FILES = [
    ".ssh/id", ".aws/credentials", ".npmrc", ".netrc", ".gitconfig", "notes",
    "docs/a", "docs/private/b", "docs/private/public/c", "data/d", "out/e",
    "out/.bashrc", "out/.git/config", "app/file", "app/.env", "app/.envrc",
    "app/.git/config", "app/.git/hooks/pre-commit", "app/.git/objects/o",
    "app/sub/x", "app/vendor/v", "app/here/placeholder", "app/.vscode/tasks.json",
]

# op, path below the home (or absolute), answer: one for both back ends, or
# "bubblewrap/Seatbelt" where what cannot be the same differs.
POLICIES = {
    "strict": ([], """
read    app/file                        allow
write   app/file                        allow
write   app/new                         allow
delete  app/sub/x                       allow
read    app/.git/config                 allow
write   app/.git/config                 deny
write   app/.git/hooks/pre-commit       deny
write   app/.git/hooks/new              deny
delete  app/.git/hooks/pre-commit       deny
write   app/.git/objects/o              allow
rename  app/.git                        deny
rename  app/.git/hooks                  deny
rename  app/.vscode                     deny
write   app/.vscode/tasks.json          deny
write   app/.envrc                      deny
delete  app/.envrc                      deny
read    notes                           deny
write   notes                           deny
write   new                             deny
read    .ssh/id                         deny
read    .aws/credentials                deny
read    .npmrc                          deny
read    .gitconfig                      deny
read    docs/a                          deny
list    .ssh                            deny
read    app/link-out                    deny
write   app/link-out                    deny
link    .ssh/id                         deny
connect app/dev.sock                    deny
connect agent.sock                      deny
connect app/link-sock                   deny
read    /etc/shadow                     deny
read    /usr/bin/env                    allow
write   /usr/bin/env                    deny
write   /etc/hosts                      deny
write   /usr/new                        deny
write   /new                            deny
write   /var/new                        deny
list    /root/.ssh                      deny
list    /proc/1/root/root               deny
read    /proc/1/root/etc/shadow         deny
"""),
    "protect-list": (["--protect", "list"], """
write   app/.git/hooks/pre-commit       allow
write   app/.envrc                      allow
read    notes                           deny
read    .ssh/id                         deny
"""),
    "hide": (["--hide", "app/.env", "--hide", "app/sub", "--hide", "app/none"], """
read    app/.env                        deny
write   app/.env                        deny
delete  app/.env                        deny
rename  app/.env                        deny
link    app/.env                        deny
read    app/sub/x                       deny
write   app/sub/x                       deny
read    app/file                        allow
write   app/file                        allow
"""),
    "allowlist": (["--mode", "allowlist", "--read", ".gitconfig", "--read",
                   "docs", "--hide", "docs/private", "--read",
                   "docs/private/public", "--read", ".netrc"], """
read    .gitconfig                      allow
write   .gitconfig                      deny
read    docs/a                          allow
write   docs/a                          deny
write   docs/new                        deny
delete  docs/a                          deny
rename  docs/a                          deny
read    docs/private/b                  deny
read    docs/private/public/c           allow
write   docs/private/public/c           deny
read    .netrc                          allow
read    .npmrc                          deny
read    .ssh/id                         deny
read    notes                           deny
write   app/file                        allow
connect agent.sock                      deny
"""),
    "allowlist-home": (["--mode", "allowlist", "--read", "."], """
read    notes                           allow
write   notes                           deny
read    .gitconfig                      allow
read    .ssh/id                         deny
read    .aws/credentials                deny
read    .npmrc                          deny
read    .netrc                          deny
link    .ssh/id                         deny
read    docs/private/b                  allow
connect agent.sock                      deny
connect app/dev.sock                    deny
write   app/file                        allow
write   app/.git/config                 deny
"""),
    "open": (["--mode", "open"], """
read    notes                           allow
write   notes                           deny
write   new                             deny
delete  notes                           deny
rename  notes                           deny
link    notes                           deny/allow
read    .gitconfig                      allow
read    .ssh/id                         deny
write   .ssh/id                         deny
link    .ssh/id                         deny
read    .aws/credentials                deny
read    .npmrc                          deny
read    .netrc                          deny
read    app/link-out                    allow
write   app/link-out                    deny
read    app/file                        allow
write   app/file                        allow
write   app/.git/config                 deny
rename  app/.git                        deny
connect app/dev.sock                    deny
connect agent.sock                      deny
read    /etc/shadow                     deny
write   /etc/hosts                      deny
write   /usr/new                        deny
list    /proc/1/root/root/.ssh          deny
"""),
    "open-hide": (["--mode", "open", "--hide", "docs", "--read", "docs/a"], """
read    docs/a                          allow
read    docs/private/b                  deny
write   docs/a                          deny
read    notes                           allow
"""),
    "write": (["--write", "out", "--write", "notes"], """
write   out/e                           allow
write   out/new                         allow
delete  out/e                           allow
read    out/.bashrc                     allow
write   out/.bashrc                     deny
write   out/.git/config                 deny
rename  out/.git                        deny
write   notes                           allow
read    data/d                          deny
write   data/d                          deny
write   app/file                        allow
"""),
    "mounts": (["--mount", "data:data", "--mount", "out:out:rw", "--mount",
                "app/vendor:app/vendor"], """
read    data/d                          allow
write   data/d                          deny
write   data/new                        deny
write   out/e                           allow
write   out/.bashrc                     deny
read    app/vendor/v                    allow
write   app/vendor/v                    deny
rename  app/vendor                      deny
read    notes                           deny
"""),
    "sockets": (["--unix", "app/dev.sock"], """
connect app/dev.sock                    allow
connect agent.sock                      deny
read    notes                           deny
"""),
}
# Flags whose next word is a path below the home.
PATH_FLAGS = {"--read", "--write", "--hide", "--unix", "--mount"}


class Tree:
    """The folders of one test, outside of what the fence makes private."""

    def __init__(self, runner):
        self.runner = runner
        parent = "/srv" if os.access("/srv", os.W_OK) else pathlib.Path.home()
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="exeat-files-",
                                                  dir=parent))
        self.home = self.base / "home"
        self.sockets = []
        for name in FILES:
            path = self.home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("content\n")
        (self.home / "app/link-out").symlink_to("../notes")
        (self.home / "app/link-sock").symlink_to("../agent.sock")
        for name in ("app/dev.sock", "agent.sock"):
            sock = socket.socket(socket.AF_UNIX)
            sock.bind(str(self.home / name))
            sock.listen()
            self.sockets.append(sock)
        if runner.uid is not None:
            for path in [self.base, *self.base.rglob("*")]:
                os.chown(path, runner.uid, runner.gid, follow_symlinks=False)
        self.base.chmod(0o755)

    def path(self, name):
        return name if name.startswith("/") else str(self.home / name)

    def flags(self, words):
        """The words of a policy, with paths of this tree."""
        out = []
        for word in words:
            if out and out[-1] == "--mount":
                source, target, *rest = word.split(":")
                word = ":".join([self.path(source), self.path(target), *rest])
            elif out and out[-1] in PATH_FLAGS:
                word = str(self.home) if word == "." else self.path(word)
            out.append(word)
        return out

    def state(self):
        """What is there, and what is in it."""
        return {path: path.read_bytes() if path.is_file() else None
                for path in self.home.rglob("*")}

    def remove(self):
        for sock in self.sockets:
            sock.close()
        shutil.rmtree(self.base)


@pytest.fixture
def tree(exeat):
    tree = Tree(exeat)
    yield tree
    tree.remove()


def rows_of(policy):
    for row in POLICIES[policy][1].strip().splitlines():
        op, path, wanted = row.split()
        linux, _, mac = wanted.partition("/")
        yield op, path, linux, mac or linux


def has_landed(tree, before, op, path):
    """The host is as after the step."""
    if op not in ("write", "delete", "rename", "link"):
        return True
    return tree.state() != before


@pytest.mark.parametrize("policy", POLICIES)
def test_bubblewrap(exeat, tree, policy):
    """One run per row that may change the host, one for all others."""
    flags = tree.flags(POLICIES[policy][0])
    probe = tree.home / "app/files.py"
    shutil.copyfile(pathlib.Path(__file__).parent / "probes/files.py", probe)
    rows = list(rows_of(policy))
    wrong = []
    for group in [[row for row in rows if row[0] in
                   ("read", "list", "stat", "connect")],
                  *[[row] for row in rows if row[0] in
                    ("write", "delete", "rename", "link")]]:
        before = tree.state()
        text = "".join(f"{op} {tree.path(path)}\n" for op, path, *_ in group)
        result = exeat.run(flags, ["/usr/bin/python3", "files.py"],
                           input=text.encode(), cwd=tree.home / "app",
                           env={"HOME": str(tree.home)})
        assert result.returncode == 0, result
        answers = result.stdout.split()
        assert len(answers) == len(group), result
        for (op, path, wanted, _), answer in zip(group, answers):
            allowed = answer == "ok" and has_landed(tree, before, op, path)
            if (wanted == "allow") != allowed:
                wrong.append(f"{op} {path}: {answer}, wanted {wanted}")
            if wanted == "deny":
                assert tree.state() == before, f"{op} {path} changed the host"
    assert not wrong, "\n".join(wrong)


QUERIES = {
    "read": ["file-read-metadata", "file-read-data"],
    "list": ["file-read-data"],
    "write": ["file-write-data"],
    "delete": ["file-write-unlink"],
    "rename": ["file-write-unlink"],
    "link": ["file-link"],
}


@pytest.mark.skipif(sbpl.TINYSCHEME is None, reason="tinyscheme is missing")
@pytest.mark.parametrize("policy", POLICIES)
def test_seatbelt(exeat, tree, policy):
    words = [exeat.lab.bin / "exeat-fence", "--backend", "seatbelt",
             "--tmp-dir", "/private/tmp/exeat-run",
             *tree.flags(POLICIES[policy][0])]
    result = exeat.call(words, cwd=tree.home / "app",
                        env={"HOME": str(tree.home)})
    assert result.returncode == 0, result
    rules = sbpl.evaluate(result.out)
    wrong = []
    for op, path, _, wanted in rows_of(policy):
        if path.startswith("/"):
            continue  # of this system, not of macOS
        real = os.path.realpath(tree.path(path)) if op in (
            "read", "write", "connect") else tree.path(path)
        queries = [("network-outbound", {"unix": real})] \
            if op == "connect" else \
            [(operation, {"path": real}) for operation in QUERIES[op]]
        answer = sbpl.ask_all(rules, queries)
        if answer != wanted:
            wrong.append(f"{op} {path}: {answer}, wanted {wanted}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("policy", POLICIES)
def test_check(exeat, tree, policy):
    """`exeat check PATH` says what the same run then does."""
    flags = tree.flags(POLICIES[policy][0])
    wrong = []
    for op, path, wanted, _ in rows_of(policy):
        if op not in ("read", "write") or path.startswith("/"):
            continue
        result = exeat.call([exeat.program, "check", *flags, tree.path(path)],
                            cwd=tree.home / "app",
                            env={"HOME": str(tree.home)})
        said = "written" in result.stdout if op == "write" \
            else result.stdout.startswith("allowed ")
        assert result.returncode in (0, 1), result
        assert (result.returncode == 0) == result.stdout.startswith("allowed ")
        if said != (wanted == "allow"):
            wrong.append(f"{op} {path}: {result.stdout}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("flags, asked, wanted", [
    (["--connect", "443"], "example.net", 0),
    (["--connect", "443"], "example.net:80", 1),
    (["--connect", "443"], "127.0.0.1:443", 1),
    (["--loopback", "5432"], "127.0.0.1:5432", 0),
    (["--loopback", "5432"], "[::1]:5432", 0),
    (["--loopback", "5432"], "localhost:5432", 0),
    (["--loopback", "5432"], "localhost:5433", 1),
    (["--loopback", "5432"], "127.0.0.2:5432", 1),
    (["--loopback", "5432"], "example.net:5432", 1),
    (["--listen", "8080"], "127.0.0.1:8080", 0),
    (["--listen", "8080"], "127.0.0.1:8081", 1),
])
def test_check_of_ports(exeat, flags, asked, wanted):
    result = exeat.call([exeat.program, "check", *flags, asked])
    assert result.returncode == wanted, result


def test_no_such_folder_is_left_behind(exeat, tree):
    """What is hidden or protected and does not exist stays so."""
    before = set(tree.home.rglob("*"))
    flags = tree.flags(["--hide", "app/none", "--hide", "app/deep/none"])
    result = exeat.run(flags, ["true"], cwd=tree.home / "app",
                       env={"HOME": str(tree.home)})
    assert result.returncode == 0, result
    left = {path for path in tree.home.rglob("*")} - before
    assert not {path for path in left
                if ".local" not in path.parts and "state" not in path.parts}


@pytest.mark.parametrize("flags, word", [
    (["--write", "none"], "does not exist"),
    (["--mount", "none:none"], "does not exist"),
    (["--mount", "data:app/none"], "no such folder"),
    (["--mount", ".ssh:.ssh"], "secrets"),
    (["--write", "."], "home"),
    (["--unix", "app/file"], "not a socket"),
])
def test_refused_before_the_command(exeat, tree, flags, word):
    result = exeat.run(tree.flags(flags), ["touch", "marker"],
                       cwd=tree.home / "app", env={"HOME": str(tree.home)})
    assert result.returncode == 125
    assert word in result.stderr
    assert not (tree.home / "app/marker").exists()


def test_rows_are_many():
    assert sum(len(list(rows_of(policy))) for policy in POLICIES) >= 120


def test_tools_of_path_run(exeat, tree):
    """A program outside the system roots, through a link, with what stands
    beside it."""
    prefix = tree.home / "tools/thing"
    (prefix / "bin").mkdir(parents=True)
    (prefix / "lib").mkdir()
    (prefix / "lib/part").write_text("part of it\n")
    program = prefix / "bin/thing"
    program.write_text("#!/bin/sh\ncat \"$(dirname \"$(readlink -f \"$0\")\")"
                       "/../lib/part\"\n")
    program.chmod(0o755)
    (tree.home / ".local/bin").mkdir(parents=True)
    (tree.home / ".local/bin/thing").symlink_to(program)
    path = f"{tree.home}/.local/bin:/usr/bin:/bin"
    result = exeat.run([], ["thing"], cwd=tree.home / "app",
                       env={"HOME": str(tree.home), "PATH": path})
    assert result.stdout == "part of it\n", result
    result = exeat.run([], ["sh", "-c", "echo $PATH; cat ~/notes"],
                       cwd=tree.home / "app",
                       env={"HOME": str(tree.home), "PATH": path})
    assert result.stdout.splitlines()[0] == path
    assert "content" not in result.stdout


@pytest.mark.parametrize("line", ["{}", "{} -e", "/usr/bin/env -S {}",
                                  "with .."])
def test_tools_bring_their_interpreter(exeat, tree, line):
    """A script whose "#!" names a program outside the roots and outside PATH,
    through a link, with what stands beside that."""
    runtime = tree.home / "runtime/v1"
    (runtime / "bin").mkdir(parents=True)
    (runtime / "lib").mkdir()
    (runtime / "lib/part").write_text("part of it\n")
    shutil.copyfile(os.path.realpath("/bin/sh"), runtime / "bin/sh")
    (runtime / "bin/sh").chmod(0o755)
    (tree.home / "env/bin").mkdir(parents=True)
    (tree.home / "env/bin/sh").symlink_to(runtime / "bin/sh")
    (tree.home / "scripts").mkdir()
    script = tree.home / "scripts/thing"
    named = line.format(tree.home / "env/bin/sh")
    if ".." in named:
        named = f"{tree.home}/env/bin/../bin/sh"
    script.write_text(f"#! {named}\ncat {runtime}/lib/part\n")
    script.chmod(0o755)
    for command, path in (("thing", f"{tree.home}/scripts:/usr/bin:/bin"),
                          (str(script), "/usr/bin:/bin")):
        result = exeat.run([], [command], cwd=tree.home / "app",
                           env={"HOME": str(tree.home), "PATH": path})
        assert result.stdout == "part of it\n", result
        shown = exeat.run([], ["sh", "-c", f"ls {tree.home}"],
                          cwd=tree.home / "app",
                          env={"HOME": str(tree.home), "PATH": path})
        assert "runtime" not in shown.stdout


def test_facts_and_plan_of_this_machine_agree(exeat, tree):
    """A plan from the facts as text is the plan from looking."""
    fence = exeat.lab.bin / "exeat-fence"
    where = {"cwd": tree.home / "app", "env": {"HOME": str(tree.home)}}
    for mode in ("strict", "allowlist", "open"):
        facts = exeat.call([fence, "--print-facts", "--mode", mode], **where)
        assert facts.returncode == 0, facts
        (tree.home / "app/facts").write_bytes(facts.out)
        looked = exeat.call([fence, "--mode", mode], **where)
        read = exeat.call([fence, "--facts", "facts", "--mode", mode], **where)
        assert looked.returncode == 0, looked
        assert read.out == looked.out
