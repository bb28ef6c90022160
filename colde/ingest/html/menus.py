"""Menus and tables of contents of a page: runs of links inside the page or site with hardly any other text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import urlsplit

from colde.ingest.shared.blocks import Block

_MIN_LINKS = 5
_MIN_LINKS_TO_ONE_HOST = 10  # of a site that the page does not name
_MIN_LINKED_SHARE = 0.85  # of the words of a paragraph
_MAX_LINK_WORDS = 10  # on average; longer links are sentences
_ELSEWHERE = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """The blocks of one paragraph, or another block by itself, and the links in it.

    Attributes:
        linked_text: what of it stands in links.
        targets: where the links lead.
    """

    blocks: tuple[Block, ...]
    linked_text: str = ""
    targets: tuple[str, ...] = ()

    def holds_only_links(self) -> bool:
        """Whether it may be part of a menu; numbers beside the links do not matter."""
        if not self.targets or any(block.role or block.level for block in self.blocks):
            return False
        words = sum(len(_WORD.findall(block.text)) for block in self.blocks)
        linked = len(_WORD.findall(self.linked_text))
        is_sentence = linked < words and self.blocks[-1].text.endswith((".", "!", "?", "。"))
        return linked >= _MIN_LINKED_SHARE * words and not is_sentence


def host_of(target: str) -> str:
    """The host that a link names; empty where it names none."""
    try:
        return urlsplit(target.strip()).hostname or ""
    except ValueError:
        return ""


def without_menus(paragraphs: Iterable[Paragraph], host: str) -> list[Block]:
    """The blocks of all paragraphs but those of menus, and of headings above nothing but a menu.

    The host is that of the site; empty where it is not known.
    """
    kept: list[Block] = []
    headings = 0  # just before a menu
    for only_links, run in groupby(paragraphs, Paragraph.holds_only_links):
        group = list(run)
        if only_links and _is_menu(group, host):
            headings = len(kept) and kept[-1].level
            continue
        blocks = [block for paragraph in group for block in paragraph.blocks]
        if headings and blocks and 0 < blocks[0].level <= headings:
            kept.pop()
        headings = 0
        kept.extend(blocks)
    if headings and any(not block.level for block in kept):
        kept.pop()
    return kept


def _is_menu(run: list[Paragraph], host: str) -> bool:
    targets = [target for paragraph in run for target in paragraph.targets]
    if sum(len(p.linked_text.split()) for p in run) >= _MAX_LINK_WORDS * len(targets):
        return False
    inside = sum(
        _ELSEWHERE.match(target) is None or (bool(host) and host_of(target) == host) for target in targets
    )
    hosts = Counter(filter(None, map(host_of, targets)))
    return inside >= _MIN_LINKS or max(hosts.values(), default=0) >= _MIN_LINKS_TO_ONE_HOST
