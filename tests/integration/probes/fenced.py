# SPDX-License-Identifier: MIT
"""fenced: says in the file "fenced" what is missing of the fence around it."""

import os

missing = []
with open("/proc/net/dev") as file:
    if [line for line in file if ":" in line and "lo:" not in line]:
        missing.append("network namespace")
if sum(name.isdigit() for name in os.listdir("/proc")) > 5:
    missing.append("pid namespace")
with open("/proc/self/status") as file:
    status = dict(line.rstrip("\n").split(":\t", 1) for line in file)
if int(status["CapEff"], 16) or int(status["CapBnd"], 16):
    missing.append("capabilities dropped")
if status["NoNewPrivs"] != "1":
    missing.append("no new privileges")
try:
    os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY))
    missing.append("/proc/sys")
except OSError:
    pass
for folder in ("/", "/etc", "/usr", "/usr/lib"):
    try:
        os.close(os.open(folder + "/made-inside", os.O_CREAT | os.O_WRONLY))
        missing.append(folder + " read-only")
    except OSError:
        pass
# 3 is the folder's own.
if sorted(os.listdir("/proc/self/fd")) not in (["0", "1", "2", "3"],):
    missing.append("descriptors closed")
with open("fenced", "w") as file:
    file.write(("missing: " + ", ".join(missing) if missing else "fenced") + "\n")
