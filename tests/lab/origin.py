# SPDX-License-Identifier: MIT
"""origin: servers that remember every connection and every byte they got."""

import contextlib
import socket
import ssl
import threading

READ = 65536


class Listener:
    """Accepts on a socket of its own and serves each connection in a thread.

    @connections counts what was accepted, @datagrams what came by UDP.
    """

    def __init__(self, sock, serve=None):
        self.sock = sock
        self.connections = 0
        self.received = bytearray()
        self._serve = serve or self._swallow
        self._changed = threading.Condition()
        self._open = set()
        self._closing = False
        sock.listen(256)
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    @classmethod
    def tcp(cls, address, port=0, serve=None):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((address, port))
        return cls(sock, serve)

    @classmethod
    def unix(cls, path):
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        sock.bind(path)
        return cls(sock)

    @property
    def port(self):
        return self.sock.getsockname()[1]

    def _accept(self):
        while True:
            try:
                conn, _ = self.sock.accept()
            except OSError:
                return
            with self._changed:
                if self._closing:
                    conn.close()
                    return
                self.connections += 1
                self._open.add(conn)
                self._changed.notify_all()
            threading.Thread(target=self._one, args=(conn,), daemon=True).start()

    def _one(self, conn):
        with contextlib.suppress(OSError, ssl.SSLError):
            self._serve(conn)
        with self._changed:
            self._open.discard(conn)
        conn.close()

    def _swallow(self, conn):
        while True:
            data = conn.recv(READ)
            if not data:
                return
            self.record(data)

    def record(self, data):
        with self._changed:
            self.received += data
            self._changed.notify_all()

    def wait(self, condition, seconds=10):
        """Wait until condition() holds; it is looked at on every event."""
        with self._changed:
            return self._changed.wait_for(condition, seconds)

    def close(self):
        with self._changed:
            self._closing = True
            for conn in self._open:
                with contextlib.suppress(OSError):
                    conn.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)
        self.sock.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Origin(Listener):
    """An HTTPS origin. @received holds the bytes of the wire, @requests what
    they said once decrypted, @names the server_name of each handshake."""

    def __init__(self, address, cert, key, port=0, body=b"hello\n"):
        self.requests = []
        self.names = []
        self.body = body
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(cert, key)
        self._context.sni_callback = self._on_name
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((address, port))
        super().__init__(sock, self._https)

    def _on_name(self, _sock, name, _context):
        self.names.append(name)

    def _https(self, conn):
        tls = _Tls(self._context, conn, self.record)
        request = b""
        while b"\r\n\r\n" not in request:
            data = tls.read()
            if not data:
                return
            request += data
        self.requests.append(request)
        head = (f"HTTP/1.1 200 OK\r\nContent-Length: {len(self.body)}\r\n"
                "Content-Type: application/octet-stream\r\n"
                "Connection: close\r\n\r\n")
        tls.write(head.encode() + self.body)
        tls.close()


class _Tls:
    """TLS over a socket by way of memory, so that the wire can be recorded."""

    def __init__(self, context, conn, record):
        self._conn, self._record = conn, record
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._in, self._out, server_side=True)
        self._do(self._tls.do_handshake)

    def _flush(self):
        data = self._out.read()
        if data:
            self._conn.sendall(data)

    def _do(self, step, *args):
        while True:
            try:
                result = step(*args)
                self._flush()
                return result
            except ssl.SSLWantReadError:
                self._flush()
                data = self._conn.recv(READ)
                if data:
                    self._record(data)
                    self._in.write(data)
                else:
                    self._in.write_eof()

    def read(self):
        try:
            return self._do(self._tls.read, READ)
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            return b""

    def write(self, data):
        while data:
            data = data[self._do(self._tls.write, data):]

    def close(self):
        with contextlib.suppress(ssl.SSLError, OSError):
            self._tls.unwrap()
        self._flush()
        self._conn.shutdown(socket.SHUT_WR)
        while data := self._conn.recv(READ):
            self._record(data)


class Datagrams:
    """A UDP socket that remembers what came; answers with @answer(data)."""

    def __init__(self, address, port=0, answer=None):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.sock = socket.socket(family, socket.SOCK_DGRAM)
        self.sock.bind((address, port))
        self.received = []
        self._answer = answer
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    @property
    def port(self):
        return self.sock.getsockname()[1]

    def _read(self):
        while True:
            try:
                data, sender = self.sock.recvfrom(READ)
            except OSError:
                return
            if data == b"":  # close() wakes us with it
                return
            with self._changed:
                self.received.append(data)
                self._changed.notify_all()
            reply = self._answer(data) if self._answer else None
            if reply:
                self.sock.sendto(reply, sender)

    def wait(self, condition, seconds=10):
        with self._changed:
            return self._changed.wait_for(condition, seconds)

    def close(self):
        with contextlib.suppress(OSError):
            self.sock.sendto(b"", self.sock.getsockname())
        self._thread.join(5)
        self.sock.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
