# SPDX-License-Identifier: MIT
"""Addresses and DNS: what is asked, what is judged, what is dialled."""
import os

import pytest

from proxy_harness import (Namespace, Origin, Proxy, StubDns, hello, status,
                           stopwatch)

PRIVATE = ["127.0.0.9", "0.0.0.0", "10.0.0.1", "100.64.0.1",
           "169.254.169.254", "172.16.0.1", "192.168.0.1", "198.18.0.1",
           "224.0.0.1", "240.0.0.1", "255.255.255.255", "::1", "::",
           "fe80::1", "fc00::1", "fd00:ec2::254", "ff02::1"]
V4_IN_V6 = ["::ffff:127.0.0.9", "::ffff:7f00:9", "::127.0.0.9",
            "64:ff9b::7f00:9", "2002:7f00:9::1", "::ffff:0:7f00:9"]


def kind(address):
    return "AAAA" if ":" in address else "A"


@pytest.fixture(scope="module")
def dns():
    stub = StubDns()
    yield stub
    stub.close()


@pytest.fixture
def proxy(dns):
    p = Proxy("--allow", "allowed.test", policy="dns = { servers = "
              f"[ \"127.0.0.1:{dns.port}\" ]; timeout = \"2s\"; }};")
    yield p
    p.close()


@pytest.mark.parametrize("address", PRIVATE + V4_IN_V6)
def test_an_allowed_name_does_not_open_a_special_address(proxy, dns, address):
    dns.answers["allowed.test"] = {kind(address): [address]}
    sock, head = proxy.open("allowed.test", 443)
    sock.close()
    assert status(head) == 403
    assert b"error=destination_ip_prohibited" in head
    record = proxy.wait_record("decision")
    assert record["reason"] == "destination_ip_prohibited"
    # IPv4 inside IPv6 is recorded as what it is.
    expected = "127.0.0.9" if address in V4_IN_V6 else address
    assert record["address"] == expected
    assert len(proxy.everything()) == 1


@pytest.mark.parametrize("address", V4_IN_V6)
def test_ipv4_inside_ipv6_is_refused_as_a_literal(proxy, dns, address):
    before = len(dns.queries)
    sock, head = proxy.open(f"[{address}]", 443)
    sock.close()
    assert status(head) == 403
    assert proxy.wait_record("decision")["verdict"] == "deny"
    assert len(dns.queries) == before


def test_a_mapped_spelling_does_not_pass_an_address_deny_rule():
    p = Proxy("--allow", "[::/0]:443/tcp+private", "--deny", "127.0.0.9")
    try:
        for address in V4_IN_V6:
            sock, head = p.open(f"[{address}]", 443)
            sock.close()
            assert status(head) == 403, address
    finally:
        p.close()


def test_denied_names_are_never_resolved(proxy, dns):
    dns.answers["allowed.test"] = {"A": ["10.0.0.1"]}
    before = len(dns.queries)
    long_name = ".".join(["a" * 61] * 4)[:240] + ".denied.test"
    for host in ("c2VjcmV0.denied.test", long_name, "localhost",
                 "x.localhost", "allowed.test.denied.test"):
        sock, head = proxy.open(host, 443)
        sock.close()
        assert status(head) == 403, host
    assert status(proxy.ask(b"GET http://c2VjcmV0.denied.test/ HTTP/1.1\r\n"
                            b"Host: c2VjcmV0.denied.test\r\n\r\n")) != 200
    assert dns.queries[before:] == []


def test_localhost_is_never_resolved_even_where_allowed(dns):
    p = Proxy("--allow", "localhost:443+private", policy="dns = { servers "
              f"= [ \"127.0.0.1:{dns.port}\" ]; }};")
    try:
        before = len(dns.queries)
        sock, head = p.open("localhost", 443)
        sock.close()
        assert status(head) == 502
        assert dns.queries[before:] == []
    finally:
        p.close()


