# SPDX-License-Identifier: MIT
"""exeat audit --suggest: what was seen becomes a policy that allows it, and no
more."""

import json

import pytest
from test_clients import (CLIENTS, cargo_switch, need, room,  # noqa: F401
                          site)

from lab import schema


def record(host, verdict="allow", **more):
    made = {"ts": "2025-12-01T00:00:00.123Z", "seq": 1, "event": "decision",
            "verdict": verdict, "host": host, "port": 443, **more}
    assert not list(schema.faults(made))
    return json.dumps(made) + "\n"


def suggest(exeat, records, *flags):
    """The suggestion for these records, and a function that asks it."""
    (exeat.work / "r.jsonl").write_text("".join(records))
    result = exeat.call([exeat.program, "audit", "--suggest", *flags, "./r.jsonl"])
    assert (result.returncode, result.stderr) == (0, ""), result
    (exeat.work / "s.cfg").write_text(result.stdout)

    def is_allowed(destination):
        answer = exeat.call([exeat.program, "check", "--policy", "s.cfg",
                             destination])
        assert answer.returncode in (0, 1), answer
        return answer.returncode == 0
    return result.stdout, is_allowed


def rules(text):
    return [line.strip().strip(",").strip('"') for line in text.splitlines()
            if line.startswith('  "')]


def test_names_come_before_addresses_with_exact_ports(exeat):
    text, is_allowed = suggest(exeat, [
        record("192.0.2.7", address="192.0.2.7"),
        record("b.test", port=8443), record("b.test"), record("a.test", port=80),
        record("db.test", port=5432),
        record("2001:db8::7", address="2001:db8::7", port=443)])
    assert rules(text) == ["a.test:80", "b.test:443,8443", "db.test:5432/tcp",
                           "192.0.2.7", "[2001:db8::7]"]
    for destination in ("a.test:80", "b.test:443", "b.test:8443", "db.test:5432",
                        "192.0.2.7:443", "[2001:db8::7]:443"):
        assert is_allowed(destination), destination
    for destination in ("a.test:443", "c.test:443", "b.test:444",
                        "192.0.2.8:443"):
        assert not is_allowed(destination), destination


def test_wildcards_need_siblings_and_no_public_suffix(exeat):
    names = [f"h{i}.cdn.example.org" for i in range(4)]
    others = [f"x{i}.example.net" for i in range(3)]
    public = [f"u{i}.github.io" for i in range(9)] + \
        [f"s{i}.co.uk" for i in range(9)] + [f"t{i}.com" for i in range(9)] + \
        [f"b{i}.s3.amazonaws.com" for i in range(9)] + \
        [f"m{i}.eu.ngrok.io" for i in range(9)]
    text, is_allowed = suggest(
        exeat, [record(name) for name in names + others + public])
    assert [rule for rule in rules(text) if "*" in rule] == ["*.cdn.example.org"]
    assert "4 names below it were seen" in text
    assert all(is_allowed(name) for name in names + others + public)
    assert not is_allowed("cdn.example.org") and not is_allowed("x9.example.net")
    text, _ = suggest(exeat, [record(name) for name in others], "--siblings", "3")
    assert rules(text) == ["*.example.net"]
    text, _ = suggest(exeat, [record(name, port=443 + i)
                              for i, name in enumerate(names)])
    assert "*" not in "".join(rules(text))


def test_what_was_denied_is_only_shown_unless_it_is_asked_for(exeat):
    records = [record("a.test"),
               record("denied.test", "deny", reason="http_request_denied"),
               record("ruled.test", "deny", reason="http_request_denied",
                      rule="--deny ruled.test"),
               record("raw.test", "deny", reason="not_tls", port=9999),
               record("gone.test", "deny", reason="dns_error")]
    text, is_allowed = suggest(exeat, records)
    assert rules(text) == ["a.test"]
    assert '# "denied.test"' in text and "gone.test" not in text
    assert not is_allowed("denied.test")
    text, is_allowed = suggest(exeat, records, "--include-denied")
    assert rules(text) == ["a.test", "denied.test", "raw.test:9999/tcp"]
    assert is_allowed("denied.test")
    assert "a deny rule, which beats every allow rule" in text


def test_each_line_says_who_and_how_often_and_what_is_shared(exeat):
    text, _ = suggest(exeat, [
        record("bucket.s3.amazonaws.com", exe="/usr/bin/aws", pid=7),
        record("bucket.s3.amazonaws.com", argv0="sh", pid=8),
        record("evil\n);deny=(", exe="x\n*/\"); a = \"", pid=9)])
    assert "# 2 times by aws,sh" in text and "SHARED by many" in text
    assert "1 destinations are left out" in text
    assert rules(text) == ["bucket.s3.amazonaws.com"]


def test_hostile_records_stay_in_their_comments(exeat):
    text, is_allowed = suggest(exeat, [
        record("a.test", exe="/x\n \"evil.test\"", pid=9),
        record("b.test\" , \"evil.test"), record("*.test"), record("evil.test;")])
    assert rules(text) == ["a.test"]
    assert is_allowed("a.test") and not is_allowed("evil.test")


def test_nothing_seen_is_a_policy_that_allows_nothing(exeat):
    text, is_allowed = suggest(exeat, [record("x.test", "deny")])
    assert rules(text) == [] and not is_allowed("x.test")


@pytest.mark.parametrize("client", ["git clone", "npm install", "pip", "cargo"])
def test_observed_then_suggested_then_enforced(room, client):  # noqa: F811
    """The same command works unchanged under what was suggested."""
    program, command, prints, _, variables = CLIENTS[client]
    need(program)
    flags = [word for name in variables for word in ("--env", name)]
    target = f"site.test:{room.site.port}"
    switch = cargo_switch(room) if client == "cargo" else ""
    script = "rm -rf node_modules package*.json r c tiny*; " + command.format(
        url=f"https://{target}", host=target, name="site.test", z=switch)
    script = script.replace(f"cargo {switch} fetch", f"cargo {switch} build")
    seen = room.exeat.run(["--observe", "--observe-private", "--resolve",
                           "site.test:127.0.0.2", *flags],
                          ["sh", "-c", script], timeout=100)
    assert seen.returncode == 0 and prints in seen.stdout + seen.stderr, seen
    result = room.exeat.call([room.exeat.program, "audit", "--suggest"])
    (room.exeat.work / "s.cfg").write_text(result.stdout)
    assert rules(result.stdout) == [f"{target}+private"], result
    again = room.exeat.run(["--policy", "s.cfg", *flags], ["sh", "-c", script],
                           timeout=100)
    assert again.returncode == 0, again
    assert prints in again.stdout + again.stderr, again
    (room.exeat.work / "s.cfg").write_text("version = 1;\n")
    control = room.exeat.run(["--policy", "s.cfg", *flags],
                             ["sh", "-c", script], timeout=100)
    assert control.returncode != 0
