"""The line that says how much a view was measured to say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from colde.report import worth


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    def write(deletion: list[float], less: list[float], insertion: list[float], more: list[float]) -> None:
        view = {
            "deletion": deletion,
            "deletion less chance": less,
            "insertion": insertion,
            "insertion less chance": more,
        }
        found: dict[str, Any] = {
            "colde": {
                "corpus": "acl",
                "pairs": 20,
                "passages": "sentences",
                "views": {"contribution_sentence": view},
            }
        }
        (tmp_path / worth.FILE).write_text(json.dumps({"models": found}), encoding="utf-8")
        worth._measured.cache_clear()

    monkeypatch.setattr(worth, "asset", lambda name: tmp_path / name)
    yield write
    worth._measured.cache_clear()


def test_better_than_chance_is_said_as_a_multiple(measured) -> None:  # type: ignore[no-untyped-def]
    measured([0.3, 0.2, 0.4], [0.2, 0.1, 0.3], [0.5, 0.4, 0.6], [0.0, -0.1, 0.1])
    found = worth.worth_of("colde")
    assert found is not None and found.better and "3.0 times as much" in found.sentence
    assert "20 related pairs of acl" in found.sentence
    assert worth.worth_of("nobody") is None


def test_no_better_than_chance_is_not_an_explanation(measured) -> None:  # type: ignore[no-untyped-def]
    measured([0.1, 0.0, 0.2], [0.02, -0.01, 0.05], [0.5, 0.4, 0.6], [0.0, -0.1, 0.1])
    found = worth.worth_of("colde")
    assert found is not None and not found.better and "not shown as an explanation" in found.sentence


def test_insertion_counts_too_and_a_loss_where_chance_loses_nothing(measured) -> None:  # type: ignore[no-untyped-def]
    measured([0.1, 0.0, 0.2], [0.02, -0.01, 0.05], [0.5, 0.4, 0.6], [0.2, 0.1, 0.3])
    found = worth.worth_of("colde")
    assert found is not None and found.better and "0.50 by itself" in found.sentence
    measured([0.3, 0.2, 0.4], [0.31, 0.1, 0.5], [0.5, 0.4, 0.6], [0.0, -0.1, 0.1])
    found = worth.worth_of("colde")
    assert found is not None and "by 0.30, leaving out at random by -0.01" in found.sentence


def test_without_figures_nothing_is_said(measured) -> None:  # type: ignore[no-untyped-def]
    worth._measured.cache_clear()
    assert worth.worth_of("colde") is None
