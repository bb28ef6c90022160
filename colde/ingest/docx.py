"""Word documents by python-docx: headings by style, lists, tables, notes, text boxes, formulas."""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from colde.ingest.blocks import Block, follows_colon
from colde.ingest.character_encoding import tidy
from colde.ingest.docx_archive import MAIN_PART, check_archive, corrupt, transitional
from colde.ingest.foreign_formats import OLE_SIGNATURE
from colde.ingest.hidden_text import MIN_POINTS, WHITE, hidden_text_warnings, is_same_to_the_eye
from colde.ingest.outline import document_from_blocks
from colde.ingest.reading_limits import Reading
from colde.ingest.zip_archive import ZIP_ERRORS
from colde.text.document import Document, Role

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
SUFFIXES = (".docx", ".docm", ".dotx")
_HEADING_STYLE = re.compile(r"(?:heading|überschrift|titre|título|titolo|kop|rubrik)\s*(\d)", re.IGNORECASE)
_ROLES_BY_STYLE: tuple[tuple[str, Role], ...] = (
    ("caption", "caption"), ("image caption", "caption"), ("table caption", "caption"),
    ("footnote text", "footnote"), ("endnote text", "footnote"), ("bibliography", "references"),
)  # fmt: skip
_QUOTATION_STYLES = frozenset(("quote", "intense quote", "block text", "block quote", "quotations"))
_MIN_INDENT = 300  # twentieths of a point, from which a paragraph is indented
_CODE_STYLE = re.compile(
    r"(?:source )?code|(?:html )?preformatted|verbatim|plain text|macro text", re.IGNORECASE
)
_SKIPPED_STYLES = frozenset(("title", "author", "date", "table of figures"))  # the title is kept elsewhere
_MAX_BOLD_HEADING = 100  # characters


def accepts(data: bytes, name: str) -> bool:
    """Whether this is a zip with a Word document in it, or a zip or old Office file that is named .docx."""
    named = name.lower().endswith(SUFFIXES)
    is_zip = data.startswith(b"PK")
    return (named and (is_zip or data.startswith(OLE_SIGNATURE))) or (is_zip and MAIN_PART.encode() in data)


def convert(data: bytes, name: str, reading: Reading) -> Document:
    """Read a DOCX file. Headers, footers, comments and deleted text are left out.

    Raises:
        ReadError: `encrypted`, `corrupt` (no Word document inside, damaged parts), `too_large` (zip bomb).
    """
    check_archive(data, name, reading.limits)
    import docx
    from docx.oxml.exceptions import InvalidXmlError
    from lxml.etree import XMLSyntaxError

    try:
        document = docx.Document(io.BytesIO(transitional(data)))
        reader = _Reader(document)
        blocks = reader.blocks()
        title = _title(document)
    except (KeyError, ValueError, AttributeError, TypeError, XMLSyntaxError, InvalidXmlError) as error:
        raise corrupt(name, f"a part of the Word document is damaged ({type(error).__name__})") from error
    except ZIP_ERRORS as error:
        raise corrupt(name, "the zip archive of the Word document is damaged") from error
    warnings = hidden_text_warnings(reader.hidden_characters, reader.text_near_hidden)
    return document_from_blocks(blocks, name=name, format="docx", title=title, warnings=warnings)


def _title(document: Any) -> str:
    """A paragraph in the style Title, else the title among the document's properties."""
    for paragraph in document.paragraphs[:30]:
        style = paragraph.style
        if style is not None and (style.name or "").lower() == "title" and paragraph.text.strip():
            return " ".join(paragraph.text.split())
    from docx.opc.constants import RELATIONSHIP_TYPE

    package = document.part.package
    if not any(r.reltype == RELATIONSHIP_TYPE.CORE_PROPERTIES for r in package.rels.values()):
        return ""  # python-docx would make some up, with the title "Word Document"
    return str(document.core_properties.title or "")


@dataclass(slots=True)
class _Style:
    """What a paragraph style says: heading level (0: none), role, code, title or line of contents, a background."""

    level: int = 0
    role: Role | None = None
    code: bool = False
    quotation: bool = False
    skipped: bool = False
    shaded: bool = False