def test_names_are_asked_for_as_they_are(proxy, dns):
    """No search domain, no other spelling, both families."""
    dns.answers["allowed.test"] = {"A": ["10.0.0.1"]}
    before = len(dns.queries)
    proxy.open("allowed.test", 443)[0].close()
    assert sorted(dns.queries[before:]) == [("allowed.test", "A"),
                                            ("allowed.test", "AAAA")]


@pytest.mark.parametrize("answer,code,reason", [
    ("NXDOMAIN", 502, "dns_error"), ("SERVFAIL", 502, "dns_error"),
    ({"A": []}, 502, "dns_error"), (None, 504, "dns_timeout")])
def test_dns_failures_are_not_refusals(proxy, dns, answer, code, reason):
    dns.answers["allowed.test"] = answer
    watch = stopwatch()
    sock, head = proxy.open("allowed.test", 443)
    sock.close()
    assert status(head) == code
    assert watch() < 5
    assert proxy.wait_record("decision")["reason"] == reason


def test_an_endless_chain_of_cnames_fails(proxy, dns):
    dns.answers["allowed.test"] = {
        "CNAME": [f"c{i}.test" for i in range(12)], "A": ["10.0.0.1"]}
    sock, head = proxy.open("allowed.test", 443)
    sock.close()
    assert status(head) == 502
    assert proxy.wait_record("decision")["reason"] == "dns_error"


def test_a_fixed_answer_asks_nobody(dns):
    origin = Origin()
    p = Proxy("--allow", f"allowed.test:{origin.port}+private", "--resolve",
              "allowed.test:127.0.0.2", policy="dns = { servers = "
              f"[ \"127.0.0.1:{dns.port}\" ]; }};")
    try:
        before = len(dns.queries)
        sock, head = p.open("allowed.test", origin.port)
        sock.close()
        assert status(head) == 200
        assert dns.queries[before:] == []
    finally:
        p.close()
        origin.close()


def test_only_the_permitted_one_of_mixed_answers_is_dialled():
    good, bad = Origin("127.0.0.2"), None
    bad = Origin("127.0.0.9", port=good.port)
    p = Proxy("--allow", f"allowed.test:{good.port}+private", "--resolve",
              "allowed.test:127.0.0.9", "--resolve",
              "allowed.test:127.0.0.2", "--deny", "127.0.0.9")
    try:
        for _ in range(5):
            sock, head = p.open("allowed.test", good.port)
            sock.close()
            assert status(head) == 200
        p.wait_record("close", count=5)
        assert {r["address"] for r in p.all} == {"127.0.0.2"}
        assert bad.visits == []
    finally:
        p.close()
        good.close()
        bad.close()


def test_all_addresses_dead_lists_each():
    dead = Origin()
    dead.close()
    p = Proxy("--allow", f"dual.test:{dead.port}+private", "--resolve",
              "dual.test:127.0.0.2", "--resolve", "dual.test:127.0.0.3",
              "--resolve", "dual.test:::1")
    try:
        sock, head = p.open("dual.test", dead.port)
        sock.close()
        assert status(head) == 502
        for address in (b"127.0.0.2", b"127.0.0.3", b"::1"):
            assert address in head
        record = p.wait_record("decision")
        assert record["reason"] == "connection_refused"
    finally:
        p.close()


@pytest.mark.parametrize("dead", [
    ["::1"], ["127.0.0.3"], ["::1", "127.0.0.3", "127.0.0.4", "127.0.0.5",
                             "127.0.0.6", "127.0.0.7", "127.0.0.8",
                             "127.0.0.10"]])
def test_dead_addresses_do_not_hold_up_a_live_one(dead):
    origin = Origin("127.0.0.2")
    flags = []
    for address in dead + ["127.0.0.2"]:
        flags += ["--resolve", f"dual.test:{address}"]
    p = Proxy("--allow", f"dual.test:{origin.port}+private", *flags)
    try:
        watch = stopwatch()
        for _ in range(10):
            sock, head = p.open("dual.test", origin.port)
            sock.close()
            assert status(head) == 200
        assert watch() < 3
    finally:
        p.close()
        origin.close()


