"""Windows against brute force, and a planted passage that must be found."""

from __future__ import annotations

import gc
import re
from dataclasses import replace

import numpy as np
import pytest

import colde
from colde import models
from colde.alignment.self_similarity import NEIGHBOURS
from colde.corpus.samples import Sample, sample_named
from colde.encoders.vector_math import best_mean, centred, window_means
from colde.explain import passage_maps, passage_windows
from colde.explain.background_corpus import background_sentences, rarity
from colde.explain.passage_windows import sentence_vectors
from colde.explain.standard_sentences import standard_similarity
from colde.results.comparison import Comparison
from colde.results.encoding import Encoding
from colde.text.document import Document, Span

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lighthouse() -> tuple[Sample, Comparison]:
    sample = sample_named("lighthouse")
    return sample, colde.compare(colde.read(sample.a), colde.read(sample.b), ["colde"])


def place(document: Document, snippet: str) -> Span:
    start = document.text.index(snippet)
    return Span(start, start + len(snippet))


def unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v)


def long_sentences(encoding: Encoding) -> list[int]:
    document = encoding.document
    texts = [document.text[s.start : s.end] for _, s in document.sentences()]
    return [i for i, text in enumerate(texts) if len(re.findall(r"\w+", text)) >= passage_windows.MIN_WORDS]


def means_of_three(vectors: np.ndarray) -> list[np.ndarray]:
    return [vectors[max(i - 1, 0) : i + 2].mean(0) for i in range(len(vectors))]


def usual_similarity(windows: list[np.ndarray], i: int) -> float:
    others = [float(windows[i] @ w) for k, w in enumerate(windows) if abs(k - i) >= passage_windows.WINDOW]
    return float(np.mean(sorted(others)[-NEIGHBOURS:]))


def test_windows_equal_brute_force(lighthouse: tuple[Sample, Comparison]) -> None:
    _, c = lighthouse
    a, b = models.load("colde").encode([c.a, c.b])
    corpus = background_sentences()
    assert corpus is not None and a.sentences is not None and b.sentences is not None
    windows, usual, common, chunks = [], [], [], []
    for encoding, vectors in zip((a, b), centred(a.sentences, b.sentences), strict=True):
        kept = long_sentences(encoding)
        starts = [s.start for k, (_, s) in enumerate(encoding.document.sentences()) if k in kept]
        chunks.append([max(k for k, x in enumerate(encoding.chunk_spans) if x.start <= at) for at in starts])
        windows.append([unit(w) for w in means_of_three(vectors[kept])])
        usual.append([usual_similarity(windows[-1], i) for i in range(len(kept))])
        vectors = encoding.sentences[kept]
        background = np.maximum(corpus.background_similarity(vectors), standard_similarity(vectors))
        common.append(means_of_three(background))
    expected = np.full((len(a.chunk_spans), len(b.chunk_spans)), np.nan)
    for i, one in enumerate(windows[0]):
        for j, two in enumerate(windows[1]):
            r = min(passage_windows.HUBNESS * (usual[0][i] + usual[1][j]) / 2, passage_windows.CLOSEST)
            cell = chunks[0][i], chunks[1][j]
            unusual = float(rarity((common[0][i] + common[1][j]) / 2))
            expected[cell] = np.nanmax([expected[cell], unusual * 0.5 ** ((1 - one @ two) / (1 - max(r, 0)))])
    np.testing.assert_allclose(c.maps["colde"]["passages"].values, np.minimum(expected, 1), atol=1e-4)


def test_the_order_of_sentences_in_a_window_does_not_matter() -> None:
    rng = np.random.default_rng(0)
    v = rng.normal(size=(3, 8)).astype(np.float32)
    np.testing.assert_allclose(window_means(v, 3)[1], window_means(v[[2, 0, 1]], 3)[1], atol=1e-6)
    np.testing.assert_allclose(window_means(v, 3)[0], v[:2].mean(0), atol=1e-6)


def test_best_mean_leaves_out_what_is_not_there() -> None:
    values = np.array([[1, 2, -np.inf, 4], [-np.inf] * 4], dtype=np.float32)
    assert best_mean(values, 2).tolist() == [3, 0]
    assert best_mean(values, 9)[0] == pytest.approx(7 / 3)


def test_comparing_the_other_way_round_turns_the_map(lighthouse: tuple[Sample, Comparison]) -> None:
    _, c = lighthouse
    a, b = models.load("colde").encode([c.a, c.b])
    np.testing.assert_allclose(
        passage_maps.passage_maps(a, b)["passages"].values,
        passage_maps.passage_maps(b, a)["passages"].values.T,
        atol=1e-5,
    )


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
    identical = next(s for s in sample.shared if s.kind == "identical")
    found = c.maps["colde"]["sentence"]
    rows = [i for i, r in enumerate(found.rows) if r.overlaps(place(c.a, identical.a))]
    for i in rows:
        j = int(np.argmax(found.values[i]))
        assert (
            c.a.text[found.rows[i].start : found.rows[i].end]
            == c.b.text[found.columns[j].start : found.columns[j].end]
        )
        assert found.values[i, j] == pytest.approx(1, abs=1e-3)


def test_a_document_without_long_sentences_has_no_passages() -> None:
    words = " ".join(f"Tide {i}." for i in range(40))
    c = colde.compare(colde.read_text(words), colde.read_text(words), ["colde"])
    assert np.isnan(c.maps["colde"]["passages"].values).all()
    assert "null" in c.to_json() and "NaN" not in c.to_json()


def test_versions_are_versions_however_their_clauses_are_numbered() -> None:
    items = (
        "The keys are left with the porter.",
        "The shutters are closed at dusk.",
        "The water is turned off.",
    )
    one, two, other = (
        colde.read_text("\n\n".join(f"{first + k}.1 {text}" for k, text in enumerate(texts)))
        for first, texts in ((1, items), (2, items), (1, [f"{text[:-1]} twice a year." for text in items]))
    )
    assert passage_maps._are_versions(one, two)
    assert not passage_maps._are_versions(one, other)


def test_two_models_of_one_pair_share_the_maps(lighthouse: tuple[Sample, Comparison]) -> None:
    _, c = lighthouse
    pair = models.load("colde").encode([c.a, c.b])
    maps = passage_maps.passage_maps(*pair)
    assert passage_maps.passage_maps(*models.load("colde").encode([c.a, c.b])) == maps
    assert passage_maps.passage_maps(*reversed(pair)) != maps
    moved = replace(pair[0], sentences=-sentence_vectors(pair[0]))
    assert passage_maps.passage_maps(moved, pair[1]) != maps


def test_maps_are_kept_no_longer_than_their_documents() -> None:
    documents = [
        colde.read_text(f"The {word} leans over the river and nobody minds it. " * 8) for word in "ab"
    ]
    passage_maps.passage_maps(*models.load("colde").encode(documents))
    assert passage_maps._last is not None
    del documents
    gc.collect()
    assert passage_maps._last is None
