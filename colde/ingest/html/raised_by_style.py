"""Elements of a web page that raise or lower their text: `sup` and `sub`, and others by a style or a style sheet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from colde.ingest.formulas.raised_figures import Height
from colde.ingest.html.style_sheets import selected, style_rules
from colde.text.word_lists.stop_words import words

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

SHIFTED = words("a sup sub span font b i em strong small")
"""Elements that may raise or lower their text."""
_HEIGHTS: dict[str, Height] = {"sup": "raised", "sub": "lowered"}
_KEYWORDS: dict[str, Height] = {"super": "raised", "sub": "lowered"}
_OPPOSITE: dict[Height, Height] = {"raised": "lowered", "lowered": "raised"}
_STYLES = {"raised": "vertical-align: super", "lowered": "vertical-align: sub"}
_LENGTH = re.compile(r"([-+]?)(\d*\.?\d+)(em|rem|ex|%|px|pt)")
_LEAST = {"em": 0.2, "rem": 0.2, "ex": 0.4, "%": 15, "px": 3, "pt": 2}  # smaller shifts put letters in line
_MAY_SHIFT = re.compile(r"vertical-align|font-variant-position|relative", re.IGNORECASE)
_MAX_RULES = 300  # about heights that are looked at


def height_of(node: LexborNode, tag: str) -> Height:
    """Whether an element raises or lowers its text; style sheets count where `mark_raised_text` has read them."""
    if tag in _HEIGHTS:
        return _HEIGHTS[tag]
    style = node.attributes.get("style") if tag in SHIFTED else None
    return (_declared_height(style) if style else None) or "level"


def mark_raised_text(tree: LexborHTMLParser, source: str, sheets: Sequence[str] = ()) -> None:
    """Give the elements that a style sheet raises or lowers a style that says so; their own style has the last word.

    Args:
        tree: the page.
        source: its source, which tells quickly whether its own sheets may do so.
        sheets: style sheets beside the page.
    """
    if _MAY_SHIFT.search(source) is None and not any(map(_MAY_SHIFT.search, sheets)):
        return
    shifted: dict[int, tuple[LexborNode, Height]] = {}
    rules = 0
    for selector, declarations in style_rules(tree, sheets):
        height = _declared_height(declarations)
        if height is None or rules >= _MAX_RULES:
            continue
        rules += 1
        shifted.update(
            (node.mem_id, (node, height)) for node in selected(tree, selector) if node.tag in SHIFTED
        )
    for node, height in shifted.values():
        if height != "level" and node.tag not in _HEIGHTS:
            node.attrs["style"] = f"{_STYLES[height]}; {node.attributes.get('style') or ''}"


def _declared_height(style: str) -> Height | None:
    """The height that declarations name; None where they name none."""
    if _MAY_SHIFT.search(style) is None:
        return None
    values = {}
    for declaration in style.lower().split(";"):
        name, _, value = declaration.partition(":")
        values[name.strip()] = value.replace("!important", "").strip()
    if (aligned := values.get("vertical-align")) is not None:
        return _KEYWORDS.get(aligned) or _by_length(aligned)
    if (position := values.get("font-variant-position")) is not None:
        return _KEYWORDS.get(position, "level")
    if values.get("position") == "relative":
        below = _by_length(values.get("top", ""))
        return _by_length(values.get("bottom", "")) if below == "level" else _OPPOSITE[below]
    return None


def _by_length(length: str) -> Height:
    match = _LENGTH.fullmatch(length)
    if match is None or float(match[2]) < _LEAST[match[3]]:
        return "level"
    return "lowered" if match[1] == "-" else "raised"
