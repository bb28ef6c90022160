"""One contract for all models: whatever is registered must hold it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import colde
from colde import models
from colde.document import Document
from colde.models.base import Matcher, Progress
from colde.samples import samples
from colde.similarity import Encoding
from colde.tokens import default_tokenizer

NAMES = [name for name in models.cards() if models.is_trained(name)]
TWENTY = "Harbour pilots read tide, wind and swell before they bring a ship over the bar at dawn. They wait, then go."


@pytest.fixture(scope="module", params=NAMES)
def model(request: pytest.FixtureRequest) -> Matcher:
    return models.load(request.param)


@pytest.fixture(scope="module")
def pair() -> tuple[Document, Document]:
    sample = samples()[0]
    return colde.read(sample.a), colde.read(sample.b)


@pytest.fixture(scope="module")
def encoded(model: Matcher, pair: tuple[Document, Document]) -> list[Encoding]:
    return model.encode(pair)


def long_document(chunks: int) -> Document:
    """A document of at least so many chunks, with two headings and many different sentences."""
    words = [f"keel{i % 97} mast{i % 31} tide{i % 13}" for i in range(chunks * 82)]  # 6.4 tokens each
    sentences = [" ".join(words[i : i + 8]) + "." for i in range(0, len(words), 8)]
    half = len(sentences) // 2
    return colde.read_text(
        "# One\n\n" + " ".join(sentences[:half]) + "\n\n# Two\n\n" + " ".join(sentences[half:])
    )


def test_every_default_is_trained() -> None:
    assert set(models.DEFAULTS) <= set(NAMES)


def test_declares_itself(model: Matcher) -> None:
    assert isinstance(model, Matcher)
    assert model.card.levels[0] == "document"
    assert {"general", "papers"} <= set(model.profiles)
    for profile in model.profiles.values():
        assert profile.calibration is not None and profile.calibration.slope > 0
        assert len(profile.quantiles) == 101 and list(profile.quantiles) == sorted(profile.quantiles)


def test_a_vector_does_not_depend_on_its_partner(
    model: Matcher, pair: tuple[Document, Document], encoded: list[Encoding]
) -> None:
    alone = [model.encode([replace(d)])[0] for d in pair]  # other objects, so that nothing remembered is used
    for one, other in zip(alone, encoded, strict=True):
        for name, values in one.arrays.items():
            np.testing.assert_allclose(values, other.arrays[name], atol=2e-5)
        for field in ("vector", "sections", "chunks"):
            if getattr(one, field) is not None:
                np.testing.assert_allclose(getattr(one, field), getattr(other, field), atol=2e-5)


def test_padding_changes_nothing(model: Matcher, pair: tuple[Document, Document]) -> None:
    score = model.compare(*model.encode([colde.read_text(TWENTY), replace(pair[0])]))
    short = model.encode([colde.read_text(TWENTY)])[0]
    full = model.encode([replace(pair[0])])[0]
    assert model.compare(short, full) == pytest.approx(score, abs=2e-5)


def test_symmetric_where_it_says_so(model: Matcher, encoded: list[Encoding]) -> None:
    a, b = encoded
    if model.card.symmetric:
        assert model.compare(a, b) == pytest.approx(model.compare(b, a), abs=1e-6)


def test_a_document_is_most_like_itself(model: Matcher, encoded: list[Encoding]) -> None:
    a, b = encoded
    if model.card.score_kind == "probability":
        pytest.skip("a probability that a pair is alike was never trained on a document and itself")
    assert model.compare(a, a) == pytest.approx(1.0, abs=1e-4)
    assert model.compare(a, a) > model.compare(a, b)


def test_deterministic(model: Matcher, pair: tuple[Document, Document], encoded: list[Encoding]) -> None:
    again = model.encode([replace(d) for d in pair])
    assert model.compare(*again) == model.compare(*encoded)


def test_maps_have_valid_spans_and_values(model: Matcher, encoded: list[Encoding]) -> None:
    a, b = encoded
    maps = model.maps(a, b)
    assert {"section", "chunk", "sentence"} & set(model.card.levels) <= set(maps)
    for name, found in maps.items():
        assert found.meaning.endswith(".")
        values = found.values[~np.isnan(found.values)]
        assert values.size and np.isfinite(values).all()
        lowest = -1 if found.kind in ("cosine", "attribution") else 0  # a part can speak against likeness
        assert values.max() <= 1 + 1e-6 and values.min() >= lowest - 1e-6
        if found.kind == "attention":
            np.testing.assert_allclose(found.values.sum(1), 1, atol=1e-4)
        for side, document in (("rows", a.document), ("columns", b.document)):
            if name.startswith("within_"):
                document = (a if name.startswith("within_a") else b).document
            spans = getattr(found, side)
            assert all(0 <= s.start < s.end <= len(document.text) for s in spans)
            assert all(x.start < y.start for x, y in pairwise(spans))


def test_evidence_points_into_the_texts_best_first(model: Matcher, encoded: list[Encoding]) -> None:
    a, b = encoded
    evidence = model.explain(a, b)
    assert evidence
    weights = [e.weight for e in evidence]
    assert weights == sorted(weights, reverse=True)
    for e in evidence:
        assert e.model == model.card.name and e.kind
        assert a.document.text[e.a.start : e.a.end].strip() and b.document.text[e.b.start : e.b.end].strip()


def test_says_how_much_it_read(encoded: list[Encoding]) -> None:
    for e in encoded:
        assert 0 < e.reading.tokens_read <= e.reading.tokens
        assert bool(e.reading.unread) == (e.reading.tokens_read < e.reading.tokens)


def test_the_long_document_is_sixty_chunks_long() -> None:
    (tokens,) = default_tokenizer()([long_document(60).text])
    assert 60 * 512 <= len(tokens.ids) < 70 * 512


def test_twenty_words_and_sixty_chunks(model: Matcher) -> None:
    short, long = colde.read_text(TWENTY), long_document(60)
    a, b = model.encode([short, long])
    assert np.isfinite(model.compare(a, b))
    assert model.maps(a, b)
    model.explain(a, b)


def test_without_explanations_the_score_is_the_same(
    model: Matcher, pair: tuple[Document, Document], encoded: list[Encoding]
) -> None:
    bare = model.encode(pair, explain=False)
    assert model.compare(*bare) == pytest.approx(model.compare(*encoded), abs=2e-5)


def test_save_and_load(model: Matcher, encoded: list[Encoding], tmp_path: Path) -> None:
    model.save(tmp_path / "copy")
    assert not [p for p in (tmp_path / "copy").iterdir() if p.suffix not in {".json", ".safetensors"}]
    copy = models.load(tmp_path / "copy")
    assert copy.profiles.keys() == model.profiles.keys()
    assert copy.compare(*encoded) == pytest.approx(model.compare(*encoded), abs=1e-6)
    fresh = copy.encode([replace(e.document) for e in encoded])
    assert copy.compare(*fresh) == pytest.approx(model.compare(*encoded), abs=1e-3)


def test_reports_progress_and_can_be_stopped(model: Matcher, pair: tuple[Document, Document]) -> None:
    from colde.errors import Cancelled

    seen: list[Progress] = []
    model.encode([replace(pair[0])], on_progress=seen.append)
    assert seen and all(0 <= p.done <= p.total for p in seen)

    def stop(progress: Progress) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        model.encode([replace(d) for d in pair], on_progress=stop)
