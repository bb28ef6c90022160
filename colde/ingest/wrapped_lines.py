"""Lines of plain text that are wrapped at a width: where they are full, and where a sentence goes on in the next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from colde.ingest.line_end_hyphens import NO_SPACES, is_broken
from colde.text.long_sentences import MAX_WORDS

_SENTENCE_END = re.compile(r"[.!?:…。！？؟।][\"'”’»)\]」』]*$")
_TAIL_CHARACTERS = 400  # at the end of a line, searched for what ends it: a line may have a million
_WIDE_SHARE = 0.9  # of the lines are not longer than the width
_FILLED = 0.85  # of the width: how far a full line reaches at least, with the next word
_WRAPPED_SHARE = 0.6  # of the lines that are full in a text that is wrapped at a width
_MAX_WIDTH = 250  # columns; longer lines are paragraphs


def wrap_width(lines: Sequence[str]) -> int:
    """The length that few lines exceed, in characters; 0 for no lines."""
    lengths = sorted(len(line.rstrip()) for line in lines if line.strip())
    return min(lengths[int(_WIDE_SHARE * (len(lengths) - 1))], _MAX_WIDTH) if lengths else 0


def ends_sentence(line: str) -> bool:
    """Whether a line ends with a full stop or the like."""
    return _SENTENCE_END.search(line.rstrip()[-_TAIL_CHARACTERS:]) is not None


def fills(line: str, following: str, width: int, share: float = _FILLED) -> bool:
    """Whether a line is so long that the first word of the next one hardly fits in.

    Args:
        share: of the width that the line reaches at least, with that word.
    """
    word = following.split(maxsplit=1)[0]
    added = 1 if NO_SPACES.match(word) else 1 + len(word)
    return len(line.rstrip()) + added >= share * width


def goes_on(line: str, following: str, width: int) -> bool:
    """Whether a sentence goes on from one line to the next, over the end of a page."""
    line, following = line.rstrip(), following.lstrip()
    if is_broken(line):
        return True
    return not ends_sentence(line) and (following[:1].islower() or fills(line, following, width))


def are_units(lines: Sequence[str]) -> bool:
    """Whether lines of a text without full stops end where something ends, as in transcripts, and not at a width.

    Texts that are short enough for one sentence do not count.
    """
    if sum(len(line.split()) for line in lines) <= MAX_WORDS or any(map(ends_sentence, lines)):
        return False
    width = wrap_width(lines)
    full = sum(fills(line, following, width, share=1) for line, following in pairwise(lines))
    return full < _WRAPPED_SHARE * len(lines)
