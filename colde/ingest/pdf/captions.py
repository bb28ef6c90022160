"""Step 10: what is shown but not compared: captions, footnotes, tables and figure text, display equations."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from colde.ingest.pdf.body_style import BodyStyle, is_row_of_numbers
from colde.ingest.pdf.page_words import Page
from colde.ingest.pdf.reading_order import Line
from colde.ingest.pdf.section_numbers import possible_numbers
from colde.text.document import Role

_CAPTION = re.compile(
    r"(?:figure|fig\.?|table|tab\.|algorithm|listing|chart|exhibit|plate|scheme|diagram|abbildung|abb\.|tabelle|tableau)\s*"
    r"(?:[A-Z]\.?)?(?:\d+(?:[.\-]\d+)*|[IVX]+)(?:\s?\(?[a-z]\)?)?\s*(?P<mark>[:.\-–—|)]*)(?P<rest>.*)",
    re.IGNORECASE,
)
_FOOTNOTE_MARK = re.compile(r"(?:\[?\d{1,3}[\].)]?|[*∗†‡§¶⋆‖]{1,3}|[a-z]\))(?:\s|(?=[A-Z“\"(h]))")
_MATH_SYMBOLS = set("=+−×÷∑∏∫√∞≤≥≠≈∈∉⊂⊆∪∩∀∃∂∇→←⇒⇔∧∨¬·∗|<>^~αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ{}")
_MAX_LABEL_LINES = 2  # lines of a row's name, where the row is set in several
_EQUATION_NUMBER = re.compile(r"\(\s?\d{1,3}(?:\.\d{1,3})?[a-z]?\s?\)$")
_WORDY = re.compile(r"[^\W\d_]{3,}")
_FUNCTIONS = frozenset(
    (
        "log",
        "exp",
        "max",
        "min",
        "arg",
        "argmax",
        "argmin",
        "sin",
        "cos",
        "tan",
        "lim",
        "sup",
        "inf",
        "det",
        "dim",
        "mod",
    )
)


def mark_captions(lines: Sequence[Line], body: BodyStyle, roles: list[Role | None]) -> None:
    """Mark lines that begin with "Figure 3:" and the like, and the lines that continue them."""
    for i, line in enumerate(lines):
        if roles[i] is not None or not (m := _CAPTION.match(line.text)):
            continue
        rest = m.group("rest").strip()
        above = (
            lines[i - 1] if i and lines[i - 1].flow == line.flow and lines[i - 1].page == line.page else None
        )
        apart = above is None or line.gap > 1.2 * max(body.leading, line.size) or roles[i - 1] is not None
        is_styled = (
            line.size < 0.96 * body.size or line.words[0].font.bold != body.bold or line.words[0].font.italic
        )
        if not m.group("mark") and rest[:1].islower() and not (is_styled and apart):
            continue
        if not (apart or is_styled or m.group("mark").startswith((":", "|"))):
            continue
        if not m.group("mark") and rest and not (apart and (is_styled or len(line.words) < 14)):
            continue
        roles[i] = "caption"
        for j in range(i + 1, min(i + 15, len(lines))):
            following, previous = lines[j], lines[j - 1]
            if roles[j] is not None or (following.page, following.flow) != (line.page, line.flow):
                break
            if abs(following.size - line.size) > 0.05 * line.size or following.gap > 1.35 * 1.2 * line.size:
                break
            if following.gap > 1.25 * body.leading or (
                _CAPTION.match(following.text) and following.gap > body.leading
            ):
                break
            if _ended_early(previous, following):
                break
            roles[j] = "caption"


def _ended_early(line: Line, following: Line) -> bool:
    """Whether a line ended early: the first word of the next would have fitted in."""
    room = line.right - line.x1
    return (
        room > following.words[0].x1 - following.words[0].x0 + 0.9 * line.size and line.text[-1:] in '.!?)”"'
    )


def mark_footnotes(
    lines: Sequence[Line],
    body: BodyStyle,
    pages: Mapping[int, Page],
    roles: list[Role | None],
    references: int,
) -> None:
    """Mark small lines at the foot of a column that start with a mark or stand below a rule.

    Args:
        pages: by their numbers.
        references: index of the heading of the reference list; small print behind it is no footnote unless ruled off.
    """
    end = len(lines)
    for begin in range(len(lines) - 1, -1, -1):
        if begin == 0 or not _in_same_column(lines[begin - 1], lines[begin]):
            start = _footnotes_start(lines, begin, end, body, pages[lines[begin].page], roles, references)
            roles[start:end] = ["footnote"] * (end - start)
            end = begin


def _footnotes_start(
    lines: Sequence[Line],
    begin: int,
    end: int,
    body: BodyStyle,
    page: Page,
    roles: Sequence[Role | None],
    references: int,
) -> int:
    """Where the footnotes of the column [begin, end) start; `end` where it has none."""
    start = end
    while start > begin and roles[start - 1] is None and lines[start - 1].size <= 0.94 * body.size:
        start -= 1
    for i in range(start, end):
        line = lines[i]
        apart = i == begin or line.gap > 1.25 * line.size
        marked = bool(_FOOTNOTE_MARK.match(line.text)) or line.words[0].size < 0.85 * line.size
        if (
            line.base > 0.35 * page.height
            and apart
            and (_has_rule_above(line, page) or (marked and i < references))
        ):
            return i
    return end


def _has_rule_above(line: Line, page: Page) -> bool:
    """Whether a short rule stands above a line, as above the first footnote."""
    width = max(line.right - line.left, 1.0)
    return any(
        0.0 < line.base - r.y < 2.6 * line.size
        and abs(r.x0 - line.left) < 3.0 * line.size
        and r.x1 - r.x0 < 0.75 * width
        for r in page.rules
    )


def mark_tables(
    lines: Sequence[Line], body: BodyStyle, running: Sequence[bool], roles: list[Role | None]
) -> None:
    """Mark runs of rows with wide gaps, and the scattered words of drawings, as tables.

    Args:
        running: which lines are running text.
    """
    i = 0
    while i < len(lines):
        j, row_score = i, 0.0
        while j < len(lines) and roles[j] is None and _in_same_column(lines[j], lines[i]) and not running[j]:
            weight = _table_row_score(lines[j], body)
            if weight <= 0 and (j == i or not _is_row_label(lines, j, body, running, roles)):
                break
            row_score += weight
            j += 1
        beside = (i and roles[i - 1] == "caption") or (j < len(lines) and roles[j] == "caption")
        if j > i and (row_score >= 4.0 or (beside and row_score >= 1.0)):
            roles[i:j] = ["table"] * (j - i)
        i = max(j, i + 1)
    for i, role in enumerate(list(roles)):
        if role == "caption":
            _mark_around_caption(lines, body, running, roles, i)


def _is_row_label(
    lines: Sequence[Line], i: int, body: BodyStyle, running: Sequence[bool], roles: Sequence[Role | None]
) -> bool:
    """Whether a line is one or two labels of a table's rows: another row follows."""
    for j in range(i, min(i + _MAX_LABEL_LINES + 1, len(lines))):
        line = lines[j]
        if roles[j] is not None or running[j] or not _in_same_column(line, lines[i]):
            return False
        if _table_row_score(line, body) > 0:
            return j > i
        short = len(line.words) <= 4 and line.x1 - line.x0 < 0.5 * (line.right - line.left)
        if not short or line.font.bold or possible_numbers(line.text) or line.gap > 1.5 * body.leading:
            return False
    return False


