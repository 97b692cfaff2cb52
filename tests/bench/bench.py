# SPDX-License-Identifier: MIT
"""bench: start-up time and memory of `exeat run` beside bare bubblewrap.

Both are run in turn, the order alternating, and each pair gives one ratio: on a
noisy machine only what was measured side by side says anything. The median of
the pairs is printed. 1.3 is the aim; above 1.6 is a failure.
"""

import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

RUNS, WARM_UP = 30, 3
AIM, LIMIT = 1.3, 1.6
PSS_AIM_KB, PSS_LIMIT_KB = 3 * 1024, 5 * 1024
BARE = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev",
        "--proc", "/proc", "true"]


def seconds(command, folder):
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def pairs(command, folder):
    """(bare, ours) in ms for each pair after the warm-up."""
    result = []
    for i in range(RUNS + WARM_UP):
        if i % 2:
            ours, bare = seconds(command, folder), seconds(BARE, folder)
        else:
            bare, ours = seconds(BARE, folder), seconds(command, folder)
        result.append((bare * 1e3, ours * 1e3))
    return result[WARM_UP:]


def verdict(value, aim, limit):
    if value <= aim:
        return "reaches the aim"
    return "within the limit" if value <= limit else "ABOVE THE LIMIT"


def start_up(exeat, folder):
    measured = pairs([exeat, "run", "--", "true"], folder)
    ratio = statistics.median(ours / bare for bare, ours in measured)
    print(f"start of `exeat run -- true` beside `{' '.join(BARE)}`,\n"
          f"  {RUNS} pairs, medians: "
          f"{statistics.median(b for b, _ in measured):.1f} ms bare, "
          f"{statistics.median(o for _, o in measured):.1f} ms exeat\n"
          f"  median ratio {ratio:.2f} (aim {AIM}, limit {LIMIT}): "
          f"{verdict(ratio, AIM, LIMIT)}")
    return ratio <= LIMIT


def fence_alone(exeat, folder):
    """bubblewrap with the mounts of exeat's fence, and without the rest."""
    told = subprocess.run([exeat, "run", "--dry-run", "--", "true"],
                          cwd=folder, capture_output=True, text=True,
                          check=True).stdout
    kept = [line.split() for line in told.splitlines()
            if line.startswith("  --") and "'" not in line and
            not re.match(r"  --(file|perms|setenv)\b", line)]
    kept.sort(key=lambda words: words[0] == "--remount-ro")
    command = ["bwrap", *sum(kept, []), "true"]
    try:
        measured = pairs(command, folder)
    except subprocess.CalledProcessError:
        return
    ratio = statistics.median(ours / bare for bare, ours in measured)
    mounts = sum(words[0] in ("--ro-bind", "--bind") for words in kept)
    print(f"  bubblewrap alone, making this fence's {mounts} mounts itself: "
          f"{ratio:.2f}")


def pss_kb(pid):
    text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(re.search(r"^Pss:\s+(\d+) kB", text, re.M).group(1))


def family(pid):
    """pid and every descendant, oldest first."""
    found = [pid]
    for parent in found:
        for task in pathlib.Path(f"/proc/{parent}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def memory(exeat, folder):
    """PSS of the helpers while a command idles. exeat-init has become the
    command by then; before GO it is counted by the processes of its name."""
    run = subprocess.Popen([exeat, "run", "--", "sh", "-c", "echo up; read x"],
                           cwd=folder, stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, text=True)
    assert run.stdout.readline() == "up\n"
    sizes, others = {}, {}
    for pid in family(run.pid):
        name = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
        role = {run.pid: "runner"}.get(pid, name)
        role = "gate" if role == "exeat" else role
        place = sizes if role in ("runner", "gate", "exeat-proxy") else others
        place[role] = place.get(role, 0) + pss_kb(pid)
    run.communicate("\n")
    total = sum(sizes.values())
    print("memory of the idle helpers (PSS): " +
          ", ".join(f"{role} {kb} KB" for role, kb in sizes.items()) +
          f"\n  together {total} KB (aim {PSS_AIM_KB}, limit {PSS_LIMIT_KB}): "
          f"{verdict(total, PSS_AIM_KB, PSS_LIMIT_KB)}; exeat-init has become "
          f"the command\n  beside them: bubblewrap {others.get('bwrap', 0)} KB")
    return total <= PSS_LIMIT_KB


def main():
    exeat = str(pathlib.Path(sys.argv[1]).resolve() / "exeat")
    with tempfile.TemporaryDirectory(prefix="exeat-bench-", dir="/tmp") as name:
        os.environ["XDG_STATE_HOME"] = name + "/state"
        folder = pathlib.Path(name, "project")
        folder.mkdir()
        holds = start_up(exeat, folder)
        fence_alone(exeat, folder)
        holds = memory(exeat, folder) and holds
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
