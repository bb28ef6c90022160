"""The pages of an EPUB book as HTML: their XML written out, kinds of parts as roles, headings by the style sheets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from colde.errors import ReadError
from colde.ingest.files.character_encoding import declared_encoding, decode
from colde.ingest.files.xml_parsing import attribute, local_name, parse_xml, plain_text
from colde.ingest.html.xhtml import as_html
from colde.ingest.word_processors.headings_by_look import ParagraphLook, levels_by_look
from colde.text.word_lists.stop_words import words

_NO_TEXT_TYPES = words(
    "toc landmarks page-list lot loi lov pagebreak cover titlepage halftitlepage copyright-page"
)
_ROLES = {
    "noteref": "doc-noteref", "backlink": "doc-backlink", "footnote": "doc-footnote", "footnotes": "doc-footnotes",
    "endnote": "doc-endnote", "endnotes": "doc-endnotes", "rearnote": "doc-endnote", "rearnotes": "doc-endnotes",
    "bibliography": "doc-bibliography",
}  # fmt: skip
_HEADINGS = words("h1 h2 h3 h4 h5 h6")
_SELECTOR = re.compile(r"(?:\w+)?(?:\.[\w-]+)?")
_SIZE = re.compile(r"(\d+(?:\.\d+)?|\.\d+)(pt|px|em|rem|%)")
_POINTS = {"pt": 1.0, "px": 0.75}
_BOLD = words("b strong th")
_PROPERTIES = words("font-size font-weight color")
_BLACK = words("black #000 #000000 inherit windowtext")
_TEXT_SIZE = 12.0  # points, where no style names another
_EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"


@dataclass(frozen=True, slots=True)
class _Look:
    points: float = _TEXT_SIZE
    bold: bool = False
    colour: str = ""


def pages_as_html(pages: Sequence[bytes], style_sheets: Sequence[str], name: str) -> list[str]:
    """The text of each page as HTML, which the HTML reader takes as browsers do.

    Pages are XML, where every element may close itself; one that is not well-formed XML is taken as HTML as it is.
    Where no page of the book has a heading, paragraphs that look like headings become headings.
    """
    trees = [_tree(page, name) for page in pages]
    known = [tree for tree in trees if tree is not None]
    for tree in known:
        for element in tree.iter():
            _make_plain(element)
    if not any(local_name(e) in _HEADINGS for tree in known for e in tree.iter()):
        _mark_headings(known, _declarations([*style_sheets, *_inner_sheets(known)]))
    return [
        as_html(decode(page, name, declared_encoding(page)).text) if tree is None else _written(tree)
        for page, tree in zip(pages, trees, strict=True)
    ]


def _tree(page: bytes, name: str) -> Any:
    try:
        return parse_xml(page, name)
    except ReadError:
        return None


def _written(tree: Any) -> str:
    from lxml import etree

    return str(etree.tostring(tree, method="html", encoding="unicode"))


def _make_plain(element: Any) -> None:
    """Take the namespace from a name, and say what a part is with a role: `navigation` for what is no text."""
    if not isinstance(element.tag, str):
        return
    element.tag = local_name(element)
    types = (element.get(_EPUB_TYPE) or "").lower().split()
    if _NO_TEXT_TYPES.intersection(types):
        element.set("role", "navigation")
    elif role := next((_ROLES[t] for t in types if t in _ROLES), ""):
        element.set("role", role)


def _inner_sheets(trees: Sequence[Any]) -> Iterator[str]:
    return (style.text or "" for tree in trees for style in tree.iter("style"))


def _declarations(style_sheets: Sequence[str]) -> Mapping[str, dict[str, str]]:
    """Size, weight and colour by simple selectors: `p`, `.class`, `p.class`."""
    declared: dict[str, dict[str, str]] = {}
    for sheet in style_sheets:
        first, *others = sheet.split("/*")
        without_comments = first + "".join(part.partition("*/")[2] for part in others)
        for rule in without_comments.split("}"):
            selectors, _, body = rule.partition("{")
            values = _values(body)
            for selector in selectors.split(",") if values else ():
                if _SELECTOR.fullmatch(selector.strip()):
                    declared.setdefault(selector.strip(), {}).update(values)
    return declared


def _values(style: str) -> dict[str, str]:
    pairs = (part.partition(":") for part in style.lower().split(";"))
    return {n.strip(): v.strip() for n, _, v in pairs if n.strip() in _PROPERTIES}


def _mark_headings(trees: Sequence[Any], declared: Mapping[str, dict[str, str]]) -> None:
    paragraphs = [
        element
        for tree in trees
        for element in tree.iter("p", "div")
        if element.find(".//p") is None and element.find(".//div") is None
    ]
    levels = levels_by_look([_paragraph_look(p, declared) for p in paragraphs])
    for i, level in levels.items():
        paragraphs[i].tag = f"h{level}"


def _paragraph_look(paragraph: Any, declared: Mapping[str, dict[str, str]]) -> ParagraphLook:
    """How a paragraph looks: the size of its largest letters, and whether all are bold."""
    outer = _Look()
    for element in [*reversed(list(paragraph.iterancestors())), paragraph]:
        outer = _inside(element, outer, declared)
    looks: list[_Look] = []
    stack = [(paragraph, outer)]
    while stack:
        element, look = stack.pop()
        if (element.text or "").strip():
            looks.append(look)
        for child in element:
            if isinstance(child.tag, str):
                stack.append((child, _inside(child, look, declared)))
            if (child.tail or "").strip():
                looks.append(look)
    return ParagraphLook(
        plain_text(paragraph),
        max((look.points for look in looks), default=0.0),
        bold=bool(looks) and all(look.bold for look in looks),
        coloured=bool(looks) and all(look.colour for look in looks),
        is_text=next(paragraph.iterancestors("table", "li", "blockquote", "figure", "aside", "nav"), None)
        is None,
    )


def _inside(element: Any, look: _Look, declared: Mapping[str, dict[str, str]]) -> _Look:
    """How the letters in an element look that stands inside another."""
    tag = local_name(element)
    selectors = [tag]
    for name in attribute(element, "class").split():
        selectors += [f".{name}", f"{tag}.{name}"]
    values: dict[str, str] = {}
    for selector in selectors:
        values |= declared.get(selector, {})
    values |= _values(attribute(element, "style"))
    weight = values.get("font-weight", "bold" if tag in _BOLD else "")
    bold = weight in ("bold", "bolder", "600", "700", "800", "900") if weight else look.bold
    colour = values.get("color", "" if tag == "a" else look.colour)
    colour = "" if colour in _BLACK or tag == "a" else colour
    match = _SIZE.fullmatch(values.get("font-size", ""))
    if match is None:
        return _Look(look.points, bold, colour)
    number, unit = float(match[1]), match[2]
    if unit in _POINTS:
        return _Look(number * _POINTS[unit], bold, colour)
    base = _TEXT_SIZE if unit == "rem" else look.points
    return _Look(round(base * number / (100 if unit == "%" else 1), 2), bold, colour)
