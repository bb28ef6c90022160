"""Formulas of a web page, each once: MathML as letters, also where a picture hides it, or the TeX of a picture."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from colde.ingest.html.elements import children_backwards, is_hidden, names

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_CELLS = ("mtd", "mtr")
_ANNOTATIONS = ("annotation", "annotation-xml")
_INVISIBLE_OPERATORS = re.compile("[\u2061-\u2064]")
_MATH_NAME = re.compile(r"math|latex|(?<![a-z])tex(?![a-z])|formula|equation", re.IGNORECASE)
_TEX = re.compile(r"\\[a-zA-Z]+|[\^_]\{|\$[^$]+\$|[\w)\]}]\^[\w{\\]|(?<!\w)[^\W\d_]_[\w{\\]")
_MAY_HAVE_FORMULAS = re.compile(r"<math|math/tex|<img[^>]{0,2000}\balt\s*=", re.IGNORECASE)
_MAX_WRAPPERS = 5  # elements around a formula alone
_RENDERED = ("mathjax", "mjx-")


def put_formulas_in_text(tree: LexborHTMLParser, source: str) -> None:
    """Replace pictures of formulas, and formulas as scripts, by `math` elements that hold their letters or TeX.

    The source of the page tells quickly whether there may be any.
    """
    if _MAY_HAVE_FORMULAS.search(source) is None:
        return
    for math in tree.css("math"):
        _join_with_picture(math)
    for image in tree.css("img[alt]"):
        alt = (image.attributes.get("alt") or "").strip()
        if alt and _is_formula(image, alt):
            image.replace_with(_math(alt))
    for script in tree.css("script[type^='math/tex']"):
        if not _is_rendered(script):
            script.replace_with(_math(script.text() or ""))


def formula_text(math: LexborNode) -> str:
    """The letters of a `math` element in their order; its TeX where it has none."""
    parts: list[str] = []
    for token in _tokens(math):
        letters = _INVISIBLE_OPERATORS.sub("", " ".join(token.split()))
        names_touch = bool(parts) and len(parts[-1] + letters) > 2 and (parts[-1] + letters).isalpha()
        if token == " " or (letters and names_touch):  # cells of a matrix; "sin x"
            parts.append(" ")
        if letters:
            parts.append(letters)
    return " ".join("".join(parts).split()) or (math.attributes.get("alttext") or "").strip()


def _tokens(math: LexborNode) -> list[str]:
    """The texts in a `math` element, with a space before each cell of a matrix."""
    tokens: list[str] = []
    stack = [math]
    while stack:
        node = stack.pop()
        if node.tag == "-text":
            tokens.append(node.text(deep=False) or "")
        elif node.tag not in _ANNOTATIONS and (node is math or not is_hidden(node.attributes)):
            if node.tag in _CELLS:
                tokens.append(" ")
            stack.extend(children_backwards(node))
    return tokens


def _math(text: str) -> LexborNode:
    from selectolax.lexbor import LexborHTMLParser

    fragment = LexborHTMLParser("<math></math>").css_first("math")
    assert fragment is not None
    fragment.insert_child(text)
    return fragment


def _join_with_picture(math: LexborNode) -> None:
    """Remove the picture beside a formula; put the letters of a hidden formula in the place of its picture."""
    around: LexborNode = math
    hidden = False
    for _ in range(_MAX_WRAPPERS):
        hidden = hidden or is_hidden(around.attributes)
        beside = [node for before in (True, False) if (node := _neighbour(around, before=before)) is not None]
        picture = next((node for node in beside if node.tag == "img"), None)
        if picture is not None:
            if hidden:
                picture.replace_with(_math(formula_text(math)))
            else:
                picture.decompose()
        if picture is not None or beside or around.parent is None:
            return
        around = around.parent


def _neighbour(node: LexborNode, *, before: bool) -> LexborNode | None:
    """The node before or behind another one, blank texts left out."""
    beside = node.prev if before else node.next
    while beside is not None and beside.tag == "-text" and not (beside.text(deep=False) or "").strip():
        beside = beside.prev if before else beside.next
    return beside


def _is_formula(image: LexborNode, alt: str) -> bool:
    """Whether the text of a picture is a formula in TeX."""
    if _TEX.search(alt):
        return True
    source = image.attributes.get("src") or ""
    return (
        any(_MATH_NAME.search(name) for name in names(image.attributes))
        or re.search("latex|math|/tex", source) is not None
    )


def _is_rendered(script: LexborNode) -> bool:
    """Whether a formula in a script stands before it as the reader sees it."""
    before = _neighbour(script, before=True)
    if before is None or not before.text(deep=True).strip():
        return False
    called = " ".join([before.tag or "", *names(before.attributes)]).lower()
    return any(mark in called for mark in _RENDERED) and "preview" not in called
