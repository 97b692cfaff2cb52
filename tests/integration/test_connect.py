# SPDX-License-Identifier: MIT
"""`exeat connect`: a tunnel over standard input and output, for ssh."""
import os
import socket
import subprocess

import pytest

from lab import sshd
from lab.origin import Listener
from lab.sshd import SshServer
from proxy_harness import BIN, DEADLINE, Proxy

CONNECT = os.path.join(BIN, "exeat-connect")
BIG = bytes(range(256)) * 4096 * 3


@pytest.fixture
def proxy(banner):
    p = Proxy("--allow", f"site.test:{banner.port}/tcp+private",
              "--resolve", "site.test:127.0.0.2")
    yield p
    p.close()


def talk(conn):
    """Speaks first; answers only once the client has ended."""
    conn.sendall(b"banner\n")
    data = b""
    while chunk := conn.recv(65536):
        data += chunk
    conn.sendall(data)


@pytest.fixture
def banner():
    with Listener.tcp("127.0.0.2", serve=talk) as listener:
        yield listener


def connect(url, *words, **keywords):
    env = {"PATH": os.environ["PATH"]}
    if url:
        env["https_proxy"] = url
    return subprocess.run([CONNECT, *words], env=env, capture_output=True,
                          timeout=DEADLINE, check=False, **keywords)


@pytest.mark.parametrize("scheme", ["http", "socks5h", "http://u:p%40"])
def test_half_close_is_passed_on_both_ways(proxy, banner, scheme):
    glue = "@" if "//" in scheme else "://"
    done = connect(f"{scheme}{glue}127.0.0.1:{proxy.port}", "site.test",
                   str(banner.port), input=BIG)
    assert done.returncode == 0, done.stderr
    assert done.stdout == b"banner\n" + BIG and done.stderr == b""


def test_a_server_that_ends_first_still_hears_the_client(proxy, banner):
    def end_first(conn):
        conn.shutdown(socket.SHUT_WR)
        Listener._swallow(banner, conn)

    banner._serve = end_first
    with subprocess.Popen(
            [CONNECT, "site.test", str(banner.port)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"ALL_PROXY": f"http://127.0.0.1:{proxy.port}"}) as process:
        assert process.stdout.read() == b""
        process.stdin.write(b"late")
        process.stdin.close()
        assert process.wait(DEADLINE) == 0
    assert banner.wait(lambda: bytes(banner.received) == b"late")


@pytest.mark.parametrize("scheme, why", [
    ("http", b"403 exeat: other.test:22 is not allowed (allow it with "
             b"--allow other.test:22"),
    ("socks5h", b"the proxy's policy does not allow it")])
def test_a_refusal_is_shown(proxy, scheme, why):
    done = connect(f"{scheme}://127.0.0.1:{proxy.port}", "other.test", "22")
    assert done.returncode == 1 and done.stdout == b""
    assert done.stderr.startswith(b"exeat connect: other.test:22: ")
    assert why in done.stderr and done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("url, words, why", [
    (None, ("a.test", "22"), b"no proxy is named"),
    ("https://127.0.0.1:1", ("a.test", "22"), b"TLS to the proxy"),
    ("http://proxy.test:1", ("a.test", "22"), b"by its address"),
    ("http://s3cr3t@127.0.0.1", ("a.test", "22"), b"no HOST:PORT"),
    ("http://127.0.0.1:1", ("a.test", "0"), b"not HOST PORT"),
    ("http://127.0.0.1:1", ("a\r\nb", "22"), b"not HOST PORT"),
    ("http://127.0.0.1:1", ("a.test",), b"usage: "),
    ("http://127.0.0.1:1", ("a.test", "22"), b"cannot be reached"),
])
def test_what_is_wrong_is_said(url, words, why):
    done = connect(url, *words)
    assert done.returncode == 125 and done.stdout == b""
    assert why in done.stderr and b"s3cr3t" not in done.stderr


def test_it_is_a_verb_of_exeat(banner, proxy):
    done = subprocess.run(
        [os.path.join(BIN, "exeat"), "connect", "site.test", str(banner.port)],
        env={"https_proxy": f"http://127.0.0.1:{proxy.port}"}, input=b"x",
        capture_output=True, timeout=DEADLINE, check=False)
    assert (done.returncode, done.stdout) == (0, b"banner\nx")


@pytest.fixture
def server(tmp_path):
    if not sshd.is_there():
        pytest.skip("sshd is missing")
    with SshServer(tmp_path) as server:
        yield server


def in_fence(exeat, server, command):
    """A fenced shell whose home has the key and knows the server."""
    exeat.give(server.key, "key")
    (exeat.work / "known").write_text(server.known_hosts("site.test"))
    script = ("umask 077; mkdir ~/.ssh; cp key ~/.ssh/id_ed25519; "
              "cp known ~/.ssh/known_hosts; " + command)
    policy = exeat.lab.folder("policy") / "p.cfg"
    policy.write_text("version = 1;\nports = { capture = false; };\n")
    return exeat.run(["--policy", policy,
                      "--allow", f"site.test:{server.port}/tcp+private",
                      "--resolve", "site.test:127.0.0.2"],
                     ["sh", "-c", script])


def test_ssh_through_the_fence(exeat, server):
    done = in_fence(exeat, server,
                    "ssh -o ProxyCommand='/run/exeat/connect %h %p' "
                    f"-p {server.port} {server.user}@site.test echo from there")
    assert done.stdout == "from there\n", done


def test_git_over_ssh_through_the_fence(exeat, server, tmp_path):
    repository = tmp_path / "repository"
    subprocess.run(["git", "init", "-q", "--bare", str(repository)], check=True)
    url = f"ssh://{server.user}@site.test:%s{repository}"
    done = in_fence(exeat, server, f"git ls-remote {url % server.port}")
    assert done.returncode == 0 and done.stdout == "", done
    done = in_fence(exeat, server, f"git ls-remote {url % 22}")
    assert done.returncode != 0
    assert "site.test:22 is not allowed" in done.stderr, done
