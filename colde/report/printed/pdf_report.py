"""The report of a comparison as PDF, and a matrix as PNG, typeset by Typst."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import date
from functools import singledispatch
from typing import Any

from colde.report.content.report_content import PassagePair, Quotation, report_content
from colde.report.content.report_record import carried_text
from colde.report.content.report_tables import ReportTable
from colde.report.formatting import is_right_to_left
from colde.report.maps.matrix_drawing import Drawing
from colde.report.printed.printed_report import (
    Block,
    Heading,
    Pairs,
    Paragraph,
    column_lengths,
    printed_blocks,
    report_title,
)
from colde.report.printed.typesetting import typeset
from colde.results.comparison import Comparison

NOTICE_AT = 3
"""Block before which the PDF says that characters are missing: after title, date and documents."""
NARROW = 12
"""Characters of the cells of a column up to which it is as narrow as they are."""


def to_pdf(comparison: Comparison, made: date | None = None) -> bytes:
    """The report as a PDF file.

    Arguments and errors as in `report_content`.

    Raises:
        MissingExtraError: Typst or its fonts are not installed.
    """
    content = report_content(comparison, made)
    languages = (comparison.a.language, comparison.b.language)
    record = f"colde-record:{carried_text(comparison, content.made)}"
    return blocks_to_pdf(report_title(content), printed_blocks(content, comparison), languages, record)


def blocks_to_pdf(
    title: str, blocks: Iterable[Block], languages: tuple[str | None, ...], keyword: str = ""
) -> bytes:
    """A report as a PDF file; the third of its blocks is a table.

    Args:
        languages: of the texts.
        keyword: in the metadata of the file.
    """
    content = {
        "title": title,
        "keywords": [keyword] if keyword else [],
        "notice_at": NOTICE_AT,
        "blocks": [_block(block) for block in blocks],
    }
    return typeset(("print_base.typ", "report.typ"), content, form="pdf", languages=languages)


def to_png(drawing: Drawing, languages: tuple[str | None, ...] = ()) -> bytes:
    """A drawing as a PNG file, two pixels for each of its own.

    Args:
        languages: of the texts, which decide about the shape of Chinese characters.

    Raises:
        MissingExtraError: Typst or its fonts are not installed.
    """
    content = {"drawing": _block(drawing)}
    return typeset(("print_base.typ", "matrix.typ"), content, form="png", languages=languages)


@singledispatch
def _block(block: Any) -> dict[str, Any]:
    raise TypeError(type(block))


@_block.register
def _(block: Heading) -> dict[str, Any]:
    return {"kind": "heading", **asdict(block)}


@_block.register
def _(block: Paragraph) -> dict[str, Any]:
    return {"kind": "paragraph", **asdict(block)}


@_block.register
def _(block: ReportTable) -> dict[str, Any]:
    columns = [
        {
            "title": title.removeprefix("#"),
            "number": title.startswith("#"),
            "length": length,
            "narrow": length <= NARROW,
        }
        for title, length in zip(block.columns, column_lengths(block), strict=True)
    ]
    return {"kind": "table", "columns": columns, "rows": [list(row) for row in block.rows]}


@_block.register
def _(block: Pairs) -> dict[str, Any]:
    return {"kind": "pairs", "items": [_pair(item) for item in block.items]}


def _pair(item: PassagePair) -> dict[str, Any]:
    return asdict(item) | {"a": _quotation(item.a), "b": _quotation(item.b)}


def _quotation(quotation: Quotation | None) -> dict[str, Any] | None:
    if quotation is None:
        return None
    rtl = is_right_to_left(quotation.text)
    return {"place": quotation.place, "pieces": quotation.pieces, "length": len(quotation.text), "rtl": rtl}


@_block.register
def _(block: Drawing) -> dict[str, Any]:
    return {
        "kind": "figure",
        "width": block.width,
        "height": block.height,
        "description": block.description,
        "shapes": block.to_svg(labels=False),
        "labels": [asdict(label) for label in block.labels],
    }
