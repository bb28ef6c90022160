"""Blocks of documents from word processors, with what decides on titles and headings once all are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from colde.ingest.shared.blocks import Block

TitlePart = Literal["title", "subtitle", "author", "date"]
"""What a paragraph is by the name of its style."""


@dataclass(frozen=True, slots=True)
class StyledBlock:
    """A block and its style.

    Attributes:
        title_part: what its style makes of it: the title, the author, the date.
        bold: all its letters are.
        code: its style is one of code.
        points: size of its largest letters; 0 where that is not known.
    """

    block: Block
    title_part: TitlePart | None = None
    bold: bool = False
    code: bool = False
    points: float = 0.0

    @property
    def is_text(self) -> bool:
        """Whether it is running text: no heading, and nothing that is set aside."""
        return not self.block.level and self.block.role is None
