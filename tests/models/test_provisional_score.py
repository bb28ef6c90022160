"""What is said of a pair while it is read: samples of both documents, a score that becomes the whole one."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import colde
from colde.encoders import sentence_encoder
from colde.encoders.sentence_layout import Sentences, read_sentences
from colde.encoders.vector_math import normalised
from colde.models.colde.config import ColdeConfig
from colde.models.colde.document_encoding import encoding_of
from colde.models.colde.embedding import Embedder
from colde.models.colde.explanation import attend_pair
from colde.models.colde.provisional_score import (
    FIRST_SHARE,
    MEAN_RISE,
    RISE_DEVIATION,
    partial_encoding,
    provisional,
    remaining_uncertainty,
)
from colde.report.verdict import provisional_verdict
from colde.results.progress import Provisional
from colde.results.similarity_map import Array
from colde.text.chunks import default_tokenizer
from colde.text.document import Document


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    torch.manual_seed(0)
    return Embedder.fresh(ColdeConfig())


def text(what: str, sections: int) -> Document:
    lines = [f"The {what} {i} lies behind the bar at dawn." for i in range(40 * sections)]
    return colde.read_text(
        "\n\n".join(f"# Part {s}\n\n{' '.join(lines[s::sections])}" for s in range(sections))
    )


@pytest.fixture(scope="module")
def pair() -> tuple[list[Document], list[Sentences], list[Array]]:
    documents = [text("harbour", 3), text("pilot", 5)]
    found = [read_sentences(d, default_tokenizer()) for d in documents]
    random = np.random.default_rng(0)
    common = random.normal(size=384)
    units = [normalised((common + random.normal(size=(len(f.ids), 384))).astype(np.float32)) for f in found]
    return documents, found, units


def partly(units: list[Array], parts: int, read: int) -> list[Array]:
    """Vectors of which as many parts of a document are read, the others NaN."""
    return [
        np.where((np.arange(len(u)) % parts < read)[:, None], u, np.nan).astype(np.float32) for u in units
    ]


def test_every_batch_is_a_sample_of_the_whole_document(
    embedder: Embedder,
    monkeypatch: pytest.MonkeyPatch,
    pair: tuple[list[Document], list[Sentences], list[Array]],
) -> None:
    found = pair[1][1]
    assert len(embedder.reader.batches(found)) == 1, "too short to be cut"
    monkeypatch.setattr(sentence_encoder, "SMALLEST_BATCH", 100)
    batches = embedder.reader.batches(found)
    assert len(batches) == 4
    assert sorted(np.concatenate(batches).tolist()) == list(range(len(found.ids)))
    for rows in batches:
        assert set(found.section[rows].tolist()) == set(found.section.tolist())
        assert found.lengths[rows].tolist() == sorted(found.lengths[rows].tolist())
    monkeypatch.setattr(sentence_encoder, "TOKENS", 200)
    tokens = [int(found.lengths[rows].sum()) for rows in embedder.reader.batches(found)]
    assert len(tokens) >= found.lengths.sum() / 200 and max(tokens) < 300


def test_of_all_sentences_it_is_the_score(
    embedder: Embedder, pair: tuple[list[Document], list[Sentences], list[Array]]
) -> None:
    documents, found, units = pair
    whole = [
        encoding_of(d, f, u, embedder.embed(f, u), explain=False)
        for d, f, u in zip(documents, found, units, strict=True)
    ]
    sampled = [
        partial_encoding(embedder, f, u, np.ones(len(u), dtype=np.bool_))
        for f, u in zip(found, units, strict=True)
    ]
    expected = attend_pair(embedder.network, *whole).score
    assert attend_pair(embedder.network, *sampled).score == pytest.approx(expected, abs=1e-5)


def test_it_is_said_between_a_quarter_and_the_whole(
    embedder: Embedder, pair: tuple[list[Document], list[Sentences], list[Array]]
) -> None:
    _, found, units = pair
    assert provisional(embedder, found, partly(units, 10, 1)) is None
    assert provisional(embedder, found, [units[0], partly(units, 10, 1)[1]]) is None
    assert provisional(embedder, found, units) is None
    early, late = (provisional(embedder, found, partly(units, 3, n)) for n in (1, 2))
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
    assert detail.startswith("Provisional: 40 % of both texts is read.") and "0.70, threshold 0.50" in detail
