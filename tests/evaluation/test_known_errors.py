"""Where a model is wrong: the surest mistakes first, shares with intervals by trait, no text."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import colde
from colde import models
from colde.assets import asset
from colde.cli import main
from colde.corpus.corpus_folder import Pair
from colde.evaluation.known_errors import (
    MAX_MAP_CELLS,
    JudgedPairs,
    draw_maps_with,
    mistakes,
    small_map,
    traits_of,
)
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Document, Span
from tests.corpora import record, write_corpus

TEXTS = {
    "tide": "# Tides\n\nThe tide comes in over the bar twice a day. Pilots wait for wind and swell to drop.",
    "pilot": "# Pilots\n\nPilots take ships over the bar at high tide. They read wind and swell at dawn.",
    "bread": "# Bread\n\nBread rises in a warm oven for an hour. The crust is done when it sounds hollow.",
}


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    return {name: colde.read_text(text, title=name) for name, text in TEXTS.items()}


def test_the_surest_mistakes_come_first_and_no_text_goes_along(documents: dict[str, Document]) -> None:
    pairs = [
        Pair("tide", "pilot", 0),
        Pair("tide", "bread", 0),
        Pair("pilot", "bread", 1),
        Pair("tide", "tide", 1),
    ]
    judged = JudgedPairs(pairs, [0.6, 0.55, 0.1, 1.0], [0.9, 0.7, 0.05, 1.0], [True, True, False, True], 0.5)
    traits = traits_of(pairs, documents.__getitem__, frozenset({"tide", "pilot"}))
    found = mistakes(
        judged, traits, draw_maps_with(models.load("tfidf"), documents.__getitem__), documents.__getitem__
    )
    assert (found["related"], found["missed"], found["called"]) == (2, 1, 2)
    assert [(one["label"], one["probability"]) for one in found["shown"]] == [
        ("unrelated", 0.9),
        ("unrelated", 0.7),
        ("related", 0.05),
    ]
    assert found["shown"][0]["titles"] == ["tide", "pilot"] and found["shown"][0]["map"]
    unseen = found["common"]["unseen"]
    assert [(g["from"], g["missed"]["of"], g["called"]["wrong"]) for g in unseen] == [
        (0.0, 1, 1),
        (1.0, 1, 1),
    ]
    share = unseen[1]["missed"]
    assert share["wrong"] == 1 and 0.2 < share["low"] < 0.21 and share["high"] == 1.0  # Wilson, 1 of 1
    for text in TEXTS.values():
        assert text[12:40] not in json.dumps(found)


def test_shared_words_and_lengths(documents: dict[str, Document]) -> None:
    traits = traits_of([Pair("tide", "pilot", 1), Pair("tide", "bread", 0)], documents.__getitem__, None)
    assert "unseen" not in traits
    assert traits["shared"][0] > 0.1 > traits["shared"][1]
    assert 0.8 < traits["ratio"][0] < 1 and traits["words"][0] <= documents["tide"].words()


def test_a_large_map_keeps_its_strongest_cells() -> None:
    values = np.zeros((40, 3), dtype=np.float32)
    values[37, 1] = 0.876
    spans = tuple(Span(k, k + 1) for k in range(40))
    small = small_map(
        {"section": SimilarityMap(values, spans, spans[:3], "cosine", "", role="topic", level="section")}
    )
    assert np.shape(small) == (MAX_MAP_CELLS, 3) and max(map(max, small)) == 0.88
    assert small_map({}) == []


def test_the_bundled_file_has_small_maps_and_no_text() -> None:
    bundled = json.loads(asset("mistakes.json").read_text(encoding="utf-8"))
    shown = [
        one
        for model in bundled["models"].values()
        for found in model["profiles"].values()
        for one in found["shown"]
    ]
    assert shown
    for one in shown:
        assert set(one) == {"titles", "words", "label", "score", "probability", "shared", "unseen", "map"}
        rows, columns = np.shape(one["map"])
        assert min(rows, columns) >= 1 and max(rows, columns) <= MAX_MAP_CELLS


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = {name: text.removeprefix("# ").split("\n\n") for name, text in TEXTS.items()}
    write_corpus(
        tmp_path,
        [record(name, body, heading=heading, title=heading) for name, (heading, body) in parts.items()],
        valid=[("tide", "pilot", 0), ("tide", "bread", 1)],
    )
    file = tmp_path / "mistakes.json"
    assert main(["mistakes", str(tmp_path), "--model", "tfidf", "--json", str(file), "--quiet"]) == 0
    assert "related pairs missed" in capsys.readouterr().out
    (profile,) = json.loads(file.read_text())["models"]["tfidf"]["profiles"].values()
    assert profile["pairs"] == 2 and profile["missed"] == 1
    assert all(np.ndim(one["map"]) == 2 for one in profile["shown"])
