"""Bold lines as headings, in documents from word processors in which no heading has a style, or hardly any."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from colde.ingest.outline import is_section_name, strip_number
from colde.ingest.styled_blocks import StyledBlock
from colde.text.list_of_works import names_list_of_works

MAX_CHARACTERS = 100
"""Characters of a bold line that may be a heading."""
FEW_STYLED = 1 / 3
"""Headings with a style for each bold line, up to which bold lines are headings, too."""
_CAPTION = re.compile(
    r"(?:fig(?:ure)?|tab(?:le)?|abb(?:ildung)?|tabelle|tableau|figura|tabla|chart|photo)\b\.?\s*\d",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?:§\s*)?(?:\d{1,3}(?:\.\d{1,3})*|[IVX]{1,5}|[A-Z])[.)]?\s+\S")
_MAX_NUMBERED_WORDS = 8  # of a heading such as “2. Site.”; a sentence has more
MAX_TOGETHER = 2
"""Bold lines that follow each other; more are a list, an address or the like."""


def with_bold_headings(blocks: Sequence[StyledBlock]) -> list[StyledBlock]:
    """The blocks with levels for bold lines, where few headings have a style beside the title and the list of works."""
    bold = _bold_lines(blocks)
    levels = {i: block.block.level for i, block in enumerate(blocks) if block.block.level}
    title = _title(blocks, min(levels, default=None))
    chapters = [i for i in levels if i != title and not _heads_works(blocks[i])]
    if not bold or len(chapters) > FEW_STYLED * len(bold):
        return list(blocks)
    if not levels and bold[:2] == [0, 1]:
        title = 0
    levels |= dict.fromkeys(bold, min((level for i, level in levels.items() if i != title), default=1))
    if title is not None:
        levels = _below_title(levels, title)
    return [
        replace(block, block=replace(block.block, level=levels[i])) if i in levels else block
        for i, block in enumerate(blocks)
    ]


def _below_title(levels: Mapping[int, int], title: int) -> dict[int, int]:
    """The levels of headings, with all others below that of the title."""
    others = [level for i, level in levels.items() if i != title]
    down = max(0, levels[title] + 1 - min(others, default=levels[title] + 1))
    return {i: level if i == title else level + down for i, level in levels.items()}


def _title(blocks: Sequence[StyledBlock], first: int | None) -> int | None:
    """The first heading, where it stands before all text and is not that of a usual section."""
    if first is None or any(block.is_text and not block.title_part for block in blocks[:first]):
        return None
    is_section = is_section_name(strip_number(blocks[first].block.text)) or _heads_works(blocks[first])
    return None if is_section else first


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
            lines.extend(i for i in run if _may_be_heading(blocks[i].block.text))
        run = []
    return lines


def _is_bold_text(block: StyledBlock) -> bool:
    has_letters = any(map(str.isalpha, block.block.text))
    return block.is_text and block.bold and has_letters and not block.title_part


def _may_be_heading(text: str) -> bool:
    """Whether a bold line is short, no caption, and ends without punctuation or begins with a number."""
    if len(text) > MAX_CHARACTERS or _CAPTION.match(text):
        return False
    numbered = _NUMBER.match(text) is not None and len(text.split()) <= _MAX_NUMBERED_WORDS
    return not text.endswith((",", ";", ":")) and (numbered or not text.endswith("."))
