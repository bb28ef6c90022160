"""Formulas of word processors (Office Math) on one line, as Word documents and RTF files hold them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from colde.ingest.files.xml_parsing import local_name
from colde.ingest.formulas.formula_notation import Term, fraction, index, join_terms, matrix, power, root
from colde.text.word_lists.stop_words import words

MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"

_MAX_DEPTH = 60  # parts inside each other; what is deeper is read as letters in a row
_OFF = ("0", "off", "false", "none")
_BREAKS = words("br cr tab")
_DELETED = words("del moveFrom")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_INVISIBLE_OPERATORS = dict.fromkeys(range(0x2061, 0x2065))


def formula_text(formula: Any) -> str:
    """An `m:oMath` element on one line: `1/20`, `√(a+b)`, `10^6`."""
    return " ".join(_row(formula, _MAX_DEPTH).text.split())


def new_formula() -> Any:
    """An empty formula, for a format that does not hold it as XML."""
    from lxml import etree

    return etree.Element(MATH + "oMath")


def put_element(parent: Any, word: str) -> Any:
    """A new element at the end of another one, named as RTF does: `mnum` is `m:num`."""
    from lxml import etree

    return etree.SubElement(parent, MATH + (word.removeprefix("m") or word))


def put_text(element: Any, text: str) -> None:
    """Add text to a run, or to the value of a property."""
    text = _NOT_XML.sub("", text)
    if local_name(element) == "r":
        put_element(element, "mt").text = text
    else:
        element.set(MATH + "val", element.get(MATH + "val", "") + text.strip())


def _row(element: Any, depth: int) -> Term:
    """What stands in an element, in a row; nothing for a missing element."""
    return join_terms(_term(part, depth) for part in element) if element is not None else Term("")


def _term(element: Any, depth: int) -> Term:
    name = local_name(element)
    if name in _DELETED or name.endswith("Pr"):
        return Term("")
    if not depth:
        return Term("".join(map(_run_text, element.iter())))
    if name == "r":
        return Term("".join(map(_run_text, element)))
    make = _LAYOUTS.get(name)
    return make(element, depth - 1) if make else _row(element, depth - 1)


def _run_text(part: Any) -> str:
    name = local_name(part)
    if name == "t":
        return str(part.text or "").translate(_INVISIBLE_OPERATORS)
    return " " if name in _BREAKS else ""


def _part(element: Any, name: str, depth: int) -> str:
    """A part of an element on one line; empty where it is missing."""
    return _row(element.find(MATH + name), depth).text


def _setting(element: Any, name: str, default: str = "") -> str:
    """A property of an element, such as the sign that it draws; `on` for one that has no value."""
    property_element = element.find(f"*/{MATH}{name}")
    return default if property_element is None else property_element.get(MATH + "val", "on")


def _is_on(element: Any, name: str) -> bool:
    return _setting(element, name, "off").lower() not in _OFF


def _fraction(element: Any, depth: int) -> Term:
    above, below = _part(element, "num", depth), _part(element, "den", depth)
    return matrix([[above, below]]) if _setting(element, "type") == "noBar" else fraction(above, below)


def _root(element: Any, depth: int) -> Term:
    degree = "" if _is_on(element, "degHide") else _part(element, "deg", depth)
    return root(_part(element, "e", depth), degree)


def _power(element: Any, depth: int) -> Term:
    return power(_part(element, "e", depth), _part(element, "sup", depth))


def _index(element: Any, depth: int) -> Term:
    return index(_part(element, "e", depth), _part(element, "sub", depth))


def _index_and_power(element: Any, depth: int) -> Term:
    return power(_index(element, depth).text, _part(element, "sup", depth))


def _marks_before(element: Any, depth: int) -> Term:
    """A base with marks before it, as in 14C."""
    marks = [mark for name in ("sup", "sub") if (mark := _part(element, name, depth))]
    return Term(" ".join(marks) + _part(element, "e", depth), bool(marks))


def _sum(element: Any, depth: int) -> Term:
    """A sum, a product, an integral: its sign with limits, then what it is about."""
    lower, upper = (
        "" if _is_on(element, hidden) else _part(element, name, depth)
        for name, hidden in (("sub", "subHide"), ("sup", "supHide"))
    )
    sign = power(index(_setting(element, "chr", "∫"), lower).text, upper).text
    limited = Term(sign, space_after=bool(lower or upper))
    return join_terms([limited, _row(element.find(MATH + "e"), depth)])


def _delimited(element: Any, depth: int) -> Term:
    parts = [_row(part, depth).text for part in element.findall(MATH + "e")]
    inside = _setting(element, "sepChr", "|").join(parts)
    return Term(f"{_setting(element, 'begChr', '(')}{inside}{_setting(element, 'endChr', ')')}")


def _matrix(element: Any, depth: int) -> Term:
    rows = element.findall(MATH + "mr")
    return matrix([_row(cell, depth).text for cell in row.findall(MATH + "e")] for row in rows)


def _lines(element: Any, depth: int) -> Term:
    return matrix([_row(line, depth).text.replace("&", "")] for line in element.findall(MATH + "e"))


def _limit_below(element: Any, depth: int) -> Term:
    return index(_part(element, "e", depth), _part(element, "lim", depth))


def _limit_above(element: Any, depth: int) -> Term:
    return power(_part(element, "e", depth), _part(element, "lim", depth))


def _accent(element: Any, depth: int) -> Term:
    return Term(_part(element, "e", depth) + _setting(element, "chr", "\u0302"))


def _bar(element: Any, depth: int) -> Term:
    return Term(_part(element, "e", depth) + ("¯" if _setting(element, "pos") == "top" else "_"))


def _phantom(element: Any, depth: int) -> Term:
    return _row(element.find(MATH + "e"), depth) if _setting(element, "show", "on") not in _OFF else Term("")


_LAYOUTS: dict[str, Callable[[Any, int], Term]] = {
    "f": _fraction, "rad": _root, "sSup": _power, "sSub": _index, "sSubSup": _index_and_power, "sPre": _marks_before,
    "nary": _sum, "d": _delimited, "m": _matrix, "eqArr": _lines, "limLow": _limit_below, "limUpp": _limit_above,
    "acc": _accent, "bar": _bar, "phant": _phantom,
}  # fmt: skip
"""Elements that place their parts above, below or beside each other; others put them in a row."""
