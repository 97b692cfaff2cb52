# SPDX-License-Identifier: MIT
"""How a run ends: exit codes, time limit, signals, and what is said."""

import signal

import pytest


@pytest.mark.parametrize("code", [0, 1, 42, 124, 125, 126, 127, 255])
def test_the_commands_own_code_is_given_back(exeat, code):
    assert exeat.run([], ["sh", "-c", f"exit {code}"]).returncode == code


@pytest.mark.parametrize("name", ["TERM", "KILL", "SEGV", "ABRT", "USR1"])
def test_death_by_a_signal_is_128_and_its_number(exeat, name):
    result = exeat.run([], ["sh", "-c", f"ulimit -c 0; kill -{name} $$"])
    assert result.returncode == 128 + signal.Signals["SIG" + name]


def test_command_that_is_not_there_is_127(exeat):
    result = exeat.run([], ["no-such-program"])
    assert result.returncode == 127
    assert "no-such-program" in result.stderr and result.stderr.count("\n") == 1


@pytest.mark.parametrize("make", ["plain", "folder", "no-interpreter"])
def test_command_that_cannot_be_executed_is_126(exeat, make):
    path = exeat.work / "thing"
    if make == "folder":
        path.mkdir()
    else:
        path.write_text("#!/no/such/interpreter\n" if make != "plain" else "x\n")
        path.chmod(0o755 if make != "plain" else 0o644)
    result = exeat.run([], ["./thing"])
    # exec of a missing interpreter says "not found", as shells do.
    assert result.returncode == (127 if make == "no-interpreter" else 126), result
    assert "./thing" in result.stderr and result.stderr.count("\n") == 1


def test_time_limit_is_124(exeat):
    result = exeat.run(["--timeout", "300ms"], ["sleep", "1000"])
    assert result.returncode == 124
    assert "time limit" in result.stderr


def test_command_within_its_time_keeps_its_code(exeat):
    assert exeat.run(["--timeout", "60s"], ["sh", "-c", "exit 3"]).returncode == 3


def test_command_that_ignores_the_end_is_killed(exeat):
    script = "trap '' TERM INT HUP; while :; do sleep 1000; done"
    result = exeat.run(["--timeout", "100ms"], ["sh", "-c", script])
    assert result.returncode == 124


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP", "QUIT", "USR1", "USR2"])
def test_signals_are_passed_on(exeat, name):
    number = signal.Signals["SIG" + name]
    script = (f"trap 'echo got-{name}; exit 7' {name}; echo ready;"
              " while :; do read x || sleep 1000 & wait; done")
    with exeat.start([], ["sh", "-c", script], stdin=-1) as process:
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (7, f"got-{name}\n".encode()), err


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP"])
def test_signal_that_is_not_caught_ends_the_run(exeat, name):
    number = signal.Signals["SIG" + name]
    with exeat.start([], ["sh", "-c", "echo ready; exec sleep 1000"]) as process:
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(number)
        process.communicate(timeout=20)
    assert process.returncode == 128 + number


def test_whole_group_gets_the_signal(exeat):
    with exeat.start([], ["sh", "-c", "sleep 1000 & echo ready; wait"]) as process:
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
    assert process.returncode == 128 + signal.SIGTERM


@pytest.mark.parametrize("script", [
    "sleep 1000 & exit 5", "setsid sleep 1000 & exit 5",
    "(trap '' TERM HUP INT; nohup sleep 1000 >/dev/null 2>&1 &) ; exit 5",
])
def test_background_processes_end_with_the_command(exeat, script):
    """E3: the fixture finds none left."""
    assert exeat.run([], ["sh", "-c", script]).returncode == 5


