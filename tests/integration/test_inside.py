# SPDX-License-Identifier: MIT
"""What a command finds inside: environment, descriptors, files, powers."""

import json
import os
import socket

import pytest

from lab import processes
from lab.origin import Listener
from lab.runs import PYTHON

SECRETS = {
    "SECRET_X": "s3cr3t-value", "AWS_SECRET_ACCESS_KEY": "s3cr3t-value",
    "GITHUB_TOKEN": "s3cr3t-value", "LD_PRELOAD": "/s3cr3t-value.so",
    "LD_LIBRARY_PATH": "/s3cr3t-value", "BASH_ENV": "/s3cr3t-value",
    "ENV": "/s3cr3t-value", "NODE_OPTIONS": "--s3cr3t-value",
    "PYTHONSTARTUP": "/s3cr3t-value", "GIT_CONFIG_COUNT": "s3cr3t-value",
    "SSH_AUTH_SOCK": "/s3cr3t-value", "PERL5OPT": "s3cr3t-value",
    "ODD-NAME.x": "s3cr3t-value", "BIG": "s3cr3t-value" * 8192,
    "https_proxy": "http://s3cr3t-value:1", "NO_PROXY": "s3cr3t-value",
}
# LD_PRELOAD would be obeyed by exeat itself before it can clear it.
LOADED = ("LD_PRELOAD", "LD_LIBRARY_PATH")
EVERY_PROCESS = "cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'"


def test_no_secret_of_the_caller_is_inside(exeat):
    """C35: neither in the environment nor anywhere in /proc."""
    env = {name: value for name, value in SECRETS.items() if name not in LOADED}
    result = exeat.run(["--env", "TOKEN_OK"],
                       ["sh", "-c", f"env; {EVERY_PROCESS}; true"],
                       env={**env, "TOKEN_OK": "passed-on"})
    assert result.returncode == 0, result
    assert "TOKEN_OK=passed-on" in result.stdout
    assert "s3cr3t" not in result.stdout + result.stderr


def test_environment_is_built(exeat):
    result = exeat.run([], ["env", "-0"], env=SECRETS)
    names = {entry.split("=")[0] for entry in result.stdout.split("\0") if entry}
    known = {"PATH", "HOME", "TMPDIR", "LANG", "TERM", "USER", "LOGNAME", "SHELL",
             "PWD", "NODE_USE_ENV_PROXY", "JAVA_TOOL_OPTIONS", "RSYNC_PROXY",
             "GIT_SSH_COMMAND"}
    unknown = {name for name in names - known
               if not name.lower().endswith("_proxy") and
               not name.startswith(("CLOUDSDK_PROXY_", "npm_config_"))}
    assert not unknown
    assert "s3cr3t" not in result.stdout


def test_values_are_in_no_command_line_of_the_host(exeat):
    """`ps` on the host shows neither values nor paths of a run."""
    with exeat.start(["--env", "TOKEN_OK=t0k3n-value"],
                     ["sh", "-c", "echo up; read line"],
                     stdin=-1) as process:
        assert process.stdout.readline() == b"up\n"
        shown = {}
        for pid, name in processes.descendants(process.pid).items():
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                shown[f"{name} {pid}"] = file.read()
        process.stdin.write(b"\n")
        process.communicate(timeout=20)
    # The caller wrote the value on exeat's own command line, and the proxy gets
    # the policy's flags; the sandbox side has no reason to show it.
    assert not [name for name, words in shown.items()
                if name.startswith("bwrap") and b"t0k3n-value" in words], shown


def test_inherited_descriptors_lead_nowhere(exeat, probe):
    """B1: a socket made before the fence belongs to the host's network."""
    probe("reach.py")
    with Listener.tcp("127.0.0.1") as listener, \
            socket.socket() as unconnected:
        folder = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
        fds = {3: unconnected.fileno(), 7: folder, 9: unconnected.fileno()}
        saved = {number: _dup_to(source, number) for number, source in fds.items()}
        words = [f"fd=3,127.0.0.1:{listener.port}", "fd=7,list",
                 f"fd=9,127.0.0.1:{listener.port}"]
        try:
            result = exeat.run([], [PYTHON, "reach.py", *words], pass_fds=(3, 7, 9))
            assert result.returncode == 0, result
            assert "open" not in json.loads(result.stdout).values(), result
            assert listener.connections == 0
            listing = exeat.run([], ["ls", "/proc/self/fd"], pass_fds=(3, 7, 9))
            assert listing.stdout.split() == ["0", "1", "2", "3"]  # 3 is ls's own

            control = exeat.call([PYTHON, "reach.py", *words[:2]],
                                 pass_fds=(3, 7, 9))
            assert set(json.loads(control.stdout).values()) == {"open"}, control
        finally:
            os.close(folder)
            for number, old in saved.items():
                _restore(number, old)


