"""The words of a PDF that decide whether a word broken at a line end has a hyphen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from colde.ingest.pdf.text_lines import Line

_OUTER_MARKS = re.compile(r"^[^\w]+|[^\w]+$")


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
