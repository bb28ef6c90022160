"""A clean Word document of both texts with tracked changes, for documents of any format."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import docx
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt

from colde.report.formatting import drawable, is_right_to_left
from colde.report.redline.redline_pieces import Piece, RedlineParagraph, State
from colde.report.redline.review_comments import ReviewComment
from colde.report.redline.word_comments import AUTHOR, add_comment
from colde.text.document import Span

WRAPPERS: dict[State, str] = {
    "inserted": "w:ins",
    "deleted": "w:del",
    "moved here": "w:moveTo",
    "moved away": "w:moveFrom",
}
MAX_LEVEL = 9
"""Levels of headings that Word has."""


def tracked_text(
    paragraphs: Sequence[RedlineParagraph], comments: Iterable[ReviewComment], title: str, made: datetime
) -> bytes:
    """The paragraphs as a Word document.

    Args:
        paragraphs: with a piece for each passage of the comments.
        made: the date of the changes.
    """
    document = docx.Document()
    properties = document.core_properties
    properties.title, properties.author, properties.comments = title[:255], AUTHOR, ""
    properties.created = properties.modified = made.replace(tzinfo=None)
    writer = _Writer(made)
    for paragraph in paragraphs:
        level = paragraph.level
        style = "Normal" if level is None else f"Heading {min(max(level, 1), MAX_LEVEL)}"
        writer.write(document.add_paragraph(style=style), paragraph)
    for comment in comments:
        if (ends := writer.ends(comment)) is not None:
            add_comment(document, *ends, comment.text, made)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


class _Writer:
    """Writes paragraphs, and remembers where their pieces are."""

    def __init__(self, made: datetime) -> None:
        self._made = made.strftime("%Y-%m-%dT%H:%M:%SZ")
        self._ids = 0
        self._written: list[tuple[Piece, Any, Any]] = []  # with the first and last element of each piece

    def write(self, target: Any, paragraph: RedlineParagraph) -> None:
        """Fill a paragraph of python-docx."""
        if is_right_to_left("".join(piece.text for piece in paragraph.pieces)):
            target.paragraph_format.element.get_or_add_pPr().insert_element_before(
                OxmlElement("w:bidi"), "w:spacing", "w:ind", "w:jc", "w:rPr"
            )
        if paragraph.table:
            target.paragraph_format.space_after = Pt(0)
        if paragraph.end != "same":
            mark = target._p.get_or_add_pPr()
            properties = OxmlElement("w:rPr")
            properties.append(self._change(WRAPPERS[paragraph.end]))
            mark.append(properties)
        for piece in paragraph.pieces:
            elements = self._elements(piece)
            target._p.extend(elements)
            self._written.append((piece, elements[0], elements[-1]))

    def ends(self, comment: ReviewComment) -> tuple[Any, Any] | None:
        """The first and last element of the passage of a comment; None where it is empty."""
        inside = [(first, last) for piece, first, last in self._written if holds(comment, piece)]
        return (inside[0][0], inside[-1][1]) if inside else None

    def _elements(self, piece: Piece) -> list[Any]:
        run = _run(piece)
        if piece.state == "same":
            return [run]
        change = self._change(WRAPPERS[piece.state])
        change.append(run)
        if piece.move is None:
            return [change]
        begin = self._change(f"{WRAPPERS[piece.state]}RangeStart")
        begin.set(qn("w:name"), f"move{piece.move}")
        end = OxmlElement(f"{WRAPPERS[piece.state]}RangeEnd")
        end.set(qn("w:id"), begin.get(qn("w:id")))
        return [begin, change, end]

    def _change(self, name: str) -> Any:
        self._ids += 1
        element = OxmlElement(name)
        element.set(qn("w:id"), str(self._ids))
        element.set(qn("w:author"), AUTHOR)
        element.set(qn("w:date"), self._made)
        return element


def _run(piece: Piece) -> Any:
    run = OxmlElement("w:r")
    if is_right_to_left(piece.text):
        properties = OxmlElement("w:rPr")
        properties.append(OxmlElement("w:rtl"))
        run.append(properties)
    text = OxmlElement("w:delText" if piece.state == "deleted" else "w:t")
    text.text = drawable(piece.text)
    text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    run.append(text)
    return run


def holds(comment: ReviewComment, piece: Piece) -> bool:
    """Whether a piece begins in the passage of a comment; that in B where it has one."""
    span, offset = (comment.a, piece.a) if comment.b is None else (comment.b, piece.b)
    return span is not None and offset is not None and span.start <= offset < span.end


def comment_cuts(comments: Iterable[ReviewComment]) -> tuple[set[int], set[int]]:
    """Offsets in each text at which the passages of comments begin and end."""
    comments = list(comments)
    return _ends(c.a for c in comments), _ends(c.b for c in comments)


def _ends(spans: Iterable[Span | None]) -> set[int]:
    return {offset for span in spans if span is not None for offset in (span.start, span.end)}
