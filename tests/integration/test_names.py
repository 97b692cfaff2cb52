# SPDX-License-Identifier: MIT
"""Names inside: allowed ones get addresses that stand for them, whoever asks
and however; others do not exist; nothing is asked outside."""

import pytest

from lab import steps
from lab.dns import NameServer
from lab.runs import PYTHON

RESOLVERS = ["127.0.0.1", "::1", "8.8.8.8", "9.9.9.9", "127.0.0.53", "10.0.2.3",
             "2001:4860:4860::8888", "192.0.2.53"]
SITE = ["--allow", "site.test"]


def ask(exeat, flags, *lines):
    result = exeat.run(flags, [PYTHON, "names.py"],
                       input="\n".join(lines).encode())
    assert result.returncode == 0, result
    return result.stdout.splitlines()


def lookups(exeat):
    return [(r["host"], r["verdict"]) for r in exeat.records()
            if r["event"] == "resolve"]


@pytest.mark.parametrize("way", ["", "bound", "tcp"])
def test_whichever_resolver_is_asked_the_answers_are_ours(exeat, probe, way):
    probe("names.py")
    found = ask(exeat, SITE, *(
        f"{kind} {name} {server} {way}" for server in RESOLVERS
        for kind, name in (("A", "site.test"), ("AAAA", "site.test"),
                           ("A", "other.test"))))
    assert found == ["ok 198.18.0.1", "ok fd00:6578:6561:74::1", "nxdomain"] * \
        len(RESOLVERS)


def test_other_types_of_an_allowed_name_are_empty(exeat, probe):
    """No HTTPS record: with one, a client would get keys to hide its name."""
    probe("names.py")
    types = ("HTTPS", "SVCB", "MX", "TXT", "NS", "SRV", "ANY", "PTR")
    assert ask(exeat, SITE, *(f"{kind} site.test 127.0.0.1" for kind in types)) \
        == ["ok"] * len(types)
    assert set(ask(exeat, SITE, *(f"{kind} other.test 127.0.0.1"
                                  for kind in types))) == {"nxdomain"}


def test_a_name_keeps_its_address_and_shares_it_with_none(exeat, probe):
    probe("names.py")
    flags = ["--allow", "*.wild.test", "--allow", "a.test"]
    names = ["a.test", "x.wild.test", "y.z.wild.test", "A.TEST", "x.wild.test",
             "wild.test"]
    found = ask(exeat, flags, *(f"A {name} 127.0.0.1" for name in names))
    assert found == ["ok 198.18.0.1", "ok 198.18.0.2", "ok 198.18.0.3",
                     "ok 198.18.0.1", "ok 198.18.0.2", "nxdomain"]


def test_reverse_lookups_give_the_name_back(exeat, probe):
    probe("names.py")
    found = ask(exeat, SITE, "A site.test 127.0.0.1",
                "PTR 1.0.18.198.in-addr.arpa 8.8.8.8",
                "PTR " + ".".join("1000000000000000" "47001656875600df")
                + ".ip6.arpa 8.8.8.8",
                "PTR 2.0.18.198.in-addr.arpa 8.8.8.8",
                "PTR 8.8.8.8.in-addr.arpa 8.8.8.8",
                "PTR 1.0.0.127.in-addr.arpa 127.0.0.1")
    assert found == ["ok 198.18.0.1", "ok site.test", "ok site.test",
                     "nxdomain", "nxdomain", "ok localhost"]


def test_a_denied_name_does_not_exist_and_a_port_rule_suffices(exeat, probe):
    probe("names.py")
    flags = ["--allow", "*.a.test:8443", "--deny", "no.a.test",
             "--deny", "some.a.test:25"]
    assert ask(exeat, flags, "A yes.a.test 127.0.0.1", "A no.a.test 127.0.0.1",
               "A some.a.test 127.0.0.1", "A localhost 127.0.0.1",
               "AAAA x.localhost 127.0.0.1") == \
        ["ok 198.18.0.1", "nxdomain", "ok 198.18.0.2", "ok 127.0.0.1", "ok ::1"]


