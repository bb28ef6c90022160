"""XML documents: articles (JATS), books and manuals (DocBook), editions (TEI), subtitles (TTML)."""

from __future__ import annotations

import itertools
import re
from functools import cached_property
from typing import Any

from colde.errors import ReadError
from colde.ingest.files.xml_parsing import XmlMathTree, attribute, local_name, parse_xml, plain_text
from colde.ingest.formulas.mathml import formula_text
from colde.ingest.formulas.raised_figures import formula_behind, lowered_text, raised_text
from colde.ingest.html.note_marks import is_raised_mark
from colde.ingest.reading_limits import Reading
from colde.ingest.shared.blocks import Block
from colde.ingest.shared.layout_tables import Cell, is_layout_table, table_text
from colde.ingest.shared.line_end_hyphens import Vocabulary, is_broken, join_lines, vocabulary
from colde.ingest.shared.outline import document_from_blocks
from colde.ingest.subtitles import joined_lines
from colde.ingest.xml_documents.xml_names import (
    BOXES,
    BREAKS,
    CAPTIONED,
    CELLS,
    CHOSEN,
    CODE,
    EDITIONS,
    FORMULAS,
    INLINE,
    JOINED,
    LABELLED,
    LOWERED,
    METADATA,
    NOTE_REFERENCES,
    PARAGRAPHS,
    QUOTATIONS,
    RAISED,
    READ_OF_INFO,
    RENDERED_LOWERED,
    RENDERED_RAISED,
    ROLES,
    ROOTS,
    ROWS,
    SECTIONS,
    SKIPPED,
    TABLES,
    TITLES,
)
from colde.text.document import Document, Role

SUFFIXES = (".xml", ".dbk", ".docbook", ".nxml", ".jats", ".tei", ".ttml", ".dfxp")
_XML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*<\?xml\b|(?:\xef\xbb\xbf)?\s*<!DOCTYPE\s+(?!html\b)\w+", re.IGNORECASE
)
_NO_BREAK = "\ue000"  # stands for the end of a line or page within a word
_WITHIN_WORD = re.compile(rf"(?:(?<=\w)[-\u00ac\u2010\u2e17])?\s*{_NO_BREAK}[\s{_NO_BREAK}]*")
_TEXT_BEFORE = 40  # characters before a raised text that tell whether it is a power or the mark of a note
_TEX_BODY = re.compile(r"\\begin\s*\{document\}(.*?)\\end\s*\{document\}", re.DOTALL)


def accepts(data: bytes, name: str) -> bool:
    """Whether a file begins as XML documents do."""
    return _XML_START.match(data[:1000]) is not None


def convert(data: bytes, name: str, reading: Reading) -> Document:
    """Read the text of a document in one of the known kinds of XML, with its sections, notes and tables.

    Raises:
        ReadError: `corrupt` for what is no XML, `unsupported` for XML of another kind.
    """
    root = parse_xml(data, name)
    if local_name(root) not in ROOTS:
        raise ReadError(
            name, "unsupported", f"an XML file of a kind that is not known ({local_name(root)[:40]})",
            "open it in the program it comes from and save it as PDF, DOCX or HTML",
        )  # fmt: skip
    if local_name(root) in EDITIONS:
        _apply_deletions(root)
    elif local_name(root) == "tt":
        _remove_descriptions(root)
    else:
        _write_quotation_marks(root)
    reader = _Reader(_Words(root), local_name(root) in EDITIONS)
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


def _apply_deletions(root: Any) -> None:
    """Empty what an edition deletes from one place to another (`delSpan`), and keep what it restores."""
    from lxml import etree

    for restored in root.iter("{*}restore"):
        for deletion in restored.iter("{*}del"):
            deletion.tag = restored.tag
    spans = {span: attribute(span, "spanTo").removeprefix("#") for span in root.iter("{*}delSpan")}
    if not spans:
        return
    places = {attribute(element, "id") for element in root.iter()}
    open_spans: set[str] = set()
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            open_spans.discard(attribute(element, "id"))
            if open_spans:
                element.text = None
        else:
            if spans.get(element) in places:
                open_spans.add(spans[element])
            if open_spans:
                element.tail = None


def _remove_descriptions(root: Any) -> None:
    """Take out what subtitles say about themselves."""
    from lxml import etree

    etree.strip_elements(root, "{*}metadata", "{*}desc", "{*}agent", with_tail=False)


