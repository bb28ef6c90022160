"""Step 9: words broken at line ends."""

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
    pieces = tail.split("-")
    first, last = head.split("-")[-1], pieces[0]
    if words[first + last]:
        return stem + after
    if words[f"{first}-{last}"]:
        return before + after
    alone = words[first] >= 1 and words[last] >= 1 and len(first) >= 3 and len(last) >= 3
    prefix = (
        (first in _ALWAYS_HYPHENATED and len(last) >= 5)
        or (first in _PREFIXES and words[last] >= 1)
        or (first == "co" and last.startswith("o"))
    )
    if alone or prefix:
        return before + after
    return stem + after
