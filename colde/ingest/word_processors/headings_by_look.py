"""Headings of documents that do not name them: short paragraphs in larger, bold or coloured letters, and bold lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from colde.ingest.shared.outline import is_section_name, strip_number
from colde.ingest.shared.styled_blocks import StyledBlock
from colde.text.not_compared.list_of_works import names_list_of_works

_MAX_CHARACTERS = 100  # of a paragraph that may be a heading by its look
_LARGER = 1.08  # times the size of the text, from which letters are larger
_SMALLEST = 0.9  # times the size of the text, of a heading that is bold or has a colour
_MAX_SHARE = 0.5  # of all paragraphs that are headings
_MAX_LEVEL = 6
_FEW_STYLED = 1 / 3  # headings with a style for each bold line, up to which bold lines are headings, too
_CAPTION = re.compile(
    r"(?:fig(?:ure)?|tab(?:le)?|abb(?:ildung)?|tabelle|tableau|figura|tabla|chart|photo)\b\.?\s*\d",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?:§\s*)?(?:\d{1,3}(?:\.\d{1,3})*|[IVX]{1,5}|[A-Z])[.)]?\s+\S")
_MAX_NUMBERED_WORDS = 8  # of a heading such as “2. Site.”; a sentence has more
_MAX_TOGETHER = 2  # bold lines that follow each other; more are a list, an address or the like


@dataclass(frozen=True, slots=True)
class ParagraphLook:
    """How a paragraph looks.

    Attributes:
        points: size of its largest letters; 0 where that is not known.
        bold: whether all of it is bold.
        coloured: whether all of it has a colour other than that of the text.
        is_text: whether it is running text, and no caption, note, table or code.
    """

    text: str
    points: float = 0.0
    bold: bool = False
    is_text: bool = True
    coloured: bool = False

    def may_be_heading(self) -> bool:
        """Whether it is short, no address, and does not end as sentences and lists do."""
        return (
            self.is_text
            and 0 < len(self.text) <= _MAX_CHARACTERS
            and "://" not in self.text
            and not self.text.endswith((".", ",", ";", ":"))
        )


def levels_by_look(paragraphs: Sequence[ParagraphLook]) -> dict[int, int]:
    """The levels of the headings, by their positions; larger letters stand above smaller, bold ones above others.

    Empty where the headings would be most of the document.
    """
    text = _rank_of_text(paragraphs)
    headings = _headings(paragraphs, text)
    last_text = max((i for i, p in enumerate(paragraphs) if p.text and i not in headings), default=-1)
    headings = {i: rank for i, rank in headings.items() if i < last_text}
    if len(headings) > _MAX_SHARE * sum(bool(p.text) for p in paragraphs):
        return {}
    levels = _levels(set(headings.values()))
    return {i: levels[rank] for i, rank in headings.items()}


def _headings(
    paragraphs: Sequence[ParagraphLook], text: tuple[float, bool, bool]
) -> dict[int, tuple[float, bool, bool]]:
    """The paragraphs that stand out, with their look; where most have a colour, one without it must be larger."""
    headings = {
        i: _rank(p) for i, p in enumerate(paragraphs) if p.may_be_heading() and _stands_out(_rank(p), text)
    }
    if 2 * sum(coloured for _, _, coloured in headings.values()) > len(headings):
        return {i: rank for i, rank in headings.items() if rank[2] or rank[0] > _LARGER * text[0]}
    return headings


def _rank_of_text(paragraphs: Sequence[ParagraphLook]) -> tuple[float, bool, bool]:
    letters: Counter[tuple[float, bool, bool]] = Counter()
    for paragraph in paragraphs:
        if paragraph.is_text:
            letters[_rank(paragraph)] += len(paragraph.text)
    return max(letters, key=lambda rank: letters[rank], default=(0.0, False, False))


def _rank(paragraph: ParagraphLook) -> tuple[float, bool, bool]:
    return paragraph.points, paragraph.bold, paragraph.coloured


def _stands_out(rank: tuple[float, bool, bool], text: tuple[float, bool, bool]) -> bool:
    """Whether letters are larger than those of the text, or bold or coloured where those are not."""
    emphasised = rank[1:] > text[1:]
    return rank[0] > _LARGER * text[0] or (emphasised and rank[0] >= _SMALLEST * text[0])


def _levels(ranks: Set[tuple[float, bool, bool]]) -> dict[tuple[float, bool, bool], int]:
    """A level for each rank; one for those that differ a little in size."""
    levels: dict[tuple[float, bool, bool], int] = {}
    above: tuple[float, bool, bool] | None = None
    level = 0
    for rank in sorted(ranks, reverse=True):
        if above is None or rank[1:] != above[1:] or rank[0] < _SMALLEST * above[0]:
            above, level = rank, min(level + 1, _MAX_LEVEL)
        levels[rank] = level
    return levels


def with_bold_headings(blocks: Sequence[StyledBlock]) -> list[StyledBlock]:
    """The blocks with levels for bold lines, where few headings have a style beside the title and the list of works."""
    bold = _bold_lines(blocks)
    levels = {i: block.block.level for i, block in enumerate(blocks) if block.block.level}
    title = _title(blocks, min(levels, default=None))
    chapters = [i for i in levels if i != title and not _heads_works(blocks[i])]
    if not bold or len(chapters) > _FEW_STYLED * len(bold):
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
        if len(run) <= _MAX_TOGETHER and not block.block.level:
            lines.extend(i for i in run if _may_be_heading(blocks[i].block.text))
        run = []
    return lines


def _is_bold_text(block: StyledBlock) -> bool:
    has_letters = any(map(str.isalpha, block.block.text))
    return block.is_text and block.bold and has_letters and not block.title_part


def _may_be_heading(text: str) -> bool:
    """Whether a bold line is short, no caption, and ends without punctuation or begins with a number."""
    if len(text) > _MAX_CHARACTERS or _CAPTION.match(text):
        return False
    numbered = _NUMBER.match(text) is not None and len(text.split()) <= _MAX_NUMBERED_WORDS
    return not text.endswith((",", ";", ":")) and (numbered or not text.endswith("."))
