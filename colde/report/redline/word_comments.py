"""Comments in a Word document."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from colde.report.formatting import drawable

AUTHOR, INITIALS = "CoLDE Explorer", "CE"


def add_comment(document: Any, first: Any, last: Any, text: str, made: datetime) -> None:
    """Add a comment on a passage of the body or of a note.

    Args:
        document: of python-docx.
        first, last: the elements where the passage begins and ends, in a paragraph or in the same or a later one.
    """
    lines = "\n".join(drawable(line) for line in text.splitlines())
    comment = document.comments.add_comment(lines, AUTHOR, INITIALS)
    comment._comment_elm.date = made
    number = str(comment.comment_id)
    _in_paragraph(first).addprevious(_mark("w:commentRangeStart", number))
    end = _mark("w:commentRangeEnd", number)
    _in_paragraph(last).addnext(end)
    run = OxmlElement("w:r")
    run.append(_mark("w:commentReference", number))
    end.addnext(run)


def _mark(name: str, number: str) -> Any:
    element = OxmlElement(name)
    element.set(qn("w:id"), number)
    return element


def _in_paragraph(element: Any) -> Any:
    """The element right below the paragraph that holds this one: a comment stays where an insertion is rejected."""
    while element.getparent().tag != qn("w:p"):
        element = element.getparent()
    return element
