"""Tables of contents: they name the headings that follow, and are left out as in every other format."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from colde.ingest.pdf.lines.text_lines import Line

_HEADING = re.compile(
    r"(?:table of |list of )?(?:contents|figures|tables)|inhalt(?:sverzeichnis)?|table des matières|sommaire|"
    r"índice|indice",
    re.IGNORECASE,
)
_LEADER = re.compile(r"(?:[.·…_]\s?){3,}\s*(?:\d{1,4}|[ivxlc]{1,6})$")
_PAGE_NUMBER_END = re.compile(r"\s(?:\d{1,4}|[ivxlc]{1,6})$")
_MAX_LINES_BETWEEN = 3  # lines without a page number between entries: long entries take several
_MAX_TITLE_LINES = 4
_MAX_TITLE_WORDS = 30
_MAX_BROKEN_LINES = 2 * _MAX_TITLE_LINES  # of titles in a row that the text breaks elsewhere
_FEWEST_TITLES = 3  # of a list without page numbers
_MIN_TITLE_SHARE = 0.5  # of its lines that are titles of later text
_NUMBER = re.compile(
    r"(?:(?:chapter|section|part|book|article|kapitel|chapitre)\s+)?(?:\d{1,3}(?:\.\d{1,3})*|[ivxlc]{1,7})[.:)]?\s+(?=\S)",
    re.IGNORECASE,
)
_MIN_TITLE_LETTERS = 3
_BEGINNING = 3  # letters or digits of a key


@dataclass(frozen=True, slots=True)
class Contents:
    """The lines of the tables of contents of a document, by their indices, and the titles that they list, as keys."""

    lines: frozenset[int]
    titles: frozenset[str]


def contents(lines: Sequence[Line]) -> Contents:
    """Tables of contents: entries with leaders, and entries under their heading."""
    entries = {i for i, line in enumerate(lines) if _LEADER.search(line.text)}
    titles: set[str] = set()
    for i, line in enumerate(lines):
        if not _HEADING.fullmatch(line.text.strip().rstrip(":")):
            continue
        last = _last_numbered_entry(lines, i, entries)
        if last <= i + 1:
            last = _last_entry_without_number(lines, i)
            for begin in range(i + 1, last + 1):
                for end in range(begin + 1, min(begin + _MAX_TITLE_LINES, last + 1) + 1):
                    titles.update(title_keys(" ".join(line.text for line in lines[begin:end])))
        if last > i + 1:
            entries.update(range(i, last + 1))
    return Contents(frozenset(entries), frozenset(titles | set(_titles(lines, sorted(entries)))))


def title_keys(text: str) -> set[str]:
    """What a title is looked up by: its letters and digits, with and without its number."""
    return {key for key in _keys(text) if sum(map(str.isalpha, key)) >= _MIN_TITLE_LETTERS}


def may_begin_title(text: str, beginnings: Set[str]) -> bool:
    """Whether the keys of a title that begins with a text may begin like others, of which `title_beginning` is given.

    A text of a few letters, such as a number that stands above its title, may be the beginning of any.
    """
    return any(len(key) < _BEGINNING or key[:_BEGINNING] in beginnings for key in _keys(text))


def title_beginning(key: str) -> str:
    return key[:_BEGINNING]


def _keys(text: str) -> tuple[str, str]:
    return _key(text), _key(_NUMBER.sub("", text, count=1))


def _key(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _last_numbered_entry(lines: Sequence[Line], heading: int, entries: set[int]) -> int:
    """Index of the last entry with a page number under a heading; that of the heading where there is none."""
    last = heading
    for i in range(heading + 1, len(lines)):
        if i - last > _MAX_LINES_BETWEEN:
            break
        if i in entries or _is_entry(lines[i]):
            last = i
    return last


def _is_entry(line: Line) -> bool:
    """A title and the number of its page at the far right."""
    if not _PAGE_NUMBER_END.search(line.text) or len(line.words) < 2:
        return False
    gap = line.words[-1].x0 - line.words[-2].x1
    return gap > 1.5 * line.size and line.room < 3.0 * line.size


def _last_entry_without_number(lines: Sequence[Line], heading: int) -> int:
    """Index of the last line under a heading that is a title of later text; the heading's where few lines are."""
    later = Counter(key for line in lines[heading + 1 :] for key in _short_line_keys(line))
    listed: list[int] = []
    titles: set[str] = set()
    for i in range(heading + 1, len(lines)):
        if i - (listed[-1] if listed else heading) > _MAX_BROKEN_LINES:
            break
        keys = _short_line_keys(lines[i])
        later.subtract(keys)
        if any(later[key] > 0 for key in keys):
            listed.append(i)
            titles |= keys
        elif keys & titles:  # the text under a title of the list begins
            break
    enough = len(listed) >= _FEWEST_TITLES and len(listed) >= _MIN_TITLE_SHARE * (listed[-1] - heading)
    return listed[-1] if enough else heading


def _short_line_keys(line: Line) -> set[str]:
    return title_keys(line.text) if len(line.words) <= _MAX_TITLE_WORDS else set()


def _titles(lines: Sequence[Line], entries: Sequence[int]) -> Iterator[str]:
    """Keys of the titles of entries with page numbers. What stands above the last line of one may belong to it."""
    open_lines: list[str] = []
    for i, following in pairwise([*entries, -1]):
        text = lines[i].text
        title = _PAGE_NUMBER_END.sub("", _LEADER.sub("", text)).strip(" .·…_")
        open_lines = [*open_lines[1 - _MAX_TITLE_LINES :], title]
        if title != text.strip():
            for begin in range(len(open_lines)):
                yield from title_keys(" ".join(open_lines[begin:]))
            open_lines = []
        if following != i + 1:
            open_lines = []
