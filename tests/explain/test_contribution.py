"""What made a score: units of a document, and parts that add up on every level."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import colde
from colde import models
from colde.corpus.samples import sample_named
from colde.evaluation.model_contract import sample_pair
from colde.explain.contribution import Units, contribution_maps, default_units, units_of, word_shares
from colde.models.base import Matcher, ProfileAware
from colde.results.pair_result import PairResult
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Chunk, Document
from colde.text.sections.parts_without_headings import split_into_parts
from colde.text.word_weights.term_weights import counts

QUICK = ("tfidf", "bm25", "dssm", "arc_i")
"""Models that are tried on more documents; tests/models/test_contract.py tries all on one pair."""
WORDS = st.sampled_from(
    ["tide", "bar", "pilot", "wind", "harbour", "bread", "crust", "Ångström", "naïve", "漢字", "x1"]
)


@lru_cache
def load(name: str) -> Matcher:
    return models.load(name)


@lru_cache
def sample(key: str) -> tuple[Document, Document]:
    found = sample_named(key)
    return colde.read(found.a), colde.read(found.b)


def match(model: Matcher, a: Document, b: Document) -> PairResult:
    return model.match(*model.encode([a, b]))


def summed(fine: SimilarityMap, coarse: SimilarityMap) -> np.ndarray:
    """The finer values summed over the coarser map's passages, found by their offsets alone."""

    def place(spans: tuple, wholes: tuple) -> list[int]:
        found = [[k for k, w in enumerate(wholes) if w.start <= s.start < w.end] for s in spans]
        assert all(len(f) == 1 for f in found), "each passage lies in one of the next level"
        return [f[0] for f in found]

    total = np.zeros(coarse.values.shape)
    rows, columns = place(fine.rows, coarse.rows), place(fine.columns, coarse.columns)
    np.add.at(total, np.ix_(rows, columns), fine.values)
    return total


def check(result: PairResult, finest: str = "contribution_sentence") -> None:
    names = ["contribution_section", "contribution_chunk", "contribution_sentence"]
    found = [result.maps[n] for n in names if n in result.maps]
    assert finest in result.maps
    for m in found:
        assert m.role == "contribution" and m.scale == "diverging" and m.kind == "attribution"
        assert m.side == "across" and m.meaning.endswith(".") and np.isfinite(m.values).all()
        assert m.reference is not None and m.residual is not None
        whole = float(m.values.sum(dtype=np.float64)) + m.reference + m.residual
        assert whole == pytest.approx(result.score, abs=1e-6)
        assert abs(m.residual) <= 0.01 * abs(result.score) + 1e-4
    for coarse, fine in pairwise(found):
        np.testing.assert_allclose(summed(fine, coarse), coarse.values, atol=1e-4)


@pytest.mark.parametrize("name", QUICK)
def test_parts_add_up_on_real_pairs(name: str) -> None:
    check(match(load(name), *sample("lighthouse")))  # studies/explanations/completeness.py asks 200 pairs


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["papers", "textbooks"])
def test_parts_add_up_under_each_profile(profile: str) -> None:
    model = load("colde_words")
    assert isinstance(model, ProfileAware)
    check(match(model.for_profile(profile), *sample_pair()))


@pytest.mark.parametrize("name", QUICK)
def test_parts_are_exact_where_the_algebra_allows(name: str) -> None:
    result = match(load(name), *sample("banks"))
    exact = 1e-6 if name != "dssm" else 1e-2 * result.score  # dssm: integrated Jacobians
    assert abs(result.maps["contribution_section"].residual or 0.0) < exact


def test_a_shared_word_stands_where_it_is() -> None:
    a = colde.read_text(
        "# Sea\n\nThe harbour sleeps. A fresnel lens turns.\n\n# Land\n\nBread rises in ovens."
    )
    b = colde.read_text("# Light\n\nEvery keeper polishes the fresnel. Nobody else is awake at that hour.")
    found = match(load("tfidf"), a, b).maps["contribution_sentence"]
    i, j = np.unravel_index(np.argmax(found.values), found.values.shape)
    assert "fresnel" in a.text[found.rows[i].start : found.rows[i].end]
    assert "fresnel" in b.text[found.columns[j].start : found.columns[j].end]
    assert (found.values > 0).sum() == 1


def test_headings_have_cells_of_their_own() -> None:
    a = colde.read_text("# Refraction\n\nThe harbour sleeps at night.\n\n# Bread\n\nOvens are warm.")
    b = colde.read_text("Refraction bends it twice on the way.")
    found = match(load("tfidf"), a, b).maps["contribution_sentence"]
    read = [a.text[s.start : s.end] for s in found.rows]
    assert read == ["Refraction", "The harbour sleeps at night.", "Bread", "Ovens are warm."]
    assert found.values[0, 0] == pytest.approx(found.values.sum()) and found.values.sum() > 0


