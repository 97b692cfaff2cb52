# SPDX-License-Identifier: MIT
"""processes: whoever is started here comes back here when orphaned, so that it
can be seen, waited for, and missed."""

import ctypes
import os
import pathlib
import select
import signal
import time

PR_SET_CHILD_SUBREAPER = 36


def become_subreaper():
    """Orphans among our descendants become our children."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def parents():
    """pid -> (parent, name) of every process that can be seen."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = pathlib.Path("/proc", entry, "stat").read_text()
            except OSError:
                continue
            name = stat[stat.index("(") + 1:stat.rindex(")")]
            found[int(entry)] = (int(stat[stat.rindex(")") + 2:].split()[1]), name)
    return found


def descendants(root=None):
    """pid -> name of all below a process (default: this one)."""
    table = parents()
    found, grew = {root or os.getpid(): ""}, True
    while grew:
        grew = False
        for pid, (parent, name) in table.items():
            if parent in found and pid not in found:
                found[pid] = name
                grew = True
    found.pop(root or os.getpid())
    return found


def _wait_for_end(pid, deadline):
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        left = max(0, deadline - time.monotonic())
        return bool(poll.poll(left * 1000))
    finally:
        os.close(handle)


def wait_until_none(seconds=10):
    """Wait until no descendant is left and reap those that came back to us.
    Returns what is left after the time: pid -> name."""
    deadline = time.monotonic() + seconds
    while True:
        left = descendants()
        if not left:
            return {}
        for pid in left:
            if not _wait_for_end(pid, deadline):
                return descendants()
        while True:  # reap; Popen objects have waited for their own by now
            try:
                pid, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid == 0:
                break


def kill_all(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
