"""Paragraphs from lines, with the place of each word on its page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from colde.ingest.pdf.columns.page_parts import PagePart
from colde.ingest.pdf.headings.heading_levels import Heading
from colde.ingest.pdf.headings.known_headings import heads_references
from colde.ingest.pdf.lines.body_style import BodyStyle
from colde.ingest.pdf.lines.text_lines import Line
from colde.ingest.pdf.words.page import Page, Word
from colde.ingest.shared.blocks import Block, Fragment
from colde.ingest.shared.line_end_hyphens import Vocabulary, is_broken, join_broken_word
from colde.text.document import Box, Role
from colde.text.words import UNSPACED

_BULLET = re.compile(r"[•◦‣▪▫■□●○➢➤✓❖](?:\s|$)")
_ITEM = re.compile(
    r"(?:[–—*·∙-]|\(?[a-z0-9ivx]{1,4}[.)]|\d{1,2}(?:\.\d{1,3}){1,4}\.?|\[\d{1,4}\]|\[[A-Z][^\]]{1,30}\])(?:\s|$)"
)
_SENTENCE_END = re.compile(r"[^\w\s,;:'\"()\[\]{}\-–—/%&*+=<>|’‘“”]")  # what may end a sentence
_EAST_ASIAN = re.compile(UNSPACED.pattern[:-1] + "\u3001-\u3011\uff01-\uff65]")  # no space between lines
_PARAGRAPH_ENDINGS = (".", "!", "?", ":", ".”", '."', ".)", "。", "؟", ".’")


def blocks(
    lines: Sequence[Line],
    roles: Sequence[Role | None],
    headings: Sequence[Heading],
    body: BodyStyle,
    writer: BlockWriter,
    parts_after: Mapping[int, Sequence[PagePart]],
) -> Iterator[Block]:
    """Headings, paragraphs and asides in reading order. Text goes on past asides, columns and pages.

    Args:
        parts_after: for the index of a line, the parts of its page that follow the paragraph or heading it is in.
    """
    starts = {h.begin: h for h in headings}
    open_lines: list[Line] = []  # the current paragraph
    asides: list[tuple[Role | None, list[Line]]] = []  # what came between its lines
    section_role: Role | None = None  # role of the current section
    depth = 0
    i = 0

    def close() -> Iterator[Block]:
        if open_lines:
            yield writer.block(open_lines, section_role)
            open_lines.clear()
        for role, aside in asides:
            yield writer.block(aside, role or section_role)
        asides.clear()

    def add_parts(begin: int, end: int) -> None:
        for at in range(begin, end):
            asides.extend((part.role, part.lines) for part in parts_after.get(at, ()))

    while i < len(lines):
        line = lines[i]
        if i in starts:
            yield from close()
            heading = starts[i]
            if section_role is None or heading.level <= depth:
                section_role = "references" if heads_references(heading.text) else None
                depth = heading.level
            yield writer.block(lines[i : heading.end], section_role, level=heading.level)
            add_parts(i, heading.end)
            i = heading.end
            continue
        role = roles[i]
        if role is not None and role != section_role:
            if not asides or asides[-1][0] != role or _are_separate(asides[-1][1][-1], line):
                asides.append((role, []))
            asides[-1][1].append(line)
        else:
            if open_lines and _starts_paragraph(open_lines, line, body, section_role):
                yield from close()
            open_lines.append(line)
        add_parts(i, i + 1)
        i += 1
    yield from close()


def _are_separate(line: Line, following: Line) -> bool:
    """Whether two lines set aside belong to different pieces."""
    return (
        not line.same_column(following)
        or following.gap > 2.5 * line.size
        or re.match(r"(?:figure|fig\.|table)\s*\d", following.text, re.IGNORECASE) is not None
    )


def _is_list_item(line: Line) -> bool:
    return bool(_BULLET.match(line.text) or _ITEM.match(line.text))


def _is_code_line(line: Line, body: BodyStyle) -> bool:
    return line.font.mono and not body.mono


def _starts_paragraph(
    paragraph: Sequence[Line], line: Line, body: BodyStyle, section_role: Role | None
) -> bool:
    """Whether a line begins a paragraph.

    The line above may end a paragraph by its last character, or by its length: the next word would have fitted in.
    """
    last = paragraph[-1]
    if _is_code_line(last, body) != _is_code_line(line, body):
        return True
    if _is_code_line(line, body):
        return line.same_column(last) and line.gap > 3.0 * line.size
    if not line.similar_size(last.size, 0.12):
        return True
    ended = last.text.endswith(_PARAGRAPH_ENDINGS)
    fits = last.fits_in_room(line.words[0], 0.8)
    if _BULLET.match(line.text) or (_ITEM.match(line.text) and (ended or fits or section_role is not None)):
        return True
    if not line.same_column(last):
        return _starts_column(paragraph, line, ended=ended, fits=fits)
    return _starts_below(paragraph, line, body, section_role, ended=ended, fits=fits)


def _starts_below(
    paragraph: Sequence[Line],
    line: Line,
    body: BodyStyle,
    section_role: Role | None,
    *,
    ended: bool,
    fits: bool,
) -> bool:
    if line.gap > 1.4 * body.leading or (line.gap > 1.9 * line.size and line.gap > 1.25 * body.leading):
        return True
    if section_role is not None:
        return _starts_reference(paragraph, line, body, ended=ended, fits=fits)
    indented = min(line.indent, line.x0 - paragraph[-1].x0) > 0.6 * line.size and not _is_list_item(
        paragraph[0]
    )
    return (ended or fits) if indented else (ended and fits)


def _starts_column(paragraph: Sequence[Line], line: Line, *, ended: bool, fits: bool) -> bool:
    if not ended:
        return fits and not line.text[:1].islower()
    hanging = len(paragraph) > 1 and abs(line.indent - paragraph[-1].indent) < 0.3 * line.size
    return fits or (line.indent > 0.6 * line.size and not hanging)


def _starts_reference(
    paragraph: Sequence[Line], line: Line, body: BodyStyle, *, ended: bool, fits: bool
) -> bool:
    """Whether a line begins an entry of a reference list: entries hang, stand apart, or end early."""
    last = paragraph[-1]
    outdented = line.x0 < last.x0 - 0.6 * line.size
    hanging = len(paragraph) > 1 and last.indent > 0.6 * line.size
    usual_gap = min((n.gap for n in paragraph[1:] if n.gap > 0), default=body.leading)
    apart = line.gap > 1.25 * body.leading or (ended and line.gap > 1.15 * usual_gap)
    return apart or (outdented and (hanging or ended)) or (ended and fits)


class _Text:
    """The text of a block as it grows, with the place of its words.

    Fragments are as long as they can be, up to the end of a line or a sentence, for a thousand pages hold half a
    million words.
    """

    def __init__(self, writer: BlockWriter) -> None:
        self.pieces: list[str] = []
        self.fragments: list[Fragment] = []
        self._writer = writer
        self._length = 0
        self._begin = 0  # of the open fragment
        self._words: list[Word] = []  # of the open fragment

    def append(self, piece: str) -> None:
        self.pieces.append(piece)
        self._length += len(piece)

    def add_word(self, word: Word, page: int) -> None:
        if not self._words:
            self._begin = self._length
        self._words.append(word)
        self.append(word.text)
        if _SENTENCE_END.search(word.text):
            self.close_fragment(page)

    def close_fragment(self, page: int) -> None:
        if self._words:
            self.fragments.append(Fragment(self._begin, self._length, self._writer.box(page, self._words)))
            self._words = []

    def last_word(self) -> str:
        """The last word; its hyphen may be a piece of its own."""
        last = self.pieces[-1]
        return self.pieces[-2] + last if len(last) == 1 and len(self.pieces) > 1 else last

    def drop_hyphen(self) -> None:
        """Without the hyphen at the end of the last word."""
        self.pieces[-1] = self.pieces[-1][:-1]
        self._length -= 1
        self.fragments[-1] = replace(self.fragments[-1], end=self._length)


@dataclass(frozen=True, slots=True)
class BlockWriter:
    """Makes the text of lines, with the place of each word.

    Attributes:
        pages: by their numbers.
        words: of the document.
    """

    pages: Mapping[int, Page]
    words: Vocabulary

    def block(self, lines: Sequence[Line], role: Role | None = None, level: int = 0) -> Block:
        """Lines as one text with broken words repaired; each word lies in a Fragment."""
        verbatim = role == "table" or (level == 0 and lines[0].font.mono and role is None)
        text = _Text(self)
        for line in lines:
            for i, word in enumerate(line.words):
                if role is None and i == 0 and not text.pieces and _is_bullet(line.words):
                    continue
                if i == 0 and text.pieces:
                    self._join_line(text, word, verbatim)
                elif text.pieces and not word.joined_to_previous:
                    text.append(" ")
                text.add_word(word, line.page)
            text.close_fragment(line.page)
        return Block("".join(text.pieces), level, role, tuple(text.fragments))

    def _join_line(self, text: _Text, word: Word, verbatim: bool) -> None:
        """Put a line end or a space before the first word of a line, or repair the word that is broken there."""
        before = text.last_word()
        if not verbatim and _EAST_ASIAN.match(before[-1:]) and _EAST_ASIAN.match(word.text):
            return
        if verbatim or not is_broken(before):
            text.append("\n" if verbatim else " ")
            return
        joined = join_broken_word(before, word.text, self.words)
        if joined.startswith(f"{before} "):
            text.append(" ")
        elif not joined.startswith(before):
            text.drop_hyphen()

    def box(self, page: int, words: Sequence[Word]) -> Box:
        top, bottom = min(w.top for w in words), max(w.bottom for w in words)
        return self.pages[page].shown(min(w.x0 for w in words), top, max(w.x1 for w in words), bottom)


def _is_bullet(words: Sequence[Word]) -> bool:
    """Whether a line begins with the mark of an item of a list: the item is a paragraph."""
    return len(words) > 1 and _BULLET.fullmatch(words[0].text) is not None
