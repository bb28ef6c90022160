"""A corpus small enough to train on in a test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.corpora import toy_corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """48 documents on four subjects; two of one subject are similar."""
    return toy_corpus(tmp_path_factory.mktemp("corpus") / "toy", sections=2, paragraphs=(3, 3))


@pytest.fixture(scope="module")
def settings(corpus: Path) -> Path:
    path = corpus.parent / "settings.json"
    training = {"steps": 12, "pairs": 32, "validate_every": 4}
    path.write_text(
        json.dumps({"training": training, "sentences": str(corpus.parent / "sentences")}), encoding="utf-8"
    )
    return path
