"""Lines of plain text that are wrapped at a width: where they are full, and where a sentence goes on in the next."""

from __future__ import annotations

import re
from collections.abc import Sequence

from colde.ingest.line_end_hyphens import NO_SPACES, is_broken

_SENTENCE_END = re.compile(r"[.!?:…。！？؟।][\"'”’»)\]」』]*$")
_TAIL_CHARACTERS = 400  # at the end of a line, searched for what ends it: a line may have a million
_WIDE_SHARE = 0.9  # of the lines are not longer than the width
_FILLED = 0.85  # of the width: how far a full line reaches at least, with the next word
_MAX_WIDTH = 250  # columns; longer lines are paragraphs


def wrap_width(lines: Sequence[str]) -> int:
    """The length that few lines exceed, in characters; 0 for no lines."""
    lengths = sorted(len(line.rstrip()) for line in lines if line.strip())
    return min(lengths[int(_WIDE_SHARE * (len(lengths) - 1))], _MAX_WIDTH) if lengths else 0


def ends_sentence(line: str) -> bool:
    """Whether a line ends with a full stop or the like."""
    return _SENTENCE_END.search(line.rstrip()[-_TAIL_CHARACTERS:]) is not None


def fills(line: str, following: str, width: int) -> bool:
    """Whether a line is so long that the first word of the next one hardly fits in."""
    word = following.split(maxsplit=1)[0]
    added = 1 if NO_SPACES.match(word) else 1 + len(word)
    return len(line.rstrip()) + added >= _FILLED * width


def goes_on(line: str, following: str, width: int) -> bool:
    """Whether a sentence goes on from one line to the next, over the end of a page."""
    line, following = line.rstrip(), following.lstrip()
    if is_broken(line):
        return True
    return not ends_sentence(line) and (following[:1].islower() or fills(line, following, width))
