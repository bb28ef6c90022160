"""HTML: the text of a page, without scripts, styles and what only surrounds it, by selectolax (HTML5).

`shadow_roots` puts the parts of web components in their places, `html_visibility` removes text that nobody sees,
`raised_by_style` finds text that a style raises, `formulas` writes formulas on one line, `page_measures` counts what
each element holds, `clutter` and `main_content` decide by that what is text, `element_reader` makes blocks of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from colde.ingest.files.character_encoding import declared_encoding, decode, tidy
from colde.ingest.html.element_reader import read_blocks
from colde.ingest.html.formulas import put_formulas_in_text
from colde.ingest.html.html_visibility import remove_unseen_text
from colde.ingest.html.main_content import main_content
from colde.ingest.html.menus import host_of
from colde.ingest.html.nesting import check_nesting
from colde.ingest.html.page_measures import measure_page
from colde.ingest.html.raised_by_style import mark_raised_text
from colde.ingest.html.shadow_roots import show_shadow_roots
from colde.ingest.html.xhtml import as_html, is_xhtml
from colde.ingest.reading_limits import Reading
from colde.ingest.shared.blocks import Block
from colde.ingest.shared.outline import document_from_blocks
from colde.text.document import Document, ReadWarning

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

SUFFIXES = (".html", ".htm", ".xhtml", ".xht")
_HTML_START = re.compile(
    rb"^(?:\s|\xef\xbb\xbf|<\?xml[^>]*\?>|(?><!--.*?-->))*+<(?:!doctype\s+html|(?:\w+:)?html|head|body)\b",
    re.I | re.S,
)


def accepts(data: bytes, name: str) -> bool:
    """Whether a page begins like HTML."""
    return _HTML_START.match(data[:4096]) is not None


def convert(data: bytes, name: str, reading: Reading) -> Document:
    """Read a web page: headings, paragraphs, code, tables, captions and notes of its main content."""
    text, encoding_warnings = decode(data, name, declared_encoding(data))
    tree, warnings = _parse(as_html(text) if is_xhtml(text, name) else text)
    blocks: list[Block] = []
    if tree.body is not None:
        page = measure_page(tree.body, _host(tree))
        blocks = [block for part in main_content(tree.body, page) for block in read_blocks(part, page)]
    title = tree.css_first("head > title")
    return document_from_blocks(
        blocks,
        name=name,
        format="html",
        title=_page_title(title.text() if title is not None else "", blocks),
        warnings=(*encoding_warnings, *warnings),
    )


def read_part(text: str, sheets: Sequence[str] = ()) -> tuple[list[Block], tuple[ReadWarning, ...]]:
    """Blocks of HTML that is all text (a chapter, raw HTML inside Markdown), and warnings about hidden text.

    Args:
        text: the HTML.
        sheets: style sheets beside it, which may raise or lower text.
    """
    tree, warnings = _parse(text, sheets)
    return (read_blocks(tree.body, measure_page(tree.body)) if tree.body is not None else []), warnings


def _parse(text: str, sheets: Sequence[str] = ()) -> tuple[LexborHTMLParser, tuple[ReadWarning, ...]]:
    """The tree of a page without text that nobody sees, and warnings about that."""
    from selectolax.lexbor import LexborHTMLParser

    check_nesting(text)
    tree = LexborHTMLParser(text)
    show_shadow_roots(tree, text)
    warnings = remove_unseen_text(tree, text)
    mark_raised_text(tree, text, sheets)
    put_formulas_in_text(tree, text)
    return tree, warnings


def _host(tree: LexborHTMLParser) -> str:
    """The host of the site that a page belongs to, where the page names it."""
    for link in tree.css("link[rel=canonical][href], base[href]"):
        if host := host_of(link.attributes["href"] or ""):
            return host
    return ""


def _page_title(title: str, blocks: list[Block]) -> str:
    """The title element; the first heading where the element only adds the name of the site to it."""
    text = " ".join(tidy(title).split())
    first = next((b.text for b in blocks if b.level), "")
    return first if first and first.casefold() in text.casefold() else text
