"""OpenDocument texts (.odt, .ott, .fodt) by lxml: headings by outline level, lists, tables, notes, text boxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from zipfile import ZipFile

from colde.errors import ReadError
from colde.ingest.files.character_encoding import tidy
from colde.ingest.files.xml_parsing import XmlMathTree, attribute, local_name, parse_xml, plain_text
from colde.ingest.files.zip_archive import damaged, open_archive, read_part
from colde.ingest.formulas.mathml import formula_text
from colde.ingest.formulas.raised_figures import Height, formula_behind, text_on_one_line
from colde.ingest.opendocument.opendocument_styles import StyleSheet, qualified_name
from colde.ingest.reading_limits import Limits, Reading
from colde.ingest.shared.outline import document_from_blocks
from colde.ingest.word_processors.paragraph_styles import ParagraphCollector
from colde.text.document import Document
from colde.text.word_lists.stop_words import words

SUFFIXES = (".odt", ".ott", ".fodt", ".odm")
_MARK = b"mimetypeapplication/vnd.oasis.opendocument.text"
_FLAT_MARK = b"application/vnd.oasis.opendocument.text"
_KIND = "OpenDocument text"
_MANIFEST = "META-INF/manifest.xml"
_CONTAINERS = words(
    "text:list text:list-item text:list-header text:numbered-paragraph text:section text:page-sequence draw:text-box "
    "draw:a draw:g draw:custom-shape draw:rect draw:ellipse draw:circle draw:line draw:polygon draw:caption "
    "text:index-body"
)
"""Elements whose paragraphs are read in their place."""
_SHAPES = words(
    "draw:text-box draw:custom-shape draw:rect draw:ellipse draw:circle draw:polygon draw:caption draw:line"
)
_SKIPPED = words(
    "text:note-citation office:annotation office:annotation-end text:ruby-text text:script svg:title svg:desc "
    "text:tracked-changes office:event-listeners text:hidden-text"
)
_SPACES = {"text:tab": "\t", "text:line-break": "\n"}
_MAX_SPACES = 200  # in a row


def accepts(data: bytes, name: str) -> bool:
    """Whether this is a zip or an XML file that says it is an OpenDocument text, or a zip that is named so."""
    if data.startswith(b"PK"):
        return _MARK in data[:200] or name.lower().endswith(SUFFIXES)
    head = data[:4096]
    return b"<office:document" in head and (_FLAT_MARK in head or name.lower().endswith(SUFFIXES))


def convert(data: bytes, name: str, reading: Reading) -> Document:
    """Read an OpenDocument text. Headers, footers, comments, deleted and hidden text and contents are left out.

    Raises:
        ReadError: `encrypted`, `corrupt`, `too_large` (a zip bomb).
    """
    parts = _archive_parts(data, name, reading.limits) if data.startswith(b"PK") else [parse_xml(data, name)]
    content = parts[0]
    body = next(content.iter("{*}text"), None)
    if body is None or local_name(body.getparent()) != "body":
        raise damaged(name, "there is no text document in it")
    reader = _Reader(StyleSheet(parts))
    reader.walk(body)
    title, blocks, warnings = reader.collector.finish()
    titles = (plain_text(t) for part in parts for t in part.iterfind(".//{*}meta/{*}title"))
    return document_from_blocks(
        blocks, name=name, format="odt", title=title or next(titles, ""), title_in_text=bool(title), warnings=warnings
    )  # fmt: skip


def _archive_parts(data: bytes, name: str, limits: Limits) -> list[Any]:
    """Content, styles and meta data of a zipped document, those that it has."""
    with open_archive(data, name, limits, _KIND) as archive:
        names = set(archive.namelist())
        if _MANIFEST in names and b"encryption-data" in read_part(archive, _MANIFEST, name):
            raise ReadError(
                name, "encrypted", "the document is protected by a password",
                "remove the password in a word processor (Save as) and try again",
            )  # fmt: skip
        if "content.xml" not in names:
            raise damaged(name, f"a zip archive without an {_KIND} in it")
        roots = [
            parse_xml(read_part(archive, part, name), name, part)
            for part in ("content.xml", "styles.xml", "meta.xml")
            if part in names
        ]
        _put_formulas(roots[0], archive, names, name)
    return roots


def _put_formulas(content: Any, archive: ZipFile, names: set[str], name: str) -> None:
    """Put the formulas, which are parts of their own, where they stand in the text."""
    for element in list(content.iter("{*}object")):
        part = f"{attribute(element, 'href').removeprefix('./').rstrip('/')}/content.xml"
        if part in names:
            names.discard(part)
            formula = parse_xml(read_part(archive, part, name), name, part)
            if local_name(formula) == "math":
                element.append(formula)


@dataclass(slots=True)
class _Paragraph:
    """What stands in a paragraph: its text, and what is read after it."""

    parts: list[tuple[str, Height]] = field(default_factory=list)
    letters: int = 0
    bold_letters: int = 0
    formula_letters: int = 0
    hidden_letters: int = 0
    notes: list[Any] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)

    def text(self) -> str:
        """The text, with line ends for hard line breaks."""
        return tidy(text_on_one_line(self.parts)).expandtabs(4).strip("\n")

    def put(self, text: str, height: Height = "level") -> None:
        """Add text that goes on in the line."""
        self.parts.append((text, height))

    def line(self) -> str:
        """The text on one line."""
        return " ".join(self.text().split())


class _Reader:
    def __init__(self, styles: StyleSheet) -> None:
        self.collector = ParagraphCollector()
        self._styles = styles
        self._on_paper = True  # not in a table or a box, which may have a colour

    def walk(self, parent: Any) -> None:
        """Read what stands in an element."""
        for element in parent:
            name = qualified_name(element)
            if name in ("text:p", "text:h"):
                self._paragraph(element)
            elif name == "table:table":
                self._table(element)
            elif name == "draw:frame":
                self._frame(element)
            elif name == "text:bibliography":
                self._bibliography(element)
            elif name in _CONTAINERS and not _is_switched_off(element):
                self.walk(element)

    def _frame(self, frame: Any) -> None:
        """A frame has its content in several forms, of which the first that is known counts."""
        self.walk(frame[:1] if len(frame) and qualified_name(frame[0]) in _CONTAINERS else [])

    def _bibliography(self, element: Any) -> None:
        for paragraph in element.iter("{*}p"):
            self.collector.add_block(plain_text(paragraph), "references")

    def _paragraph(self, element: Any) -> None:
        style = self._styles.paragraph(element)
        read = self._read(element)
        text = read.text()
        self.collector.count_hidden(read.hidden_letters, text[:60])
        self.collector.add(
            text,
            style,
            bold=read.letters > 0 and read.bold_letters == read.letters,
            formula=read.formula_letters > 0 and read.formula_letters >= 0.8 * read.letters,
            indented=self._styles.is_indented(element),
        )
        self._after(read)

    def _after(self, read: _Paragraph) -> None:
        on_paper, self._on_paper = self._on_paper, False
        for box in read.boxes:
            self.walk(box)
        self._on_paper = on_paper
        for note in read.notes:
            self._note(note)

    def _note(self, note: Any) -> None:
        body = next(note.iter("{*}note-body"), None)
        paragraphs = [] if body is None else [self._read(p).line() for p in body.iter("{*}p", "{*}h")]
        self.collector.add_block(" ".join(filter(None, paragraphs)), "footnote")

    def _read(self, paragraph: Any) -> _Paragraph:
        read = _Paragraph()
        if not self._styles.is_hidden_by_field(paragraph):
            self._inside(paragraph, read)
        return read

    def _inside(self, parent: Any, read: _Paragraph) -> None:
        """Collect the text in an element of a paragraph, without what nobody sees."""
        self._letters(parent, parent.text or "", read)
        is_seen = not self._styles.look(parent).is_hidden
        for child in parent:
            name = qualified_name(child)
            if name == "text:note":
                read.notes += [child] * is_seen
            elif name in _SHAPES:
                read.boxes += [child] * is_seen
            elif name == "text:s":
                count = attribute(child, "c")
                read.put(" " * min(int(count) if count.isdecimal() else 1, _MAX_SPACES))
            elif name in _SPACES:
                read.put(_SPACES[name])
            elif name.endswith(":math") and is_seen:
                _put_formula(formula_text(child, XmlMathTree()), read)
            elif name not in _SKIPPED:
                self._inside(child, read)
            self._letters(parent, child.tail or "", read)

    def _letters(self, parent: Any, text: str, read: _Paragraph) -> None:
        if not text.strip():
            read.put(" " if text else "")
            return
        letters = len("".join(text.split()))
        look = self._styles.look(parent)
        if look.is_hidden:
            return
        if self._on_paper and look.is_unseen:
            read.hidden_letters += letters
            read.put(" ")
            return
        read.put(_collapsed(text), look.height)
        read.letters += letters
        read.bold_letters += letters if look.bold else 0

    def _table(self, table: Any) -> None:
        on_paper, self._on_paper = self._on_paper, False
        self.collector.add_table([partial(self.walk, cell) for cell in _cells(row)] for row in _rows(table))
        self._on_paper = on_paper


def _put_formula(text: str, read: _Paragraph) -> None:
    """Add a formula, with a space where it would go on in a number."""
    before = read.parts[-1][0] if read.parts else ""
    read.put(formula_behind(text, before))
    letters = len("".join(text.split()))
    read.letters += letters
    read.formula_letters += letters


def _collapsed(text: str) -> str:
    """Text with each run of white space as one space; more are elements of their own."""
    inner = " ".join(text.split())
    return f"{' ' if text[:1].isspace() else ''}{inner}{' ' if text[-1:].isspace() else ''}"


def _is_switched_off(section: Any) -> bool:
    return attribute(section, "display") == "none" or (
        attribute(section, "display") == "condition" and attribute(section, "is-hidden") == "true"
    )


def _rows(table: Any) -> Iterator[Any]:
    for element in table:
        name = qualified_name(element)
        if name == "table:table-row":
            if attribute(element, "visibility") not in ("collapse", "filter"):
                yield element
        elif name in ("table:table-header-rows", "table:table-rows", "table:table-row-group"):
            yield from _rows(element)


def _cells(row: Any) -> Iterator[Any]:
    return (cell for cell in row if qualified_name(cell) == "table:table-cell")
