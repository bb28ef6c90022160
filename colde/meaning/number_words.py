"""Numbers in figures and in words: "1,200", "forty-one", "two and a half", "three quarters"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from colde.meaning.unit_lexicon import PARTS

NUMBER_WORDS = {
    word: value
    for value, words in {
        0: "zero", 1: "one once first", 2: "two twice second", 3: "three thrice third", 4: "four fourth",
        5: "five fifth", 6: "six sixth", 7: "seven seventh", 8: "eight eighth", 9: "nine ninth", 10: "ten tenth",
        11: "eleven eleventh", 12: "twelve twelfth dozen", 13: "thirteen thirteenth", 14: "fourteen fourteenth",
        15: "fifteen fifteenth", 16: "sixteen sixteenth", 17: "seventeen seventeenth", 18: "eighteen eighteenth",
        19: "nineteen nineteenth", 20: "twenty twentieth", 30: "thirty thirtieth", 40: "forty fortieth",
        50: "fifty fiftieth", 60: "sixty sixtieth", 70: "seventy seventieth", 80: "eighty eightieth",
        90: "ninety ninetieth", 100: "hundred hundredth", 1000: "thousand", 10**6: "million", 10**9: "billion",
    }.items()
    for word in words.split()
}  # fmt: skip
"""Values of number words."""
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "half": 0.5}
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "bn": 1e9, "trillion": 1e12}
_NO_CARDINALS = frozenset({"once", "twice", "thrice", "first", "second", "third"})
_AFTER_A = frozenset({"hundred", "thousand", "million", "dozen"})
LARGEST = 1e100
"""Numbers up to this one stay finite in every unit."""
CARDINALS = {w: v for w, v in NUMBER_WORDS.items() if w not in _NO_CARDINALS and not w.endswith("th")}
"""Values of the number words that count."""

ORDINALS = {w: float(v) for w, v in NUMBER_WORDS.items() if w not in CARDINALS}
"""Values of the number words that say a place in a row, or how often."""

Number = tuple[float | None, int]
"""A value, None where there is no number, and the position after it."""


def read_number(words: Sequence[str], at: int) -> Number:
    """The number that begins at a word, in lower case; one above `LARGEST` is none."""
    value, after = _read(words, at)
    return (value if value is None or value <= LARGEST else None), after


def _read(words: Sequence[str], at: int) -> Number:
    word = words[at]
    following = words[at + 1] if at + 1 < len(words) else ""
    if word in _FRACTIONS:
        return _FRACTIONS[word], at + 1 + (following in ("a", "an"))
    if word in ("a", "one") and following in PARTS:
        return PARTS[following], at + 2
    if word.isdigit() and following == "/" and words[at + 2 : at + 3] and words[at + 2].isdigit():
        below = float(words[at + 2])
        return (float(word) / below if below else None), at + 3
    if word[0].isdigit():
        value, after = _figures(word), at + 1
    else:
        value, after = _spelled(words, at + (word == "a" and following in _AFTER_A))
    return (None, after) if value is None else _multiplied(value, words, after)


def _multiplied(value: float, words: Sequence[str], after: int) -> Number:
    """A number with what follows it: "million", "quarters", "and a half"."""
    while after < len(words) and words[after] in _SCALES:
        value, after = value * _SCALES[words[after]], after + 1
    if words[after : after + 3] == ["and", "a", "half"]:
        return value + 0.5, after + 3
    part = words[after] if after < len(words) else ""
    return (value * PARTS[part], after + 1) if part in PARTS and part.endswith("s") else (value, after)


def _figures(word: str) -> float | None:
    """The value of a number in figures; the hours of a clock time."""
    digits = re.sub(r"(?:st|[nr]d|th)$", "", word).split(":")[0]
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits):
        return float(digits.replace(",", ""))
    return float(digits.replace(",", ".")) if digits.count(".") + digits.count(",") <= 1 else None


def _spelled(words: Sequence[str], at: int) -> Number:
    """A number in words."""
    total, current, start = 0.0, 0.0, at
    while at < len(words):
        at += words[at] == "and" and current > 0 and current % 100 == 0 and words[at + 1 : at + 2] != []
        value = CARDINALS.get(words[at]) if at < len(words) else None
        multiplies = value == 100 or words[at : at + 1] == ["dozen"]
        if value is None or not (multiplies or _joins(current, value)):
            break
        if value >= 1000:
            total, current = total + max(current, 1) * value, 0.0
        else:
            current = max(current, 1) * value if multiplies else current + value
        at += 1
    return (total + current, at) if at > start else (None, at)


def _joins(current: float, value: int) -> bool:
    """Whether a number word goes on with a number: "twenty" with "one", "two" with "thousand"."""
    return value >= 1000 or current % 100 == 0 or (value < 10 and current % 10 == 0)
