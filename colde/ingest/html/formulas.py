"""Formulas of a web page, each once: MathML on one line, also where a picture hides it, or the TeX of a picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from colde.ingest.formulas import mathml
from colde.ingest.html.elements import children, is_hidden, names

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

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


class _HtmlTree:
    """How MathML stands in a web page."""

    def name(self, node: LexborNode) -> str:
        return node.tag or ""

    def attribute(self, node: LexborNode, name: str) -> str:
        return node.attributes.get(name) or ""

    def content(self, node: LexborNode) -> Iterator[str | LexborNode]:
        for child in children(node):
            if child.tag == "-text":
                yield child.text(deep=False) or ""
            elif child.tag != "-comment" and not is_hidden(child.attributes):
                yield child


_TREE = _HtmlTree()


def formula_text(math: LexborNode) -> str:
    """A `math` element on one line; its TeX where it has no letters."""
    return mathml.formula_text(math, _TREE)


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
