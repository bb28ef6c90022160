"""The rules that tell headings from other lines: each has a name, a weight, and a reason.

The score of a candidate is the sum of the weights of all rules that apply. All weights are multiples of 0.25, so the
sum does not depend on the order; one rule, `centred`, looks at the score of the rules before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from colde.ingest.pdf.headings.run_in_headings import is_run_in
from colde.ingest.pdf.headings.section_numbers import SectionNumber
from colde.ingest.pdf.lines.body_style import BodyStyle
from colde.ingest.pdf.lines.text_lines import Line, is_centred
from colde.ingest.pdf.lines.weighted_rules import CONVENTION, Rule


class Style(NamedTuple):
    """What a line looks like: font size in half points, and whether most of it is bold, in capitals, italic."""

    half_points: int
    bold: bool
    capitals: bool
    italic: bool

    def resembles(self, other: Style) -> bool:
        """Whether two lines look alike, give or take half a point."""
        return abs(self.half_points - other.half_points) <= 1 and self[1:] == other[1:]


def style_of(line: Line) -> Style:
    """The style of a line; words of fewer than three letters count only where there are no others."""
    words = [w for w in line.words if letter_count(w.text) >= 3] or line.words
    letters = [c for w in words for c in w.text if c.isalpha()]
    count = sum(len(w.text) for w in words)
    bold = sum(len(w.text) for w in words if w.font.bold) > 0.6 * count
    italic = sum(len(w.text) for w in words if w.font.italic) > 0.6 * count
    fewest = 3 if is_centred(line) else 6
    capitals = len(letters) >= fewest and sum(c.isupper() for c in letters) > 0.85 * len(letters)
    return Style(round(line.size * 2), bold, capitals, italic)


def letter_count(text: str) -> int:
    return sum(map(str.isalpha, text))


_WORD_SPACE = 0.3  # font sizes


@dataclass(frozen=True, slots=True)
class StyledLine:
    """A line and its style, beside those of body text."""

    line: Line
    style: Style
    body: BodyStyle

    @property
    def ratio(self) -> float:
        """Font size over that of body text."""
        return self.line.size / self.body.size

    @property
    def other_family(self) -> bool:
        """Whether the font is of another family than body text, and not that of code."""
        return self.line.font.family != self.body.family and not self.line.font.mono


@dataclass(frozen=True, slots=True)
class Candidate:
    """Lines that may be a heading, and what stands around them.

    Attributes:
        lines: the lines of the heading.
        text, name: its text with and without its number.
        numbers: what its number can be; empty without one.
        is_known_name: whether the name is one of the usual headings.
        above: the line above in reading order, wherever it stands.
        above_set_aside: whether that line is a caption or the like.
        below: the line below in the same column.
        has_run_ins: whether paragraphs of the document begin with words set bold or italic.
        is_italic_heading: whether the line stands like several italic ones that head the text below them.
        is_listed: whether a table of contents or the bookmarks of the file name it.
        is_centred_title: whether the line is one of several in capitals that stand in the middle between paragraphs.
    """

    lines: Sequence[Line]
    body: BodyStyle
    text: str
    name: str
    numbers: Sequence[SectionNumber]
    is_known_name: bool
    above: Line | None
    above_set_aside: bool
    below: Line | None
    has_run_ins: bool = False
    is_italic_heading: bool = False
    is_listed: bool = False
    is_centred_title: bool = False

    @property
    def first(self) -> Line:
        return self.lines[0]

    @property
    def last(self) -> Line:
        return self.lines[-1]

    @property
    def leading_above(self) -> float:
        """Distance of the baselines above, over the usual distance."""
        return self.first.gap / max(self.body.leading, 1.0)

    @property
    def is_large(self) -> bool:
        return self.first.size >= 1.07 * self.body.size


def _has_space_above(c: Candidate) -> bool:
    return c.above is None or c.first.gap == 0.0 or c.leading_above > 1.25 or c.above_set_aside


def _continues_text_above(c: Candidate) -> bool:
    close = not _has_space_above(c) and c.leading_above < 1.1
    return close and c.above is not None and c.above.room < 1.5 * c.body.size


def _is_plain_sentence(c: Candidate) -> bool:
    """Whether the line has a number, looks like body text, and holds seven words or more that end with a full stop."""
    font, body = c.first.font, c.body
    looks_like_body = (font.family, font.bold, font.italic) == (body.family, body.bold, body.italic)
    is_sentence = c.text.endswith(".") and len(c.name.split()) >= 7
    return bool(c.numbers) and is_sentence and looks_like_body and c.first.similar_size(body.size, 0.05)


def _fills_line(c: Candidate) -> bool:
    return c.last.room < 1.0 * c.body.size and c.last.width > 0.5 * c.last.column_width


def _goes_on_below(c: Candidate) -> bool:
    """Whether the line ends only where its column does, and goes on below in the same style."""
    last, below = c.last, c.below
    if below is None or below.gap > 1.25 * c.body.leading or last.font != below.font:
        return False
    if not last.similar_size(below.size, 0.05):
        return False
    return below.text[:1].islower() or not last.fits_in_room(below.words[0], _WORD_SPACE)


def _begins_run_in(c: Candidate) -> bool:
    """Whether words set bold or italic begin a paragraph that goes on in plain ones, in the line or in the next."""
    if any(is_run_in(line, c.body) for line in c.lines):
        return True
    if c.numbers or c.below is None or not _is_close_below(c) or not is_run_in(c.below, c.body):
        return False
    return c.below.words[0].font == c.last.font and not c.last.fits_in_room(c.below.words[0], _WORD_SPACE)


def _ends_like_run_in(c: Candidate) -> bool:
    """Whether body text goes on close below a line that ends where its column does, or in a full stop or the like."""
    if not c.has_run_ins or c.is_large or c.numbers or not _is_close_below(c) or c.below is None:
        return False
    return c.text.endswith((".", ":", "–", "—")) or not c.last.fits_in_room(c.below.words[0], _WORD_SPACE)


def _is_close_below(c: Candidate) -> bool:
    return c.below is not None and 0.0 < c.below.gap <= 1.25 * c.body.leading


def _starts_with_sign(c: Candidate) -> bool:
    first = c.name[:1]
    return not (first.isalnum() or first in "“\"'(‘«¿_")


EMPHASIS_RULES: tuple[Rule[StyledLine], ...] = (
    Rule("much_larger", 2.5, lambda s, _: s.ratio >= 1.25, "headings of high rank are set much larger", CONVENTION),
    Rule("larger", 1.75, lambda s, _: 1.07 <= s.ratio < 1.25, "headings are set larger than text", CONVENTION),
    Rule("smaller", -1.0, lambda s, _: s.ratio < 0.9, "small print is notes and labels", CONVENTION),
    Rule("bold", 1.75, lambda s, _: s.style.bold and not s.body.bold, "headings are set bold", CONVENTION),
    Rule("capitals", 1.0, lambda s, _: s.style.capitals, "headings are set in capitals", CONVENTION),
    Rule(
        "italic", 0.5, lambda s, _: s.style.italic and not s.body.italic,
        "headings of low rank are set italic, and so are emphasised sentences", CONVENTION,
    ),
    Rule(
        "other_family", 1.0, lambda s, _: s.other_family and not (s.style.bold or s.style.italic),
        "headings are set in another typeface, often sans serif", CONVENTION,
    ),
    Rule(
        "other_family_styled", 0.5, lambda s, _: s.other_family and (s.style.bold or s.style.italic),
        "bold and italic fonts often have a family name of their own, so it says less",
    ),
)  # fmt: skip
"""How far the style of a line is from that of body text."""

HEADING_RULES: tuple[Rule[Candidate], ...] = (
    Rule(
        "starts_lower_case_large", -0.5, lambda c, _: c.name[:1].islower() and c.is_large,
        "headings start with a capital; large ones sometimes with a name such as \"iPhone\"",
    ),
    Rule(
        "starts_lower_case_or_sign", -3.0,
        lambda c, _: (c.name[:1].islower() and not c.is_large) or _starts_with_sign(c),
        "a line that starts in lower case goes on with a sentence; one that starts with a sign is an item or a formula",
    ),
    Rule("has_number", 0.5, lambda c, _: bool(c.numbers), "headings are numbered, and so are items of lists"),
    Rule("known_name", 2.0, lambda c, _: c.is_known_name, "such a word alone is hardly ever anything else"),
    Rule(
        "space_above", 0.75, lambda c, _: _has_space_above(c),
        "headings are set apart from the text above, or stand first in a column", CONVENTION,
    ),
    Rule(
        "continues_above", -1.0, lambda c, _: _continues_text_above(c),
        "a line close below a full line is the next line of its paragraph",
    ),
    Rule(
        "space_below", 0.25, lambda c, _: c.below is not None and c.below.gap > 1.25 * c.body.leading,
        "headings are set apart from the text below, though less than from the text above", CONVENTION,
    ),
    Rule("fills_line", -1.0, lambda c, _: _fills_line(c), "headings are short; a full line is text"),
    Rule(
        "next_goes_on", -1.5,
        lambda c, _: _fills_line(c) and c.below is not None and c.below.text[:1].islower(),
        "a full line whose next line starts in lower case is the middle of a sentence",
    ),
    Rule(
        "goes_on_below", -2.0, lambda c, _: _goes_on_below(c),
        "where the next word did not fit in, or starts in lower case, the line is the first of a paragraph",
    ),
    Rule(
        "run_in", -4.0, lambda c, _: _begins_run_in(c),
        "bold or italic words that begin a paragraph and go on in plain ones are part of it",
    ),
    Rule(
        "ends_like_run_in", -2.5, lambda c, _: _ends_like_run_in(c),
        "where paragraphs begin with bold words, those that fill a line are no headings either",
    ),
    Rule(
        "italic_heading", 1.25, lambda c, _: c.is_italic_heading,
        "several italic lines that are closer to the text below than to that above head the text below", CONVENTION,
    ),
    Rule(
        "listed", 2.5, lambda c, _: c.is_listed,
        "the document itself names its headings in a table of contents or in bookmarks", CONVENTION,
    ),
    Rule(
        "centred_title", 1.0, lambda c, _: c.is_centred_title,
        "books of one size of type have titles in capitals in the middle of the line", CONVENTION,
    ),
    Rule(
        "wide_gaps", -2.0, lambda c, _: any(line.gaps() for line in c.lines),
        "wide gaps between words are those of a row of a table",
    ),
    Rule(
        "centred", 0.75, lambda c, score: score >= 1.0 and is_centred(c.first),
        "headings are centred, and so are formulas and captions, which have no other mark of a heading", CONVENTION,
    ),
    Rule(
        "ends_with_comma", -2.0, lambda c, _: c.text.endswith((",", ";", "-")),
        "what ends in a comma or a hyphen goes on in the next line",
    ),
    Rule(
        "ends_with_full_stop", -1.0, lambda c, _: c.text.endswith((".", "!")) and not c.is_known_name,
        "sentences end with a full stop, headings seldom",
    ),
    Rule(
        "numbered_sentence", -1.0, lambda c, _: _is_plain_sentence(c),
        "a short numbered paragraph, as in a contract, is a sentence that looks like the text around it",
    ),
    Rule("ends_with_colon", -0.5, lambda c, _: c.text.endswith(":"), "a colon introduces a list as often as a section"),
    Rule(
        "long", -0.5, lambda c, _: sum(len(line.words) for line in c.lines) > 12,
        "headings of more than twelve words are rare",
    ),
    Rule(
        "few_letters", -1.5, lambda c, _: sum(x.isalpha() or x.isspace() for x in c.text) < 0.6 * len(c.text),
        "a line of digits and signs is a formula or a row of numbers",
    ),
)  # fmt: skip
"""What speaks for and against a heading besides its style."""

MIN_SCORE = 1.5
"""Score from which on a line without a number and without a known name is a candidate."""

RECURRING_POINTS = 2.75
"""Score of each of several bold lines that look the same, from which on they are headings."""
_FEWEST_RECURRING = 3


def recurring_bold_styles(scores: Iterable[tuple[Style, float]]) -> set[Style]:
    """The bold styles of several candidates that stand like headings; a single one may be a label."""
    counts = Counter(style for style, score in scores if style.bold and score >= RECURRING_POINTS)
    return {style for style, count in counts.items() if count >= _FEWEST_RECURRING}
