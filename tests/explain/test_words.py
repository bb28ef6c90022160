"""Words of two texts: those that add most to a score, and those that match."""

from __future__ import annotations

import pytest

import colde
from colde.encoders.encoders_by_name import shared_encoder
from colde.models import load
from colde.models.colde_words.mixture_matcher import ColdeWords, ColdeWordsEncoding
from colde.passages.word_alignment import with_aligned_words
from colde.results.shared_text import Part, PassageKind, SharedPassage
from colde.text.chunks import default_tokenizer
from colde.text.document import Span
from colde.text.word_weights.term_weights import bucket
from studies.encode_texts import frame_texts

A = "# Lamps\n\nThe prism bends light. Fresnel ground a prism for each lamp, and keepers trimmed the lamp at dusk.\n"
B = "# Lenses\n\nA prism turns the beam of a lamp. Fresnel rings save glass and weight in every tower.\n"


@pytest.mark.parametrize("name", ["tfidf", "bm25"])
def test_parts_of_all_words_are_the_score(name: str) -> None:
    model = load(name)
    a, b = model.encode([colde.read_text(A * 3), colde.read_text(B * 3)])
    found = model.match(a, b)
    assert sum(w.part for w in found.words) == pytest.approx(found.score, rel=1e-4)
    assert [w.part for w in found.words] == sorted((w.part for w in found.words), reverse=True)
    for w in found.words:
        assert w.word in a.document.text[w.a.start : w.a.end].lower()
        assert w.word in b.document.text[w.b.start : w.b.end].lower()
    assert {"prism", "fresnel", "lamp"} <= {w.word for w in found.words}


@pytest.mark.slow
def test_trained_words_count_with_plain_ones() -> None:
    model = load("colde_words")
    assert isinstance(model, ColdeWords)
    one = colde.read_text(A * 3)
    a, b = model.encode([one, one])
    parts = {p.name: p.weight for p in model.match(a, b).parts}
    found = model.match(a, b).words
    assert isinstance(a, ColdeWordsEncoding)
    rows = a.words.tfidf
    for w in found[:3]:
        exact = float(rows[0, bucket(w.word)]) ** 2 * parts["words"]
        assert w.part >= exact  # the trained vector of a word with itself adds to it
    assert sum(w.part for w in found) < model.match(a, b).score


def test_a_comparison_says_them() -> None:
    found = colde.compare(colde.read_text(A * 3), colde.read_text(B * 3), models="tfidf").to_dict()
    (model,) = found["models"]
    assert set(model["words"][0]) == {"word", "part", "a", "b"}


COMMITTEE = "The committee approved the budget after a long debate. Doctors treat it. Nobody read the gauge."
BOARD = "Physicians waited. Following lengthy discussion, the budget was granted by the board."


def _passage(kind: PassageKind) -> SharedPassage:
    a, b = Span(0, 72), Span(0, len(BOARD))
    return SharedPassage(kind, a, b, {"a": 12, "b": 12}, 0.8, parts=(Part(kind, a, b),))


def test_words_answer_each_other_by_sense() -> None:
    a, b = colde.read_text(COMMITTEE), colde.read_text(BOARD)
    encoder, tokenizer = shared_encoder(), default_tokenizer()
    states = encoder.token_states
    found, edited = with_aligned_words([_passage("paraphrased"), _passage("edited")], a, b, tokenizer, states)
    pairs = {a.text[w.a.start : w.a.end]: b.text[w.b.start : w.b.end] for w in found.aligned}
    assert pairs["budget"] == "budget" and pairs["Doctors"] == "Physicians"
    assert "the" not in pairs and "gauge" not in pairs
    assert [w.weight for w in found.aligned] == sorted((w.weight for w in found.aligned), reverse=True)
    assert edited.aligned == ()
    assert with_aligned_words([], a, b, tokenizer, states) == ()


def test_states_are_those_whose_mean_is_the_vector() -> None:
    encoder, tokenizer = shared_encoder(), default_tokenizer()
    ids = frame_texts([COMMITTEE, "Go.", BOARD], tokenizer)
    means = encoder.mean_states(sorted(ids, key=len, reverse=True))
    for vector, state in zip(means, sorted(encoder.token_states(ids), key=len, reverse=True), strict=True):
        assert state.mean(0) == pytest.approx(vector, abs=0.02)
