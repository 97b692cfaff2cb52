# SPDX-License-Identifier: MIT
"""certs: a throw-away certificate authority and certificates signed by it."""

import pathlib
import subprocess

_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]


def _openssl(*words):
    subprocess.run(["openssl", *words], check=True, capture_output=True,
                   stdin=subprocess.DEVNULL)


class Authority:
    """Signs in a folder that goes with whoever made it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.cert = self.folder / "ca.pem"
        self._key = self.folder / "ca.key"
        _openssl("req", "-x509", *_KEY, "-days", "2", "-subj", "/CN=exeat test CA",
                 "-addext", "basicConstraints=critical,CA:TRUE",
                 "-addext", "keyUsage=critical,keyCertSign",
                 "-keyout", str(self._key), "-out", str(self.cert))

    def issue(self, name):
        """(certificate, key) for a host name, as paths."""
        base = self.folder / name
        cert, key, ask, ext = (base.with_name(name + end) for end in
                               (".pem", ".key", ".csr", ".ext"))
        ext.write_text(f"subjectAltName=DNS:{name}\n")
        _openssl("req", "-new", *_KEY, "-subj", f"/CN={name}",
                 "-keyout", str(key), "-out", str(ask))
        _openssl("x509", "-req", "-days", "2", "-in", str(ask),
                 "-CA", str(self.cert), "-CAkey", str(self._key),
                 "-CAcreateserial", "-extfile", str(ext), "-out", str(cert))
        return cert, key
