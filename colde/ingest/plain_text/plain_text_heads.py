"""Running heads and page numbers of plain text: at form feeds, and between lines where programs left them.

A line that comes again and again is taken for a running head only where it interrupts sentences: no heading stands
between the words of one.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from colde.ingest.plain_text.wrapped_lines import ends_sentence, fills, goes_on, wrap_width
from colde.ingest.shared.line_end_hyphens import is_broken

_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")
_PAGE_NUMBER = re.compile(
    r"\W*(?:(?:page|p|pp|seite|s|página|pagina|pág|pag|sida|side|strana|str|strona|стр|страница)\W+)?#"
    r"(?:\W*(?:of|von|de|sur|di|av|z|из)?\W*#)?\W*"
)
"""Forms of a line with a page number alone, which needs no second one to be told where it interrupts a sentence."""
_NUMBER_AT_EDGE = re.compile(r"^(\d{1,4}|[ivxlc]+)(?=\s)|(?<=\s)(\d{1,4}|[ivxlc]+)$")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_TITLE = re.compile(r"[^\W_a-z]")  # begins with a capital or a number, as a title does
_LETTER = re.compile(r"[^\W\d_]")
_ENDS_IN_WORD = re.compile(r"[^\W\d_][,’'”\")]*$")
_WIDE_SPACE = re.compile(r"\S\s{3,}\S")  # between the title and the number of a page
_MIN_PAGE_LINES = 3  # lines with text between two running heads
_MIN_WIDTH = 20  # columns; narrower lines are lists of words
_MIN_INSIDE = 0.25  # of the pages go on with a small letter, where their heads have no number
_MIN_INTERRUPTED = 1 / 3  # of the pages; the others end with a paragraph
_MAX_HEAD = 120  # characters
_MAX_PAGE_NUMBER = 20  # characters of a line with a page number alone, such as “page 3 of 9”


def without_running_heads(text: str) -> str:
    """The text without running heads, page numbers and form feeds; sentences go on over the ends of pages."""
    lines = _joined_pages(text)
    heads = _heads_between_lines(lines)
    width = wrap_width(lines)
    kept: list[str] = []
    removed = False  # whether heads stood between the last kept line and this one
    for i, line in enumerate(lines):
        if i in heads:
            removed = True
        elif not removed:
            kept.append(line)
        elif line.strip():
            _append_page(kept, [line], width)
            removed = False
    return "\n".join(kept)


def _joined_pages(text: str) -> list[str]:
    """The lines of all pages (form feeds end them, as in RFCs and pdftotext), without what their edges share."""
    pages = [page.strip("\n").split("\n") for page in text.split("\f")]
    if len(pages) < 2:
        return text.split("\n")
    repeated = _repeated_edges(pages)
    width = wrap_width([line for page in pages for line in page])
    joined: list[str] = []
    for page in pages:
        _append_page(joined, _trim_page(page, repeated), width)
    return joined if any(joined) else text.split("\n")  # pages that are all alike have no heads but text


def _append_page(lines: list[str], page: Sequence[str], width: int) -> None:
    """Add the lines of a page, after a blank line where no sentence goes on."""
    while lines and not lines[-1].strip():
        lines.pop()
    if lines and page and not goes_on(lines[-1], page[0], width):
        lines.append("")
    lines.extend(page)


def _repeated_edges(pages: Sequence[Sequence[str]]) -> set[str]:
    """First and last lines, without their numbers, that three in ten pages share, two at least."""
    edges = Counter(_without_numbers(line) for page in pages for line in {page[0], page[-1]} if line.strip())
    return {line for line, n in edges.items() if n >= max(2, 0.3 * len(pages))}


def _trim_page(page: Sequence[str], repeated: Set[str]) -> Sequence[str]:
    """The lines of a page without blank and repeated ones at its beginning and end."""
    kept = [i for i, line in enumerate(page) if line.strip() and _without_numbers(line) not in repeated]
    return page[kept[0] : kept[-1] + 1] if kept else []


def _without_numbers(line: str) -> str:
    """A line as it is compared between pages: its numbers do not count."""
    return " ".join(_NUMBER.sub("#", line.lower()).split())


@dataclass(frozen=True)
class _Lines:
    """The lines of a text that are not blank.

    Attributes:
        texts: without white space around them.
        alone: which of them stand between blank lines.
        repeated: which of them have a form that comes again.
        width: of the wrapped text.
    """

    texts: Sequence[str]
    alone: Set[int]
    repeated: Set[int]
    width: int

    def around(self, k: int) -> tuple[int, int]:
        """The nearest lines before and after one that have forms of their own."""
        before, after = k - 1, k + 1
        while before in self.repeated:
            before -= 1
        while after in self.repeated:
            after += 1
        return before, after

    def interrupted(self, k: int) -> str | None:
        """The line with which a sentence of wrapped text goes on behind this line; None where it interrupts none."""
        before, after = self.around(k)
        if before < 0 or after >= len(self.texts) or not self.texts[after][0].isalpha():
            return None
        text, following = self.texts[before], self.texts[after]
        full = _ENDS_IN_WORD.search(text) is not None and fills(text, following, self.width)
        return following if is_broken(text) or full else None

    def is_part_of_text(self, k: int) -> bool:
        """Whether a line is as full as those of wrapped text: a sentence that a text repeats has such lines."""
        text, following = self.texts[k], self.texts[min(k + 1, len(self.texts) - 1)]
        return fills(text, following, self.width) and not _WIDE_SPACE.search(text) and not text.isupper()


def _heads_between_lines(lines: Sequence[str]) -> set[int]:
    """Positions of the lines that are running heads or page numbers, with text before and after them."""
    filled = [i for i, line in enumerate(lines) if line.strip()]
    texts = [lines[i].strip() for i in filled]
    if wrap_width(lines) < _MIN_WIDTH:
        return set()
    forms = _repeated_forms(texts)
    gaps = [b - a for a, b in itertools.pairwise([-2, *filled, len(lines) + 1])]
    alone = {k for k, (before, after) in enumerate(itertools.pairwise(gaps)) if min(before, after) > 1}
    text = _Lines(texts, alone, {k for ks in forms.values() for k in ks}, wrap_width(lines))
    heads: set[int] = set()
    pages: dict[int, int] = {}  # the number of a page, where it is known, by the place of its head
    for form, ks in forms.items():
        numbers = _rising_numbers([texts[k] for k in ks])
        if _are_heads(text, form, ks, numbers):
            heads.update(ks)
            pages.update(zip(ks, numbers, strict=False))
    heads |= _other_heads(text, pages)
    return {filled[k] for k in heads}


def _are_heads(lines: _Lines, form: str, ks: Sequence[int], numbers: Sequence[int]) -> bool:
    """Whether lines of one form interrupt sentences often enough to be heads; without numbers they need more."""
    interrupted = [text for k in ks if (text := lines.interrupted(k)) is not None]
    inside = sum(not text[0].isupper() for text in interrupted)  # a sentence may begin with a capital
    if len(interrupted) < _MIN_INTERRUPTED * len(ks) or _are_in_a_repeated_passage(lines, ks):
        return False
    if not numbers:
        part_of_text = any(map(lines.is_part_of_text, ks))
        return len(ks) > 2 and inside >= max(2, _MIN_INSIDE * len(ks)) and not part_of_text
    by_themselves = lines.alone >= set(ks) and (len(ks) > 2 or _PAGE_NUMBER.fullmatch(form) is not None)
    enough = len(interrupted) >= (1 if len(ks) < 4 else 2) and (inside > 0 or by_themselves)
    return enough and _may_number_pages(lines, ks, numbers)


def _may_number_pages(lines: _Lines, ks: Sequence[int], numbers: Sequence[int]) -> bool:
    """Whether rising numbers are those of pages: in lines as full as wrapped text they have to follow each other."""
    follow = len(ks) > 2 and all(b - a <= 2 for a, b in itertools.pairwise(numbers))
    return follow or not any(map(lines.is_part_of_text, ks))


def _are_in_a_repeated_passage(lines: _Lines, ks: Sequence[int]) -> bool:
    """Whether the same line stands before two of these lines: no two pages end alike."""
    before = [lines.texts[place] for place, _ in map(lines.around, ks) if place >= 0]
    return len(set(before)) < len(before)


def _repeated_forms(texts: Sequence[str]) -> dict[str, list[int]]:
    """Forms of lines that may be running heads, and which lines have them: all some lines apart."""
    forms: defaultdict[str, list[int]] = defaultdict(list)
    for k, text in enumerate(texts):
        longest = _MAX_PAGE_NUMBER if text[0].islower() else _MAX_HEAD
        if len(text) <= longest and not ends_sentence(text):
            form = _without_numbers(text)
            if _PAGE_NUMBER.fullmatch(form) or (_TITLE.match(text) and _LETTER.search(form)):
                forms[form].append(k)
    return {
        form: ks
        for form, ks in forms.items()
        if (len(ks) > 1 or _PAGE_NUMBER.fullmatch(form))
        and all(b - a > _MIN_PAGE_LINES for a, b in itertools.pairwise(ks))
    }


def _rising_numbers(lines: Sequence[str]) -> list[int]:
    """The page number in each of the lines of one form: the first number that rises from line to line; [] for none."""
    columns = zip(*(map(number_value, _NUMBER.findall(line.lower())) for line in lines), strict=False)
    return next((list(c) for c in columns if all(a < b for a, b in itertools.pairwise(c))), [])


def number_value(number: str) -> int:
    """The value of a number in Arabic or small Roman figures."""
    if number.isdigit():
        return int(number)
    figures = [_ROMAN[letter] for letter in number]
    following = [*figures[1:], 0]
    return sum(a if a >= b else -a for a, b in zip(figures, following, strict=True))


def _other_heads(lines: _Lines, pages: Mapping[int, int]) -> set[int]:
    """Heads with other words, such as those of chapters: lines that begin or end with the number of the next page.

    They have to interrupt a sentence: a numbered heading between two pages may have the same number.
    """
    others = set()
    places = sorted(pages)
    for before, after in itertools.pairwise([None, *places, None]):
        first = pages[before] if before is not None else -1
        last = pages[after] if after is not None else first + 2
        for k in range(0 if before is None else before + 1, len(lines.texts) if after is None else after):
            match = _NUMBER_AT_EDGE.search(lines.texts[k].lower())
            if match is None or len(lines.texts[k]) > _MAX_HEAD or lines.is_part_of_text(k):
                continue
            number = number_value(match[1] or match[2])
            in_order = first < number < last and number in (first + 1, last - 1)
            if in_order and lines.interrupted(k) is not None:
                others.add(k)
    return others if places else set()
