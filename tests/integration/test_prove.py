# SPDX-License-Identifier: MIT
"""exeat prove: what it says of a fence that holds, and of one that does not."""

import os
import re

import pytest


def prove(exeat, *flags):
    result = exeat.call([exeat.program, "prove", *flags], timeout=60)
    lines = dict(re.findall(r"^(G\d+) +(.*)$", result.stdout, re.M))
    assert list(lines) == [f"G{number}" for number in range(1, 14)], result
    return result, lines


def test_the_fence_holds(exeat):
    """Every guarantee that there is an attempt at, and nothing is left."""
    before = set(os.listdir("/tmp"))
    result, lines = prove(exeat)
    assert result.returncode == 0, result
    assert not [line for line in lines.values()
                if not line.startswith("holds")], result
    assert not [name for name in set(os.listdir("/tmp")) - before
                if name.startswith("exeat-prove")]


@pytest.mark.parametrize("flags, guarantee, word", [
    (["--protect", "list"], "G10", "git hook"),
    (["--env", "EXEAT_PROVE_SECRET"], "G8", "environment"),
])
def test_what_a_flag_opens_is_found(exeat, flags, guarantee, word):
    result, lines = prove(exeat, *flags)
    assert result.returncode == 1, result
    assert lines[guarantee].startswith("does not hold"), result
    assert word in lines[guarantee]
    others = [name for name, line in lines.items()
              if line.startswith("does not hold")]
    assert others == [guarantee], result


def test_without_a_fence_nothing_is_claimed(exeat):
    """A machine that cannot raise one: an error that says so."""
    folder = exeat.lab.folder("broken")
    (folder / "bwrap").write_text("#!/bin/sh\nexit 1\n")
    (folder / "bwrap").chmod(0o755)
    result = exeat.call([exeat.program, "prove"], timeout=60,
                        env={"PATH": f"{folder}:/usr/bin:/bin"})
    assert result.returncode == 125, result
    assert "holds" not in result.stdout
    assert "exeat doctor" in result.stderr
