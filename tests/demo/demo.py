# SPDX-License-Identifier: MIT
"""demo: the main job on this machine: one website from inside, nothing else.

Two real HTTPS origins on loopback, a throw-away authority, real curl and
python3 inside. Five measurements, each a live probe with its outcome, and where
nothing may get out, the control that shows that the same probe can succeed.
Exit code 1 if one fails.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

# pylint: disable=wrong-import-position
from lab.certs import Authority  # noqa: E402
from lab.origin import Datagrams, Listener, Origin  # noqa: E402

PORT = 8443
GREEN, RED, PLAIN = ("\033[32m", "\033[31m", "\033[0m") \
    if sys.stdout.isatty() and "NO_COLOR" not in os.environ else ("", "", "")

FETCH = """
import ssl, sys, urllib.request
context = ssl.create_default_context(cafile="ca.pem")
print(urllib.request.urlopen(sys.argv[1], context=context).read().decode(), end="")
"""

# Direct connections, as from a program that knows nothing of proxies.
DIRECT = """
import socket, sys
for target in sys.argv[1:]:
    host, port = target.rsplit(":", 1)
    try:
        with socket.create_connection((host, int(port)), 3) as sock:
            sock.sendall(b"hello")
            sock.shutdown(socket.SHUT_WR)
            while sock.recv(512):
                pass
        print("reached", target)
    except OSError as error:
        print("failed", target, error.strerror)
"""

# The system's resolver, and questions sent to name servers by hand.
ASK = """
import socket, sys
query = (b"\\x12\\x34\\x01\\0\\0\\x01\\0\\0\\0\\0\\0\\0\\4leak\\7example\\3com\\0\\0\\1\\0\\1")
for name in sys.argv[2].split(","):
    try:
        print("resolved", name, socket.getaddrinfo(name, 80)[0][4][0])
    except OSError:
        print("no name", name)
server, port = sys.argv[1].rsplit(":", 1)
for target in ((server, int(port)), ("8.8.8.8", 53), ("127.0.0.53", 53)):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.settimeout(1)
        try:
            sock.connect(target)
            sock.send(query)
            answer = sock.recv(512)
            print("no such name, says" if answer[3] & 15 == 3 else "answered",
                  *target)
        except OSError as error:
            print("no answer", *target, error.strerror or "time-out")
