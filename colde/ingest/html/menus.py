"""Menus and tables of contents of a page: runs of links inside the page or site with hardly any other text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import urlsplit

from colde.ingest.blocks import Block

_MIN_LINKS = 5
_MIN_LINKED_SHARE = 0.85  # of the words of a paragraph
_MAX_LINK_WORDS = 10  # on average; longer links are sentences
_ELSEWHERE = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """The blocks of one paragraph, or another block by itself, and the links in it.

    Attributes:
        words: how many; 0 for what is no running text.
        linked_words: how many of them stand in links.
        site_links: links to other places of the page or site.
    """

    blocks: tuple[Block, ...]
    words: int = 0
    linked_words: int = 0
    site_links: int = 0

    def holds_only_links(self) -> bool:
        """Whether it may be part of a menu."""
        plain = all(block.role is None and not block.level for block in self.blocks)
        return plain and self.words > 0 and self.linked_words >= _MIN_LINKED_SHARE * self.words


def leads_into_site(target: str, host: str) -> bool:
    """Whether a link leads to the page or site itself.

    Args:
        target: where the link leads.
        host: of the site; empty where it is not known.
    """
    if _ELSEWHERE.match(target) is None:
        return True
    try:
        return bool(host) and urlsplit(target.strip()).hostname == host
    except ValueError:
        return False


def without_menus(paragraphs: Iterable[Paragraph]) -> list[Block]:
    """The blocks of all paragraphs but those of menus."""
    kept: list[Block] = []
    for only_links, run in groupby(paragraphs, Paragraph.holds_only_links):
        group = list(run)
        if not only_links or not _is_menu(group):
            kept.extend(block for paragraph in group for block in paragraph.blocks)
    return kept


def _is_menu(run: list[Paragraph]) -> bool:
    links = sum(paragraph.site_links for paragraph in run)
    return links >= _MIN_LINKS and sum(p.linked_words for p in run) < _MAX_LINK_WORDS * links
