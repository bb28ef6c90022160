"""What of a document takes part in a comparison."""

from __future__ import annotations

from colde.ingest.shared.blocks import Block, assemble
from colde.text.document import Document


def document(*blocks: Block) -> Document:
    return assemble(list(blocks), source="x.md", format="markdown", language="en")


def test_a_heading_without_text_is_not_compared_and_keeps_its_place() -> None:
    found = document(
        Block("Rejected Ideas", level=1),
        Block("One of them", level=2),
        Block("It was too slow for what it gave. So it was left."),
    )
    assert [section.heading for section in found.sections] == ["Rejected Ideas", "One of them"]
    assert [(i, section.heading) for i, section in found.compared()] == [(1, "One of them")]
    assert found.words() == 15


def test_headings_are_compared_where_there_is_nothing_else() -> None:
    found = document(Block("One heading", level=1), Block("Another heading", level=1))
    assert len(list(found.compared())) == 2
