"""Places are named by heading, else by page, else by position."""

from __future__ import annotations

import pytest

import colde
from colde.ingest.shared.blocks import Block, Fragment, assemble
from colde.report.formatting import passage_place, quoted_section, section_name
from colde.results.passage import Passage
from colde.text.document import Box, Document, Span
from colde.text.sections.parts_without_headings import split_into_parts

LINES = [f"The {word} ferry leaves the pier at noon." for word in ("first", "second", "third", "fourth")]


def place(document: Document, words: str) -> str:
    start = document.text.index(words)
    return passage_place(Passage.at(document, Span(start, start + len(words))))


@pytest.mark.parametrize("divided", [False, True])
def test_a_text_without_headings_has_numbered_paragraphs(divided: bool) -> None:
    document = assemble([Block(line) for line in LINES], source="a", format="text")
    if divided:
        document = split_into_parts(document)
        assert [section_name(document, s) for s in document.sections] == [
            "paragraphs 1–2 of 4",
            "paragraphs 3–4 of 4",
        ]
        assert quoted_section(document, document.sections[1], 60) == "paragraphs 3–4 of 4"
    assert place(document, "third ferry") == "paragraph 3 of 4"
    assert place(document, document.text) == "paragraphs 1–4 of 4"


def test_a_text_of_one_paragraph_has_numbered_sentences() -> None:
    assert place(colde.read_text(" ".join(LINES)), "second ferry") == "sentence 2 of 4"


def test_headings_name_the_text_below_them_and_its_tables() -> None:
    text = f"# Ferries\n\n{LINES[0]}\n\n## Piers\n\n{LINES[1]}\n\n| Pier | Boats |\n| --- | --- |\n| Alder Quay | 4 |\n"
    document = colde.read(text.encode(), name="a.md")
    assert place(document, "first ferry leaves the pier") == "“first ferry leaves the pier”"
    assert section_name(document, document.sections[0]) == "“The first ferry leaves the pier at…”"
    assert place(document, "second") == place(document, "Alder Quay") == "Piers"
    assert quoted_section(document, document.sections[1], 60) == "“Piers”"


def test_first_words_above_the_first_heading_are_cut_between_words_where_there_are_spaces() -> None:
    for opening, name in (
        (
            "渡轮每天中午从码头出发前往对岸的小镇" * 3,
            f"“{('渡轮每天中午从码头出发前往对岸的小镇' * 3)[:35]}…”",
        ),
        ("تغادر العبارة الأولى الرصيف عند الظهر كل يوم", "“تغادر العبارة الأولى الرصيف عند…”"),
    ):
        document = colde.read(f"{opening}\n\n# Piers\n\n{LINES[1]}\n".encode(), name="a.md")
        assert section_name(document, document.sections[0]) == name


def test_a_text_that_has_a_heading_over_its_references_alone_has_numbered_paragraphs() -> None:
    blocks = [*map(Block, LINES), Block("References", 1, "references"), Block("A work.", 0, "references")]
    assert place(assemble(blocks, source="a", format="text"), "fourth") == "paragraph 4 of 4"


def test_pages_come_before_paragraphs() -> None:
    def on_page(line: str, page: int) -> Block:
        return Block(line, fragments=(Fragment(0, len(line), Box(page, 0, 0, 9, 9)),))

    document = assemble(
        [on_page(line, 3 + k) for k, line in enumerate(LINES)], source="a", format="pdf", pages=6
    )
    assert place(document, "second") == "p. 4"
    assert section_name(document, document.sections[0]) == "pp. 3–6"
    headed = assemble([Block("Piers", 1), on_page(LINES[0], 2)], source="a", format="pdf", pages=2)
    assert place(headed, "first") == "Piers, p. 2"
