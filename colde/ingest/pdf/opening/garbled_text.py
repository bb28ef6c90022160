"""Text layers whose fonts do not say which letters they show.

Such a layer has characters that stand for none, letters that never follow one another in any language, words of
several scripts, and signs where letters should be. Each of these is measured as a share of what alone would be proof;
a page is garbled where the sum reaches 1. docs/log/reading.md has the figures, which
`studies/reading/garbled_text.py` measures again.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from colde.ingest.pdf.characters.letter_bigrams import LETTERS, WORD_EDGE, is_unlikely_word
from colde.ingest.pdf.words.page import Page, Word
from colde.ingest.shared.page_warnings import page_warning, pages_phrase
from colde.text.characters.look_alike_letters import read_in_one_script
from colde.text.document import ReadWarning
from colde.text.word_lists.stop_words import words

UNSURE = 0.6  # clean pages reach 0.45
_PROOF_NOT_CHARACTERS = 0.15  # share of characters that stand for none; clean pages reach 0.04
# Share of the letters, in words no language would make; clean pages reach 0.17, source code 0.26
_PROOF_UNLIKELY = 0.35
_PROOF_MIXED = 0.3  # share of neighbouring letters that are of two scripts; clean pages reach 0.01
_PROOF_ACCENTED = 0.7  # share of Latin letters beyond a to z; Vietnamese and Yoruba reach 0.32
_USUAL_ACCENTED = 0.4
_PROOF_SIGNS = 0.6  # share of signs other than ∑, ≤, →; formulas reach 0.31, source code 0.30
_USUAL_SIGNS = 0.35
_PROOF_BROKEN = 0.9  # share of characters in strings that are neither words nor numbers; beside odd ones
_USUAL_BROKEN = 0.4
_SHORT_SIGNS = 2  # characters of a lone sign: an operator, a dash
_SOME_NOT_CHARACTERS = 0.03
_MIN_CHARACTERS = 200  # characters below which a page is not judged by itself
_SAMPLE_CHARACTERS = 2_500  # characters looked at, from all over the page
_MIN_LETTERS = 150  # Latin letters in words, below which chance decides
_LONG_STRINGS = 15  # characters; strings longer than this on average are sequences or code, not words
_FEW_LETTERS = 12  # different ones; with fewer it is a sequence of bases, or hexadecimal
_LEADER = re.compile(r"[.·…_=*~-]{3,}|(?<!\S)[.·…_=*~-](?!\S)")  # dotted lines and rules
_WORD = re.compile(f"[{LETTERS}]{{4,}}")
_NUMBER = re.compile(r"[\d.,:/−–-]+")
_BRACKETS = range(0xF8E6, 0xF8FF)  # private use by Adobe's agreement: pieces of tall brackets
_EAST_ASIAN = words("CJK HIRAGANA KATAKANA KATAKANA-HIRAGANA HANGUL BOPOMOFO IDEOGRAPHIC FULLWIDTH")
_MIN_FONT_CHARACTERS = 100  # of a font in a document, below which it is not judged
_PROOF_FONT = 1.3  # the score from which on a font is garbled; a font has less text than a page
_MOST_OF_PAGE = 0.85  # of the characters; with more in garbled fonts, the page is judged as a whole


def garbled_pages(texts: Sequence[str]) -> tuple[list[int], list[int]]:
    """Positions of the pages whose text is signs without meaning, and of those where part of it may be.

    Pages of under 200 characters are judged together.
    """
    short = [i for i, text in enumerate(texts) if len("".join(text.split())) < _MIN_CHARACTERS]
    together = garbling_score(" ".join(texts[i] for i in short))
    of_short = dict.fromkeys(short, together)
    scores = [of_short[i] if i in of_short else garbling_score(text) for i, text in enumerate(texts)]
    bad = [i for i, value in enumerate(scores) if value >= 1]
    return bad, [i for i, value in enumerate(scores) if UNSURE <= value < 1]


def garbling_score(text: str, least: int = _MIN_CHARACTERS) -> float:
    """The sum of all signs of garbling in the text of a page; from 1 on it is none.

    Args:
        least: characters below which the score is 0.
    """
    strings = _sample_strings(read_in_one_script(text).split())  # exchanged letters are no garbling
    character_counts = Counter("".join(strings))
    count = character_counts.total()
    if count < least:
        return 0.0
    not_characters = sum(n for c, n in character_counts.items() if is_not_a_character(c)) / count
    signs = sum(n for c, n in character_counts.items() if _is_sign(c)) / count
    total = not_characters / _PROOF_NOT_CHARACTERS + _excess(signs, _USUAL_SIGNS, _PROOF_SIGNS)
    letters = min(_MIN_LETTERS, 0.75 * least)
    total += _mixed_script_score(strings, character_counts) + _latin_score(
        strings, character_counts, not_characters, letters
    )
    if not_characters >= _SOME_NOT_CHARACTERS:  # alone it would be source code
        broken = sum(len(s) for s in strings if not _is_word_or_number(s)) / count
        total += _excess(broken, _USUAL_BROKEN, _PROOF_BROKEN)
    return total


@lru_cache(maxsize=4096)
def is_not_a_character(character: str) -> bool:
    """Private use, replacement, control, and what Unicode will never assign."""
    if ord(character) in _BRACKETS:
        return False
    return character == "\ufffd" or unicodedata.category(character) in ("Cc", "Co", "Cs", "Cn")


def _sample_strings(strings: Sequence[str]) -> list[str]:
    """Strings from all over the page, without dotted lines and rules, which say nothing."""
    strings = _LEADER.sub(" ", " ".join(strings)).split()
    step = max(1, sum(map(len, strings)) // _SAMPLE_CHARACTERS)
    return strings[::step] if len(strings) > step else list(strings)


def _latin_score(
    strings: Sequence[str], character_counts: Counter[str], not_characters: float, least: float
) -> float:
    """What Latin letters say: are there words that no language would make, or accents all over?"""
    latin = {
        c: n
        for c, n in character_counts.items()
        if c.isalpha() and (c < "\u0250" or "\u1e00" <= c < "\u1f00")
    }
    letters = sum(latin.values())
    if letters < max(least, 0.3 * character_counts.total()):
        return 0.0
    accented = sum(n for c, n in latin.items() if c > "\x7f") / letters
    score = _excess(accented, _USUAL_ACCENTED, _PROOF_ACCENTED)
    runs = _WORD.findall(_without_accents(" ".join(strings)))
    letters = sum(map(len, runs))
    ordinary = (
        character_counts.total() / len(strings) <= _LONG_STRINGS or not_characters >= _SOME_NOT_CHARACTERS
    )
    if letters >= least and ordinary and len(set("".join(runs))) >= _FEW_LETTERS:
        score += sum(len(w) for w in runs if is_unlikely_word(w)) / letters / _PROOF_UNLIKELY
    return score


def _without_accents(text: str) -> str:
    text = text.lower()
    if text.isascii():
        return text
    return "".join(
        c for c in unicodedata.normalize("NFD", text) if c.isascii() or not unicodedata.combining(c)
    )


def _mixed_script_score(strings: Sequence[str], character_counts: Counter[str]) -> float:
    """How often letters of two scripts are neighbours; words of one script beside words of another do no harm."""
    if len({_script(c) for c in character_counts if _is_letter_or_mark(c)} - {None}) < 2:
        return 0.0
    pairs = changes = 0
    for string in strings:
        for a, b in pairwise(map(_script, filter(_is_letter_or_mark, string))):
            pairs += 1
            changes += a != b and a is not None and b is not None
    return changes / max(pairs, 0.3 * character_counts.total()) / _PROOF_MIXED


@lru_cache(maxsize=4096)
def _script(character: str) -> str | None:
    """The first word of the character's name; those of East Asia are one, marks and the letters of formulas any."""
    if unicodedata.category(character)[0] == "M" or unicodedata.decomposition(character).startswith("<"):
        return None
    first = unicodedata.name(character, WORD_EDGE).split()[0]
    return "EAST" if first in _EAST_ASIAN else first


