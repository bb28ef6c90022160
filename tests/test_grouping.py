"""The suite shares its work as it is meant to."""

from __future__ import annotations

import pytest


def test_a_file_stays_on_one_worker(request: pytest.FixtureRequest) -> None:
    """Else what a module makes once is made by every worker, and nobody hears of it: so it was with pytest 9.2.0."""
    grouped = bool(request.config.getoption("loadgroup", False))
    assert request.node.nodeid.endswith("@test_grouping.py") == grouped
