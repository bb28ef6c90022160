"""A version history as HTML: one file that asks for nothing, and the list of sentences for the page."""

from __future__ import annotations

from typing import Any

from colde.comparison.version_history import VersionHistory
from colde.report.history import history_summary
from colde.report.history.history_summary import history_sentence, history_title, table_of_versions
from colde.report.html.html_page import html_page, html_part, template_file

STYLE = "history.css"


def history_html(history: VersionHistory) -> str:
    """One self-contained page: the table of versions, and each sentence with its history behind a click."""
    pages = html_page(
        "history.html.j2",
        css=template_file(STYLE),
        own_script="history.js",
        linked_view=False,
        title=history_title(history),
        summary=history_sentence(history),
        versions=table_of_versions(history),
        **_values(history),
    )
    return "".join(pages)


def sentences_html(history: VersionHistory, version: int | None = None) -> str:
    """The list of sentences with its style.

    Args:
        version: only sentences that this version changed, added or removed; None for all.
    """
    part = html_part("history_sentences.html.j2", version=version, **_values(history))
    return f"<style>{template_file(STYLE)}</style>{part}"


def _values(history: VersionHistory) -> dict[str, Any]:
    return {
        "history": history,
        "since_label": history_summary.since_label,
        "step_label": history_summary.step_label,
        "origin_label": history_summary.origin_label,
    }
