"""Lines that stand at the same place of several pages: running heads and feet, or text that is alike.

A table of weighted rules tells them apart by repetition, place and style. Lines that differ in more than the number of
their page are text. The title of a slide that goes on over several pages is text once.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from colde.ingest.pdf.lines.text_lines import count_characters, join_words, rounded_size
from colde.ingest.pdf.lines.text_rows import Row
from colde.ingest.pdf.lines.weighted_rules import CONVENTION, Rule, add_up
from colde.ingest.plain_text.plain_text_heads import number_value

_SAME_HEIGHT_POINTS = 6.0  # points by which the same line may stand higher on another page
_NEAR_PAGES = 3  # a misread line is looked for on this many of the next pages
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_CONTINUED = re.compile(
    r"\s*(?:[(\[][^()\[\]]*[)\]]|[-–—:,]?\s*\b(?:continued|cont['’.]?d?\.?))\s*$", re.IGNORECASE
)
_PAGE_COUNT = re.compile(r"\s*(?:/|of|von|de|out of)\s*\d+$", re.IGNORECASE)  # behind the number of the page
_TITLE_AND_PAGE = re.compile(r"(\d{1,4}) (.+)|(.+) (\d{1,4})")
_PAGE_WORD = re.compile(r"\W+|.*\W$|(?:page|p|seite|s|slide|folio|página|pagina|str|стр)\.?", re.IGNORECASE)
_WIDE_GAP = 0.8  # font sizes between words and a number that does not belong to them
_MIN_SIMILARITY = 0.75  # of lines that text recognition reads differently on each page
_MIN_WORD_SIMILARITY = 0.7  # of the words that differ; those of different lines differ more
_MAX_MISREAD_RUN = 6  # letters that differ in a row, where words are joined or split
_FEWEST_PAGES = 4  # of which nearly all have a running head that is set like a heading
_NEARLY_ALL = 0.8

Place = tuple[int, int]
"""A page, from 0, and how many rows stand further out on it."""


@dataclass(frozen=True, slots=True)
class UsualStyle:
    """Font size of most characters of a document, and whether most are bold."""

    size: float
    bold: bool

    def is_heading(self, row: Row) -> bool:
        """Whether a row is set larger than that, or bold unlike it."""
        bold = sum(len(w.text) for w in row.words if w.font.bold) * 2 > sum(len(w.text) for w in row.words)
        return row.size >= 1.07 * self.size or (bold and not self.bold and row.size >= 0.95 * self.size)


def usual_style(pages: Sequence[Sequence[Row]]) -> UsualStyle:
    """The style of most characters of all rows."""
    words = [word for rows in pages for row in rows for word in row.words]
    sizes = count_characters(words, rounded_size)
    bold = count_characters(words, lambda w: w.font.bold)
    return UsualStyle(sizes.most_common(1)[0][0] if sizes else 1.0, bold[True] > bold[False])


@dataclass(frozen=True, slots=True)
class RepeatedLine:
    """A line in the outer band of a page, and what repeats it.

    Attributes:
        pages: of the document.
        same: pages with the same line at the same height, this one among them.
        counted: pages with a line there that differs by the number of its page alone, this one among them.
        misread: pages near by with a line there that may be the same, read a little differently.
        words: words beside the number.
        number_apart: whether a wide gap or a sign stands between the number and the words.
        set_like_heading: whether it is larger than body text, or bold.
        smaller: whether it is smaller than body text.
        is_largest: whether it is larger than body text, and nothing on its page is larger.
        is_title_and_page: whether it is a title and the number of its page, as lines of other pages are.
    """

    pages: int
    same: int
    counted: int
    misread: int
    words: int
    number_apart: bool
    set_like_heading: bool
    smaller: bool
    is_largest: bool
    is_title_and_page: bool


RUNNING_HEAD_RULES: tuple[Rule[RepeatedLine], ...] = (
    Rule("on_three_pages", 1.0, lambda c, _: c.same >= 3, "running heads stand on many pages", CONVENTION),
    Rule(
        "on_two_pages", 0.5, lambda c, _: c.same == 2,
        "a running head of two pages; the same first line of two pages is as likely",
    ),
    Rule(
        "with_page_number", 1.0,
        lambda c, _: c.counted >= 2 and (c.number_apart or (c.smaller and c.words >= 2)),
        "the number of the page stands beside a running head, apart from it; that of a lesson belongs to its words",
    ),
    Rule(
        "title_and_page", 2.0, lambda c, _: c.is_title_and_page and not c.is_largest,
        "books set the title of a chapter beside the number of the page, also bold; what is largest on its page is "
        "the title of a slide",
    ),
    Rule(
        "misread", 1.0, lambda c, _: c.misread >= (2 if c.pages > 3 else 1),
        "text recognition reads a running head a little differently on every page",
    ),
    Rule("smaller", 0.5, lambda c, _: c.smaller, "running heads are often set smaller than text", CONVENTION),
    Rule(
        "set_like_heading", -1.0, lambda c, _: c.set_like_heading,
        "a large or bold line that repeats is the title of several slides or forms",
    ),
    Rule(
        "on_nearly_all_pages", 1.0,
        lambda c, _: c.set_like_heading and not c.is_largest and c.pages >= _FEWEST_PAGES
        and max(c.same, c.counted) >= _NEARLY_ALL * c.pages,
        "what stands above headings of every page is none of them, however it is set",
    ),
)  # fmt: skip
"""What says that a line is a running head."""

_RUNNING_HEAD_SCORE = 1.0  # score from which on a line is a running head


class RepeatedLines:
    """Which rows of the outer bands of all pages are running heads, and which repeat the title of the page before.

    Args:
        bands: of each page the rows from the edge inwards, with their indices.
        pages: all rows of each page.
        style: of body text.
    """

    def __init__(
        self, bands: Sequence[Sequence[tuple[int, Row]]], pages: Sequence[Sequence[Row]], style: UsualStyle
    ) -> None:
        self._bands, self._pages, self._style = bands, pages, style
        self._texts = [[join_words(row.words) for _, row in band] for band in bands]
        self._places: dict[str, list[Place]] = defaultdict(list)
        for page, texts in enumerate(self._texts):
            for depth, text in enumerate(texts):
                if key := _without_numbers(text):
                    self._places[key].append((page, depth))
        self._misread = self._misread_lines()
        self._titles_and_pages = self._find_titles_and_pages()

    def running_heads(self) -> set[Place]:
        """The rows that the rules say are running heads or feet."""
        return {
            (page, depth)
            for page, band in enumerate(self._bands)
            for depth in range(len(band))
            if add_up(RUNNING_HEAD_RULES, self._line((page, depth))) >= _RUNNING_HEAD_SCORE
        }

    def repeated_titles(self) -> set[Place]:
        """The rows set like a heading whose text stands at the same place of the page before."""
        repeated = set()
        for page, texts in enumerate(self._texts):
            for depth, text in enumerate(texts):
                row = self._row((page, depth))
                if page and self._style.is_heading(row) and self._repeats_title(page - 1, text, row):
                    repeated.add((page, depth))
        return repeated

    def _repeats_title(self, page: int, text: str, row: Row) -> bool:
        for depth, earlier in enumerate(self._texts[page]):
            other = self._row((page, depth))
            if earlier in (text, _CONTINUED.sub("", text)) or (
                _CONTINUED.search(text)
                and _CONTINUED.sub("", text) == _CONTINUED.sub("", earlier) != ""
                and not _differs_in_number_alone(text, earlier)
            ):
                return abs(row.base - other.base) <= _SAME_HEIGHT_POINTS and self._style.is_heading(other)
        return False

    def _row(self, place: Place) -> Row:
        page, depth = place
        return self._bands[page][depth][1]

    def _line(self, place: Place) -> RepeatedLine:
        page, depth = place
        row, text = self._row(place), self._texts[page][depth]
        near = [
            (p, d)
            for p, d in self._places.get(_without_numbers(text), ())
            if abs(self._row((p, d)).base - row.base) <= _SAME_HEIGHT_POINTS and abs(d - depth) <= 1
        ]
        sizes = [r.size for r in self._pages[page] if r is not row]
        return RepeatedLine(
            pages=len(self._bands),
            same=len({p for p, d in near if self._texts[p][d] == text}),
            counted=len(
                {p for p, d in near if p == page or _counts_pages(text, self._texts[p][d], p - page)}
            ),
            misread=self._misread[place],
            words=len(_NUMBER.sub(" ", text).split()),
            number_apart=_has_number_apart(row),
            set_like_heading=self._style.is_heading(row),
            smaller=row.size < 0.95 * self._style.size,
            is_largest=row.size >= max([1.07 * self._style.size, *sizes]),
            is_title_and_page=place in self._titles_and_pages,
        )

    def _find_titles_and_pages(self) -> set[Place]:
        """The lines of a title and a number that counts the pages."""
        by_offset: dict[int, dict[Place, str]] = defaultdict(
            dict
        )  # number of the page less its place in the file
        for page, texts in enumerate(self._texts):
            for depth, text in enumerate(texts):
                m = _TITLE_AND_PAGE.fullmatch(text)
                if m and (title := _without_numbers(m[2] or m[3])).strip("#"):
                    by_offset[int(m[1] or m[4]) - page][page, depth] = title
        return {
            place
            for offset, titles in by_offset.items()
            if len(titles) >= _FEWEST_PAGES
            for place in self._running_titles(offset, titles)
        }

    def _running_titles(self, offset: int, titles: Mapping[Place, str]) -> Set[Place]:
        """Of lines whose numbers count the pages, those whose title comes again or stands elsewhere by itself.

        Where all have one name, as lessons have, it is that of the book, or the number is that of the page in the file.
        """
        counts, alone = Counter(titles.values()), self._standing_alone
        heads = {place for place, title in titles.items() if counts[title] > 1 or title in alone}
        names = {titles[place] for place in heads}
        counts_file = offset == 1 and min(titles)[0] > 0
        are_running = len(names) > 1 or names <= alone or counts_file
        return heads if len(heads) >= _FEWEST_PAGES and max(counts.values()) > 1 and are_running else set()

    @cached_property
    def _standing_alone(self) -> set[str]:
        """The rows of all pages, as they are compared."""
        return {_without_numbers(join_words(row.words)) for rows in self._pages for row in rows}

    def _misread_lines(self) -> Counter[Place]:
        """For each row the number of pages near by with a similar line at its height."""
        counts: Counter[Place] = Counter()
        for page in range(len(self._bands)):
            for other in range(page + 1, min(page + _NEAR_PAGES + 1, len(self._bands))):
                for place, other_place in self._pairs(page, other):
                    counts.update((place, other_place))
        return counts

    def _pairs(self, page: int, other: int) -> Iterator[tuple[Place, Place]]:
        for depth, text in enumerate(self._texts[page]):
            for other_depth, other_text in enumerate(self._texts[other]):
                place, other_place = (page, depth), (other, other_depth)
                if abs(depth - other_depth) > 1:
                    continue
                if abs(self._row(place).base - self._row(other_place).base) > _SAME_HEIGHT_POINTS:
                    continue
                if _is_misread(text, other_text):
                    yield place, other_place


def _without_numbers(text: str) -> str:
    """A line without what changes from page to page."""
    return "".join(c for c in _NUMBER.sub("#", text.lower()) if c.isalnum() or c == "#")


def _counts_pages(text: str, other: str, pages_apart: int) -> bool:
    """Whether two lines differ in their first or last number alone, and by as much as their pages."""
    text, other = _PAGE_COUNT.sub("", text), _PAGE_COUNT.sub("", other)
    first, second = _numbers(text), _numbers(other)
    if len(first) != len(second) or not pages_apart:
        return False
    differing = [i for i, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]
    if len(differing) != 1 or second[differing[0]] - first[differing[0]] != pages_apart:
        return False
    words = text.split()
    return (differing[0] == 0 and _NUMBER.fullmatch(words[0]) is not None) or (
        differing[0] == len(first) - 1 and _NUMBER.fullmatch(words[-1]) is not None
    )


def _has_number_apart(row: Row) -> bool:
    """Whether the number at the beginning or end of a row stands apart from its words."""
    text = [w.text for w in row.words]
    if len(text) < 2:
        return False
    gap_behind, gap_before = (b.x0 - a.x1 for a, b in (row.words[:2], row.words[-2:]))
    wide = _WIDE_GAP * row.size
    if _NUMBER.fullmatch(text[0]) and (gap_behind > wide or not text[1][0].isalnum()):
        return True
    rest = _PAGE_COUNT.sub("", join_words(row.words)).split()
    return bool(_NUMBER.fullmatch(rest[-1])) and (
        gap_before > wide or _PAGE_WORD.fullmatch(" ".join(rest[-2:-1])) is not None
    )


def _differs_in_number_alone(text: str, other: str) -> bool:
    return text != other and _without_numbers(text) == _without_numbers(other) and "/" not in text


def _numbers(text: str) -> list[int]:
    return [number_value(m.lower()) for m in _NUMBER.findall(text)]


def _is_misread(a: str, b: str) -> bool:
    """Whether two lines may be one, read a little differently: no word of one is another one than that of the other."""
    short, long = sorted((_without_numbers(a), _without_numbers(b)), key=len)
    if short == long or len(short) < 6 or len(long) - len(short) > 0.4 * len(long):
        return False
    matcher = SequenceMatcher(None, short, long, autojunk=False)
    if matcher.quick_ratio() < _MIN_SIMILARITY or matcher.ratio() < _MIN_SIMILARITY:
        return False
    words, others = a.lower().split(), b.lower().split()
    if len(words) != len(others):
        changes = SequenceMatcher(None, short, long, autojunk=False).get_opcodes()
        return all(max(b - a, d - c) <= _MAX_MISREAD_RUN for kind, a, b, c, d in changes if kind != "equal")
    return all(
        x == y or not x.isalpha() or not y.isalpha()
        or SequenceMatcher(None, x, y, autojunk=False).ratio() >= _MIN_WORD_SIMILARITY
        for x, y in zip(words, others, strict=True)
    )  # fmt: skip
