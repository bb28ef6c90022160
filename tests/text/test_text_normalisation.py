"""The normal form of a text, and the way back to the text as written."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from colde.text.characters.text_normalisation import NormalisedText, normalise_text
from tests.text.source_map import source_text, to_source

SENTENCE = "The official café found five flat ships off the coast of Réunion."
WRITTEN = {
    "soft hyphens": SENTENCE.replace("ffi", "f\u00adfi").replace("coast", "co\u00adast"),
    "marks of broken words": SENTENCE.replace("official", "offi\u00ad cial")
    .replace("Réunion", "Réu¬ nion")
    .replace("found", "fo¬und"),
    "decomposed accents": unicodedata.normalize("NFD", SENTENCE),
    "ligatures": SENTENCE.replace("ffi", "ﬃ").replace("fi", "ﬁ").replace("fl", "ﬂ").replace("ff", "ﬀ"),
    "look-alike letters": SENTENCE.replace("o", "о").replace("a", "а").replace("c", "с"),
    "zero-width characters": "\u200b".join(SENTENCE.replace(" ", " \u2060")),
    "wide letters": "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalpha() else c for c in SENTENCE),
    "mathematical letters": SENTENCE.replace("f", "𝐟").replace("e", "𝑒").replace("h", "ℎ"),
    "odd spaces": SENTENCE.replace(" ", "\u00a0"),
    "marks of direction": "\u202a" + SENTENCE.replace(" o", "\u200e o") + "\u202c",
    "tags": SENTENCE.replace("five", "five" + "".join(chr(0xE0000 + ord(c)) for c in "hidden")),
    "variation selectors": SENTENCE.replace("s", "s\ufe01"),
}
PIECES = st.sampled_from(
    [*"aeo bTi\n", *"аеоркАн", *"αοΑΗΔ", "hоllow ", "Москва ", "the ", "\u200b", "\u00ad", "\ufeff", "\u0301", "\u0344",
     "ﬁ", "ﬃ", "é", "ｆ", "𝐚", "ℝ", "ℎ", "\u00a0", "\u200d", "\u200c", "👩", "🚀", "\ufe0f", "1", "\u20e3", "🏴",
     "\U000e0067", "\u3164", "각", "\u1100", "\u1161", "\u11a8", "می", "ⓐ", "Ⅳ", "¬", "ﷺ", "\u2011", "\u0915", "\u093c",
     "Å"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=40).map("".join)


@pytest.mark.parametrize("way", WRITTEN)
def test_the_same_sentence_typed_in_other_ways(way: str) -> None:
    assert WRITTEN[way] != SENTENCE
    normalised = normalise_text(WRITTEN[way])
    assert normalised.text == SENTENCE
    assert source_text(SENTENCE, normalised.replacements) == WRITTEN[way]


@pytest.mark.parametrize(
    "text",
    [
        "If ¬p or p ∧ ¬q, then A¬B.",
        "Plain words, 1,200 of them; a 'quoted' one.",
        "“Quotes” – dashes — and … signs: naïve café, 5 µm, 3 Ω, H₂O, m², ½, ①, ℝ and № 4.",
        "👩‍🚀 and ❤️‍🔥, 1️⃣, ☎️ and 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f stay whole.",
        "او می‌خواهد به خانه برود.",
        "क्‍ष and ক্‌ষ are written with joiners.",
        "日本語の文章、全角の句読点。「引用」！",
        "각 나라의 말",
        "Он сказал: «Да».",
        "שלום עולם",
    ],
)
def test_text_in_normal_form_stays(text: str) -> None:
    assert normalise_text(text) == NormalisedText(text)


def test_ascii_is_returned_as_it_is() -> None:
    text = "The keeper trimmed the wick. " * 1000
    assert normalise_text(text).text is text


def test_invisible_characters_leave_no_double_or_outer_spaces() -> None:
    assert normalise_text("\ufeffone \u200b two\u200b\n\u200b three \u2060").text == "one two\nthree"


def test_offsets_in_both_directions() -> None:
    written = "Die Kü\u00adste ﬁndet Sеgel."
    normalised = normalise_text(written)
    assert normalised.text == "Die Küste findet Segel."
    at = normalised.text.index("Segel")
    assert to_source(normalised.replacements, at) == written.index("S")
    assert to_source(normalised.replacements, at + 2) == written.index("S") + 2  # behind the exchanged letter
    assert normalised.from_source([0, written.index("ﬁ"), len(written)]) == [0, 10, len(normalised.text)]


@given(TEXTS)
def test_the_text_as_written_can_be_restored(text: str) -> None:
    normalised = normalise_text(text)
    assert source_text(normalised.text, normalised.replacements) == text


@given(TEXTS)
def test_a_second_time_changes_nothing(text: str) -> None:
    once = normalise_text(text).text
    assert normalise_text(once) == NormalisedText(once)
    assert unicodedata.is_normalized("NFC", once)


@given(TEXTS)
def test_the_maps_rise_and_agree(text: str) -> None:
    normalised = normalise_text(text)
    there = [to_source(normalised.replacements, i) for i in range(len(normalised.text) + 1)]
    back = normalised.from_source(range(len(text) + 1))
    assert there == sorted(there)
    assert back == sorted(back)
    assert back[0] == 0
    assert back[-1] == len(normalised.text)
    inside = {i for r in normalised.replacements for i in range(r.start + 1, r.end)}
    edges = [i for i in range(len(normalised.text) + 1) if i not in inside]
    assert [back[there[i]] for i in edges if normalised.text] == (edges if normalised.text else [])


@given(TEXTS)
def test_what_is_not_replaced_is_the_same_passage_in_both_texts(text: str) -> None:
    normalised = normalise_text(text)
    end = 0
    for replacement in normalised.replacements:
        assert end <= replacement.start
        start = to_source(normalised.replacements, end)
        kept = normalised.text[end : replacement.start]
        assert text[start : start + len(kept)] == kept
        end = replacement.end
