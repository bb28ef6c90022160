"""Fields of a Word document, such as references and merged addresses: a reader sees their results, not their codes.

A code may hold further fields with results of their own, stand in many runs, and go on over the ends of paragraphs.
"""

from __future__ import annotations

from typing import Any

from colde.ingest.docx.names import W, child, switch, value
from colde.ingest.office_math import MATH

_MARK = W + "fldChar"
_IN_CODES = (W + "p", W + "r", MATH + "oMath")
_BOX_TICKED, _BOX_EMPTY = "☒", "☐"


def remove_field_codes(root: Any) -> None:
    """Take the codes of all fields out of a part of a document.

    The end of a paragraph inside a code becomes a deleted one. A field that does not end is no field, so that the text
    behind it stays.
    """
    begins, ends = _codes(root)
    if not begins:
        return
    with_marks = {mark.getparent() for mark in (*begins, *ends)}
    depth = 0
    paragraph = None
    for element in list(root.iter(*_IN_CODES)):
        if element.tag == W + "p":
            if depth and paragraph is not None:
                _delete_end(paragraph)
            paragraph = element
        elif element in with_marks:
            for part in list(element):
                depth += (part in begins) - (part in ends)
                if depth and part.tag not in (_MARK, W + "rPr"):
                    element.remove(part)
        elif depth and element.getparent() is not None:
            element.getparent().remove(element)


def _codes(root: Any) -> tuple[set[Any], set[Any]]:
    """The marks that begin the codes of fields, and those that end them; old form fields get a text for their value."""
    begins, ends = set(), set()
    unfinished: list[
        tuple[Any, Any]
    ] = []  # the beginning of each field, and the mark between code and result
    for mark in list(root.iter(_MARK)):
        kind = mark.get(W + "fldCharType")
        if kind == "begin":
            unfinished.append((mark, None))
        elif kind == "separate" and unfinished:
            begin, separator = unfinished[-1]
            unfinished[-1] = begin, mark if separator is None else separator
        elif kind == "end" and unfinished:
            begin, separator = unfinished.pop()
            begins.add(begin)
            ends.add(mark if separator is None else separator)
            if separator is None and (shown := _form_value(child(begin, "ffData"))):
                text = mark.makeelement(W + "t")
                text.text = shown
                mark.addnext(text)
    return begins, ends


def _form_value(settings: Any) -> str:
    """What an old form field without a result shows: the entry that is chosen from a list, or a box."""
    choices = child(settings, "ddList")
    if choices is not None:
        entries = [entry.get(W + "val") or "" for entry in choices.findall(W + "listEntry")]
        chosen = value(choices, "result") or value(choices, "default") or "0"
        return entries[int(chosen)] if chosen.isdecimal() and int(chosen) < len(entries) else ""
    box = child(settings, "checkBox")
    if box is None:
        return ""
    ticked = switch(box, "checked")
    return _BOX_TICKED if (switch(box, "default") if ticked is None else ticked) else _BOX_EMPTY


def _delete_end(paragraph: Any) -> None:
    """Mark the end of a paragraph as deleted, as a tracked change does."""
    above = paragraph
    for name in ("pPr", "rPr", "del"):
        inner = child(above, name)
        if inner is None:
            inner = above.makeelement(W + name)
            above.insert(0, inner)
        above = inner
