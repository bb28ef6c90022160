"""From the elements of a web page to blocks: one walk over the tree, without recursion."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from colde.ingest.files.character_encoding import tidy
from colde.ingest.formulas.raised_figures import Height, formula_behind, lowered_text, raised_text
from colde.ingest.html.clutter import FOOTNOTES, is_no_text
from colde.ingest.html.elements import BLOCKS, any_matches, children, children_backwards, names
from colde.ingest.html.formulas import formula_text
from colde.ingest.html.menus import Paragraph, without_menus
from colde.ingest.html.note_marks import is_note_mark
from colde.ingest.html.page_measures import PageMeasures
from colde.ingest.html.raised_by_style import SHIFTED, height_of
from colde.ingest.shared.blocks import Block
from colde.ingest.shared.layout_tables import Cell, is_layout_table, table_text
from colde.ingest.shared.line_breaks import split_at_line_breaks
from colde.text.document import Role

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_EQUATION = re.compile(
    r"(?:ltx_)?equation(?:group)?|katex-display|MathJax_Display|(?:display-?)?math|math-?display", re.I
)
_REFERENCES = re.compile(
    r"(?:references|reflist|bibliography|citations?-list|doc-bibliography|refbegin)", re.I
)
_LINE_ENDS = dict.fromkeys(map(ord, "\n\r\x0b\x85\u2028\u2029"), " ")  # spaces, as in browsers
_MAX_DEPTH = 2000  # elements inside each other; deeper ones are read as flat text
_CAPTION_SHARE = 0.5  # of the words in sentences, above which captions are the text of the page
_TEXT_BEFORE = 40  # characters before an element that tell whether it is the mark of a note
_ROWS, _CELLS = ("thead", "tbody", "tfoot"), ("td", "th")


class _Formula(str):
    """The letters of a formula among the parts of a text."""


def read_blocks(root: LexborNode, page: PageMeasures) -> list[Block]:
    """The headings, paragraphs, listings, tables, captions and notes in an element of a page, in order."""
    captions = sum(page.of(node).prose_words for node in root.css("figcaption"))
    reader = _Reader(page, captions > _CAPTION_SHARE * page.whole.prose_words)
    return without_menus(reader.read(root), page.host)


@dataclass(slots=True)
class _Reader:
    """Collects blocks; `parts` are the texts of the current block.

    Attributes:
        captions_are_text: whether the captions of the page's pictures hold most of its text.
        nested_tables: whether tables in the root are read.
    """

    page: PageMeasures
    captions_are_text: bool
    nested_tables: bool = True
    paragraphs: list[Paragraph] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    links: int = 0  # open links
    linked_parts: list[str] = field(default_factory=list)  # of the current block, in links
    targets: list[str] = field(default_factory=list)  # of these links
    quotations: int = 0  # open block quotations
    heading: int = 0  # level of the open heading
    raised: list[int] = field(
        default_factory=list
    )  # where the texts of open raised and lowered elements begin

    def read(self, root: LexborNode) -> list[Paragraph]:
        """The paragraphs of an element and what stands between them."""
        # Nodes to read, or to end where they have been read; the role of the text around; elements they stand in.
        stack: list[tuple[LexborNode, bool, Role | None, int]] = [(root, False, None, 0)]
        while stack:
            node, ends, around, depth = stack.pop()
            tag = node.tag or ""
            if ends:
                self._end(node, tag, around)
            elif node is root or tag in ("-text", "br") or not self._is_no_text(node, tag):
                role = self._role(node, tag) or around
                if self._read_leaf(node, tag, around, role):
                    continue
                if self._begin(node, tag, around):
                    stack.append((node, True, role, depth))
                if depth >= _MAX_DEPTH:
                    self.parts.append(node.text(deep=True, separator=" "))
                else:
                    stack.extend((child, False, role, depth + 1) for child in children_backwards(node))
        self._flush()
        return self.paragraphs

    def _is_no_text(self, node: LexborNode, tag: str) -> bool:
        if is_no_text(node, tag, self.page):
            return True
        if tag not in SHIFTED:
            return False
        before = "".join(self.parts[-3:])[-_TEXT_BEFORE:]
        return is_note_mark(node, tag, names(node.attributes), before)

    def _read_leaf(self, node: LexborNode, tag: str, around: Role | None, role: Role | None) -> bool:
        """Read a node whose children need no visit of their own; False where they do."""
        if tag == "-text":
            text = (node.text(deep=False) or "").translate(_LINE_ENDS)
            self.parts.append(text)
            if self.links:
                self.linked_parts.append(text)
        elif tag == "br":
            self.parts.append("\n")
        elif tag == "math":
            self._read_formula(node, around, role)
        elif tag == "pre":
            self._flush(around)
            self.parts.append(_preformatted_text(node, self.page))
            self._flush(around, keep_lines=True)
        elif tag == "table" and role != "equation":
            if self.nested_tables:
                return self._read_table(node, around)
        else:
            return False
        return True

    def _read_formula(self, math: LexborNode, around: Role | None, role: Role | None) -> None:
        display = math.attributes.get("display") == "block"
        if display:
            self._flush(around)
        before = "".join(self.parts[-2:])
        self.parts.append(_Formula(formula_behind(formula_text(math), before)))
        if display:
            self._flush(role)

    def _begin(self, node: LexborNode, tag: str, role: Role | None) -> bool:
        """Begin an element; whether its end matters."""
        if tag == "q":  # shown in quotation marks
            self.parts.append("“")
            return True
        if tag == "a" and (target := node.attributes.get("href")) is not None:
            self.links += 1
            self.targets.append(target)
            return True
        if tag != "a" and height_of(node, tag) != "level":
            self.raised.append(len(self.parts))
            return True
        level = self.page.of(node).level
        if tag not in BLOCKS and not level:
            return False
        self._flush(role)
        self.heading = level or self.heading
        self.quotations += tag == "blockquote"
        return True

    def _end(self, node: LexborNode, tag: str, role: Role | None) -> None:
        if tag == "q":
            self.parts.append("”")
            return
        if tag == "a":
            self.links -= 1
            return
        if (height := height_of(node, tag)) != "level":
            self._end_shifted(node, height)
            return
        self._flush(role)
        if self.page.of(node).level:
            self.heading = 0
        self.quotations -= tag == "blockquote"

    def _end_shifted(self, node: LexborNode, height: Height) -> None:
        """Put a raised or lowered text on the line, apart from the number before it: `10^6`, not 106."""
        start = self.raised.pop()
        text = "".join(self.parts[start:])
        if text and not any(isinstance(part, _Formula) for part in self.parts[start:]):
            before = "".join(self.parts[max(0, start - 3) : start])
            after = node.next.text(deep=True)[:1] if node.next is not None else ""
            self.parts[start:] = [(raised_text if height == "raised" else lowered_text)(text, before, after)]

    def _flush(self, role: Role | None = None, *, keep_lines: bool = False) -> None:
        parts, self.parts = self.parts, []
        self.raised = [0] * len(self.raised)
        text = tidy("".join(parts))
        if keep_lines:
            texts = [text.strip("\n").expandtabs(4)]
        else:
            texts = [" ".join(text.split())] if self.heading else split_at_line_breaks(text)
        if self.heading:
            role = "references" if role == "references" else None
        elif role is None and _is_formula_alone(parts):
            role = "equation"
        quoted = self.quotations > 0
        blocks = tuple(Block(t, self.heading, role, quoted=quoted) for t in texts if t.strip())
        if blocks:
            self.paragraphs.append(Paragraph(blocks, " ".join(self.linked_parts), tuple(self.targets)))
        self.linked_parts, self.targets = [], []

    def _read_table(self, table: LexborNode, role: Role | None) -> bool:
        """Read a table of data, or leave out one of links; False for a table that only places text."""
        rows = _own_rows(table)
        paragraphs = [[self._inner(cell, nested_tables=False) for cell in row] for row in rows]
        if self._is_menu(list(chain.from_iterable(chain.from_iterable(paragraphs)))):
            self._flush(role)
            return True
        cells = [[self._cell(cell) for cell in row] for row in paragraphs]
        if table.attributes.get("role") in ("presentation", "none") or is_layout_table(cells):
            return False
        self._flush(role)
        caption = next((node for node in children(table) if node.tag == "caption"), None)
        if caption is not None and (label := self._one_line(caption)):
            self.paragraphs.append(Paragraph((Block(label, role="caption"),)))
        if text := table_text(map(self._one_line, row) for row in rows):
            self.paragraphs.append(Paragraph((Block(text, role="table"),)))
        return True

    def _inner(self, node: LexborNode, *, nested_tables: bool = True) -> list[Paragraph]:
        """The paragraphs of an element that is read for itself."""
        return _Reader(self.page, self.captions_are_text, nested_tables).read(node)

    def _one_line(self, node: LexborNode) -> str:
        """The text of an element on one line, with a space between its paragraphs, items and lines."""
        blocks = without_menus(self._inner(node), self.page.host)
        return " ".join(" ".join(block.text.split()) for block in blocks)

    def _cell(self, paragraphs: list[Paragraph]) -> Cell:
        blocks = without_menus(paragraphs, self.page.host)
        return Cell(tuple(b.text for b in blocks), any(b.level for b in blocks))

    def _is_menu(self, paragraphs: list[Paragraph]) -> bool:
        return bool(paragraphs) and not without_menus(paragraphs, self.page.host)

    def _role(self, node: LexborNode, tag: str) -> Role | None:
        """The role of what an element holds, by its tag and names."""
        if tag == "-text":
            return None
        if tag == "figcaption":
            return None if self.captions_are_text or self.page.of(node).headings else "caption"
        if tag == "caption":
            return "caption"
        if tag == "math" and node.attributes.get("display") == "block":
            return "equation"
        if tag in ("aside", "section", "div", "ol", "ul", "li", "dl", "p", "table", "footer"):
            called = names(node.attributes)
            if any_matches(FOOTNOTES, called):
                return "footnote"
            if tag in ("div", "table", "p") and any_matches(_EQUATION, called):
                return "equation"
            if tag in ("ol", "ul", "dl", "div") and any_matches(_REFERENCES, called):
                return "references"
        return None


def _own_rows(table: LexborNode) -> list[list[LexborNode]]:
    """The cells of each row of a table, without those of tables inside it."""
    rows = []
    for part in children(table):
        for row in children(part) if part.tag in _ROWS else (part,):
            if row.tag == "tr":
                rows.append([cell for cell in children(row) if cell.tag in _CELLS])
    return rows


def _is_formula_alone(parts: list[str]) -> bool:
    """Whether a block is a formula and nothing else but punctuation."""
    formulas = [part for part in parts if isinstance(part, _Formula)]
    return bool(formulas) and all(isinstance(part, _Formula) or not part.strip(" \n.,;") for part in parts)


def _preformatted_text(pre: LexborNode, page: PageMeasures) -> str:
    """Text of a pre element; `br` is a line end there."""
    parts = []
    stack = [pre]
    while stack:
        node = stack.pop()
        if node.tag == "-text":
            parts.append(node.text(deep=False) or "")
        elif node.tag == "br":
            parts.append("\n")
        elif node is pre or not is_no_text(node, node.tag or "", page):
            stack.extend(children_backwards(node))
    return "".join(parts)
