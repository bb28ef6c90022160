"""The rules of the style sheets of a page, and the elements that they select."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_AT_RULE = re.compile(r"@[^{};]*(?:;|\{(?:[^{}]*\{[^{}]*\})*[^{}]*\})")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")


def style_rules(tree: LexborHTMLParser, sheets: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """Selector and declarations of each rule: of the sheets that belong to a page, then of its own."""
    text = "\n".join([*sheets, *(style.text() or "" for style in tree.css("style"))])
    for match in _RULE.finditer(_AT_RULE.sub("", _COMMENT.sub("", text))):
        if ":" not in match[1]:  # a state, such as that of a link below the pointer
            yield match[1].strip(), match[2]


def selected(tree: LexborHTMLParser, selector: str) -> list[LexborNode]:
    """The elements that a selector means; none for one that is not understood."""
    from selectolax.lexbor import SelectolaxError

    try:
        return tree.css(selector)
    except SelectolaxError:
        return []
