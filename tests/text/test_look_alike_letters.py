"""Letters of other alphabets inside words: which are read as Latin ones, and which stay."""

from __future__ import annotations

import random
import unicodedata

import pytest

from colde.text.characters.look_alike_letters import _SAME_SHAPE, read_in_one_script, script_of

CONTRACT = (
    "The supplier shall deliver the goods to the yard of the buyer within thirty days of the order. If a delivery is "
    "late by more than a week, the buyer may cancel it and keep one tenth of the price. Neither party is liable for "
    "a delay that comes from a strike, a flood or an act of the state."
)
ESSAY = (
    "I grew up beside a canal that no boat had used for a century. Every spring the council sent two men to cut the "
    "reeds, and every autumn the reeds were back. A canal, my aunt used to say, is a promise that a town makes to "
    "its grandchildren and then forgets."
)
PATENT = (
    "The coupling comprises a sleeve and a pin that is spring loaded against the sleeve. When the shaft turns in the "
    "first direction, the pin slides over the teeth; in the opposite direction it catches and carries the load."
)
NEWS = (
    "The bridge over the Orrin will be closed for six weeks from Monday, the council said. Buses will stop at the "
    "old mill, and a boat will take walkers across every half hour. Shopkeepers fear for their trade in Easter week."
)
GENRES = {"contract": CONTRACT, "essay": ESSAY, "patent": PATENT, "news": NEWS}
CYRILLIC = str.maketrans("aceopxyijsABEKMHOPCTX", "асеорхуіјѕАВЕКМНОРСТХ")
GREEK = str.maketrans("oABEHIKMNOPTXYZ", "οΑΒΕΗΙΚΜΝΟΡΤΧΥΖ")
GREEK_SYMBOLS = str.maketrans("oaivpuABEHIKMNOPTXYZ", "οαινρυΑΒΕΗΙΚΜΝΟΡΤΧΥΖ")
ARMENIAN = str.maketrans("oqnuhgSO", "օզոսհցՏՕ")
CHEROKEE = str.maketrans("TACEDGHKLMPRSWZ", "ᎢᎪᏟᎬᎠᏀᎻᏦᏞᎷᏢᎡᏚᎳᏃ")
SMALL_CAPITALS = CYRILLIC | str.maketrans("kmt", "кмт")


def exchange(text: str, letters: dict[int, int], share: float, seed: int = 3) -> str:
    """The text with this share of the letters that have a look-alike exchanged for it."""
    chance = random.Random(seed)
    return "".join(c.translate(letters) if chance.random() < share else c for c in text)


@pytest.mark.parametrize("genre", GENRES)
@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
@pytest.mark.parametrize(
    "letters",
    [CYRILLIC, GREEK, ARMENIAN, CHEROKEE, SMALL_CAPITALS],
    ids=["cyrillic", "greek", "armenian", "cherokee", "small-capitals"],
)
def test_exchanged_letters_are_read_as_latin(genre: str, share: float, letters: dict[int, int]) -> None:
    text = GENRES[genre]
    assert read_in_one_script(exchange(text, letters, share)) == text


@pytest.mark.parametrize("genre", GENRES)
def test_greek_letters_of_formulas_are_read_as_latin_where_many_are_exchanged(genre: str) -> None:
    text = GENRES[genre]
    assert read_in_one_script(exchange(text, GREEK_SYMBOLS, 1.0)) == text


def test_letters_of_two_alphabets_in_one_word() -> None:
    assert read_in_one_script("The hοllоw tree") == "The hollow tree"


@pytest.mark.parametrize(
    "text",
    [
        "An α-particle meets β-carotene; 5 µm, 3 μm, 4 kΩ, ΔT, Δt, ΔH, TNFα, IFNγ, NF-κB, ρgh, αv, sinα and γδ T.",
        "The terms α, ν, ρ and ι are small, Ω is not, and χ² is 3.1 for the integrin αvβ3.",
        "Она сказала: «Сор вынес рос», а он ответил: сто раз.",
        "Η Αθήνα είναι η πρωτεύουσα της Ελλάδας και το μεγαλύτερο λιμάνι.",
        "The painter Наташа Орлова was born in Сорока, a town of brick.",
        "He wrote “Рос сор у реки” on the wall, and left.",
        "Он купил iPhone и USB-кабель, PDF открыл в Word, а SMS не получил.",
        "Հայաստանը Եվրոպայում է և Ասիայում։",
        "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ is written in its own letters.",
        "Straße, naïve, café, Łódź, Đorđe, İstanbul, Þór and ŋ.",
        "日本語の文章 and 한국어 text.",
        "сор",
    ],
)  # fmt: skip
def test_words_that_are_what_they_look_like_stay(text: str) -> None:
    assert read_in_one_script(text) == text


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Mосква и Kиев — большие гoрода, а рeка широкa.", "Москва и Киев — большие города, а река широка."),
        ("Η Aθήνα και οι δρόμοι της πόλης Kόρινθος", "Η Αθήνα και οι δρόμοι της πόλης Κόρινθος"),
    ],
)
def test_latin_letters_in_a_word_of_another_alphabet(written: str, read: str) -> None:
    assert read_in_one_script(written) == read


def test_a_word_of_look_alike_letters_is_read_by_the_words_around_it() -> None:
    assert read_in_one_script("The сор stood at the corner.") == "The cop stood at the corner."
    assert read_in_one_script("Вдоль стены лежал сор, а за ней росла трава.").count("сор") == 1


@pytest.mark.parametrize("script", _SAME_SHAPE)
def test_the_table_of_letters_is_sound(script: str) -> None:
    letters, latin = _SAME_SHAPE[script]
    assert len(letters) == len(latin) == len(set(letters))
    assert latin.isascii() and latin.isalpha()
    assert {script_of(letter) for letter in letters} == {script}
    assert all(unicodedata.category(letter).startswith("L") for letter in letters)


def test_many_words_without_surroundings_take_little_time() -> None:
    text = "сор " * 50_000
    assert read_in_one_script(text) == text
