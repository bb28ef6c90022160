"""The text of a paragraph of a Word document, and what else is in it: notes, boxes, drawings, hidden letters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from colde.ingest.docx.names import (
    CHART,
    DELETED,
    DIAGRAM,
    DRAWING,
    NEW_CHART,
    WORD_ART,
    W,
    child,
    is_replaced,
)
from colde.ingest.docx.styles import Style, Styles, is_on, value_of
from colde.ingest.files.character_encoding import tidy
from colde.ingest.formulas.office_math import MATH, formula_text
from colde.ingest.formulas.raised_figures import Height, formula_behind, text_on_one_line
from colde.ingest.shared.hidden_text import MIN_POINTS, is_white
from colde.ingest.shared.symbol_fonts import symbol_character

_TEXT, _RUN, _FORMULA = W + "t", W + "r", MATH + "oMath"
_CHARACTERS = {W + "br": "\n", W + "cr": "\n", W + "tab": "\t", W + "noBreakHyphen": "-"}
_HEIGHTS: dict[str, Height] = {"superscript": "raised", "subscript": "lowered"}
_NOTE_MARKS = {W + "footnoteReference": "f", W + "endnoteReference": "e"}
_NOTE_NUMBER = re.compile(
    r"\s*(?:[0-9]{1,3}|[ivxlc]{1,6}|[a-z*†‡§¶]{1,2})\s*"
)  # that is written, or refers to a note
_FIRST_PRIVATE = 0xF000  # where fonts of symbols have their characters
_PUNCTUATION = tuple('.,;:!?…)”’"')  # after which a space follows where the end of a paragraph is deleted
_PRIVATE_USE = re.compile("[\uf020-\uf0ff]")
_LEFT_OUT = DELETED | {W + name for name in ("pPr", "rPr", "instrText", "rt", "rubyPr", "sdtPr")}
"""What is no text: deleted, properties, codes of fields, the readings above ruby."""
_DRAWINGS = frozenset((DIAGRAM + "relIds", CHART + "chart", NEW_CHART + "chart", DRAWING + "p", WORD_ART))


_Kind = Literal["", "plain", "bold", "formula"]
"""What the letters of a piece are; symbols, tabs and breaks are none of these."""


class _Piece(NamedTuple):
    text: str
    kind: _Kind = ""
    height: Height = "level"


@dataclass(slots=True)
class Paragraph:
    """What is read from a paragraph.

    Attributes:
        text: with a line end for each line break.
        bold: all letters are.
        bold_line: the text before the first line break, where it alone is bold.
        formula: nearly all of it is one.
        boxes: the contents of text boxes on it.
        drawings: diagrams, charts and paragraphs of drawings on it.
        notes: the keys of the notes that it calls: `f` or `e` and the id.
        hidden_characters: those left out because their colour or size hides them.
    """

    text: str = ""
    bold: bool = False
    bold_line: str = ""
    formula: bool = False
    boxes: list[Any] = field(default_factory=list)
    drawings: list[Any] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    hidden_characters: int = 0

    def line(self) -> str:
        """The text on one line."""
        return " ".join(self.text.split())


@dataclass(frozen=True, slots=True)
class ParagraphReader:
    """Reads paragraphs.

    Attributes:
        on_white: the page has no background, so that white letters cannot be seen.
    """

    styles: Styles
    on_white: bool

    def read(self, elements: Sequence[Any], style: Style) -> Paragraph:
        """The text of a paragraph: runs, links, insertions, formulas; without deleted, hidden text and field codes.

        Args:
            elements: its `w:p`; several where the ends of all but the last are deleted.
        """
        read = Paragraph()
        pieces: list[_Piece] = []
        for element in self._inside(elements, style, read):
            if element.tag in _NOTE_MARKS:
                read.notes.append(_NOTE_MARKS[element.tag] + (element.get(W + "id") or ""))
            elif element.tag == W + "p" and pieces and pieces[-1].text.endswith(_PUNCTUATION):
                pieces.append(_Piece(" "))
            elif (piece := self._piece(element, style, pieces)).text:
                pieces.append(piece)
        read.text = _joined(pieces)
        kinds = {piece.kind for piece in pieces if piece.text.strip()}
        read.bold = kinds <= {"", "bold"}
        formula = sum(len(piece.text) for piece in pieces if piece.kind == "formula")
        read.formula = formula > 0 and "plain" not in kinds and formula >= 0.8 * len(read.line())
        if not read.bold:
            read.bold_line = _joined(_bold_pieces_before_break(pieces))
        return read

    def _piece(self, element: Any, style: Style, before: Sequence[_Piece]) -> _Piece:
        """What one element adds to the text behind these pieces."""
        if element.tag == _FORMULA:
            return _Piece(_formula(element, before), "formula")
        text = _text(element)
        if not text or element.tag != _TEXT:
            return _Piece(text)
        run = element.getparent()
        properties = child(run, "rPr")
        run_style = self.styles.of_run(properties)
        if run_style.marks_notes and _NOTE_NUMBER.fullmatch(text):
            return _Piece("")
        height = _HEIGHTS.get(value_of("vertAlign", properties, run_style, style)) or _height_of_position(
            value_of("position", properties, run_style, style)
        )
        kind: _Kind = "bold" if is_on("b", properties, run_style, style) else "plain"
        return _Piece(text, kind, height)

    def _inside(self, elements: Sequence[Any], style: Style, read: Paragraph) -> Iterator[Any]:
        """Elements of a paragraph in order, without hidden runs; boxes and drawings go into `read` as they are."""
        stack = list(reversed(elements))
        while stack:
            element = stack.pop()
            tag = element.tag
            if tag in _LEFT_OUT or is_replaced(element):
                continue
            if tag == W + "txbxContent":
                read.boxes.append(element)
                continue
            if tag in _DRAWINGS:
                read.drawings.append(element)
                continue
            if tag == _RUN:
                if self._is_on("vanish", element, style):
                    continue
                if (gap := self._gap_of_unseen(element, style)) is not None:
                    read.hidden_characters += sum(len((t.text or "").strip()) for t in element.iter(W + "t"))
                    stack.append(gap)
                    continue
            if tag != _RUN:
                yield element
            if tag != _FORMULA:
                stack.extend(reversed(element))

    def _is_on(self, name: str, run: Any, style: Style) -> bool:
        properties = child(run, "rPr")
        return is_on(name, properties, self.styles.of_run(properties), style)

    def _gap_of_unseen(self, run: Any, style: Style) -> Any:
        """What an unseen run leaves: a space for white letters, nothing for tiny ones; None for a visible run."""
        if not self.on_white or style.shaded:
            return None
        properties = child(run, "rPr")
        run_style = self.styles.of_run(properties)
        size, colour = (value_of(name, properties, run_style, style) for name in ("sz", "color"))
        if re.fullmatch("[0-9]{1,9}", size) and int(size) < 2 * MIN_POINTS:
            return run.makeelement(W + "r")
        is_unseen = is_white(colour) and not run_style.shaded and _is_on_paper(run)
        return run.makeelement(W + "tab") if is_unseen else None


def _text(element: Any) -> str:
    """The characters that one element of a paragraph stands for."""
    tag, text = element.tag, element.text or ""
    if tag == _TEXT:
        return _without_symbol_codes(element, text.replace("\n", " "))
    if tag == W + "sym":
        return _symbol(element.get(W + "char") or "", element.get(W + "font") or "")
    if tag == W + "br" and element.get(W + "type") in ("page", "column"):
        return "\n\n"
    return _CHARACTERS.get(tag, "")


def _formula(element: Any, before: Sequence[_Piece]) -> str:
    """A formula on one line, with a space behind another one."""
    text = formula_text(element)
    if not before:
        return text
    return f" {text}" if before[-1].kind == "formula" else formula_behind(text, before[-1].text)


def _without_symbol_codes(element: Any, text: str) -> str:
    """The text of a run, with the letters and signs that codes of private use stand for in its font."""
    if not _PRIVATE_USE.search(text):
        return text
    fonts = child(element.getparent(), "rPr/rFonts")
    font = (fonts.get(W + "ascii") or fonts.get(W + "hAnsi") or "") if fonts is not None else ""
    return _PRIVATE_USE.sub(lambda match: symbol_character(ord(match[0]), font) or match[0], text)


def _symbol(code: str, font: str) -> str:
    """The character of a symbol, whose code has four hexadecimal digits; empty for one that is not known."""
    if not re.fullmatch("[0-9A-Fa-f]{4}", code):
        return ""
    point = int(code, 16)
    if point < _FIRST_PRIVATE and "symbol" in font.lower():
        point += _FIRST_PRIVATE  # some programs leave the private part out
    return symbol_character(point, font) or (chr(point) if 0x20 <= point < 0xD800 else "")


def _height_of_position(half_points: str) -> Height:
    """How letters stand that are moved up or, by a negative number, down."""
    if not half_points.strip("-0"):
        return "level"
    return "lowered" if half_points.startswith("-") else "raised"


def _joined(pieces: Iterable[_Piece]) -> str:
    return tidy(text_on_one_line([(piece.text, piece.height) for piece in pieces]))


def _bold_pieces_before_break(pieces: Sequence[_Piece]) -> Sequence[_Piece]:
    """The pieces before the first line break, where all of them are bold; else none."""
    for i, piece in enumerate(pieces):
        if "\n" in piece.text:
            return pieces[:i]
        if piece.kind in ("plain", "formula") and piece.text.strip():
            break
    return ()


def is_end_deleted(paragraph: Any) -> bool:
    """Whether a tracked change deletes the end of a paragraph, so that the next one goes on in it."""
    mark = child(paragraph, "pPr/rPr")
    return mark is not None and any(mark.find(tag) is not None for tag in DELETED)


def is_drop_cap(paragraph: Any) -> bool:
    """Whether a paragraph is the large first letter of the next one."""
    frame = child(paragraph, "pPr/framePr")
    return frame is not None and frame.get(W + "dropCap") in ("drop", "margin")


def _is_on_paper(run: Any) -> bool:
    """Whether nothing but the page is behind a run: no shading of its own or of its paragraph, no table, no box."""
    around = (child(run, "rPr"), child(run.getparent(), "pPr"))
    filled = any(
        e is not None and e.find(W + name) is not None for e in around for name in ("shd", "highlight")
    )
    return not filled and next(run.iterancestors(W + "tbl", W + "txbxContent"), None) is None
