"""Models that load while files are read."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from colde.errors import ModelError
from colde.models.preload import Preload
from tests.patience import PATIENCE


def test_models_load_before_they_are_asked_for_in_the_order_in_which_they_run() -> None:
    seen: list[str] = []

    def load(name: str) -> Any:
        seen.append(name)
        return name

    with Preload(["colde", "tfidf"], load) as loader:
        assert loader("colde") == "colde"
        assert seen == ["tfidf", "colde"]
        assert loader("bm25") == "bm25"  # loaded when asked for
    assert seen == ["tfidf", "colde", "bm25"]


def test_what_is_wrong_with_a_model_is_said_where_it_is_asked_for() -> None:
    def load(name: str) -> Any:
        raise ModelError(f"{name} is not trained")

    with Preload(["colde"], load) as loader, pytest.raises(ModelError, match="not trained"):
        loader("colde")


def test_nothing_more_is_loaded_once_it_is_left() -> None:
    begun, go_on = threading.Event(), threading.Event()
    seen: list[str] = []

    def load(name: str) -> Any:
        seen.append(name)
        begun.set()
        go_on.wait(PATIENCE)

    with Preload(["tfidf", "colde"], load):
        begun.wait(PATIENCE)
    go_on.set()
    assert seen == ["tfidf"]
