"""The footnotes and endnotes of a Word document."""

from __future__ import annotations

from colde.ingest.docx.names import W, child
from colde.ingest.docx.package import Package
from colde.ingest.docx.paragraphs import ParagraphReader


def read_notes(package: Package, paragraphs: ParagraphReader) -> dict[str, str]:
    """The texts of the notes by their keys: `f` (footnote) or `e` (endnote) and the id."""
    notes = {}
    for kind in ("footnotes", "endnotes"):
        for part in package.parts_of_kind(kind):
            root = package.xml(part)
            for note in root if root is not None else ():
                texts = (
                    paragraphs.read([p], paragraphs.styles.of_paragraph(child(p, "pPr"))).line()
                    for p in note.iter(W + "p")
                )
                notes[kind[0] + (note.get(W + "id") or "")] = " ".join(filter(None, texts))
    return notes
