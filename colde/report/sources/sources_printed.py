"""The report of a document's sources as a Word document and as PDF."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from colde.index.sources.counted_sources import Sources
from colde.report.content.report_tables import ReportTable
from colde.report.formatting import counted, long_date, precise_percent, printable
from colde.report.printed.docx_report import blocks_to_docx
from colde.report.printed.pdf_report import blocks_to_pdf
from colde.report.printed.printed_report import Block, Heading, Pairs, Paragraph
from colde.report.sources.sources_summary import (
    CAUTION,
    left_out_sentence,
    passage_pairs,
    source_label,
    sources_sentence,
    sources_title,
    table_of_sources,
    versions_sentence,
)
from colde.version import VERSION


def sources_docx(sources: Sources, made: date | None = None) -> bytes:
    """The report as a Word document.

    Args:
        made: date of the report, by default today.
    """
    made = made or date.today()
    return blocks_to_docx(_title(sources), made, _blocks(sources, made), _languages(sources))


def sources_pdf(sources: Sources, made: date | None = None) -> bytes:
    """The report as a PDF file; arguments as of `sources_docx`.

    Raises:
        MissingExtraError: Typst or its fonts are not installed.
    """
    return blocks_to_pdf(_title(sources), _blocks(sources, made or date.today()), _languages(sources))


def _title(sources: Sources) -> str:
    return printable(sources_title(sources))


def _languages(sources: Sources) -> tuple[str | None, ...]:
    return tuple(dict.fromkeys((sources.document.language, *(s.text.language for s in sources))))


def _blocks(sources: Sources, made: date) -> Iterator[Block]:
    document = sources.document
    pages = "–" if document.pages is None else f"{document.pages:,}"
    yield Heading(_title(sources), level=1)
    yield Paragraph(f"Report of {long_date(made)}, made by CoLDE Explorer {VERSION}", "muted")
    row = (printable(document.source), pages, f"{sources.words:,}", f"{sources.searched:,}")
    yield ReportTable(("File", "#Pages", "#Words", "#Documents compared in full"), (row,))
    yield Paragraph(sources_sentence(sources), "strong")
    for sentence in filter(None, (versions_sentence(sources), left_out_sentence(sources))):
        yield Paragraph(printable(sentence))
    yield Paragraph(CAUTION, "muted")
    if sources.sources:
        yield Heading("Ranked sources")
        yield table_of_sources(sources)
    for source in sources:
        about = f"{precise_percent(source.share)}, {counted(source.words, 'word')}"
        yield Heading(printable(f"{source.number}. {source_label(source)} ({about})"))
        yield Pairs(passage_pairs(sources, source))
