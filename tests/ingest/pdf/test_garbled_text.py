"""Garbled text layers: signs that are each too weak say it together, and clean pages of any kind are left alone."""

from __future__ import annotations

import importlib
import random
import string
from collections.abc import Callable
from pathlib import Path

import pytest

from colde.ingest.pdf.opening.garbled_text import UNSURE, garbled_pages, garbling_score
from tests.ingest.pdf_samples.prose import paragraph

LANGUAGES = "de el ru zh ja ar fr fi pl vi tr hu he hi ko cs yo eu"
PROSE = " ".join(paragraph(n, 12) for n in range(4))


def sentences(language: str) -> str:
    """Example sentences of spaCy, until there is a page of them."""
    text = " ".join(importlib.import_module(f"spacy.lang.{language}.examples").sentences)
    return " ".join([text] * (1 + 1_000 // len(text)))


def chance(alphabet: str, lengths: range, seed: int = 0) -> str:
    rng = random.Random(seed)
    return " ".join("".join(rng.choices(alphabet, k=rng.choice(lengths))) for _ in range(400))


CLEAN = {
    **dict.fromkeys(LANGUAGES.split(), ""),  # said when they are asked for: spaCy takes seconds to load them
    "numbers": " ".join(f"{random.Random(n).uniform(-99, 99):.2f}" for n in range(400)),
    "numbers whose minus is lost": " ".join(f"\ufffd{n / 7:.2f}" if n % 4 else f"{n}" for n in range(400)),
    "table": " ".join(["Mean", "SD", "0.34", "−0.03", "p<.05", "n.s.", "17", "***", "Model 3", "(1.2)"] * 40),
    "formulas": " ".join(
        ["∑", "= αx + β", "∫f(x)dx", "≤ λ", "∂n/∂t", "θ → ∞", "log(1 − p)", "∈ ℝⁿ", "𝑥²𝑦"] * 40
    ),
    "tall brackets": PROSE[:400] + " \uf8ee \uf8ef 24 392 \uf8f0 \uf8f9 \uf8fa \uf8fb" * 30,
    "dotted lines": "1.2 Methods ............................ 17 2 Results . . . . . . . . . . . . . . 21 "
    * 8,
    "source code": Path(__file__).read_text("utf-8"),
    "bases": chance("ACGT", range(60, 61)),
    "proteins": chance("ACDEFGHIKLMNPQRSTVWY", range(40, 60)),
    "base64": chance(string.ascii_letters + string.digits + "+/", range(70, 77)),
    "hexadecimal": chance("0123456789abcdef", range(16, 17)),
}


@pytest.mark.parametrize("name", CLEAN)
def test_clean_text_is_left_alone(name: str) -> None:
    most = 1.0 if name in ("numbers whose minus is lost", "source code") else UNSURE
    assert garbling_score(CLEAN[name] or sentences(name)) < most


def shifted(by: int) -> Callable[[str], str]:
    return lambda word: "".join(chr(ord(c) - by) if ord(c) - by > 32 else "\ufffd" for c in word)


def reordered(word: str) -> str:
    letters = string.ascii_lowercase
    other = "qmzkxvjwphgtbrncyflsdoaieu"
    return word.translate(str.maketrans(letters + letters.upper(), other + other.upper()))


def of_any_script(word: str) -> str:
    return "".join(chr(random.Random(ord(c)).randrange(0x21, 0x3000)) for c in word)


GARBLING: dict[str, Callable[[str], str]] = {
    "glyph numbers taken for characters": shifted(29),
    "shifted by one": shifted(1),
    "shifted into digits and signs": shifted(61),
    "letters in another order": reordered,
    "private use": lambda word: "".join(chr(0xF000 + ord(c)) for c in word),
    "no map at all": lambda word: "\ufffd" * len(word),
    "codes of any script": of_any_script,
}


@pytest.mark.parametrize("how", GARBLING)
def test_garbled_text_is_seen(how: str) -> None:
    assert garbling_score(" ".join(map(GARBLING[how], PROSE.split()))) >= 1


@pytest.mark.parametrize("language", ["de", "fr", "fi", "pl", "vi", "tr", "hu", "cs"])
@pytest.mark.parametrize("how", ["glyph numbers taken for characters", "letters in another order"])
def test_in_other_languages(how: str, language: str) -> None:
    assert garbling_score(" ".join(map(GARBLING[how], sentences(language).split()))) >= 1


@pytest.mark.parametrize(("language", "encoding"), [("ru", "cp1251"), ("el", "cp1253"), ("he", "cp1255")])
def test_another_alphabet_shown_as_accents(language: str, encoding: str) -> None:
    assert garbling_score(sentences(language).encode(encoding, "replace").decode("latin-1")) >= 1


@pytest.mark.parametrize("how", ["glyph numbers taken for characters", "private use", "no map at all"])
def test_where_every_second_word_is_garbled(how: str) -> None:
    words = PROSE.split()
    assert garbling_score(" ".join(GARBLING[how](w) if n % 2 else w for n, w in enumerate(words))) >= 1


@pytest.mark.parametrize("odd", [0.12, 0.15, 0.19])
@pytest.mark.parametrize("letters", [0.18, 0.2, 0.23])
def test_signs_that_are_each_too_weak(odd: float, letters: float) -> None:
    rng = random.Random(0)
    count = 1_200
    kinds = (
        ["\ufffd"] * int(odd * count)
        + rng.choices(string.ascii_letters, k=int(letters * count))
        + rng.choices(string.digits, k=int(0.3 * count))
    )
    kinds += rng.choices("$%&()*+,-./:;<=>?@[]", k=count - len(kinds))
    rng.shuffle(kinds)
    assert garbling_score(" ".join("".join(kinds[at : at + 5]) for at in range(0, count, 5))) >= 1


def test_short_pages_are_judged_together() -> None:
    slides = [" ".join(map(shifted(29), PROSE.split()[at : at + 20])) for at in range(0, 100, 20)]
    assert all(garbling_score(s) == 0 for s in slides)
    assert garbled_pages(slides) == ([0, 1, 2, 3, 4], [])
    assert garbled_pages([PROSE, "Thank you.", slides[0], PROSE]) == ([], [])


def test_a_page_garbled_in_part_is_named() -> None:
    words = PROSE.split()
    partly = " ".join(reordered(w) if n % 3 == 0 else w for n, w in enumerate(words))
    assert UNSURE <= garbling_score(partly) < 1
    assert garbled_pages([PROSE, partly, PROSE]) == ([], [1])
