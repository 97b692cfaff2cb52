# SPDX-License-Identifier: MIT
"""Descriptors 0, 1 and 2: all data passes unchanged, and nothing else does."""

import fcntl
import hashlib
import os
import pty
import select
import socket
import termios
import time

import pytest

from lab.runs import PYTHON

BIG = 64 * 1024 * 1024


def test_binary_data_passes_unchanged_through_pipes(exeat):
    data = os.urandom(BIG)
    result = exeat.run([], ["cat"], input=data, timeout=120)
    assert result.returncode == 0, result.stderr
    assert hashlib.sha256(result.out).digest() == hashlib.sha256(data).digest()


def test_binary_data_passes_unchanged_through_files(exeat):
    data = os.urandom(BIG)
    (exeat.lab.root / "in").write_bytes(data)
    with open(exeat.lab.root / "in", "rb") as source, \
            open(exeat.lab.root / "out", "wb") as target:
        result = exeat.run([], ["cat"], stdin=source, stdout=target, timeout=120)
    assert result.returncode == 0, result.stderr
    assert (exeat.lab.root / "out").read_bytes() == data


def test_output_and_errors_stay_apart(exeat):
    result = exeat.run([], ["sh", "-c", "echo out; echo err >&2"])
    assert (result.out, result.err) == (b"out\n", b"err\n")


def test_end_of_input_reaches_the_command(exeat):
    assert exeat.run([], ["wc", "-c"], input=b"").stdout.strip() == "0"


def test_command_that_reads_nothing_ends(exeat):
    """The pipe is full and nobody reads: the run must end all the same."""
    result = exeat.run([], ["true"], input=b"x" * (1 << 20))
    assert result.returncode == 0, result


def test_reader_that_goes_away_ends_the_command(exeat):
    result = exeat.call(["sh", "-c", f"{exeat.program} run -- yes | head -1"])
    assert result.out == b"y\n", result


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_closed_descriptors_are_filled_with_nothing(exeat, closed):
    """Else a socket of exeat's own would get the number 0, 1 or 2."""
    result = exeat.call(["sh", "-c", f"exec {exeat.program} run -- sh -c "
                                     f"'ls /proc/self/fd >seen' {closed}"])
    assert result.returncode == 0, result
    assert (exeat.work / "seen").read_text().split() == ["0", "1", "2", "3"]


def test_what_the_command_did_not_read_is_left_to_the_next(exeat):
    (exeat.work / "lines").write_text("one\ntwo\nthree\n")
    result = exeat.call(["sh", "-c", f"({exeat.program} run -- sh -c 'read x';"
                                     " cat) <lines"])
    assert result.stdout == "two\nthree\n", result


REOPEN = ["sh", "-c", "echo changed 2>/dev/null >/proc/self/fd/0; true"]


def test_read_only_file_cannot_be_opened_again_for_writing(exeat):
    """A descriptor leads back to its file through /proc."""
    path = exeat.home / "kept"
    path.write_text("original\n")
    if exeat.uid is not None:
        os.chown(path, exeat.uid, exeat.gid)
    with open(path, "rb") as file:
        assert exeat.run([], REOPEN, stdin=file).returncode == 0
        assert path.read_text() == "original\n"
        exeat.call(REOPEN, stdin=file)
        assert path.read_text().startswith("changed\n"), "control"


@pytest.mark.parametrize("number", [1, 2])
def test_output_file_cannot_be_cut_or_read_back(exeat, number):
    path = exeat.home / "log"
    path.write_text("s3cr3t\n")
    if exeat.uid is not None:
        os.chown(path, exeat.uid, exeat.gid)
    script = (f"cat /proc/self/fd/{number} >&{3 - number} 2>/dev/null </dev/null &"
              f" : >/proc/self/fd/{number}; echo end >&{number}; kill $! 2>/dev/null;"
              " true")
    keyword = {1: "stdout", 2: "stderr"}[number]
    with open(path, "ab") as file:
        result = exeat.run([], ["sh", "-c", script], **{keyword: file})
    assert path.read_text() == "s3cr3t\nend\n"
    assert "s3cr3t" not in result.stdout + result.stderr


def refused(exeat, fd, word):
    result = exeat.run([], ["touch", "marker"], stdin=fd)
    assert result.returncode == 125, result
    assert "standard input" in result.stderr and word in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (exeat.work / "marker").exists()


def test_folder_as_input_is_refused(exeat):
    fd = os.open(exeat.work, os.O_RDONLY | os.O_DIRECTORY)
    try:
        refused(exeat, fd, "directory")
    finally:
        os.close(fd)


