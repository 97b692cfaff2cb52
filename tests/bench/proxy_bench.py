# SPDX-License-Identifier: MIT
"""proxy_bench: exeat-proxy beside a direct connection, haproxy, squid and
tinyproxy (those that are installed), measured in turns within one run, one
thread each but for tinyproxy (a thread a connection).

usage: proxy_bench.py BUILD [--quick] [tunnels|bulk|pingpong|memory]...
"""
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
HELLO = os.path.join(ROOT, "tests", "data", "client_hello",
                     "c_curl_default.hex")
TICK = os.sysconf("SC_CLK_TCK")


NEXT_PORT = iter(range(20000 + os.getpid() % 5000, 32000))


def free_ports(count):
    """The first of count adjacent ports, below those that the kernel gives to
    clients."""
    found = []
    while len(found) < count:
        port = next(NEXT_PORT)
        try:
            with socket.socket() as s:
                s.bind(("", port))
            found.append(port)
        except OSError:
            found = []
    return found[0]


class Peer:
    """A proxy under measurement. connect: it is asked by CONNECT."""

    def __init__(self, name, words, port, connect=True):
        self.name, self.port, self.connect = name, port, connect
        self.process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        else:
            raise RuntimeError(f"{name} does not listen")

    def pids(self):
        """The process and its children."""
        found, todo = [], [self.process.pid]
        while todo:
            pid = todo.pop()
            found.append(pid)
            try:
                with open(f"/proc/{pid}/task/{pid}/children",
                          encoding="ascii") as f:
                    todo += [int(p) for p in f.read().split()]
            except OSError:
                pass
        return found

    def cpu_s(self):
        ticks = 0
        for pid in self.pids():
            try:
                with open(f"/proc/{pid}/stat", encoding="ascii") as f:
                    fields = f.read().rsplit(")", 1)[1].split()
                ticks += int(fields[11]) + int(fields[12])
            except OSError:
                pass
        return ticks / TICK

    def memory_kib(self):
        total = 0
        for pid in self.pids():
            try:
                with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as f:
                    for line in f:
                        if line.startswith("Pss:"):
                            total += int(line.split()[1])
            except OSError:
                pass
        return total

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Bench:
    def __init__(self, build):
        self.bin = os.path.join(build, "bin")
        self.load = os.path.join(build, "tests", "proxy_load")
        self.tmp = tempfile.TemporaryDirectory()
        self.origin_port = free_ports(3)
        self.origin = subprocess.Popen(
            [self.load, "origin", str(self.origin_port)],
            stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.origin.stdout.readline()
        self.peers = []

    def path(self, name):
        return os.path.join(self.tmp.name, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="ascii") as f:
            f.write(text)
        return self.path(name)

    def add(self, *args, **kwargs):
        try:
            self.peers.append(Peer(*args, **kwargs))
        except (OSError, RuntimeError) as error:
            print(f"# left out: {error}", file=sys.stderr)

    def start(self):
        ports = [self.origin_port + i for i in range(3)]
        port = free_ports(1)
        self.add("exeat-proxy", [
            os.path.join(self.bin, "exeat-proxy"), "--allow",
            "allowed.test:" + ",".join(map(str, ports)) + "+private",
            "--resolve", "allowed.test:127.0.0.2", "--audit",
            self.path("audit.jsonl"), "--listen-on", f"127.0.0.1:{port}"],
            port)
        port = free_ports(1)
        self.add("floor", [os.path.join(os.path.dirname(self.load),
                                        "proxy_floor"), str(port),
                           self.path("floor.log")], port)
        if shutil.which("haproxy"):
            for name, splice in (("haproxy", ""), (
                    "haproxy-splice", "option splice-request\n"
                    " option splice-response\n")):
                self.add_haproxy(name, splice, ports)
        if shutil.which("squid"):
            port = free_ports(1)
            conf = self.write("squid.conf", f"""
http_port 127.0.0.1:{port}
acl SSL_ports port {' '.join(map(str, ports))}
http_access allow all
access_log stdio:{self.path('squid.log')}
cache_log /dev/null
pid_filename {self.path('squid.pid')}
cache deny all
coredump_dir {self.tmp.name}
hosts_file {self.write('hosts', '127.0.0.2 allowed.test' + chr(10))}
max_filedescriptors 20000
""")
            os.chmod(self.tmp.name, 0o777)
            self.add("squid", ["squid", "-N", "-f", conf], port)
        if shutil.which("tinyproxy"):
            port = free_ports(1)
            conf = self.write("tinyproxy.conf", f"""
Port {port}
Listen 127.0.0.1
MaxClients 6000
LogFile "{self.path('tinyproxy.log')}"
LogLevel Connect
""" + "".join(f"ConnectPort {p}\n" for p in ports))
            self.add("tinyproxy", ["tinyproxy", "-d", "-c", conf], port)

    def add_haproxy(self, name, splice, ports):
        first = free_ports(3)
        text = "global\n maxconn 6000\n maxpipes 500\n nbthread 1\n" \
            " log stdout format raw local0\n" \
            "defaults\n mode tcp\n log global\n option tcplog\n" \
            " timeout connect 10s\n timeout client 10m\n timeout server 10m\n"
        for i, port in enumerate(ports):
            text += f"listen l{i}\n bind 127.0.0.1:{first + i}\n {splice}" \
                    " tcp-request inspect-delay 10s\n" \
                    " tcp-request content accept if { req.ssl_sni -i " \
                    "allowed.test }\n tcp-request content reject if " \
                    "{ req.ssl_hello_type 1 }\n" \
                    f" server o 127.0.0.2:{port}\n"
        conf = self.write(name + ".cfg", text)
        self.add(name, ["sh", "-c", f"exec haproxy -db -f {conf} >"
                        f"{self.path(name + '.log')}"], first, connect=False)

    def run(self, peer, mode, parallel, count, kind=0, **more):
        """kind: which of the origin's ports. peer None: direct."""
        connect = "-"
        if peer is None:
            port, connect = self.origin_port + kind, "="
        elif peer.connect:
            # tinyproxy cannot be told where a name leads
            host = "127.0.0.2" if peer.name == "tinyproxy" else "allowed.test"
            port, connect = peer.port, f"{host}:{self.origin_port + kind}"
        else:
            port = peer.port + kind
        words = [self.load, mode, HELLO, str(port), connect, str(parallel),
                 str(count)]
        return subprocess.Popen(words, stdout=subprocess.PIPE,
                                stdin=subprocess.PIPE, text=True, **more)

    def figures(self, peer, *args, **kwargs):
        before = peer.cpu_s() if peer else 0
        process = self.run(peer, *args, **kwargs)
        out, _ = process.communicate()
        cpu = (peer.cpu_s() if peer else 0) - before
        words = out.split()
        return {k: float(v) for k, v in zip(words[::2], words[1::2])}, cpu

    def compare(self, title, key, rounds, cost, *args, **kwargs):
        print(f"\n{title}")
        seen = {}
        for _ in range(rounds):
            for peer in [None, *self.peers]:
                name = peer.name if peer else "direct"
                if name == "haproxy-splice" and "bulk" not in args:
                    continue
                if name == "floor" and "bulk" in args and args[1] > 1:
                    continue  # it serves one receiver at a time
                got, cpu = self.figures(peer, *args, **kwargs)
                if key in got and got.get("failed", 0) == 0:
                    seen.setdefault(name, []).append((got[key], cpu / cost))
                else:
                    print(f"  {name}: failed {got}", file=sys.stderr)
        ours = statistics.median(v for v, _ in seen["exeat-proxy"])
        for name, values in seen.items():
            value = statistics.median(v for v, _ in values)
            cpu = statistics.median(c for _, c in values)
            print(f"  {name:15} {value:10.1f} {key:14} "
                  f"cpu {cpu * 1e6:8.1f} us  ours/this {ours / value:5.2f}")

    def memory(self, tunnels):
        print(f"\nmemory per idle tunnel, {tunnels} of them")
        for peer in self.peers:
            if peer.name == "haproxy-splice":
                continue
            before = peer.memory_kib()
            process = self.run(peer, "idle", tunnels, 0)
            line = process.stdout.readline().strip()
            grown = peer.memory_kib() - before
            process.stdin.write("\n")
            process.stdin.close()
            rest = process.stdout.read().strip()
            process.wait()
            print(f"  {peer.name:15} {grown / tunnels:6.2f} KiB  "
                  f"({line}, {rest})")

    def close(self):
        for peer in self.peers:
            peer.close()
        self.origin.kill()
        self.origin.wait()
        self.tmp.cleanup()


def main():
    quick = "--quick" in sys.argv
    only = [word for word in sys.argv[2:] if word != "--quick"]
    bench = Bench(sys.argv[1])
    rounds, tunnels, mib = (3, 4000, 512) if quick else (5, 20000, 2048)
    try:
        bench.start()
        for parallel in (32, 256):
            if not only or "tunnels" in only:
                bench.compare(f"new tunnels, {parallel} in parallel (cpu: per "
                              "tunnel)", "tunnels_per_s", rounds, tunnels,
                              "tunnels", parallel, tunnels)
        for parallel in (1, 8):
            if not only or "bulk" in only:
                bench.compare(f"bulk, {parallel} tunnels (cpu: per MiB)",
                              "mib_per_s", rounds, mib, "bulk", parallel,
                              mib // parallel, kind=1)
        if not only or "pingpong" in only:
            bench.compare("ping-pong of one byte (cpu: per round)",
                          "median_us", rounds, 5000, "pingpong", 1, 5000,
                          kind=2)
        if not only or "memory" in only:
            bench.memory(2000 if quick else 5000)
    finally:
        bench.close()


if __name__ == "__main__":
    main()
