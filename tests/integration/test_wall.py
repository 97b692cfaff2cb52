# SPDX-License-Identifier: MIT
"""The wall: a program that ignores the proxy reaches nothing.

Every probe runs twice: inside, where it must fail, and outside as the same
user, where it must reach the very same listener. Without the second a closed
port would look like a wall.
"""

import contextlib
import json
import os
import subprocess

import pytest

from lab.dns import NameServer
from lab.origin import Datagrams, Listener
from lab.runs import PYTHON


def own_addresses():
    """The addresses of this machine's interfaces, loopback left out."""
    listed = subprocess.run(["ip", "-j", "addr"], capture_output=True, check=True)
    return [info["local"] for link in json.loads(listed.stdout)
            for info in link.get("addr_info", [])
            if info["scope"] == "global"]


def spell(address, port):
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def outcomes(result):
    assert result.returncode == 0, result
    return json.loads(result.stdout)


def inside(exeat, flags, words):
    return outcomes(exeat.run(flags, [PYTHON, "reach.py", *words]))


def outside(exeat, words):
    return outcomes(exeat.call([PYTHON, "reach.py", *words]))


@pytest.fixture
def listeners():
    """TCP and UDP on each kind of address that leads to this machine."""
    with contextlib.ExitStack() as stack:
        found = []
        for address in ["127.0.0.1", "127.0.0.2", "127.0.0.53", "::1",
                        *own_addresses()]:
            found.append((address, stack.enter_context(Listener.tcp(address)),
                          stack.enter_context(Datagrams(address))))
        yield found


def test_no_listener_of_the_host_is_reached(exeat, allowed, probe, listeners):
    probe("reach.py")
    words = []
    for address, tcp, udp in listeners:
        words += [f"{kind}={spell(address, tcp.port)}"
                  for kind in ("tcp", "fastopen", "mptcp")]
        words.append(f"udp={spell(address, udp.port)}")
        if ":" not in address:
            words.append(f"tcp={spell('::ffff:' + address, tcp.port)}")
    found = inside(exeat, allowed, words)
    # A datagram to an own address leaves without an error: only its arrival
    # counts, below.
    assert {word for word, said in found.items() if said == "open"} <= \
        {word for word in words if word.startswith("udp=")}
    assert [tcp.connections for _, tcp, _ in listeners] == [0] * len(listeners)
    assert [udp.received for _, _, udp in listeners] == [[]] * len(listeners)

    control = outside(exeat, words)
    assert all(said == "open" for word, said in control.items()
               if word.startswith(("tcp=", "udp="))), control
    for _, tcp, udp in listeners:
        assert tcp.wait(lambda tcp=tcp: tcp.connections >= 1)
        assert udp.wait(lambda udp=udp: udp.received == [b"reached"])


def test_no_other_name_resolves_and_no_query_leaves(exeat, allowed, probe):
    probe("reach.py")
    with NameServer("127.0.0.53", table={"x.denied.test": ["192.0.2.9"]}) as server:
        real = f"query=127.0.0.53:{server.port}"
        own = ["query=127.0.0.53:53", "query=127.0.0.1:53", "query=192.0.2.53:53",
               "query=[2001:db8::53]:53"]
        found = inside(exeat, allowed, [
            real, *own, "resolve=x.denied.test", "resolve=site.test",
            "tcp=192.0.2.1:443", "tcp=[2001:db8::1]:443"])
        # Only the allowed name has an address, one that leads to the proxy.
        assert [word for word, said in found.items() if said == "open"] == \
            ["resolve=site.test"], found
        assert {found[word] for word in own} == {"rcode 3"}, found
        assert server.questions == []

        assert outside(exeat, [real])[real] == "open"
        assert server.names == ["x.denied.test"]


def test_name_lookup_fails_at_once(exeat, allowed, probe):
    """No resolver is waited for: with 2 s none of them could have timed out."""
    probe("reach.py")
    result = exeat.run([*allowed, "--timeout", "2s"],
                       [PYTHON, "reach.py", "resolve=x.denied.test"])
    assert outcomes(result)["resolve=x.denied.test"] != "open"