@dataclass(slots=True)
class _Paragraph:
    """A paragraph's text; marks of notes give their texts in `notes`, boxes on it their paragraphs."""

    text: str
    bold: bool
    boxes: list[Any] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    formula: bool = False
    hidden_characters: int = 0


class _Reader:
    """Walks the body of one document in order."""

    def __init__(self, document: Any) -> None:
        self._body = document.element.body
        self._on_white = document.element.find(_W + "background") is None
        self.hidden_characters = 0
        self.text_near_hidden = ""
        self._styles = {style.style_id: _style(style) for style in document.styles if style.type == 1}
        self._default = next((s.style_id for s in document.styles if s.type == 1 and _is_default(s)), "")
        self._notes = dict(_notes(document))
        self._found: list[Block] = []
        self._initial = ""
        self._code_before = False
        self._bold: list[int] = []  # blocks that look like headings in a document without heading styles

    def blocks(self) -> list[Block]:
        """Blocks in reading order; notes stand behind the paragraph that calls them."""
        self._walk(self._body)
        if not any(b.level for b in self._found) and self._bold:
            for i in self._bold:
                self._found[i] = Block(self._found[i].text, 1)
        return self._found

    def _walk(self, parent: Any) -> None:
        for element in parent:
            tag = element.tag
            if tag == _W + "p":
                self._paragraph(element)
            elif tag == _W + "tbl":
                self._table(element)
            elif tag == _W + "sdt":
                gallery = element.find(f"{_W}sdtPr/{_W}docPartObj/{_W}docPartGallery")
                content = element.find(_W + "sdtContent")
                contents = gallery is not None and "Contents" in (gallery.get(_W + "val") or "")
                if content is not None and not contents:
                    self._walk(content)
            elif tag in (_W + "ins", _W + "smartTag", _W + "customXml", _W + "moveTo"):
                self._walk(element)

    def _paragraph(self, element: Any) -> None:
        properties = element.find(_W + "pPr")
        style_id = self._default
        outline = None
        if properties is not None:
            named = properties.find(_W + "pStyle")
            style_id = named.get(_W + "val") if named is not None else style_id
            outline = properties.find(_W + "outlineLvl")
        style = self._styles.get(style_id, _Style())
        on_white = self._on_white and not style.shaded
        paragraph = _runs(element, keep_lines=style.code, on_white=on_white)
        if paragraph.hidden_characters and not self.hidden_characters:
            self.text_near_hidden = paragraph.text[:60] or (self._found[-1].text if self._found else "")
        self.hidden_characters += paragraph.hidden_characters
        level = style.level
        if outline is not None and (value := _outline_level(outline)) is not None:
            level = value
        if properties is not None and properties.find(f"{_W}framePr[@{_W}dropCap]") is not None:
            self._initial += paragraph.text  # a large first letter, a paragraph of its own before the rest
        elif paragraph.text and not style.skipped:
            paragraph.text = self._initial + paragraph.text
            self._initial = ""
            self._put(paragraph, style, level, properties)
        for box in paragraph.boxes:
            self._walk(box)
        self._put_notes(paragraph)

    def _put(self, paragraph: _Paragraph, style: _Style, level: int, properties: Any) -> None:
        last = self._found[-1] if self._found else None
        if style.code and last is not None and last.level == 0 and self._code_before:
            self._found[-1] = Block(last.text + "\n" + paragraph.text)
            return
        role: Role | None = "equation" if paragraph.formula else style.role
        if level and len(paragraph.text) > 400:
            level = 0  # a paragraph in a heading's style by mistake
        quoted = _is_quotation(style, properties, paragraph.text, last)
        short = len(paragraph.text) <= _MAX_BOLD_HEADING and not paragraph.text.endswith((".", ",", ";", ":"))
        if not level and role is None and paragraph.bold and short:
            self._bold.append(len(self._found))
        self._found.append(Block(paragraph.text, level, None if level else role, quoted=quoted))
        self._code_before = style.code

    def _table(self, table: Any) -> None:
        cells = [list(_direct_cells(row, "tc")) for row in _direct_cells(table, "tr")]
        if max((len(row) for row in cells), default=0) < 2:  # a frame around text, not a table
            for cell in itertools.chain.from_iterable(cells):
                self._walk(cell)
            return
        rows: list[list[str]] = []
        paragraphs_with_notes: list[_Paragraph] = []
        for row in cells:
            paragraphs = [[_runs(p, keep_lines=False) for p in _paragraphs(cell)] for cell in row]
            rows.append([" ".join(p.text for p in cell if p.text) for cell in paragraphs])
            paragraphs_with_notes += itertools.chain.from_iterable(paragraphs)
        if text := "\n".join(" | ".join(row) for row in rows if any(row)):
            self._found.append(Block(text, role="table"))
        for paragraph in paragraphs_with_notes:
            self._put_notes(paragraph)

    def _put_notes(self, paragraph: _Paragraph) -> None:
        """The notes that a paragraph calls; each once."""
        for note in paragraph.notes:
            if text := self._notes.pop(note, ""):
                self._found.append(Block(text, role="footnote"))