def _in_same_column(line: Line, other: Line) -> bool:
    return (line.page, line.flow) == (other.page, other.flow)


def _mark_around_caption(
    lines: Sequence[Line], body: BodyStyle, running: Sequence[bool], roles: list[Role | None], caption: int
) -> None:
    """Mark what stands between a caption and the running text above and below it."""
    for step in (-1, 1):
        i = caption + step
        part: list[int] = []
        while (
            0 <= i < len(lines)
            and _in_same_column(lines[i], lines[caption])
            and roles[i] in (None, "table", "equation")
        ):
            if roles[i] is None:
                if running[i] or not _is_label_or_cell(lines[i], body):
                    break
                part.append(i)
            i += step
        while (
            step > 0
            and part
            and part[-1] + 1 < len(lines)
            and running[part[-1] + 1]
            and _may_be_heading(lines[part[-1]], body)
        ):
            part.pop()
        for k in part:
            roles[k] = "table"


def _may_be_heading(line: Line, body: BodyStyle) -> bool:
    """Whether a line right above running text may be its heading."""
    if line.size < 0.94 * body.size or line.gaps() or line.gap < 1.2 * body.leading:
        return False
    return bool(possible_numbers(line.text)) or line.text.isupper() or line.size > 1.04 * body.size


def _is_label_or_cell(line: Line, body: BodyStyle) -> bool:
    """A label or a cell: small, in another font, or short; never what looks like a heading of the body's kind."""
    if line.size < 0.94 * body.size or line.gaps():
        return True
    if line.font.family != body.family and not line.font.bold and not line.font.mono:
        return True
    return (
        len(line.words) <= 4
        and line.x1 - line.x0 < 0.5 * (line.right - line.left)
        and not line.font.bold
        and line.size < 1.06 * body.size
    )


