# SPDX-License-Identifier: MIT
"""What of the caller's environment is passed on, HOME, and the dry run."""

import os

import pytest


def env_inside(exeat, *flags, **caller):
    result = exeat.run(list(flags), ["env", "-0"], env=caller)
    assert result.returncode == 0, result
    return dict(item.split("=", 1) for item in result.stdout.split("\0") if item)


def test_pattern_passes_what_begins_so(exeat):
    caller = {"LC_ALL": "C", "LC_TIME": "de_AT", "LCX": "no", "PERL5OPT": "-Mx"}
    assert not set(caller) & set(env_inside(exeat, **caller)), "control"
    inside = env_inside(exeat, "--env", "LC_*", "--env", "P*", **caller)
    assert inside["LC_ALL"] == "C" and inside["LC_TIME"] == "de_AT"
    assert "LCX" not in inside and "PERL5OPT" not in inside
    assert "127.0.0.1" in inside["https_proxy"]


@pytest.mark.parametrize("flag", ["LD_PRELOAD", "PYTHONPATH=/x", "GIT_CONFIG_COUNT",
                                  "NODE_OPTIONS=--require=/x", "BASH_ENV"])
def test_what_loads_code_is_refused_unless_named_so(exeat, flag):
    name = flag.partition("=")[0]
    caller = {} if "=" in flag or name == "LD_PRELOAD" else {name: "0"}
    result = exeat.run(["--env", flag], ["touch", "marker"], env=caller)
    assert result.returncode == 125, result
    assert "--env-unsafe" in result.stderr and name in result.stderr
    assert not (exeat.work / "marker").exists()
    result = exeat.run(["--env-unsafe", flag], ["true"], env=caller)
    assert result.returncode == 0, result


def test_policy_file_names_unsafe_ones_in_their_own_list(exeat):
    (exeat.work / "p.cfg").write_text(
        'version = 1; env = { pass = [ "LC_*" ]; unsafe = [ "PYTHONPATH=lib" ]; };')
    inside = env_inside(exeat, "--policy", "p.cfg", LC_ALL="C")
    assert (inside["LC_ALL"], inside["PYTHONPATH"]) == ("C", "lib")
    (exeat.work / "q.cfg").write_text(
        'version = 1; env = { set = [ "PYTHONPATH=lib" ]; };')
    assert exeat.run(["--policy", "q.cfg"], ["true"]).returncode == 125


def test_home_is_private_unless_a_folder_is_given(exeat):
    store = ["sh", "-c", "echo kept >>~/cache; cat ~/cache; echo $HOME"]
    for _ in range(2):
        assert exeat.run([], store).stdout.startswith("kept\n/"), "control"
    folder = exeat.lab.folder("caches", exeat.uid, exeat.gid)
    for times in (1, 2):
        result = exeat.run(["--home", folder], store)
        assert result.stdout == "kept\n" * times + f"{folder}\n", result
    assert (folder / "cache").read_text() == "kept\nkept\n"


def test_home_that_is_none_is_refused(exeat):
    for folder, why in ((exeat.home / "absent", "absent"), ("/etc", "/etc"),
                        (exeat.home, "home")):
        result = exeat.run(["--home", folder], ["touch", "marker"])
        assert result.returncode == 125 and why in result.stderr, result
    assert not (exeat.work / "marker").exists()


def test_dry_run_shows_all_and_where_rules_come_from(exeat):
    (exeat.work / "p.cfg").write_text(
        'version = 1;\nallow = (\n  { host = "a.test"; } );\n'
        'limits = { memory = "1G"; };\n')
    result = exeat.run(["--policy", "p.cfg", "--deny", "b.test", "--env", "CI=yes",
                        "--dry-run"], ["touch", "marker"])
    assert result.returncode == 0, result
    for part in ("backend bwrap", "allow a.test:443", "p.cfg:3", "deny b.test",
                 "(--deny b.test)", "[environment]", "CI=yes", "https_proxy=",
                 "[files]", str(exeat.work), "memory 1073741824 bytes",
                 "command touch marker"):
        assert part in result.stdout, part
    assert not (exeat.work / "marker").exists()


def test_values_are_in_no_command_line(exeat):
    script = "cat /proc/[0-9]*/cmdline | tr '\\0' '\\n'"
    with exeat.start(["--env", "TOKEN"], ["sh", "-c", "echo up; sleep 1000"],
                     env={"TOKEN": "s3cr3t"}) as process:
        assert process.stdout.readline() == b"up\n"
        seen = exeat.call(["sh", "-c", script]).stdout
        assert "sleep" in seen and "s3cr3t" not in seen
        process.terminate()
        process.wait()
    assert os.path.exists(exeat.work)
