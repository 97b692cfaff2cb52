# SPDX-License-Identifier: MIT
"""sbpl: what a Seatbelt profile says, without a Mac.

A profile is a Scheme program. It is evaluated by TinyScheme, of the family that
macOS embeds, with sbpl_prelude.scm in front, and what its rules write down is
asked here. Two readings of rule order are known, and every answer is given by
both: `own` (rules that name the very operation decide, the newest filtered one
first, then an unfiltered one, then the operation it belongs to) and `last` (the
last rule of the text that matches).
"""

import pathlib
import re
import shutil
import subprocess
import tempfile

PRELUDE = pathlib.Path(__file__).with_name("sbpl_prelude.scm")
TINYSCHEME = shutil.which("tinyscheme")

# What an operation belongs to; one that is None stands alone, and its built-in
# answer is "allow".
PARENTS = {
    "default": None,
    "file*": "default",
    "file-read*": "file*",
    "file-read-data": "file-read*",
    "file-read-metadata": "file-read*",
    "file-write*": "file*",
    "file-write-data": "file-write*",
    "file-write-create": "file-write*",
    "file-write-unlink": "file-write*",
    "file-mount": "file*",
    "file-unmount": "file*",
    "file-link": None,
    "file-clone": None,
    "network*": "default",
    "network-outbound": "network*",
    "network-inbound": "network*",
    "network-bind": "network-inbound",
    "mach-lookup": "default",
    "appleevent-send": "default",
    "lsopen": "default",
    "pseudo-tty": "default",
    "system-socket": "default",
    "process-info*": None,
    "signal": "default",
}

# The longest text between quotes that Debian's TinyScheme reads.
LITERAL_MAX = 200
TOKENS = re.compile(rb'#"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"|(;[^\n]*)', re.S)
WORDS = re.compile(rb'\(|\)|"((?:[^"\\]|\\.)*)"|[^\s()"]+', re.S)


class ProfileError(Exception):
    pass


def _split_literal(match):
    """Long strings in pieces; #"..." (backslashes stay) as a plain one."""
    raw, plain, _ = match.groups()
    if raw is None and plain is None:
        return match.group(0)
    text = plain if raw is None else raw.replace(b"\\", b"\\\\")
    parts = re.findall(rb"(?:\\.|[^\\]){1,%d}" % LITERAL_MAX, text, re.S)
    if len(parts) <= 1:
        return b'"' + text + b'"'
    return b"(string-append " + b" ".join(b'"' + p + b'"' for p in parts) + b")"


def _unescape(text):
    """A string as TinyScheme writes it."""
    def one(match):
        code = match.group(1)
        if code[:1] == b"x":
            return bytes([int(code[1:], 16)])
        return {b"n": b"\n", b"t": b"\t", b"r": b"\r"}.get(code, code)
    return re.sub(rb"\\(x[0-9A-Fa-f]{2}|.)", one, text, flags=re.S)


def _parse(line):
    """A rule as TinyScheme wrote it: nested lists of words."""
    stack = [[]]
    for match in WORDS.finditer(line):
        word = match.group(0)
        if word == b"(":
            stack.append([])
        elif word == b")":
            done = stack.pop()
            stack[-1].append(done)
        elif word[:1] == b'"':
            stack[-1].append(_unescape(match.group(1)).decode("latin-1"))
        else:
            stack[-1].append(word.decode())
    return stack[0][0]


def evaluate(text, params=None):
    """The profile's rules, as (verdict, operations, filters) in text order."""
    defines = b"".join(
        b'(if (string=? key "%s") "%s" ' % (key, re.sub(rb'(["\\])', rb"\\\1",
                                                        value))
        for key, value in (params or {}).items())
    prelude = PRELUDE.read_bytes() + b"\n(define (param key) " + defines + \
        b"(stop key)" + b")" * len(params or {}) + b")\n"
    if params:
        # Debian's string=? reads with string-ref, which fails there.
        prelude = b"(define (string=? a b) (and (= (string-length a) " \
            b"(string-length b)) (eq? (string->symbol a) " \
            b"(string->symbol b))))\n" + prelude
    program = TOKENS.sub(_split_literal, prelude + text)
    with tempfile.NamedTemporaryFile(suffix=".scm") as file:
        file.write(program + b'\n(display "done")\n(newline)\n')
        file.flush()
        done = subprocess.run([TINYSCHEME, file.name], capture_output=True,
                              stdin=subprocess.DEVNULL, check=False, timeout=60)
    lines = done.stdout.split(b"\n")
    if b"done" not in lines or done.returncode != 0:
        raise ProfileError(done.stdout[-400:].decode("latin-1"))
    rules = []
    for line in lines[:lines.index(b"done")]:
        if not line.startswith((b"(allow", b"(deny")):
            raise ProfileError(line.decode("latin-1"))
        verdict, *parts = _parse(line)
        rules.append((verdict, [p for p in parts if isinstance(p, str)],
                      [p for p in parts if isinstance(p, list)]))
    return rules


def _is_loopback(host):
    # Every address of the machine counts, but not the IPv4-mapped form.
    return host in ("127.0.0.1", "::1", "localhost", "self")


def _matches_address(address, query, end):
    host, _, port = address.rpartition(":")
    if host not in ("*", "localhost") or not port:
        raise ProfileError(f"host must be * or localhost: {address}")
    if end not in query:
        return False
    wanted_host, wanted_port = query[end]
    return (host == "*" or _is_loopback(wanted_host)) and \
        (port == "*" or int(port) == wanted_port)


def _matches(one, query):
    kind, *values = one
    path = query.get("path", query.get("unix"))
    if kind in ("literal", "subpath"):
        if path is None:
            return False
        left, right = path.lower(), values[0].lower()
        return left == right or (kind == "subpath" and left.startswith(
            right if right.endswith("/") else right + "/"))
    if kind == "regex":
        return path is not None and re.search(values[0], path) is not None
    if kind in ("remote", "local"):
        protocol, address = values
        return protocol in ("ip", query.get("proto", "tcp")) and \
            _matches_address(address, query, kind)
    if kind == "global-name":
        return query.get("name") == values[0]
    if kind == "target":
        return query.get("target") == values[0]
    raise ProfileError(f"filter {kind}")


def _chain(operation):
    while operation is not None:
        yield operation
        operation = PARENTS[operation]


def _own(rules, operation, query):
    for op in _chain(operation):
        mine = [r for r in rules if op in r[1]]
        for verdict, _, filters in reversed(mine):
            if filters and any(_matches(f, query) for f in filters):
                return verdict
        for verdict, _, filters in reversed(mine):
            if not filters:
                return verdict
    return "allow" if PARENTS[operation] is None else "deny"


def _last(rules, operation, query):
    chain = set(_chain(operation))
    answer = "allow" if PARENTS[operation] is None else "deny"
    for verdict, operations, filters in rules:
        if chain.intersection(operations) and (
                not filters or any(_matches(f, query) for f in filters)):
            answer = verdict
    return answer


def ask(rules, operation, **query):
    """allow or deny; ProfileError where the two readings differ."""
    own, last = _own(rules, operation, query), _last(rules, operation, query)
    if own != last:
        raise ProfileError(f"{operation} {query}: {own} by its own rules, "
                           f"{last} by the last that matches")
    return own


def ask_all(rules, queries):
    """allow where each of (operation, query) is"""
    answers = {ask(rules, operation, **query) for operation, query in queries}
    return "deny" if "deny" in answers else "allow"
