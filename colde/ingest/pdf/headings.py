"""Steps 7 and 8: headings, their levels, and the title."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from colde.ingest.pdf.body_style import BodyStyle
from colde.ingest.pdf.page_words import Page
from colde.ingest.pdf.reading_order import Line, join_words
from colde.ingest.pdf.section_numbers import SectionNumber, best_chain, possible_numbers
from colde.text.document import Role

_KNOWN_HEADINGS = re.compile(
    r"(?:abstract|summary|introduction|conclusions?|references?|bibliography|works cited|literature cited|"
    r"acknowledge?ments?|appendix|appendices|contents|preface|foreword|glossary|index|background|related works?|"
    r"discussion|results|methods?|evaluation|experiments?|claims|what is claimed is|executive summary|definitions|"
    r"recitals|schedule \w+|conclusions? and future works?|future works?|discussion and conclusions?|"
    r"zusammenfassung|einleitung|literatur|résumé|bibliographie)",
    re.IGNORECASE,
)
REFERENCES = re.compile(
    r"(?:references?(?: and notes)?|bibliography|works cited|literature cited|literatur(?:verzeichnis)?|bibliographie)",
    re.IGNORECASE,
)
Style = tuple[int, bool, bool, bool]  # size in half points, bold, capitals, italic
_NUMBERED = re.compile(
    r"(?:\S{0,6}\d|[A-Z]{1,5}[.:)\s]|appendix|annex|anhang|chapter|section|part|article|kapitel|§)",
    re.IGNORECASE,
)
_MAX_HEADING_WORDS = 22  # words of a heading


@dataclass(slots=True)
class Heading:
    """Lines [begin, end) that are one heading."""

    begin: int
    end: int
    text: str
    score: float
    numbers: list[SectionNumber] = field(default_factory=list)
    number: SectionNumber | None = None
    style: Style = (0, False, False, False)
    is_known_name: bool = False
    emphasis: float = 0.0
    level: int = 1

    def shifted_by(self, by: int) -> Heading:
        """The same heading where `by` lines were added in front of it."""
        return replace(self, begin=self.begin + by, end=self.end + by)


def strip_number(text: str) -> str:
    """A heading without its number and final punctuation."""
    rest = next(
        (n.rest for n in possible_numbers(text) if n.kind != "A" or text[n.rest - 2 : n.rest - 1] in ".:)"), 0
    )
    return text[rest:].strip().rstrip(":.").strip()


def references_start(lines: Sequence[Line]) -> int:
    """Index of the first line that is the heading of a reference list; the number of lines where there is none."""
    return next(
        (i for i, line in enumerate(lines) if REFERENCES.fullmatch(strip_number(line.text))), len(lines)
    )


_ADDRESS = re.compile(r"[\w})\]]@[\w({\[]")  # of an author: no line of a title, however large it is set


def find_title(lines: Sequence[Line], body: BodyStyle, page: Page) -> tuple[int, int]:
    """Lines [begin, end) of the title: the largest text near the top of page 1; (0, 0) where nothing is larger."""
    first = [i for i, line in enumerate(lines) if line.page == lines[0].page]
    near = [i for i in first if lines[i].base < 0.5 * page.height] if len(first) > 12 else first
    named = [i for i in near if _letter_count(lines[i].text) >= 4 and not _ADDRESS.search(lines[i].text)]
    best = max(named, key=lambda i: (round(lines[i].size, 1), -i), default=None)
    if best is None or lines[best].size < 1.12 * body.size or _is_heading(lines, best):
        return 0, 0
    size = lines[best].size
    begin = end = best

    def same(i: int) -> bool:
        return (
            i in first
            and not _ADDRESS.search(lines[i].text)
            and abs(lines[i].size - size) <= 0.12 * size
            and lines[i].font.bold == lines[best].font.bold
        )

    while begin > 0 and same(begin - 1) and 0 < lines[begin].gap <= 2.0 * size:
        begin -= 1
    end += 1
    while end < len(lines) and same(end) and 0 < lines[end].gap <= 2.0 * size:
        end += 1
    return begin, end


def _is_heading(lines: Sequence[Line], i: int) -> bool:
    """Whether the largest line of the first page is but the first of several headings: a file without a title."""
    line = lines[i]
    numbered = any(n.kind == "1" for n in possible_numbers(line.text))
    if not numbered and not _KNOWN_HEADINGS.fullmatch(strip_number(line.text)):
        return False
    return any(abs(n.size - line.size) <= 0.02 * line.size and n.font == line.font for n in lines[i + 2 :])


def _letter_count(text: str) -> int:
    return sum(c.isalpha() for c in text)


def _style(line: Line) -> Style:
    words = [w for w in line.words if sum(c.isalpha() for c in w.text) >= 3] or line.words
    letters = [c for w in words for c in w.text if c.isalpha()]
    count = sum(len(w.text) for w in words)
    bold = sum(len(w.text) for w in words if w.font.bold) > 0.6 * count
    italic = sum(len(w.text) for w in words if w.font.italic) > 0.6 * count
    caps = len(letters) >= 6 and sum(c.isupper() for c in letters) > 0.85 * len(letters)
    return round(line.size * 2), bold, caps, italic


def find_headings(
    lines: Sequence[Line], body: BodyStyle, running: Sequence[bool], roles: Sequence[Role | None], start: int
) -> list[Heading]:
    """Headings from line `start` on, in reading order, with levels.

    Args:
        running: which lines are running text.
        roles: of the lines that are set aside; no heading is looked for in them.
    """
    candidates = _find_candidates(lines, body, roles, start)
    numbered = [(h, n) for h in candidates for n in h.numbers]
    chain = [numbered[i] for i in best_chain([(n, h.score + 0.5) for h, n in numbered])]
    accepted = [(h, n) for h, n in chain if h.score > 0.0]
    is_numbered_document = (
        len(accepted) >= 3
        and sum(h.score for h, _ in accepted) >= 3.0
        and _has_text_between([h for h, _ in accepted])
    )
    if is_numbered_document:
        for heading, number in accepted:
            heading.number = number
    styles = Counter(h.style for h in candidates if h.number is not None)
    chosen = [
        h
        for h in candidates
        if h.number is not None or _is_unnumbered_heading(h, is_numbered_document, styles)
    ]
    chosen = _drop_unmarked_names(chosen)
    chosen = _drop_headings_without_text(chosen, lines, running, roles)
    chosen = _drop_names_before_abstract(chosen, lines)
    _assign_levels(chosen)
    return chosen


def _has_text_between(chain: Sequence[Heading]) -> bool:
    """Whether text stands between the members of a chain: the items of a list follow one another."""
    between = sorted(b.begin - a.end for a, b in pairwise(chain))
    marked = sum(h.emphasis >= 1.0 for h in chain) * 2 > len(chain)
    return between[len(between) // 2] >= (2 if marked else 6)


def _find_candidates(
    lines: Sequence[Line], body: BodyStyle, roles: Sequence[Role | None], start: int
) -> list[Heading]:
    headings: list[Heading] = []
    i = start
    while i < len(lines):
        if roles[i] is not None:
            i += 1
            continue
        heading = _heading_at(lines, body, roles, i)
        if heading is None:
            i += 1
            continue
        headings.append(heading)
        i = heading.end
    return headings


def _heading_at(
    lines: Sequence[Line], body: BodyStyle, roles: Sequence[Role | None], i: int
) -> Heading | None:
    line = lines[i]
    if _looks_like_body_text(line, body):
        return None
    if line.font.mono and not body.mono and line.size <= 1.05 * body.size:
        return None
    style = _style(line)
    end = i + 1
    while (
        end < len(lines)
        and end - i < 4
        and roles[end] is None
        and _continues(lines[end - 1], lines[end], style, body)
    ):
        end += 1
    if end == i + 1 and _continues_indented(lines, i, body, roles):
        end += 1
    words = [w for part in lines[i:end] for w in part.words]
    text = join_words(words)
    if len(words) > _MAX_HEADING_WORDS or _letter_count(text) < 2:
        return None
    numbers = [n for n in possible_numbers(text) if _letter_count(text[n.rest :]) >= 2]
    name = strip_number(text)
    is_known_name = bool(_KNOWN_HEADINGS.fullmatch(name))
    emphasis = score = _emphasis(style, line, body)
    if emphasis < 1.0:  # "A method …", "I think …" are no numbers where nothing says that they are
        numbers = [
            n
            for n in numbers
            if n.kind == "1" or text[n.rest - 2 : n.rest - 1] in ".:)" or not text[0].isupper()
        ]
    first = name[:1]
    if first.islower() and line.size >= 1.07 * body.size:
        score -= 0.5
    elif first.islower() or not (first.isalnum() or first in "“\"'(‘«¿_"):
        score -= 3.0
    if numbers:
        score += 0.5
    if is_known_name:
        score += 2.0
    lead = line.gap / max(body.leading, 1.0)
    above = lines[i - 1] if i else None
    if above is None or line.gap == 0.0 or lead > 1.25 or roles[i - 1] is not None:
        score += 0.75
    elif lead < 1.1 and above is not None and above.right - above.x1 < 1.5 * body.size:
        score -= 1.0
    last = lines[end - 1]
    following = lines[end] if end < len(lines) else None
    inside = following is not None and (following.page, following.flow) == (last.page, last.flow)
    if inside and following is not None and following.gap > 1.25 * body.leading:
        score += 0.25
    if last.right - last.x1 < 1.0 * body.size and last.x1 - last.x0 > 0.5 * (last.right - last.left):
        score -= 1.0
        if inside and following is not None and following.text[:1].islower():
            score -= 1.5
    if any(n.gaps() for n in lines[i:end]):
        score -= 2.0
    if _is_centred(line) and score >= 1.0:
        score += 0.75
    if text.endswith((",", ";", "-")):
        score -= 2.0
    if text.endswith((".", "!")) and not is_known_name:
        score -= 1.0
    if text.endswith(":"):
        score -= 0.5
    if len(words) > 12:
        score -= 0.5
    if sum(c.isalpha() or c.isspace() for c in text) < 0.6 * len(text):
        score -= 1.5
    if not numbers and not is_known_name and score < 1.5:
        return None
    return Heading(i, end, text, score, numbers, None, style, is_known_name, emphasis)


def _looks_like_body_text(line: Line, body: BodyStyle) -> bool:
    """Whether a line looks like body text and carries neither a number nor a known word; quick, for most are so."""
    font = line.font
    return (
        abs(line.size - body.size) <= 0.05 * body.size
        and font.family == body.family
        and (font.bold, font.italic) == (body.bold, body.italic)
        and (len(line.words) > 5 or not _KNOWN_HEADINGS.fullmatch(line.text.rstrip(":. ")))
        and not line.text.isupper()
        and not _NUMBERED.match(line.text)
    )


def _continues_indented(lines: Sequence[Line], i: int, body: BodyStyle, roles: Sequence[Role | None]) -> bool:
    """Whether a numbered line in the style of body text goes on below, indented behind the number, and then ends."""
    if i + 1 >= len(lines) or roles[i + 1] is not None or not possible_numbers(lines[i].text):
        return False
    line, below = lines[i], lines[i + 1]
    same = (below.page, below.flow) == (line.page, line.flow) and below.gap <= 1.15 * body.leading
    if (
        not same
        or below.x0 - line.x0 < 0.8 * line.size
        or 0 < line.gap < 1.25 * body.leading
        or len(line.words) < 2
    ):
        return False
    after = lines[i + 2] if i + 2 < len(lines) else None
    return (
        below.right - below.x1 > 2.0 * body.size
        and (after is None or after.gap == 0.0 or after.gap > 1.15 * body.leading)
        and (after is None or after.x0 < below.x0 - 0.8 * line.size)
        and not line.text.endswith((".", ";", ","))
    )


def _is_centred(line: Line) -> bool:
    before, behind = line.x0 - line.left, line.right - line.x1
    return min(before, behind) > 2.0 * line.size and abs(before - behind) < 0.3 * (before + behind)


def _emphasis(style: Style, line: Line, body: BodyStyle) -> float:
    """How far a line's style is from that of body text."""
    _, bold, caps, italic = style
    ratio = line.size / body.size
    score = 0.0
    if ratio >= 1.25:
        score += 2.5
    elif ratio >= 1.07:
        score += 1.75
    elif ratio < 0.9:
        score -= 1.0
    if bold and not body.bold:
        score += 1.75
    if caps:
        score += 1.0
    if italic and not body.italic:
        score += 0.5
    if line.font.family != body.family and not line.font.mono:
        score += 0.5 if bold or italic else 1.0
    return score