def _is_sign(character: str) -> bool:
    kind = unicodedata.category(character)
    return kind[0] in "PS" and not (kind == "Sm" and character > "\x7f")


@lru_cache(maxsize=4096)
def _is_letter_or_mark(character: str) -> bool:
    return unicodedata.category(character)[0] in "LM"


def _is_word_or_number(string: str) -> bool:
    """Whether a string is a word or a number, with odd characters and signs around it left out."""
    if string.isalpha() or string.isdigit():
        return True
    core = [c for c in string if not is_not_a_character(c)]
    inside = [i for i, c in enumerate(core) if _is_letter_or_mark(c) or c.isdigit()]
    if not inside:
        return len(core) <= _SHORT_SIGNS
    core = core[inside[0] : inside[-1] + 1]
    if _NUMBER.fullmatch("".join(core)):
        return True
    return all(_is_letter_or_mark(c) or c in "-'’‐" for c in core) or any(_script(c) == "EAST" for c in core)


def _excess(share: float, usual: float, proof: float) -> float:
    return max(0.0, share - usual) / (proof - usual)


def skip_garbled_fonts(pages: Sequence[Page]) -> Iterator[ReadWarning]:
    """Take the words in garbled fonts off the pages that have other text, and warn of them."""
    garbled = _garbled_fonts(pages)
    affected = [page for page in pages if garbled and _is_partly_garbled(page, garbled)]
    if affected:
        names = {
            w.font.name.split("+")[-1] for page in affected for w in page.words if w.font.name in garbled
        }
        numbers = [page.number for page in affected]
        text = (
            f"text on {pages_phrase(numbers)} is garbled and was skipped: "
            f"the font {' and '.join(sorted(names))} does not say which letters it shows"
        )
        yield page_warning(numbers, text)
    for page in affected:
        page.words[:] = [w for w in page.words if w.font.name not in garbled]


def _garbled_fonts(pages: Sequence[Page]) -> set[str]:
    """Names of the fonts whose letters make no words."""
    texts: dict[str, list[str]] = defaultdict(list)
    for page in pages:
        for word in page.words:
            texts[word.font.name].append(word.text)
    scores = {
        name: garbling_score(" ".join(words), least=_MIN_FONT_CHARACTERS) for name, words in texts.items()
    }
    return {name for name, score in scores.items() if score >= _PROOF_FONT}


def _is_partly_garbled(page: Page, garbled: set[str]) -> bool:
    count = _characters(page.words)
    bad = _characters([w for w in page.words if w.font.name in garbled])
    return 0 < bad < _MOST_OF_PAGE * count


def _characters(words: Sequence[Word]) -> int:
    return sum(len(w.text) for w in words)
