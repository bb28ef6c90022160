"""The styles of an OpenDocument text: what they say of paragraphs, and how letters look."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from colde.ingest.files.xml_parsing import attribute
from colde.ingest.formulas.raised_figures import Height
from colde.ingest.shared.hidden_text import MIN_POINTS, is_white
from colde.ingest.word_processors.paragraph_styles import ParagraphStyle, style_of_names

_PREFIXES = {
    "urn:oasis:names:tc:opendocument:xmlns:text:1.0": "text",
    "urn:oasis:names:tc:opendocument:xmlns:table:1.0": "table",
    "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0": "draw",
    "urn:oasis:names:tc:opendocument:xmlns:office:1.0": "office",
    "urn:oasis:names:tc:opendocument:xmlns:style:1.0": "style",
    "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0": "svg",
    "http://www.w3.org/1998/Math/MathML": "math",
}
_FAMILIES = {"p": "paragraph", "h": "paragraph", "span": "text", "a": "text"}
_LONGEST_CHAIN = 20  # styles based on each other
_MIN_INDENT = 15.0  # points
_LENGTH = re.compile(r"(-?\d+(?:\.\d+)?)(pt|in|cm|mm|pc|px)")
_POINTS = {"pt": 1.0, "in": 72.0, "cm": 28.35, "mm": 2.835, "pc": 12.0, "px": 0.75}
_ESCAPED = re.compile(r"_([0-9a-fA-F]{1,4})_")


def qualified_name(element: Any) -> str:
    """The name of an element with the usual prefix of its namespace: `text:p`."""
    tag = element.tag
    if not isinstance(tag, str):
        return ""
    space, _, name = tag.removeprefix("{").rpartition("}")
    return f"{_PREFIXES.get(space, '')}:{name}"


@dataclass(frozen=True, slots=True)
class Look:
    """How letters look, as far as a reader of text must know."""

    bold: bool = False
    is_unseen: bool = False
    is_hidden: bool = False
    height: Height = "level"


class StyleSheet:
    """The styles of one document, given the root elements of its parts, those of its content first."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self._styles: dict[tuple[str, str], Any] = {}
        for part in parts:
            for style in part.iter("{*}style"):
                key = attribute(style, "family"), attribute(style, "name")
                self._styles.setdefault(key, style)
        self._read: dict[tuple[str, str], ParagraphStyle] = {}
        self._properties: dict[tuple[str, str], Mapping[str, str]] = {}
        self._looks: dict[Any, Look] = {}

    def paragraph(self, element: Any) -> ParagraphStyle:
        """What the style of a paragraph or heading says."""
        key = self._key(element)
        if key not in self._read:
            chain = list(self._chain(key))
            levels = (attribute(style, "default-outline-level") for style in chain)
            level = next((int(n) for n in levels if re.fullmatch("[1-9]|10", n)), 0)
            names = map(_shown_name, chain) if chain else [_unescaped(key[1])]
            self._read[key] = style_of_names(names, level)
        style = self._read[key]
        written = attribute(element, "outline-level")
        if written and not style.title_part:
            return ParagraphStyle(level=int(written) if re.fullmatch("[1-9]|10", written) else 1)
        return style

    def is_hidden_by_field(self, element: Any) -> bool:
        """Whether a field that hides its paragraph is on."""
        fields = element.iterfind("{*}hidden-paragraph")
        return any(attribute(field, "is-hidden") == "true" for field in fields)

    def is_indented(self, element: Any) -> bool:
        """Whether a paragraph stands farther in than the text."""
        match = _LENGTH.match(self._values(element).get("margin-left", ""))
        return match is not None and float(match[1]) * _POINTS[match[2]] >= _MIN_INDENT

    def look(self, element: Any) -> Look:
        """How the letters in a paragraph or in a part of one look."""
        key = tuple(self._key(e) for e in self._around(element))
        if key not in self._looks:
            values: dict[str, str] = {}
            for one in reversed(key):
                values |= self._values_of(one)
            self._looks[key] = _look(values)
        return self._looks[key]

    def _around(self, element: Any) -> Iterator[Any]:
        """The element and those around it that have a style for letters, up to the paragraph."""
        while element is not None:
            name = qualified_name(element)
            if name in ("text:span", "text:a", "text:p", "text:h"):
                yield element
            if name in ("text:p", "text:h"):
                return
            element = element.getparent()

    def _key(self, element: Any) -> tuple[str, str]:
        family = _FAMILIES.get(qualified_name(element).rpartition(":")[2], "")
        return family, attribute(element, "style-name")

    def _chain(self, key: tuple[str, str]) -> Iterator[Any]:
        for _ in range(_LONGEST_CHAIN):
            style = self._styles.get(key)
            if style is None:
                return
            yield style
            key = key[0], attribute(style, "parent-style-name")

    def _values(self, element: Any) -> Mapping[str, str]:
        return self._values_of(self._key(element))

    def _values_of(self, key: tuple[str, str]) -> Mapping[str, str]:
        """The properties of a style that matter here, with those that it inherits."""
        if key not in self._properties:
            values: dict[str, str] = {}
            for style in reversed(list(self._chain(key))):
                for properties in style:
                    if qualified_name(properties) in ("style:text-properties", "style:paragraph-properties"):
                        values |= {k.rpartition("}")[2]: str(v) for k, v in properties.attrib.items()}
            self._properties[key] = values
        return self._properties[key]


def _shown_name(style: Any) -> str:
    return _unescaped(attribute(style, "display-name") or attribute(style, "name"))


def _unescaped(name: str) -> str:
    """The name of a style with the characters that the file writes as numbers: `Text_20_body`."""
    return _ESCAPED.sub(lambda m: chr(int(m[1], 16)), name)


def _look(values: Mapping[str, str]) -> Look:
    colour = values.get("color", "").removeprefix("#")
    size = _LENGTH.fullmatch(values.get("font-size", ""))
    tiny = size is not None and float(size[1]) * _POINTS[size[2]] < MIN_POINTS
    on_paper = values.get("background-color", "transparent").lower() in ("transparent", "#ffffff", "none")
    white = on_paper and is_white(colour) and values.get("use-window-font-color") != "true"
    bold = values.get("font-weight") in ("bold", "600", "700", "800", "900")
    height = _height(values.get("text-position", ""))
    return Look(bold, tiny or white, values.get("display") == "none", height)


def _height(position: str) -> Height:
    """Where letters stand by a position such as `super 58%` or `-33% 58%`."""
    share = position.partition(" ")[0]
    if share == "super" or re.fullmatch(r"[\d.]*[1-9][\d.]*%", share):
        return "raised"
    return "lowered" if share == "sub" or share.startswith("-") else "level"