def _continues(line: Line, following: Line, style: Style, body: BodyStyle) -> bool:
    """Whether a heading goes on in the next line: same style, close below, and a style that body text has not."""
    if (following.page, following.flow) != (line.page, line.flow) or following.gap > 1.45 * max(
        line.size, following.size
    ):
        return False
    other = _style(following)
    if abs(other[0] - style[0]) > 1 or other[1:3] != style[1:3]:
        return False
    if (
        possible_numbers(following.text)
        and _letter_count(following.text) > 3
        and not line.text.endswith(("and", "of", "-", ":"))
    ):
        return False
    return _emphasis(style, line, body) >= 1.5 or (
        line.font.family != body.family and line.font == following.font
    )


def _is_unnumbered_heading(h: Heading, is_numbered_document: bool, styles: Counter[Style]) -> bool:
    """Whether an unnumbered line is a heading: by its own marks, or because numbered headings look the same."""
    if h.is_known_name and h.score >= 2.0:
        return True
    if not is_numbered_document:
        return h.score >= 2.5
    size, bold, caps, italic = h.style
    same_style = any(abs(size - s) <= 1 and (bold, caps, italic) == (b, c, i) for s, b, c, i in styles)
    if h.numbers:  # a number that continues nothing: an item of a list, or an appendix that counts anew
        return same_style and h.score >= 3.5
    return h.score >= (2.5 if same_style and (bold or caps) else 3.5)