# --- with addresses that are not loopback: two namespaces and a wire

class Wire:
    """Proxy and DNS in one namespace, origins in another."""

    def __init__(self):
        self.here, self.there = Namespace(), Namespace()
        self.here.ip("link", "add", "here0", "type", "veth", "peer", "name",
                     "there0", "netns",
                     f"/proc/{os.getpid()}/task/{self.there.tid}/ns/net")
        for place, name, last in ((self.here, "here0", 1),
                                  (self.there, "there0", 2)):
            place.ip("addr", "add", f"10.99.0.{last}/24", "dev", name)
            place.ip("addr", "add", f"fd99::{last}/64", "dev", name,
                     "nodad")
            place.ip("link", "set", name, "up")
        self.dns = StubDns(place=self.here)

    def proxy(self, *flags, extra=""):
        return Proxy(*flags, place=self.here, policy="dns = { servers = "
                     f"[ \"127.0.0.1:{self.dns.port}\" ]; }};{extra}")

    def close(self):
        self.dns.close()
        self.here.close()
        self.there.close()


@pytest.fixture(scope="module")
def wire():
    try:
        w = Wire()
    except PermissionError as error:
        pytest.skip(f"no network namespaces here: {error}")
    yield w
    w.close()


def pass_hello(p, origin, host="allowed.test"):
    data = hello("s_base_tls13")
    number = origin.count()
    sock, head = p.open(host, origin.port, early=data)
    assert status(head) == 200, head
    assert origin.wait_visit(number).wait_bytes(len(data)) == data
    sock.close()


def test_a_resolved_address_is_dialled_and_recorded(wire):
    origin = Origin("10.99.0.2", place=wire.there)
    wire.dns.answers["allowed.test"] = {"A": ["10.99.0.2"]}
    p = wire.proxy("--allow", f"allowed.test:{origin.port}+private")
    try:
        pass_hello(p, origin)
        assert p.wait_record("close")["address"] == "10.99.0.2"
        assert origin.visits[0].peer[0] == "10.99.0.1"
    finally:
        p.close()
        origin.close()


def test_private_addresses_need_the_rule_to_say_so(wire):
    origin = Origin("10.99.0.2", place=wire.there)
    wire.dns.answers["allowed.test"] = {"A": ["10.99.0.2"]}
    p = wire.proxy("--allow", f"allowed.test:{origin.port}")
    try:
        sock, head = p.open("allowed.test", origin.port)
        sock.close()
        assert status(head) == 403
        assert f"--allow allowed.test:{origin.port}+private".encode() in head
        assert origin.visits == []
    finally:
        p.close()
        origin.close()


def test_the_hosts_own_address_counts_as_loopback(wire):
    origin = Origin("10.99.0.1", place=wire.here)
    wire.dns.answers["allowed.test"] = {"A": ["10.99.0.1"]}
    p = wire.proxy("--allow", f"allowed.test:{origin.port}+private",
                   "--allow", f"10.99.0.0/24:{origin.port}/tcp+private")
    try:
        for host in ("allowed.test", "10.99.0.1"):
            sock, head = p.open(host, origin.port)
            sock.close()
            assert status(head) == 403, host
        assert origin.visits == []
    finally:
        p.close()
        origin.close()


def test_aaaa_failure_does_not_fail_a(wire):
    origin = Origin("10.99.0.2", place=wire.there)
    p = wire.proxy("--allow", f"*.corp.test:{origin.port}+private",
                   extra="proxy = { hello_timeout = \"1s\"; };")
    try:
        for name, failure in (("a.corp.test", "SERVFAIL"),
                              ("b.corp.test", "NXDOMAIN"),
                              ("c.corp.test", None), ("d.corp.test", [])):
            wire.dns.answers[name] = {"AAAA": failure, "A": ["10.99.0.2"]}
            watch = stopwatch()
            sock, head = p.open(name, origin.port)
            sock.close()
            assert status(head) == 200, name
            assert watch() < 2
    finally:
        p.close()
        origin.close()


