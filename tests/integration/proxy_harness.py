# SPDX-License-Identifier: MIT
"""proxy_harness: a real exeat-proxy, origins that record, a DNS stub.

Nothing here sleeps: tests wait for a record, a byte or the end of a stream,
with a deadline that only a failing test reaches.
"""
import ctypes
import json
import os
import queue
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
BIN = os.environ.get("EXEAT_BIN", os.path.join(ROOT, "build", "dev", "bin"))
sys.path.insert(0, os.path.join(ROOT, "tests"))
HELLOS = os.path.join(ROOT, "tests", "data", "client_hello")
DEADLINE = 20.0
CLONE_NEWNET = 0x40000000

# pylint: disable=wrong-import-position
from lab import schema  # noqa: E402


def hello(name):
    """A first flight from tests/data, as bytes."""
    with open(os.path.join(HELLOS, name + ".hex"), encoding="ascii") as f:
        return bytes.fromhex(f.read().strip())


class Place:
    """Where sockets are made and programs started: this namespace."""

    def run(self, function, *args, **kwargs):
        return function(*args, **kwargs)

    def close(self):
        pass


class Namespace(Place):
    """A network namespace of its own, held by a thread that works in it."""

    def __init__(self):
        self.jobs = queue.Queue()
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.thread.start()
        self.tid = self.run(self._enter)

    @staticmethod
    def _enter():
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "unshare(CLONE_NEWNET)")
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        return threading.get_native_id()

    def _work(self):
        while True:
            job = self.jobs.get()
            if job is None:
                return
            function, args, kwargs, answer = job
            try:
                answer.put((function(*args, **kwargs), None))
            except BaseException as error:  # handed to the caller
                answer.put((None, error))

    def run(self, function, *args, **kwargs):
        answer = queue.Queue()
        self.jobs.put((function, args, kwargs, answer))
        result, error = answer.get()
        if error is not None:
            raise error
        return result

    def ip(self, *words):
        self.run(subprocess.run, ["ip", *words], check=True)

    def close(self):
        self.jobs.put(None)
        self.thread.join()


def read_until_eof(sock):
    data = b""
    while True:
        try:
            chunk = sock.recv(65536)
        except ConnectionResetError:
            return data
        if not chunk:
            return data
        data += chunk


class Visit:
    """One connection to an origin: what came, and whether it ended."""

    def __init__(self, sock, peer):
        self.sock = sock
        self.peer = peer
        self.received = b""
        self.ended = threading.Event()
        self.changed = threading.Condition()

    def wait_bytes(self, count, deadline=DEADLINE):
        with self.changed:
            assert self.changed.wait_for(
                lambda: len(self.received) >= count or self.ended.is_set(),
                deadline), "origin waits for bytes"
        return self.received


class Origin:
    """Listens, stores every byte, plays a script: script(visit)."""

    def __init__(self, address="127.0.0.2", port=0, script=None, place=None):
        self.script = script
        self.visits = []
        self.lock = threading.Condition()
        self.place = place or Place()
        self.sock = self.place.run(self._listen, address, port)
        self.address, self.port = self.sock.getsockname()[:2]
        threading.Thread(target=self._accept, daemon=True).start()

    @staticmethod
    def _listen(address, port):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        sock = socket.socket(family)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((address, port))
        sock.listen(512)
        return sock

    def _accept(self):
        while True:
            try:
                sock, peer = self.sock.accept()
            except OSError:
                return
            visit = Visit(sock, peer)
            with self.lock:
                self.visits.append(visit)
                self.lock.notify_all()
            if self.script:
                threading.Thread(target=self._play, args=(visit,),
                                 daemon=True).start()
            else:
                threading.Thread(target=self._record, args=(visit,),
                                 daemon=True).start()

    def _play(self, visit):
        try:
            self.script(visit)
        except OSError:
            pass
        finally:
            visit.sock.close()

    def _record(self, visit):
        record_all(visit)
        visit.sock.close()

    def wait_visit(self, number=0, deadline=DEADLINE):
        with self.lock:
            assert self.lock.wait_for(
                lambda: len(self.visits) > number, deadline), "no visit"
            return self.visits[number]

    def count(self):
        """Visits so far. Connections are accepted in turn, so that one of our
        own tells when all earlier ones have been."""
        before = len(self.visits)
        with self.place.run(socket.create_connection,
                            (self.address, self.port), DEADLINE) as sock:
            mine = sock.getsockname()[:2]

            def marks():
                return [v for v in self.visits[before:] if v.peer[:2] == mine]

            with self.lock:
                assert self.lock.wait_for(marks, DEADLINE)
                self.visits.remove(marks()[0])
                return len(self.visits)

    def total(self):
        return sum(len(v.received) for v in self.visits)

    def close(self):
        # A thread in accept() keeps a merely closed socket listening.
        self.sock.shutdown(socket.SHUT_RDWR)
        self.sock.close()


