"""XML documents: articles (JATS), books and manuals (DocBook), editions (TEI), subtitles (TTML)."""

from __future__ import annotations

import itertools
import re
from typing import Any

from colde.errors import ReadError
from colde.ingest.blocks import Block
from colde.ingest.layout_tables import Cell, is_layout_table, table_text
from colde.ingest.outline import document_from_blocks
from colde.ingest.reading_limits import Reading
from colde.ingest.subtitles import joined_lines
from colde.ingest.xml_parsing import attribute, entity_text, local_name, parse_xml, plain_text
from colde.text.document import Document, Role
from colde.text.stop_words import words

SUFFIXES = (".xml", ".dbk", ".docbook", ".nxml", ".jats", ".tei", ".ttml", ".dfxp")
_XML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*<\?xml\b|(?:\xef\xbb\xbf)?\s*<!DOCTYPE\s+(?!html\b)\w+", re.IGNORECASE
)
_ROOTS = words(
    "article book chapter section part appendix preface set refentry sect1 sect2 reference TEI TEI.2 teiCorpus text tt "
    "front-stub body topic"
)
_ROOTS_OF_EDITIONS = words("TEI TEI.2 teiCorpus")
"""Roots of documents whose quotations have their marks in the text."""
_SECTIONS = words(
    "section sect1 sect2 sect3 sect4 sect5 simplesect chapter part appendix preface sec app refsection refsect1 "
    "refsect2 div div1 div2 div3 div4 glossary bibliography abstract trans-abstract ref-list ack notes "
    "refentry reference topic colophon dedication acknowledgements"
)
_TITLES = words("title head article-title refname")
_SKIPPED = words(
    "journal-meta contrib-group aff pub-date permissions kwd-group history funding-group counts custom-meta-group "
    "article-id article-categories teiHeader indexterm pb fw lb-number metadata styling layout xref-label toc index "
    "object-id supplementary-material graphic media mediaobject inlinemediaobject tex-math author-notes "
    "subtitle titleabbrev self-uri related-article volume issue fpage lpage elocation-id publisher author authorgroup "
    "copyright legalnotice date pubdate revhistory edition isbn sic orig figDesc"
)
_PARAGRAPHS = words(
    "p para simpara formalpara ab l lg term member label-para speaker stage def-item item-text trailer opener closer "
    "mixed-citation element-citation citation bibliomixed biblioentry bibl entry-text subtitle-text refpurpose"
)
_CODE = words("programlisting screen code-block literallayout preformat synopsis eg codeblock")
_ROLES: dict[str, Role] = {
    "caption": "caption", "fn": "footnote", "footnote": "footnote", "note": "footnote", "ref-list": "references",
    "bibliography": "references", "listBibl": "references", "disp-formula": "equation", "equation": "equation",
    "informalequation": "equation",
}  # fmt: skip
_QUOTATIONS = words("blockquote disp-quote quote-block epigraph cit")
_TABLES = words("table informaltable tgroup table-wrap-group")
_CAPTIONED = words("figure table informaltable example table-wrap fig caption boxed-text")
"""Elements whose title is a caption."""
_ROWS, _CELLS = words("tr row"), words("td th entry cell")
_NOTES = words("fn footnote note")


def accepts(data: bytes, name: str) -> bool:
    """Whether a file begins as XML documents do."""
    return _XML_START.match(data[:1000]) is not None


def convert(data: bytes, name: str, reading: Reading) -> Document:
    """Read the text of a document in one of the known kinds of XML, with its sections, notes and tables.

    Raises:
        ReadError: `corrupt` for what is no XML, `unsupported` for XML of another kind.
    """
    root = parse_xml(data, name)
    if local_name(root) not in _ROOTS:
        raise ReadError(
            name, "unsupported", f"an XML file of a kind that is not known ({local_name(root)[:40]})",
            "open it in the program it comes from and save it as PDF, DOCX or HTML",
        )  # fmt: skip
    if local_name(root) not in _ROOTS_OF_EDITIONS:
        _write_quotation_marks(root)
    reader = _Reader()
    reader.walk(root, 0, None)
    reader.flush(None)
    blocks = reader.blocks
    if local_name(root) == "tt" and blocks:
        blocks = [Block(paragraph) for paragraph in joined_lines(block.text for block in blocks)]
    return document_from_blocks(blocks, name=name, format="xml", title=_title(root), title_in_text=True)


