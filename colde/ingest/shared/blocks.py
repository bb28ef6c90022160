"""What every reader hands over: a flat list of blocks in reading order, and `assemble`, which makes the Document.

A reader decides what is a heading, a paragraph, a caption; offsets, sections and sentences are made here, once,
so that they are right for every format.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from colde.errors import ReadError
from colde.ingest.reading_limits import max_characters
from colde.text.characters.obfuscation_warnings import obfuscation_warnings
from colde.text.characters.text_normalisation import normalise_text, without_surrogates
from colde.text.document import Box, Document, Mark, ReadWarning, Replacement, Role, Section, Sentence, Span
from colde.text.not_compared.front_matter import count_leading_front_matter, is_paper
from colde.text.sentences.sentence_splitter import split_sentences
from colde.text.tables import row_spans

PARAGRAPH_BREAK = "\n\n"
_MIN_QUOTED_WORDS = 8  # words of an indented paragraph that may be a block quotation
_QUOTED_SENTENCE = re.compile(
    r"(?!\w{1,3}[.)]\s)[^\W\d_a-z][^\n{}=]*[.!?…][”\"’'»)\]\d]*|[“„«»‘\"'…\[][^\n{}=]+"
)
"""Begins with a capital or a mark and ends with a full stop; no item of a list, no code."""
NO_BOX = Box(1, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Fragment(Span):
    """Where the characters `[start, end)` of a block's text stand on a page (a word, or part of a line)."""

    box: Box = NO_BOX


@dataclass(frozen=True, slots=True)
class Block:
    """A heading (`level` ≥ 1) or a piece of body text (`level` 0), already in reading order.

    `text` is clean: no line ends inside a paragraph, hyphens at line ends repaired; code and tables may keep
    their line ends. Lone surrogates are replaced. `quoted` is a block quotation. `fragments` and `replacements` are
    sorted and lie inside the text.
    """

    text: str
    level: int = 0
    role: Role | None = None
    fragments: tuple[Fragment, ...] = ()
    replacements: tuple[Replacement, ...] = ()
    quoted: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", without_surrogates(self.text))


def normalise_blocks(blocks: Sequence[Block]) -> list[Block]:
    """The blocks with their text in normal form (`colde/text/characters/text_normalisation.py`).

    Every reader's text passes through here once, before headings are recognised by their names. The text is
    normalised as one, since the words around a word decide the alphabet that it is read in.
    """
    normalised = normalise_text(PARAGRAPH_BREAK.join(b.text for b in blocks))
    if not normalised.replacements:
        return list(blocks)
    lengths = accumulate((len(b.text) + len(PARAGRAPH_BREAK) for b in blocks), initial=0)
    source_starts = list(lengths)[:-1]
    starts = normalised.from_source(source_starts)
    ends = normalised.from_source(start + len(b.text) for start, b in zip(source_starts, blocks, strict=True))
    remaining = deque(normalised.replacements)
    changed = []
    for block, source_start, start, end in zip(blocks, source_starts, starts, ends, strict=True):
        inside = []
        while remaining and remaining[0].start < end:
            inside.append(remaining.popleft())
        if not inside:
            changed.append(block)
            continue
        edges = [source_start + edge for f in block.fragments for edge in (f.start, f.end)]
        places = iter([edge - start for edge in normalised.from_source(edges)])
        changed.append(
            replace(
                block,
                text=normalised.text[start:end],
                fragments=tuple(replace(f, start=next(places), end=next(places)) for f in block.fragments),
                replacements=tuple(_shifted(inside, -start)),
            )
        )
    return changed


def _shifted(replacements: Iterable[Replacement], by: int) -> Iterator[Replacement]:
    return (Replacement(r.start + by, r.end + by, r.source) for r in replacements)


def follows_colon(text: str, before: Block | None) -> bool:
    """Whether an indented paragraph is a block quotation: a sentence after a colon, or after such a quotation."""
    introduced = before is not None and (before.quoted or before.text.endswith((":", "：")))
    return (
        introduced and _QUOTED_SENTENCE.fullmatch(text) is not None and len(text.split()) >= _MIN_QUOTED_WORDS
    )


@dataclass(slots=True)
class _Part:
    heading: Block | None = None
    role: Role | None = None
    body: list[Block] = field(default_factory=list)


