"""Words broken at line ends."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from colde.ingest.pdf.text_lines import Line

_OUTER_MARKS = re.compile(r"^[^\w]+|[^\w]+$")
_ALWAYS_HYPHENATED = frozenset(
    ("non", "self", "well", "cross")
)  # hardly a syllable of anything but what is hyphenated
_PREFIXES = frozenset(("semi", "multi", "co", "pre", "post", "anti", "inter", "ex"))


def vocabulary(lines: Iterable[Line]) -> Counter[str]:
    """How often each word occurs whole, in lower case: neither part of what is broken at a line end counts."""
    words: Counter[str] = Counter()
    after_hyphen = False  # what is broken at the end of the line above
    for line in lines:
        last = len(line.words) - 1
        broken = line.words[-1].text.endswith("-")
        for i, word in enumerate(line.words):
            if (i == last and broken) or (
                i == 0 and (after_hyphen or (word.text[:1].islower() and last == 0))
            ):
                continue
            words[_OUTER_MARKS.sub("", word.text).lower()] += 1
        after_hyphen = broken
    return words


def join(before: str, after: str, words: Counter[str]) -> str:
    """`before` ends with a hyphen at a line end and `after` begins the next line: one word, or a hyphenated one.

    The joined word wins where it occurs elsewhere in the document, then the hyphenated one where that does; else
    two parts that occur alone keep the hyphen, and so do a few prefixes.
    """
    stem = before[:-1]
    head = re.split(r"[^\w-]", stem)[-1].lower()
    tail = re.split(r"[^\w-]", after, maxsplit=1)[0].lower()
    if not head or not tail or not after[:1].isalpha() or not stem[-1:].isalpha():
        return before + after
    joined, hyphened = words[head + tail], words[f"{head}-{tail}"]
    if hyphened > joined:
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