def _dup_to(source, number):
    try:
        old = os.dup(number)
        os.set_inheritable(old, False)
    except OSError:
        old = None
    os.dup2(source, number)
    return old


def _restore(number, old):
    if old is None:
        os.close(number)
    else:
        os.dup2(old, number, inheritable=False)
        os.close(old)


def test_other_processes_are_not_seen(exeat):
    """B6: an own pid namespace with a fresh /proc."""
    result = exeat.run([], ["sh", "-c", "echo /proc/[0-9]*; kill -0 %d" % os.getpid()])
    assert len(result.stdout.split()) <= 4, result
    assert result.returncode != 0


def test_root_inside_has_no_capability_and_gains_none(exeat):
    result = exeat.run([], ["sh", "-c", "cat /proc/self/status"])
    status = dict(line.split(":\t", 1) for line in result.stdout.splitlines())
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(status[name], 16) == 0, (name, status[name])
    assert status["NoNewPrivs"] == "1"


def opened(exeat, result):
    """What opened. An ordinary user may watch the machine's load: opening
    /proc/pressure for writing is how one asks for that, and changes nothing."""
    assert result.returncode == 0, result
    found = json.loads(result.stdout.splitlines()[-1])
    assert found["looked_at"] > 500, found
    return [path for path in found["opened"]
            if exeat.name == "root" or not path.startswith("/proc/pressure/")]


def test_no_kernel_file_opens_for_writing(exeat, probe):
    """As root hundreds of the host's sysctls would, core_pattern among them."""
    probe("kernel_files.py")
    result = exeat.run([], [PYTHON, "kernel_files.py"], timeout=120)
    assert opened(exeat, result) == []


def test_kernel_files_would_open_outside(exeat, probe):
    """The control: as root the same walk opens files on the host."""
    if exeat.uid is not None or os.geteuid() != 0:
        return
    probe("kernel_files.py")
    result = exeat.call([PYTHON, "kernel_files.py"], timeout=120)
    assert "/proc/sys/kernel/core_pattern" in json.loads(result.stdout)["opened"]


@pytest.mark.parametrize("script", [
    "mount -t tmpfs none /tmp", "mount -o remount,rw /usr", "umount /proc/sys",
    "ip link add x type dummy", "ip route add default dev lo",
    "chroot / true", "mknod /tmp/x b 8 0", "dmesg -C",
    "unshare -n true", "nsenter -t 1 -n true",
])
def test_privileged_acts_fail(exeat, script):
    result = exeat.run([], ["sh", "-c", f"PATH=$PATH:/usr/sbin:/sbin; {script} || exit 9"])
    assert result.returncode == 9, result


def test_new_user_namespace_gives_no_way_round_the_fence(exeat, probe):
    """Powers in a namespace of its own must not lift what covers /proc."""
    probe("kernel_files.py")
    script = ("unshare -Urm sh -c 'umount /proc/sys; mount -o remount,rw /proc/sys;"
              " mount -t proc none /proc; exec " + PYTHON +
              " kernel_files.py' 2>/dev/null || " + PYTHON + " kernel_files.py")
    result = exeat.run([], ["sh", "-c", script], timeout=120)
    assert opened(exeat, result) == []


