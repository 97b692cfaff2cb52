# SPDX-License-Identifier: MIT
"""exeat doctor: on this machine, and on machines that lack something."""

import json
import os
import shutil
import time

import pytest

from lab.dns import NameServer
from lab.runs import PATH

NEEDED = {"programs", "bwrap", "userns", "proc", "seccomp", "fence"}
ALL = NEEDED | {"landlock", "nf_tables", "cgroup", "resolver", "clock",
                "seatbelt", "docker"}


@pytest.fixture
def doctor(exeat, tmp_path):
    """Runs it with a name server of ours, where we may arrange that."""
    exeat.env["XDG_RUNTIME_DIR"] = str(exeat.lab.folder(
        "runtime", exeat.uid, exeat.gid, 0o700))
    server, before = None, []
    if os.geteuid() == 0:
        server = NameServer("127.0.0.53", 53)
        (tmp_path / "resolv.conf").write_text("nameserver 127.0.0.53\n")
        before = ["unshare", "--mount", "sh", "-c",
                  f"mount --bind {tmp_path}/resolv.conf /etc/resolv.conf;"
                  ' exec "$@"', "sh"]
        if exeat.uid is not None:
            before += ["setpriv", f"--reuid={exeat.uid}",
                       f"--regid={exeat.gid}", "--clear-groups"]

    def run(*words, wrap=(), path=PATH):
        keywords = {} if not before else {"user": None, "group": None,
                                          "extra_groups": None}
        result = exeat.call([*before, "env", f"PATH={path}", *wrap,
                             exeat.program, "doctor", *words], **keywords)
        if "--json" in words and result.stdout:
            result.json = json.loads(result.stdout)
            result.probes = {p["name"]: p for p in result.json["probes"]}
        return result
    yield run
    if server:
        server.close()


def folder_on_path(exeat, name, script):
    """A folder with one program in it."""
    folder = exeat.lab.folder("path")
    (folder / name).write_text(script)
    (folder / name).chmod(0o755)
    return folder


def test_healthy_machine_is_0_and_takes_less_than_a_second(doctor):
    result = doctor("--json", "--recheck")
    assert result.returncode == 0, result
    assert set(result.probes) == ALL
    for name in NEEDED:
        assert result.probes[name]["state"] == "ok", result.probes[name]
        assert result.probes[name]["found"] and result.probes[name]["meaning"]
    assert result.json["ok"] is True
    times = []
    for _ in range(3):
        before = time.monotonic()
        assert doctor("--recheck").returncode == 0
        times.append(time.monotonic() - before)
    assert min(times) < 1, times


def test_text_has_one_line_a_probe_and_a_verdict(doctor):
    result = doctor()
    firsts = [line.split()[0] for line in result.stdout.splitlines()
              if not line.startswith(" ")]
    assert set(firsts[:-1]) == ALL and len(firsts) == len(ALL) + 1
    assert "can be raised" in result.stdout.splitlines()[-1]


def test_resolver_is_asked_and_not_only_looked_up(doctor):
    if os.geteuid() != 0:
        pytest.skip("a name server of ours needs root")
    assert doctor("--json").probes["resolver"]["state"] == "ok"


def test_without_bwrap_it_says_what_to_install(exeat, doctor):
    folder = exeat.lab.folder("path")
    for name in ("env", "sh", "setpriv"):
        (folder / name).symlink_to(shutil.which(name))
    result = doctor("--json", path=folder)
    assert result.returncode == 1, result
    assert result.probes["bwrap"]["state"] == "absent"
    assert "apt install bubblewrap" in result.probes["bwrap"]["remedy"]
    assert "no command runs" in result.probes["bwrap"]["meaning"]
    assert result.json["ok"] is False
    # The kernel is as good as before.
    assert result.probes["userns"]["state"] == "ok"


def test_bwrap_that_does_not_run_is_broken(exeat, doctor):
    folder = folder_on_path(exeat, "bwrap", "#!/bin/sh\necho oh no >&2\nexit 9\n")
    result = doctor("--json", path=f"{folder}:{PATH}")
    assert result.returncode == 1
    assert result.probes["bwrap"]["state"] == "broken"
    assert "oh no" in result.probes["bwrap"]["found"]
    assert result.probes["fence"]["state"] == "broken"


def test_user_namespaces_that_are_refused_are_seen_with_the_switch(doctor):
    result = doctor("--json", wrap=[
        "unshare", "--user", "--map-root-user", "sh", "-c",
        "echo 0 >/proc/sys/user/max_user_namespaces; exec setpriv "
        '--bounding-set=-all --inh-caps=-all "$@"', "sh"])
    assert result.returncode == 1, result
    for name in ("userns", "fence"):
        assert result.probes[name]["state"] == "broken", result.probes[name]
    assert "user.max_user_namespaces" in result.probes["userns"]["remedy"]
    assert "user.max_user_namespaces" in result.probes["fence"]["remedy"]


def test_partly_covered_proc_is_told_from_refused_namespaces(doctor):
    result = doctor("--json", wrap=[
        "unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork",
        "--mount-proc", "sh", "-c",
        'mount -t tmpfs none /proc/fs; exec "$@"', "sh"])
    assert result.returncode == 1, result
    assert result.probes["userns"]["state"] == "ok", result.probes["userns"]
    assert result.probes["proc"]["state"] == "broken", result.probes["proc"]
    assert "systempaths=unconfined" in result.probes["proc"]["remedy"]
    assert "systempaths=unconfined" in result.probes["fence"]["remedy"]


HANGING = """#!/bin/sh
echo started >>{marker}
setsid sleep 1000 &
sleep 1000 &
exec sleep 1000
"""


@pytest.fixture
def hanging_docker(exeat):
    marker = exeat.lab.folder("marker", exeat.uid, exeat.gid) / "started"
    folder = folder_on_path(exeat, "docker", HANGING.format(marker=marker))
    return f"{folder}:{PATH}", marker


def test_hanging_docker_is_killed_and_the_answer_kept(doctor, hanging_docker):
    path, marker = hanging_docker
    before = time.monotonic()
    result = doctor("--json", path=path)
    assert 3.9 < time.monotonic() - before < 7
    assert result.returncode == 0, result
    assert result.probes["docker"]["state"] == "hangs"
    assert "DOCKER_HOST" in result.probes["docker"]["remedy"]
    assert result.probes["fence"]["state"] == "ok"
    # Kept for a while, or asked again on request; none is left (the fixture).
    before = time.monotonic()
    assert doctor("--json", path=path).probes["docker"]["state"] == "hangs"
    assert time.monotonic() - before < 2
    assert marker.read_text().count("started") == 1
    doctor("--recheck", path=path)
    assert marker.read_text().count("started") == 2


def test_hanging_docker_does_not_delay_a_run(exeat, hanging_docker):
    path, marker = hanging_docker
    exeat.env["PATH"] = path
    before = time.monotonic()
    assert exeat.run([], ["true"]).returncode == 0
    assert time.monotonic() - before < 3
    assert not marker.exists()


def test_what_it_does_not_know_is_125(doctor):
    result = doctor("--fix")
    assert result.returncode == 125 and "--recheck" in result.stderr
    assert doctor("--help").returncode == 0
