"""What somebody filled in or typed on the pages of a PDF: values of form fields and free-text annotations.

The text of a page in PDFium has none of it. Comments, which open beside a page, are no text of it.
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from colde.ingest.pdf.characters.character_boxes import Box
from colde.ingest.pdf.words.word_splitter import Font, RawWord
from colde.ingest.shared.page_warnings import page_warning, pages_phrase
from colde.text.document import ReadWarning

_NOT_SHOWN = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
_PASSWORD_FIELD = 1 << 13  # flags of fields
_TEXT_FIELDS = (raw.FPDF_FORMFIELD_TEXTFIELD,)
_CHOICE_FIELDS = (raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX)
_TICKED_FIELDS = (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON)
_MAX_ANNOTATIONS = 5_000  # of a page
_MAX_OPTIONS = 1_000
_MAX_VALUE_BYTES = 200_000
_LETTER_WIDTH = 0.5  # font sizes, of a usual letter
_SPACE_WIDTH = 0.3  # font sizes
_LINE_HEIGHT = 1.2  # font sizes
_USUAL_SIZE = 10.0  # points, on a page without text
_DEFAULT_FONT = Font("Helvetica", bold=False, italic=False, mono=False)
_UNREAD = {"ticked": "ticked boxes of the form", "stamp": "stamps"}


@dataclass(slots=True)
class TypedText:
    """Words typed on a page: in its lines (values of fields), and pieces that stand by themselves."""

    in_lines: list[RawWord] = field(default_factory=list)
    pieces: list[list[RawWord]] = field(default_factory=list)


class TypedTextReader:
    """Reads the typed text of the pages of a document, and notes what has no text to be read.

    The form of the document is made ready here, before a page is opened.
    """

    def __init__(self, pdf: pdfium.PdfDocument) -> None:
        logging.getLogger("pypdfium2").setLevel(logging.ERROR)  # it tells users of XFA forms to build PDFium
        with contextlib.suppress(pdfium.PdfiumError):  # of a damaged form; the pages can be read all the same
            pdf.init_forms()
        self._form = pdf.formenv
        self._unread: dict[str, list[int]] = {kind: [] for kind in _UNREAD}

    def read(self, page: pdfium.PdfPage, number: int, printed: Sequence[RawWord]) -> TypedText:
        """What is typed on a page.

        Args:
            printed: the words of the page itself; typed text takes their font, and their lines.
        """
        typed = TypedText()
        count = min(raw.FPDFPage_GetAnnotCount(page), _MAX_ANNOTATIONS)
        if count <= 0:
            return typed
        writer = _WordWriter(page.get_rotation() // 90 % 4, printed)
        for i in range(count):
            annotation = raw.FPDFPage_GetAnnot(page, i)
            if not annotation:
                continue
            try:
                self._read_annotation(annotation, number, writer, typed)
            finally:
                raw.FPDFPage_CloseAnnot(annotation)
        return typed

    def _read_annotation(self, annotation: Any, number: int, writer: _WordWriter, typed: TypedText) -> None:
        if raw.FPDFAnnot_GetFlags(annotation) & _NOT_SHOWN:
            return
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        bounds = _rectangle(annotation)
        if bounds is None:
            return
        if kind == raw.FPDF_ANNOT_WIDGET and self._form is not None:
            value = self._value(annotation, number)
            typed.in_lines.extend(writer.words(value, bounds, self._font_size(annotation)))
        elif kind == raw.FPDF_ANNOT_FREETEXT:
            text = _string(lambda *room: raw.FPDFAnnot_GetStringValue(annotation, b"Contents", *room))
            if words := list(writer.words(text, bounds, 0.0)):
                typed.pieces.append(words)
        elif kind == raw.FPDF_ANNOT_STAMP:
            self._note("stamp", number)

    def _value(self, annotation: Any, number: int) -> str:
        """What a field shows as text; empty for buttons, passwords and fields that are not filled in."""
        form = self._form
        kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
        if kind in _TICKED_FIELDS:
            if raw.FPDFAnnot_IsChecked(form, annotation):
                self._note("ticked", number)
            return ""
        if kind in _CHOICE_FIELDS and (chosen := list(_chosen_options(form, annotation))):
            return "\n".join(chosen)
        if kind not in _TEXT_FIELDS + _CHOICE_FIELDS:
            return ""
        if raw.FPDFAnnot_GetFormFieldFlags(form, annotation) & _PASSWORD_FIELD:
            return ""
        return _string(lambda *room: raw.FPDFAnnot_GetFormFieldValue(form, annotation, *room))

    def _font_size(self, annotation: Any) -> float:
        size = ctypes.c_float()
        is_known = raw.FPDFAnnot_GetFontSize(self._form, annotation, size)
        return size.value if is_known and 1.0 < size.value < 200.0 else 0.0

    def _note(self, kind: str, number: int) -> None:
        pages = self._unread[kind]
        if not pages or pages[-1] != number:
            pages.append(number)

    def warnings(self) -> Iterator[ReadWarning]:
        """What was seen on the pages read so far and has no text."""
        for kind, pages in self._unread.items():
            if pages:
                yield page_warning(pages, f"{_UNREAD[kind]} on {pages_phrase(pages)} were not read")


def _chosen_options(form: Any, annotation: Any) -> Iterator[str]:
    for i in range(min(max(raw.FPDFAnnot_GetOptionCount(form, annotation), 0), _MAX_OPTIONS)):
        if raw.FPDFAnnot_IsOptionSelected(form, annotation, i):
            yield _string(lambda *room, i=i: raw.FPDFAnnot_GetOptionLabel(form, annotation, i, *room))


def _string(get: Callable[..., int]) -> str:
    """A text that pdfium writes as UTF-16 into the room it is given; empty where it is too long."""
    length = get(None, 0)
    if not 2 < length <= _MAX_VALUE_BYTES:
        return ""
    room = (ctypes.c_ushort * (length // 2 + 1))()
    get(room, length)
    return bytes(room)[: length - 2].decode("utf-16-le", "replace")


def _rectangle(annotation: Any) -> Box | None:
    rect = raw.FS_RECTF()
    if not raw.FPDFAnnot_GetRect(annotation, rect):
        return None
    left, right = sorted((rect.left, rect.right))
    bottom, top = sorted((rect.bottom, rect.top))
    return (left, bottom, right, top) if right > left and top > bottom else None


class _WordWriter:
    """Places the words of a text in a rectangle, upright on a page that is shown by quarter turns clockwise."""

    def __init__(self, turns: int, printed: Sequence[RawWord]) -> None:
        self._turns = turns
        self._printed = [w for w in printed if w.quarter_turns == turns]
        sizes: Counter[tuple[Font, float]] = Counter()
        for word in self._printed:
            sizes[word.font, word.size] += len(word.text)
        self._font, self._size = sizes.most_common(1)[0][0] if sizes else (_DEFAULT_FONT, _USUAL_SIZE)

    def words(self, text: str, bounds: Box, font_size: float) -> Iterator[RawWord]:
        """The words of a text, in lines; none where the page itself shows the same text in the rectangle."""
        if not text.strip() or self._is_printed(text, bounds):
            return
        left, bottom, right, top = bounds
        width, height = (top - bottom, right - left) if self._turns % 2 else (right - left, top - bottom)
        size, lines = _fitting_lines(text, width, height, font_size or min(self._size, 0.8 * height))
        step = min(_LINE_HEIGHT * size, height / len(lines))
        base = height - size
        if len(lines) == 1:
            base = self._base_beside(bounds, base / 2 + 0.2 * size)
        for number, line in enumerate(lines):
            squeeze = min(1.0, width / _line_width(line, size))
            along = 0.2 * size * squeeze
            for word in line:
                wide = len(word) * _LETTER_WIDTH * size * squeeze
                yield self._word(word, bounds, along, base - number * step, wide)
                along += wide + _SPACE_WIDTH * size * squeeze

    def _word(self, word: str, bounds: Box, along: float, base: float, wide: float) -> RawWord:
        """A word by its distance from the start of its line and from the lower edge of the rectangle."""
        x, y = _point(bounds, self._turns, along, base)
        far_x, far_y = _point(bounds, self._turns, along + wide, base + 0.7 * self._size)
        box = (min(x, far_x), min(y, far_y), max(x, far_x), max(y, far_y))
        return RawWord(word, *box, x, y, self._size, self._font, self._turns, False)

    def _base_beside(self, bounds: Box, base: float) -> float:
        """The baseline of a printed label beside the rectangle, where there is one; else the one given."""
        if self._turns:
            return base
        _, bottom, _, top = bounds
        near = [w.y - bottom for w in self._printed if bottom <= w.y <= top]
        return min(near, key=lambda y: abs(y - base), default=base)

    def _is_printed(self, text: str, bounds: Box) -> bool:
        inside = [w.text for w in self._printed if w.is_within(bounds)]
        return bool(inside) and "".join(inside) == "".join(text.split())


def _fitting_lines(text: str, width: float, height: float, size: float) -> tuple[float, list[list[str]]]:
    """The text in lines of words, and their font size: up to the one given, as large as fits the rectangle.

    Text that does not fit at half the size stands in as many lines as do, however long they get.
    """
    least = size / 2
    while size >= least:
        lines = [line for part in text.splitlines() for line in _wrapped(part.split(), width, size)]
        if len(lines) * size <= height:
            return size, lines
        size *= 0.9
    words = text.split()
    a_line = -(-len(words) // max(1, int(height // size)))
    return size, [words[i : i + a_line] for i in range(0, len(words), a_line)]


def _wrapped(words: Sequence[str], width: float, size: float) -> Iterator[list[str]]:
    line: list[str] = []
    for word in words:
        if line and _line_width([*line, word], size) > width:
            yield line
            line = []
        line.append(word)
    if line:
        yield line


def _line_width(words: Sequence[str], size: float) -> float:
    """Points that a line takes, by the width of usual letters."""
    return sum(len(w) * _LETTER_WIDTH + _SPACE_WIDTH for w in words) * size


def _point(bounds: Box, turns: int, along: float, up: float) -> tuple[float, float]:
    """A point by its distance from the start and the foot of a rectangle whose text is turned counterclockwise."""
    left, bottom, right, top = bounds
    match turns:
        case 0:
            return left + along, bottom + up
        case 1:
            return right - up, bottom + along
        case 2:
            return right - along, top - up
        case _:
            return left + up, top - along
