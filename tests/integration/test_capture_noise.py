# SPDX-License-Identifier: MIT
"""Noise on captured connections: nothing gets out, nothing falls over, and the
allowed site answers afterwards."""

import pytest

from lab.runs import PYTHON
from test_capture import CURL, hello


@pytest.mark.parametrize("seed", range(4))
def test_noise_does_no_harm(exeat, allowed, origin, probe, seed):
    probe("noise.py")
    url = f"https://site.test:{origin.port}/"
    curl = " ".join(CURL).replace("*", "'*'")
    result = exeat.run(allowed, ["sh", "-c", (
        f"{PYTHON} noise.py {seed} 200 {hello('site.test').hex()} {origin.port};"
        f"{curl} {url}")], timeout=120)
    assert result.stdout == "made True\nhello from site.test\n", result
    decisions = [r for r in exeat.records() if r["event"] == "decision"]
    assert len(decisions) > 100
    assert {r["host"] for r in decisions if r["verdict"] == "allow"} == \
        {"site.test"}
    assert {name for name in origin.names if name} <= {"site.test"}
