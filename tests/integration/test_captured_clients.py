# SPDX-License-Identifier: MIT
"""Programs that know no proxy, unchanged: allowed sites work by name, others do
not exist."""

import os
import pathlib
import shutil
import subprocess
import types

import pytest

from lab import servers, sshd
from lab.origin import Listener
from lab.runs import PATH, PYTHON
from lab.servers import Postgres, Redis
from lab.site import Site
from lab.sshd import SshServer
from test_clients import CHROMIUM, CHROMIUM_FLAGS, NODE_FETCH, need

PROBES = pathlib.Path(__file__).parent / "probes"

# Nothing of the environment leads to the proxy.
BARE = ("unset ALL_PROXY HTTPS_PROXY HTTP_PROXY all_proxy http_proxy https_proxy "
        "grpc_proxy NO_PROXY no_proxy NODE_USE_ENV_PROXY; ")

# The addresses of a name, by whichever libc it is linked with.
NAMES = r"""
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>
int main(int argc, char *argv[])
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list = NULL;
	char text[100];
	int rc = getaddrinfo(argv[argc - 1], "443", &hints, &list);
	for (; list != NULL; list = list->ai_next)
		if (getnameinfo(list->ai_addr, list->ai_addrlen, text,
				sizeof(text), NULL, 0, NI_NUMERICHOST) == 0)
			puts(text);
	return rc != 0;
}
"""

RAW_TLS = """
import socket, ssl, sys
host, port = sys.argv[1:]
context = ssl.create_default_context(cafile="ca.pem")
sock = context.wrap_socket(socket.create_connection((host, int(port)), 10),
                           server_hostname=host)
sock.sendall(f"GET / HTTP/1.0\\r\\nHost: {host}\\r\\n\\r\\n".encode())
print(sock.makefile().read().splitlines()[-1])
"""

# name: (program, command); each shows the page of the site
FETCHERS = {
    "node fetch": ("node", NODE_FETCH),
    "static go": ("go", "./fetch {url}/"),
    "java": ("javac", "keytool -importcert -noprompt -alias t -file ca.pem "
             "-keystore ks -storepass secret -storetype PKCS12 2>/dev/null && "
             "java -Djavax.net.ssl.trustStore=ks "
             "-Djavax.net.ssl.trustStorePassword=secret Fetch.java {url}/"),
    "python sockets": (PYTHON, PYTHON + " tls.py {name} {port}"),
    "chromium": (CHROMIUM, CHROMIUM + " " + CHROMIUM_FLAGS.replace("{{", "{")
                 + " --no-proxy-server {url}/"),
    "openssl s_client": ("openssl", "printf 'GET / HTTP/1.0\\r\\n\\r\\n' | "
                         "openssl s_client -quiet -verify_return_error "
                         "-CAfile ca.pem -connect {name}:{port} -servername {name}"),
    "git": ("git", "git -c http.sslCAInfo=ca.pem ls-remote {url}/nothing.git 2>&1 "
            "| grep -o 'not found' && echo '<p>page</p>'"),
}

