"""The report of a document's sources as one HTML file that asks for nothing."""

from __future__ import annotations

from colde.index.sources.counted_sources import Sources
from colde.report.html.html_page import html_page, json_in_html
from colde.report.sources.sources_payload import sources_payload
from colde.report.sources.sources_summary import (
    CAUTION,
    left_out_sentence,
    sources_sentence,
    sources_title,
    table_of_sources,
    versions_sentence,
)
from colde.serialise import json_pieces


def sources_html(sources: Sources) -> str:
    """One self-contained page: the view; without JavaScript, the totals and the ranking as a table."""
    payload = sources_payload(sources)
    pages = html_page(
        "sources.html.j2",
        own_script="sources.js",
        title=sources_title(sources),
        sentences=list(filter(None, (versions_sentence(sources), CAUTION))),
        summary=sources_sentence(sources),
        left_out=left_out_sentence(sources),
        ranking=table_of_sources(sources),
        payload=json_in_html(json_pieces(payload)),
    )
    return "".join(pages)
