"""Words broken at line ends, in every format: which sign breaks a word, and whether a hyphen stays in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

NO_SPACES = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
"""A letter or sign of Chinese or Japanese text, whose lines end anywhere."""
_HYPHENS = "-\u058a\u1400\u1806\u2010\u2011\u2e17\u2e40\ufe63\uff0d"
_BREAK_MARKS = "\u00ad\u00ac\u2027"  # soft hyphen, what old programs make of it, hyphenation point
_DASHES = "=\u2012\u2013\u2212"  # stand for a hyphen now and then
_BROKEN = re.compile(rf"[^\W_][{re.escape(_HYPHENS)}]$|[^\W\d_][{re.escape(_BREAK_MARKS + _DASHES)}]$")
_BROKEN_WORD = re.compile(
    rf"(?<![\w-])[\w-]++(?:(?<=-)|[{re.escape(_HYPHENS[1:] + _BREAK_MARKS)}])[ \t]*+\n[ \t]*[\w-]++"
)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_ALWAYS_HYPHENATED = frozenset(("non", "self", "well", "cross"))  # hardly begin a word without a hyphen
_PREFIXES = frozenset(("semi", "multi", "co", "pre", "post", "anti", "inter", "ex"))
_CONJUNCTIONS = frozenset(
    ("and", "or", "to", "nor", "und", "oder", "bis", "et", "ou", "y", "o", "e", "en", "of", "och", "og")
)
"""Words behind a hyphen that stands for the end of a later word: pre- and post-war."""


def vocabulary(text: str) -> Counter[str]:
    """How often each word occurs whole, in lower case: neither part of what is broken at a line end counts."""
    return Counter(_WORD.findall(_BROKEN_WORD.sub(" ", text).lower()))


def is_broken(line: str) -> bool:
    """Whether a line ends within a word."""
    return _BROKEN.search(line[-2:]) is not None


def join_lines(lines: Sequence[str], words: Counter[str]) -> str:
    """Wrapped lines as one, with broken words repaired; no space between letters of scripts without spaces.

    Args:
        lines: without white space at their ends, none empty.
        words: the vocabulary of the document.
    """
    parts = [lines[0]]
    for line in lines[1:]:
        if is_broken(parts[-1]):
            # Only the last word, and only where the line ends so: a paragraph may have a million lines.
            stem, space, last = parts[-1].rpartition(" ")
            parts[-1] = stem + space
            parts.append(join_broken_word(last, line, words))
            continue
        if not (NO_SPACES.match(parts[-1][-1:]) and NO_SPACES.match(line)):
            parts.append(" ")
        parts.append(line)
    return "".join(parts)


def join_broken_word(before: str, after: str, words: Counter[str]) -> str:
    """`before` ends with a hyphen or the like at a line end and `after` begins the next line: one word, or two parts.

    The joined word wins where it occurs elsewhere in the document, then the hyphenated one where that does; else
    two parts that occur alone keep the hyphen, and so do a few prefixes.
    """
    stem, sign = before[:-1], before[-1:]
    head = re.split(r"[^\w-]", stem)[-1].lower()
    tail = re.split(r"[^\w-]", after, maxsplit=1)[0].lower()
    if not head or not tail or not after[:1].isalpha() or not stem[-1:].isalpha():
        return before + after
    joined, hyphenated = words[head + tail], words[f"{head}-{tail}"]
    if sign in _DASHES:
        return stem + after if joined and after[:1].islower() else f"{before} {after}"
    if sign in _BREAK_MARKS:
        return stem + after
    if tail in _CONJUNCTIONS and not joined:
        return f"{before} {after}"
    if hyphenated > joined:
        return before + after
    if joined:
        return stem + after
    if after[:1].isupper():
        return before + after
    keeps_hyphen = _keeps_hyphen(head.split("-")[-1], tail.split("-")[0], words)
    return before + after if keeps_hyphen else stem + after


def _keeps_hyphen(first: str, last: str, words: Counter[str]) -> bool:
    """Whether the two parts next to a hyphen are words of their own, which occur neither joined nor hyphenated."""
    if words[first + last]:
        return False
    if words[f"{first}-{last}"]:
        return True
    if words[first] and words[last] and min(len(first), len(last)) >= 3:
        return True
    if first in _ALWAYS_HYPHENATED:
        return len(last) >= 5
    if first == "co" and last.startswith("o"):
        return True
    return first in _PREFIXES and words[last] >= 1
