"""What the paragraph styles of word processors say: headings, captions, notes, quotations, code.

Word, OpenDocument and RTF files name styles in many languages and with prefixes of programs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from colde.ingest.shared.blocks import Block, follows_colon
from colde.ingest.shared.hidden_text import hidden_text_warnings
from colde.ingest.shared.layout_tables import prose_table_warnings, read_table
from colde.ingest.shared.line_breaks import split_at_line_breaks
from colde.ingest.shared.styled_blocks import StyledBlock, TitlePart
from colde.ingest.word_processors.headings_by_look import ParagraphLook, levels_by_look, with_bold_headings
from colde.ingest.word_processors.title_page import take_title
from colde.text.document import ReadWarning, Role
from colde.text.word_lists.stop_words import words

_HEADING_NAME = re.compile(
    r"(?:heading|head|überschrift|titre|título|titolo|kop|rubrik|rubrica|nagłówek|заголовок|otsikko|overskrift|"
    r"标题|見出し)[ _-]?([1-9])",
    re.IGNORECASE,
)
_ROLE_NAMES: tuple[tuple[re.Pattern[str], Role], ...] = (
    (
        re.compile(r"(?:(?:image|table|figure|picture) ?)?caption|illustration|figure|drawing|légende|beschriftung"),
        "caption",
    ),
    (re.compile(r"(?:footnote|endnote)(?: block)?(?: text)?|fußnotentext|notes? de bas de page"), "footnote"),
    (re.compile(r"bibliography(?: \d)?|references?"), "references"),
)  # fmt: skip
_QUOTATION_NAMES = words(
    "quote quotation quotations intense-quote block-text block-quote block-quotation zitat"
)
_CODE_NAME = re.compile(
    r"(?:source )?code|(?:html )?preformatted(?: text)?|verbatim|plain text|macro text", re.IGNORECASE
)
_CONTENTS_NAME = re.compile(
    r"(?:toc|contents|verzeichnis|index) ?\d|table of (?:figures|contents)", re.IGNORECASE
)
_TITLE_PARTS: Mapping[str, TitlePart] = {
    "title": "title", "subtitle": "subtitle", "author": "author", "date": "date",
}  # fmt: skip
_MAX_HEADING = 400  # characters; a longer paragraph has the style of a heading by mistake


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """What a style says of its paragraphs.

    Attributes:
        level: of a heading; 0 for text.
        role: of a caption, a note or an entry of a list of works.
        code: whether lines and spaces are kept.
        quotation: whether it is a block quotation.
        title_part: what of the title page it is.
        contents: whether it is a line of a table of contents.
    """

    level: int = 0
    role: Role | None = None
    code: bool = False
    quotation: bool = False
    title_part: TitlePart | None = None
    contents: bool = False


def style_of_names(names: Iterable[str], level: int = 0) -> ParagraphStyle:
    """The style of this level in the outline (0 for none) with these names: its own, then those that it is based on."""
    style = ParagraphStyle(level=level)
    for named in map(_style_of_name, names):
        if named == _PLAIN:
            continue
        level = style.level or (0 if style.title_part else named.level)
        style = ParagraphStyle(
            level=level,
            role=style.role or named.role,
            code=style.code or named.code,
            quotation=style.quotation or named.quotation,
            title_part=style.title_part or (None if level else named.title_part),
            contents=style.contents or named.contents,
        )
    return style


_PLAIN = ParagraphStyle()


@lru_cache(maxsize=1024)
def _style_of_name(written: str) -> ParagraphStyle:
    """What a name says by itself."""
    name = " ".join(written.replace("-", " ").replace("_", " ").lower().split())
    heading = _HEADING_NAME.fullmatch(name)
    return ParagraphStyle(
        level=int(heading[1]) if heading else 0,
        role=next((role for pattern, role in _ROLE_NAMES if pattern.fullmatch(name)), None),
        code=_CODE_NAME.fullmatch(name) is not None,
        quotation=name.replace(" ", "-") in _QUOTATION_NAMES,
        title_part=_TITLE_PARTS.get(name),
        contents=_CONTENTS_NAME.fullmatch(name) is not None,
    )


class ParagraphCollector:
    """Makes blocks of the paragraphs of a document written in a word processor, in their order."""

    def __init__(self) -> None:
        self.blocks: list[StyledBlock] = []
        self._prose_tables = 0
        self._hidden_characters = 0
        self._text_near_hidden = ""

    def add(
        self,
        text: str,
        style: ParagraphStyle,
        *,
        bold: bool = False,
        points: float = 0.0,
        formula: bool = False,
        indented: bool = False,
        bold_line: str = "",
    ) -> None:
        """Add a paragraph.

        Args:
            text: with `\\n` for each hard line break in it.
            bold: whether all of it is bold.
            points: size of its largest letters; 0 where that is not known.
            formula: whether it is nothing but a formula.
            indented: whether it stands farther in than the text.
            bold_line: the beginning of the text up to the first line break, where it alone is bold.
        """
        if not text.strip() or style.contents:
            return
        if style.code:
            goes_on = bool(self.blocks) and self.blocks[-1].code
            before = f"{self.blocks.pop().block.text}\n" if goes_on else ""
            self.blocks.append(StyledBlock(Block(f"{before}{text}"), code=True))
        elif style.level or style.title_part:
            line = " ".join(text.split())
            level = style.level if len(line) <= _MAX_HEADING else 0
            self.blocks.append(StyledBlock(Block(line, level), style.title_part, bold, points=points))
        else:
            first = [(" ".join(bold_line.split()), True)] if bold_line.strip() else []
            rest = [(part, bold) for part in split_at_line_breaks(text[len(bold_line) :])]
            role: Role | None = "equation" if formula else style.role
            for part, is_bold in first + rest:
                quoted = style.quotation or (indented and follows_colon(part, self._last_block))
                block = Block(part, role=role, quoted=quoted)
                self.blocks.append(StyledBlock(block, bold=is_bold, points=points))

    def add_block(self, text: str, role: Role) -> None:
        """Add a note, an entry of a list of works and the like."""
        if text.strip():
            self.blocks.append(StyledBlock(Block(text, role=role)))

    def add_table(self, rows: Iterable[Iterable[Callable[[], None]]]) -> None:
        """Add a table, by what adds the paragraphs of each cell of each row."""
        before = self.blocks
        cells: list[list[list[StyledBlock]]] = []
        for row in rows:
            cells.append([])
            for read_cell in row:
                self.blocks = []
                read_cell()
                cells[-1].append(self.blocks)
        blocks, is_prose = read_table(cells)
        self.blocks = [*before, *blocks]
        self._prose_tables += is_prose

    @property
    def _last_block(self) -> Block | None:
        return self.blocks[-1].block if self.blocks else None

    def count_hidden(self, characters: int, text: str) -> None:
        """Count characters that nobody sees; they stand near this text, or behind the last block where it is empty."""
        if characters and not self._hidden_characters:
            self._text_near_hidden = text or (self.blocks[-1].block.text if self.blocks else "")
        self._hidden_characters += characters

    def warnings(self) -> tuple[ReadWarning, ...]:
        """Warnings about hidden text and tables of sentences."""
        hidden = hidden_text_warnings(self._hidden_characters, self._text_near_hidden)
        return (*hidden, *prose_table_warnings(self._prose_tables))

    def finish(self) -> tuple[str, list[Block], tuple[ReadWarning, ...]]:
        """The title, all blocks, and warnings; where no style says what is a heading, the look does."""
        title, blocks = take_title(self.blocks)
        if not any(styled.block.level for styled in blocks):
            blocks = _with_headings_by_look(blocks)
        elif not title:
            title, blocks = _take_title_by_look(blocks)
        written = [styled.block for styled in with_bold_headings(blocks)]
        return title, written, self.warnings()


def _with_headings_by_look(blocks: list[StyledBlock]) -> list[StyledBlock]:
    """The blocks with levels where letters differ in size; bold lines alone are for `with_bold_headings`."""
    looks = [ParagraphLook(b.block.text, b.points, b.bold, is_text=b.is_text and not b.code) for b in blocks]
    if len({look.points for look in looks if look.is_text}) < 2:
        return blocks
    changed = list(blocks)
    for i, level in levels_by_look(looks).items():
        changed[i] = replace(blocks[i], block=replace(blocks[i].block, level=level))
    return changed


def _take_title_by_look(blocks: list[StyledBlock]) -> tuple[str, list[StyledBlock]]:
    """Take the first paragraph as the title where it alone is larger or bold, and headings have styles."""
    first = blocks[0]
    sizes = [styled.points for styled in blocks[1:] if styled.is_text]
    only_bold = first.bold and not any(styled.bold and styled.is_text for styled in blocks[1:])
    larger = only_bold or (bool(sizes) and first.points > max(sizes))
    if first.is_text and larger and ParagraphLook(first.block.text).may_be_heading():
        return first.block.text, blocks[1:]
    return "", blocks