def test_path_descriptor_as_input_is_refused(exeat):
    fd = os.open("/etc/passwd", os.O_PATH)
    try:
        refused(exeat, fd, "O_PATH")
    finally:
        os.close(fd)


@pytest.mark.parametrize("family, kind", [
    (socket.AF_INET, socket.SOCK_STREAM), (socket.AF_INET, socket.SOCK_DGRAM),
    (socket.AF_INET6, socket.SOCK_STREAM), (socket.AF_UNIX, socket.SOCK_STREAM),
    (socket.AF_UNIX, socket.SOCK_DGRAM), (socket.AF_NETLINK, socket.SOCK_RAW),
])
def test_unconnected_socket_as_input_is_refused(exeat, family, kind):
    """It could be connected inside, in the network it was made in."""
    with socket.socket(family, kind) as sock:
        refused(exeat, sock.fileno(), "socket")


def test_connected_socket_is_carried_over_but_not_given(exeat):
    """inetd's way of starting a server: the data passes, the socket does not."""
    with socket.create_server(("127.0.0.1", 0)) as server, \
            socket.create_connection(server.getsockname()) as near:
        far, _ = server.accept()
        with far:
            near.sendall(b"request\n")
            near.shutdown(socket.SHUT_WR)
            result = exeat.run(
                [], ["sh", "-c", "cat; readlink /proc/self/fd/0"],
                stdin=far, stdout=far)
            assert result.returncode == 0, result
        answer = b""
        while data := near.recv(4096):
            answer += data
    assert answer.startswith(b"request\npipe:"), answer


class Terminal:
    """A terminal of our own, with exeat as its foreground job."""

    def __init__(self, exeat, flags, command, **keywords):
        self.user, slave = pty.openpty()
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.process = exeat.start(
            flags, command, stdin=slave, stdout=slave, stderr=slave,
            preexec_fn=self._take, start_new_session=True, **keywords)
        self.text = b""

    def _take(self):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def expect(self, wanted, seconds=20):
        deadline = time.monotonic() + seconds
        while wanted not in self.text:
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self.user], [], [], max(0, left))
            assert ready, self.text
            self.text += os.read(self.user, 65536)

    def send(self, data):
        os.write(self.user, data)

    def end(self):
        code = self.process.wait(20)
        while select.select([self.user], [], [], 0)[0]:
            self.text += os.read(self.user, 65536)
        return code

    def close(self):
        os.close(self.user)
        os.close(self.slave)


@pytest.fixture
def terminal(exeat):
    opened = []

    def start(flags, command, **keywords):
        opened.append(Terminal(exeat, flags, command, **keywords))
        return opened[-1]
    yield start
    for one in opened:
        one.close()


def test_command_has_a_terminal_of_its_own(exeat, terminal):
    t = terminal([], ["sh", "-c", "test -t 0 && test -t 1 && test -t 2 &&"
                                  " : </dev/tty && stty size && echo ALL"])
    assert t.end() == 0, t.text
    assert b"ALL" in t.text


def test_typed_line_reaches_the_command_and_interrupt_ends_it(exeat, terminal):
    # exec: dash 0.5.12 loses an interrupt that comes while it forks.
    t = terminal([], ["sh", "-c", "echo READY; read x; echo got-$x; exec sleep 1000"])
    t.expect(b"READY")
    t.send(b"line\r")
    t.expect(b"got-line")
    t.send(b"\x03")
    assert t.end() == 130, t.text
    after = termios.tcgetattr(t.slave)
    assert after[:4] == t.before[:4], "the user's terminal was left changed"


def test_characters_cannot_be_typed_into_the_users_terminal(exeat, terminal, probe):
    """B5: TIOCSTI would run commands in the user's shell after the run."""
    probe("type.py")
    t = terminal([], [PYTHON, "type.py"])
    assert t.end() == 0, t.text
    flags = fcntl.fcntl(t.slave, fcntl.F_GETFL)
    fcntl.fcntl(t.slave, fcntl.F_SETFL, flags | os.O_NONBLOCK)
    with pytest.raises(BlockingIOError):
        os.read(t.slave, 100)


def test_terminal_on_one_descriptor_alone_is_replaced_too(exeat):
    user, slave = pty.openpty()
    try:
        result = exeat.run([], ["sh", "-c", "readlink /proc/self/fd/0"], stdin=slave)
        assert result.stdout.strip() != os.ttyname(slave)
    finally:
        os.close(user)
        os.close(slave)
