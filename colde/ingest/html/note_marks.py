"""Marks of footnotes in a text: links to notes, and raised numbers that are no powers, ordinals or isotopes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from colde.ingest.html.elements import any_matches, children_backwards
from colde.ingest.html.raised_by_style import height_of

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_NAMES = re.compile(
    r"(?:footnote-?ref(?:erence)?|noteref|reference|footnote-back(?:ref)?|backlink|backref|fn-backref|doc-noteref|"
    r"doc-backlink|mso(?:foot|end)notereference)",
    re.IGNORECASE,
)
_MAX_TEXT = 40  # characters, and nodes, of an element that may be a mark
_MAX_NAMED_MARK = 8  # characters of an element named as a mark
_NUMBER = r"\d{1,3}"
_SIGNS = r"[*†‡§¶‖#⁎∗]{1,3}"
_MARKS = rf"(?:{_NUMBER}|{_SIGNS})(?:(?:\s*[,;–-]\s*|\s+)(?:{_NUMBER}|{_SIGNS}))*"
_MARK = re.compile(rf"\s*(?:[,;]|\[\s*{_MARKS}\s*\]|\(\s*{_MARKS}\s*\)|{_MARKS}[.)]?)\s*")
_LINKED_MARK = re.compile(rf"\s*[\[(]?\s*(?:{_MARKS}|[a-z]{{1,2}}|[ivx]{{1,5}})\s*[\])]?\s*", re.IGNORECASE)
_BRACKETED = re.compile(rf"\s*\[\s*(?:{_MARKS}|[a-z])\s*\]\s*")
_UNIT = re.compile(
    r"(?:^|[\d\s/·(])(?:[yzafpnµμmcdhkMGTPEZY]?(?:m|g|s|A|K|V|W|N|J|Pa|Hz|L|l|bar|mol)|da[mgl]|ft|in|yd|mi|sec|min|hr?|sq|inch)$"
)
_BASE = re.compile(r"(?:^|[^\w])[^\W\d_]$|[\d)\]}|=+×·−/]$|[=+×·−/(]\s*[^\W\d_]{1,3}$|[\u0370-\u03ff]\w?$")
"""The end of a text after which a raised figure is a power: one letter, a digit, a bracket, letters of a formula."""
_NOTE = re.compile(r"#.*?(?:note|fn|ftn)", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)1\d{3}$|(?<!\d)20\d{2}$")
_WORD_IN_BRACKETS = re.compile(r"[^\W\d_]{3,}\s*[)\]]$")
_NO_WORD_BEFORE = re.compile(r"(?:^|[\s(\[{–—-])$")
_LETTER_ALONE = re.compile(r"(?:^|\s)[AIaio]$")  # words of one letter


def is_note_mark(node: LexborNode, tag: str, called: list[str], before: str) -> bool:
    """Whether an element, one of `SHIFTED`, is the mark of a note and no word of the text.

    Args:
        called: its classes, id and role.
        before: the text before it in its paragraph.
    """
    named = any_matches(_NAMES, called)
    if not (named or (_leads_to_note(node) if tag == "a" else height_of(node, tag) == "raised")):
        return False
    text = _short_text(node)
    if not text.strip():
        return False
    if named:
        return len(text) <= _MAX_NAMED_MARK
    if tag == "a":
        return _is_link_mark(node, text, before)
    inner = node.css_first("a[href]")
    if inner is not None and _leads_to_note(inner):
        return _LINKED_MARK.fullmatch(text) is not None
    following = node.next
    after = (following.text(deep=True) or "")[:1] if following is not None else ""
    behind_raised = node.prev is not None and height_of(node.prev, node.prev.tag or "") == "raised"
    return is_raised_mark(text, before, after, behind_raised=behind_raised)


def _short_text(node: LexborNode) -> str:
    """The text of an element; empty where it has more than `_MAX_TEXT` characters, or is a tree of more nodes."""
    text, nodes, stack = "", 0, [node]
    while stack:
        inner = stack.pop()
        nodes += 1
        if inner.tag == "-text":
            text += inner.text(deep=False) or ""
        else:
            stack.extend(children_backwards(inner))
        if max(len(text), nodes) > _MAX_TEXT:
            return ""
    return text


def is_raised_mark(text: str, before: str, after: str, *, behind_raised: bool) -> bool:
    """Whether a raised text without a link is the mark of a note.

    Args:
        before: the text before it in its paragraph.
        after: the character behind it.
        behind_raised: whether another raised text stands right before it.
    """
    return _MARK.fullmatch(text) is not None and not _is_power(text, before, after, behind_raised)


def _leads_to_note(link: LexborNode) -> bool:
    """Whether a link leads to a place in a page."""
    return "#" in (link.attributes.get("href") or "")


def _is_link_mark(link: LexborNode, text: str, before: str) -> bool:
    """Whether a link to a place in a page is a mark: raised, or right behind a word in brackets or to a note."""
    raised = height_of(link, "a") == "raised" or link.css_first("sup") is not None
    if raised or (before[-1:].strip() and _NOTE.search(link.attributes["href"] or "")):
        return _LINKED_MARK.fullmatch(text) is not None
    return before[-1:].strip() != "" and _BRACKETED.fullmatch(text) is not None


def _is_power(text: str, before: str, after: str, behind_raised: bool) -> bool:
    """Whether a raised number belongs to a formula, a fraction, a unit or an element: m², 10⁶, x², ½, ¹⁴C."""
    if not text.strip()[0].isdigit():
        return _BASE.search(before) is not None and before[-1:].isalpha()
    if after[:1] in ("/", "⁄") and _NO_WORD_BEFORE.search(before):
        return True  # one over two
    if not before[-1:].strip():
        return after.isalpha()  # an isotope
    if (
        behind_raised
        or _YEAR.search(before)
        or _WORD_IN_BRACKETS.search(before)
        or _LETTER_ALONE.search(before)
    ):
        return False
    return _UNIT.search(before) is not None or _BASE.search(before) is not None
