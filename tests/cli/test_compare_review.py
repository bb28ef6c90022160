"""`colde compare --review --annotate`: decisions of a review go onto the pages of the PDFs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import colde
from colde.cli import main
from colde.corpus.samples import sample_named
from colde.report.content.review_export import review_to_json
from colde.results.saved.review_decisions import Decisions, Mark
from colde.text.document import Document, Span
from tests.pdf_annotations import annotations
from tests.printed_text import docx_text, pdf_text

SAMPLE = sample_named("lighthouse")


def write_review(folder: Path, a: Document, b: Document, decisions: Decisions) -> Path:
    file = folder / "review.json"
    file.write_text(review_to_json(a, b, decisions, texts=False), encoding="utf-8")
    return file


@pytest.mark.slow
def test_what_was_rejected_is_not_on_the_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(SAMPLE.a_pdf), str(SAMPLE.b)]
    folder = tmp_path / "marked"
    assert main(["compare", *files, "--model", "tfidf", "--annotate", str(folder)]) == 0
    (written,) = folder.iterdir()
    assert "is not a PDF" in capsys.readouterr().err
    before = len(annotations(written.read_bytes()))
    assert before > 0

    a, b = colde.read(files[0]), colde.read(files[1])
    shared = colde.compare(a, b, models=["tfidf"]).shared
    assert shared is not None
    marks = tuple(Mark(p.a, p.b, "rejected") for p in shared.passages[1:])
    lost = Mark(Span(1, 4), Span(2, 9), "accepted")
    file = write_review(tmp_path, a, b, Decisions((*marks, lost)))
    call = ["compare", *files, "--model", "tfidf", "--annotate", str(folder), "--review", str(file)]
    assert main(call) == 0
    assert 0 < len(annotations(written.read_bytes())) < before
    assert "note: 1 decision of the review could not be placed" in capsys.readouterr().err


@pytest.mark.slow
def test_a_review_is_in_every_output(tmp_path: Path) -> None:
    a, b = colde.read(SAMPLE.a), colde.read(SAMPLE.b)
    shared = colde.compare(a, b, models=["tfidf"]).shared
    assert shared is not None
    first = shared.passages[0]
    mark = Mark(first.a, first.b, "accepted", "Seen twice.")
    out = Span(b.sections[1].start, b.sections[1].end)
    file = write_review(tmp_path, a, b, Decisions((mark,), (), (out,)))
    targets = {kind: tmp_path / f"out.{kind}" for kind in ("json", "html", "csv", "docx", "pdf")}
    call = ["compare", str(SAMPLE.a), str(SAMPLE.b), "--model", "tfidf", "--review", str(file)]
    for kind, target in targets.items():
        call += [f"--{kind}", str(target)]
    assert main(call) == 0
    found = json.loads(targets["json"].read_text(encoding="utf-8"))["review"]
    assert found["marks"][0]["note"] == "Seen twice."
    assert found["left_out"] == {"a": [], "b": [{"start": out.start, "end": out.end}]}
    for file in (targets["html"], targets["csv"] / "review.csv"):
        content = file.read_text(encoding="utf-8")
        assert "Seen twice." in content
        assert "eft out" in content
    for text in (docx_text(targets["docx"].read_bytes()), pdf_text(targets["pdf"].read_bytes())):
        assert "Seen twice." in text
        assert "1 were accepted" in text
        assert "Left out with What if" in text


def test_a_review_of_other_texts_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = colde.read(SAMPLE.a), colde.read(SAMPLE.b)
    mark = Mark(Span(0, 5), Span(2, 9), "accepted")
    files = [str(SAMPLE.a), str(SAMPLE.b)]
    for texts, spans, status in (
        ((a, a), (mark,), 2),
        ((a, b), (Mark(Span(0, 9**9), Span(2, 9)),), 2),
        ((b, a), (), 0),
    ):
        file = write_review(tmp_path, *texts, Decisions(spans))
        assert main(["compare", *files, "--model", "tfidf", "--quiet", "--review", str(file)]) == status
    assert "is a review of other texts" in capsys.readouterr().err


def test_a_review_that_is_none_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "review.json"
    file.write_text("{}", encoding="utf-8")
    call = ["compare", str(SAMPLE.a), str(SAMPLE.b), "--model", "tfidf", "--review", str(file)]
    assert main(call) == 2
    assert "is not a review" in capsys.readouterr().err
