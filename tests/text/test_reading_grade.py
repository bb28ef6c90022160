"""The grade of a reading: worse for pages without text, letters that cannot be read, and text that is set aside."""

from __future__ import annotations

import pytest

import colde
from colde.ingest.shared.blocks import Block, assemble
from colde.text.document import Box, Document, ReadWarning, Section, Sentence
from colde.text.reading_grade import reading_grade

PROSE = "The keeper opens the gate at dawn and shuts it at dusk. No boat may pass without a good lamp."


def paged(pages: int, with_text: int, warned: int = 0) -> Document:
    """A document of so many pages, of which the first ones have a sentence each."""
    sentence = "The gate is open. "
    text = sentence * with_text
    sentences = tuple(
        Sentence(k * len(sentence), (k + 1) * len(sentence) - 1, (Box(k + 1, 0, 0, 9, 9),))
        for k in range(with_text)
    )
    warnings = (ReadWarning("letters are not known", ((1, warned),)),) if warned else ()
    sections = (Section(0, len(text), 0, sentences=sentences),)
    return Document(text, sections, pages=pages, warnings=warnings, format="pdf")


@pytest.mark.parametrize(
    ("with_text", "warned", "grade", "reason"),
    [
        (20, 0, "A", ""),
        (19, 0, "B", "1 of 20 pages have no text"),
        (14, 0, "C", "6 of 20 pages have no text"),
        (4, 0, "D", "16 of 20 pages have no text"),
        (20, 2, "B", "2 of 20 pages have a warning"),
        (20, 11, "D", "11 of 20 pages have a warning"),
        (14, 1, "C", "6 of 20 pages have no text; 1 of 20 pages have a warning"),
    ],
)
def test_pages_without_text_and_with_warnings(with_text: int, warned: int, grade: str, reason: str) -> None:
    made = reading_grade(paged(20, with_text, warned))
    assert (made.grade, "; ".join(made.reasons)) == (grade, reason)


@pytest.mark.parametrize(("bad", "grade"), [(0, "A"), (1, "B"), (10, "C"), (60, "D")])
def test_letters_that_cannot_be_read(bad: int, grade: str) -> None:
    document = colde.read_text(f"{PROSE} " * 28 + "\ufffd" * bad)
    assert reading_grade(document).grade == grade


@pytest.mark.parametrize("character", ["\ufffd", "\ue000", "\uf8ff", "\U000f0000", "\U0010fffd"])
def test_private_and_replacement_characters_cannot_be_read(character: str) -> None:
    made = reading_grade(colde.read_text(f"{PROSE} " * 28 + character))
    assert made.grade == "B" and "1 of " in made.reasons[0]
    for readable in ("é", "中", "\ufffc", "\U0001f600"):
        assert reading_grade(colde.read_text(f"{PROSE} " * 28 + readable)).grade == "A"


@pytest.mark.parametrize(("aside", "grade"), [(0, "A"), (1, "B"), (3, "C"), (12, "D")])
def test_text_that_is_set_aside(aside: int, grade: str) -> None:
    blocks = [Block(PROSE), Block(PROSE), *(Block(PROSE, role="footnote") for _ in range(aside))]
    assert reading_grade(assemble(blocks, source="a", format="text")).grade == grade


def test_a_warning_about_a_file_without_pages_is_something_to_know() -> None:
    made = reading_grade(colde.read(PROSE.encode() + b" caf\xe9 \x81 here.", name="a.txt"))
    assert made.grade == "B" and "1 warning on reading" in made.reasons


def test_the_grade_is_in_json_and_in_the_reports() -> None:
    from colde.ingest.document_json import to_dict
    from colde.report.content.report_tables import table_of_documents
    from colde.report.html.html_report import to_html

    a, b = colde.read_text(PROSE), colde.read_text(PROSE.replace("dawn", "noon"))
    comparison = colde.compare(a, b, models="tfidf")
    assert comparison.to_dict()["reading"] == {side: {"grade": "A", "reasons": []} for side in "ab"}
    assert to_dict(a)["reading"] == {"grade": "A", "reasons": []}
    table = table_of_documents(comparison)
    assert "Grade of reading: A for A, A for B<" in to_html(comparison)
    assert table.columns[-1] == "Reading" and [row[-1] for row in table.rows] == ["A", "A"]
