"""The headings of a PDF and their levels."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from colde.ingest.pdf.headings.heading_levels import Heading, assign_levels
from colde.ingest.pdf.headings.heading_rules import (
    EMPHASIS_RULES,
    HEADING_RULES,
    MIN_SCORE,
    RECURRING_POINTS,
    Candidate,
    Style,
    StyledLine,
    letter_count,
    recurring_bold_styles,
    style_of,
)
from colde.ingest.pdf.headings.known_headings import heads_references, is_known_heading, strip_number
from colde.ingest.pdf.headings.run_in_headings import DocumentMarks, document_marks
from colde.ingest.pdf.headings.section_numbers import SectionNumber, best_chain, possible_numbers
from colde.ingest.pdf.lines.body_style import BodyStyle
from colde.ingest.pdf.lines.text_lines import Line, is_centred, join_words
from colde.ingest.pdf.lines.weighted_rules import add_up
from colde.text.document import Role

_NUMBERED = re.compile(
    r"(?:\S{0,6}\d|[A-Z]{1,5}[.:)\s]|appendix|annex|anhang|chapter|section|part|article|kapitel|§)",
    re.IGNORECASE,
)
_MAX_HEADING_WORDS = 22
_MAX_HEADING_LINES = 4
# Points by the rules of heading_rules.py from which a line is a heading; chosen on documents with known structure.
_NAME_POINTS = 2.0  # a known name, such as Abstract
_MARKED_POINTS = 2.5  # where no heading is numbered, or in the bold or capital style of numbered ones
_PLAIN_POINTS = 3.5  # elsewhere, and for a number that continues nothing
_CHAIN_POINTS = 3.0  # the members of a chain of section numbers together
_MIN_CHAIN = 3  # members
_STYLED = 1.0  # points of emphasis from which a style differs from body text, by one mark
_STANDS_OUT = 1.5  # by more than one
_SAME_HEADING_GAP = 1.45  # line heights between two lines of a heading
_MIN_ACCEPTED = 0.6  # of the members of a chain of section numbers; the others do not look like headings


def find_headings(
    lines: Sequence[Line],
    body: BodyStyle,
    running: Sequence[bool],
    roles: Sequence[Role | None],
    start: int,
    listed: Mapping[int, int],
) -> list[Heading]:
    """Headings from line `start` on, in reading order, with levels.

    Args:
        running: which lines are running text.
        roles: of the lines that are set aside; no heading is looked for in them.
        listed: where titles begin and end that a table of contents or the bookmarks of the file name.
    """
    candidates = _find_candidates(lines, body, roles, start, listed)
    numbered = _number_headings(candidates)
    styles = {h.style for h in candidates if h.number is not None}
    recurring = recurring_bold_styles((h.style, h.score) for h in candidates)
    headings = [
        h
        for h in candidates
        if h.number is not None or _is_unnumbered_heading(h, numbered, styles, recurring)
    ]
    headings = _drop_repeated_titles(_drop_unmarked_names(headings), lines)
    headings = _drop_headings_without_text(headings, lines, running, roles)
    headings = _drop_names_before_abstract(headings, lines)
    assign_levels(headings)
    return headings


def _number_headings(candidates: Sequence[Heading]) -> bool:
    """Set the number of the candidates that form a chain of section numbers; whether there is such a chain."""
    numbered = [(h, n) for h in candidates for n in h.numbers]
    chain = [numbered[i] for i in best_chain([(n, h.score + 0.5) for h, n in numbered])]
    accepted = [(h, n) for h, n in chain if h.score > 0.0]
    headings = [h for h, _ in accepted]
    # With fewer the chain is of numbered paragraphs, some of which begin with a short line.
    if len(accepted) < max(_MIN_CHAIN, _MIN_ACCEPTED * len(chain)):
        return False
    if sum(h.score for h in headings) < _CHAIN_POINTS or not _has_text_between(headings):
        return False
    for heading, number in accepted:
        heading.number = number
    return True


def _has_text_between(chain: Sequence[Heading]) -> bool:
    """Whether text stands between the members of a chain: the items of a list follow one another."""
    between = sorted(b.begin - a.end for a, b in pairwise(chain))
    marked = sum(h.emphasis >= _STYLED for h in chain) * 2 > len(chain)
    return between[len(between) // 2] >= (2 if marked else 6)


def _find_candidates(
    lines: Sequence[Line],
    body: BodyStyle,
    roles: Sequence[Role | None],
    start: int,
    listed: Mapping[int, int],
) -> list[Heading]:
    headings: list[Heading] = []
    marks = document_marks(lines, body)
    i = start
    while i < len(lines):
        heading = _heading_at(lines, body, roles, i, marks, listed.get(i)) if roles[i] is None else None
        if heading is not None:
            headings.append(heading)
        i = heading.end if heading is not None else i + 1
    return headings


def _heading_at(
    lines: Sequence[Line],
    body: BodyStyle,
    roles: Sequence[Role | None],
    i: int,
    marks: DocumentMarks,
    listed_end: int | None,
) -> Heading | None:
    """The candidate that begins with a line; None where the line cannot be a heading.

    Args:
        listed_end: index behind its last line, where a table of contents names it.
    """
    line = lines[i]
    if listed_end is None and _is_no_heading(line, body):
        return None
    style = style_of(line)
    emphasis = add_up(EMPHASIS_RULES, StyledLine(line, style, body))
    end = listed_end or _candidate_end(lines, body, roles, i, style)
    words = [w for part in lines[i:end] for w in part.words]
    text = join_words(words)
    if len(words) > _MAX_HEADING_WORDS or letter_count(text) < 2:
        return None
    numbers = _section_numbers(text, emphasis)
    name = strip_number(text)
    following = lines[end] if end < len(lines) and lines[end].same_column(lines[end - 1]) else None
    candidate = Candidate(
        lines=lines[i:end],
        body=body,
        text=text,
        name=name,
        numbers=numbers,
        is_known_name=is_known_heading(name),
        above=lines[i - 1] if i else None,
        above_set_aside=i > 0 and roles[i - 1] is not None,
        below=following,
        has_run_ins=marks.has_run_ins,
        is_italic_heading=i in marks.italic_headings,
        is_listed=listed_end is not None,
        is_centred_title=i in marks.centred_titles,
    )
    score = add_up(HEADING_RULES, candidate, emphasis)
    if not numbers and not candidate.is_known_name and score < MIN_SCORE:
        return None
    is_named = candidate.is_known_name
    return Heading(i, end, text, score, numbers, None, style, is_named, candidate.is_listed, emphasis)


def _section_numbers(text: str, emphasis: float) -> list[SectionNumber]:
    """What the number of a candidate can be.

    Where nothing marks the line, the letters of "A method …" and "I think …" are words.
    """
    numbers = [n for n in possible_numbers(text) if letter_count(text[n.rest :]) >= 2]
    if emphasis >= _STYLED:
        return numbers
    return [
        n for n in numbers if n.kind == "1" or text[n.rest - 2 : n.rest - 1] in ".:)" or not text[0].isupper()
    ]


def _looks_like_body_text(line: Line, body: BodyStyle) -> bool:
    """Whether a line is set like body text, without a number or a known name. It is quick, for most lines are so."""
    font = line.font
    return (
        line.similar_size(body.size, 0.05)
        and font.family == body.family
        and (font.bold, font.italic) == (body.bold, body.italic)
        and (len(line.words) > 5 or not is_known_heading(line.text.rstrip(":. ")))
        and not line.text.isupper()
        and not _NUMBERED.match(line.text)
    )


def _is_no_heading(line: Line, body: BodyStyle) -> bool:
    return _looks_like_body_text(line, body) or _is_code(line, body)


def _is_code(line: Line, body: BodyStyle) -> bool:
    return line.font.mono and not body.mono and line.size <= 1.05 * body.size


def _candidate_end(
    lines: Sequence[Line], body: BodyStyle, roles: Sequence[Role | None], i: int, style: Style
) -> int:
    """Index behind the last line of the candidate that begins with line `i`."""
    end = i + 1
    while (
        end < min(len(lines), i + _MAX_HEADING_LINES)
        and roles[end] is None
        and _continues(lines[end - 1], lines[end], style, body)
    ):
        end += 1
    if end == i + 1 and end < len(lines) and roles[end] is None and _continues_indented(lines, i, body):
        end += 1
    return end


def _continues(line: Line, following: Line, style: Style, body: BodyStyle) -> bool:
    """Whether a heading goes on in the next line: same style, close below, and unlike body text."""
    if not following.same_column(line) or following.gap > _SAME_HEADING_GAP * max(line.size, following.size):
        return False
    if not _looks_alike(style, style_of(following), following):
        return False
    starts_another = possible_numbers(following.text) and letter_count(following.text) > 3
    if starts_another and not line.text.endswith(("and", "of", "-", ":")):
        return False
    marked = add_up(EMPHASIS_RULES, StyledLine(line, style, body)) >= _STANDS_OUT
    centred_capitals = following.text.isupper() and is_centred(line) and is_centred(following)
    return marked or centred_capitals or (line.font.family != body.family and line.font == following.font)


def _looks_alike(style: Style, other: Style, following: Line) -> bool:
    """Whether the next line is set like a line; its last word may be too short to count as capitals."""
    capitals = other.capitals == style.capitals or (style.capitals and following.text.isupper())
    return abs(other.half_points - style.half_points) <= 1 and other.bold == style.bold and capitals


def _continues_indented(lines: Sequence[Line], i: int, body: BodyStyle) -> bool:
    """Whether a numbered line in the style of body text goes on below, indented behind the number, and then ends."""
    line, below = lines[i], lines[i + 1]
    if (
        not possible_numbers(line.text)
        or not below.same_column(line)
        or below.gap > 1.15 * body.leading
        or below.x0 - line.x0 < 0.8 * line.size
        or 0 < line.gap < 1.25 * body.leading
        or len(line.words) < 2
        or line.text.endswith((".", ";", ","))
        or below.room <= 2.0 * body.size
    ):
        return False
    after = lines[i + 2] if i + 2 < len(lines) else None
    return after is None or (
        (after.gap == 0.0 or after.gap > 1.15 * body.leading) and after.x0 < below.x0 - 0.8 * line.size
    )


def _is_unnumbered_heading(
    h: Heading, is_numbered_document: bool, styles: set[Style], recurring: set[Style]
) -> bool:
    """Whether an unnumbered line is a heading: by its own marks, or because other headings look the same.

    Args:
        styles: of the numbered headings.
        recurring: styles of several lines that stand like headings.
    """
    if h.is_known_name and h.score >= _NAME_POINTS:
        return True
    if not is_numbered_document:
        return h.score >= _MARKED_POINTS
    same_style = any(h.style.resembles(style) for style in styles)
    if h.style in recurring and not h.text.endswith(":"):  # several labels are no headings
        return h.score >= RECURRING_POINTS
    if h.numbers:  # a number that continues nothing: an item of a list, or an appendix that counts anew
        return same_style and h.score >= _PLAIN_POINTS
    is_marked = same_style and (h.style.bold or h.style.capitals)
    return h.score >= (_MARKED_POINTS if is_marked else _PLAIN_POINTS)


def _drop_unmarked_names(headings: list[Heading]) -> list[Heading]:
    """Where headings stand out by their style, a known word in the style of body text is none of them."""
    marked = sum(h.emphasis >= _STANDS_OUT for h in headings)
    if marked < 3 or marked < 0.6 * len(headings):
        return headings
    return [
        h
        for h in headings
        if h.number is not None
        or h.is_listed
        or h.emphasis >= 0.5
        or h.style.capitals
        or heads_references(h.text)
    ]


def _drop_repeated_titles(headings: list[Heading], lines: Sequence[Line]) -> list[Heading]:
    """A title that comes again at the top of a page is a running head."""
    return [
        h
        for before, h in zip([None, *headings], headings, strict=False)
        if before is None
        or h.text.casefold() != before.text.casefold()
        or lines[h.begin].page == lines[h.begin - 1].page
    ]


def _drop_headings_without_text(
    headings: list[Heading], lines: Sequence[Line], running: Sequence[bool], roles: Sequence[Role | None]
) -> list[Heading]:
    """Body text must follow: an unnumbered heading needs running text, a list or a further heading behind it."""
    kept: list[Heading] = []
    after: Heading | None = None
    for h in reversed(headings):
        below = kept[-1] if kept else None
        if h.is_known_name or h.is_listed or h.number is not None:
            keep = below is not None or _anything_follows(h, lines, roles)
        else:
            keep = _text_follows(h, after, below, lines, running, roles)
        if keep:
            kept.append(h)
        after = h
    return kept[::-1]


def _anything_follows(h: Heading, lines: Sequence[Line], roles: Sequence[Role | None]) -> bool:
    """Whether text stands behind the last heading; any line is enough behind that of a reference list."""
    return None in roles[h.end :] or (len(lines) > h.end and heads_references(h.text))


def _text_follows(
    h: Heading,
    after: Heading | None,
    below: Heading | None,
    lines: Sequence[Line],
    running: Sequence[bool],
    roles: Sequence[Role | None],
) -> bool:
    """Whether text, a list, or a heading that was kept (`below`) stands right behind an unnumbered heading.

    Args:
        after: the next line that looks like a heading, kept or not.
    """
    stop = len(lines) if after is None else after.begin
    text = [i for i in range(h.end, stop) if roles[i] is None]
    if not text:
        if after is None or after is not below or after.begin - h.end >= 3:
            return False
        return after.number is not None or after.style < h.style
    if roles[h.end] not in (None, "equation") or _is_neighbouring_cell(lines[h.end - 1], lines[h.end]):
        return False
    return any(
        running[i] or lines[i].font.mono or _is_list_item(lines[i]) or _is_sentence_line(lines[i])
        for i in text[:2]
    )


def _is_neighbouring_cell(line: Line, following: Line) -> bool:
    """Whether the next line stands in another column at the same height or below: the two are cells of a table."""
    return following.page == line.page and following.flow != line.flow and following.base >= line.base - 1.0


def _is_list_item(line: Line) -> bool:
    marked = line.text[:1] in "•◦‣▪■●○–-*·" or bool(possible_numbers(line.text))
    return marked and len(line.words) >= 3 and letter_count(line.text) > 0.6 * len(line.text)


def _is_sentence_line(line: Line) -> bool:
    return line.text.endswith((".", ":", "!", "?")) and len(line.words) >= 3 and line.text[:1].isupper()


def _drop_names_before_abstract(headings: list[Heading], lines: Sequence[Line]) -> list[Heading]:
    """Names and institutions between the title and an abstract on the first page are no headings."""
    for n, h in enumerate(headings):
        if h.number is not None or lines[h.begin].page != lines[0].page:
            break
        if h.is_known_name:
            return headings[n:] if strip_number(h.text).lower() in ("abstract", "summary") else headings
    return headings
