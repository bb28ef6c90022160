"""`colde redline`: both texts in one Word file and one PDF."""

from __future__ import annotations

from pathlib import Path

import pytest

import colde
from colde.cli import main
from colde.report.content.review_export import review_to_json
from colde.results.saved.review_decisions import Decisions, Mark
from colde.text.document import Span
from tests.printed_text import docx_text, pdf_text
from tests.report.redline.accepted import accepted, lines, paragraphs_of, rejected

PROSE = "The keeper opens the gate at {0}. No boat may pass without a lamp. The clerk keeps a ledger of the fees.\n"


@pytest.fixture
def versions(tmp_path: Path) -> tuple[Path, Path]:
    files = tmp_path / "v1.md", tmp_path / "v2.txt"
    for file, time in zip(files, ("dawn", "noon"), strict=True):
        file.write_text(PROSE.format(time), encoding="utf-8")
    return files


def test_a_redline_in_both_formats_with_the_comments_of_a_review(
    versions: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = map(colde.read, versions)
    (change,) = colde.compare(a, b, models="tfidf").changes
    assert change.a is not None and change.b is not None
    mark = Mark(
        Span(change.a.start, change.a.end),
        Span(change.b.start, change.b.end),
        "rejected",
        "Not at noon.",
        True,
    )
    review = tmp_path / "r.review.json"
    review.write_text(review_to_json(a, b, Decisions((mark,)), texts=False), encoding="utf-8")
    targets = tmp_path / "r.docx", tmp_path / "r.pdf"
    call = [
        "redline",
        *map(str, versions),
        "--docx",
        str(targets[0]),
        "--pdf",
        str(targets[1]),
        "--review",
        str(review),
    ]
    assert main(call) == 0
    assert "wrote" in capsys.readouterr().err
    data = targets[0].read_bytes()
    assert paragraphs_of(accepted(data)) == lines(b.text)
    assert paragraphs_of(rejected(data)) == lines(a.text)
    printed = " ".join(pdf_text(targets[1].read_bytes()).split())
    assert "dawn" in printed and "noon" in printed and "rejected. Not at noon." in printed
    assert "noon" in docx_text(data)


def test_a_redline_needs_a_file_that_is_no_input(
    versions: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["redline", *map(str, versions)]) == 2
    assert "name --docx FILE, --pdf FILE or both" in capsys.readouterr().err
    assert main(["redline", *map(str, versions), "--docx", str(versions[0])]) == 2
    assert "would be overwritten" in capsys.readouterr().err


def test_texts_that_are_no_versions_are_noted(
    pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["redline", *map(str, pair), "--docx", str(tmp_path / "r.docx")]) == 0
    assert "note: less than half of either text is in the other" in capsys.readouterr().err
