# SPDX-License-Identifier: MIT
"""Noise: mutated messages in odd pieces, for EXEAT_NOISE_S seconds (5). The
proxy survives, and an origin that must not be reached sees no byte."""
import os
import random
import socket
import time

from proxy_harness import Origin, Proxy, hello, status

SECONDS = float(os.environ.get("EXEAT_NOISE_S", "5"))
SEED = int(os.environ.get("EXEAT_NOISE_SEED", "1"))


def seeds(port):
    connect = (f"CONNECT allowed.test:{port} HTTP/1.1\r\nHost: x\r\n\r\n"
               .encode())
    denied = (f"CONNECT denied.test:{port} HTTP/1.1\r\nHost: x\r\n\r\n"
              .encode())
    plain = (f"POST http://plain.test:{port}/a HTTP/1.1\r\nHost: x\r\n"
             "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
             .encode())
    name = b"allowed.test"
    socks = b"\5\1\0\5\1\0\3" + bytes([len(name)]) + name + \
        port.to_bytes(2, "big")
    socks4 = b"\4\1" + port.to_bytes(2, "big") + b"\0\0\0\1me\0" + name + \
        b"\0"
    wrong = [hello(n) for n in ("s_base_denied", "s_no_sni", "s_sni_ansi",
                                "s_snext_dup_same", "s_rec_ccs_first")]
    return [connect + h for h in wrong] + [denied + wrong[0], plain,
                                           plain + plain, socks + wrong[1],
                                           socks4 + wrong[2], wrong[0]]


def mutate(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice((0, 0, 1, 1, 2, 5, 40))):
        at = rng.randrange(len(data) + 1)
        action = rng.randrange(4)
        if action == 0 and at < len(data):
            data[at] = rng.randrange(256)
        elif action == 1:
            data[at:at] = rng.randbytes(rng.choice((1, 2, 30)))
        elif action == 2:
            del data[at:at + rng.choice((1, 5, 100))]
        else:
            data[at:at] = data[:rng.randrange(len(data) + 1)]
    return bytes(data)


def send_noise(rng, p, data):
    sock = p.connect()
    sock.settimeout(5)
    try:
        at = 0
        while at < len(data):
            size = rng.choice((1, 3, 50, 700, len(data)))
            sock.sendall(data[at:at + size])
            at += size
        if rng.random() < 0.5:
            sock.shutdown(socket.SHUT_WR)
            while sock.recv(65536):
                pass
        elif rng.random() < 0.3:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                            b"\1\0\0\0\0\0\0\0")
    except OSError:
        pass
    finally:
        sock.close()


def test_noise():
    rng = random.Random(SEED)
    origin = Origin()
    plain = Origin("127.0.0.3", port=origin.port)
    p = Proxy("--allow", f"allowed.test:{origin.port}+private", "--resolve",
              "allowed.test:127.0.0.2", "--allow",
              f"plain.test:{origin.port}/http+private", "--resolve",
              "plain.test:127.0.0.3", policy="proxy = { head_timeout = "
              "\"1s\"; hello_timeout = \"1s\"; idle_timeout = \"1s\"; };")
    try:
        corpus = seeds(origin.port)
        count, end = 0, time.monotonic() + SECONDS
        while time.monotonic() < end:
            send_noise(rng, p, mutate(rng, rng.choice(corpus)))
            count += 1
        assert p.process.poll() is None, p.log
        assert not any("bug:" in line for line in p.log), p.log
        # No mutation makes one of these names the allowed one, but a lucky
        # one may: then the record says so.
        passed = [r for r in p.records("close") if r.get("bytes_up")
                  and r["address"] == "127.0.0.2"]
        assert all(r["server_name"] == "allowed.test" for r in passed)
        data = hello("s_base_tls13")
        number = origin.count()
        sock, head = p.open("allowed.test", origin.port, early=data)
        assert status(head) == 200
        assert origin.wait_visit(number).wait_bytes(len(data)) == data
        sock.close()
        assert count > 20
    finally:
        p.close()
        origin.close()
        plain.close()
