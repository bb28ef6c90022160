"""The styles of a Word document: what each says of its paragraphs or letters, by itself or by what it is based on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from colde.ingest.docx.names import W, child, switch, value
from colde.ingest.word_processors.paragraph_styles import ParagraphStyle, style_of_names

_MAX_BASES = 20  # styles that a style is based on, one on the other
_NOTE_MARKS = re.compile("(?:foot|end)note (?:reference|anchor|characters)", re.IGNORECASE)
_SWITCHES = ("b", "vanish")  # bold and hidden, as runs and styles switch them on and off
_VALUES = ("sz", "color", "vertAlign", "position")
"""Size in half points, colour, whether letters are raised or lowered, and by how many half points."""


@dataclass(frozen=True, slots=True)
class Style:
    """What a style says.

    Attributes:
        meaning: by its name and outline level.
        shaded: there is a background behind the letters.
        marks_notes: its letters are marks of notes.
        switches: by their names in `_SWITCHES`.
        values: by their names in `_VALUES`.
    """

    meaning: ParagraphStyle
    shaded: bool = False
    marks_notes: bool = False
    switches: Mapping[str, bool] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)


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
            self._styles[style_id] = Style(style_of_names([style_id]))
        return self._styles[style_id]


def is_on(name: str, properties: Any, run_style: Style, paragraph_style: Style) -> bool:
    """Whether something of `_SWITCHES` is on in a run: by its own properties, else by one of its two styles."""
    direct = switch(properties, name)
    if direct is not None:
        return direct
    # A style that switches on what the other one switches on switches it off.
    return run_style.switches.get(name, False) != paragraph_style.switches.get(name, False)


def value_of(name: str, properties: Any, run_style: Style, paragraph_style: Style) -> str:
    """A value of `_VALUES` that holds for a run; empty where none is given."""
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
    chain: list[Any] = []
    while element is not None and len(chain) < _MAX_BASES:
        chain.append(element)
        element = by_id.get(value(element, "basedOn"))
    switches: dict[str, bool] = {}
    values: dict[str, str] = {}
    for letters in (child(style, "rPr") for style in reversed(chain)):
        switches |= {name: state for name in _SWITCHES if (state := switch(letters, name)) is not None}
        values |= {name: given for name in _VALUES if (given := value(letters, name))}
    shaded = any(next(style.iter(W + "shd"), None) is not None for style in chain)
    marks_notes = any(_NOTE_MARKS.fullmatch(value(style, "name")) for style in chain)
    return Style(_meaning(chain), shaded, marks_notes, switches, values)


def _meaning(chain: Sequence[Any]) -> ParagraphStyle:
    """What the names and outline levels of a style and of those that it is based on say, the nearest first."""
    levels = [outline_level(child(style, "pPr")) for style in chain]
    nearest = next((i for i, level in enumerate(levels) if level is not None), len(chain))
    before = style_of_names(value(style, "name") for style in chain[: nearest + 1])
    if nearest == len(chain) or before.level or before.title_part:
        return style_of_names(value(style, "name") for style in chain)
    by_names = style_of_names(value(style, "name") for style in chain)
    return replace(by_names, level=levels[nearest] or 0, title_part=None)
