# SPDX-License-Identifier: MIT
"""The main job: one website from inside, and every other is refused."""

import os
import shutil

import pytest

from lab.dns import NameServer
from lab.runs import PYTHON

CURL = ["curl", "-sS", "--max-time", "20", "--cacert", "ca.pem"]
FETCH = """
import ssl, sys, urllib.request
context = ssl.create_default_context(cafile="ca.pem")
sys.stdout.write(urllib.request.urlopen(sys.argv[1], context=context).read().decode())
"""


def decisions(exeat, **wanted):
    return [record for record in exeat.records()
            if record["event"] == "decision" and
            all(record.get(key) == value for key, value in wanted.items())]


def test_curl_reaches_the_allowed_site(exeat, allowed, origin):
    result = exeat.run(allowed, [*CURL, f"https://site.test:{origin.port}/"])
    assert (result.returncode, result.stdout, result.stderr) == \
        (0, "hello from site.test\n", "")
    assert origin.names == ["site.test"]
    record, = decisions(exeat)
    assert (record["verdict"], record["host"], record["port"]) == \
        ("allow", "site.test", origin.port)
    assert record["address"].startswith("127.0.0.2")
    close, = [r for r in exeat.records() if r["event"] == "close"]
    # curl may close with bytes of ours unread, which is a reset, and a reset
    # takes what the origin has not read yet: exact counts are test_proxy_relay's.
    assert origin.wait(lambda: len(origin.received) > 0)
    assert close["bytes_up"] >= len(origin.received)
    assert close["bytes_down"] > len(origin.body)


def test_python_reaches_the_allowed_site(exeat, allowed, origin):
    result = exeat.run(allowed, [PYTHON, "-c", FETCH,
                                 f"https://site.test:{origin.port}/"])
    assert (result.returncode, result.stdout) == (0, "hello from site.test\n")


def test_another_site_is_refused_by_name(exeat, allowed, origin, other):
    flags = [*allowed, "--resolve", "other.test:127.0.0.3"]
    target = f"other.test:{other.port}"
    result = exeat.run(flags, [*CURL, "-v", f"https://{target}/"])
    assert result.returncode == 56, result
    status, = [line for line in result.stderr.splitlines()
               if line.startswith("< HTTP/1.1 403")]
    assert f"{target} is not allowed" in status
    assert f"--allow {target}" in status
    assert "< Proxy-Status: exeat; error=http_request_denied" in result.stderr
    last = result.stderr.splitlines()[-1]
    assert target in last and f"--allow {target}" in last
    assert other.connections == 0 and origin.connections == 0
    record, = decisions(exeat)
    assert (record["verdict"], record["reason"]) == ("deny", "http_request_denied")

    control = exeat.call([*CURL, "--resolve", f"{target}:127.0.0.3",
                          f"https://{target}/"])
    assert control.stdout == "hello from other.test\n", control


def test_refusal_is_said_once_with_a_count(exeat, allowed, other):
    script = f"for i in 1 2 3; do curl -s https://other.test:{other.port}/; done; true"
    result = exeat.run(allowed, ["sh", "-c", script])
    lines = [line for line in result.stderr.splitlines() if "other.test" in line]
    assert len(lines) == 1 and "3" in lines[0].replace(str(other.port), ""), result


def test_other_port_of_the_allowed_site_is_refused(exeat, allowed, origin):
    for port in (443, 80, 22, 1):
        result = exeat.run(allowed, [*CURL, "-v", f"https://site.test:{port}/"])
        assert "< HTTP/1.1 403" in result.stderr, result
        assert f"site.test:{port}" in result.stderr
    assert origin.connections == 0


def test_private_address_needs_private(exeat, allowed, origin):
    flags = [word.replace("+private", "") for word in allowed]
    result = exeat.run(flags, [*CURL, "-v", f"https://site.test:{origin.port}/"])
    assert "< HTTP/1.1 403" in result.stderr, result
    assert "destination_ip_prohibited" in result.stderr
    assert origin.connections == 0


def test_no_network_without_a_rule(exeat, authority, origin):
    exeat.give(authority.cert, "ca.pem")
    result = exeat.run([], [*CURL, f"https://site.test:{origin.port}/"])
    assert result.returncode == 56
    assert origin.connections == 0


@pytest.mark.parametrize("target", [
    "127.0.0.2:PORT", "[::ffff:127.0.0.2]:PORT", "[::ffff:7f00:2]:PORT",
    "[64:ff9b::7f00:2]:PORT", "[2002:7f00:2::1]:PORT", "[::1]:PORT",
    "localhost:PORT", "0.0.0.0:PORT", "169.254.169.254:80", "other.test:PORT",
    "sub.site.test:PORT", "site.test.evil.test:PORT",
])
def test_literals_and_lookalikes_are_refused(exeat, allowed, probe, origin, target):
    """Well-formed, so they get the policy's answer."""
    probe("ask.py")
    result = exeat.run(allowed, [PYTHON, "ask.py",
                                 target.replace("PORT", str(origin.port))])
    assert result.stdout.startswith("HTTP/1.1 403 "), result
    assert origin.connections == 0


