"""Sentences of more than 120 words: cut at what a reader sees as a boundary, alike in every text, in linear time."""

from __future__ import annotations

import pytest

from colde.text.sentences.long_sentences import MAX_WORDS
from colde.text.sentences.sentence_splitter import split_sentences

CLAUSES = {
    "en": "the lamp on the pier is lit by hand; a boat waits outside; the doctor walks over when the tide is low; "
    "nobody locks a door there; people grow leeks between stone walls; a school stands near the shore",
    "de": "die lampe am steg wird angezündet; ein boot wartet draußen; der arzt kommt zu fuß wenn ebbe ist; niemand "
    "schließt dort eine tür ab; man pflanzt lauch zwischen mauern; die schule steht nahe am ufer",
    "cs": "lampa na molu se rozsvěcí ručně; člun čeká venku; lékař chodí pěšky; nikdo tam nezamyká dveře",
}
NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def endless(language: str, words: int) -> str:
    """Clauses one after the other, each with a number so that no two are the same, without marks."""
    clauses = CLAUSES[language].split("; ")
    return " ".join(" ".join(f"{clauses[i % len(clauses)]} {i}" for i in range(words)).split()[:words])


def pieces(text: str, language: str = "en") -> list[str]:
    return [text[s.start : s.end] for s in split_sentences(text, language)]


@pytest.mark.parametrize("language", CLAUSES)
def test_no_piece_is_too_long_or_tiny(language: str) -> None:
    found = pieces(endless(language, 900), language)
    assert " ".join(found) == endless(language, 900)
    assert all(5 <= len(piece.split()) <= MAX_WORDS for piece in found)


def test_a_sentence_of_120_words_stays_whole_and_one_among_others_is_cut() -> None:
    short, long = "She " + "very " * 118 + "left.", endless("en", 150).capitalize() + "."
    assert pieces(f"It rained. {short} He stayed.") == ["It rained.", short, "He stayed."]
    found = pieces(f"It rained. {long} He stayed.")
    assert found[0] == "It rained." and found[-1] == "He stayed." and len(found) > 4


def test_pieces_end_at_lines_and_semicolons_before_other_places() -> None:
    lines = "\n".join(f"{n} people came to the pier and looked at the boat with {n} lamps" for n in NUMBERS)
    for text in (lines, lines.replace("\n", "; ")):
        found = pieces(text)
        assert len(found) > 4 and all(piece.rstrip(";").endswith("lamps") for piece in found)


def test_the_same_passage_is_cut_alike_after_another_beginning() -> None:
    shared = endless("en", 600)
    other = "we talk about the weather of last year " * 7 + shared
    alike = set(pieces(shared)) & set(pieces(other))
    assert sum(len(piece) for piece in alike) > 0.85 * len(shared)


def test_text_without_spaces_is_cut_at_its_marks() -> None:
    clauses = [f"第{n}号の灯台は島の北にあり夜ごとに海を照らしている" for n in range(12)]
    assert pieces("、".join(clauses), "ja") == [c + "、" for c in clauses[:-1]] + clauses[-1:]
    assert max(map(len, pieces("".join(clauses) * 9, "ja"))) <= 2 * MAX_WORDS


@pytest.mark.parametrize("unit", ["a ", "word and ", "字", "ก็ดี", "foo, ", "x", "\u0301"])
def test_no_text_takes_quadratic_time(unit: str) -> None:
    text = unit * 50_000
    assert "".join("".join(pieces(text)).split()) == "".join(text.split())
