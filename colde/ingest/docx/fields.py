"""Fields of a Word document, such as references and merged addresses: a reader sees their results, not their codes.

A code may hold further fields with results of their own, stand in many runs, and go on over the ends of paragraphs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from colde.ingest.docx.names import W, child, switch, value
from colde.ingest.formulas.equation_fields import shown_by_code
from colde.ingest.formulas.office_math import MATH

_MARK, _CODE_TEXT, _TEXT = W + "fldChar", W + "instrText", W + "t"
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


@dataclass(slots=True)
class _OpenField:
    begin: Any
    separator: Any = None  # the mark between code and result
    code: list[str] = field(default_factory=list)


def _codes(root: Any) -> tuple[set[Any], set[Any]]:
    """The marks that begin the codes of fields, and those that end them; fields without results get a text."""
    begins, ends = set(), set()
    unfinished: list[_OpenField] = []
    for mark in list(root.iter(_MARK, _CODE_TEXT)):
        kind = mark.get(W + "fldCharType")
        if kind == "begin":
            unfinished.append(_OpenField(mark))
        elif not unfinished:
            continue
        elif mark.tag == _CODE_TEXT:
            unfinished[-1].code.append(mark.text or "")
        elif kind == "separate" and unfinished[-1].separator is None:
            unfinished[-1].separator = mark
        elif kind == "end":
            ended = unfinished.pop()
            begins.add(ended.begin)
            ends.add(mark if ended.separator is None else ended.separator)
            if ended.separator is None:
                _show(
                    mark,
                    _form_value(child(ended.begin, "ffData")) or shown_by_code("".join(ended.code)),
                    ended.begin,
                )
    return begins, ends


def _show(mark: Any, shown: str, begin: Any) -> None:
    """Put what a field without a result shows behind its end, apart from a figure before it: two and a half."""
    if not shown:
        return
    before = begin.getparent().getprevious()
    behind_figure = (
        before is not None and "".join(text.text or "" for text in before.iter(_TEXT))[-1:].isdigit()
    )
    text = mark.makeelement(_TEXT)
    text.text = f" {shown}" if behind_figure and shown[0].isdigit() else shown
    mark.addnext(text)


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
