"""Text of a web page that nobody sees: in the colour of its background, transparent, tiny, or beside the page.

Inline styles and the page's own style sheets are read. A sheet in another file is not, so that an element whose class
may have a colour there counts as visible. Parts with `display: none` and the like are left to the reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from colde.ingest.html.elements import children_backwards
from colde.ingest.html.style_sheets import selected, style_rules
from colde.ingest.shared.hidden_text import (
    MIN_POINTS,
    WHITE,
    Colour,
    hidden_text_warnings,
    is_same_to_the_eye,
)
from colde.text.document import ReadWarning
from colde.text.word_lists.stop_words import words

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_MAX_RULES = 300  # of style sheets that are looked at, of those about colour and size
_MAX_ELEMENTS = 200_000
_MAY_HIDE = re.compile(
    r"color\s*[:=]|background|font(?:-size)?\s*:|opacity|text-indent|bgcolor|(?:left|top|right)\s*:\s*-", re.I
)
_ZERO_ALPHA = re.compile(
    r"transparent|(?:rgba?|hsla?)\([^)]*[,/]\s*0?\.?0*%?\s*\)|#(?:[0-9a-f]{3}0|[0-9a-f]{6}00)"
)
_COLOUR = re.compile(r"#[0-9a-f]{3,8}|(?:rgb|hsl)a?\([^)]*\)|[a-z]+")
_SIZE = re.compile(r"(\d*\.?\d+)(px|pt|em|rem|%)?")
_POINTS = {"px": 0.75, "pt": 1.0, "rem": 12.0, None: 0.75}
_FAR_AWAY = re.compile(r"-\d{3,}(?:\.\d+)?(?:px|pt|em|rem|vw|%)?")
_INLINE = words("span font b i u em strong small sub sup a mark s ins del q code")
_NO_TEXT = words("head script style template noscript")
_NAMES = words(
    "color background background-color background-image background-clip -webkit-background-clip font-size "
    "text-indent position left top right opacity"
)


@dataclass(frozen=True, slots=True)
class _Look:
    """How the text of an element looks: colours (None: not known), size, and whether something else hides it."""

    colour: Colour | None = (0, 0, 0)
    background: Colour | None = WHITE
    points: float | None = 12.0
    transparent: bool = False
    away: bool = False

    def takes_room(self) -> bool | None:
        """None where the text can be seen; else whether it leaves a gap, as white letters do and tiny ones do not."""
        if self.away or (self.points is not None and self.points < MIN_POINTS):
            return False
        if self.transparent:
            return True
        if self.colour is None or self.background is None:
            return None
        return is_same_to_the_eye(self.colour, self.background) or None


def remove_unseen_text(tree: LexborHTMLParser, source: str) -> tuple[ReadWarning, ...]:
    """Take text that nobody sees out of a page, and warn of it; white letters leave a space, as they do for the eye.

    The source of the page tells quickly whether anything may hide text.
    """
    if tree.root is None or _MAY_HIDE.search(source) is None:
        return ()
    declared = _declarations(tree)
    if not _may_hide(declared):
        return ()
    sheets_elsewhere = tree.css_first("link[rel~=stylesheet]") is not None
    hidden = 0
    before_first = last_seen = ""
    for node, look in _texts(tree.root, declared, sheets_elsewhere):
        text = node.text(deep=False) or ""
        room = look.takes_room()
        if not text.strip():
            continue
        if room is None:
            last_seen = text
            continue
        before_first = before_first if hidden else last_seen
        hidden += len("".join(text.split()))
        if room:
            node.replace_with(" ")
        else:
            node.decompose()
    return hidden_text_warnings(hidden, before_first)


def _texts(
    root: LexborNode, declared: Mapping[int, dict[str, str]], sheets_elsewhere: bool
) -> Iterator[tuple[LexborNode, _Look]]:
    """The texts of a page and how each looks; a text may be removed once it is given."""
    stack = [(root, _Look())]
    visited = 0
    while stack and visited < _MAX_ELEMENTS:
        node, look = stack.pop()
        visited += 1
        tag = node.tag or ""
        if tag == "-text":
            yield node, look
            continue
        if tag in _NO_TEXT:
            continue
        values = declared.get(node.mem_id, {})
        if sheets_elsewhere and (node.attributes.get("class") or node.attributes.get("id")):
            look = _Look(colour=None, background=None, points=None)
        look = _look(values, look, tag)
        stack.extend((child, look) for child in children_backwards(node))


def _look(values: Mapping[str, str], look: _Look, tag: str) -> _Look:
    if not values:
        return look
    colour, transparent = look.colour, look.transparent
    if (written := values.get("color")) is not None:
        colour, transparent = _colour(written), _ZERO_ALPHA.fullmatch(written) is not None
        if "text" in values.get("background-clip", "") + values.get("-webkit-background-clip", ""):
            transparent = False  # letters filled with a picture
    placed = values.get("position") in ("absolute", "fixed")
    away = any(_FAR_AWAY.fullmatch(values.get(name, "")) for name in ("left", "top", "right") if placed)
    return _Look(
        colour,
        _background(values, look.background),
        _points(values, look.points),
        transparent or (tag in _INLINE and re.fullmatch(r"0?\.?0+%?", values.get("opacity", "")) is not None),
        look.away or away or _FAR_AWAY.fullmatch(values.get("text-indent", "")) is not None,
    )


def _background(values: Mapping[str, str], inherited: Colour | None) -> Colour | None:
    """The colour behind an element; None where it is a picture or not known."""
    if values.get("background-image", "none") != "none":
        return None
    written = values.get("background-color") or values.get("background") or "none"
    transparent = written in ("none", "inherit") or _ZERO_ALPHA.fullmatch(written) is not None
    return inherited if transparent else _colour(written)


def _may_hide(declared: Mapping[int, Mapping[str, str]]) -> bool:
    """Whether text may be hidden anywhere: a declaration hides it, or two of them have colours that are the same."""
    looks = {_look(values, _Look(), "span") for values in declared.values()}
    colours = {look.colour for look in looks if look.colour is not None} | {(0, 0, 0)}
    backgrounds = {look.background for look in looks if look.background is not None}
    return any(look.takes_room() is not None for look in looks) or any(
        is_same_to_the_eye(colour, background) for background in backgrounds for colour in colours
    )


def _declarations(tree: LexborHTMLParser) -> dict[int, dict[str, str]]:
    """What style sheets and attributes say of the look of elements, by the elements' identity."""
    declared: dict[int, dict[str, str]] = {}
    rules = 0
    for selector, style in style_rules(tree):
        values = _values(style, inline=False)
        if not values or rules >= _MAX_RULES:
            continue
        rules += 1
        for node in selected(tree, selector):
            declared.setdefault(node.mem_id, {}).update(values)
    for node in tree.css("font[color], [bgcolor], body[text], [style]"):
        attributes = node.attributes
        values = declared.setdefault(node.mem_id, {})
        for attribute, name in (("color", "color"), ("text", "color"), ("bgcolor", "background-color")):
            if value := attributes.get(attribute):
                values[name] = value.strip().lower()
        values.update(_values(attributes.get("style") or "", inline=True))
    return declared