@pytest.mark.parametrize("words, hint", [
    (["run"], "exeat run [FLAGS] -- COMMAND"),
    (["run", "--"], "exeat run [FLAGS] -- COMMAND"),
    (["run", "--no-such", "--", "true"], "--no-such"),
    (["run", "--allow"], "--allow"),
    (["run", "--allow", "exa mple.com", "--", "true"], "exa mple.com"),
    (["run", "--allow", "*.com", "--", "true"], "*.com"),
    (["run", "--allow", "a.test:0", "--", "true"], "a.test:0"),
    (["run", "--allow", "a.test:99999", "--", "true"], "a.test:99999"),
    (["run", "--allow", "10.0.0.0/8", "--", "true"], "private"),
    (["run", "--mode", "loose", "--", "true"], "strict"),
    (["run", "--timeout", "soon", "--", "true"], "soon"),
    (["run", "--policy", "absent.cfg", "--", "true"], "absent.cfg"),
    (["run", "--backend", "magic", "--", "true"], "magic"),
    (["run", "--audit", "no/such/folder/f", "--", "true"], "no/such/folder/f"),
    (["runn", "--", "true"], "runn"),
    ([], "exeat run"),
])
def test_what_is_asked_wrongly_is_125_with_a_hint(exeat, words, hint):
    if words[-1:] == ["true"]:
        words = [*words[:-1], "touch", "marker"]
    result = exeat.call([exeat.program, *words])
    assert result.returncode == 125, result
    assert hint in result.stderr and result.stderr.startswith("exeat: ")
    assert result.stdout == ""
    assert not (exeat.work / "marker").exists()


def test_policy_file_error_names_file_line_and_key(exeat):
    (exeat.work / "p.cfg").write_text('version = 1;\nalow = ( );\n')
    result = exeat.run(["--policy", "p.cfg"], ["true"])
    assert result.returncode == 125
    assert "p.cfg:2" in result.stderr and "alow" in result.stderr \
        and "allow" in result.stderr


def test_help_and_version(exeat):
    shown = exeat.call([exeat.program, "--help"])
    assert shown.returncode == 0 and "exeat run --allow" in shown.stdout
    shown = exeat.call([exeat.program, "run", "--help"])
    assert shown.returncode == 0
    for flag in ("--allow", "--deny", "--resolve", "--policy", "--timeout",
                 "--audit", "--mode", "--env", "--dry-run"):
        assert flag in shown.stdout, flag
    assert "125" in shown.stdout
    shown = exeat.call([exeat.program, "check", "--help"])
    assert shown.returncode == 0 and "HOST" in shown.stdout
    shown = exeat.call([exeat.program, "--version"])
    assert shown.returncode == 0 and shown.stdout.startswith("exeat 0.")


def test_dry_run_starts_nothing(exeat):
    result = exeat.run(["--dry-run", "--allow", "a.test"], ["touch", "marker"])
    assert result.returncode == 0, result
    assert not (exeat.work / "marker").exists()
    assert not exeat.state.exists()


@pytest.mark.parametrize("flags, target, code, words", [
    (["--allow", "a.test"], "a.test", 0, ["allowed", "a.test:443"]),
    (["--allow", "a.test"], "A.Test.", 0, ["allowed", "a.test:443"]),
    (["--allow", "a.test"], "a.test:80", 1, ["denied", "--allow"]),
    (["--allow", "a.test"], "b.test", 1, ["denied", "b.test"]),
    (["--allow", "*.a.test"], "a.test", 1, ["denied"]),
    (["--allow", "*.a.test"], "x.y.a.test", 0, ["allowed", "*.a.test"]),
    (["--allow", "*.a.test", "--deny", "x.a.test"], "x.a.test", 1,
     ["denied", "--deny"]),
    (["--deny", "x.a.test", "--allow", "x.a.test"], "x.a.test", 1, ["denied"]),
    (["--allow", "192.0.2.0/24"], "192.0.2.7", 0, ["allowed"]),
    (["--allow", "a.test"], "127.0.0.1", 1, ["denied"]),
    (["--allow", "a.test"], "[::ffff:127.0.0.1]:443", 1, ["denied"]),
    ([], "a.test", 1, ["denied"]),
])
def test_check_says_what_the_policy_says_and_why(exeat, flags, target, code, words):
    result = exeat.call([exeat.program, "check", *flags, target])
    assert result.returncode == code, result
    for word in words:
        assert word in result.stdout, result


@pytest.mark.parametrize("words", [
    [], ["a b"], ["a.test", "b.test"], ["--allow", "a.test"], ["a.test:0"],
    ["a.test:x"], ["2130706433"], ["--no-such", "a.test"],
])
def test_check_of_what_is_no_destination_is_125(exeat, words):
    result = exeat.call([exeat.program, "check", *words])
    assert result.returncode == 125, result
    assert result.stderr.startswith("exeat: ")
