"""Downloads of a comparison: reports, an image of a matrix, the numbers, the review. All are made in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import streamlit as st

from colde.comparison.claim_chart import ClaimChart
from colde.comparison.ledger import Ledger
from colde.errors import ReadError
from colde.ingest import sandbox
from colde.report.content.changes_report import changes_table
from colde.report.content.review_export import comparison_tables, review_table, review_to_json
from colde.report.formatting import sentence_case
from colde.report.html.html_report import html_pieces
from colde.report.ledger_and_chart import chart_tables, ledger_tables
from colde.report.maps.map_names import map_title
from colde.report.maps.matrix_drawing import draw_matrix, drawable_maps
from colde.report.printed.pdf_annotations import passage_annotations
from colde.report.printed.pdf_report import to_pdf, to_png
from colde.report.printed.typesetting import MISSING_EXTRA, can_typeset
from colde.report.redline.docxodus import MISSING_EXTRA as DOCXODUS_MISSING
from colde.report.redline.docxodus import can_track_changes, is_word_file
from colde.results.comparison import Comparison
from colde.results.saved.record import text_hash
from colde.results.saved.review_decisions import Decisions
from colde.serialise import join_utf8
from colde.text.clauses_and_requirements.requirements import Rows
from colde_explorer_app.linked_view import what_if_answers
from colde_explorer_app.linked_view.linked_view_panel import (
    chart_rows_shown,
    kept_chart,
    kept_ledger,
    pair_key,
)
from colde_explorer_app.session import deferred_downloads, session_reviews
from colde_explorer_app.session.deferred_downloads import File, file_stem, zip_of
from colde_explorer_app.session.document_source import SIDES, Side, Source
from colde_explorer_app.session.session_documents import source_of
from colde_explorer_app.session.state import INCLUDE_TEXTS, AnswerCache, View, state

DOCX_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True, slots=True)
class Shown:
    """What the files of a pair are made of.

    Attributes:
        comparison: with the review of the pair.
        what_if: scores without the passages left out, if the models were asked.
        texts: whether the review file holds the texts.
        pdfs: the PDFs among the two inputs.
        word_files: both inputs, where they are Word documents.
        model: whose matrix is drawn.
        matrix: the name of its map; None where it has none.
        rows: which passages are the rows of the claim chart.
        pair: key of the pair in `answers`, which hold its ledger and chart once they are made.
    """

    comparison: Comparison
    what_if: Mapping[str, Any] | None
    texts: bool
    pdfs: Mapping[Side, Source]
    word_files: tuple[bytes, bytes] | None = None
    model: str = ""
    matrix: str | None = None
    rows: Rows = "requirements"
    pair: str = ""
    answers: AnswerCache = field(default_factory=AnswerCache)


def downloads(comparison: Comparison, model: str) -> None:
    """Draw the download buttons: the numbers, the report, the review, and an image of a matrix of this model."""
    buttons = st.container()
    matrix = _matrix_chooser(comparison, model)
    shown = replace(_shown(comparison), model=model, matrix=matrix)
    a, b = comparison.a, comparison.b
    with buttons:
        deferred_downloads.downloads(
            files(shown),
            shown,
            group="download",
            subject=f"{text_hash(a)} {text_hash(b)}",
            stem=file_stem(a, b),
        )


def _matrix_chooser(comparison: Comparison, model: str) -> str | None:
    maps = drawable_maps(comparison, model)
    if not maps:
        return None
    return st.selectbox(
        "Map of the matrix image",
        list(maps),
        key=f"matrix_of_{model}",
        format_func=lambda name: sentence_case(map_title(maps[name])),
    )


def _shown(comparison: Comparison) -> Shown:
    a, b = comparison.a, comparison.b
    reviewed = replace(comparison, review=session_reviews.decisions(a, b))
    sources = {side: source_of(side) for side in SIDES}
    pdfs = {side: s for side, s in sources.items() if s is not None and s.is_pdf and not s.packed}
    return Shown(
        reviewed,
        what_if_answers.last_answer(comparison, session_reviews.left_out(a, b)),
        INCLUDE_TEXTS.get(),
        pdfs,
        _word_files(sources[side] for side in SIDES),
        rows=chart_rows_shown(),
        pair=pair_key(),
        answers=state(View).answers,
    )


def _word_files(sources: Iterable[Source | None]) -> tuple[bytes, bytes] | None:
    """The inputs, where both are Word documents."""
    data = [
        s.data for s in sources if s is not None and not s.pasted and not s.packed and is_word_file(s.data)
    ]
    return (data[0], data[1]) if len(data) == len(SIDES) else None


def files(shown: Shown) -> list[File[Shown]]:
    """The files that can be downloaded; the CSV tables are those that `colde compare --csv` writes."""
    needs = "" if can_typeset() else MISSING_EXTRA
    word_needs = "" if shown.word_files is None or can_track_changes() else DOCXODUS_MISSING
    matrix = (
        File("Matrix (PNG)", "matrix.png", "image/png", _matrix_png, needs),
        File("Matrix (SVG)", "matrix.svg", "image/svg+xml", _matrix_svg),
    )
    return [
        File("HTML report", "html", "text/html", _report),
        File("DOCX report", "docx", DOCX_TYPE, _docx),
        File("PDF report", "pdf", "application/pdf", lambda shown: to_pdf(shown.comparison), needs),
        File("Redline (DOCX)", "redline.docx", DOCX_TYPE, _redline_docx, word_needs),
        File("Redline (PDF)", "redline.pdf", "application/pdf", _redline_pdf, needs),
        *(matrix if shown.matrix is not None else ()),
        File("JSON", "json", "application/json", lambda shown: join_utf8(shown.comparison.json_pieces())),
        File(
            "CSV tables", "zip", "application/zip", lambda shown: zip_of(comparison_tables(shown.comparison))
        ),
        File("Review file", "review.json", "application/json", _review_file),
        File(
            "Shared passages (CSV)",
            "passages.csv",
            "text/csv",
            lambda shown: review_table(shown.comparison).encode(),
        ),
        File(
            "Changes (CSV)", "changes.csv", "text/csv", lambda shown: changes_table(shown.comparison).encode()
        ),
        File("Claim chart (DOCX)", "chart.docx", DOCX_TYPE, _chart_docx),
        File(
            "Claim chart (XLSX)", "chart.xlsx", XLSX_TYPE, lambda shown: chart_tables.to_xlsx(_chart(shown))
        ),
        File(
            "Claim chart (CSV)",
            "chart.csv",
            "text/csv",
            lambda shown: chart_tables.to_csv(_chart(shown)).encode(),
        ),
        File(
            "Claim chart (JSON)",
            "chart.json",
            "application/json",
            lambda shown: _chart(shown).to_json().encode(),
        ),
        File(
            "Ledger (XLSX)",
            "ledger.xlsx",
            XLSX_TYPE,
            lambda shown: ledger_tables.to_xlsx(_ledger(shown)),
        ),
        File(
            "Ledger (CSV)",
            "ledger.csv",
            "text/csv",
            lambda shown: ledger_tables.to_csv(_ledger(shown)).encode(),
        ),
        File(
            "Ledger (JSON)",
            "ledger.json",
            "application/json",
            lambda shown: _ledger(shown).to_json().encode(),
        ),
        *(
            File(
                f"Annotated PDF of {side.upper()}",
                f"{side}.annotated.pdf",
                "application/pdf",
                partial(_annotated, side),
            )
            for side in shown.pdfs
        ),
    ]


def _report(shown: Shown) -> bytes:
    return join_utf8(html_pieces(shown.comparison, what_if=shown.what_if))


def _docx(shown: Shown) -> bytes:
    from colde.report.printed.docx_report import to_docx  # imported on use: the first page loads fast

    return to_docx(shown.comparison)


def _redline_docx(shown: Shown) -> bytes:
    from colde.report.redline.redline_files import redline_docx

    return redline_docx(shown.comparison, shown.word_files).data


def _redline_pdf(shown: Shown) -> bytes:
    from colde.report.redline.redline_files import redline_pdf

    return redline_pdf(shown.comparison)


def _chart(shown: Shown) -> ClaimChart:
    return kept_chart(shown.answers, shown.pair, shown.comparison, shown.rows)


def _ledger(shown: Shown) -> Ledger:
    return kept_ledger(shown.answers, shown.pair, shown.comparison)


def _chart_docx(shown: Shown) -> bytes:
    from colde.report.ledger_and_chart.chart_docx import to_docx  # imported on use: the first page loads fast

    return to_docx(_chart(shown))


def _review_file(shown: Shown) -> bytes:
    c = shown.comparison
    return review_to_json(c.a, c.b, c.review or Decisions(), texts=shown.texts).encode()


def _matrix_png(shown: Shown) -> bytes:
    c = shown.comparison
    return to_png(draw_matrix(c, shown.matrix, shown.model), (c.a.language, c.b.language))


def _matrix_svg(shown: Shown) -> bytes:
    return draw_matrix(shown.comparison, shown.matrix, shown.model).to_svg().encode()


def _annotated(side: Side, shown: Shown) -> bytes:
    source = shown.pdfs[side]
    try:
        return sandbox.annotate_in_sandbox(
            source.data, source.name, passage_annotations(shown.comparison, side), source.password
        )
    except ReadError as error:
        return f"{error}\n".encode()
