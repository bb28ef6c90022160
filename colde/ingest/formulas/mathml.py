"""Formulas in MathML on one line, for every format that holds them (HTML, EPUB, JATS, DocBook).

`formula_text` reads the elements of any tree: a `MathTree` says how to look at them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from colde.ingest.formulas.formula_notation import Term, fraction, index, join_terms, matrix, power, root
from colde.text.word_lists.stop_words import words

_UNSEEN = words("annotation annotation-xml mphantom mprescripts none maligngroup malignmark")
_SPACES = words("mtext ms")
_SCRIPTS = words("msup msub msubsup munder mover munderover")
_INVISIBLE_OPERATORS = re.compile("[\u2061-\u2064\u200b]")
_ROOM = re.compile(r"\s*(?:0*\.?0*[1-9]|thick|medium|thin|very)")
"""A width of a space that is wider than nothing and not negative."""
_MAX_DEPTH = 100  # elements inside each other; what is deeper is read as letters in a row


class MathTree(Protocol):
    """How `formula_text` looks at the elements of a tree."""

    def name(self, node: Any) -> str:
        """The name of an element without its namespace."""

    def attribute(self, node: Any, name: str) -> str:
        """The value of an attribute; empty where there is none."""

    def content(self, node: Any) -> Iterable[Any]:
        """Texts, as `str`, and elements in an element, in order, without comments and what is hidden."""


def formula_text(math: Any, tree: MathTree) -> str:
    """A `math` element on one line: `1/20`, `√(a+b)`, `10^6`; the TeX beside it where it has no letters."""
    text = _term(math, tree, _MAX_DEPTH).text
    return " ".join(text.split()) or " ".join(tree.attribute(math, "alttext").split())


def _term(node: Any, tree: MathTree, depth: int) -> Term:
    name = tree.name(node)
    if not depth:
        return Term(_letters(node, tree))
    if (alone := _leaf(name, node, tree, depth)) is not None:
        return alone
    parts = [part for part in tree.content(node) if not isinstance(part, str) or part.strip()]
    elements = [part for part in parts if not isinstance(part, str)]
    if elements and (made := _layout(name, node, elements, tree, depth - 1)) is not None:
        return made
    return join_terms(
        Term(_plain(part)) if isinstance(part, str) else _term(part, tree, depth - 1) for part in parts
    )


def _leaf(name: str, node: Any, tree: MathTree, depth: int) -> Term | None:
    """An element that is read as one: a blank, a table, words; None for others."""
    if name in _UNSEEN:
        return Term("")
    if name == "mspace":
        return Term(" " if _ROOM.match(tree.attribute(node, "width")) else "")
    if name == "mtable":
        return _table(node, tree, depth)
    parts: list[Any] = list(tree.content(node)) if name in _SPACES else [None]
    if all(isinstance(part, str) for part in parts):  # the blanks at their ends count
        return Term(re.sub(r"\s+", " ", "".join(parts)))
    return None


def _layout(name: str, node: Any, elements: Sequence[Any], tree: MathTree, depth: int) -> Term | None:
    """An element that places its parts above, below or beside each other; None for one that puts them in a row."""

    def text(number: int) -> str:
        return _term(elements[number], tree, depth).text if number < len(elements) else ""

    if name in ("semantics", "maction"):
        return _term(elements[0], tree, depth)
    if name == "mfrac":
        line = tree.attribute(node, "linethickness").strip()
        return (
            matrix([[text(0), text(1)]])
            if line.startswith("0") and not line.strip("0.pxemt%")
            else fraction(text(0), text(1))
        )
    if name == "msqrt":
        return root(join_terms(_term(element, tree, depth) for element in elements).text)
    if name == "mroot":
        return root(text(0), text(1))
    if name == "mfenced":
        return _fenced(node, [_term(element, tree, depth).text for element in elements], tree)
    if name == "mmultiscripts":
        return _multiscripts(elements, tree, depth)
    return _scripts(name, [text(number) for number in range(3)]) if name in _SCRIPTS else None


def _scripts(name: str, texts: Sequence[str]) -> Term:
    base, first, second = texts
    if name == "msup":
        return power(base, first)
    if name == "msub":
        return index(base, first)
    if name in ("munder", "mover"):
        if first.strip() and not any(map(str.isalnum, first)):  # an accent, a bar, an arrow
            return Term(base + first.strip())
        return index(base, first) if name == "munder" else power(base, first)
    return power(index(base, first).text, second)


def _multiscripts(elements: Sequence[Any], tree: MathTree, depth: int) -> Term:
    """A base with marks on all sides; those before it are written before it, as in 14C."""
    names = [tree.name(element) for element in elements]
    at = names.index("mprescripts") if "mprescripts" in names else len(elements)
    base, behind, before = elements[0], elements[1:at], elements[at + 1 :]
    texts = [_term(element, tree, depth).text for element in behind]
    term = _term(base, tree, depth)
    for lowered, raised in zip(texts[::2], [*texts[1::2], ""], strict=False):
        term = power(index(term.text, lowered).text, raised)
    marks = [mark for element in reversed(before) if (mark := _term(element, tree, depth).text)]
    return Term(" ".join(marks) + term.text, bool(marks), term.space_after)


def _fenced(node: Any, texts: Sequence[str], tree: MathTree) -> Term:
    separators = "".join(tree.attribute(node, "separators").split()) or ","
    parts = [text + separators[min(i, len(separators) - 1)] for i, text in enumerate(texts[:-1])]
    opening, closing = (tree.attribute(node, name).strip() for name in ("open", "close"))
    return Term(f"{opening or '('}{''.join((*parts, texts[-1]))}{closing or ')'}")


def _table(node: Any, tree: MathTree, depth: int) -> Term:
    rows = []
    for row in tree.content(node):
        if not isinstance(row, str):
            cells = [cell for cell in tree.content(row) if not isinstance(cell, str)]
            rows.append([_term(cell, tree, depth - 1).text for cell in cells])
    return matrix(rows)


def _letters(node: Any, tree: MathTree) -> str:
    """All letters in an element in a row."""
    pieces = []
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            pieces.append(_plain(part))
        elif tree.name(part) not in _UNSEEN:
            stack.extend(reversed(list(tree.content(part))))
    return "".join(pieces)


def _plain(text: str) -> str:
    return _INVISIBLE_OPERATORS.sub("", " ".join(text.split()))
