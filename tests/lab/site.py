# SPDX-License-Identifier: MIT
"""site: an HTTPS server over a table of files, for clients that need more than
one page: package managers, git, browsers."""

import contextlib
import http.server
import ssl
import threading

DEADLINE = 20


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        # Not in the thread that accepts: a slow handshake would stop it.
        self.request.settimeout(DEADLINE)
        self.request = self.server.context.wrap_socket(self.request,
                                                       server_side=True)
        super().setup()

    def finish(self):
        super().finish()
        with contextlib.suppress(OSError):
            self.request.unwrap()
        self.request.close()

    def do_GET(self):
        path = self.path.partition("?")[0]
        self.server.paths.append(path)
        found = self.server.files.get(path)
        body = found if found is not None else b"not here\n"
        self.send_response(200 if found is not None else 404)
        self.send_header("Content-Type", self._type(path))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_HEAD = do_GET

    @staticmethod
    def _type(path):
        if path.endswith("/") or path.endswith(".html"):
            return "text/html"
        return "application/json" if "." not in path.rsplit("/", 1)[1] \
            else "application/octet-stream"

    def log_message(self, *_):
        pass


class Site(http.server.ThreadingHTTPServer):
    """@files: path -> bytes; @paths: what was asked for, once decrypted.

    @connections counts what was accepted, whatever came of it.
    """
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, address, cert, key, files=None):
        self.files = files or {}
        self.paths = []
        self.connections = 0
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(cert, key)
        super().__init__((address, 0), _Handler)
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def get_request(self):
        accepted = super().get_request()
        self.connections += 1
        return accepted

    def handle_error(self, *_):
        """A client that went away is no error of the test's."""

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()
