# SPDX-License-Identifier: MIT
"""lab: origins, certificates, DNS and runs for tests, demo and bench.

Standard library and openssl(1) only; every port is chosen by the kernel, and
nothing waits by sleeping.
"""