@pytest.mark.parametrize("addresses,limit", [
    (["fd99::2", "10.99.0.2"], 0.3),          # nobody listens on IPv6
    (["2001:4860:4860::8888", "10.99.0.2"], 0.3),     # no route
    (["10.99.0.77", "10.99.0.2"], 1.5),       # nobody answers
    (["fd99::77", "10.99.0.2"], 1.5)])
def test_one_family_or_address_that_is_dead_is_no_failure(wire, addresses,
                                                          limit):
    origin = Origin("10.99.0.2", place=wire.there)
    wire.dns.answers["dual.test"] = {
        "A": [a for a in addresses if ":" not in a],
        "AAAA": [a for a in addresses if ":" in a]}
    p = wire.proxy("--allow", f"dual.test:{origin.port}+private")
    try:
        for _ in range(3):
            watch = stopwatch()
            sock, head = p.open("dual.test", origin.port)
            sock.close()
            assert status(head) == 200, head
            assert watch() < limit
    finally:
        p.close()
        origin.close()


def test_source_ports_are_shared_by_destinations(wire):
    """A socket that is bound first takes a port for itself alone: with sixteen
    ports in all, the clients' own would leave none."""
    path = "/proc/sys/net/ipv4/ip_local_port_range"

    def set_range(text):
        with open(path, encoding="ascii") as file:
            before = file.read()
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        return before

    origins = [Origin("10.99.0.2", place=wire.there) for _ in range(2)]
    wire.dns.answers["allowed.test"] = {"A": ["10.99.0.2"]}
    p = wire.proxy(*(word for o in origins for word in (
        "--allow", f"allowed.test:{o.port}+private")))
    before = wire.here.run(set_range, "40000 40015")
    socks = []
    try:
        for i in range(14):
            sock, head = p.open("allowed.test", origins[i % 2].port)
            socks.append(sock)
            assert status(head) == 200, head
        sources = [v.peer[1] for o in origins for v in o.visits]
        assert all(40000 <= port <= 40015 for port in sources), sources
    finally:
        wire.here.run(set_range, before)
        for sock in socks:
            sock.close()
        p.close()
        for origin in origins:
            origin.close()


def test_all_black_holes_end_in_time(wire):
    wire.dns.answers["dual.test"] = {"A": ["10.99.0.77", "10.99.0.78"]}
    p = wire.proxy("--allow", "dual.test:443+private",
                   extra="proxy = { connect_timeout = \"1s\"; };")
    try:
        watch = stopwatch()
        sock, head = p.open("dual.test", 443)
        sock.close()
        assert status(head) == 504
        assert watch() < 3
        record = p.wait_record("decision")
        assert record["reason"] == "connection_timeout"
        assert b"10.99.0.77" in head and b"10.99.0.78" in head
    finally:
        p.close()


def test_answers_are_kept_and_questions_merged(wire):
    origin = Origin("10.99.0.2", place=wire.there)
    wire.dns.answers["kept.test"] = {"A": ["10.99.0.2"]}
    wire.dns.answers["gone.test"] = "NXDOMAIN"
    p = wire.proxy("--allow", f"kept.test:{origin.port}+private", "--allow",
                   "gone.test:443")
    try:
        before = len(wire.dns.queries)
        socks = [p.connect() for _ in range(8)]
        for sock in socks:
            sock.sendall(f"CONNECT kept.test:{origin.port} HTTP/1.1\r\n"
                         "Host: x\r\n\r\n".encode())
        for sock in socks:
            assert status(sock.recv(100)) == 200
            sock.close()
        for _ in range(3):
            sock, head = p.open("gone.test", 443)
            sock.close()
            assert status(head) == 502
        asked = sorted(wire.dns.queries[before:])
        assert asked == [("gone.test", "A"), ("gone.test", "AAAA"),
                         ("kept.test", "A"), ("kept.test", "AAAA")]
    finally:
        p.close()
        origin.close()
