# SPDX-License-Identifier: MIT
"""Several workers, several places: one daemon that starts, reloads and ends as
one."""
import os
import pathlib
import signal
import socket

import pytest

from lab import processes
from proxy_harness import (DEADLINE, Origin, Proxy, hello, read_head, status)

HELLO = hello("s_base_tls13")


def policy(origin, more="", workers=3):
    return (f'allow = ( {{ host = "allowed.test"; ports = [{origin.port}]; '
            'private = true; } );\n'
            'resolve = ( { host = "allowed.test"; address = "127.0.0.2"; } );\n'
            f'proxy = {{ workers = {workers}; {more} }};\n')


@pytest.fixture
def origin():
    o = Origin()
    yield o
    o.close()


@pytest.fixture
def start(origin):
    made = []

    def make(*words, **more):
        made.append(Proxy(*words, policy=policy(origin, **more)))
        return made[-1]

    yield make
    for proxy in made:
        proxy.close()


def workers_of(proxy):
    return sorted(processes.descendants(proxy.process.pid))


def fetch(proxy, origin):
    number = origin.count()
    sock, answer = proxy.open("allowed.test", origin.port, early=HELLO)
    assert status(answer) == 200
    assert origin.wait_visit(number).wait_bytes(len(HELLO)) == HELLO
    sock.close()


def test_clients_are_spread_over_the_workers(start, origin):
    proxy = start()
    assert len(workers_of(proxy)) == 3
    for _ in range(60):
        fetch(proxy, origin)
    proxy.wait_record("close", count=60)
    decisions = proxy.records("decision")
    conns = {r["conn"] for r in decisions}
    seqs = [r["seq"] for r in proxy.all]
    assert len(conns) == 60 and len(set(seqs)) == len(seqs)
    # 60 clients on one of three workers: once in 10^28 times
    assert len({conn // 10**12 for conn in conns}) > 1
    for worker in {seq // 10**12 for seq in seqs}:
        own = [seq % 10**12 for seq in seqs if seq // 10**12 == worker]
        assert own == list(range(1, len(own) + 1))


def test_one_daemon_listens_at_many_places(start, origin, tmp_path):
    path = tmp_path / "s"
    proxy = start("--listen-on", f"unix:{path}", "--listen-on", "[::1]:0")
    assert proxy.where == f"unix:{path}"
    where = [proxy.listening.get(timeout=DEADLINE) for _ in range(2)]
    assert where[0].startswith("[::1]:") and where[1].startswith("127.0.0.1:")
    request = f"CONNECT allowed.test:{origin.port} HTTP/1.0\r\n\r\n".encode()
    for place in [str(path)] * 4 + where * 4:
        if place.startswith("/"):
            sock = socket.socket(socket.AF_UNIX)
            sock.connect(place)
        else:
            host, port = place.rsplit(":", 1)
            sock = socket.create_connection((host.strip("[]"), int(port)),
                                            DEADLINE)
        with sock:
            sock.sendall(request)
            assert status(read_head(sock)) == 200


def test_a_reload_reaches_every_worker(start, origin):
    proxy = start()
    path = pathlib.Path(proxy.folder.name) / "policy.cfg"
    path.write_text("version = 1;\n" + policy(origin).replace(
        "allowed.test", "other.test"))
    proxy.process.send_signal(signal.SIGHUP)
    with proxy.news:
        assert proxy.news.wait_for(lambda: sum(
            "policy reloaded" in line for line in proxy.log) == 3, DEADLINE)
    for _ in range(20):
        sock, answer = proxy.open("allowed.test", origin.port)
        sock.close()
        assert status(answer) == 403


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_all_of_it(start, number):
    proxy = start()
    proxy.process.send_signal(number)
    assert proxy.process.wait(DEADLINE) == 0


def test_a_lost_worker_ends_the_others(origin):
    proxy = Proxy(policy=policy(origin))
    os.kill(workers_of(proxy)[1], signal.SIGKILL)
    assert proxy.process.wait(DEADLINE) == 125
    proxy.wait_log("a worker has ended")
    with pytest.raises(AssertionError):
        proxy.close()


def test_workers_do_not_outlive_their_parent(origin):
    proxy = Proxy(policy=policy(origin))
    assert len(workers_of(proxy)) == 3
    proxy.process.kill()
    proxy.process.wait(DEADLINE)
    assert not processes.wait_until_none(DEADLINE)


def test_a_place_that_is_taken_is_said(origin):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(AssertionError, match="cannot listen"):
            Proxy(policy=policy(origin), listen=f"127.0.0.1:{port}")


def test_the_limit_of_tunnels_is_shared_out(start, origin):
    proxy = start(more="max_tunnels = 3;")
    codes, socks = [], []
    for _ in range(40):
        sock, answer = proxy.open("allowed.test", origin.port)
        codes.append(status(answer))
        socks.append(sock)
    assert codes.count(200) <= 3 and codes.count(503) >= 37
    for sock in socks:
        sock.close()
