"""Ends of passages within their first and last sentence."""

from __future__ import annotations

import pytest

import colde
from colde.passages.joining import Block
from colde.passages.sentence_words import SentenceWords
from colde.passages.word_ends import EndLimits, passage_spans
from tests.passages.made_seeds import seeds_of

LIMITS = EndLimits(long=12, fewest=5, cost=0.5)
SHARED = "keeper lights lamp tower every evening"
BEFORE = "Contents chapter figures tables index glossary appendix maps"
AFTER = "printed bound sold London harbour street number seven"
OTHER = f"Old {SHARED}. Other things follow there."


def passage(a: str, *pairs: tuple[int, int], b: str = OTHER, limits: EndLimits = LIMITS) -> tuple[str, str]:
    one, two = colde.read_text(a), colde.read_text(b)
    span_a, span_b = passage_spans(
        Block(seeds_of(*pairs), 1.0), SentenceWords.of(one), SentenceWords.of(two), limits
    )
    return one.text[span_a.start : span_a.end], two.text[span_b.start : span_b.end]


def test_a_long_sentence_is_cut_to_the_words_that_are_shared() -> None:
    text = f"{BEFORE} {SHARED} {AFTER}."
    assert passage(text, (0, 0)) == (SHARED, f"Old {SHARED}.")
    assert passage(OTHER, (0, 0), b=text) == (f"Old {SHARED}.", SHARED), "in both texts"


def test_the_first_sentence_loses_its_beginning_and_the_last_its_end() -> None:
    text = f"{SHARED} {AFTER}. {BEFORE} {SHARED}."
    assert passage(text, (0, 0), (1, 0))[0] == text, "neither end of the passage is foreign"
    text = f"{BEFORE} {SHARED}. Then {SHARED} {AFTER}."
    assert passage(text, (0, 0), (1, 0))[0] == f"{SHARED}. Then {SHARED}"


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        (f"Contents chapter {SHARED} one two three four five.", LIMITS),
        (f"{BEFORE} {SHARED}.", EndLimits(long=40, fewest=5, cost=0.5)),
        (f"{BEFORE} {SHARED}.", EndLimits(long=12, fewest=9, cost=0.5)),
    ],
    ids=["few words to cut", "a short sentence", "fewer words than the limit"],
)
def test_few_words_and_short_sentences_are_not_cut(text: str, limits: EndLimits) -> None:
    assert passage(text, (0, 0), limits=limits)[0].startswith(text.split()[0])


def test_stop_words_and_other_forms_of_a_word_do_not_end_a_passage() -> None:
    text = f"{BEFORE} keepers lighting lamp towers in the every evenings and of it."
    assert passage(text, (0, 0), b="Keeper lights lamp tower every evening lighting.")[0].startswith(
        "keepers"
    )