def _values(style: str, *, inline: bool) -> dict[str, str]:
    """The declarations of a style that matter here. Style sheets hide by opacity what scripts show again."""
    values = {}
    for declaration in style.split(";"):
        name, _, value = declaration.partition(":")
        name = name.strip().lower()
        if name in _NAMES and (inline or name != "opacity"):
            values[name] = value.replace("!important", "").strip().lower()
    return values


def _colour(written: str) -> Colour | None:
    """The colour that a declaration names; None for pictures, gradients, inherited and unknown ones."""
    from PIL import ImageColor

    if "url(" in written or "gradient" in written:
        return None
    for candidate in _COLOUR.findall(written):
        try:
            red, green, blue, *alpha = ImageColor.getrgb(re.sub(r"\s+(?=[\d/])", ",", candidate))
        except ValueError:
            continue
        return None if alpha and alpha[0] < 255 else (red, green, blue)
    return None


def _points(values: Mapping[str, str], inherited: float | None) -> float | None:
    match = _SIZE.fullmatch(values.get("font-size", ""))
    if match is None:
        return inherited if "font-size" not in values else None
    number, unit = float(match[1]), match[2]
    if unit in ("em", "%"):
        return None if inherited is None else inherited * number / (100 if unit == "%" else 1)
    return number * _POINTS[unit]
