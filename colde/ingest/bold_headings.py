"""Bold lines as headings, in documents from word processors in which no heading has a style, or hardly any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from colde.ingest.outline import is_section_name, strip_number
from colde.ingest.styled_blocks import StyledBlock
from colde.text.list_of_works import names_list_of_works

MAX_CHARACTERS = 100
"""Characters of a bold line that may be a heading."""
FEW_STYLED = 1 / 3
"""Headings with a style for each bold line, up to which bold lines are headings, too."""
MAX_TOGETHER = 2
"""Bold lines that follow each other; more are a list, an address or the like."""


def with_bold_headings(blocks: Sequence[StyledBlock]) -> list[StyledBlock]:
    """The blocks with levels for bold lines, where few headings have a style beside the title and the list of works."""
    bold = _bold_lines(blocks)
    styled = [i for i, block in enumerate(blocks) if block.block.level]
    title = _title(blocks, styled)
    chapters = [i for i in styled if i != title and not _heads_works(blocks[i])]
    if not bold or len(chapters) > FEW_STYLED * len(bold):
        return list(blocks)
    below_title = 1 if title is None else blocks[title].block.level + 1
    level = min((blocks[i].block.level for i in styled if i != title), default=below_title)
    changed = list(blocks)
    for i in bold:
        changed[i] = replace(blocks[i], block=replace(blocks[i].block, level=level))
    if not styled and bold[:2] == [0, 1]:  # the first one is the title
        for i in bold[1:]:
            changed[i] = replace(changed[i], block=replace(changed[i].block, level=level + 1))
    return changed


def _title(blocks: Sequence[StyledBlock], styled: Sequence[int]) -> int | None:
    """The first heading, where it stands before all text and is not that of a usual section."""
    if not styled or any(block.is_text and not block.title_part for block in blocks[: styled[0]]):
        return None
    first = blocks[styled[0]]
    is_section = is_section_name(strip_number(first.block.text)) or _heads_works(first)
    return None if is_section else styled[0]


def _heads_works(heading: StyledBlock) -> bool:
    return names_list_of_works(strip_number(heading.block.text))


def _bold_lines(blocks: Sequence[StyledBlock]) -> list[int]:
    """Bold lines above text: short, without punctuation at the end, not many after each other."""
    lines: list[int] = []
    run: list[int] = []
    for i, block in enumerate(blocks):
        if _is_bold_text(block):
            run.append(i)
            continue
        if len(run) <= MAX_TOGETHER and not block.block.level:
            lines.extend(i for i in run if _is_short(blocks[i].block.text))
        run = []
    return lines


def _is_bold_text(block: StyledBlock) -> bool:
    has_letters = any(map(str.isalpha, block.block.text))
    return block.is_text and block.bold and has_letters and not block.title_part


def _is_short(text: str) -> bool:
    return len(text) <= MAX_CHARACTERS and not text.endswith((".", ",", ";", ":"))
