# SPDX-License-Identifier: MIT
"""kernel_files: walks /proc (but for processes) and /sys and opens every file
for writing, without writing. Prints how many were looked at and which opened."""

import json
import os

looked_at, opened = 0, []
for top in ("/proc", "/sys"):
    for folder, folders, names in os.walk(top):
        if folder == "/proc":
            folders[:] = [name for name in folders if not name.isdigit()
                          and name not in ("self", "thread-self", "net")]
        for name in names:
            path = os.path.join(folder, name)
            if os.path.islink(path):
                continue
            looked_at += 1
            try:
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY))
            except OSError:
                continue
            opened.append(path)
print(json.dumps({"looked_at": looked_at, "opened": opened}))