# name: (program, command); each shows the addresses of a name
RESOLVERS = {
    "glibc": ("getent", "getent ahosts {name}"),
    "glibc, where there is ipv4": ("getent", "getent ahostsv4 {name}"),
    "musl": ("musl-gcc", "./names {name}"),
    "busybox": ("busybox", "busybox nslookup {name}"),
    "go": ("go", "./fetch {name}"),
    "node lookup": ("node", "node -e \"require('dns').lookup('{name}', "
                    "{{all: true}}, (e, a) => console.log(e ? e.code : a))\""),
    "node c-ares": ("node", "node -e \"require('dns').resolve4('{name}', "
                    "(e, a) => console.log(e ? e.code : a))\""),
    "dig": ("dig", "dig +short {name}"),
    "dig by tcp": ("dig", "dig +tcp +short @2001:4860:4860::8888 {name}"),
    "java": ("javac", "java Names.java {name}"),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """What has to be compiled, as far as there are compilers."""
    folder = tmp_path_factory.mktemp("built")
    if shutil.which("go", path=PATH):
        shutil.copy(PROBES / "fetch.go", folder)
        subprocess.run(
            ["go", "build", "-o", "fetch", "fetch.go"], cwd=folder, check=True,
            env={**os.environ, "CGO_ENABLED": "0", "GO111MODULE": "off",
                 "GOCACHE": str(folder / "cache"), "GOFLAGS": ""})
    if shutil.which("musl-gcc"):
        subprocess.run(["musl-gcc", "-static", "-x", "c", "-", "-o",
                        folder / "names"], input=NAMES.encode(), check=True)
    return folder


@pytest.fixture(scope="module")
def site(certificates):
    with Site("127.0.0.2", *certificates["site.test"],
              files={"/": b"<p>page</p>\n"}) as site:
        yield site


@pytest.fixture
def room(exeat, site, authority, built, probe):
    exeat.give(authority.cert, "ca.pem")
    for name in ("Fetch.java", "Names.java"):
        probe(name)
    exeat.work.joinpath("tls.py").write_text(RAW_TLS)
    for name in ("fetch", "names"):
        if (built / name).exists():
            exeat.give(built / name)
            (exeat.work / name).chmod(0o755)
    return types.SimpleNamespace(exeat=exeat, site=site, flags=[
        "--env", "NODE_EXTRA_CA_CERTS=ca.pem",
        "--allow", f"site.test:{site.port}+private",
        "--resolve", "site.test:127.0.0.2"])


def visit(room, command, name, port):
    command = command.format(url=f"https://{name}:{port}", name=name, port=port)
    return room.exeat.run(room.flags, ["sh", "-c", BARE + command], timeout=120)


@pytest.mark.parametrize("client", FETCHERS)
def test_an_allowed_site_works_without_a_proxy(room, client):
    program, command = FETCHERS[client]
    need(program)
    done = visit(room, command, "site.test", room.site.port)
    assert "<p>page</p>" in done.stdout, done
    assert {r["via"] for r in room.exeat.records()
            if r["event"] == "decision" and r["verdict"] == "allow"} == {"capture"}


@pytest.mark.parametrize("client", FETCHERS)
def test_another_site_is_not_there(room, client):
    program, command = FETCHERS[client]
    need(program)
    before = room.site.connections
    done = visit(room, command, "other.test", room.site.port)
    assert "<p>page</p>" not in done.stdout, done
    assert "denied other.test; allow it with --allow other.test" in done.stderr
    assert room.site.connections == before


@pytest.mark.parametrize("client", RESOLVERS)
def test_every_resolver_gets_the_same_answer(room, client):
    program, command = RESOLVERS[client]
    need(program)
    done = visit(room, command, "site.test", 0)
    assert "198.18.0.1" in done.stdout, done
    denied = visit(room, command, "other.test", 0)
    assert "198.18" not in denied.stdout, denied


def test_busybox_fetches_plain_http(exeat):
    need("busybox")

    def serve(conn):
        conn.recv(4096)
        conn.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\npage\n")

    with Listener.tcp("127.0.0.2", serve=serve) as plain:
        flags = ["--allow", f"site.test:{plain.port}/http+private",
                 "--resolve", "site.test:127.0.0.2"]
        done = exeat.run(flags, ["sh", "-c", BARE + "busybox wget -q -O - "
                                 f"http://site.test:{plain.port}/"])
        assert done.stdout == "page\n", done


def tcp_rule(name, server):
    return ["--allow", f"{name}:{server.port}/tcp+private",
            "--resolve", f"{name}:127.0.0.2"]


def test_ssh_reaches_a_host_by_name(exeat, tmp_path):
    need("ssh")
    if not sshd.is_there():
        pytest.skip("sshd is missing")
    with SshServer(tmp_path) as server:
        exeat.give(server.key, "id")
        (exeat.work / "id").chmod(0o600)
        (exeat.work / "known").write_text(server.known_hosts("git.test"))

        def ssh(name):
            return exeat.run(tcp_rule("git.test", server), [
                "ssh", "-F", "none", "-i", "id", "-o", "UserKnownHostsFile=known",
                "-o", "BatchMode=yes", "-p", server.port,
                f"{server.user}@{name}", "echo", "from", "$((1+1))"], timeout=60)

        done = ssh("git.test")
        assert done.stdout == "from 2\n", done
        assert server.connections == 1
        assert "Could not resolve hostname" in ssh("other.test").stderr
        assert server.connections == 1


def test_psql_reaches_a_database_by_name(exeat, account):
    if not servers.postgres_program("postgres"):
        pytest.skip("postgres is missing")
    with Postgres(exeat.lab.folder("postgres"), account) as server:
        def psql(name):
            return exeat.run(tcp_rule("db.test", server), [
                servers.postgres_program("psql"), "-h", name, "-p", server.port,
                "-U", "someone", "-Atc", "select 6 * 7", "postgres"])

        done = psql("db.test")
        assert done.stdout == "42\n", done
        assert "could not translate host name" in psql("other.test").stderr


def test_redis_cli_reaches_a_server_by_name(exeat, tmp_path):
    need("redis-server")
    with Redis(tmp_path) as server:
        def redis(name):
            return exeat.run(tcp_rule("redis.test", server), [
                "redis-cli", "-h", name, "-p", server.port, "echo", "hello"])

        assert redis("redis.test").stdout == "hello\n"
        assert "other.test" in redis("other.test").stderr
