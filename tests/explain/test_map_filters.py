"""Attention is shown where there is something to see: entropy against an even one, and against random networks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import pytest
import torch

from colde import models
from colde.evaluation.model_contract import sample_pair
from colde.explain.map_filters import (
    MIN_UNEVENNESS,
    drop_even_attention,
    mark_flat_maps,
    shown_levels,
    unevenness,
)
from colde.models.shared import hierarchical_contribution
from colde.models.smith import smith_contribution
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Document, Span

LOOKING = ("smith", "han", "smash_rnn")
"""Models with attention among their maps."""


def attention(values: np.ndarray, lengths: list[int], form: Any = "matrix") -> SimilarityMap:
    ends = np.cumsum(lengths)
    spans = tuple(Span(int(e - n), int(e)) for e, n in zip(ends, lengths, strict=True))
    rows = spans[: len(values)] if form == "matrix" else (Span(0, int(ends[-1])),)
    side: Any = "across" if form == "matrix" else "within_a"
    return SimilarityMap(
        values.astype(np.float32), rows, spans, "attention", "Where it looks.", role="attention",
        level="sentence", side=side, form=form,
    )  # fmt: skip


def test_shape_by_hand() -> None:
    even = np.full((2, 4), 0.25)
    assert unevenness(attention(even, [9, 1, 5, 30])) == pytest.approx(0, abs=1e-6)
    lengths = [10, 20, 30, 40]
    assert unevenness(attention(np.tile(np.array(lengths) / 100, (3, 1)), lengths)) == pytest.approx(
        0, abs=1e-6
    )
    one = np.array([[1.0, 0, 0, 0]])
    assert unevenness(attention(one, [1, 1, 1, 1])) == pytest.approx(1)
    # of two equal places of four: entropy ln 2 of ln 4
    assert unevenness(attention(np.array([[0.5, 0.5, 0, 0]]), [1, 1, 1, 1], "weights")) == pytest.approx(0.5)
    assert unevenness(attention(np.array([[1.0]]), [7], "weights")) == 0


def test_even_attention_is_left_out_and_its_level_with_it() -> None:
    even, sharp = attention(np.full((2, 3), 1 / 3), [4, 4, 4]), attention(np.eye(3)[:2], [4, 4, 4])
    assert list(drop_even_attention({"even": even, "sharp": sharp})) == ["sharp"]
    assert shown_levels(("document", "sentence"), {"even": even}, {}) == ("document",)
    assert shown_levels(("document", "sentence"), {"even": even, "x": sharp}, {"x": sharp})[-1] == "sentence"


def test_a_map_that_varies_as_chance_makes_it_is_flat_and_says_why() -> None:
    random = np.random.default_rng(0)
    rows, columns = (tuple(Span(10 * i, 10 * i + 9) for i in range(n)) for n in (5, 7))
    values = random.normal(0.5, 0.02, (5, 7)).astype(np.float32)
    topic = SimilarityMap(values, rows, columns, "cosine", "How near.", role="topic", level="section")
    found = mark_flat_maps({"section": topic}, {"section": 0.1})["section"]
    assert found.flat and found.to_dict()["flat"] and "untrained" in found.meaning
    np.testing.assert_array_equal(found.values, values)
    for noise in ({"section": 0.001}, {"chunk": 0.1}, {}):
        kept = mark_flat_maps({"section": topic}, noise)["section"]  # type: ignore[arg-type]
        assert kept is topic and "flat" not in kept.to_dict()


@pytest.fixture(scope="module")
def pair() -> tuple[Document, Document]:
    return sample_pair()


@pytest.fixture
def rough_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attention is looked at, and not what made the score: its integrals are as short as can be."""
    monkeypatch.setattr(smith_contribution, "FEWEST", 1)
    for module in (smith_contribution, hierarchical_contribution):
        monkeypatch.setattr(module, "TOLERANCE", np.inf)


def shapes(model: Any, pair: tuple[Document, Document]) -> Iterator[tuple[str, float]]:
    result = model.match(*model.encode(pair))
    yield from ((name, unevenness(m)) for name, m in result.maps.items() if m.role == "attention")


@pytest.mark.slow
@pytest.mark.usefixtures("rough_parts")
@pytest.mark.parametrize("name", LOOKING)
def test_networks_of_random_numbers_look_nowhere(name: str, pair: tuple[Document, Document]) -> None:
    model = cast(Any, models.load(name))
    torch.manual_seed(1)
    with torch.no_grad():
        for p in model.network.parameters():
            if p.dim() > 1:
                p.normal_(std=float(p.std()) or 0.02)
    found = dict(shapes(model, pair))
    assert found and max(found.values()) < MIN_UNEVENNESS, found


@pytest.mark.slow
@pytest.mark.usefixtures("rough_parts")
def test_what_is_shown_of_the_models_that_ship(pair: tuple[Document, Document]) -> None:
    """SMITH's attention is even to 1 in 10,000; of SMASH RNN and HAN the words have shape."""
    shown = {name: {k for k, v in shapes(models.load(name), pair) if v >= MIN_UNEVENNESS} for name in LOOKING}
    assert not shown["smith"]
    assert {"within_a_word_attention", "within_b_word_attention"} <= shown["han"]
    assert "within_a_word_attention_p" in shown["smash_rnn"]
    assert not any("paragraph" in name for name in shown["smash_rnn"])
