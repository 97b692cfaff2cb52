# SPDX-License-Identifier: MIT
"""capture_bench: what a captured connection costs beside one by CONNECT, pairs
in turn inside one sandbox, and whether every one of them is recorded.

usage: capture_bench.py BUILD [COUNT]
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

LIMIT = 1.1
WARM_UP = 200


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    with tempfile.TemporaryDirectory(prefix="exeat-bench-", dir="/tmp") as name:
        folder = pathlib.Path(name)
        shutil.copy(build / "tests" / "capture_load", folder)
        audit = folder.with_suffix(".jsonl")
        origin = subprocess.Popen([folder / "capture_load", "origin"],
                                  stdout=subprocess.PIPE, text=True)
        try:
            port = origin.stdout.readline().strip()
            command = ("exec ./capture_load 17080 $(getent ahostsv4 site.test | "
                       f"sed -n '1s/ .*//p') {port} site.test {count}")
            start = time.monotonic()
            said = subprocess.run(
                [build / "bin" / "exeat", "run", "--audit", audit, "--allow",
                 f"site.test:{port}/tcp+private", "--resolve",
                 "site.test:127.0.0.2", "--", "sh", "-c", command],
                cwd=folder, capture_output=True, text=True, check=True).stdout
            seconds = time.monotonic() - start
            records = [json.loads(line) for line in audit.open()]
        finally:
            origin.terminate()
            origin.wait()
            audit.unlink(missing_ok=True)
    captured, proxied, ratio = map(float, said.split())
    made = 2 * (count + WARM_UP)
    decided = sum(r["event"] == "decision" for r in records)
    holds = ratio <= LIMIT and decided == made
    print(f"a connection and one byte back: captured {captured:.0f} us, by "
          f"CONNECT {proxied:.0f} us,\n  median ratio of {count} pairs "
          f"{ratio:.2f} (limit {LIMIT}); {decided} of {made} connections "
          f"recorded, {made / seconds:.0f} a second: "
          f"{'holds' if holds else 'FAILS'}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
