#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Golden files of the fence: what each back end writes for a policy and a
machine's facts. Usage: run.py EXEAT-FENCE [--update] [CASE...]; --update
rewrites what differs and shows the difference.

A case is a folder with facts.txt and, if wanted, policy.cfg, flags.txt (one
word a line), environ.txt (NAME=VALUE lines). What a back end refuses is golden
too: its message after "refused: "."""

import difflib
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
OUTPUTS = {
    "plan.txt": "plan",
    "bwrap.txt": "bwrap",
    "profile.sb": "seatbelt",
    "docker.txt": "docker",
}
TMP_DIR = "/private/tmp/exeat-run"


def lines_of(path):
    return path.read_text().splitlines() if path.exists() else []


def write(program, case, backend):
    """What the program says for a case, as bytes."""
    words = [program, "--backend", backend, "--facts", "facts.txt",
             "--proxy-port", "17080", "--init", "/opt/exeat/exeat-init"]
    if backend == "seatbelt":
        words += ["--tmp-dir", TMP_DIR]
    if (case / "policy.cfg").exists():
        words += ["--policy", "policy.cfg"]
    words += lines_of(case / "flags.txt")
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    for line in lines_of(case / "environ.txt"):
        name, _, value = line.partition("=")
        environment[name] = value
    done = subprocess.run(words, cwd=case, env=environment, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode == 0:
        return done.stdout
    return b"refused: " + done.stderr.removeprefix(b"exeat-fence: ")


def difference(name, old, new):
    return "".join(difflib.unified_diff(
        old.decode("latin-1").splitlines(keepends=True),
        new.decode("latin-1").splitlines(keepends=True), name, name + " (now)"))


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    update = "--update" in sys.argv
    wanted = [word for word in sys.argv[2:] if not word.startswith("--")]
    cases = sorted(path.parent for path in HERE.glob("*/facts.txt"))
    differing = 0
    for case in cases:
        if wanted and case.name not in wanted:
            continue
        for file, backend in OUTPUTS.items():
            path = case / file
            now = write(program, case, backend)
            golden = path.read_bytes() if path.exists() else b""
            if now == golden and path.exists():
                continue
            differing += 1
            sys.stdout.write(difference(f"{case.name}/{file}", golden, now))
            if update:
                path.write_bytes(now)
    print(f"{len(cases)} cases, {differing} files "
          f"{'rewritten' if update else 'differ'}")
    return 1 if differing and not update else 0


if __name__ == "__main__":
    sys.exit(main())
