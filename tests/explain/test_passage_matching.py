"""Windows against brute force, and a planted passage that must be found."""

from __future__ import annotations

import numpy as np
import pytest
from colde.explain.match_types import REWORDED, lower_words, match_by_words, match_type

import colde
from colde import models
from colde.corpus.samples import Sample, sample_named
from colde.encoders.vector_math import best_mean, window_means
from colde.explain import passage_matching, passage_windows
from colde.explain.background_corpus import background_sentences, rarity
from colde.explain.self_similarity import NEIGHBOURS
from colde.explain.standard_sentences import standard_similarity
from colde.results.comparison import Comparison
from colde.results.encoding import Encoding
from colde.results.match import STANDS_OUT, Match, Passage
from colde.text.document import Document, Span
from tests.corpora import SUBJECTS
from tests.models.drawn_states import over_drawn_states

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
    return [i for i, text in enumerate(texts) if len(lower_words(text)) >= passage_windows.MIN_WORDS]


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
    for encoding, vectors in zip((a, b), passage_matching.centred(a.sentences, b.sentences), strict=True):
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
        passage_matching.match_passages(a, b, "colde")[0]["passages"].values,
        passage_matching.match_passages(b, a, "colde")[0]["passages"].values.T,
        atol=1e-5,
    )


def test_every_shared_passage_of_the_sample_is_evidence(lighthouse: tuple[Sample, Comparison]) -> None:
    """All nine are among the first twelve; eight come before anything that was not written into both texts."""
    sample, c = lighthouse
    places = {}
    for shared in sample.shared:
        a, b = place(c.a, shared.a), place(c.b, shared.b)
        places[shared.a] = next(k for k, e in enumerate(c.evidence) if e.a.overlaps(a) and e.b.overlaps(b))
        found = c.evidence[places[shared.a]]
        assert found.kind == shared.kind or found.weight < REWORDED, shared.a
    assert max(places.values()) < 12
    assert sum(k < 8 for k in places.values()) >= 8


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


@pytest.mark.parametrize(
    ("other", "weight", "kind"),
    [
        ("The keeper wound the clock every four hours through the night.", 0.9, "verbatim"),
        ("3.2 The keeper wound the clock every four hours, through the night.", 0.9, "verbatim"),
        ("The keeper wound a clock every four hours through the night.", 0.9, "verbatim"),
        ("The keeper wound the clock every six hours through the night.", 0.9, "edited"),
        ("The keeper wound the clock not every four hours through the night.", 0.9, "edited"),
        ("The keeper wound the clock twice through the night.", 0.9, "edited"),
        ("Twice a night someone had to raise the weight again.", 0.6, "reworded"),
        ("Bread was dear that year.", 0.1, "weak"),
    ],
)
def test_match_types(other: str, weight: float, kind: str) -> None:
    assert match_type("The keeper wound the clock every four hours through the night.", other, weight) == kind


@pytest.mark.parametrize(("value", "kind"), [(STANDS_OUT, "related"), (STANDS_OUT - 0.01, "weak")])
def test_by_words_alone_only_a_value_that_stands_out_is_related(value: float, kind: str) -> None:
    a, b = "He wound the clockwork every four hours of the night.", "Bread was dear that year."
    one, other = colde.read_text(a), colde.read_text(b)
    pair = Span(0, len(a)), Span(0, len(b)), value
    assert match_by_words(one, other)(*pair) == kind
    assert Match("tfidf", Passage(0, 1), Passage(0, 1), value, kind).stands_out == (kind == "related")
    assert match_by_words(one, other, "same topic")(*pair) == "same topic"


BEFORE = "The council of the harbour town met on Monday and spoke for an hour about the price of bread."
SHARED = (
    "The keeper of the northern lighthouse trimmed the wick of the lamp every night at nine.",
    "Every morning he wrote the direction of the wind and the height of the waves into a blue book.",
)
AFTER = "A train with forty wagons of timber left the station for the mill in the valley."


def document(*parts: str) -> Document:
    return colde.read("\n\n".join(("# Title", "## First", BEFORE, *parts, AFTER)).encode(), name="x.md")


@pytest.mark.parametrize("heading_in_both", [False, True])
def test_a_passage_runs_over_a_heading_only_where_both_do(heading_in_both: bool) -> None:
    one = document(SHARED[0], "## Second", SHARED[1])
    other = document(SHARED[0], *(["## Another"] if heading_in_both else []), SHARED[1])
    encodings = models.load("colde").encode([one, other])
    pairs = passage_matching._PassagePair(*encodings, packaged=True)
    left, right = pairs._extent(1, 1)
    assert SHARED[0] in one.text[left.start : left.end] and SHARED[0] in other.text[right.start : right.end]
    assert (SHARED[1] in one.text[left.start : left.end]) == heading_in_both
    assert (SHARED[1] in other.text[right.start : right.end]) == heading_in_both


TABLE = "| Item | Fee |\n| --- | --- |\n| Oil | 40 |\n| Wick | 5 |"


def test_no_passage_runs_over_a_heading_and_a_table_before_it() -> None:
    one, other = (document(SHARED[0], TABLE, f"## {name}", SHARED[1]) for name in ("Second", "Another"))
    pairs = passage_matching._PassagePair(*models.load("colde").encode([one, other]), packaged=True)
    for text, passage in zip((one.text, other.text), pairs._extent(1, 1), strict=True):
        assert SHARED[0] in text[passage.start : passage.end]
        assert "Oil" not in text[passage.start : passage.end]


def test_a_document_without_long_sentences_has_no_passages() -> None:
    words = " ".join(f"Tide {i}." for i in range(40))
    c = colde.compare(colde.read_text(words), colde.read_text(words), ["colde"])
    assert np.isnan(c.maps["colde"]["passages"].values).all()
    assert "null" in c.to_json() and "NaN" not in c.to_json()


def test_windows_in_texts_with_many_headings_end_somewhere() -> None:
    """A window whose middle sentence is less similar than its outer ones still has sentences beside a heading."""
    random = np.random.default_rng(0)
    words = f"{SUBJECTS['tides']} {SUBJECTS['bread']}".split()

    def text() -> str:
        parts = []
        for k in range(25):
            if random.random() < 0.5:
                parts.append(f"# Part {k}")
            parts.append(" ".join(random.choice(words, 9)).capitalize() + ".")
        return "\n\n".join(parts)

    known = over_drawn_states()["colde"]
    for _ in range(12):
        a, b = (colde.read_text(text()) for _ in range(2))
        for match in known.match(*known.encode([a, b])).evidence:
            assert match.a.start < match.a.end and match.b.start < match.b.end


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
    assert passage_matching._are_versions(one, two)
    assert not passage_matching._are_versions(one, other)
