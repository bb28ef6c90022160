"""Lines of plain text that are wrapped at a width: where they are full, and where a sentence goes on in the next.

A typescript has blank lines between all its lines; `single_spaced` tells which of them end a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from colde.ingest.shared.line_end_hyphens import NO_SPACES, is_broken
from colde.text.sentences.long_sentences import MAX_WORDS

_SENTENCE_END = re.compile(r"[.!?:…。！？؟।][\"'”’»)\]」』]*$")
_INNER_END = re.compile(r"[^\W\d_]{3}[.!?…][\"'”’»)\]]*\s+(?=[^\W\d_a-z])")
_TAIL_CHARACTERS = 400  # at the end of a line, searched for what ends it: a line may have a million
_WIDE_SHARE = 0.9  # of the lines are not longer than the width
_FILLED = 0.85  # of the width: how far a full line reaches at least, with the next word
_WRAPPED_SHARE = 0.6  # of the lines that are full in a text that is wrapped at a width
_MAX_WIDTH = 250  # columns; longer lines are paragraphs
_MIN_WRAPPED_LINES = 2
_MIN_LINE_WORDS = 2.5  # on average: shorter lines are lists of words
_MAX_CLOSE_SHARE = 0.4  # of the lines right below another one: quotations, headings over two lines
_MIN_WRAPPED_SHARE = 0.2  # of the lines that end within a sentence because the next word does not fit in
_MAX_UNWRAPPED_SHARE = 0.25  # of the lines that end earlier, within a sentence: headings and items
_MIN_BLOCK_WIDTH = 40  # columns of wrapped lines between others
_NO_WIDTH = 10**9  # which no line fills
_MAX_ITEM_WORDS = 4  # of a line that is an item of a list of words in small letters
_MIN_SENTENCE_WORDS = 5  # of a line that may be the beginning of a sentence, not a heading or a name
_MIN_SCATTERED_LINES = 3
_MIN_SCATTERED_SHARE = 0.6  # of the lines that no full stop ends, which go on with a small letter
_MIN_SMALL_SHARE = 0.25  # of the lines after wrapped ones that begin as the middle of a sentence does


def wrap_width(lines: Sequence[str]) -> int:
    """The length that few lines exceed, in characters; 0 for no lines."""
    lengths = sorted(len(line.rstrip()) for line in lines if line.strip())
    return min(lengths[int(_WIDE_SHARE * (len(lengths) - 1))], _MAX_WIDTH) if lengths else 0


def ends_sentence(line: str) -> bool:
    """Whether a line ends with a full stop or the like."""
    return _SENTENCE_END.search(line.rstrip()[-_TAIL_CHARACTERS:]) is not None


def fills(line: str, following: str, width: int, share: float = _FILLED) -> bool:
    """Whether a line, with the first word of the next one, reaches this share of the width."""
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
    words = sum(len(line.split()) for line in lines)
    stops = sum(len(_INNER_END.findall(line)) for line in lines)
    if words <= MAX_WORDS or stops * MAX_WORDS >= words or any(map(ends_sentence, lines)):
        return False
    width = wrap_width(lines)
    full = sum(fills(line, following, width, share=1) for line, following in pairwise(lines))
    return full < _WRAPPED_SHARE * len(lines)


def joins_without_width(lines: Sequence[str]) -> list[bool]:
    """For each line but the last of a text without a common width, whether its sentence goes on in the next line.

    A small letter continues a sentence, and so does any line behind a full one, where the lines are wrapped at a width
    of their own. A name or a number does where line ends stand anywhere in sentences: there, small letters follow most.
    """
    width = _width_of_block(lines)
    pairs = list(pairwise(lines))
    unfinished = [(before, line) for before, line in pairs if not ends_sentence(before)]
    small = sum(line.lstrip()[:1].islower() for _, line in unfinished)
    anywhere = small >= max(_MIN_SCATTERED_LINES, _MIN_SCATTERED_SHARE * len(unfinished))
    return [_is_one_sentence(before, line, width, anywhere) for before, line in pairs] or [False]


def _width_of_block(lines: Sequence[str]) -> int:
    """The width at which lines are wrapped; a width that no line fills where they are not."""
    width = wrap_width(lines[:-1])
    full = sum(fills(line, following, width) for line, following in pairwise(lines))
    inside = sum(not ends_sentence(line) for line in lines[:-1])
    wrapped = width >= _MIN_BLOCK_WIDTH and 2 * inside >= len(lines) - 1 >= _MIN_WRAPPED_LINES
    return width if wrapped and full >= _FILLED * (len(lines) - 1) else _NO_WIDTH


def _is_one_sentence(before: str, line: str, width: int, anywhere: bool) -> bool:
    """Whether a sentence goes on in the next line.

    Args:
        width: of wrapped lines.
        anywhere: whether lines end anywhere in sentences.
    """
    if is_broken(before):
        return True
    if ends_sentence(before):
        return False
    if fills(before, line, width):
        return True
    count = len(before.split())
    if line.lstrip()[:1].islower():
        is_item = before.lstrip()[:1].islower() and max(count, len(line.split())) <= _MAX_ITEM_WORDS
        return anywhere or not is_item
    return anywhere and count >= _MIN_SENTENCE_WORDS


def single_spaced(lines: Sequence[str]) -> list[str]:
    """The lines without the blank lines between lines of a paragraph, where a text is double-spaced; else as they are.

    A wider gap ends a paragraph, and so does a line that ends early.
    """
    filled = [i for i, line in enumerate(lines) if line.strip()]
    gaps = [b - a - 1 for a, b in pairwise(filled)]
    spacing = _spacing(lines, filled, gaps)
    if not spacing:
        return list(lines)
    width = wrap_width(lines)
    single = [lines[filled[0]]]
    for gap, (before, after, next_after) in zip(
        gaps, zip(filled, filled[1:], [*filled[2:], filled[-1]], strict=False), strict=True
    ):
        if gap > spacing or (
            gap == spacing and _ends_paragraph(lines[before], lines[after], lines[next_after], width)
        ):
            single.append("")
        single.append(lines[after])
    return single


def _spacing(lines: Sequence[str], filled: Sequence[int], gaps: Sequence[int]) -> int:
    """How many blank lines stand between lines of one paragraph; 0 where the text is not double-spaced."""
    words = sum(len(lines[i] if NO_SPACES.search(lines[i]) else lines[i].split()) for i in filled)
    if gaps.count(0) > _MAX_CLOSE_SHARE * len(gaps) or words < _MIN_LINE_WORDS * len(filled):
        return 0
    width = wrap_width(lines)
    pairs = [(gap, lines[a], lines[b]) for gap, (a, b) in zip(gaps, pairwise(filled), strict=True) if gap]
    spacings = sorted({gap for gap, _, _ in pairs})
    return next((s for s in spacings if _goes_on_over([(a, b) for gap, a, b in pairs if gap == s], width)), 0)


def _goes_on_over(pairs: Sequence[tuple[str, str]], width: int) -> bool:
    """Whether sentences go on from line to line, as wrapped text does, over gaps of one size."""
    unfinished = [(before, after) for before, after in pairs if not ends_sentence(before)]
    wrapped = [after for before, after in unfinished if fills(before, after, width)]
    return (
        len(wrapped) >= max(_MIN_WRAPPED_LINES, _MIN_WRAPPED_SHARE * len(pairs))
        and len(unfinished) - len(wrapped) <= _MAX_UNWRAPPED_SHARE * len(pairs)
        and sum(map(_goes_on_small, wrapped)) >= _MIN_SMALL_SHARE * len(wrapped)
    )


def _goes_on_small(line: str) -> bool:
    """Whether a line begins as the middle of a sentence does; in capitals and some scripts every line may."""
    first = line.lstrip()[0]
    return first.islower() or line.isupper() or (first.isalpha() and first.upper() == first.lower())


def _ends_paragraph(before: str, after: str, following: str, width: int) -> bool:
    """Whether the gap between two lines of a double-spaced text is the end of a paragraph or a heading."""
    if fills(before, after, width):
        # A heading below a full line: a line by itself that is neither full nor a sentence.
        return (
            ends_sentence(before)
            and not after.lstrip()[0].islower()
            and not ends_sentence(after)
            and not fills(after, following, width)
        )
    return ends_sentence(before) or not after.lstrip()[0].islower()
