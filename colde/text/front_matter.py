"""Names and addresses at the beginning of a document, before it says anything."""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST_WORDS = 90
"""Words of authors and addresses; a longer text says something."""

_LETTERS = (
    12  # of a word with its space, at most on average: scripts without spaces are measured by their letters
)
_PROSE = 25  # words from which a paragraph is prose, whatever stands in it
_SENTENCE = 8  # words from which one that ends as a sentence is
_ADDRESS = re.compile(
    r"@|https?://|\b(?:univ|universit\w*|institute?|department|dept|faculty|laborator(?:y|ies)|college|school of|"
    r"research cent(?:er|re)|corporation|e-?mail|inc|ltd|gmbh|cedex|p\.\s?o\.\s?box)\b|"
    r"(?-i:\b(?:[A-Z]{1,2}-)?\d{5}\s+[A-Z]\w)",  # the last: a postal code and its town
    re.IGNORECASE,
)


def is_front_matter(text: str) -> bool:
    """Whether a beginning without a heading is a few words with an address among them, and no more."""
    return _words(text) <= MOST_WORDS and _ADDRESS.search(text) is not None


def leading(paragraphs: Sequence[str]) -> int:
    """Count the paragraphs at the beginning that are names and addresses, where prose follows them; else 0."""
    count = next((i for i, text in enumerate(paragraphs) if _is_prose(text)), len(paragraphs))
    found = "\n\n".join(paragraphs[:count])
    return count if 0 < count < len(paragraphs) and is_front_matter(found) else 0


def _is_prose(text: str) -> bool:
    words = _words(text)
    return words > _PROSE or (
        words >= _SENTENCE and text.rstrip().endswith((".", "?", "!")) and "@" not in text
    )


def _words(text: str) -> int:
    return max(len(text.split()), len(text) // _LETTERS)
