"""The elements that hold the text of a page, by what they hold: a `main` or `article` may be a notice or a teaser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colde.ingest.html.clutter import is_no_text
from colde.ingest.html.elements import children
from colde.ingest.html.page_measures import PageMeasures

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_CANDIDATES = (("main, [role=main]", 0.5), ("article", 0.6))
"""Elements that may hold the text, and the share of the words in sentences from which one does."""
_SHARE_BESIDE_OTHERS = 0.8  # the same for one of several elements
_PARTS = ("header", "footer")


def main_content(body: LexborNode, page: PageMeasures) -> list[LexborNode]:
    """The elements to read, in order: `main` or an `article` if it holds most of the sentences, else the body.

    Headers and footers around it belong to it where they hold sections of the text.
    """
    text_words = None
    for query, least in _CANDIDATES:
        elements = [node for node in body.css(query) if page.of(node).words]
        best = max(elements, key=page.share, default=None)
        if best is None:
            continue
        if text_words is None:
            text_words = page.whole.prose_words - _words_outside_text(body, page)
        needed = least if len(elements) == 1 else _SHARE_BESIDE_OTHERS
        if page.of(best).prose_words >= needed * text_words:
            return _with_parts(best, body, page)
    return [body]


def _words_outside_text(body: LexborNode, page: PageMeasures) -> int:
    """Words of sentences in menus, banners and boxes beside the text."""
    count = 0
    stack = [body]
    while stack:
        for node in children(stack.pop()):
            if page.of(node).prose_words == 0:
                continue
            if is_no_text(node, node.tag or "", page):
                count += page.of(node).prose_words
            else:
                stack.append(node)
    return count


def _with_parts(main: LexborNode, body: LexborNode, page: PageMeasures) -> list[LexborNode]:
    """The main element with the headers and footers before and behind it that are text."""
    around: set[int] = set()
    node = main
    while node.mem_id != body.mem_id and node.parent is not None:
        node = node.parent
        around.add(node.mem_id)
    parts = []
    for node in body.css(f"header, footer, {main.tag}"):
        beside = node.parent is not None and node.parent.mem_id in around and page.of(node).prose_words > 0
        is_part = node.tag in _PARTS and beside and not is_no_text(node, node.tag, page)
        if is_part or node.mem_id == main.mem_id:
            parts.append(node)
    return parts
