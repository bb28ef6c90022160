"""Word documents for tests: made by python-docx, and with their parts changed."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from colde.ingest import read
from colde.text.document import Document


def saved(document: Any) -> bytes:
    """The bytes of a document."""
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def paragraphs(*texts: str, title: str = "") -> bytes:
    """A document of these paragraphs; `title` is one of its properties."""
    made = docx.Document()
    made.core_properties.title = title
    for text in texts:
        made.add_paragraph(text)
    return saved(made)


def xml(source: str) -> Any:
    """An element with the prefix `w` declared."""
    head, _, rest = source.partition(">")
    return parse_xml(f"{head.removesuffix('/')} {nsdecls('w')}{'/' if head.endswith('/') else ''}>{rest}")


def parts_of(data: bytes) -> dict[str, bytes]:
    """The parts of a document by their names."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(parts: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive of these parts."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


def changed(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """The document with each part as `change(name, part)` returns it."""
    return zipped({name: change(name, part) for name, part in parts_of(data).items()})


PREFIXES = " ".join(
    f'xmlns:{prefix}="{address}"'
    for prefix, address in (
        ("w", "http://schemas.openxmlformats.org/wordprocessingml/2006/main"),
        ("r", "http://schemas.openxmlformats.org/officeDocument/2006/relationships"),
        ("mc", "http://schemas.openxmlformats.org/markup-compatibility/2006"),
        ("a", "http://schemas.openxmlformats.org/drawingml/2006/main"),
        ("c", "http://schemas.openxmlformats.org/drawingml/2006/chart"),
        ("dgm", "http://schemas.openxmlformats.org/drawingml/2006/diagram"),
    )
)
"""Declarations of the prefixes that the XML of tests uses."""
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_RELATION_TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def p(text: str = "", style: str = "", properties: str = "", run: str = "") -> str:
    """The XML of a paragraph with one run, whose properties are `run`."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return (
        f"<w:p><w:pPr>{named}{properties}</w:pPr>"
        f'<w:r><w:rPr>{run}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'
    )


def table(*rows: tuple[str, ...]) -> str:
    """The XML of a table; a cell without XML in it is a paragraph."""
    cells = [[cell if cell.startswith("<") else p(cell) for cell in row] for row in rows]
    return "".join(
        (
            "<w:tbl>",
            *("<w:tr>" + "".join(f"<w:tc>{c}</w:tc>" for c in row) + "</w:tr>" for row in cells),
            "</w:tbl>",
        )
    )


def word(
    body: str,
    *,
    styles: str = "",
    parts: dict[str, tuple[str, bytes]] | None = None,
    main: str = "word/document.xml",
    target: str = "",
    extra: dict[str, bytes] | None = None,
) -> bytes:
    """A Word document with no more in it than is given here.

    Args:
        body: its XML.
        styles: that of its styles.
        parts: by name, below `word/`: type of the relation and content; ids are `r1`, `r2` …
        main: name of the part with the text. target: what the relation says, if not that.
        extra: parts that nothing points at.
    """
    folder, _, file = main.rpartition("/")
    related = {
        "styles.xml": ("styles", f"<w:styles {PREFIXES}>{styles}</w:styles>".encode()),
        **(parts or {}),
    }
    links = "".join(
        f'<Relationship Id="r{i}" Type="{_RELATION_TYPES}/{kind}" Target="{name}"/>'
        for i, (name, (kind, _)) in enumerate(related.items())
    )
    begin = f'<Relationships xmlns="{_RELATIONS}">'
    return zipped(
        {
            "[Content_Types].xml": b"<Types/>",
            "_rels/.rels": (
                f'{begin}<Relationship Id="m" Type="{_RELATION_TYPES}/officeDocument" '
                f'Target="{target or main}"/></Relationships>'
            ).encode(),
            main: f"<w:document {PREFIXES}><w:body>{body}</w:body></w:document>".encode(),
            f"{folder}/_rels/{file}.rels".lstrip("/"): f"{begin}{links}</Relationships>".encode(),
            **{f"{folder}/{name}".lstrip("/"): data for name, (_, data) in related.items() if data},
            **(extra or {}),
        }
    )


ICE = "The ferry waits in the north harbour until the ice has gone from the sound."
POLE = "Whoever walks over the ice carries a pole as long as the boat is wide."
BELL = "A bell is rung on the island when the fog is too thick to see the light."
BOLD = "<w:b/>"


def reading(data: bytes, name: str = "x.docx") -> Document:
    return read(data, name=name)


def body(document: Document) -> list[str]:
    """Paragraphs that are compared."""
    text = document.text
    return [text[q.start : q.end] for s in document.sections if s.role is None for q in s.paragraphs]


def headings(document: Document) -> list[str | None]:
    return [s.heading for s in document.sections if s.heading]


def aside(document: Document, role: str) -> list[str]:
    return [document.text[s.body : s.end] for s in document.sections if s.role == role]


def warned(document: Document, *words: str) -> bool:
    return any(all(word in str(w) for word in words) for w in document.warnings)


def style(name: str, based_on: str = "", letters: str = "", kind: str = "paragraph") -> str:
    base = f'<w:basedOn w:val="{based_on.replace(" ", "")}"/>' if based_on else ""
    return (
        f'<w:style w:type="{kind}" w:styleId="{name.replace(" ", "")}"><w:name w:val="{name}"/>{base}'
        f"<w:rPr>{letters}</w:rPr></w:style>"
    )
