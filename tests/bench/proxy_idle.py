# SPDX-License-Identifier: MIT
"""proxy_idle.py FOLDER [TUNNELS [SECONDS]]: many idle tunnels (20000) held for
a while (60), with traffic on a hundred of them: none is lost, CPU at rest is
near zero. Says what it measured; exit 1 where that does not hold.

Where one process may not have so many descriptors, the proxy has workers, and
clients and origins are several processes as well."""

import json
import math
import os
import pathlib
import resource
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time

BUSY = 100
REST_CPU = 0.02   # of one processor, with no byte moving
REST_SECONDS = 10
DEADLINE = 60


def raise_limit(wanted):
    """Returns how many descriptors a process may have."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    for limit in ((wanted, max(wanted, hard)), (hard, hard)):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, limit)
            return limit[0]
        except (ValueError, OSError):
            pass
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def serve(listener, room):
    """An origin: gives back what it gets."""
    watch = selectors.EpollSelector()
    watch.register(listener, selectors.EVENT_READ)
    while True:
        for key, _ in watch.select():
            if key.fileobj is listener:
                try:
                    watch.register(listener.accept()[0], selectors.EVENT_READ)
                except BlockingIOError:  # another process was first
                    continue
                room -= 1
                if room == 0:
                    watch.unregister(listener)
                continue
            data = key.fileobj.recv(4096)
            if data:
                key.fileobj.sendall(data)
            else:
                watch.unregister(key.fileobj)
                key.fileobj.close()


def start_origins(count, room):
    listener = socket.create_server(("127.0.0.2", 0), backlog=4096)
    listener.setblocking(False)
    pids = []
    for _ in range(count):
        pid = os.fork()
        if pid == 0:
            serve(listener, room)
        pids.append(pid)
    port = listener.getsockname()[1]
    listener.close()
    return pids, port


def start_proxy(folder, port, tunnels, workers, work):
    policy = work / "policy.cfg"
    policy.write_text(
        'version = 1;\nallow = ( { host = "idle.test"; '
        f'ports = [{port}]; protocol = "tcp"; private = true; }} );\n'
        'resolve = ( { host = "idle.test"; address = "127.0.0.2"; } );\n'
        f'proxy = {{ workers = {workers}; max_tunnels = {2 * tunnels}; }};\n')
    process = subprocess.Popen(
        [f"{folder}/exeat-proxy", "--policy", policy, "--audit",
         work / "audit.jsonl", "--listen-on", "127.0.0.1:0"],
        stdout=subprocess.PIPE)
    where = process.stdout.readline().decode().split()[1]
    return process, int(where.rsplit(":", 1)[1])


def open_tunnel(proxy_port, port):
    sock = socket.create_connection(("127.0.0.1", proxy_port), DEADLINE)
    sock.sendall(f"CONNECT idle.test:{port} HTTP/1.0\r\n\r\n".encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        part = sock.recv(4096)
        if not part:
            break
        answer += part
    if b" 200 " not in answer:
        sys.exit(f"proxy_idle: {answer!r}")
    return sock


def ping(socks, byte):
    """Each one echoes. Returns how many did not."""
    lost = 0
    for sock in socks:
        try:
            sock.sendall(byte)
        except OSError:
            lost += 1
    for sock in socks:
        try:
            lost += sock.recv(1) != byte
        except OSError:
            lost += 1
    return lost


class Clients:
    """A share of the tunnels, in a process of its own."""

    def __init__(self, proxy_port, port, count, busy):
        self.ours, theirs = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            self.ours.close()
            self._work(theirs, proxy_port, port, count, busy)
            os._exit(0)
        theirs.close()

    @staticmethod
    def _work(link, proxy_port, port, count, busy):
        socks = [open_tunnel(proxy_port, port) for _ in range(count)]
        link.sendall(b"open")
        seconds = float(link.recv(100))
        end, rounds, lost = time.monotonic() + seconds, 0, 0
        while time.monotonic() < end:
            lost += ping(socks[:busy], b"b")
            rounds += 1
            time.sleep(0.05)  # a pace, nothing that is waited for
        for at in range(0, count, 500):
            lost += ping(socks[at:at + 500], b"e")
        link.sendall(json.dumps([lost, rounds]).encode())

    def await_open(self):
        if self.ours.recv(100) != b"open":
            sys.exit("proxy_idle: not all tunnels could be opened")

    def hold(self, seconds):
        self.ours.sendall(str(seconds).encode())

    def result(self):
        answer = json.loads(self.ours.recv(1000))
        self.ours.close()
        os.waitpid(self.pid, 0)
        return answer


def family(pid):
    """A process and its children."""
    path = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    return [pid, *map(int, path.read_text().split())]


def cpu_seconds(pids):
    total = 0
    for pid in pids:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text() \
            .rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def pss_kib(pids):
    return sum(int(line.split()[1]) for pid in pids
               for line in pathlib.Path(f"/proc/{pid}/smaps_rollup")
               .read_text().splitlines() if line.startswith("Pss:"))


def measure(process, ports, tunnels, parts, seconds):
    pids = family(process.pid)
    empty = pss_kib(pids)
    start = time.monotonic()
    share = tunnels // parts
    clients = [Clients(*ports, share, BUSY // parts) for _ in range(parts)]
    for part in clients:
        part.await_open()
    took = time.monotonic() - start
    per_tunnel = (pss_kib(pids) - empty) / (share * parts)
    before = cpu_seconds(pids)
    time.sleep(REST_SECONDS)  # the time that is measured
    rest = (cpu_seconds(pids) - before) / REST_SECONDS
    for part in clients:
        part.hold(max(0, seconds - REST_SECONDS))
    results = [part.result() for part in clients]
    return {"tunnels": share * parts, "workers": max(1, len(pids) - 1),
            "opened_s": round(took, 1),
            "kib_per_tunnel": round(per_tunnel, 2),
            "cpu_at_rest": round(rest, 4),
            "pings": sum(rounds for _, rounds in results) * (BUSY // parts),
            "lost": sum(lost for lost, _ in results)}


def main():
    folder = sys.argv[1]
    tunnels = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 60
    limit = raise_limit(2 * tunnels + 4000)
    workers = math.ceil(2.4 * tunnels / (limit - 1000))
    parts = math.ceil(tunnels / (limit - 1000))
    origins, port = start_origins(parts + 1, limit - 1000)
    with tempfile.TemporaryDirectory() as work:
        process, proxy_port = start_proxy(folder, port, tunnels, workers,
                                          pathlib.Path(work))
        try:
            result = measure(process, (proxy_port, port), tunnels, parts,
                             seconds)
        finally:
            process.send_signal(signal.SIGINT)
            code = process.wait(DEADLINE)
            for pid in origins:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
        with open(pathlib.Path(work) / "audit.jsonl", encoding="utf-8") as log:
            result["records"] = sum(1 for _ in log)
    result["exit"] = code
    print("proxy_idle: " + json.dumps(result))
    holds = (result["lost"] == 0 and code == 0 and
             result["cpu_at_rest"] <= REST_CPU and
             result["records"] == 2 * result["tunnels"])
    sys.exit(0 if holds else 1)


main()
