"""Rich Text Format: headings by outline level, style or look, tables, notes, text boxes.

No library gives these: striprtf gives text without headings and notes, rtfparse the tree of groups and control words,
which `rtf_tokens.py` does in few lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any

from colde.ingest.files.zip_archive import damaged
from colde.ingest.formulas.equation_fields import shown_by_code
from colde.ingest.formulas.office_math import formula_text, new_formula, put_element, put_text
from colde.ingest.formulas.raised_figures import formula_behind
from colde.ingest.reading_limits import Reading
from colde.ingest.rtf.rtf_state import Flow, Paragraph, State, Tables
from colde.ingest.rtf.rtf_tokens import Token, encoding_of_code_page, tokens
from colde.ingest.shared.outline import document_from_blocks
from colde.ingest.shared.styled_blocks import StyledBlock
from colde.ingest.word_processors.paragraph_styles import ParagraphCollector
from colde.text.document import Document, ReadWarning
from colde.text.word_lists.stop_words import words

SUFFIXES = (".rtf",)
_SIGNATURE = b"{\\rtf"
_DESTINATIONS = {
    "fonttbl": "fonts", "colortbl": "colours", "stylesheet": "styles", "title": "title", "info": "info",
    "footnote": "note", "shptxt": "box", "dptxbxtext": "box", "fldinst": "code",
}  # fmt: skip
_SKIPPED = words(
    "pict nonshppict shprslt header headerl headerr headerf footer footerl footerr footerf ftnsep ftnsepc ftncn "
    "aftnsep aftnsepc aftncn annotation atnauthor atnid listtext pntext pntxta pntxtb tc tcl xe rxe objdata "
    "objclass objname datafield template nonesttables sp sn sv filetbl bkmkstart bkmkend mmathPict "
    "themedata colorschememapping latentstyles rsidtbl listtable listoverridetable pgdsctbl revtbl"
)
_READ_ALTHOUGH_STARRED = words(
    "footnote fldinst fldrslt shptxt shpinst do shpgrp moMath moMathPara shppict nesttableprops"
)
_ONLY_INNER = words("shpinst do shpgrp info shp")
"""Groups whose own text is no text of the document, but that of some groups in them is."""
_CHARACTERS = {
    "line": "\n", "tab": "\t", "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’",
    "ldblquote": "“", "rdblquote": "”", "emspace": " ", "enspace": " ", "qmspace": " ", "~": "\u00a0", "_": "-",
    "page": " ", "column": " ", "softline": " ", "zwj": "\u200d", "zwnj": "\u200c",
}  # fmt: skip
_SWITCHES = {
    "b": "bold", "v": "hidden", "deleted": "deleted", "highlight": "shaded", "cb": "shaded", "chcbpat": "shaded",
    "chshdng": "shaded", "cbpat": "shaded",
}  # fmt: skip
"""Control words that switch something in the state on, or with the number 0 off."""
_NUMBERS = {
    "cf": ("colour", 0), "uc": ("fallback", 1), "f": ("font", 0), "s": ("style", 0), "outlinelevel": ("level", 0),
    "li": ("indent", 0), "fi": ("first_line", 0),
}  # fmt: skip
"""Control words that set a number in the state, and that number where they have none."""
_MIN_INDENT = 300  # twentieths of a point
_MAX_DEPTH = 20  # of tables in cells of tables
_LABEL = re.compile(r"\s*(?:[•◦▪●○■–·\uf0b7\uf0a7o*-]|[(\[]?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)\]])\t")
_SYMBOL_BULLETS = re.compile(r"^\s*[\uf000-\uf0ff·•§]\s+")


def accepts(data: bytes, name: str) -> bool:
    """Whether a file begins as RTF does."""
    return data.lstrip()[:5] == _SIGNATURE


def convert(data: bytes, name: str, reading: Reading) -> Document:
    """Read an RTF file. Headers, footers, comments, deleted and hidden text and pictures are left out.

    Raises:
        ReadError: `corrupt` where the file does not begin as RTF does.
    """
    if not accepts(data, name):
        raise damaged(name, "the file does not begin as RTF files do")
    reader, collector = _read(data)
    title, blocks, warnings = collector.finish()
    return document_from_blocks(
        blocks, name=name, format="rtf", title=title or reader.title.strip(), title_in_text=bool(title),
        warnings=warnings,
    )  # fmt: skip


def read_blocks(data: bytes) -> tuple[list[StyledBlock], tuple[ReadWarning, ...]]:
    """The blocks of RTF inside another document, whose title and headings are not told yet, and warnings."""
    _, collector = _read(data)
    return collector.blocks, collector.warnings()


def _read(data: bytes) -> tuple[_Reader, ParagraphCollector]:
    reader = _Reader()
    collector = ParagraphCollector()
    paragraphs = reader.read(data)
    collector.count_hidden(reader.hidden_characters, reader.text_near_hidden)
    _collect_all(paragraphs, collector)
    return reader, collector


def _collect(paragraph: Paragraph, collector: ParagraphCollector) -> None:
    """Hand a paragraph or a table to the collector, then its boxes and notes."""
    if paragraph.cells is not None:
        collector.add_table(
            [partial(_collect_all, cell, collector) for cell in row] for row in paragraph.cells
        )
        return
    collector.add(
        paragraph.text(),
        paragraph.style,
        bold=0 < paragraph.letters == paragraph.bold_letters,
        points=paragraph.most_points,
        formula=0 < paragraph.formula_letters >= 0.8 * paragraph.letters,
        indented=paragraph.indented,
    )
    for box in paragraph.boxes:
        _collect_all(box, collector)
    for note in paragraph.notes:
        lines = (" ".join(p.text().split()) for p in note)
        collector.add_block(" ".join(filter(None, lines)), "footnote")


def _collect_all(paragraphs: list[Paragraph], collector: ParagraphCollector) -> None:
    for paragraph in paragraphs:
        _collect(paragraph, collector)


class _Reader:
    def __init__(self) -> None:
        self.title = ""
        self.hidden_characters = 0
        self.text_near_hidden = ""
        self._tables = Tables()
        self._state = State()
        self._groups: list[State] = []
        self._flows = [Flow()]
        self._bytes = bytearray()  # of text, not yet decoded
        self._to_skip = 0  # characters after a Unicode character
        self._starred = False
        self._begins_group = False  # whether the token before began a group
        self._code: list[str] = []  # of the field that is read
        self._units: list[int] = []  # UTF-16 code units of Unicode characters, not yet decoded
        self._words = self._actions()

    def read(self, data: bytes) -> list[Paragraph]:
        """The paragraphs of the body in order."""
        for token in tokens(data):
            if not token.word:
                self._take_bytes(token.data)
            elif token.word != "u":
                self._flush()
                self._take_word(token)
            else:
                self._unicode(token.number or 0)
        self._flush()
        while len(self._flows) > 1:
            self._end_flow("box")
        self._end_paragraph(self._state.depth)
        self._flows[0].set_depth(0)
        return self._flows[0].paragraphs

    def _take_bytes(self, data: bytes) -> None:
        skipped = min(self._to_skip, len(data))
        self._to_skip -= skipped
        if self._units and len(data) > skipped:
            self._flush()
        self._bytes += data[skipped:]

    def _unicode(self, number: int) -> None:
        if self._bytes:
            self._flush()
        self._units.append(number & 0xFFFF)
        self._to_skip = self._state.fallback

    def _flush(self) -> None:
        """Decode what was collected, and put it where it belongs."""
        text = ""
        if self._units:
            code = b"".join(unit.to_bytes(2, "little") for unit in self._units)
            text, self._units = code.decode("utf-16-le", "replace").replace("\uf0b7", "•"), []
        elif self._bytes:
            encoding = self._tables.encodings.get(self._state.font, self._tables.encoding)
            text = self._bytes.decode(encoding, "replace")
            self._bytes = bytearray()
        if text:
            self._put(text)

    def _put(self, text: str) -> None:
        state = self._state
        match state.destination:
            case "colours":
                self._tables.colour_text(text)
            case "styles":
                self._tables.style_text(text)
            case "code":
                self._code.append(text)
            case "title":
                self.title += text
            case "formula" if state.formula is not None:
                put_text(state.formula, text)
            case "body" | "note" | "box" if not (state.hidden or state.deleted):
                self._put_letters(text)

    def _put_letters(self, text: str) -> None:
        state, paragraph = self._state, self._flows[-1].current
        letters = len("".join(text.split()))
        if letters and state.hidden is None and self._tables.is_hidden(state.style):
            return
        if letters and state.destination == "body" and not state.depth and self._tables.is_unseen(state):
            if not self.hidden_characters:
                self.text_near_hidden = paragraph.written()
            self.hidden_characters += letters
            text, letters = " ", 0
        if not paragraph.parts and state.font in self._tables.symbol_fonts:
            text = _SYMBOL_BULLETS.sub("", text)
        paragraph.parts.append((text, state.height))
        paragraph.letters += letters
        paragraph.bold_letters += letters if state.bold else 0
        paragraph.typewriter_letters += letters if state.font in self._tables.typewriter_fonts else 0
        paragraph.most_points = max(paragraph.most_points, state.points if letters else 0.0)

    def _take_word(self, token: Token) -> None:
        word, starred, begins_group = token.word, self._starred, self._begins_group
        self._starred = self._begins_group = False
        if word == "{":
            self._to_skip = 0
            self._groups.append(copy(self._state))
            self._begins_group = True
        elif word == "}":
            self._end_group()
        elif word == "*":
            self._starred, self._begins_group = True, begins_group
        elif self._state.destination != "skip":
            self._take_control_word(token, starred=starred, begins_group=begins_group)

    def _take_control_word(self, token: Token, *, starred: bool, begins_group: bool) -> None:
        word = token.word
        if word in _SKIPPED or (starred and word not in _READ_ALTHOUGH_STARRED):
            self._state.destination = "skip"
        elif word in _ONLY_INNER:
            self._state.destination = "info"
        elif word == "moMath":
            self._begin_formula()
        elif (
            self._state.destination == "formula" and begins_group and word.isalpha() and token.number is None
        ):
            self._state.formula = put_element(self._state.formula, word)
        elif word in _DESTINATIONS:
            self._begin(_DESTINATIONS[word])
        elif word in _CHARACTERS:
            if self._to_skip:
                self._to_skip -= 1
            else:
                self._put(_CHARACTERS[word])
        else:
            self._change(word, token.number)

    def _begin(self, destination: str) -> None:
        if destination == "title" and self._state.destination != "info":
            return
        self._state.destination = destination
        if destination in ("note", "box"):
            self._state.depth, self._state.hidden = 0, None
            self._flows.append(Flow())

    def _end_group(self) -> None:
        if not self._groups:
            return
        ended, outer = self._state.destination, self._groups.pop()
        if ended in ("note", "box") and outer.destination != ended and len(self._flows) > 1:
            self._end_flow(ended)
        formula = self._state.formula if ended == "formula" != outer.destination else None
        self._state = outer
        self._to_skip = 0
        if formula is not None and outer.destination in ("body", "note", "box"):
            self._end_formula(formula)
        if ended == "code" != outer.destination:
            code, self._code = "".join(self._code), []
            if shown := shown_by_code(code):
                self._put(shown)

    def _begin_formula(self) -> None:
        if self._state.destination != "formula":
            self._state.destination = "formula"
            self._state.formula = new_formula()

    def _end_formula(self, formula: Any) -> None:
        paragraph = self._flows[-1].current
        text = formula_text(formula)
        letters = len("".join(text.split()))
        if not (self._state.hidden or self._state.deleted):
            before = paragraph.parts[-1][0] if paragraph.parts else ""
            paragraph.parts.append((formula_behind(text, before), "level"))
            paragraph.letters += letters
            paragraph.formula_letters += letters

    def _end_flow(self, kind: str) -> None:
        self._end_paragraph(self._state.depth)
        flow = self._flows.pop()
        flow.set_depth(0)
        outer = self._flows[-1].current
        (outer.notes if kind == "note" else outer.boxes).append(flow.paragraphs)

    def _change(self, word: str, number: int | None) -> None:
        """Take in a control word that changes a table or the state, or that ends something."""
        match self._state.destination:
            case "fonts":
                self._tables.font_word(word, number or 0)
            case "colours":
                self._tables.colour_word(word, number or 0)
            case "styles":
                self._tables.style_word(word, 1 if number is None else number)
            case _ if word in _SWITCHES:
                setattr(self._state, _SWITCHES[word], number != 0)
            case _ if word in _NUMBERS:
                name, default = _NUMBERS[word]
                setattr(self._state, name, default if number is None else number)
            case _ if word in self._words:
                self._words[word](number or 0)

    def _actions(self) -> dict[str, Callable[[int], None]]:
        """What all other control words do, given their number, or 0 where they have none."""
        return {
            "super": lambda _: setattr(self._state, "height", "raised"),
            "sub": lambda _: setattr(self._state, "height", "lowered"),
            "nosupersub": lambda _: setattr(self._state, "height", "level"),
            "up": lambda number: setattr(self._state, "height", "raised" if number else "level"),
            "dn": lambda number: setattr(self._state, "height", "lowered" if number else "level"),
            "fs": lambda number: setattr(self._state, "points", (number or 24) / 2),
            "plain": lambda _: self._state.reset_letters(self._tables.default_font),
            "deff": lambda number: setattr(self._tables, "default_font", number),
            "ansicpg": lambda number: self._set_encoding(encoding_of_code_page(number)),
            "mac": lambda _: self._set_encoding("mac_roman"),
            "pc": lambda _: self._set_encoding("cp437"),
            "pca": lambda _: self._set_encoding("cp850"),
            "pard": lambda _: self._state.reset_paragraph(),
            "intbl": lambda _: setattr(self._state, "depth", max(1, self._state.depth)),
            "itap": lambda number: setattr(self._state, "depth", min(number, _MAX_DEPTH)),
            "par": lambda _: self._end_paragraph(self._state.depth),
            "sect": lambda _: self._end_paragraph(self._state.depth),
            "cell": lambda _: self._end_cell(1),
            "nestcell": lambda _: self._end_cell(max(2, self._state.depth)),
            "row": lambda _: self._end_row(1),
            "nestrow": lambda _: self._end_row(max(2, self._state.depth)),
        }

    def _set_encoding(self, encoding: str | None) -> None:
        self._tables.encoding = encoding or self._tables.encoding

    def _end_paragraph(self, depth: int) -> None:
        """End a paragraph that stands in this number of tables."""
        if self._state.destination not in ("body", "note", "box"):
            return
        flow, state = self._flows[-1], self._state
        paragraph, flow.current = flow.current, Paragraph()
        paragraph.style = self._tables.paragraph_style(state.style, state.level)
        paragraph.indented = state.indent >= _MIN_INDENT and state.first_line >= 0
        if state.first_line < 0 and (match := _LABEL.match(written := paragraph.written())):
            paragraph.parts = [(written[match.end() :], "level")]
        if "\n" in paragraph.written().strip() and paragraph.typewriter_letters == paragraph.letters:
            paragraph.style = replace(paragraph.style, code=True)
        flow.add(paragraph, depth)

    def _end_cell(self, depth: int) -> None:
        if self._state.destination in ("body", "note", "box"):
            self._end_paragraph(depth)
            self._flows[-1].tables[-1].end_cell()

    def _end_row(self, depth: int) -> None:
        flow = self._flows[-1]
        flow.set_depth(depth)
        flow.tables[-1].end_row()
