"""Windows against brute force, and a planted passage that must be found."""

from __future__ import annotations

import numpy as np
import pytest

import colde
from colde import models, passages
from colde.comparison import Comparison
from colde.document import Document, Span
from colde.samples import Sample, samples


@pytest.fixture(scope="module")
def lighthouse() -> tuple[Sample, Comparison]:
    sample = samples()[0]
    return sample, colde.compare(colde.read(sample.a), colde.read(sample.b), ["colde"])


def place(document: Document, snippet: str) -> Span:
    start = document.text.index(snippet)
    return Span(start, start + len(snippet))


def test_windows_equal_brute_force(lighthouse: tuple[Sample, Comparison]) -> None:
    _, c = lighthouse
    a, b = models.load("colde").encode([c.a, c.b])
    left, right = passages._sides(a, b)
    cosine = left.vectors @ right.vectors.T
    expected = np.full((len(a.chunk_spans), len(b.chunk_spans)), np.nan)
    n, m = cosine.shape
    for i in range(n):
        for j in range(m):
            window = [cosine[i + k, j + k] for k in (-1, 0, 1) if 0 <= i + k < n and 0 <= j + k < m]
            cell = left.chunk[i], right.chunk[j]
            expected[cell] = np.nanmax([expected[cell], np.mean(window)])
    np.testing.assert_allclose(c.maps["colde"]["passages"].values, np.minimum(expected, 1), atol=1e-5)


def test_every_shared_passage_of_the_sample_is_evidence(lighthouse: tuple[Sample, Comparison]) -> None:
    sample, c = lighthouse
    top = c.evidence[: len(sample.shared)]
    for shared in sample.shared:
        a, b = place(c.a, shared.a), place(c.b, shared.b)
        found = [e for e in top if e.a.overlaps(a) and e.b.overlaps(b)]
        assert found, shared.a
        assert found[0].kind == shared.kind


def test_the_brightest_cell_holds_a_shared_passage(lighthouse: tuple[Sample, Comparison]) -> None:
    sample, c = lighthouse
    found = c.maps["colde"]["passages"]
    i, j = np.unravel_index(int(np.nanargmax(found.values)), found.values.shape)
    assert any(
        found.rows[i].overlaps(place(c.a, s.a)) and found.columns[j].overlaps(place(c.b, s.b))
        for s in sample.shared
    )


def test_sentence_map_is_one_for_the_same_sentence(lighthouse: tuple[Sample, Comparison]) -> None:
    sample, c = lighthouse
    verbatim = next(s for s in sample.shared if s.kind == "verbatim")
    found = c.maps["colde"]["sentence"]
    rows = [i for i, r in enumerate(found.rows) if r.overlaps(place(c.a, verbatim.a))]
    for i in rows:
        j = int(np.argmax(found.values[i]))
        assert (
            c.a.text[found.rows[i].start : found.rows[i].end]
            == c.b.text[found.columns[j].start : found.columns[j].end]
        )
        assert found.values[i, j] == pytest.approx(1, abs=1e-3)


def test_likeness_words() -> None:
    a = "The keeper wound the clock every four hours through the night."
    assert passages.likeness(a, a, 0.9) == "verbatim"
    assert passages.likeness(a, a.replace("every four hours", "twice"), 0.9) == "edited"
    assert passages.likeness(a, "Twice a night someone had to raise the weight again.", 0.6) == "reworded"
    assert passages.likeness(a, "Bread was dear that year.", 0.1) == "related"


def test_a_document_without_long_sentences_has_no_passages() -> None:
    words = " ".join(f"Tide {i}." for i in range(40))
    c = colde.compare(colde.read_text(words), colde.read_text(words), ["colde"])
    assert np.isnan(c.maps["colde"]["passages"].values).all()
    assert "null" in c.to_json() and "NaN" not in c.to_json()