def _title(root: Any) -> str:
    """The title of the whole document: that of the article, of the TEI header, or of the root element."""
    for path in (".//{*}article-meta//{*}article-title", ".//{*}titleStmt/{*}title", "{*}info/{*}title", "{*}title",
                 "{*}articleinfo/{*}title", "{*}bookinfo/{*}title"):  # fmt: skip
        element = root.find(path)
        if element is not None:
            return plain_text(element)
    return ""


class _Words:
    """The vocabulary of a document, made when a line ends within a word."""

    def __init__(self, root: Any) -> None:
        self._root = root

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Its words, by which hyphens at line ends are judged."""
        pieces = []
        for element in self._root.iter():
            pieces.append(f"{element.text or ''}{BREAKS.get(local_name(element), '')}")
            pieces.append(element.tail or "")
        return vocabulary("".join(pieces))


class _Reader:
    def __init__(self, words: _Words, is_edition: bool) -> None:
        self.blocks: list[Block] = []
        self.notes: list[str] = []
        self._words = words
        self._is_edition = is_edition
        self._text: list[str] = []
        self._quotations = 0

    def walk(self, parent: Any, level: int, role: Role | None) -> None:
        """Read what stands in an element that is no paragraph itself: `level` is that of the section."""
        self._text.append(parent.text or "")
        name = local_name(parent)
        read = READ_OF_INFO if name.endswith("info") else METADATA.get(name)
        for child in parent:
            inner = local_name(child)
            if (
                inner not in SKIPPED
                and (read is None or inner in read)
                and not self._is_note_mark(child, inner)
            ):
                self._take(child, inner, level, role)
            self._text.append((child.tail or "") if read is None else " ")

    def flush(self, role: Role | None) -> None:
        """End the current paragraph, and put its notes behind it."""
        text, self._text = self._one_line("".join(self._text)), []
        if text:
            self.blocks.append(Block(text, role=role, quoted=self._quotations > 0))
        notes, self.notes = self.notes, []
        self.blocks.extend(Block(note, role="footnote") for note in notes if note)

    def _one_line(self, text: str) -> str:
        """The text of a paragraph, with the words whole that go on over the end of a line or a page."""
        if _NO_BREAK in text:
            text = _WITHIN_WORD.sub("", text)
        lines = [line for line in (" ".join(line.split()) for line in text.split("\n")) if line]
        if any(is_broken(line) for line in lines[:-1]):
            return join_lines(lines, self._words.vocabulary)
        return " ".join(lines)

    def _line(self, element: Any) -> str:
        """The text of an element on one line; notes in it are kept for their place."""
        reader = _Reader(self._words, self._is_edition)
        reader.walk(element, 0, None)
        self.notes.extend(reader.notes)
        reader.notes = []
        reader.flush(None)
        return " ".join(block.text for block in reader.blocks)

    def _take(self, element: Any, name: str, level: int, around: Role | None) -> None:
        role = ROLES.get(name, around)
        if name in INLINE:
            self._take_inline(element, name, level, around)
        elif name in TITLES:
            self._heading(element, level, role)
        elif name in ("fn", "footnote") or (name == "note" and self._is_edition):
            self.notes.append(self._line(element))
        elif name in CODE:
            self.flush(around)
            self.blocks.append(Block("".join(element.itertext()).expandtabs(4).strip("\n"), role=role))
        elif name in TABLES:
            self.flush(around)
            self._table(element, level)
        elif name in BOXES or (name in SECTIONS and not (name == "app" and self._is_edition)):
            self._inside(element, level + 1, around, role)
        elif name == "caption" and local_name(element.getparent()) in BOXES:
            self._inside(element, level, around, around)
        elif _is_block(element, name):
            self._quotations += name in QUOTATIONS
            self._inside(element, level, around, role)
            self._quotations -= name in QUOTATIONS
        else:
            self.walk(element, level, role)

    def _take_inline(self, element: Any, name: str, level: int, role: Role | None) -> None:
        """An element in a sentence whose text is not that of its parts in a row."""
        if name in BREAKS:
            self._text.append(_NO_BREAK if attribute(element, "break") == "no" else BREAKS[name])
        elif name == "choice":
            self.walk(_chosen(element), level, role)
        elif name == "label":
            if local_name(element.getparent()) in LABELLED:
                self._text.append(f"{self._line(element)} ")
        elif name in FORMULAS:
            self._text.append(formula_behind(_formula(element, name), self._before()))
        elif name in JOINED:
            parts = (self._line(part) for part in element if local_name(part) not in SKIPPED)
            self._text.append(JOINED[name].join(filter(None, parts)))
            if name in PARAGRAPHS:
                self.flush(role)
        else:
            self._raised_or_lowered(element, name, level, role)

    def _raised_or_lowered(self, element: Any, name: str, level: int, role: Role | None) -> None:
        rendered = attribute(element, "rend") or attribute(element, "rendition")
        before, after = self._before(), (element.tail or "")[:1]
        if name in RAISED or RENDERED_RAISED.search(rendered):
            text = self._line(element)
            behind = element.getprevious()
            behind_raised = behind is not None and not behind.tail and local_name(behind) == name
            if not is_raised_mark(text, before, after, behind_raised=behind_raised):
                self._text.append(raised_text(text, before, after))
        elif name in LOWERED or RENDERED_LOWERED.search(rendered):
            self._text.append(lowered_text(self._line(element), before, after))
        else:
            self.walk(element, level, role)

    def _before(self) -> str:
        """The end of the text before the place that was reached."""
        return "".join(part[-_TEXT_BEFORE:] for part in self._text[-4:])[-_TEXT_BEFORE:]

    def _is_note_mark(self, element: Any, name: str) -> bool:
        """Whether an element calls a note: a reference to one, or a raised reference to a work."""
        if name == "xref":
            if attribute(element, "ref-type") in NOTE_REFERENCES:
                return True
            return len(element) == 1 and local_name(element[0]) in RAISED and not (element.text or "").strip()
        if name == "ref" and attribute(element, "type").lower().startswith("note"):
            return True
        if name not in RAISED:
            return False
        references = [part for part in element.iter() if local_name(part) == "xref"]
        kinds = {attribute(part, "ref-type") for part in references}
        return bool(references) and kinds <= {"bibr", "", *NOTE_REFERENCES}

    def _inside(self, element: Any, level: int, around: Role | None, role: Role | None) -> None:
        """Read a paragraph or what holds paragraphs: `around` is the role of the text before it."""
        self.flush(around)
        self.walk(element, level, role)
        self.flush(role)

    def _heading(self, element: Any, level: int, role: Role | None) -> None:
        """A title is a heading of the section or box around it; that of a figure or a table is a caption."""
        self.flush(role)
        container = element.getparent()
        while (around := local_name(container)).endswith("info") or (
            around == "caption" and local_name(container.getparent()) in BOXES
        ):
            container = container.getparent()
        text = self._line(element)
        if around in CAPTIONED:
            self.blocks.append(Block(text, role="caption"))
        elif around in SECTIONS or around in BOXES:
            self.blocks.append(Block(text, level, role if role == "references" else None))
        elif around not in ROOTS and around != "title-group":
            self.blocks.append(Block(text, role=role))

    def _table(self, table: Any, level: int) -> None:
        titles = [part for part in table if local_name(part) in TITLES or local_name(part) == "caption"]
        self.blocks.extend(Block(self._line(title), role="caption") for title in titles)
        rows = _rows(table)
        texts = [[self._line(cell) for cell in row] for row in rows]
        if rows and is_layout_table([[Cell((text,)) for text in row] for row in texts]):
            for cell in itertools.chain.from_iterable(rows):
                self._inside(cell, level, None, None)
        elif text := table_text(texts):
            self.blocks.append(Block(text, role="table"))


def _rows(table: Any) -> list[list[Any]]:
    """The cells of each row of a table."""
    rows = (row for row in table.iter() if local_name(row) in ROWS)
    return [[cell for cell in row if local_name(cell) in CELLS] for row in rows]


def _chosen(choice: Any) -> Any:
    """Of the forms of a word in an edition, the one that is read; the first one where none is marked."""
    for name in CHOSEN:
        for form in choice:
            if local_name(form) == name:
                return form
    return choice[0] if len(choice) else choice


def _formula(element: Any, name: str) -> str:
    """A formula in MathML, or in TeX where there is none in MathML beside it."""
    if name == "math":
        return formula_text(element, XmlMathTree())
    if any(local_name(beside) == "math" for beside in element.getparent()):
        return ""
    from colde.ingest.latex.latex_text import formula_from_tex

    source = "".join(element.itertext())
    body = _TEX_BODY.search(source)  # it may be written as a document of its own
    return formula_from_tex(body[1] if body is not None else source)


def _is_block(element: Any, name: str) -> bool:
    """Whether an element is a paragraph or holds parts that are: a list, an item, a figure."""
    if name in PARAGRAPHS or name in ROLES or name in QUOTATIONS:
        return True
    return any(local_name(child) in PARAGRAPHS or local_name(child) in TITLES for child in element)