def _write_quotation_marks(root: Any) -> None:
    """Put the marks round quotations in sentences that DocBook leaves to the program that shows them."""
    for quotation in root.iter("{*}quote"):
        quotation.text = f"“{quotation.text or ''}"
        if len(quotation):
            quotation[-1].tail = f"{quotation[-1].tail or ''}”"
        else:
            quotation.text += "”"


def _title(root: Any) -> str:
    """The title of the whole document: that of the article, of the TEI header, or of the root element."""
    for path in (".//{*}article-meta//{*}article-title", ".//{*}titleStmt/{*}title", "{*}info/{*}title", "{*}title",
                 "{*}articleinfo/{*}title", "{*}bookinfo/{*}title"):  # fmt: skip
        element = root.find(path)
        if element is not None:
            return plain_text(element)
    return ""


class _Reader:
    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._text: list[str] = []
        self._notes: list[Any] = []
        self._quotations = 0

    def walk(self, parent: Any, level: int, role: Role | None) -> None:
        """Read what stands in an element that is no paragraph itself: `level` is that of the section."""
        self._text.append(parent.text or "")
        for child in parent:
            name = local_name(child)
            if name == "&":
                self._text.append(entity_text(child))
            elif name not in _SKIPPED and attribute(child, "ref-type") != "fn":  # else the mark of a note
                self._take(child, name, level, role)
            self._text.append(child.tail or "")

    def flush(self, role: Role | None) -> None:
        """End the current paragraph, and put its notes behind it."""
        text, self._text = " ".join("".join(self._text).split()), []
        if text:
            self.blocks.append(Block(text, role=role, quoted=self._quotations > 0))
        notes, self._notes = self._notes, []
        for note in notes:
            self.blocks.append(Block(plain_text(note), role="footnote"))

    def _take(self, element: Any, name: str, level: int, role: Role | None) -> None:
        role = _ROLES.get(name, role)
        if name in _TITLES:
            self._heading(element, level, role)
        elif name in _NOTES and (name != "note" or local_name(element.getparent()) in _PARAGRAPHS):
            self._notes.append(element)
        elif name == "br" or name == "lb":
            self._text.append(" ")
        elif name in _CODE:
            self.flush(role)
            self.blocks.append(Block("".join(element.itertext()).expandtabs(4).strip("\n"), role=role))
        elif name in _TABLES:
            self.flush(role)
            self._table(element, level)
        elif name in _SECTIONS:
            self._inside(element, level + 1, role)
        elif name in _PARAGRAPHS or name in _ROLES or name in _QUOTATIONS or _holds_paragraphs(element):
            self._quotations += name in _QUOTATIONS
            self._inside(element, level, role)
            self._quotations -= name in _QUOTATIONS
        else:
            self.walk(element, level, role)

    def _inside(self, element: Any, level: int, role: Role | None) -> None:
        self.flush(role)
        self.walk(element, level, role)
        self.flush(role)

    def _heading(self, element: Any, level: int, role: Role | None) -> None:
        """A title is a heading of the section around it; that of a figure or a table is a caption."""
        self.flush(role)
        around = local_name(element.getparent())
        if around in _CAPTIONED:
            self.blocks.append(Block(plain_text(element), role="caption"))
        elif around in _SECTIONS:
            self.blocks.append(Block(plain_text(element), level, role if role == "references" else None))
        elif around not in _ROOTS and around not in ("info", "title-group", "articleinfo", "bookinfo"):
            self.blocks.append(Block(plain_text(element), role=role))

    def _table(self, table: Any, level: int) -> None:
        rows = [
            [c for c in row if local_name(c) in _CELLS] for row in table.iter() if local_name(row) in _ROWS
        ]
        cells = [[Cell((plain_text(cell),)) for cell in row] for row in rows]
        if cells and is_layout_table(cells):
            for cell in itertools.chain.from_iterable(rows):
                self._inside(cell, level, None)
        elif text := table_text((" ".join(cell.paragraphs) for cell in row) for row in cells):
            self.blocks.append(Block(text, role="table"))


def _holds_paragraphs(element: Any) -> bool:
    """Whether an element holds parts that are paragraphs of their own: a list, an item, a figure."""
    return any(local_name(child) in _PARAGRAPHS or local_name(child) in _TITLES for child in element)
