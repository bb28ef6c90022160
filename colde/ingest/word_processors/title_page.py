"""The title, author and date of documents from word processors; their styles elsewhere mean headings and text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from colde.ingest.shared.styled_blocks import StyledBlock
from colde.text.not_compared.front_matter import is_sentence

_MAX_TITLE = 300  # characters of a title; a longer paragraph is text, whatever its style
_MAX_BLOCKS_BEFORE = 30  # of a cover page, before the title
_MIN_TEXT_WORDS = 12


def take_title(blocks: Sequence[StyledBlock]) -> tuple[str, list[StyledBlock]]:
    """The title, and the blocks without it and without the author and the date below it.

    The first paragraph in the style Title is the title, with those that follow it at once where there are no others.
    All others are headings above those of the other styles. Subtitles are headings where some stand among the text.
    Authors and dates are left out where they stand before the text alone; elsewhere these styles are used for text.
    """
    titles = [i for i, styled in enumerate(blocks) if styled.title_part == "title"]
    title = _title_places(blocks, titles)
    left_out = set(title) | _credits(blocks)
    if all(i in left_out for i in range(len(blocks))):
        left_out = set()  # a file with a title alone
    chapters = {i for i in titles if i not in title and not _is_prose(blocks[i].block.text)}
    depth = 1 if chapters else 0
    levels = {i: block.block.level + depth for i, block in enumerate(blocks) if block.block.level}
    levels |= dict.fromkeys(_subtitles_of_sections(blocks), 1 + depth) | dict.fromkeys(chapters, 1)
    kept = [
        replace(styled, block=replace(styled.block, level=levels.get(i, 0)))
        for i, styled in enumerate(blocks)
        if i not in left_out
    ]
    return " ".join(blocks[i].block.text for i in title), kept


def _title_places(blocks: Sequence[StyledBlock], titles: Sequence[int]) -> list[int]:
    if not titles or titles[0] > _MAX_BLOCKS_BEFORE or len(blocks[titles[0]].block.text) > _MAX_TITLE:
        return []
    if len(titles) > 1 and _is_prose(blocks[titles[0]].block.text):
        return []
    follow_each_other = titles[-1] - titles[0] == len(titles) - 1
    if follow_each_other and sum(len(blocks[i].block.text) for i in titles) <= _MAX_TITLE:
        return list(titles)
    return [titles[0]]


def _subtitles_of_sections(blocks: Sequence[StyledBlock]) -> set[int]:
    """Paragraphs in the style Subtitle that head text: those below other text, and others that text follows at once."""
    first_text = next((i for i, styled in enumerate(blocks) if _is_text(styled)), len(blocks))
    places = [i for i, b in enumerate(blocks) if b.title_part == "subtitle" and not _is_prose(b.block.text)]
    if not any(i > first_text for i in places):
        return set()
    return {i for i in places if i >= first_text - 1}


def _credits(blocks: Sequence[StyledBlock]) -> set[int]:
    first_text = next((i for i, styled in enumerate(blocks) if _is_text(styled)), len(blocks))
    credits: set[int] = set()
    for part in ("author", "date"):
        places = [i for i, styled in enumerate(blocks) if styled.title_part == part]
        if all(i < first_text and not is_sentence(blocks[i].block.text) for i in places):
            credits.update(places)
    return credits


def _is_prose(text: str) -> bool:
    """Whether a paragraph in the style Title is text: a sentence with a full stop, or long."""
    return len(text) > _MAX_TITLE or (text.endswith(".") and is_sentence(text))


def _is_text(styled: StyledBlock) -> bool:
    """Whether a block is a heading or a sentence, not a line of a title page."""
    text = styled.block.text
    prose = len(text.split()) >= _MIN_TEXT_WORDS or (text.endswith(".") and is_sentence(text))
    return styled.title_part is None and (styled.block.level > 0 or prose)
