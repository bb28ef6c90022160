"""The elements of a web page: their kinds by tag, their names, what is around them, and which are hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from colde.text.word_lists.stop_words import words

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

Attributes = Mapping[str, str | None]
"""The attributes of an element."""
NEVER_TEXT = words(
    "script style template head link meta title base iframe noframes noembed select option optgroup datalist input "
    "textarea annotation annotation-xml rp rt rtc -comment"
)
"""Elements without text of the page: code, settings, fields, and readings above letters."""
BLOCKS = words(
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure "
    "footer form header hgroup html li main menu nav noscript ol p pre section summary table tbody td tfoot th thead "
    "tr ul h1 h2 h3 h4 h5 h6 caption hr legend"
)
"""Elements that begin and end a line."""
CONTROLS = words("button input select textarea")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_MAX_LEVELS = 200  # of elements around one that are looked at
_DEFAULT_LEVEL = 2  # of an element with the role of a heading, by ARIA
_NOT_SHOWN = re.compile(r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)", re.I)


def children(node: LexborNode) -> Iterator[LexborNode]:
    """The nodes directly inside an element, texts and comments included."""
    child = node.child
    while child is not None:
        yield child
        child = child.next


def children_backwards(node: LexborNode) -> Iterator[LexborNode]:
    """The nodes directly inside an element, the last one first, as they are put on a stack."""
    child = node.last_child
    while child is not None:
        yield child
        child = child.prev


def names(attributes: Attributes) -> list[str]:
    """The classes, the id and the role of an element, as written."""
    if not attributes:
        return []
    called = (attributes.get("class") or "").split()
    called.extend(value for name in ("id", "role") if (value := attributes.get(name)))
    return called


def any_matches(pattern: re.Pattern[str], names: list[str]) -> bool:
    """Whether a whole name matches."""
    return bool(names) and any(map(pattern.fullmatch, names))


def heading_level(tag: str, attributes: Attributes) -> int:
    """The level of a heading, by its tag or its role; 0 for other elements."""
    if not (roles := attributes.get("role")):
        return _HEADINGS.get(tag, 0)
    role = next(iter(roles.lower().split()), "")
    if role == "heading":
        written = (attributes.get("aria-level") or "").strip()
        return int(written) if re.fullmatch("[1-9]", written) else _HEADINGS.get(tag, _DEFAULT_LEVEL)
    return 0 if role in ("presentation", "none") else _HEADINGS.get(tag, 0)


def is_hidden(attributes: Attributes) -> bool:
    """Whether an element itself says that it is not shown. What a search in the page would show counts as shown."""
    if not attributes:
        return False
    hidden = "hidden" in attributes and (attributes["hidden"] or "").strip().lower() != "until-found"
    style = attributes.get("style")
    return hidden or (style is not None and _NOT_SHOWN.search(style) is not None)


def is_inside(node: LexborNode, tags: frozenset[str]) -> bool:
    """Whether an element stands in one with one of these tags."""
    parent = node.parent
    for _ in range(_MAX_LEVELS):
        if parent is None:
            return False
        if parent.tag in tags:
            return True
        parent = parent.parent
    return False
