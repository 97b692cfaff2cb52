# SPDX-License-Identifier: MIT
"""Real clients inside the fence: an allowed site works, a denied one fails at
once, and says why where the client shows what a proxy says."""

import os
import pathlib
import re
import shutil
import subprocess
import time
import types

import pytest

from lab import packages
from lab.runs import PATH, PYTHON
from lab.site import Site

CHROMIUM = "/usr/lib/chromium/chromium"
CHROMIUM_FLAGS = ("--headless=new --no-sandbox --disable-gpu "
                  "--disable-dev-shm-usage --disable-background-networking "
                  "--no-first-run --ignore-certificate-errors "
                  "--user-data-dir=$HOME/profile --dump-dom")
QUICK = 25  # a denied client must not wait for anything; a slow machine may

APT = ("mkdir -p a/lists/partial a/cache/archives/partial a/state a/etc && "
       "echo 'deb [trusted=yes] {url}/debian ./' > a/sources && "
       ": > a/status && "
       "apt-get -o Dir::Etc=$PWD/a/etc -o Dir::Etc::sourcelist=$PWD/a/sources "
       "-o Dir::State=$PWD/a/state -o Dir::State::lists=$PWD/a/lists "
       "-o Dir::State::status=$PWD/a/status -o Dir::Cache=$PWD/a/cache "
       "-o Dir::Log=$PWD/a -o APT::Sandbox::User= -o Acquire::Retries=0 "
       "-o Acquire::https::CAInfo=$PWD/ca.pem -o APT::Update::Error-Mode=any "
       "update && echo updated")

CARGO = ("mkdir -p c/src c/.cargo && : > c/src/lib.rs && cd c && "
         "printf '[package]\\nname = \"c\"\\nversion = \"1.0.0\"\\n"
         "[dependencies]\\ntiny = {{ version = \"1\", registry = \"t\" }}\\n' "
         "> Cargo.toml && "
         "printf '[registries.t]\\nindex = \"sparse+{url}/crates/\"\\n"
         "[net]\\nretry = 0\\n[http]\\ncainfo = \"../ca.pem\"\\n' "
         "> .cargo/config.toml && CARGO_HOME=$HOME/cargo RUSTC_BOOTSTRAP=1 "
         "cargo {z} fetch && echo fetched")

NODE_FETCH = ("node -e \"fetch('{url}/').then(r => r.text()).then(t => "
              "process.stdout.write(t)).catch(e => {{ "
              "console.error(e.cause ? e.cause.message : e.message); "
              "process.exit(1) }})\"")

# name: program, command, what it prints, what a refusal shows (None: nothing
# that helps), variables
CLIENTS = {
    "curl": ("curl", "curl -sS --cacert ca.pem {url}/", "<p>page</p>",
             "response 403", ()),
    "wget": ("wget", "wget -O - --ca-certificate ca.pem {url}/", "<p>page</p>",
             "exeat: other.test:443 is not allowed", ()),
    "git": ("git", "git -c http.sslCAInfo=ca.pem ls-remote {url}/r.git",
            "refs/heads/main", "response 403", ()),
    "git clone": ("git", "git -c http.sslCAInfo=ca.pem clone -q {url}/r.git r "
                  "&& git -C r log --format=%s", "x\n", "response 403", ()),
    "apt": ("apt-get", APT, "updated", "403 exeat: other.test:443", ()),
    "pip": ("py:pip", PYTHON + " -m pip -vvv --disable-pip-version-check "
            "--no-cache-dir --retries 0 --cert ca.pem download --no-deps "
            "--index-url {url}/simple/ tiny", "Successfully downloaded tiny",
            "403 exeat: other.test:443 is not allowed", ()),
    "npm": ("npm", "npm view tiny version --registry {url}/ --fetch-retries 0 "
            "--cache $HOME/npm", "1.0.0", "403",
            ("npm_config_cafile=ca.pem", "npm_config_update_notifier=false")),
    "npm install": ("npm", "npm install tiny --registry {url}/ --no-audit "
                    "--no-fund --fetch-retries 0 --cache $HOME/npm",
                    "added 1 package", "403",
                    ("npm_config_cafile=ca.pem",
                     "npm_config_update_notifier=false")),
    "go": ("go", "mkdir g && cd g && go mod init x.test/g && "
           "GOPROXY={url} GONOSUMDB=* GONOSUMCHECK=1 GOFLAGS=-mod=mod "
           "GOCACHE=$HOME/gc GOPATH=$HOME/go SSL_CERT_FILE=../ca.pem "
           "go get tiny.test/m@v1.0.0 && grep tiny go.mod",
           "require tiny.test/m v1.0.0",
           "exeat: other.test:443 is not allowed", ()),
    "cargo": ("cargo", CARGO, "fetched", "403", ()),
    "java": ("javac", "keytool -importcert -noprompt -alias t -file ca.pem "
             "-keystore ks -storepass secret -storetype PKCS12 && "
             "java -Djavax.net.ssl.trustStore=ks "
             "-Djavax.net.ssl.trustStorePassword=secret Fetch.java {url}/",
             "<p>page</p>", "403 exeat: other.test:443 is not allowed", ()),
    "python http.client": (PYTHON, PYTHON + " client.py {url}/", "<p>page</p>",
                           "403 exeat: other.test:443 is not allowed", ()),
    "python urllib": (PYTHON, PYTHON + " -c \"import ssl, urllib.request as u; "
                      "print(u.urlopen('{url}/', context="
                      "ssl.create_default_context(cafile='ca.pem')).read())\"",
                      "<p>page</p>", "403 exeat: other.test:443 is not allowed",
                      ()),
    "openssl s_client": ("openssl", "printf 'GET / HTTP/1.0\\r\\n\\r\\n' | "
                         "openssl s_client -quiet -verify_return_error "
                         "-proxy ${{https_proxy#http://}} -CAfile ca.pem "
                         "-connect {host} -servername {name}", "<p>page</p>",
                         "403 exeat: other.test:443 is not allowed", ()),
    "gnutls-cli": ("gnutls-cli", "printf 'GET / HTTP/1.0\\r\\n\\r\\n' | "
                   + PYTHON + " forward.py {host} gnutls-cli --x509cafile "
                   "ca.pem --sni-hostname {name} --verify-hostname {name} "
                   "-p PORT 127.0.0.1", "<p>page</p>",
                   "exeat: other.test:443 is not allowed", ()),
    "chromium": (CHROMIUM, CHROMIUM + " " + CHROMIUM_FLAGS + " {url}/",
                 "<p>page</p>", "ERR_TUNNEL_CONNECTION_FAILED", ()),
}