def _table_row_score(line: Line, body: BodyStyle) -> float:
    """How much a line looks like a row of a table or a label in a drawing; 0 for text."""
    if line.font.mono:
        return float(is_row_of_numbers(line))
    weight = 0.0
    gaps = len(line.gaps())
    weight += min(gaps, 3)
    width = max(line.right - line.left, 1.0)
    words = _WORDY.findall(line.text)
    letters = sum(c.isalnum() for c in line.text)
    digits = sum(c.isdigit() for c in line.text)
    if digits > 0.35 * len(line.text.replace(" ", "")):
        weight += 1.0
    if line.size < 0.88 * body.size:
        weight += 0.75
    if letters <= 3 and (line.size > 1.6 * body.size or line.font.family != body.family):
        weight += 1.0
    if gaps == 0 and line.x1 - line.x0 > 0.6 * width and len(words) >= 5:
        return 0.0
    if weight == 0.0 and line.font.family != body.family and len(line.words) <= 4 and not line.font.bold:
        weight += 0.5
    return weight


def mark_equations(lines: Sequence[Line], body: BodyStyle, roles: list[Role | None]) -> None:
    """Mark lines that are mathematics rather than words, and stand apart from the text's left edge."""
    for i, line in enumerate(lines):
        if roles[i] is None and _is_equation(line, body):
            roles[i] = "equation"


def _is_equation(line: Line, body: BodyStyle) -> bool:
    tokens = line.text.split()
    words = [w for w in _WORDY.findall(line.text) if w.lower() not in _FUNCTIONS]
    word_letters = sum(len(w) for w in words)
    characters = sum(len(t) for t in tokens)
    numbered = bool(_EQUATION_NUMBER.search(line.text)) and line.right - line.x1 < 2.0 * line.size
    symbols = sum(c in _MATH_SYMBOLS for c in line.text)
    indented = line.x0 - line.left > 0.8 * line.size or numbered
    if not characters or line.text[:1] in "•–-◦":
        return False
    share = word_letters / characters
    if numbered and share < 0.5 and symbols:
        return True
    if share < 0.34 and symbols >= 1 and indented:
        return True
    return (
        share < 0.15
        and len(tokens) <= 8
        and indented
        and characters <= 12
        and not any(c.isdigit() for c in line.text)
    )