@given(st.lists(st.lists(WORDS, min_size=1, max_size=30), min_size=1, max_size=6), st.integers(3, 40))
@settings(max_examples=40)
def test_units_hold_every_character_once(sentences: list[list[str]], size: int) -> None:
    text = "".join(f"# {s[0]}\n\n{' '.join(s)}. {' '.join(reversed(s))}.\n\n" for s in sentences)
    document = colde.read_text(text)
    chunks = tuple(chunk for chunk in _cut(document, size))
    units = units_of(document, chunks)
    compared = "".join(document.text[s.start : s.end] for _, s in document.compared())
    assert "".join(units.texts()) == compared
    assert np.all(np.diff(units.starts) > 0) and len(units.texts()) == len(units)
    for span, chunk in zip(units.spans, units.chunk, strict=True):
        assert chunks[chunk].start <= span.start < span.end <= chunks[chunk].end
    # no word is lost or counted twice, though chunks end inside words
    np.testing.assert_allclose(counts(units.texts()).sum(0), counts([_lines(document)]).sum(0))
    held = np.asarray(word_shares(units).sum(0)).ravel()
    np.testing.assert_allclose(held[held > 0], 1.0)
    np.testing.assert_allclose(np.asarray(units.spread.sum(0)).ravel(), 1.0)
    assert units.of_chunks.sum() == len(units) and units.of_sections.sum() == len(chunks)


def _cut(document: Document, size: int) -> list[Chunk]:
    """Chunks of a few characters, wherever these end: harder than any tokenizer's."""
    found = []
    for index, section in document.compared():
        spots = [
            m.start() + section.start for m in re.finditer(r"\S", document.text[section.start : section.end])
        ]
        for at in range(0, len(spots), size):
            piece = spots[at : at + size]
            found.append(Chunk(piece[0], piece[-1] + 1, index, len(piece)))
    return found


def _lines(document: Document) -> str:
    return "\n".join(document.text[s.start : s.end] for _, s in document.compared())


@given(st.data())
@settings(max_examples=15)
def test_parts_add_up_on_any_documents(data: st.DataObject) -> None:
    def document() -> Document:
        sections = data.draw(st.lists(st.lists(WORDS, min_size=1, max_size=25), min_size=1, max_size=4))
        headed = data.draw(st.booleans())
        parts = [f"{'# ' + s[0] if headed else ''}\n\n{' '.join(s)}. {s[-1]} {s[0]}.\n\n" for s in sections]
        return split_into_parts(colde.read_text("".join(parts)))

    a, b = document(), document()
    for name in ("tfidf", "bm25"):
        check(match(load(name), a, b))


@pytest.mark.parametrize("name", ["dssm", "arc_i"])
def test_networks_add_up_on_short_and_odd_documents(name: str) -> None:
    texts = ("Tide.", "漢字仮名交じり文です。", "tide " * 3000, "# A\n\nx\n\n# B\n\nPilots wait.")
    for text in texts:
        result = match(load(name), colde.read_text(text), sample("lighthouse")[1])
        if result.maps.keys() & {"contribution_section"}:
            check(result)


def test_a_document_without_text_has_no_parts() -> None:
    nothing = Document("", ())
    assert len(default_units(nothing)) == 0 and default_units(nothing).texts() == []
    assert (
        contribution_maps(default_units(nothing), default_units(sample("lighthouse")[0]), [], 0.0, "Nothing.")
        == {}
    )


def test_many_sentences_stop_at_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many sentences for a map: chunks and sections are the same as they would be with it."""
    whole = match(load("tfidf"), *sample("lighthouse")).maps
    monkeypatch.setattr("colde.alignment.sentence_similarity.MOST_PAIRS", 100)
    maps = match(load("tfidf"), *sample("lighthouse")).maps
    assert "contribution_sentence" in whole and "contribution_sentence" not in maps
    for name in ("contribution_chunk", "contribution_section"):
        np.testing.assert_allclose(maps[name].values, whole[name].values, atol=1e-6)


def test_a_unit_of_a_place() -> None:
    document = colde.read_text("# Tide\n\nIt comes in. Pilots wait.\n\n# Bread\n\nIt rises.")
    units: Units = default_units(document)
    of = [document.text.index(w) for w in ("Tide", "comes", "Pilots", "wait", "rises")]
    assert units.at(of).tolist() == [0, 1, 2, 2, 4]