def _drop_unmarked_names(headings: list[Heading]) -> list[Heading]:
    """Where headings stand out by their style, a known word in the style of body text is none of them."""
    marked = sum(h.emphasis >= 1.5 for h in headings)
    if marked < 3 or marked < 0.6 * len(headings):
        return headings
    return [
        h
        for h in headings
        if h.number is not None or h.emphasis >= 0.5 or REFERENCES.fullmatch(strip_number(h.text))
    ]


def _drop_headings_without_text(
    headings: list[Heading], lines: Sequence[Line], running: Sequence[bool], roles: Sequence[Role | None]
) -> list[Heading]:
    """Body text must follow: an unnumbered heading needs running text, a list or a further heading behind it."""
    kept: list[Heading] = []
    for n in range(len(headings) - 1, -1, -1):
        h = headings[n]
        below = kept[-1] if kept else None
        if h.is_known_name or h.number is not None:
            stop = below.begin if below is not None else len(lines)
            text = any(roles[i] is None for i in range(h.end, stop))
            fine = (
                text
                or below is not None
                or (stop > h.end and bool(REFERENCES.fullmatch(strip_number(h.text))))
            )
        else:
            fine = _text_follows(
                h, headings[n + 1] if n + 1 < len(headings) else None, below, lines, running, roles
            )
        if fine:
            kept.append(h)
    return kept[::-1]


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
        near = after is not None and after is below and after.begin - h.end < 3
        return near and after is not None and (after.number is not None or after.style < h.style)
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
    return marked and len(line.words) >= 3 and _letter_count(line.text) > 0.6 * len(line.text)


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


