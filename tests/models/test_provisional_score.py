"""The provisional score of a pair while it is read."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import pytest
import torch

import colde
from colde.encoders.sentence_layout import Sentences, read_sentences
from colde.encoders.vector_math import normalised
from colde.models.colde.document_encoding import encode_document
from colde.models.colde.network import ColdeConfig, ColdeNetwork
from colde.models.colde.pair_attention import attend_pair
from colde.models.colde.provisional_score import (
    FIRST_SHARE,
    MEAN_RISE,
    RISE_DEVIATION,
    partial_encoding,
    provisional,
    remaining_uncertainty,
)
from colde.report.wording.verdict import provisional_verdict
from colde.results.progress import Provisional
from colde.results.similarity_map import Array
from colde.text.chunks import default_tokenizer
from colde.text.document import Document

Pair: TypeAlias = tuple[list[Document], list[Sentences], list[Array]]
"""Two documents, their sentences, and unit vectors of these."""


@pytest.fixture(scope="module")
def network() -> ColdeNetwork:
    torch.manual_seed(0)
    return ColdeNetwork(ColdeConfig()).eval()


def text(what: str, sections: int) -> Document:
    lines = [f"The {what} {i} lies behind the bar at dawn." for i in range(40 * sections)]
    return colde.read_text(
        "\n\n".join(f"# Part {s}\n\n{' '.join(lines[s::sections])}" for s in range(sections))
    )


@pytest.fixture(scope="module")
def pair() -> Pair:
    documents = [text("harbour", 3), text("pilot", 5)]
    layouts = [read_sentences(d, default_tokenizer()) for d in documents]
    random = np.random.default_rng(0)
    common = random.normal(size=384)
    units = [normalised((common + random.normal(size=(len(e.ids), 384))).astype(np.float32)) for e in layouts]
    return documents, layouts, units


def partly(units: list[Array], parts: int, read: int) -> list[Array]:
    """Vectors of which as many parts of a document are read, the others NaN."""
    return [
        np.where((np.arange(len(u)) % parts < read)[:, None], u, np.nan).astype(np.float32) for u in units
    ]


def test_of_all_sentences_it_is_the_score(network: ColdeNetwork, pair: Pair) -> None:
    whole = [encode_document(network, d, e, u, explain=False) for d, e, u in zip(*pair, strict=True)]
    sampled = [partial_encoding(network, e.tokens, e.segment, u) for _, e, u in zip(*pair, strict=True)]
    expected = attend_pair(network, *whole).score
    assert attend_pair(network, *sampled).score == pytest.approx(expected, abs=1e-5)


def test_it_is_said_between_a_quarter_and_the_whole(network: ColdeNetwork, pair: Pair) -> None:
    _, layouts, units = pair
    assert provisional(network, layouts, partly(units, 10, 1)) is None
    assert provisional(network, layouts, [units[0], partly(units, 10, 1)[1]]) is None
    assert provisional(network, layouts, units) is None
    early, late = (provisional(network, layouts, partly(units, 3, n)) for n in (1, 2))
    assert early is not None and late is not None
    assert FIRST_SHARE <= early.read < late.read < 1 and early.spread > late.spread > 0
    assert -1 <= early.score <= 1


def test_less_is_missing_the_more_is_read() -> None:
    assert remaining_uncertainty(0.25) == pytest.approx(1.0) and remaining_uncertainty(1.0) == 0
    assert 0 < MEAN_RISE < RISE_DEVIATION < 0.1


def test_near_the_threshold_it_names_no_side() -> None:
    said = {
        score: Provisional(score, spread=0.05, read=0.4, threshold=0.5).similar
        for score in (0.3, 0.45, 0.55, 0.7)
    }
    assert said == {0.3: False, 0.45: None, 0.55: None, 0.7: True}
    assert Provisional(0.9, spread=0.05, read=0.4).similar is None
    head, detail = provisional_verdict(Provisional(0.7, spread=0.05, read=0.4, threshold=0.5))
    assert head == "So far: related."
    assert detail.startswith("40 % of both texts processed.") and "0.70, threshold 0.50" in detail