@pytest.mark.parametrize("target", [
    "2130706434:PORT", "0x7f.2:PORT", "0177.0.0.2:PORT", "127.2:PORT",
    "[127.0.0.2]:PORT", "[site.test]:PORT", "site.test :PORT", "site.test",
    "site.test:", ":PORT", "site.test:0", "site.test:65979", "site.test:+PORT",
    "site.test:0x1bb", "site.test:PORT/", "https://site.test:PORT",
    "other.test@site.test:PORT", "site.test%2e:PORT", "site.test..:PORT",
    "other.test#.site.test:PORT", "site.test%00.other.test:PORT",
])
def test_malformed_targets_are_not_repaired(exeat, allowed, probe, origin, target):
    probe("ask.py")
    result = exeat.run(allowed, [PYTHON, "ask.py",
                                 target.replace("PORT", str(origin.port))])
    assert result.stdout.startswith(("HTTP/1.1 400 ", "HTTP/1.1 403 ")), result
    assert origin.connections == 0


@pytest.mark.parametrize("name", ["site.test.", "SITE.TEST", "Site.Test."])
def test_spellings_of_one_name_are_one_name(exeat, allowed, probe, origin, name):
    probe("ask.py")
    result = exeat.run(allowed, [PYTHON, "ask.py", f"{name}:{origin.port}"])
    assert result.stdout.startswith("HTTP/1.1 200 "), result


def openssl_client(port, *flags):
    return ["openssl", "s_client", "-proxy", "127.0.0.1:17080", "-connect",
            f"site.test:{port}", "-CAfile", "ca.pem", "-brief", *flags]


@pytest.mark.parametrize("flags", [
    ["-servername", "other.test"], ["-noservername"],
    ["-servername", "site.test.evil.test"], ["-servername", "127.0.0.2"],
])
def test_server_name_must_be_the_host_asked_for(exeat, allowed, origin, flags):
    """D2, C13: authorised by the CONNECT line, then another name inside."""
    result = exeat.run(allowed, openssl_client(origin.port, *flags))
    assert result.returncode not in (0, 125), result
    assert bytes(origin.received) == b"", "bytes of a refused hello"
    assert [r for r in exeat.records() if r.get("verdict") == "deny"]


def test_right_server_name_passes(exeat, allowed, origin):
    result = exeat.run(allowed, openssl_client(origin.port,
                                               "-servername", "site.test"))
    assert "Verification: OK" in result.stderr, result


@pytest.mark.parametrize("first", [b"SSH-2.0-x\r\n", b"GET / HTTP/1.1\r\n\r\n",
                                   b"\0" * 64])
def test_what_is_not_tls_does_not_pass(exeat, allowed, probe, origin, first):
    probe("ask.py")
    result = exeat.run(allowed, [PYTHON, "ask.py", f"site.test:{origin.port}",
                                 first.hex()])
    assert result.stdout.startswith("HTTP/1.1 200 "), result
    assert bytes(origin.received) == b""


def test_denied_names_are_never_resolved(exeat, allowed, probe):
    """C29: the query itself would carry the data out."""
    probe("ask.py")
    with NameServer("127.0.0.1", table={"site2.test": ["192.0.2.7"]}) as server:
        policy = exeat.work / "p.cfg"
        policy.write_text(
            "version = 1;\n"
            f'dns = {{ servers = [ "127.0.0.1:{server.port}" ]; }};\n'
            'allow = ( { host = "site2.test"; } );\n')
        for target in ("secret.denied.test:443", "site2.test:80",
                       "secret.site2.test:443"):
            result = exeat.run(["--policy", policy], [PYTHON, "ask.py", target])
            assert result.stdout.startswith("HTTP/1.1 403 "), result
        assert server.questions == []

        exeat.run(["--policy", policy], [PYTHON, "ask.py", "site2.test:443"])
        assert set(server.names) == {"site2.test"}


def test_hundred_tunnels_at_once_in_one_run(exeat, allowed, probe, origin):
    """No process is added for any of them."""
    probe("many.py")
    with exeat.start(allowed, [PYTHON, "many.py", f"site.test:{origin.port}", "100"],
                     stdin=-1) as process:
        assert process.stdout.readline() == b"100 open\n"
        names = sorted(helpers_of(process.pid))
        process.stdin.write(b"go\n")
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert out == b"100 answered\n"
    assert origin.connections == 100
    # The runner's children, bubblewrap's, and the command.
    assert names == ["bwrap", "bwrap", "exeat", "exeat-proxy", "python3"]


def helpers_of(pid):
    from lab import processes
    found = processes.descendants(pid)
    return [name for name in found.values()]


def test_large_answer_arrives_whole(exeat, allowed, origin):
    origin.body = os.urandom(8 * 1024 * 1024)
    result = exeat.run(allowed, [*CURL, f"https://site.test:{origin.port}/"])
    assert result.returncode == 0, result.stderr
    assert result.out == origin.body


def test_audit_file_of_the_users_choice(exeat, allowed, origin):
    path = exeat.home / "records.jsonl"
    result = exeat.run([*allowed, "--audit", path],
                       [*CURL, f"https://site.test:{origin.port}/"])
    assert result.returncode == 0, result
    assert '"event":"decision"' in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600


def test_installed_curl_is_what_is_tested():
    assert shutil.which("curl")
