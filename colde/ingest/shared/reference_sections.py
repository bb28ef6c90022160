"""The role `references` for lists of works, in the blocks of every format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from colde.ingest.shared.blocks import Block
from colde.text.not_compared.front_matter import is_paper
from colde.text.not_compared.list_of_works import names_list_of_works, paragraphs_of_works
from colde.text.runs import runs

_MAX_OTHER_SHARE = 0.2  # of the characters of a section outside its list of works, where it is one


def with_reference_role(blocks: Sequence[Block], strip_number: Callable[[str], str]) -> list[Block]:
    """The blocks with the role `references` on lists of works, and on their headings where a section holds little else.

    Roles that the format itself gives stay. The last section of a paper, one with an abstract, is a list of works where
    its heading names one, whatever its entries look like.
    """
    marked: list[Block] = []
    last = _list_that_ends_a_paper(blocks, strip_number)
    depth = 0  # of the heading that names a list of works, with all below it
    for section in runs(blocks, lambda _, block: not block.level):
        headings = int(section[0].level > 0)
        heading, body = (section[0] if headings else None), section[headings:]
        if heading is not None and (not depth or heading.level <= depth):
            depth = heading.level if names_list_of_works(strip_number(heading.text)) else 0
        of_paper = heading is not None and heading is last
        works, is_list = _works([b for b in body if b.role is None], named=depth > 0, alone=of_paper)
        if heading is not None:
            marked.append(replace(heading, role="references") if is_list and not heading.role else heading)
        marked += [replace(block, role="references") if id(block) in works else block for block in body]
    return marked


def _list_that_ends_a_paper(blocks: Sequence[Block], strip_number: Callable[[str], str]) -> Block | None:
    """The last heading, if it names a list of works and another heading names an abstract."""
    headings = [block for block in blocks if block.level]
    if len(headings) < 3 or not names_list_of_works(strip_number(headings[-1].text)):
        return None
    return headings[-1] if is_paper((h.text for h in headings[:-1]), has_references=False) else None


def _works(blocks: Sequence[Block], *, named: bool, alone: bool) -> tuple[set[int], bool]:
    """Ids of the blocks of a section that are works, and whether the section holds little else.

    Args:
        named: whether its heading names a list of works; alone: whether it is known to hold nothing else.
    """
    if alone:
        return set(map(id, blocks)), bool(blocks)
    flags = paragraphs_of_works([block.text for block in blocks], named=named)
    other = sum(len(block.text) for block, flag in zip(blocks, flags, strict=True) if not flag)
    is_list = any(flags) and other <= _MAX_OTHER_SHARE * sum(len(block.text) for block in blocks)
    return {id(block) for block, flag in zip(blocks, flags, strict=True) if flag or is_list}, is_list
