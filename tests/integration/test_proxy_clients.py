# SPDX-License-Identifier: MIT
"""Real clients through a real proxy to a real TLS server."""
import ssl
import subprocess
import urllib.request

import pytest

from proxy_harness import Origin, Proxy

PAGE = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\n" \
       b"page\n"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    key, cert = str(folder / "key.pem"), str(folder / "cert.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048",
                    "-nodes", "-keyout", key, "-out", cert, "-days", "2",
                    "-subj", "/CN=site.test", "-addext",
                    "subjectAltName=DNS:site.test"],
                   check=True, capture_output=True)
    return key, cert


@pytest.fixture(scope="module")
def site(certificate):
    def script(visit):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate[1], certificate[0])
        with context.wrap_socket(visit.sock, server_side=True) as tls:
            data = b""
            while b"\r\n\r\n" not in data:
                data += tls.recv(4096)
            tls.sendall(PAGE)

    origin = Origin(script=script)
    yield origin
    origin.close()


@pytest.fixture(scope="module")
def proxy(site):
    p = Proxy("--allow", f"site.test:{site.port}+private", "--resolve",
              "site.test:127.0.0.2")
    yield p
    p.close()


def run(*words, **more):
    return subprocess.run(words, capture_output=True, timeout=30, check=False,
                          **more)


def test_curl(proxy, site, certificate):
    done = run("curl", "-sS", "-x", f"http://127.0.0.1:{proxy.port}",
               "--cacert", certificate[1],
               f"https://site.test:{site.port}/")
    assert done.returncode == 0 and done.stdout == b"page\n"
    done = run("curl", "-sSv", "-x", f"http://127.0.0.1:{proxy.port}",
               "https://other.test/")
    assert done.returncode == 56
    assert b"403 exeat: other.test:443 is not allowed" in done.stderr
    assert b"response 403" in done.stderr


def test_openssl_s_client(proxy, site, certificate):
    words = ["openssl", "s_client", "-proxy", f"127.0.0.1:{proxy.port}",
             "-connect", f"site.test:{site.port}", "-CAfile", certificate[1],
             "-verify_return_error", "-quiet"]
    done = run(*words, "-servername", "site.test",
               input=b"GET / HTTP/1.0\r\n\r\n")
    assert b"page" in done.stdout
    done = run(*words, "-servername", "other.test", input=b"")
    assert done.returncode != 0
    assert b"unrecognized name" in done.stderr
    done = run(*words, "-noservername", input=b"")
    assert b"unrecognized name" in done.stderr


def test_python_urllib(proxy, site, certificate):
    context = ssl.create_default_context(cafile=certificate[1])
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler(
            {"https": f"http://127.0.0.1:{proxy.port}"}),
        urllib.request.HTTPSHandler(context=context))
    with opener.open(f"https://site.test:{site.port}/", timeout=20) as page:
        assert page.read() == b"page\n"
    with pytest.raises(OSError, match="403 exeat: other.test:443 is not"):
        opener.open("https://other.test/", timeout=20)