def test_sockets_in_the_file_system_are_not_there(exeat, allowed, probe):
    probe("reach.py")
    places = [exeat.lab.folder("tmp", mode=0o777)]
    if os.geteuid() == 0:
        places.append(exeat.lab.folder("run"))
        os.makedirs(f"/run/exeat-test-{os.getpid()}", exist_ok=True)
        places.append(type(places[0])(f"/run/exeat-test-{os.getpid()}"))
    paths = [str(place / "docker.sock") for place in places]
    link = exeat.work / "link.sock"
    link.symlink_to(paths[0])
    words = [f"unix={path}" for path in [*paths, "link.sock",
                                         f"/proc/1/root{paths[0]}",
                                         f"/proc/self/root{paths[0]}"]]
    try:
        with contextlib.ExitStack() as stack:
            sockets = [stack.enter_context(Listener.unix(path)) for path in paths]
            for path in paths:
                os.chmod(path, 0o777)
            env = {"DOCKER_HOST": f"unix://{paths[0]}",
                   "SSH_AUTH_SOCK": paths[0],
                   "DBUS_SESSION_BUS_ADDRESS": f"unix:path={paths[0]}"}
            result = exeat.run(allowed, [PYTHON, "reach.py", *words], env=env)
            assert "open" not in outcomes(result).values(), result
            assert [sock.connections for sock in sockets] == [0] * len(sockets)
            shown = exeat.run(allowed, ["env"], env=env).stdout
            assert not [name for name in env if name in shown]

            control = outside(exeat, words[:len(paths) + 1])
            assert set(control.values()) == {"open"}, control
    finally:
        for path in paths:
            os.unlink(path)
        if os.geteuid() == 0:
            os.rmdir(f"/run/exeat-test-{os.getpid()}")


def test_socket_in_the_working_folder_is_masked(exeat, allowed, probe):
    """It can be seen there, but whoever listens is outside of the fence."""
    probe("reach.py")
    path = exeat.work / "agent.sock"
    with Listener.unix(str(path)) as sock:
        path.chmod(0o777)
        found = inside(exeat, allowed, ["unix=agent.sock"])
        assert found["unix=agent.sock"] != "open"
        assert sock.connections == 0
        assert outside(exeat, ["unix=agent.sock"])["unix=agent.sock"] == "open"


def test_abstract_sockets_are_closed(exeat, allowed, probe):
    probe("reach.py")
    word = f"unix=@exeat-test-{os.getpid()}"
    with Listener.unix(f"\0exeat-test-{os.getpid()}") as sock:
        assert inside(exeat, allowed, [word])[word] != "open"
        assert sock.connections == 0
        assert outside(exeat, [word])[word] == "open"


@pytest.mark.parametrize("word", [
    "ping=127.0.0.2", "ping=192.0.2.1", "raw=127.0.0.2", "sctp=127.0.0.2:9",
    "family_of=17:3",    # AF_PACKET
    "family_of=17:2",
    "family_of=40:1",    # AF_VSOCK
    "family_of=38:5",    # AF_ALG
    "family_of=16:3:4",  # AF_NETLINK, sock_diag
    "io_uring=", "mptcp=127.0.0.1:1",
])
def test_other_protocols_are_closed(exeat, allowed, probe, word):
    probe("reach.py")
    found = inside(exeat, allowed, [word])
    assert found[word] != "open"


def listening(exeat, flags):
    """The fence's holes: /proc/net shows the sandbox's own sockets."""
    result = exeat.run(flags, ["cat", "/proc/net/tcp", "/proc/net/tcp6",
                               "/proc/net/udp", "/proc/net/udp6", "/proc/net/unix"])
    assert result.returncode == 0, result
    return sorted(line.split()[1] for line in result.stdout.splitlines()
                  if ":" in line.split()[0] and line.split()[0] != "Num")


def test_only_the_proxy_listens_inside(exeat, allowed):
    """Requests on 127.0.0.1, what is captured, and names by TCP and UDP."""
    everywhere = "0" * 32
    assert listening(exeat, allowed) == [
        f"{everywhere}:0035", f"{everywhere}:0035", f"{everywhere}:42B9",
        "0100007F:42B8"]
    links = exeat.run(allowed, ["cat", "/proc/net/dev", "/proc/net/route"])
    names = [line.split(":")[0].strip() for line in links.stdout.splitlines()
             if ":" in line]
    assert names == ["lo"], links


def test_without_capture_there_is_one_listener(exeat, authority, probe):
    probe("reach.py")
    exeat.give(authority.cert, "ca.pem")
    policy = exeat.work / "p.cfg"
    policy.write_text('version = 1;\nallow = ( { host = "site.test"; } );\n'
                      "ports = { capture = false; };\n")
    flags = ["--policy", policy]
    assert listening(exeat, flags) == ["0100007F:42B8"]
    found = inside(exeat, flags, ["resolve=site.test", "tcp=192.0.2.1:443",
                                  "query=192.0.2.53:53"])
    assert "open" not in found.values(), found
    assert found["tcp=192.0.2.1:443"] == "ENETUNREACH"
