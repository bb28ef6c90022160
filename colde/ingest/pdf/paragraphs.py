"""Step 11: paragraphs from lines, with the place of each word on its page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from colde.ingest.blocks import Block, Fragment
from colde.ingest.pdf.body_style import BodyStyle
from colde.ingest.pdf.headings import Heading
from colde.ingest.pdf.hyphenation import join
from colde.ingest.pdf.known_headings import heads_references
from colde.ingest.pdf.page_words import Page, Word
from colde.ingest.pdf.text_lines import Line
from colde.text.document import Box, Role

_BULLET = re.compile(r"[•◦‣▪▫■□●○➢➤✓❖](?:\s|$)")
_ITEM = re.compile(
    r"(?:[–—*·∙-]|\(?[a-z0-9ivx]{1,4}[.)]|\d{1,2}(?:\.\d{1,3}){1,4}\.?|\[\d{1,4}\]|\[[A-Z][^\]]{1,30}\])(?:\s|$)"
)
_FOOTNOTE_MARK = re.compile(r"\d{1,2}(?:,\d{1,2})*|[*∗†‡§¶⋆‖]{1,3}")
_SENTENCE_END = re.compile(r"[^\w\s,;:'\"()\[\]{}\-–—/%&*+=<>|’‘“”]")  # what may end a sentence
_PARAGRAPH_ENDINGS = (".", "!", "?", ":", ".”", '."', ".)", "。", "؟", ".’")


def blocks(
    lines: Sequence[Line],
    roles: Sequence[Role | None],
    headings: Sequence[Heading],
    body: BodyStyle,
    writer: BlockWriter,
) -> Iterator[Block]:
    """Headings, paragraphs and asides in reading order. Text goes on past asides, columns and pages."""
    starts = {h.begin: h for h in headings}
    open_lines: list[Line] = []  # the paragraph in hand
    asides: list[tuple[Role, list[Line]]] = []  # what came between its lines
    section_role: Role | None = None  # role of the section in hand
    depth = 0
    i = 0

    def close() -> Iterator[Block]:
        if open_lines:
            yield writer.block(open_lines, section_role)
            open_lines.clear()
        for role, aside in asides:
            yield writer.block(aside, role)
        asides.clear()

    while i < len(lines):
        line = lines[i]
        if i in starts:
            yield from close()
            heading = starts[i]
            if section_role is None or heading.level <= depth:
                section_role = "references" if heads_references(heading.text) else None
                depth = heading.level
            yield writer.block(lines[i : heading.end], section_role, level=heading.level)
            i = heading.end
            continue
        role = roles[i]
        if role is not None and role != section_role:
            if not asides or asides[-1][0] != role or _are_separate(asides[-1][1][-1], line):
                asides.append((role, []))
            asides[-1][1].append(line)
        elif not open_lines:
            open_lines.append(line)
        elif _starts_paragraph(open_lines, line, body, section_role):
            yield from close()
            open_lines.append(line)
        else:
            open_lines.append(line)
        i += 1
    yield from close()


def _are_separate(line: Line, following: Line) -> bool:
    """Whether two lines set aside belong to different pieces."""
    if (line.page, line.flow) != (following.page, following.flow):
        return True
    return following.gap > 2.5 * line.size or bool(
        re.match(r"(?:figure|fig\.|table)\s*\d", following.text, re.IGNORECASE)
    )


def _is_list_item(line: Line) -> bool:
    return bool(_BULLET.match(line.text) or _ITEM.match(line.text))


def _is_code_line(line: Line, body: BodyStyle) -> bool:
    return line.font.mono and not body.mono


def _starts_paragraph(
    paragraph: Sequence[Line], line: Line, body: BodyStyle, section_role: Role | None
) -> bool:
    """Whether a line begins a paragraph."""
    last = paragraph[-1]
    if _is_code_line(last, body) != _is_code_line(line, body):
        return True
    if _is_code_line(line, body):
        return line.flow == last.flow and line.page == last.page and line.gap > 3.0 * line.size
    ended = last.text.endswith(_PARAGRAPH_ENDINGS)
    fits = last.right - last.x1 > line.words[0].x1 - line.words[0].x0 + 0.8 * last.size
    indent = line.x0 - line.left
    before = last.x0 - last.left
    same_place = (last.page, last.flow) == (line.page, line.flow)
    if abs(line.size - last.size) > 0.12 * last.size:
        return True
    if _BULLET.match(line.text) or (_ITEM.match(line.text) and (ended or fits or section_role is not None)):
        return True
    if not same_place:
        if not ended:
            return fits and not line.text[:1].islower()
        hanging = len(paragraph) > 1 and abs(indent - before) < 0.3 * line.size
        return fits or (indent > 0.6 * line.size and not hanging)
    if line.gap > 1.4 * body.leading or (line.gap > 1.9 * line.size and line.gap > 1.25 * body.leading):
        return True
    if section_role is not None:
        return _starts_reference(paragraph, line, body, ended=ended, fits=fits)
    if indent > 0.6 * line.size and line.x0 - last.x0 > 0.6 * line.size and not _is_list_item(paragraph[0]):
        return ended or fits
    return fits and ended


def _starts_reference(
    paragraph: Sequence[Line], line: Line, body: BodyStyle, *, ended: bool, fits: bool
) -> bool:
    """Whether a line begins an entry of a reference list: entries hang, stand apart, or end early."""
    last = paragraph[-1]
    out = line.x0 < last.x0 - 0.6 * line.size
    hanging = len(paragraph) > 1 and last.x0 - last.left > 0.6 * line.size
    usual = min((n.gap for n in paragraph[1:] if n.gap > 0), default=body.leading)
    apart = line.gap > 1.25 * body.leading or (ended and line.gap > 1.15 * usual)
    return apart or (out and (hanging or ended)) or (ended and fits)


class BlockWriter:
    """Makes the text of lines, with the place of each word.

    Args:
        pages: by their numbers.
        words: how often each word occurs inside a line of the document.
    """

    def __init__(self, pages: Mapping[int, Page], words: Counter[str]) -> None:
        self.pages = pages
        self.words = words

    def block(self, lines: Sequence[Line], role: Role | None = None, level: int = 0) -> Block:
        """Lines as one text with broken words repaired; each word lies in a Fragment.

        Fragments are as long as they can be, up to the end of the line or of a sentence, for a thousand pages
        hold half a million words.
        """
        verbatim = role == "table" or (level == 0 and lines[0].font.mono and role is None)
        text: list[str] = []
        length = 0
        fragments: list[Fragment] = []
        for line in lines:
            open_at: int | None = None  # where the fragment in hand starts
            part: list[Word] = []
            for i, word in enumerate(line.words):
                piece = word.text
                if role is None and self._is_dropped_mark(line.words, i, first=not text):
                    continue
                if i == 0 and text and not verbatim and len(text[-1]) > 1 and text[-1].endswith("-"):
                    if len(join(text[-1], piece, self.words)) < len(text[-1]) + len(piece):
                        text[-1] = text[-1][:-1]
                        length -= 1
                        fragments[-1] = replace(fragments[-1], end=length)
                elif text and not (word.joined_to_previous and i):
                    text.append("\n" if i == 0 and verbatim else " ")
                    length += 1
                if open_at is None:
                    open_at = length
                part.append(word)
                text.append(piece)
                length += len(piece)
                if _SENTENCE_END.search(piece):
                    fragments.append(Fragment(open_at, length, self._box(line.page, part)))
                    open_at, part = None, []
            if open_at is not None:
                fragments.append(Fragment(open_at, length, self._box(line.page, part)))
        return Block("".join(text), level, role, tuple(fragments))

    def _is_dropped_mark(self, words: Sequence[Word], i: int, *, first: bool) -> bool:
        """Marks that point at footnotes, and those of the items of a list: the item is a paragraph."""
        if i == 0:
            return first and len(words) > 1 and bool(_BULLET.fullmatch(words[0].text))
        return words[i].joined_to_previous and _is_mark(words[i], words[i - 1])

    def _box(self, page: int, words: Sequence[Word]) -> Box:
        top, bottom = min(w.top for w in words), max(w.bottom for w in words)
        return self.pages[page].shown(words[0].x0, top, max(w.x1 for w in words), bottom)


def _is_mark(word: Word, before: Word) -> bool:
    """A raised number or sign behind a word points at a footnote; behind a symbol it is an exponent."""
    if word.size > 0.85 * before.size or before.base - word.base < 0.15 * before.size:
        return False
    if not _FOOTNOTE_MARK.fullmatch(word.text):
        return False
    stem = before.text.rstrip(".,;:!?)”\"'’")
    return (len(stem) >= 3 and stem.isalpha()) or before.text[-1:] in '.,;:”"'