def record_all(visit):
    """Store what comes until the end."""
    while True:
        try:
            chunk = visit.sock.recv(65536)
        except OSError:
            chunk = b""
        with visit.changed:
            visit.received += chunk
            if not chunk:
                visit.ended.set()
            visit.changed.notify_all()
        if not chunk:
            return


class StubDns:
    """Answers A and AAAA over UDP from a table, and records every question.

    answers: {name: {"A": [...], "AAAA": [...]}}, or "NXDOMAIN", "SERVFAIL",
    or None: no answer. "CNAME" may give a chain of names.
    """
    TYPES = {1: "A", 28: "AAAA", 65: "HTTPS"}

    def __init__(self, place=None, address="127.0.0.1", ttl=60):
        self.answers = {}
        self.queries = []
        self.ttl = ttl
        place = place or Place()
        self.sock = place.run(self._open, address)
        self.address, self.port = self.sock.getsockname()
        threading.Thread(target=self._serve, daemon=True).start()

    @staticmethod
    def _open(address):
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sock.bind((address, 0))
        return sock

    def _serve(self):
        while True:
            try:
                query, peer = self.sock.recvfrom(4096)
            except OSError:
                return
            reply = self._answer(query)
            if reply is not None:
                self.sock.sendto(reply, peer)

    @staticmethod
    def _read_name(query, at):
        labels = []
        while query[at]:
            labels.append(query[at + 1:at + 1 + query[at]].decode("latin1"))
            at += 1 + query[at]
        return ".".join(labels), at + 1

    @staticmethod
    def _wire_name(name):
        return b"".join(bytes([len(p)]) + p.encode("latin1")
                        for p in name.split(".")) + b"\0"

    def _records(self, name, kind, entry):
        records = []
        for target in entry.get("CNAME", []):
            records.append((name, 5, self._wire_name(target)))
            name = target
        family = socket.AF_INET if kind == "A" else socket.AF_INET6
        for address in entry.get(kind, []):
            records.append((name, 1 if kind == "A" else 28,
                            socket.inet_pton(family, address)))
        return records

    def _answer(self, query):
        name, end = self._read_name(query, 12)
        number = struct.unpack("!H", query[end:end + 2])[0]
        kind = self.TYPES.get(number, str(number))
        self.queries.append((name, kind))
        entry = self.answers.get(name.lower(), "NXDOMAIN")
        if callable(entry):
            entry = entry(kind)
        if isinstance(entry, dict) and kind in entry \
                and not isinstance(entry[kind], list):
            entry = entry[kind]
        if entry is None:
            return None
        code = {"NXDOMAIN": 3, "SERVFAIL": 2}.get(entry, 0) \
            if isinstance(entry, str) else 0
        records = self._records(name, kind, entry) if code == 0 else []
        reply = query[:2] + struct.pack("!HHHHH", 0x8180 | code, 1,
                                        len(records), 0, 0)
        reply += query[12:end + 4]
        for owner, rtype, data in records:
            reply += self._wire_name(owner) + struct.pack(
                "!HHIH", rtype, 1, self.ttl, len(data)) + data
        return reply

    def close(self):
        self.sock.close()


