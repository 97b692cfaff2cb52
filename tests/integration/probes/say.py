# SPDX-License-Identifier: MIT
"""say: say HEX to each HOST:PORT by a plain socket; what comes back, in lines.
Without HEX it listens first, as clients of some protocols do."""

import errno
import socket
import sys


def answer(target, said):
    host, port = target.rsplit(":", 1)
    try:
        with socket.create_connection((host.strip("[]"), int(port)), 10) as sock:
            if said:
                sock.sendall(said)
                sock.shutdown(socket.SHUT_WR)
            data = b""
            while chunk := sock.recv(4096):
                data += chunk
            return repr(data)
    except OSError as error:
        # A reset shows at whatever call comes next.
        return "ConnectionResetError" \
            if error.errno in (errno.ECONNRESET, errno.EPIPE, errno.ENOTCONN) \
            else type(error).__name__


said = bytes.fromhex(sys.argv[1])
for target in sys.argv[2:]:
    print(target, answer(target, said), flush=True)
