"""Which words of two passages answer each other."""

from __future__ import annotations

import pytest

import colde
from colde.encoders.encoder import shared_encoder
from colde.explain.word_alignment import with_aligned_words
from colde.results.match import Match, Passage
from colde.text.chunks import default_tokenizer
from colde.text.document import Document, Span

A = "The committee approved the budget after a long debate. Doctors treat it. Nobody read the gauge."
B = "Physicians waited. Following lengthy discussion, the budget was granted by the board."


def _evidence(a: Document, b: Document, kind: str) -> Match:
    return Match("m", Passage.at(a, Span(0, 72)), Passage.at(b, Span(0, len(B))), 0.8, kind)


def test_words_answer_each_other_by_sense() -> None:
    a, b = colde.read_text(A), colde.read_text(B)
    encoder, tokenizer = shared_encoder(), default_tokenizer()
    states = encoder.token_states
    found, copied = with_aligned_words(
        [_evidence(a, b, "reworded"), _evidence(a, b, "verbatim")], a, b, tokenizer, states
    )
    pairs = {a.text[w.a.start : w.a.end]: b.text[w.b.start : w.b.end] for w in found.words}
    assert pairs["budget"] == "budget" and pairs["Doctors"] == "Physicians"
    assert "the" not in pairs and "gauge" not in pairs
    assert [w.weight for w in found.words] == sorted((w.weight for w in found.words), reverse=True)
    assert copied.words == ()
    assert with_aligned_words([], a, b, tokenizer, states) == ()


def test_states_are_those_whose_mean_is_the_vector() -> None:
    encoder, tokenizer = shared_encoder(), default_tokenizer()
    from colde.text.chunks import frame_texts

    ids = frame_texts([A, "Go.", B], tokenizer)
    means = encoder.mean_states(sorted(ids, key=len, reverse=True))
    for vector, state in zip(means, sorted(encoder.token_states(ids), key=len, reverse=True), strict=True):
        assert state.mean(0) == pytest.approx(vector, abs=0.02)