def _direct_cells(parent: Any, name: str) -> Iterator[Any]:
    """The rows (`tr`) of a table or the cells (`tc`) of a row, without those of the tables inside them."""
    for element in parent:
        if element.tag == _W + name:
            yield element
        elif element.tag not in (_W + "tbl", _W + "p"):
            yield from _direct_cells(element, name)


def _paragraphs(cell: Any) -> Iterator[Any]:
    """All paragraphs of a cell in order, each once, also those of tables and text boxes in it."""
    stack = [cell]
    while stack:
        element = stack.pop()
        if element.tag in (_W + "del", _W + "moveFrom", _MC + "Fallback"):
            continue
        if element.tag == _W + "p":
            yield element
        stack.extend(reversed(element))


def _is_default(style: Any) -> bool:
    return style.element.get(_W + "default") in ("1", "true")


def _style(style: Any) -> _Style:
    """Heading level, role and the like, from the style or those it is based on."""
    read = _Style()
    seen = 0
    base = style
    while base is not None and seen < 20:
        name = (base.name or "").lower()
        outline = base.element.find(f"{_W}pPr/{_W}outlineLvl")
        if read.level == 0:
            if match := _HEADING_STYLE.fullmatch(name):
                read.level = int(match[1])
            elif outline is not None:
                read.level = _outline_level(outline) or 0
        read.role = read.role or next((role for label, role in _ROLES_BY_STYLE if label == name), None)
        read.code = read.code or _CODE_STYLE.fullmatch(name) is not None
        read.quotation |= name in _QUOTATION_STYLES
        read.skipped = read.skipped or name in _SKIPPED_STYLES or name.startswith("toc ")
        read.shaded = read.shaded or base.element.find(f".//{_W}shd") is not None
        base, seen = base.base_style, seen + 1
    return read


def _is_quotation(style: _Style, properties: Any, text: str, before: Block | None) -> bool:
    """Whether a paragraph has the style, or is indented on both sides or after a colon; no item of a list."""
    if style.quotation:
        return True
    indent = properties.find(_W + "ind") if properties is not None else None
    if indent is None or properties.find(_W + "numPr") is not None or indent.get(_W + "hanging"):
        return False
    widths = [
        indent.get(_W + old) or indent.get(_W + new) or "0"
        for old, new in (("left", "start"), ("right", "end"))
    ]
    wide = [width.lstrip("-").isdecimal() and int(width) >= _MIN_INDENT for width in widths]
    return wide[0] and (wide[1] or follows_colon(text, before))


def _outline_level(outline: Any) -> int | None:
    """Heading level of an outlineLvl element: 1 to 9, 0 for body text; None where it says nothing."""
    value = outline.get(_W + "val") or ""
    if not re.fullmatch(r"[0-9]{1,9}", value):
        return None
    return int(value) + 1 if int(value) < 9 else 0


_CHARACTERS = {_W + "br": "\n", _W + "cr": "\n", _W + "tab": "\t", _W + "noBreakHyphen": "-"}
_NOTE_MARKS = {_W + "footnoteReference": "f", _W + "endnoteReference": "e"}