def _assign_levels(headings: Sequence[Heading]) -> None:
    """Level from the numbering depth; else that of numbered headings of the same style; else the rank of the style."""
    by_style: dict[Style, Counter[int]] = {}
    for h in headings:
        if h.number is not None:
            h.level = len(h.number.path)
            by_style.setdefault(h.style, Counter())[h.level] += 1
    rest = [h for h in headings if h.number is None]
    ranks = _style_ranks(rest)
    for h in rest:
        if h.is_known_name:
            h.level = 1
            if not by_style:
                h.level = ranks[h.style]
        elif by_style:
            near = [c for s, c in by_style.items() if abs(s[0] - h.style[0]) <= 1 and s[1:] == h.style[1:]]
            h.level = near[0].most_common(1)[0][0] if near else 1 + (ranks[h.style] - 1)
        else:
            h.level = ranks[h.style]


def _style_ranks(headings: Sequence[Heading]) -> dict[Style, int]:
    """1 for the most prominent style, 2 for the next. Sizes that differ by little count as one, the more so where
    capitals say that two styles are the same: a scan spreads one size over several."""
    ordered = sorted({h.style for h in headings}, key=lambda s: (-s[0], not s[2], not s[1], s[3]))
    ranks: dict[Style, int] = {}
    rank = 0
    first: Style | None = None  # of the rank in hand
    for style in ordered:
        near = first is not None and style[1:] == first[1:]
        if (
            first is None
            or not near
            or first[0] - style[0] > max(1.0, (0.2 if style[2] else 0.04) * first[0])
        ):
            rank += 1
            first = style
        ranks[style] = min(rank, 6)
    return ranks
