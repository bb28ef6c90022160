"""Hard line breaks inside one paragraph: `<br>`, Shift+Enter in Word, the hard breaks of Markdown.

Authors set lists, addresses and paragraphs with them. Programs that copy text from a page leave one at each line end.
The form of the lines tells which it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from colde.ingest.shared.line_end_hyphens import NO_SPACES, join_lines, vocabulary
from colde.text.sentences.sentence_splitter import split_sentences

_MIN_WIDTH = 36  # columns of wrapped text; shorter lines are items
_MIN_WIDTH_WITHOUT_SPACES = 15  # columns of wrapped Chinese or Japanese text
_MIN_FILLED_SHARE = 0.8  # of the lines of wrapped text; the others end a paragraph
_RAGGED = 0.85  # of the width: how far a line reaches at least, with the next word, in proportional letters
_MAX_ITEM_WORDS = 7  # of an item that begins with a small letter
_MIN_SENTENCE_WORDS = 5  # of a line that may be the beginning of a sentence, not a heading or a name
_TAIL = 80  # characters around a break that tell whether a sentence ends there
_ENDS_SENTENCE = re.compile(r"[.!?…。！？؟।][\"'”’»)\]」』]*$")
_ENDS_ITEM = re.compile(r"[:;：；][\"'”’»)\]]*$")
_MARKER = re.compile(r"(?:[-*+•‣◦▪–—·]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])\s+\S")
_FUNCTION_WORDS = (
    "(?:the|an?|of|and|or|to|in|on|at|by|for|from|with|into|that|which|whose|than|his|her|its|their|our|"
    "der|die|das|des|dem|den|eine?[rmns]?|und|oder|zum?|zur|von|vom|mit|im|am|für|"
    "les?|la|une?|du|de|et|ou|à|aux?|dans|pour|par|sur|que|"
    "el|los|las|y|o|del|al|en|con|por|para|il|lo|gli|e|di|della?|nel|per|os?|as|do|da|dos|das|em|no|na|"
    "het|een|van|met|op|te|voor)"
)
_GOES_ON = re.compile(rf"(?:[,،、，(\[{{“„«/&+=-]|(?<!\S)[–—])$|(?<![^\s(]){_FUNCTION_WORDS}$", re.IGNORECASE)
"""What goes on in the next line: a comma, an open bracket, an article, a preposition, a conjunction."""
_STARTS_SENTENCE = re.compile(rf"{_FUNCTION_WORDS}\b", re.IGNORECASE)


def split_at_line_breaks(text: str) -> list[str]:
    """The items or paragraphs that the hard line breaks of a paragraph set apart.

    A blank line always ends a paragraph. A single break does where the lines are items, addresses or paragraphs. It is
    a space where it stands inside a sentence, and in text that is wrapped at a width.

    Args:
        text: a paragraph, with one `\\n` for each hard break and no other line ends.

    Returns:
        The texts in order, each on one line. A heading or a cell of a table is not for this function.
    """
    if "\n" not in text:
        line = " ".join(text.split())
        return [line] if line else []
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return [part for filled, run in groupby(lines, bool) if filled for part in _parts(list(run))]


def _parts(lines: Sequence[str]) -> Iterator[str]:
    """The items or paragraphs of lines without a blank one between them."""
    width = _wrapped_width(lines)
    marked = sum(_MARKER.match(line) is not None for line in lines) >= 2
    small_items = _are_small_items(lines[1:] if _ENDS_ITEM.search(lines[0]) else lines)
    closed = _ENDS_SENTENCE.search(lines[-1]) is not None
    words = vocabulary("\n".join(lines))
    current = [lines[0]]
    for line in lines[1:]:
        if (marked and _MARKER.match(line)) or _is_break(current[-1], line, width, small_items, closed):
            yield join_lines(current, words)
            current = []
        current.append(line)
    yield join_lines(current, words)


def _is_break(before: str, line: str, width: int, small_items: bool, closed: bool) -> bool:
    """Whether something new begins in a line.

    Args:
        width: of wrapped text; 0 where the text is not wrapped.
        small_items: whether items begin with small letters.
        closed: whether the last line ends a sentence, as lists of words do not.
    """
    if width and _fills(before, line, width):
        return False
    if _first_letter(line).islower():
        return small_items
    if _ENDS_SENTENCE.search(before):
        return _sentence_ends_between(before, line)
    if _ENDS_ITEM.search(before):
        return True
    inside_sentence = (
        closed and len(before.split()) >= _MIN_SENTENCE_WORDS and not _STARTS_SENTENCE.match(line)
    )
    return not (inside_sentence or _GOES_ON.search(before) or _has_open_bracket(before))


def _wrapped_width(lines: Sequence[str]) -> int:
    """The width at which running text is wrapped; 0 for other lines."""
    width = max(map(len, lines))
    if width < (_MIN_WIDTH_WITHOUT_SPACES if NO_SPACES.search(lines[0]) else _MIN_WIDTH):
        return 0
    following = lines[1:]
    filled = sum(_fills(a, b, width) for a, b in zip(lines, following, strict=False))
    inside_sentence = sum(not _is_capital(_first_letter(line)) for line in following)
    return (
        width if filled >= _MIN_FILLED_SHARE * len(following) and 3 * inside_sentence >= len(following) else 0
    )


def _fills(line: str, following: str, width: int) -> bool:
    """Whether a line reaches so far that the next word does not fit into the width."""
    word = following[:1] if NO_SPACES.match(following) else following.split(maxsplit=1)[0]
    return len(line) + 1 + len(word) >= _RAGGED * width


def _are_small_items(lines: Sequence[str]) -> bool:
    """Whether short lines that all begin with a small letter are items of a list."""
    return len(lines) > 1 and all(
        _first_letter(line).islower()
        and len(line.split()) <= _MAX_ITEM_WORDS
        and not _GOES_ON.search(line)
        and not _ENDS_SENTENCE.search(line[:-1])
        for line in lines
    )


def _first_letter(line: str) -> str:
    return next((c for c in line if c.isalnum()), "")


def _is_capital(letter: str) -> bool:
    """Whether a letter begins a sentence or a name; those of scripts without capitals do not say."""
    return letter.isupper() or letter.istitle()


def _sentence_ends_between(before: str, line: str) -> bool:
    """Whether a sentence ends with a line: not after "Dr." and the like."""
    near = before[-_TAIL:]
    return any(span.start > len(near) for span in split_sentences(f"{near} {line[:_TAIL]}"))


def _has_open_bracket(line: str) -> bool:
    return line.count("(") > line.count(")") or line.count("[") > line.count("]")
