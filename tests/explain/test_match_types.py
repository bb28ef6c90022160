"""Types of matches in other words, as the classified sentences decide them."""

from __future__ import annotations

import pytest
from colde.explain.match_types import LONG_TEXTS, with_sentence_kinds

from colde import read_text
from colde.results.match import STANDS_OUT, Match, Passage
from colde.results.shared_text import Kind, SentenceMatch, SentenceMatches
from colde.text.document import Span

DOCUMENT = read_text("The bell rang twice. The gate was shut. Nobody left the yard before dawn.")
STRONG, FAINT = STANDS_OUT + 0.01, STANDS_OUT - 0.01


def classified(match_kind: str, weight: float, sentences: SentenceMatches) -> Match:
    match = Match("colde", Passage(0, 40), Passage(10, 50), weight, match_kind)
    [after] = with_sentence_kinds([match], DOCUMENT, DOCUMENT, sentences)
    return after


def inside(kind: Kind, start: int = 0) -> SentenceMatches:
    return SentenceMatches((SentenceMatch(kind, Span(start, start + 20), Span(15, 40), 0.9),), pairs=12)


@pytest.mark.parametrize("weight", [STRONG, FAINT])
@pytest.mark.parametrize(("kind", "expected"), [("paraphrased", "reworded"), ("opposite", "opposite")])
def test_sentences_of_a_passage_decide_its_type(weight: float, kind: Kind, expected: str) -> None:
    after = classified("weak", weight, inside(kind))
    assert (after.kind, after.stands_out) == (expected, weight == STRONG)
    assert classified("edited", weight, inside(kind)).kind == "edited"


@pytest.mark.parametrize(("weight", "expected"), [(STRONG, "related"), (FAINT, "weak")])
@pytest.mark.parametrize("sentences", [inside("same subject"), inside("paraphrased", start=200)])
def test_without_paraphrases_a_passage_is_related_where_it_stands_out(
    weight: float, expected: str, sentences: SentenceMatches
) -> None:
    assert classified("reworded", weight, sentences).kind == expected


def test_in_long_texts_a_passage_that_stands_out_is_reworded() -> None:
    long = SentenceMatches((), pairs=LONG_TEXTS)
    assert [classified("reworded", weight, long).kind for weight in (STRONG, FAINT)] == ["reworded", "weak"]


def test_types_stay_where_paraphrases_were_not_searched() -> None:
    assert classified("reworded", FAINT, SentenceMatches((), ("edited",), "…")).kind == "reworded"
