# SPDX-License-Identifier: MIT
"""Started by exeat: the pairs, readiness, the summary, the end (G13)."""
import json
import os
import signal
import socket
import struct
import subprocess
import tempfile

import pytest

from proxy_harness import (BIN, DEADLINE, Origin, hello, read_head,
                           read_until_eof, status)

READY, FAILED, LISTENER, SEALED, STOP, DENIED, DONE = 1, 2, 3, 4, 7, 8, 9
FORMAT = "=II512s512s"


def pack(kind, number=0):
    return struct.pack(FORMAT, kind, number, b"", b"")


class Run:
    """Plays runner and gate for one exeat-proxy."""

    def __init__(self, *flags, policy=None, has_service=False):
        kind = socket.SOCK_SEQPACKET
        self.runner, runner_far = socket.socketpair(socket.AF_UNIX, kind)
        self.gate, gate_far = socket.socketpair(socket.AF_UNIX, kind)
        self.service, service_far = socket.socketpair(socket.AF_UNIX, kind)
        self.service.settimeout(DEADLINE)
        self.runner.settimeout(DEADLINE)
        self.audit = tempfile.TemporaryFile(mode="a+b")
        words = [os.path.join(BIN, "exeat-proxy"), "--handoff", "run1"]
        files = {3: runner_far.fileno(), 4: gate_far.fileno(),
                 5: self.audit.fileno(), 7: service_far.fileno()}
        self.policy = tempfile.TemporaryFile()
        if policy is not None:
            self.policy.write(policy.encode())
            self.policy.seek(0)
            words += ["--policy", "policy.cfg"]
            files[6] = self.policy.fileno()

        def place():
            high = {to: os.dup2(fd, 100 + to) for to, fd in files.items()}
            for to, fd in high.items():
                os.dup2(fd, to)

        self.process = subprocess.Popen(
            words + list(flags), preexec_fn=place, close_fds=False,
            env={"HOME": "/"}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        runner_far.close()
        gate_far.close()
        service_far.close()
        if not has_service:
            self.service.close()  # and nobody knows anything

    def answer(self, process=1, pid=42, exe=b"/bin/x", argv0=b"x", parents=b""):
        """Hear one question and answer it: the flow that was asked for."""
        question = self.service.recv(4096)
        kind, number, _, wants = struct.unpack_from("=IIII", question)
        assert (kind, bool(wants)) == (1, bool(parents))
        self.service.send(struct.pack("=IIIII256s201s401s2x", kind, number,
                                      process, pid, 0, exe, argv0, parents))
        protocol, inner, outer = struct.unpack_from("=IHH", question, 16)
        return protocol, inner, outer

    def hear(self):
        data = self.runner.recv(2048)
        if not data:
            return None
        kind, number, text, detail = struct.unpack(FORMAT, data)
        return (kind, number, text.split(b"\0")[0].decode(),
                detail.split(b"\0")[0].decode())

    def give_listener(self):
        sock = socket.socket()
        sock.bind(("127.0.0.1", 0))
        sock.listen(64)
        socket.send_fds(self.gate, [pack(LISTENER, 1)], [sock.fileno()])
        port = sock.getsockname()[1]
        sock.close()
        return port

    def ready(self):
        port = self.give_listener()
        self.gate.send(pack(SEALED))
        assert self.hear()[0] == READY
        return port

    def records(self):
        self.audit.seek(0)
        return [json.loads(line) for line in self.audit]

    def wait(self):
        return self.process.wait(DEADLINE)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stderr.close()
        for f in (self.runner, self.gate, self.service, self.audit,
                  self.policy):
            f.close()


@pytest.fixture
def origin():
    recorder = Origin()
    yield recorder
    recorder.close()


def connect(port, host, to):
    sock = socket.create_connection(("127.0.0.1", port), DEADLINE)
    sock.sendall(f"CONNECT {host}:{to} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    return sock, read_head(sock)


def test_serves_what_the_gate_hands_over_and_reports_what_it_refused(origin):
    run = Run("--allow", f"allowed.test:{origin.port}+private", "--resolve",
              "allowed.test:127.0.0.2")
    try:
        port = run.ready()
        data = hello("s_base_tls13")
        sock, head = connect(port, "allowed.test", origin.port)
        assert status(head) == 200
        sock.sendall(data)
        assert origin.wait_visit().wait_bytes(len(data)) == data
        for _ in range(3):
            assert status(connect(port, "other.test", 443)[1]) == 403
        assert status(connect(port, "allowed.test", 22)[1]) == 403
        run.runner.send(pack(STOP))
        assert read_until_eof(sock) == b""
        assert run.hear() == (DENIED, 3, "other.test:443",
                              "--allow other.test")
        assert run.hear() == (DENIED, 1, "allowed.test:22",
                              "--allow allowed.test:22/tcp")
        done = run.hear()
        records = run.records()
        assert done[:2] == (DONE, 2 + len(records))
        assert run.wait() == 0
        assert [r["seq"] for r in records] == \
            list(range(2, 2 + len(records)))
        assert {r["run"] for r in records} == {"run1"}
        assert [r["event"] for r in records].count("close") == 1
    finally:
        run.close()


def test_what_waits_in_the_backlog_is_recorded_before_the_end():
    run = Run("--allow", "allowed.test")
    try:
        port = run.ready()
        run.process.send_signal(signal.SIGSTOP)
        for i in range(20):
            sock = socket.create_connection(("127.0.0.1", port), DEADLINE)
            sock.sendall(f"CONNECT h{i}.test:443 HTTP/1.1\r\nHost: x\r\n"
                         "\r\n".encode())
            sock.close()
        run.runner.send(pack(STOP))
        run.gate.close()  # it may end before the proxy has done
        run.process.send_signal(signal.SIGCONT)
        assert run.wait() == 0
        assert {r["host"] for r in run.records()} == \
            {f"h{i}.test" for i in range(20)}
    finally:
        run.close()


def test_at_most_64_destinations_are_reported(origin):
    run = Run("--allow", "allowed.test")
    try:
        port = run.ready()
        for i in range(70):
            assert status(connect(port, f"h{i}.test", 443)[1]) == 403
        run.runner.send(pack(STOP))
        heard = []
        while not heard or heard[-1][0] != DONE:
            heard.append(run.hear())
        assert len(heard) == 65
    finally:
        run.close()


@pytest.mark.parametrize("side", ["runner", "gate"])
def test_ends_at_once_when_the_other_side_is_gone(origin, side):
    run = Run("--allow", f"allowed.test:{origin.port}/tcp+private",
              "--resolve", "allowed.test:127.0.0.2")
    try:
        port = run.ready()
        sock, head = connect(port, "allowed.test", origin.port)
        assert status(head) == 200
        getattr(run, side).close()
        assert run.wait() == 125
        assert read_until_eof(sock) == b""
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.1", port), 5)
    finally:
        run.close()


def test_is_not_ready_before_the_gate_has_sealed():
    run = Run("--allow", "a.test")
    try:
        run.give_listener()
        run.gate.close()
        assert run.hear() is None
        assert run.wait() == 125
    finally:
        run.close()


def test_says_what_is_wrong_with_a_flag():
    run = Run("--allow", "a.test:0")
    try:
        kind, _, text, _ = run.hear()
        assert kind == FAILED and "--allow a.test:0" in text
        assert run.wait() == 125
    finally:
        run.close()


def test_the_policy_text_comes_from_its_descriptor():
    run = Run(policy="version = 1;\nallow = ( { host = \"a.test\"; } );\n")
    try:
        port = run.ready()
        assert status(connect(port, "b.test", 443)[1]) == 403
    finally:
        run.close()
    run = Run(policy="version = 1;\nallow = 5;\n")
    try:
        kind, _, text, _ = run.hear()
        assert kind == FAILED and text.startswith("policy.cfg:2: ")
    finally:
        run.close()


def test_an_unknown_message_ends_it():
    run = Run("--allow", "a.test")
    try:
        run.gate.send(pack(99))
        assert run.hear()[0] == FAILED
        assert run.wait() == 125
    finally:
        run.close()


def test_a_signal_is_not_needed_to_stop():
    run = Run("--allow", "a.test")
    try:
        run.ready()
        run.process.send_signal(signal.SIGTERM)
        assert run.wait() != 0
        assert run.hear() is None
    finally:
        run.close()


def refused(port):
    sock, head = connect(port, "denied.test", 443)
    assert status(head) == 403
    end = sock.getsockname()[1]
    sock.close()
    return end


def test_a_record_names_the_process_that_the_gate_knows():
    run = Run("--verbose", has_service=True)
    try:
        port = run.ready()
        sock = socket.create_connection(("127.0.0.1", port), DEADLINE)
        assert run.answer(parents=b"7 sh\n1 init") == \
            (6, sock.getsockname()[1], port)
        sock.sendall(b"CONNECT denied.test:443 HTTP/1.0\r\n\r\n")
        assert status(read_head(sock)) == 403
        sock.close()
        record, = run.records()
        assert (record["pid"], record["exe"], record["argv0"]) == \
            (42, "/bin/x", "x")
        assert record["parents"] == ["7 sh", "1 init"]
        assert "process" not in record
    finally:
        run.close()


@pytest.mark.parametrize("process, word", [(2, "gone"), (3, "hidden")])
def test_a_process_that_is_not_found_is_not_guessed(process, word):
    run = Run(has_service=True)
    try:
        port = run.ready()
        sock = socket.create_connection(("127.0.0.1", port), DEADLINE)
        run.answer(process=process, pid=0, exe=b"", argv0=b"")
        sock.sendall(b"CONNECT denied.test:443 HTTP/1.0\r\n\r\n")
        assert status(read_head(sock)) == 403
        sock.close()
        record, = run.records()
        assert (record["pid"], record["process"]) == (None, word)
        assert "exe" not in record
    finally:
        run.close()


def test_a_gate_that_does_not_answer_holds_nobody_up():
    """The answer waits for the record, and the record for half a second."""
    run = Run(has_service=True)
    try:
        port = run.ready()
        for _ in range(3):
            refused(port)
        assert [record["process"] for record in run.records()] == \
            ["unknown"] * 3
    finally:
        run.close()


def test_an_allowed_connection_waits_for_its_process(origin):
    run = Run("--allow", f"allowed.test:{origin.port}+private", "--resolve",
              "allowed.test:127.0.0.2", has_service=True)
    try:
        port = run.ready()
        sock = socket.create_connection(("127.0.0.1", port), DEADLINE)
        sock.sendall(f"CONNECT allowed.test:{origin.port} HTTP/1.0\r\n\r\n"
                     .encode())
        origin.wait_visit()  # the dial does not wait for the gate
        assert run.records() == []
        run.answer()
        assert status(read_head(sock)) == 200
        assert run.records()[0]["pid"] == 42
        sock.close()
    finally:
        run.close()