def test_every_name_has_an_address_where_every_site_is_open(exeat, probe):
    probe("names.py")
    for flags in (["--connect", "443"], ["--observe"]):
        assert ask(exeat, [*flags, "--deny", "no.test"],
                   "A any.test 127.0.0.1", "A no.test 127.0.0.1") == \
            ["ok 198.18.0.1", "nxdomain"]


def test_a_tunnel_of_names_is_recorded_and_carries_nothing_out(exeat, probe):
    """Long labels, TXT and TCP: all of it ends at our responder."""
    probe("names.py")
    names = [f"{'abcdefgh' * 7}{i:04}.{'x' * 60}.{'y' * 60}.tunnel.test"
             for i in range(20)]
    with NameServer("127.0.0.53") as server:
        policy = exeat.work / "p.cfg"
        policy.write_text(
            "version = 1;\n"
            f'dns = {{ servers = [ "127.0.0.53:{server.port}" ]; }};\n'
            'allow = ( { host = "site.test"; } );\n')
        found = ask(exeat, ["--policy", policy], *(
            f"{kind} {name} {place}" for name in names
            for kind, place in (("TXT", "8.8.8.8"), ("A", "127.0.0.1 tcp"))),
            "A site.test 127.0.0.1")
        assert found == ["nxdomain"] * 40 + ["ok 198.18.0.1"]
        assert server.questions == []
    recorded = lookups(exeat)
    assert set(recorded) == {(name, "deny") for name in names} | \
        {("site.test", "allow")}
    assert len(recorded) == 41  # TXT and A of each, and the allowed one once


def test_malformed_questions_do_no_harm(exeat, probe):
    probe("names.py")
    exeat.work.joinpath("bad.py").write_text(
        "import socket, random\n"
        "random.seed(7)\n"
        "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "s.connect(('127.0.0.1', 53))\n"
        "for i in range(2000):\n"
        "    try:\n"
        "        s.send(bytes(random.randrange(256) for _ in range(i % 90)))\n"
        "    except OSError as e: print(e)\n"
        "t = socket.create_connection(('127.0.0.1', 53), 3)\n"
        "t.sendall(b'\\xff\\xff' + b'x' * 100); print(t.recv(10))\n")
    result = exeat.run(SITE, ["sh", "-c", f"{PYTHON} bad.py; echo 'A site.test "
                              f"127.0.0.1' | {PYTHON} names.py"])
    assert result.stdout == "b''\nok 198.18.0.1\n", result


def test_without_ipv6_no_name_has_an_address_of_it(exeat, probe):
    """One of the gate's sockets is the one that names are asked on; where it
    cannot be of both families it is of one."""
    probe("names.py")
    command = [exeat.program, "run", *SITE, "--", PYTHON, "names.py"]
    asked = b"A site.test 127.0.0.1\nAAAA site.test 127.0.0.53\n"
    results = (exeat.call(steps.fail_in_gate("socket", "EAFNOSUPPORT", number,
                                             "/dev/null", command), input=asked)
               for number in range(1, 13))
    assert "ok 198.18.0.1\nok\n" in [result.stdout for result in results]


def test_what_was_missed_is_told_once_and_service_records_are_not(exeat, probe):
    probe("names.py")
    result = exeat.run(SITE, [PYTHON, "names.py"], input="\n".join((
        "SRV _https._tcp.other.test 127.0.0.1", "TXT quiet.test 127.0.0.1",
        "TXT other.test 127.0.0.1", "A other.test 127.0.0.1",
        "AAAA other.test 127.0.0.1", "A other.test 8.8.8.8")).encode())
    assert result.stderr.splitlines()[1:] == \
        ["  denied other.test; allow it with --allow other.test"], result
    assert {name for name, _ in lookups(exeat)} == \
        {"_https._tcp.other.test", "quiet.test", "other.test"}
