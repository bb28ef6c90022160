"""The newer of two Word documents with tracked changes, and the comments of a review in it."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import docx
from docx.opc.constants import CONTENT_TYPE
from docx.opc.part import PartFactory, XmlPart
from docx.oxml.ns import qn

from colde.report.formatting import shorten
from colde.report.redline.docxodus import track_changes
from colde.report.redline.review_comments import ReviewComment
from colde.report.redline.word_comments import AUTHOR, add_comment
from colde.text.document import Document

PartFactory.part_type_for |= dict.fromkeys((CONTENT_TYPE.WML_FOOTNOTES, CONTENT_TYPE.WML_ENDNOTES), XmlPart)
"""python-docx keeps notes as bytes; comments are written into them."""

_MAX_QUOTATION = 200
_NOTES = {qn("w:footnote"): qn("w:footnoteReference"), qn("w:endnote"): qn("w:endnoteReference")}
"""Notes, and what calls them in the body."""
_TEXTS = (qn("w:t"), qn("w:delText"))
_OF_ONE_SIDE = {"ins": "b", "moveTo": "b", "del": "a", "moveFrom": "a"}


def tracked_word_file(
    files: tuple[bytes, bytes],
    documents: tuple[Document, Document],
    comments: Iterable[ReviewComment],
    made: datetime,
) -> bytes:
    """B as a Word file with its own formatting, and tracked changes from A.

    Args:
        files: A and B.
        made: the date of the changes.

    Raises:
        MissingExtraError: the extra is not installed.
        NotComparedError: Docxodus cannot compare these files.
    """
    data = track_changes(*files, AUTHOR, made)
    comments = list(comments)
    if not comments:
        return data
    document = docx.Document(io.BytesIO(data))
    notes = _notes(document)
    sides = {letter: list(_letters(document.element.body, notes, letter)) for letter in "ab"}
    for comment in comments:
        _place(document, sides, documents, comment, made)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _notes(document: Any) -> dict[tuple[str, str], Any]:
    """The footnotes and endnotes by the kind and the number of their calls."""
    parts = [rel.target_part for rel in document.part.rels.values() if not rel.is_external]
    notes = (note for part in parts if isinstance(part, XmlPart) for note in part.element.iter(*_NOTES))
    return {(_NOTES[note.tag], note.get(qn("w:id"))): note for note in notes}


def _letters(body: Any, notes: dict[tuple[str, str], Any], letter: str) -> Iterator[tuple[str, Any]]:
    """Each character of one of the texts, white space aside, with its element; notes stand behind their paragraph."""
    paragraph: Any = None
    called: list[Any] = []
    for element in body.iter(*_TEXTS, *_NOTES.values()):
        above = next(element.iterancestors(qn("w:p")))
        if above is not paragraph:
            yield from _letters_of_notes(called, letter)
            paragraph, called = above, []
        if element.tag in _TEXTS:
            yield from _letters_of(element, letter)
        elif _is_in(element, letter):
            called += [
                note for note in [notes.get((element.tag, element.get(qn("w:id"))))] if note is not None
            ]
    yield from _letters_of_notes(called, letter)


def _letters_of_notes(notes: Iterable[Any], letter: str) -> Iterator[tuple[str, Any]]:
    for note in notes:
        for element in note.iter(*_TEXTS):
            yield from _letters_of(element, letter)


def _letters_of(element: Any, letter: str) -> Iterator[tuple[str, Any]]:
    if _is_in(element, letter):
        for character in "".join((element.text or "").split()):
            yield character, element


def _is_in(element: Any, letter: str) -> bool:
    """Whether a text has this element: it is unchanged, or was inserted there or deleted from there."""
    return {_OF_ONE_SIDE.get(parent.tag.rpartition("}")[2]) for parent in element.iterancestors()} <= {
        None,
        letter,
    }


def _place(
    document: Any,
    sides: dict[str, list[tuple[str, Any]]],
    documents: tuple[Document, Document],
    comment: ReviewComment,
    made: datetime,
) -> None:
    """Add a comment where its passage is; to the first paragraph where it is nowhere in the file."""
    letter, source, span = (
        ("a", documents[0], comment.a) if comment.b is None else ("b", documents[1], comment.b)
    )
    if span is None:
        return
    passage = _plain(source.text[span.start : span.end])
    before = _plain(source.text[: span.start]).count(passage) if passage else 0
    text = "".join(character for character, _ in sides[letter])
    places = [match.start() for match in re.finditer(re.escape(passage), text)] if passage else []
    if places:
        start = places[min(before, len(places) - 1)]
        first, last = sides[letter][start][1], sides[letter][start + len(passage) - 1][1]
        add_comment(document, first, last, comment.text, made)
        return
    quotation = shorten(" ".join(source.text[span.start : span.end].split()), _MAX_QUOTATION)
    for paragraph in document.element.body.iter(qn("w:p")):
        if len(paragraph):
            add_comment(document, paragraph[-1], paragraph[-1], f"{comment.text} (“{quotation}”)", made)
            return


def _plain(text: str) -> str:
    return "".join(text.split())
