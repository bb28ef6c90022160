"""Brackets of Markdown that open no link, told in one pass.

For each bracket the parser looks for its end, up to the end of the paragraph. Thousands of brackets that nothing closes
would take quadratic time.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline

_FEW = 300  # brackets of a paragraph; with fewer the parser is quick
_MAX_HEIGHT = 50  # of brackets inside each other; beyond its own limit the parser gives up, too
_BRACKET = re.compile(r"\\.|[\[\]]", re.DOTALL)


def skip_open_brackets(parser: MarkdownIt) -> None:
    """Make a parser read brackets as text where a paragraph has many and these open no link."""
    parser.inline.ruler.before("escape", "open_bracket", _open_bracket)


def _open_bracket(state: StateInline, silent: bool) -> bool:
    source, at = state.src, state.pos
    bracket = at if source[at] == "[" else at + 1 if source[at] in "!^" else -1
    if bracket < 0 or not source.startswith("[", bracket) or bracket not in _open_brackets(source):
        return False
    if not silent:
        state.pending += source[at : bracket + 1]
    state.pos = bracket + 1
    return True


@lru_cache(maxsize=4)
def _open_brackets(source: str) -> frozenset[int]:
    """Places of the brackets that nothing closes, or that hold too many others inside each other."""
    if source.count("[") <= _FEW:
        return frozenset()
    opened: list[tuple[int, int]] = []  # places of open brackets, and how high those inside are stacked
    unlinked = set()
    for match in _BRACKET.finditer(source):
        if match[0] == "[":
            opened.append((match.start(), 0))
        elif match[0] == "]" and opened:
            place, height = opened.pop()
            if height >= _MAX_HEIGHT:
                unlinked.add(place)
            if opened:
                around, others = opened[-1]
                opened[-1] = (around, max(others, height + 1))
    return frozenset(unlinked.union(place for place, _ in opened))
