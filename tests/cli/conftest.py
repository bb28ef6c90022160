"""Two short documents, and a corpus of twelve."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.corpora import record, write_corpus
from tests.programs import Run

LIGHTHOUSE = """# The lamp

A lighthouse lens gathers the light of a small lamp and throws it over twenty miles of sea. Ships saw it long before
they saw the coast.

## The lens

Rings of glass bend the light into a narrow beam. The keeper wound the clockwork every evening and trimmed the wick.

## The keeper

Keepers lived by the tower with their families, and wrote the weather into a log each morning.
"""
TIDES = """# Harbours

A harbour is shaped by its tides. The keeper wound the clockwork every evening and trimmed the wick.

## Mud

The flood carries mud into quiet basins, the ebb carries most of it away again, and dredgers take the rest.
"""


@pytest.fixture(autouse=True)
def encoded_once(kept_vectors: None) -> None:
    """These tests are about what is made of vectors."""


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    a, b = tmp_path / "lamp.md", tmp_path / "tides.md"
    a.write_text(LIGHTHOUSE, encoding="utf-8")
    b.write_text(TIDES, encoding="utf-8")
    return a, b


@pytest.fixture
def compare_json(run: Run, pair: tuple[Path, Path]) -> Callable[..., dict[str, Any]]:
    """The JSON of the pair compared by TF-IDF with these options."""

    def compared(*options: object) -> dict[str, Any]:
        status, out, err = run("compare", *pair, "--model", "tfidf", "--json", "-", "--quiet", *options)
        assert (status, err) == (0, "")
        found: dict[str, Any] = json.loads(out)
        return found

    return compared


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Twelve documents on two subjects, and pairs.tsv with a column that no command knows."""
    subjects = ("glass lens lamp beam", "harbour tide mud ebb")
    texts = [
        f"Here {subjects[i % 2].split()[i % 4]} and {subjects[i % 2]} are told of in part {i}. " * 4
        for i in range(12)
    ]
    records = [record(f"d{i}", text, heading="One", title=f"T{i}") for i, text in enumerate(texts)]
    folder = write_corpus(tmp_path / "corpus", records)
    pairs = [f"d{i}\td{j}\t{int((i - j) % 2 == 0)}\tr{i}" for i in range(6) for j in (6, 9, 11)]
    table = "\n".join(["source\ttarget\tlabel\tremark", *pairs, ""])
    (folder / "pairs.tsv").write_text(table, encoding="utf-8")
    return folder


@pytest.fixture
def score(run: Run, corpus: Path) -> Run:
    """`colde score` of the corpus' pairs by TF-IDF into a file."""

    def one(output: Path, *options: object) -> tuple[int, str, str]:
        given = ("--corpus", corpus, "--pairs", corpus / "pairs.tsv", "--model", "tfidf")
        return run("score", *given, "--output", output, *options)

    return one
