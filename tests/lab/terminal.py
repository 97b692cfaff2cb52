# SPDX-License-Identifier: MIT
"""terminal: a pseudo-terminal of a test's own with a program in front of it."""

import fcntl
import os
import pty
import select
import struct
import termios
import time


class Terminal:
    """@text is all that was shown; expect() goes on behind what it found."""

    def __init__(self, exeat, words, env=None, size=(24, 80)):
        self.user, slave = pty.openpty()
        self.text = b""
        self._at = 0
        self.resize(*size)
        self.process = exeat.popen(
            words, stdin=slave, stdout=slave, stderr=slave, env=env,
            preexec_fn=self._take, start_new_session=True)
        os.close(slave)

    def _take(self):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def resize(self, rows, columns):
        fcntl.ioctl(self.user, termios.TIOCSWINSZ,
                    struct.pack("HHHH", rows, columns, 0, 0))

    def _read(self):
        try:
            self.text += os.read(self.user, 65536)
        except OSError:  # the last program has closed it
            return False
        return True

    def expect(self, wanted, seconds=10):
        deadline = time.monotonic() + seconds
        while wanted not in self.text[self._at:]:
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self.user], [], [], max(0, left))
            assert ready and self._read(), self.text
        self._at = self.text.index(wanted, self._at) + len(wanted)

    def send(self, data):
        os.write(self.user, data if isinstance(data, bytes) else data.encode())

    def end(self):
        deadline = time.monotonic() + 20
        while self.process.poll() is None and time.monotonic() < deadline:
            if select.select([self.user], [], [], 0.05)[0] and not self._read():
                break
        return self.process.wait(20)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.user)
