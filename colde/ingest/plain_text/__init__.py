"""Plain text: paragraphs by blank lines and indents; headings by underlines, numbers, capitals, position."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from colde.ingest.files.character_encoding import decode
from colde.ingest.plain_text.plain_text_heads import without_running_heads
from colde.ingest.plain_text.wrapped_lines import are_units, joins_without_width, single_spaced
from colde.ingest.reading_limits import Reading
from colde.ingest.shared.blocks import Block, follows_colon
from colde.ingest.shared.line_end_hyphens import Vocabulary, join_lines, vocabulary
from colde.ingest.shared.outline import document_from_blocks
from colde.text.document import Document

SUFFIXES = (".txt", ".text", ".log", ".asc", "")
_ATX = re.compile(r"(#{1,6})\s+(?=\S)")
_UNDERLINE = re.compile(r"([=\-~*#^\"'`+_])\1{2,}\s*$")
_NUMBERED = re.compile(r"(?:§\s*)?((?:\d{1,3}|[A-Z])(?:\.\d{1,3})*)([.)]?)\s+(?=[^\W\d_])")
_NAMED_PART = re.compile(
    r"(?:chapter|part|section|appendix|article|annex|kapitel|teil|abschnitt)\s+[\divxlc]+\b", re.I
)
_KNOWN_HEADINGS = re.compile(
    r"(?:abstract|summary|introduction|conclusions?|discussion|results|methods?|background|references|bibliography|"
    r"acknowledge?ments?|appendix|preface|foreword|contents|table of contents)\s*:?",
    re.I,
)
_BULLET = re.compile(r"\s*(?:[-*+•‣◦▪–·]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])\s+\S")
_SENTENCE_END = re.compile(r"[.!?:;,…。！？؟،][\"'”’»)\]]*$")
_LEADER = re.compile(r"(?:\.\s?){3,}\s*\d{1,4}$")  # a line of a table of contents
_TAIL_CHARACTERS = 400  # at the end of a line, searched for what ends it: a line may have a million
_MAX_HEADING = 100  # characters; a longer line is a sentence
_MAX_HEADING_WORDS = 14
_MIN_LIST_ITEMS = 3
_RULE = re.compile(r"\s*(?:[-=*_~#+]\s?){3,}$")


class _Kind(NamedTuple):
    """The form of a heading, the depth that it shows, and how many lines it takes."""

    form: str
    depth: int
    lines: int


@dataclass(frozen=True, slots=True)
class _Group:
    """Lines between blank lines, and how many blank lines stand before them."""

    lines: tuple[str, ...]
    blanks: int


def convert(data: bytes, name: str, reading: Reading) -> Document:
    """Read plain text in any encoding."""
    text, warnings = decode(data, name)
    return document_from_blocks(_blocks(text), name=name, format="text", warnings=warnings)


def _blocks(text: str) -> list[Block]:
    groups = _groups(single_spaced(without_running_heads(text.expandtabs(4)).split("\n")))
    width = _width(groups)
    words = vocabulary(text)
    headings = _headings(groups, width)
    blocks: list[Block] = []
    margin = Counter(map(_indent, groups)).most_common(1)
    for i, group in enumerate(groups):
        if i in headings:
            level, lines = headings[i]
            heading = join_lines([line.strip() for line in group.lines[:lines]], words)
            blocks.append(Block(_ATX.sub("", heading), level))
            rest = group.lines[lines + _is_underline(group.lines, lines) :]
        else:
            rest = group.lines
        indented = i not in headings and _indent(group) >= margin[0][0] + 2
        for paragraph in _paragraphs(rest, width, words):
            quoted = indented and follows_colon(paragraph, blocks[-1] if blocks else None)
            blocks.append(Block(paragraph, quoted=quoted))
    return blocks


def _indent(group: _Group) -> int:
    return min(len(line) - len(line.lstrip()) for line in group.lines)


def _groups(text: Sequence[str]) -> list[_Group]:
    groups: list[_Group] = []
    lines: list[str] = []
    blanks = 0
    for line in [*text, ""]:
        if line.strip() and not (_RULE.match(line) and not lines):
            lines.append(line.rstrip())
        elif lines:
            groups.append(_Group(tuple(lines), blanks))
            lines, blanks = [], 1
        else:
            blanks += 1
    return groups


def _width(groups: Sequence[_Group]) -> int:
    """Column at which lines are wrapped, or 0 where they have no common width: long ones may be paragraphs."""
    lengths = sorted(len(line) for g in groups if len(g.lines) > 1 for line in g.lines[:-1])
    if not lengths:
        return 0
    wide = lengths[int(0.9 * (len(lengths) - 1))]
    full = sum(length >= 0.8 * wide for length in lengths)
    return wide if wide <= 130 or full >= 0.8 * len(lengths) else 0


def _is_underline(lines: Sequence[str], at: int) -> int:
    return int(at < len(lines) and _UNDERLINE.fullmatch(lines[at].strip()) is not None)


def _headings(groups: Sequence[_Group], width: int) -> dict[int, tuple[int, int]]:
    """Group index → level, number of lines that are the heading."""
    kinds: dict[int, _Kind] = {}
    for i, group in enumerate(groups):
        following = groups[i + 1] if i + 1 < len(groups) else None
        if (kind := _heading_kind(group, following, width)) is not None:
            kinds[i] = kind
    _drop_list_items(kinds, groups)
    forms = list(dict.fromkeys(kind.form for kind in kinds.values()))
    styles = [form for form in forms if form not in ("number", "line")]
    if 0 in kinds and kinds[0].form == "line" and len(forms) > 1:
        styles.insert(0, "title")
        kinds[0] = _Kind("title", 1, kinds[0].lines)
    first = min(kinds, default=0)
    has_title = bool(styles) and kinds[first].form == styles[0]
    levels = {form: level for level, form in enumerate([*styles, "line"], 1)}
    return {
        i: (
            kind.depth + (has_title and i != first) if kind.form == "number" else levels[kind.form],
            kind.lines,
        )
        for i, kind in kinds.items()
    }


def _heading_kind(group: _Group, following: _Group | None, width: int) -> _Kind | None:
    lines = group.lines
    first = lines[0].strip()
    if len(first) > _MAX_HEADING or _LEADER.search(first[-_TAIL_CHARACTERS:]):
        return None
    if (marked := _marked_heading(lines, first)) is not None:
        return marked
    goes_on = len(lines) == 2 and width > 0 and len(lines[0]) > 0.6 * width  # a long heading over two lines
    if len(lines) > 1 and not goes_on:
        return None
    text = " ".join(" ".join(lines).split())
    if following is None or _is_sentence_or_item(text):
        return None
    prose = " ".join(following.lines) if len(lines) == 1 else ""
    for name, applies in _HEADING_FORMS:
        if applies(text, prose):
            return _Kind(name, _depth(text) if name == "number" else 1, len(lines))
    return None


def _is_sentence_or_item(text: str) -> bool:
    return len(text.split()) > _MAX_HEADING_WORDS or bool(_BULLET.match(text) and not _NUMBERED.match(text))


def _marked_heading(lines: Sequence[str], first: str) -> _Kind | None:
    """A heading that is underlined, or begins with number signs."""
    if _is_underline(lines, 1) and len(lines[1].strip()) >= 0.5 * len(first):
        return _Kind("underline " + lines[1].strip()[0], 1, 1)
    if match := _ATX.match(first):
        return _Kind("#" * len(match[1]), len(match[1]), 1)
    return None


def _depth(text: str) -> int:
    """How many numbers a section number has: 2 for "3.1 Uses"."""
    match = _NUMBERED.match(text)
    return match[1].count(".") + 1 if match else 1


def _is_numbered(text: str, prose: str) -> bool:
    match = _NUMBERED.match(text)
    return match is not None and not _SENTENCE_END.search(text) and not text[match.end()].islower()


def _is_capitals(text: str, prose: str) -> bool:
    return text.isupper() and sum(c.isalpha() for c in text) >= 4 and not _SENTENCE_END.search(text)


def _is_line_above_prose(text: str, prose: str) -> bool:
    """Whether a short line without a full stop starts with a capital and stands above running text."""
    if _SENTENCE_END.search(text) or not any(c.isalpha() for c in text) or len(text.split()) > 9:
        return False
    has_no_capital = text[0].isalpha() and text[0].lower() == text[0].upper()
    return (text[0].isupper() or has_no_capital) and _is_prose(prose)


_HEADING_FORMS: tuple[tuple[str, Callable[[str, str], bool]], ...] = (
    ("known", lambda text, prose: _KNOWN_HEADINGS.fullmatch(text) is not None),
    ("named", lambda text, prose: bool(_NAMED_PART.match(text)) and not text.endswith((".", ",", ";"))),
    ("number", _is_numbered),
    ("capitals", _is_capitals),
    ("line", _is_line_above_prose),
)
"""Kinds of headings by their text and the text below, in the order in which they are tried."""


def _is_prose(text: str) -> bool:
    return re.search(r"[.!?。！？؟]", text) is not None and (len(text.split()) >= 6 or len(text) >= 40)


def _drop_list_items(kinds: dict[int, _Kind], groups: Sequence[_Group]) -> None:
    """Three numbered single lines and more, one after the other, are a list (or a table of contents), not headings."""
    run: list[int] = []
    for i in range(len(groups) + 1):
        kind = kinds.get(i)
        if run and kind != kinds[run[-1]]:
            if len(run) >= _MIN_LIST_ITEMS:
                for item in run:
                    kinds.pop(item)
            run = []
        if kind is not None and kind.form in ("number", "line") and len(groups[i].lines) == 1:
            run.append(i)


def _paragraphs(lines: Sequence[str], width: int, words: Vocabulary) -> Iterator[str]:
    """Join wrapped lines; a new paragraph at bullets, first-line indents and after short last lines."""
    current: list[str] = []
    base = min((len(x) - len(x.lstrip()) for x in lines), default=0)
    joins = joins_without_width(lines) if width == 0 else []
    for i, line in enumerate(lines):
        before = lines[i - 1] if i else ""
        starts = not joins[i - 1] if joins else _starts_paragraph(before, line, base, width)
        if current and (starts or (joins and _BULLET.match(line))):
            yield _joined(current, words)
            current = []
        current.append(line.strip())
    if current:
        yield _joined(current, words)


def _joined(lines: Sequence[str], words: Vocabulary) -> str:
    """The text of a paragraph on one line, but for long texts without full stops whose lines are units."""
    if are_units(lines):
        return "\n".join(" ".join(line.split()) for line in lines)
    return " ".join(join_lines(lines, words).split())


def _starts_paragraph(before: str, line: str, base: int, width: int) -> bool:
    if _LEADER.search(before[-_TAIL_CHARACTERS:]):
        return True
    ended = _SENTENCE_END.search(before) is not None
    if _BULLET.match(line):
        return ended or len(before) < 0.75 * width or _BULLET.match(before) is not None
    indent, last = len(line) - len(line.lstrip()), len(before) - len(before.lstrip())
    if indent >= base + 2 and last == base and ended and not _BULLET.match(before):
        return True
    first_word = len(line.split(maxsplit=1)[0])
    return ended and len(before) + 1 + first_word < 0.75 * width
