"""Scores, maps and passages of fixed pairs do not change unless `make scores` writes them anew."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.forks import fork_python
from tests.programs import ROOT
from tests.scores.measure import ENVIRONMENT

HERE = Path(__file__).parent
TOLERANCE = 1e-4


def differences(expected: Any, measured: Any, place: str = "") -> list[str]:
    """Where two nested values differ: other keys, other lengths, or numbers that differ by more than the tolerance."""
    if isinstance(expected, dict) and isinstance(measured, dict):
        keys = [f"{place}/{k}: only on one side" for k in expected.keys() ^ measured.keys()]
        common = expected.keys() & measured.keys()
        return keys + [d for k in common for d in differences(expected[k], measured[k], f"{place}/{k}")]
    if isinstance(expected, list) and isinstance(measured, list):
        if len(expected) != len(measured):
            return [f"{place}: {len(expected)} and {len(measured)} values"]
        parts = enumerate(zip(expected, measured, strict=True))
        return [d for n, (e, m) in parts for d in differences(e, m, f"{place}[{n}]")]
    if isinstance(expected, int | float) and isinstance(measured, int | float):
        return [] if abs(expected - measured) <= TOLERANCE else [f"{place}: {expected} is now {measured}"]
    return [] if expected == measured else [f"{place}: {expected} is now {measured}"]


def test_differences_sees_numbers_and_keys() -> None:
    assert differences({"a": [1.0, None]}, {"a": [1.00005, None]}) == []
    assert len(differences({"a": [1.0, None], "b": 1}, {"a": [1.0002, 0.0]})) == 3


@pytest.mark.slow
def test_the_values_are_those_that_were_written() -> None:
    output = fork_python("-m", "tests.scores.measure", cwd=ROOT, env=ENVIRONMENT)
    expected = json.loads(gzip.decompress((HERE / "values.json.gz").read_bytes()))
    changed = differences(expected, json.loads(output))
    assert not changed, "\n".join([f"{len(changed)} values differ (rebuild: make scores)", *changed[:20]])
