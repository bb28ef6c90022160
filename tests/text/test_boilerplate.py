"""Boilerplate is set aside: sections with certain headings, and authors and addresses at the beginning of a paper."""

from __future__ import annotations

import pytest

from colde.ingest.shared.blocks import Block, assemble
from colde.text.document import Document
from colde.text.not_compared.boilerplate import without_boilerplate
from colde.text.not_compared.front_matter import MAX_WORDS, count_leading_front_matter
from colde.text.not_compared.set_aside import set_aside
from colde.text.sections.section_edits import include

TEXT = "The tide turns twice a day along most coasts, and the pilot waits for it."


def document(*sections: tuple[str | None, str]) -> Document:
    blocks = []
    for heading, text in sections:
        blocks += [Block(heading, level=1)] if heading else []
        blocks.append(Block(text))
    return assemble(blocks, source="x.txt", format="text")


def aside(*sections: tuple[str | None, str]) -> list[int]:
    found = without_boilerplate(document(*sections))
    return [i for i, s in enumerate(found.sections) if s.role == "boilerplate"]


@pytest.mark.parametrize(
    "heading",
    ["Acknowledgments", "ACKNOWLEDGEMENTS", "7 Acknowledgement", "Copyright", "License", "Copyright and License",
     "Author Contributions", "Conflict of Interest", "Competing interests", "Funding:"],
)  # fmt: skip
def test_sections_told_by_their_heading(heading: str) -> None:
    assert aside(("Tides", TEXT), (heading, TEXT)) == [1]


@pytest.mark.parametrize(
    "heading", ["Licensing of drugs", "Interest rates", "Copyright law in France", "Contents of the stomach"]
)
def test_a_heading_that_only_begins_alike_stays(heading: str) -> None:
    assert aside(("Tides", TEXT), (heading, TEXT)) == []


@pytest.mark.parametrize("heading", ["Licence", "3. Licence", "Funding", "Contents", "Conflicts of interest"])
def test_a_section_among_others_is_text(heading: str) -> None:
    assert aside(("Tides", TEXT), (heading, TEXT), ("Pilots", TEXT)) == []
    assert aside((None, TEXT), (heading, TEXT), ("Pilots", TEXT), ("License", TEXT)) == [3]


def test_appendices_may_follow_and_contents_come_first() -> None:
    assert aside(("Contents", TEXT), ("Copyright", TEXT), ("Tides", TEXT), ("Pilots", TEXT)) == [0, 1]
    assert aside(("1. Funding", TEXT), ("2. Contents", TEXT), ("3. Pilots", TEXT)) == []
    assert aside(("Tides", TEXT), ("Acknowledgements", TEXT), ("Appendix A: Bars", TEXT)) == [1]
    blocks = [Block("Tides", 1), Block(TEXT), Block("Funding", 1), Block(TEXT)]
    blocks += [Block("Appendix", 1), Block(TEXT), Block("Bars", 2), Block(TEXT)]
    found = without_boilerplate(assemble(blocks, source="x.txt", format="text"))
    assert [s.role for s in found.sections] == [None, "boilerplate", None, None]


def test_authors_and_addresses_at_the_beginning() -> None:
    assert aside((None, "Ann Lee, University of Kiel, lee@kiel.example"), ("Abstract", TEXT)) == [0]
    assert aside(
        (None, "Niklas J. Technische Universitat ¨ Darmstadt, Hochschulstraße 10"), ("Abstract", TEXT)
    ) == [0]
    for address in ("Ann Lee, Univ. Kiel", "Ann Lee, Strandweg 3, D-24105 Kiel", "Ann Lee, P.O. Box 9, Rhyl"):
        assert aside((None, address), ("Abstract", TEXT)) == [0]
    assert aside((None, "Of 10000 ships few came back, he wrote in 1821."), ("Abstract", TEXT)) == []
    assert aside((None, TEXT), ("Abstract", TEXT)) == []
    long = "We studied at the university. " * MAX_WORDS
    assert aside((None, long), ("Abstract", TEXT)) == []


def test_authors_above_an_abstract_without_a_heading_are_a_section_of_their_own() -> None:
    authors = ["Ann Lee", "University of Kiel", "lee@kiel.example"]
    blocks = [*map(Block, authors), Block(TEXT), Block(TEXT), Block("Tides", level=1), Block(TEXT)]
    blocks.append(Block("A. Lee. Tides. 2019.", role="references"))
    found = assemble(blocks, source="x.txt", format="text")
    own = [found.text[s.start : s.end] for s in found.sections]
    assert own == ["\n\n".join(authors), f"{TEXT}\n\n{TEXT}", f"Tides\n\n{TEXT}", "A. Lee. Tides. 2019."]
    assert [s.role for s in without_boilerplate(found).sections] == ["boilerplate", None, None, "references"]


@pytest.mark.parametrize(
    ("paragraphs", "count"),
    [
        (["Ann Lee", "University of Kiel", TEXT], 2),
        (["Ann Lee", TEXT], 0),  # no address
        (["Ann Lee", "University of Kiel"], 0),  # nothing behind it
        ([TEXT, "University of Kiel", TEXT], 0),  # not at the beginning
        (["The university of a town of twenty thousand people is old."], 0),
        (["Ann Lee, University of Kiel, writes on tides and winds for lee@kiel.example.", TEXT], 1),
        ([], 0),
        (["潮汐每天涨落两次。" * 60 + "https://tides.example", TEXT], 0),  # long, though it has one space
    ],
)
def test_where_prose_begins(paragraphs: list[str], count: int) -> None:
    assert count_leading_front_matter(paragraphs) == count


def test_where_nothing_else_is_left_all_stays_and_the_rest_can_be_taken_in() -> None:
    only = document(("License", TEXT), ("Copyright", TEXT))
    assert without_boilerplate(only) is only
    found = without_boilerplate(document(("Tides", TEXT), ("License", TEXT)))
    assert [item.what for item in set_aside(found)] == ["acknowledgements and licences"]
    assert len(list(found.compared())) == 1
    assert len(list(include(found, ["boilerplate"]).compared())) == 2
    assert found.text == document(("Tides", TEXT), ("License", TEXT)).text
