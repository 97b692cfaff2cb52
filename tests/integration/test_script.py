# SPDX-License-Identifier: MIT
"""exeat run --script: a program given as text."""

import pytest

ODD = b"' \" $(whoami) ` ; | & \\ \\\\ %s %d $$ $0 ! # ~ * ? [ ] { } < > \t\xff\xfe\xc3("


def script(exeat, text, name="prog"):
    (exeat.work / name).write_bytes(text if isinstance(text, bytes)
                                    else text.encode())
    return name


def run(exeat, file, words=(), flags=(), **keywords):
    return exeat.call([exeat.program, "run", *flags, "--script", file,
                       *(["--", *words] if words else [])], **keywords)


def test_python_sees_its_own_text_byte_for_byte(exeat):
    text = (b"import sys\n# " + ODD + b"\nsys.stdout.buffer.write("
            b"open(__file__, 'rb').read())\n")
    file = script(exeat, b"# coding: latin-1\n" + text, "odd name; $(id)'.py")
    result = run(exeat, file, flags=["--interpreter", "python3"])
    assert result.returncode == 0, result
    assert result.out == b"# coding: latin-1\n" + text


@pytest.mark.parametrize("interpreter", [None, "sh", "bash"])
def test_shell_text_comes_through_unchanged(exeat, interpreter):
    text = b"cat <<'END'\n" + ODD + b"\nEND\n"
    flags = ["--interpreter", interpreter] if interpreter else []
    result = run(exeat, script(exeat, text), flags=flags)
    assert result.returncode == 0, result
    assert result.out == ODD + b"\n"


def test_first_line_names_the_interpreter(exeat):
    result = run(exeat, script(exeat, "#!/usr/bin/env python3\nimport sys\n"
                                      "print(sys.argv[1:], sys.version_info[0])\n"),
                 ["-x", "a b"])
    assert result.stdout == "['-x', 'a b'] 3\n", result


def test_first_line_may_carry_one_argument(exeat):
    result = run(exeat, script(exeat, "#!/bin/sh -e\nfalse\necho not here\n"))
    assert (result.returncode, result.stdout) == (1, ""), result


@pytest.mark.parametrize("flags, text, said", [
    ([], "\n\nno-such-command\n", "3: no-such-command"),
    (["--interpreter", "bash"], "\n\nno-such-command\n", "line 3: no-such-command"),
    ([], "#!/bin/sh\n\n\nno-such-command\n", "4: no-such-command"),
    (["--interpreter", "python3"], "\n\n1/0\n", "line 3"),
    ([], "#!/usr/bin/perl\n\ndie 'oh';\n", "oh at /run/exeat/script/prog line 3"),
])
def test_line_numbers_are_the_scripts_own(exeat, flags, text, said):
    result = run(exeat, script(exeat, text), flags=flags)
    assert result.returncode != 0
    assert said in result.stderr, result


def test_name_and_arguments_reach_a_shell_script(exeat):
    result = run(exeat, script(exeat, 'printf "%s|" "$@"; exit 9\n'),
                 ["-x", "a b", "", "*"])
    assert (result.returncode, result.stdout) == (9, "-x|a b||*|"), result


def test_script_from_standard_input(exeat):
    for flags, text, wanted in (
            ([], b"echo sh-$1\n", "sh-a\n"),
            (["--interpreter", "python3"], b"import sys\nprint(sys.argv[1], "
             b"repr(sys.stdin.read()))\n", "a ''\n"),
            ([], b"#!/usr/bin/env python3\nprint('by the first line')\n",
             "by the first line\n")):
        result = run(exeat, "-", ["a"], flags, input=text)
        assert (result.returncode, result.stdout) == (0, wanted), result


def test_input_is_the_scripts_where_it_is_a_file(exeat):
    text = "#!/bin/sh\nread x; echo got-$x\n"
    result = run(exeat, script(exeat, text), input=b"line\n")
    assert result.stdout == "got-line\n", result


def test_long_script_is_read_to_its_end(exeat):
    text = "".join(f": line {n}\n" for n in range(20000)) + "echo the end\n"
    assert run(exeat, script(exeat, text)).stdout == "the end\n"
    result = run(exeat, script(exeat, "#!/bin/sh\n" + text))
    assert result.stdout == "the end\n"


def test_script_cannot_be_changed_from_inside(exeat):
    result = run(exeat, script(exeat, "#!/bin/sh\necho x >>$0; rm $0; mv $0 $0.b\n"
                                      "cat $0 | head -c 9\n"))
    assert result.stdout == "#!/bin/sh", result


def test_its_text_shows_in_no_command_line(exeat):
    text = "#!/bin/sh\n: s3cr3t-text\ncat /proc/[0-9]*/cmdline | tr '\\0' ' '\n"
    result = run(exeat, script(exeat, text))
    assert "/run/exeat/script/prog" in result.stdout
    assert "s3cr3t-text" not in result.stdout, result


@pytest.mark.parametrize("words, hint", [
    (["--script", "absent"], "No such file"),
    (["--script", "."], "directory"),
    (["--script"], "--script needs a file"),
    (["--interpreter", "sh", "--", "true"], "is for --script"),
    (["--script", "empty"], "empty"),
])
def test_what_cannot_be_is_125(exeat, words, hint):
    (exeat.work / "empty").touch()
    result = exeat.call([exeat.program, "run", *words])
    assert result.returncode == 125 and hint in result.stderr, result


def test_interpreter_that_is_not_there_is_127(exeat):
    result = run(exeat, script(exeat, "x\n"),
                 flags=["--interpreter", "no-such-program"])
    assert result.returncode == 127, result
