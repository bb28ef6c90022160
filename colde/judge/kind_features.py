"""Words and style of a text, from which its kind is detected: what does not depend on the layout of a file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

LONGEST = 60_000
"""Characters of a text that are looked at: a kind shows in the first pages, and a book takes no longer than a paper."""
WORDS_OF_A_WINDOW = 100  # in which different words are counted
LONG_WORD = 8  # letters above which a word counts as long

_TERM = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+")
_WORD = re.compile(r"[A-Za-z]+")
_SENTENCE_END = re.compile(r"[.!?](?=\s)")
_PATTERNS = {
    "number": r"\d+",
    "year": r"\b(?:1[5-9]|20)\d\d\b",
    "numbered citation": r"\[\d+(?:[,–-]\s*\d+)*\]",
    "citation with year": r"\((?:[^()]*\s)?[A-Z][^()]{1,60},?\s(?:19|20)\d\d[a-z]?\)"
    r"|\b[A-Z][a-z]+ (?:et al\.?|and [A-Z][a-z]+),? \((?:19|20)\d\d",
    "parenthesis": r"\(",
    "bracket": r"\[",
    "quotation": r"[\"“”]",
    "semicolon": r";",
    "colon": r":",
    "question": r"\?",
    "exclamation": r"!",
    "percent": r"%",
    "equals": r"=",
    "underscore": r"\w_\w|__",
    "call": r"\w\(\)",
    "camel case": r"\b[a-z]+[A-Z]\w*",
    "capitals": r"\b[A-Z]{2,}\b",
    "name": r"(?<=[a-z,] )[A-Z][a-z]+",
    "dash": r"[–—]",
    "slash": r"/",
    "currency": r"[$£€]",
    "comma": r",",
    "decimal": r"\b\d+\.\d+",
    "numbered item": r"\((?:[ivx]+|[a-z]|\d+)\)",
    "hyphen": r"\w-\w",
    "contraction": r"\w['’](?:t|s|re|ve|ll|m|d)\b",
}
_STYLE = [re.compile(pattern) for pattern in _PATTERNS.values()]
STYLE_FEATURES = len(_STYLE) + 6


def term_counts(text: str) -> Counter[str]:
    """Counts of words in lower case and of numbers, in the first `LONGEST` characters."""
    return Counter(_TERM.findall(text[:LONGEST].lower().replace("’", "'")))


def term_rates(counts: Mapping[str, int], columns: Mapping[str, int]) -> NDArray[np.float64]:
    """Square roots of the shares of some terms in all: [terms].

    Args:
        columns: term → its position.
    """
    rates = np.zeros(len(columns))
    for term, count in counts.items():
        if (column := columns.get(term)) is not None:
            rates[column] = count
    return np.sqrt(rates / max(sum(counts.values()), 1))


def style(text: str) -> NDArray[np.float64]:
    """Punctuation, numbers, citations, lengths of sentences and words, variety of words: [STYLE_FEATURES]."""
    text = text[:LONGEST]
    count = max(len(text.split()), 1)
    rates = [min(sum(1 for _ in pattern.finditer(text)) / count, 1.0) ** 0.5 for pattern in _STYLE]
    lengths = np.array([n for s in _SENTENCE_END.split(text) if (n := len(s.split()))] or [0])
    words = _WORD.findall(text) or ["a"]
    letters = np.array([len(word) for word in words])
    lower = [word.lower() for word in words]
    windows = range(0, max(len(words) - WORDS_OF_A_WINDOW + 1, 1), WORDS_OF_A_WINDOW)
    variety = np.mean([len(set(lower[i : i + WORDS_OF_A_WINDOW])) / WORDS_OF_A_WINDOW for i in windows])
    return np.array(
        [
            *rates,
            np.log1p(lengths.mean()),
            np.log1p(lengths.std()),
            np.log1p(np.median(lengths)),
            letters.mean() / 5,
            (letters > LONG_WORD).mean(),
            variety,
        ]
    )