def assemble(
    blocks: Iterable[Block],
    *,
    source: str,
    format: str,
    title: str = "",
    pages: int | None = None,
    page_sizes: tuple[tuple[float, float], ...] = (),
    language: str | None = None,
    warnings: tuple[ReadWarning, ...] = (),
    sentences: bool = True,
) -> Document:
    """Build the Document: one text, sections with headings, sentences with boxes.

    Without `sentences` none are split: a corpus that is only scored does not need them.

    Body blocks with a role that stand inside a section (a caption between two paragraphs) are collected into
    sections of their own right behind it, one for each role, so that the section's body stays in one piece.

    Raises:
        ReadError: `too_large`, before any time goes into sentences.
    """
    blocks = list(blocks)
    check_text_length(sum(len(block.text) for block in blocks), source, max_characters.get())
    text: list[str] = []
    length = 0
    sections: list[Section] = []
    replacements: list[Replacement] = []
    marks: list[Mark] = []

    def append_text(block: Block) -> int:
        nonlocal length
        if text:
            text.append(PARAGRAPH_BREAK)
            length += len(PARAGRAPH_BREAK)
        begin = length
        text.append(block.text)
        length += len(block.text)
        replacements.extend(_shifted(block.replacements, begin))
        return begin

    for part in _parts(blocks, language):
        start = body = end = -1
        heading = level = None
        if part.heading is not None:
            heading, level = part.heading.text, part.heading.level
            start = append_text(part.heading)
            body = end = start + len(heading)
        section_sentences: list[Sentence] = []
        paragraphs: list[Span] = []
        for block in part.body:
            at = append_text(block)
            if start < 0:
                start = at
            if not paragraphs:
                body = at
            end = at + len(block.text)
            paragraphs.append(Span(at, end))
            if block.quoted:
                marks.append(Mark(at, end))
            if sentences:
                section_sentences.extend(_sentences(block, at, language))
        sections.append(
            Section(
                start, end, body, heading, level or 1, part.role, tuple(section_sentences), tuple(paragraphs)
            )
        )
    document = Document(
        text="".join(text),
        sections=tuple(sections),
        title=without_surrogates(title),
        source=without_surrogates(source),
        format=format,
        pages=pages,
        page_sizes=page_sizes,
        language=language,
        warnings=warnings,
        replacements=tuple(replacements),
        marks=tuple(marks),
    )
    warnings = tuple(replace(w, text=without_surrogates(w.text)) for w in warnings)
    return replace(document, warnings=(*warnings, *obfuscation_warnings(document)))


def check_text_length(characters: int, source: str, most: int) -> None:
    """Raise ReadError (`too_large`) for a text that is longer than it may be."""
    if characters > most:
        raise ReadError(source, "too_large", f"{characters:,} characters, the limit is {most:,}", "split it")


def _parts(blocks: Sequence[Block], language: str | None) -> list[_Part]:
    """Group blocks into sections; blocks set aside come right behind the section they stand in."""
    parts: list[_Part] = []
    current = _Part()
    set_aside_parts: dict[Role, _Part] = {}

    def close() -> None:
        if current.heading is not None or current.body:
            parts.append(current)
        parts.extend(set_aside_parts.values())

    for block in blocks:
        if not block.text.strip():
            continue
        if block.level > 0:
            close()
            current, set_aside_parts = _Part(block, block.role), {}
        elif block.role in (None, current.role):
            current.body.append(block)
        else:
            assert block.role is not None
            set_aside_parts.setdefault(block.role, _Part(role=block.role)).body.append(block)
    close()
    if parts and parts[0].heading is None and parts[0].role is None and _is_paper(blocks):
        return [*_authors_apart(parts[0], language), *parts[1:]]
    return parts


def _is_paper(blocks: Sequence[Block]) -> bool:
    return is_paper((b.text for b in blocks), has_references=any(b.role == "references" for b in blocks))


def _authors_apart(first: _Part, language: str | None) -> list[_Part]:
    """Split the beginning of a paper into a section of names and addresses and one of the text that follows."""
    count = count_leading_front_matter([b.text for b in first.body], language)
    return [_Part(body=first.body[:count]), _Part(body=first.body[count:])] if count else [first]


def _sentences(block: Block, at: int, language: str | None) -> list[Sentence]:
    sentences = []
    fragments = block.fragments
    first = 0
    spans = row_spans(block.text) if block.role == "table" else split_sentences(block.text, language)
    for span in spans:
        while first < len(fragments) and fragments[first].end <= span.start:
            first += 1
        boxes: list[Box] = []
        for fragment in fragments[first:]:
            if fragment.start >= span.end:
                break
            boxes.append(fragment.box)
        sentences.append(Sentence(at + span.start, at + span.end, tuple(_join_lines(boxes))))
    return sentences


def _join_lines(boxes: list[Box]) -> list[Box]:
    """Join neighbouring boxes of one line into one: same page, vertical overlap over half, close in x."""
    joined: list[Box] = []
    for box in boxes:
        if joined:
            last = joined[-1]
            overlap = min(last.y1, box.y1) - max(last.y0, box.y0)
            height = min(last.y1 - last.y0, box.y1 - box.y0)
            if (
                last.page == box.page
                and overlap > 0.5 * height
                and -1.0 <= box.x0 - last.x1 <= 1.5 * max(height, 1.0)
            ):
                joined[-1] = Box(
                    box.page,
                    min(last.x0, box.x0),
                    min(last.y0, box.y0),
                    max(last.x1, box.x1),
                    max(last.y1, box.y1),
                )
                continue
        joined.append(box)
    return joined