"""


class Demo:
    """The stage: origins, a name server that would answer, a project folder."""

    def __init__(self, folder, bin_folder):
        self.exeat = str(bin_folder / "exeat")
        self.work = folder / "project"
        self.work.mkdir()
        authority = Authority(folder)
        shutil.copy(authority.cert, self.work / "ca.pem")
        self.site = self._origin(authority, "site.test", "127.0.0.2")
        self.other = self._origin(authority, "other.test", "127.0.0.3")
        self.echo = Listener.tcp("127.0.0.1")
        self.names = Datagrams("127.0.0.1", answer=lambda data: data)
        self.failed = 0
        self.env = dict(os.environ, XDG_STATE_HOME=str(folder / "state"))

    @staticmethod
    def _origin(authority, name, address):
        cert, key = authority.issue(name)
        body = f"hello from {name}\n".encode()
        try:
            return Origin(address, cert, key, PORT, body)
        except OSError:  # somebody else has the port
            return Origin(address, cert, key, 0, body)

    def rules(self):
        return ["--allow", f"site.test:{self.site.port}+private",
                "--resolve", "site.test:127.0.0.2"]

    def run(self, *command):
        """What `exeat run` with the rules makes of a command."""
        words = [self.exeat, "run", *self.rules(), "--", *command]
        return subprocess.run(words, cwd=self.work, env=self.env, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=60, check=False)

    def control(self, *command):
        return subprocess.run(command, cwd=self.work, text=True, timeout=60,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              check=False)

    def say(self, number, title, holds, *lines):
        mark = f"{GREEN}holds{PLAIN}" if holds else f"{RED}FAILS{PLAIN}"
        print(f"{number}. {title}: {mark}")
        for line in lines:
            print(f"     {line}")
        self.failed += not holds


def allowed_site_answers(demo):
    url = f"https://site.test:{demo.site.port}/"
    curl = demo.run("curl", "-sS", "--cacert", "ca.pem", url)
    holds = curl.returncode == 0 and curl.stdout == "hello from site.test\n"
    lines = [f"curl {url} said: {(curl.stdout or curl.stderr).strip()}"]
    if os.path.exists("/usr/bin/python3"):
        python = demo.run("/usr/bin/python3", "-c", FETCH, url)
        holds = holds and python.stdout == "hello from site.test\n"
        lines.append("python3 said: " +
                     (python.stdout or python.stderr).strip()[-200:])
    holds = holds and set(demo.site.names) == {"site.test"}
    demo.say(1, "the allowed site answers", holds, *lines)


def another_site_is_refused(demo):
    target = f"other.test:{demo.other.port}"
    curl = demo.run("curl", "-sS", "-v", "--cacert", "ca.pem",
                    f"https://{target}/")
    status = [line[2:] for line in curl.stderr.splitlines()
              if line.startswith("< HTTP/1.1 403")]
    last = curl.stderr.splitlines()[-1].strip()
    control = demo.control(
        "curl", "-sS", "--noproxy", "*", "--cacert", "ca.pem", "--resolve",
        f"{target}:127.0.0.3", f"https://{target}/")
    holds = (curl.returncode != 0 and status != [] and target in status[0] and
             target in last and demo.other.connections == 1 and
             control.stdout == "hello from other.test\n")
    demo.say(2, "another site is refused, by name", holds,
             f"curl was told: {status[0] if status else curl.stderr[-200:]}",
             f"exeat said:    {last}",
             f"control: outside, other.test said: {control.stdout.strip()}")


def ignoring_the_proxy_gains_nothing(demo):
    targets = [f"127.0.0.1:{demo.echo.port}", f"127.0.0.2:{demo.site.port}",
               "192.0.2.1:443", "other.test:443"]
    inside = demo.run("/usr/bin/python3", "-c", DIRECT, *targets)
    before = demo.echo.connections
    outside = demo.control("/usr/bin/python3", "-c", DIRECT, targets[0])
    demo.echo.wait(lambda: demo.echo.connections > 0)
    holds = (inside.stdout.count("failed") == len(targets) and before == 0 and
             outside.stdout.startswith("reached"))
    demo.say(3, "a program that ignores the proxy reaches nothing that is not "
             "allowed", holds,
             *("inside:  " + line for line in inside.stdout.splitlines()),
             *("control: outside, " + line
               for line in outside.stdout.splitlines()))


def no_name_resolves(demo):
    server = f"127.0.0.1:{demo.names.port}"
    names = "leak.example.com,other.test,site.test"
    inside = demo.run("/usr/bin/python3", "-c", ASK, server, names)
    before = len(demo.names.received)
    outside = demo.control("/usr/bin/python3", "-c", ASK.replace(
        ', ("8.8.8.8", 53), ("127.0.0.53", 53)', ","), server, "localhost")
    resolved = [line for line in inside.stdout.splitlines()
                if line.startswith("resolved")]
    holds = (len(resolved) == 1 and " site.test 198.18." in resolved[0] and
             "answered" not in inside.stdout and
             inside.stdout.count("no ") == 5 and before == 0 and
             "answered 127.0.0.1" in outside.stdout)
    asked = [line for line in outside.stdout.splitlines()
             if "127.0.0.1 " in line]
    demo.say(4, "no name resolves inside and no query leaves", holds,
             *("inside:  " + line for line in inside.stdout.splitlines()),
             "(198.18.0.0/15 is nowhere: such an address only stands for the "
             "allowed name)",
             *("control: outside, " + line for line in asked))


def allowed_site_answers_without_proxy(demo):
    url = f"https://site.test:{demo.site.port}/"
    curl = demo.run("curl", "-sS", "--noproxy", "*", "--cacert", "ca.pem", url)
    demo.say(5, "the allowed site answers a program that ignores the proxy",
             curl.stdout == "hello from site.test\n",
             f"curl --noproxy '*' said: {(curl.stdout or curl.stderr).strip()}")


def main():
    bin_folder = pathlib.Path(sys.argv[1]).resolve()
    # Below /tmp a project folder is always possible; a home may be forbidden.
    with tempfile.TemporaryDirectory(prefix="exeat-demo-", dir="/tmp") as name:
        demo = Demo(pathlib.Path(name).resolve(), bin_folder)
        print("site.test is allowed, other.test is not; both run here:\n"
              f"  exeat run {' '.join(demo.rules())} -- curl ...\n")
        for probe in (allowed_site_answers, another_site_is_refused,
                      ignoring_the_proxy_gains_nothing, no_name_resolves,
                      allowed_site_answers_without_proxy):
            probe(demo)
        print()
        if demo.failed:
            print(f"{demo.failed} of 5 measurements failed")
        else:
            print("all 5 hold. With a network, the same for real:\n"
                  f"  {demo.exeat} run --allow example.com -- "
                  "curl https://example.com/")
        return 1 if demo.failed else 0


if __name__ == "__main__":
    sys.exit(main())
