"""How long tests wait for what must come: far longer than it takes, so that a busy machine fails none of them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

PATIENCE = 600
"""Seconds. Whoever waits goes on as soon as it is there; only a test that fails lasts as long."""


def wait_for_answer(server: subprocess.Popen[bytes], answers: Callable[[], bool]) -> None:
    """Wait until a server that was started answers; fail where it ends or stays silent."""
    for _ in range(PATIENCE):
        assert server.poll() is None, "the explorer did not start"
        if answers():
            return
        try:
            server.wait(0.25)
        except subprocess.TimeoutExpired:
            continue
    pytest.fail("the explorer did not answer")
