"""The redline of a comparison as a Word document and as PDF."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from colde.alignment.document_alignment import align
from colde.report.formatting import counted, drawable, is_right_to_left, long_date, printable
from colde.report.printed.typesetting import typeset
from colde.report.redline.docxodus import NotComparedError, is_word_file
from colde.report.redline.redline_pieces import RedlineParagraph, redline_paragraphs
from colde.report.redline.review_comments import ReviewComment, review_comments
from colde.report.redline.tracked_text import comment_cuts, holds, tracked_text
from colde.report.redline.tracked_word_file import tracked_word_file
from colde.results.comparison import Comparison
from colde.version import VERSION

NOT_VERSIONS = (
    "less than half of either text is in the other: most of the redline is deleted and inserted text"
)


@dataclass(frozen=True, slots=True)
class RedlineFile:
    """A redline, and what its reader should know about it; empty where there is nothing to say."""

    data: bytes
    note: str = ""


def redline_docx(
    comparison: Comparison, files: tuple[bytes, bytes] | None = None, made: datetime | None = None
) -> RedlineFile:
    """The redline as a Word document with tracked changes; the decisions and notes of the review are comments.

    Args:
        files: the files of both documents. Two Word files give the newer one with its own formatting; other files a
            clean document of the text.
        made: the date of the changes; now, if None.

    Raises:
        MissingExtraError: for two Word files, the extra `redline` is not installed.
    """
    made = made or datetime.now(UTC)
    comments = list(review_comments(comparison))
    note = ""
    if files is not None and all(map(is_word_file, files)):
        try:
            documents = comparison.a, comparison.b
            return RedlineFile(tracked_word_file(files, documents, comments, made), redline_note(comparison))
        except NotComparedError as error:
            note = f"{error}: the redline is a clean document of the text"
    data = tracked_text(_paragraphs(comparison, comments), comments, _title(comparison), made)
    return RedlineFile(data, note or redline_note(comparison))


def redline_pdf(comparison: Comparison, made: datetime | None = None) -> bytes:
    """The redline as PDF: what was inserted is underlined, what was deleted is struck out; comments are numbered notes.

    Raises:
        MissingExtraError: Typst or its fonts are not installed.
    """
    comments = list(review_comments(comparison))
    paragraphs = _paragraphs(comparison, comments)
    content = {
        "title": _title(comparison),
        "made": f"Redline of {long_date(made or datetime.now(UTC))}, made by CoLDE Explorer {VERSION}",
        "summary": _summary(paragraphs),
        "paragraphs": _typeset_paragraphs(paragraphs, comments),
        "comments": [printable(comment.text) for comment in comments],
    }
    languages = comparison.a.language, comparison.b.language
    return typeset(("print_base.typ", "redline.typ"), content, form="pdf", languages=languages)


def redline_note(comparison: Comparison) -> str:
    """What to say about the redline of two texts that are no versions of each other."""
    shared = comparison.shared
    return "" if shared is None or shared.are_versions else NOT_VERSIONS


def _title(comparison: Comparison) -> str:
    return f"{printable(comparison.a.title)} → {printable(comparison.b.title)}"


def _paragraphs(comparison: Comparison, comments: list[ReviewComment]) -> list[RedlineParagraph]:
    matches = () if comparison.sentences is None else comparison.sentences.corresponding
    return redline_paragraphs(align(comparison.a, comparison.b, matches), comment_cuts(comments))


def _summary(paragraphs: list[RedlineParagraph]) -> str:
    pieces = Counter(piece.state for paragraph in paragraphs for piece in paragraph.pieces)
    counts = (
        counted(pieces["inserted"], "insertion"),
        counted(pieces["deleted"], "deletion"),
        counted(pieces["moved here"], "moved passage"),
    )
    return ", ".join(counts)


def _typeset_paragraphs(
    paragraphs: list[RedlineParagraph], comments: list[ReviewComment]
) -> list[dict[str, Any]]:
    """The paragraphs as the template has them: each piece with the numbers of the comments that begin there."""
    left = dict(enumerate(comments, 1))
    written = []
    for paragraph in paragraphs:
        pieces = []
        for piece in paragraph.pieces:
            numbers = [number for number, comment in left.items() if holds(comment, piece)]
            for number in numbers:
                del left[number]
            pieces.append({"text": drawable(piece.text), "state": piece.state, "comments": numbers})
        text = "".join(piece.text for piece in paragraph.pieces)
        written.append(
            {
                "pieces": pieces,
                "end": paragraph.end,
                "level": paragraph.level,
                "table": paragraph.table,
                "rtl": is_right_to_left(text),
            }
        )
    return written
