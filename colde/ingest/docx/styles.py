"""The styles of a Word document: what each says of its paragraphs or letters, by itself or by what it is based on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from colde.ingest.docx.names import W, child, switch, value
from colde.ingest.styled_blocks import TitlePart
from colde.text.document import Role

_HEADING = re.compile(r"(?:heading|überschrift|titre|título|titolo|kop|rubrik)\s*(\d)", re.IGNORECASE)
_ROLES: tuple[tuple[str, Role], ...] = (
    ("caption", "caption"), ("image caption", "caption"), ("table caption", "caption"),
    ("footnote text", "footnote"), ("endnote text", "footnote"), ("bibliography", "references"),
)  # fmt: skip
_QUOTATIONS = frozenset(("quote", "intense quote", "block text", "block quote", "quotations"))
_CODE = re.compile(r"(?:source )?code|(?:html )?preformatted|verbatim|plain text|macro text", re.IGNORECASE)
_MAX_BASES = 20  # styles that a style is based on, one on the other

_TITLE_PARTS: Mapping[str, TitlePart] = {
    "title": "title", "subtitle": "subtitle", "author": "author", "date": "date",
}  # fmt: skip
SWITCHES = ("b", "vanish")
"""Bold and hidden, as runs and styles switch them on and off."""
VALUES = ("sz", "color")
"""Size in half points and colour."""


@dataclass(slots=True)
class Style:
    """What a style says.

    Attributes:
        level: of a heading; 0 for what is expressly none, None where nothing is said.
        contents: a line of a table of contents or of figures.
        shaded: there is a background behind the letters.
        switches: by their names in `SWITCHES`.
        values: by their names in `VALUES`.
    """

    level: int | None = None
    role: Role | None = None
    code: bool = False
    quotation: bool = False
    contents: bool = False
    title_part: TitlePart | None = None
    shaded: bool = False
    switches: dict[str, bool] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)


class Styles:
    """The styles of a document by their ids."""

    def __init__(self, root: Any) -> None:
        """Read the part with the styles; None where there is none."""
        elements = root.findall(W + "style") if root is not None else []
        by_id = {element.get(W + "styleId") or "": element for element in elements}
        self._styles = {style_id: _read_style(element, by_id) for style_id, element in by_id.items()}
        self._default = next(
            (i for i, e in by_id.items() if e.get(W + "type") == "paragraph" and _is_default(e)), ""
        )

    def of_paragraph(self, properties: Any) -> Style:
        """The style that the properties of a paragraph name, or the usual one."""
        return self._style(value(properties, "pStyle") or self._default)

    def of_run(self, properties: Any) -> Style:
        """The style that the properties of a run name; an empty one where they name none."""
        return self._style(value(properties, "rStyle"))

    def _style(self, style_id: str) -> Style:
        """A style; one that the document does not define is told by its id."""
        if style_id not in self._styles:
            style = Style()
            _add_meaning(style, style_id.lower(), None)
            self._styles[style_id] = style
        return self._styles[style_id]


def is_on(name: str, properties: Any, run_style: Style, paragraph_style: Style) -> bool:
    """Whether something of `SWITCHES` is on in a run: by its own properties, else by one of its two styles."""
    direct = switch(properties, name)
    if direct is not None:
        return direct
    # A style that switches on what the other one switches on switches it off.
    return run_style.switches.get(name, False) != paragraph_style.switches.get(name, False)


def value_of(name: str, properties: Any, run_style: Style, paragraph_style: Style) -> str:
    """A value of `VALUES` that holds for a run; empty where none is given."""
    styles = (run_style, paragraph_style)
    return value(properties, name) or next((s.values[name] for s in styles if name in s.values), "")


def outline_level(properties: Any) -> int | None:
    """The heading level that the properties of a paragraph give: 1 to 9, 0 for body text; None where they give none."""
    level = value(properties, "outlineLvl")
    if not re.fullmatch(r"[0-9]{1,9}", level):
        return None
    return int(level) + 1 if int(level) < 9 else 0


def _is_default(style: Any) -> bool:
    return style.get(W + "default") in ("1", "true")


def _read_style(element: Any, by_id: Mapping[str, Any]) -> Style:
    """What a style says, and where it says nothing what the styles say that it is based on."""
    style = Style()
    for _ in range(_MAX_BASES):
        if element is None:
            break
        _add_meaning(style, value(element, "name").lower(), child(element, "pPr"))
        style.shaded |= next(element.iter(W + "shd"), None) is not None
        letters = child(element, "rPr")
        for name in SWITCHES:
            if name not in style.switches and (state := switch(letters, name)) is not None:
                style.switches[name] = state
        for name in VALUES:
            if name not in style.values and (given := value(letters, name)):
                style.values[name] = given
        element = by_id.get(value(element, "basedOn"))
    return style


def _add_meaning(style: Style, name: str, paragraph_properties: Any) -> None:
    """Add what a style's name (in lower case) and outline level say to what the styles before it said."""
    if style.level is None and style.title_part is None:
        heading = _HEADING.fullmatch(name)
        style.level = outline_level(paragraph_properties)
        if style.level is None and heading:
            style.level = int(heading[1])
        if not style.level:
            style.title_part = _TITLE_PARTS.get(name)
    style.role = style.role or next((role for label, role in _ROLES if label == name), None)
    style.code |= _CODE.fullmatch(name) is not None
    style.quotation |= name in _QUOTATIONS
    style.contents |= name.startswith("toc ") or name == "table of figures"
