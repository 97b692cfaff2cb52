# SPDX-License-Identifier: MIT
"""The gate makes the mounts of a run; `exeat-fence --backend bwrap` writes the
same fence for bubblewrap alone. What a command then sees must be the same."""

import pytest

TABLE = ["cat", "/proc/self/mountinfo"]

FENCES = {
    "strict": [],
    "mounts": ["--mount", "other:/srv/other", "--mount", "out:/srv/out:rw"],
    "allowlist": ["--mode", "allowlist", "--read", "other", "--hide",
                  "other/sub", "--write", "out"],
    "open": ["--mode", "open", "--hide", "other/sub", "--write", "out"],
}


def mounts(text):
    """What is where, and how: without ids, and without exeat-init's own."""
    seen = set()
    for line in text.splitlines():
        fields = line.split()
        root, place, options = fields[3], fields[4], fields[5].split(",")
        kind = fields[fields.index("-") + 1]
        if kind == "tmpfs":
            root = ""
        seen.add((place, root, kind,
                  tuple(o for o in ("ro", "nosuid", "nodev") if o in options)))
    return seen


def bubblewrap_alone(exeat, flags):
    """The fence as bubblewrap raises it: files that we would provide are
    empty."""
    words = exeat.call([exeat.lab.bin / "exeat-fence", "--backend", "bwrap",
                        "-0", *flags, "--", *TABLE]).stdout.split("\0")[:-1]
    files = " ".join(f"{words[i + 1]}</dev/null"
                     for i, word in enumerate(words)
                     if word in ("--file", "--ro-bind-data"))
    command = [] if "--" in words else ["--", *TABLE]
    return exeat.call(["bash", "-c", f'exec "$@" {files}', "bash", "bwrap",
                       *words, *command])


@pytest.fixture
def folders(exeat):
    made = exeat.call(["sh", "-c", "mkdir -p other/sub out .git/hooks && "
                       "touch .git/config other/sub/x .envrc"])
    assert made.returncode == 0, made
    return exeat


@pytest.mark.parametrize("name", FENCES)
def test_gate_and_bubblewrap_make_the_same_mounts(folders, name):
    alone = bubblewrap_alone(folders, FENCES[name])
    assert alone.returncode == 0, alone
    run = folders.run(FENCES[name], TABLE)
    assert run.returncode == 0, run
    ours, theirs = mounts(run.stdout), mounts(alone.stdout)
    # A hidden folder is read-only as well, which bubblewrap cannot say of a
    # tmpfs.
    hidden = {m for m in ours - theirs
              if m[2] == "tmpfs" and "ro" in m[3] and
              (m[0], m[1], m[2], m[3][1:]) in theirs}
    assert ours - theirs == hidden
    assert {m for m in theirs - ours} == \
        {(m[0], m[1], m[2], m[3][1:]) for m in hidden}


def test_no_mount_is_tied_to_the_host(folders):
    run = folders.run([], TABLE)
    assert run.returncode == 0, run
    tied = [line for line in run.stdout.splitlines()
            if "master:" in line or "shared:" in line]
    assert not tied