def test_working_folder_is_writable_and_the_rest_is_not(exeat):
    script = ("echo x >here && for d in / /usr /usr/bin /etc /opt /var /run /proc /sys"
              " /dev; do (echo x >$d/exeat-test) 2>/dev/null && echo wrote $d; done;"
              " true")
    result = exeat.run([], ["sh", "-c", script])
    assert (exeat.work / "here").read_text() == "x\n"
    wrote = [line.split()[1] for line in result.stdout.splitlines()]
    # A file made there is the sandbox's own and gone with it: never the host's.
    for folder in wrote:
        assert not os.path.exists(os.path.join(folder, "exeat-test")), folder
    assert not {"/usr", "/usr/bin", "/etc", "/opt", "/proc", "/sys"} & set(wrote)


def test_home_is_private_and_empty(exeat):
    (exeat.home / "secret").write_text("s3cr3t")
    result = exeat.run([], ["sh", "-c",
                            f"ls -A $HOME; cat {exeat.home}/secret; echo x >$HOME/new"])
    assert "s3cr3t" not in result.stdout + result.stderr
    assert not (exeat.home / "new").exists()
    assert result.returncode == 0, result


def test_files_of_other_users_stay_closed(exeat):
    result = exeat.run([], ["sh", "-c", "cat /etc/shadow; cat /etc/gshadow; true"])
    assert result.stdout == "", result


@pytest.mark.parametrize("folder", [
    "/", "/etc", "/usr", "/var", "/run", "/tmp", "/proc", "/sys",
    "/proc/sys", "/dev", "/boot", "HOME",
])
def test_forbidden_working_folders_are_refused(exeat, folder):
    folder = str(exeat.home) if folder == "HOME" else folder
    if not os.path.isdir(folder):
        return
    result = exeat.run([], ["touch", "marker"], cwd=folder)
    assert result.returncode == 125, result
    assert folder.rstrip("/") in result.stderr and result.stderr.count("\n") == 1
    assert not os.path.exists(os.path.join(folder, "marker"))


def test_git_hooks_are_read_only(exeat):
    """E1: what other programs execute later."""
    hooks = exeat.work / ".git" / "hooks"
    hooks.mkdir(parents=True)
    (exeat.work / ".git" / "config").write_text("[core]\n")
    if exeat.uid is not None:
        for path in (hooks, hooks.parent, hooks.parent / "config"):
            os.chown(path, exeat.uid, exeat.gid)
    script = ("echo x >.git/hooks/pre-commit; echo x >>.git/config;"
              " mv .git aside; mv .git/hooks aside; rm -rf .git; ls -A .git; true")
    result = exeat.run([], ["sh", "-c", script])
    assert result.returncode == 0, result
    # Whatever became of copies: git still looks here.
    assert (exeat.work / ".git" / "config").read_text() == "[core]\n"
    assert list(hooks.iterdir()) == []


# Puts a secret into a session keyring of its own, then becomes the words.
KEYS = """
import ctypes, os, platform, sys
libc = ctypes.CDLL(None, use_errno=True)
add_key, keyctl = {"x86_64": (248, 250), "aarch64": (217, 219)}[platform.machine()]
"""
KEEPER = KEYS + """
if libc.syscall(keyctl, 1, None) < 0:
    sys.exit(77)
assert libc.syscall(add_key, b"user", b"exeat-test-secret", b"s3cr3t", 6, -3) > 0
os.execv(sys.argv[1], sys.argv[1:])
"""
# Stands in bubblewrap's place, and says what its session keyring holds.
FINDER = KEYS + """
found = libc.syscall(keyctl, 10, -3, b"user", b"exeat-test-secret", 0)
with open({said!r}, "w") as file:
    file.write("found" if found > 0 else "none")
"""


def test_keyring_of_the_caller_is_not_inside(exeat):
    """A session keyring holds secrets, and could carry messages."""
    said = exeat.work / "said"
    finder = exeat.lab.folder("finder") / "bwrap"
    finder.write_text("#!/usr/bin/python3\n" +
                      FINDER.replace("{said!r}", repr(str(said))))
    finder.chmod(0o755)
    keep = [PYTHON, "-c", KEEPER]
    outside = exeat.call([*keep, finder])
    if outside.returncode == 77:
        pytest.skip("no keyrings in this kernel")
    assert said.read_text() == "found", outside
    path = f"{finder.parent}:{exeat.env['PATH']}"
    result = exeat.call([*keep, exeat.program, "run", "--", "true"],
                        env={"PATH": path})
    assert result.returncode == 125
    assert said.read_text() == "none"