def _runs(paragraph: Any, keep_lines: bool, on_white: bool = False) -> _Paragraph:
    """Text of a paragraph: runs, links, insertions and formulas, without deleted and hidden text and field codes.

    Where it stands `on_white`, white letters are left out, too.
    """
    parts: list[str] = []
    read = _Paragraph("", bold=False)
    not_bold = formula = 0  # characters
    for element in _inside(paragraph, read, on_white):
        tag, text = element.tag, element.text or ""
        if tag == _W + "t":
            parts.append(text)
            not_bold += 0 if _is_on(element.getparent(), "b") else len(text.strip())
        elif tag == _M + "t":
            parts.append(text)
            formula += len(text)
        elif tag in _CHARACTERS:
            parts.append(_CHARACTERS[tag])
        elif tag in _NOTE_MARKS:
            read.notes.append(_NOTE_MARKS[tag] + (element.get(_W + "id") or ""))
    joined = tidy("".join(parts))
    read.text = joined.expandtabs(4).strip("\n") if keep_lines else " ".join(joined.split())
    read.bold = not_bold == 0 and not formula
    read.formula = formula > 0 and not_bold == 0 and formula >= 0.8 * len(read.text)
    return read


def _inside(paragraph: Any, read: _Paragraph, on_white: bool) -> Iterator[Any]:
    """Elements of a paragraph in order, without hidden runs; text boxes are put into `read.boxes`, not entered."""
    stack = list(reversed(paragraph))
    while stack:
        element = stack.pop()
        tag = element.tag
        if tag in (_W + "del", _W + "moveFrom", _W + "pPr", _W + "rPr", _W + "instrText", _MC + "Fallback"):
            continue
        if tag == _W + "r" and _is_on(element, "vanish"):
            continue
        if tag == _W + "txbxContent":
            read.boxes.append(element)
            continue
        if on_white and tag == _W + "r" and (gap := _gap_of_unseen(element)) is not None:
            read.hidden_characters += sum(len((t.text or "").strip()) for t in element.iter(_W + "t"))
            stack.append(gap)
            continue
        yield element
        stack.extend(reversed(element))


def _gap_of_unseen(run: Any) -> Any:
    """What a run that nobody sees leaves: a space for white letters, nothing for tiny ones; None where it is seen."""
    properties = run.find(_W + "rPr")
    if properties is None:
        return None
    size, colour = (
        element.get(_W + "val") or "" if (element := properties.find(_W + name)) is not None else ""
        for name in ("sz", "color")
    )
    if re.fullmatch("[0-9]{1,9}", size) and int(size) < 2 * MIN_POINTS:
        return run.makeelement(_W + "r")
    if not re.fullmatch("[0-9A-Fa-f]{6}", colour) or not _is_on_paper(run):
        return None
    red, green, blue = bytes.fromhex(colour)
    return run.makeelement(_W + "tab") if is_same_to_the_eye((red, green, blue), WHITE) else None


def _is_on_paper(run: Any) -> bool:
    """Whether nothing but the page is behind a run: no shading of its own or of its paragraph, no table, no box."""
    around = (run.find(_W + "rPr"), run.getparent().find(_W + "pPr"))
    filled = any(
        e is not None and e.find(_W + name) is not None for e in around for name in ("shd", "highlight")
    )
    return not filled and next(run.iterancestors(_W + "tbl", _W + "txbxContent"), None) is None


def _is_on(run: Any, name: str) -> bool:
    """Whether a run says of itself that it is bold (`b`) or hidden (`vanish`)."""
    switch = run.find(f"{_W}rPr/{_W}{name}") if run is not None else None
    return switch is not None and switch.get(_W + "val") not in ("0", "false", "none", "off")


def _notes(document: Any) -> Iterator[tuple[str, str]]:
    """Texts of footnotes (key `f` + id) and endnotes (key `e` + id)."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    for relation in document.part.rels.values():
        kind = relation.reltype.rsplit("/", 1)[-1]
        if relation.is_external or kind not in ("footnotes", "endnotes"):
            continue
        root = etree.fromstring(relation.target_part.blob, parser)
        for note in root:
            texts = (_runs(p, keep_lines=False).text for p in note.iter(_W + "p"))
            yield kind[0] + (note.get(_W + "id") or ""), " ".join(t for t in texts if t)