class Proxy:
    """exeat-proxy on a loopback port, its records read as they come."""

    def __init__(self, *flags, policy=None, place=None, limit_files=None,
                 audit=None, listen="127.0.0.1:0"):
        self.place = place or Place()
        self.folder = tempfile.TemporaryDirectory()
        self.all = []
        self.faults = []
        self.marks = 0
        self.log = []
        self.news = threading.Condition()
        self.listening = queue.Queue()
        words = [os.path.join(BIN, "exeat-proxy")]
        if policy is not None:
            path = os.path.join(self.folder.name, "policy.cfg")
            with open(path, "w", encoding="utf-8") as f:
                f.write("version = 1;\n" + policy)
            words += ["--policy", path]
        words += flags
        words += ["--audit", audit or "-", "--listen-on", listen]
        if limit_files:
            words = ["sh", "-c", f"ulimit -n {limit_files}; exec \"$@\"",
                     "sh", *words]
        self.process = self.place.run(
            subprocess.Popen, words, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self._threads = [
            threading.Thread(target=self._read_records, daemon=True),
            threading.Thread(target=self._read_log, daemon=True)]
        for thread in self._threads:
            thread.start()
        where = self.listening.get(timeout=DEADLINE)
        assert where, "exeat-proxy did not start: " + "".join(self.log)
        self.where = where
        if not where.startswith("unix:") and not where.startswith("/"):
            host, port = where.rsplit(":", 1)
            self.host, self.port = host.strip("[]"), int(port)

    def _take(self, line):
        if line.startswith("listening "):
            self.listening.put(line.split(" ", 1)[1].strip())
            return True
        return False

    def _read_records(self):
        for line in self.process.stdout:
            text = line.decode("utf-8")
            if self._take(text):
                continue
            assert "\x7f" not in text and text.endswith("\n")
            assert all(c >= " " for c in text[:-1]), text
            record = json.loads(text)
            with self.news:
                self.all.append(record)
                self.faults += schema.faults(record)
                self.news.notify_all()
        with self.news:
            self.news.notify_all()

    def _read_log(self):
        for line in self.process.stderr:
            text = line.decode("utf-8", "replace")
            if not self._take(text):
                with self.news:
                    self.log.append(text)
                    self.news.notify_all()
        self.listening.put(None)

    def wait_log(self, text, deadline=DEADLINE):
        with self.news:
            assert self.news.wait_for(
                lambda: any(text in line for line in self.log), deadline), \
                self.log

    def records(self, event=None, **want):
        return [r for r in self.all
                if (event is None or r["event"] == event)
                and all(r.get(k) == v for k, v in want.items())]

    def wait_record(self, event=None, count=1, deadline=DEADLINE, **want):
        """The last of at least count records that match."""
        with self.news:
            ok = self.news.wait_for(
                lambda: len(self.records(event, **want)) >= count, deadline)
            assert ok, f"no {event} {want} in {self.all} {self.log}"
            return self.records(event, **want)[count - 1]

    def everything(self):
        """All records so far. They are written in turn, so that one of our
        own tells when all earlier ones have been read."""
        self.marks += 1
        mark = f"mark-{self.marks}"
        self.ask(f"CONNECT {mark} HTTP/1.1\r\n\r\n".encode())
        self.wait_record(host=mark)
        with self.news:
            self.all = [r for r in self.all if r.get("host") != mark]
            return self.all

    def connect(self):
        sock = self.place.run(socket.create_connection,
                              (self.host, self.port), DEADLINE)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock

    def ask(self, request):
        """Send raw bytes, return all that comes until the end."""
        with self.connect() as sock:
            sock.sendall(request)
            return read_until_eof(sock)

    def open(self, host, port, early=b"", version="1.1"):
        """CONNECT; returns (socket, answer head)."""
        sock = self.connect()
        sock.sendall(f"CONNECT {host}:{port} HTTP/{version}\r\n"
                     f"Host: {host}:{port}\r\n\r\n".encode("latin1") + early)
        return sock, read_head(sock)

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(DEADLINE)
        for thread in self._threads:
            thread.join(DEADLINE)
        self.process.stdout.close()
        self.process.stderr.close()
        self.folder.cleanup()
        assert code == 0, (code, self.log)
        assert not self.faults, self.faults

    def cpu_seconds(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read_head(sock):
    data = b""
    while b"\r\n\r\n" not in data:
        try:
            byte = sock.recv(1)
        except ConnectionResetError:
            return data
        if not byte:
            return data
        data += byte
    return data


def status(answer):
    """The status code of an answer, or None."""
    words = answer.split(b" ", 2)
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else None


def send_in_pieces(sock, data, sizes):
    """One send() for each piece; the rest in one."""
    at = 0
    for size in sizes:
        if at >= len(data):
            return
        sock.sendall(data[at:at + size])
        at += size
    if at < len(data):
        sock.sendall(data[at:])


def drained(sock):
    """What comes after everything was said: alert or nothing."""
    try:
        return read_until_eof(sock)
    finally:
        sock.close()


def stopwatch():
    start = time.monotonic()
    return lambda: time.monotonic() - start
