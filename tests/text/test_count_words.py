"""One count of words: of a document, of the words that are compared, and of the shares of a text."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import colde
from colde.alignment.shared_runs import compared_words
from colde.passages.find_passages import find_passages
from colde.results.shared_text import SentenceMatches
from colde.text.document import Document, Section
from colde.text.words import count_words

PIECES = [
    "tide",
    "well-known",
    "it's",
    "3.5",
    "–",
    "(",
    "A/B",
    "灯",
    "塔",
    "ไทย",
    "Python",
    "\u200c",
    "\u0301",
    " ",
    "\n",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def document(*texts: str) -> Document:
    """A document with one section for each text."""
    sections, at = [], 0
    for text in texts:
        sections.append(Section(at, at + len(text)))
        at += len(text) + 1
    return Document("\n".join(texts), tuple(sections))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("It's a well-known fact – 3.5 %.", 7),
        ("灯塔在夜里转动。", 3),
        ("灯塔 在 夜里", 2),
        ("用Python和Java编程", 3),
        ("قایق\u200cها هر شب", 3),
        ("", 0),
    ],
)
def test_words_stand_between_blanks_and_characters_without_blanks_are_halves(text: str, count: int) -> None:
    assert count_words(text) == count == document(text).words()


@given(TEXTS, TEXTS)
@example("– tide", "灯 –")
@example("日\u0301", "\u200c日\u200c")
def test_the_compared_words_are_those_of_the_document(first: str, second: str) -> None:
    found = document(first, second)
    words = compared_words(found)
    assert not words.names or int(words.count) == found.words()


def test_a_share_is_a_number_of_words_of_the_document() -> None:
    copied = "the well-known state-of-the-art lamp of A/B turns – it's 3.5 m high"
    a = colde.read_text(f"We know that {copied}. Its keeper – who else? – sleeps.")
    b = colde.read_text(f"Once more: {copied}, they say.")
    shared = find_passages(a, b, SentenceMatches(()))
    assert shared is not None and (shared.words_a, shared.words_b) == (a.words(), b.words()) == (22, 16)
    (passage,) = shared.passages
    assert passage.words == {"a": 3 + 12, "b": 2 + 12 + 2}
    assert shared.a["identical"] == pytest.approx(12 / 22) and shared.b["identical"] == pytest.approx(12 / 16)
    assert sum(s.words for s in shared.stretches["a"]) == 22
