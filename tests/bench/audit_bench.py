# SPDX-License-Identifier: MIT
"""audit_bench: a million records through exeat-audit, in seconds and memory.

    audit_bench.py BIN [RECORDS]

CPU time is what counts on a machine that does other work; a file of a tenth of
the size shows that memory does not grow with it.
"""

import os
import pathlib
import sys
import tempfile
import time

LINE = ('{"ts":"2025-12-01T%02d:%02d:%02d.%03dZ","run":"r","seq":%d,"conn":%d,'
        '"event":"%s","verdict":"allow","rule":"policy.cfg:12","via":"connect",'
        '"transport":"tcp","host":"host%d.example%d.org","port":443,'
        '"server_name":"host%d.example%d.org","alpn":"h2","ech":false,'
        '"address":"192.0.2.%d"%s}\n')
END = (',"bytes_up":517,"bytes_down":48213,"duration_ms":12,"pid":77,'
       '"exe":"/usr/bin/node","argv0":"npm"')


def write(path, count):
    with open(path, "w", encoding="ascii") as f:
        for i in range(count):
            conn, host, zone = i // 2, i // 2 % 211, i // 2 % 19
            f.write(LINE % (i // 3600000 % 24, i // 60000 % 60, i // 1000 % 60,
                            i % 1000, i + 1, conn + 1,
                            "close" if i % 2 else "decision", host, zone, host,
                            zone, conn % 250, END if i % 2 else ""))


def measure(program, path, by):
    start = time.monotonic()
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.execv(program, ["audit", "--by", by, path])
    _, status, usage = os.wait4(pid, 0)
    assert status == 0
    return (time.monotonic() - start, usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss)


def main():
    program = str(pathlib.Path(sys.argv[1]) / "exeat-audit")
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 1000000
    with tempfile.TemporaryDirectory() as folder:
        for count in (most // 10, most):
            path = os.path.join(folder, "records.jsonl")
            write(path, count)
            size = os.path.getsize(path) >> 20
            for by in ("destination", "host", "process", "rule", "time"):
                wall, cpu, peak = min(measure(program, path, by)
                                      for _ in range(3))
                print(f"{count} records ({size} MiB) by {by}: {wall:.2f} s, "
                      f"{cpu:.2f} s CPU, {peak} KiB")


main()
