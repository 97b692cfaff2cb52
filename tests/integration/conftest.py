# SPDX-License-Identifier: MIT
"""What every integration test stands on: the programs, two users, origins.

Each test that takes `exeat` runs as root and as an ordinary user where the
suite runs as root, else as whoever runs it.
"""

import os
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

# pylint: disable=wrong-import-position
from lab import processes  # noqa: E402
from lab.account import Account  # noqa: E402
from lab.certs import Authority  # noqa: E402
from lab.dns import NameServer  # noqa: E402
from lab.origin import Origin  # noqa: E402
from lab.runs import Lab, Runner  # noqa: E402

USERS = ["root", "user"] if os.geteuid() == 0 else ["user"]
PROBES = pathlib.Path(__file__).parent / "probes"
BIN = os.environ.get("EXEAT_BIN", str(ROOT / "build" / "dev" / "bin"))
SKIPS = ROOT / "tests" / "skips.txt"

processes.become_subreaper()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """In CI a test that is left out has failed, unless its reason is listed."""
    outcome = yield
    report = outcome.get_result()
    if not report.skipped or not os.environ.get("CI"):
        return
    reason = str(call.excinfo.value) if call.excinfo else ""
    if f"pytest {reason}\n" not in SKIPS.read_text():
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was left out: {reason}"


@pytest.fixture(scope="session")
def lab():
    lab = Lab(BIN)
    yield lab
    lab.remove()


@pytest.fixture(scope="session")
def account():
    """The ordinary user, or None: we are one."""
    if os.geteuid() != 0:
        yield None
        return
    shared = os.environ.get("EXEAT_TEST_USER")
    account = Account(shared)
    yield account
    if not shared:
        account.remove()


@pytest.fixture(params=USERS)
def exeat(request, lab):
    """Runs exeat as root or as an ordinary user, in folders of its own; no
    process that the test started may outlive it."""
    account = request.getfixturevalue("account") \
        if request.param == "user" else None
    runner = Runner(lab, name=request.param) if account is None else \
        Runner(lab, account.uid, account.gid, account.name)
    yield runner
    left = processes.wait_until_none()
    processes.kill_all(left)
    assert not left, f"left behind: {left}"
    runner.check_records()


@pytest.fixture(scope="session")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("ca"))


@pytest.fixture(scope="session")
def certificates(authority):
    return {name: authority.issue(name) for name in ("site.test", "other.test")}


@pytest.fixture
def origin(certificates):
    """site.test, on 127.0.0.2"""
    with Origin("127.0.0.2", *certificates["site.test"],
                body=b"hello from site.test\n") as origin:
        yield origin


@pytest.fixture
def other(certificates, origin):
    """other.test, on 127.0.0.3 and, where it is free, the port of site.test"""
    try:
        found = Origin("127.0.0.3", *certificates["other.test"], origin.port,
                       body=b"hello from other.test\n")
    except OSError:
        found = Origin("127.0.0.3", *certificates["other.test"],
                       body=b"hello from other.test\n")
    with found:
        yield found


@pytest.fixture
def name_server():
    with NameServer("127.0.0.53") as server:
        yield server


@pytest.fixture
def allowed(exeat, origin, authority):
    """Flags that allow site.test, and its CA in the working folder."""
    exeat.give(authority.cert, "ca.pem")
    return ["--allow", f"site.test:{origin.port}+private",
            "--resolve", "site.test:127.0.0.2"]


@pytest.fixture
def probe(exeat):
    """Puts a program of probes/ into the working folder: its name there."""
    return lambda name: exeat.give(PROBES / name)
