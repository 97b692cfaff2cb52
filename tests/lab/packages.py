# SPDX-License-Identifier: MIT
"""packages: one tiny package for each package manager, as files of a site."""

import base64
import hashlib
import io
import json
import pathlib
import subprocess
import tarfile
import zipfile


def _zip(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def _tar(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    return out.getvalue()


def python(_base):
    """A simple index (PEP 503) with one wheel."""
    meta = "tiny-1.dist-info/"
    wheel = _zip({
        "tiny.py": "",
        meta + "METADATA": "Metadata-Version: 2.1\nName: tiny\nVersion: 1\n",
        meta + "WHEEL": "Wheel-Version: 1.0\nGenerator: tests\n"
                        "Root-Is-Purelib: true\nTag: py3-none-any\n",
        meta + "RECORD": "",
    })
    name = "tiny-1-py3-none-any.whl"
    return {"/simple/tiny/": f'<a href="/{name}">{name}</a>'.encode(),
            f"/{name}": wheel}


def npm(base):
    package = _tar({"package/package.json":
                    '{"name":"tiny","version":"1.0.0"}'})
    digest = base64.b64encode(hashlib.sha512(package).digest()).decode()
    entry = {"name": "tiny", "version": "1.0.0",
             "dist": {"tarball": f"{base}/tiny-1.0.0.tgz",
                      "integrity": f"sha512-{digest}"}}
    about = {"name": "tiny", "dist-tags": {"latest": "1.0.0"},
             "versions": {"1.0.0": entry}}
    return {"/tiny": json.dumps(about).encode(), "/tiny-1.0.0.tgz": package}


def go(_base):
    """A module proxy with one module."""
    at = "/tiny.test/m/@v/"
    mod = "module tiny.test/m\n"
    return {at + "list": b"v1.0.0\n",
            at + "v1.0.0.info": b'{"Version":"v1.0.0",'
                                b'"Time":"2020-01-01T00:00:00Z"}',
            at + "v1.0.0.mod": mod.encode(),
            at + "v1.0.0.zip": _zip({"tiny.test/m@v1.0.0/go.mod": mod,
                                     "tiny.test/m@v1.0.0/m.go":
                                     "package m\n"})}


def cargo(base):
    """A sparse registry with one crate."""
    crate = _tar({"tiny-1.0.0/Cargo.toml":
                  '[package]\nname = "tiny"\nversion = "1.0.0"\n',
                  "tiny-1.0.0/src/lib.rs": ""})
    entry = {"name": "tiny", "vers": "1.0.0", "deps": [], "features": {},
             "yanked": False, "cksum": hashlib.sha256(crate).hexdigest()}
    return {"/crates/config.json":
            json.dumps({"dl": f"{base}/crates/dl"}).encode(),
            "/crates/ti/ny/tiny": json.dumps(entry).encode() + b"\n",
            "/crates/dl/tiny/1.0.0/download": crate}


def apt(_base):
    """A flat repository without packages."""
    return {"/debian/./Packages": b"", "/debian/./Release": b"Suite: tiny\n"}


def git(folder):
    """A repository with one commit, as plain files (http-backend's dumb way)."""
    work, bare = pathlib.Path(folder) / "w", pathlib.Path(folder) / "r.git"
    run = ["git", "-c", "user.name=t", "-c", "user.email=t@site.test", "-C"]
    for words in (["git", "init", "-q", "-b", "main", str(work)],
                  [*run, str(work), "commit", "-q", "--allow-empty", "-m", "x"],
                  ["git", "clone", "-q", "--bare", str(work), str(bare)],
                  ["git", "-C", str(bare), "update-server-info"]):
        subprocess.run(words, check=True, stdin=subprocess.DEVNULL)
    return {"/r.git/" + str(path.relative_to(bare)): path.read_bytes()
            for path in bare.rglob("*") if path.is_file()}


def all_files(base, folder):
    files = {"/": b"<p>page</p>\n", **git(folder)}
    for make in (python, npm, go, cargo, apt):
        files.update(make(base))
    return files