@pytest.fixture(scope="module")
def site(certificates, tmp_path_factory):
    with Site("127.0.0.2", *certificates["site.test"]) as site:
        site.files.update(packages.all_files(
            f"https://site.test:{site.port}", tmp_path_factory.mktemp("git")))
        yield site


@pytest.fixture
def room(exeat, site, authority, probe, tmp_path):
    """The flags, and everything that a client needs in the working folder."""
    exeat.give(authority.cert, "ca.pem")
    for name in ("client.py", "forward.py", "Fetch.java"):
        probe(name)
    # Without capture, a program that does not use the proxy must fail.
    policy = exeat.lab.folder("policy") / "p.cfg"
    policy.write_text("version = 1;\nports = { capture = false; };\n")
    return types.SimpleNamespace(
        exeat=exeat, site=site, flags=[
            "--policy", policy, "--allow", f"site.test:{site.port}+private",
            "--resolve", "site.test:127.0.0.2"])


def is_there(program):
    if program.startswith("py:"):
        return subprocess.run([PYTHON, "-c", "import " + program[3:]],
                              capture_output=True, check=False).returncode == 0
    return os.path.exists(program) or shutil.which(program, path=PATH)


def need(program):
    if not is_there(program):
        pytest.skip(f"{pathlib.Path(program).name} is missing")


def cargo_switch(room):
    """Sparse registries were an option before they were the default."""
    version = room.exeat.call(["cargo", "--version"]).stdout.split()
    old = version[1:2] and tuple(map(int, version[1].split(".")[:2])) < (1, 68)
    return "-Z sparse-registry" if old else ""


def visit(room, client, host):
    _, command, _, _, variables = CLIENTS[client]
    name = host.split(":")[0]
    switch = cargo_switch(room) if client == "cargo" else ""
    command = command.format(url="https://" + host, host=host, name=name,
                             z=switch)
    flags = [word for item in variables for word in ("--env", item)]
    return room.exeat.run([*room.flags, *flags], ["sh", "-c", command],
                          timeout=120)


@pytest.mark.parametrize("client", CLIENTS)
def test_an_allowed_site_works(room, client):
    program, _, shows, _, _ = CLIENTS[client]
    need(program)
    done = visit(room, client, f"site.test:{room.site.port}")
    assert shows in done.stdout + done.stderr, done


@pytest.mark.parametrize("client", CLIENTS)
def test_a_denied_site_fails_at_once_and_says_why(room, client):
    program, _, shows, why, _ = CLIENTS[client]
    need(program)
    before = room.site.connections
    start = time.monotonic()
    done = visit(room, client, "other.test:443")
    assert time.monotonic() - start < QUICK
    assert shows not in done.stdout, done
    assert why in done.stdout + done.stderr, done
    assert re.search(r"denied other\.test:443( \(\d+ times\))?; "
                     r"allow it with --allow other\.test\n", done.stderr), done
    assert room.site.connections == before


def test_node_fetch_uses_the_proxy_where_node_can(room):
    """C47: from 22.21 on; an older one fails at once, with no way out."""
    need("node")
    command = NODE_FETCH.format(url=f"https://site.test:{room.site.port}")
    before = room.site.connections
    start = time.monotonic()
    done = room.exeat.run([*room.flags, "--env", "NODE_EXTRA_CA_CERTS=ca.pem"],
                          ["sh", "-c", command], timeout=60)
    version = room.exeat.call(["node", "-p", "process.versions.node"]).stdout
    can = tuple(int(n) for n in version.split(".")[:2]) >= (22, 21)
    if can:
        assert done.stdout == "<p>page</p>\n", done
    else:
        assert done.returncode == 1 and "site.test" in done.stderr, done
        assert time.monotonic() - start < QUICK
        assert room.site.connections == before


def test_node_without_the_variable_gets_nowhere(room):
    need("node")
    command = "unset NODE_USE_ENV_PROXY; " + NODE_FETCH.format(
        url=f"https://site.test:{room.site.port}")
    before = room.site.connections
    done = room.exeat.run([*room.flags, "--env", "NODE_EXTRA_CA_CERTS=ca.pem"],
                          ["sh", "-c", command], timeout=60)
    assert done.returncode == 1, done
    assert room.site.connections == before
