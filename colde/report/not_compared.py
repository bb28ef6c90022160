"""What was not compared, and the warnings of both documents, for the terminal and the HTML report."""

from __future__ import annotations

from html import escape

from colde.report.formatting import clean
from colde.report.html_page import html_table, number_cell
from colde.results.comparison import Comparison
from colde.results.similarity_map import Letter
from colde.text.set_aside import set_aside_phrase

SIDES: tuple[Letter, ...] = ("a", "b")


def not_compared_lines(comparison: Comparison) -> list[str]:
    """A line for each document of which something was not compared.

    What a model did not read is left out: the notes of the scores say it.
    """
    excluded = comparison.set_aside
    phrases = {
        side: set_aside_phrase(item for item in excluded[side] if item.model is None) for side in SIDES
    }
    return [f"Not compared in {side.upper()}: {phrase}." for side, phrase in phrases.items() if phrase]


def not_compared_html(comparison: Comparison) -> str:
    """A section with a table of what was not compared; nothing where everything was."""
    excluded = comparison.set_aside
    rows = [
        [
            f"<td>{side.upper()}</td>",
            f"<td>{escape(clean(item.what))}</td>",
            number_cell(f"{item.words:,}"),
            f"<td>{escape(clean(item.why))}</td>",
            f"<td>{f'<code>--include {item.include}</code>' if item.include else '–'}</td>",
        ]
        for side in SIDES
        for item in excluded[side]
    ]
    if not rows:
        return ""
    table = html_table(("Document", "What", "#Words", "Why", "Option that compares it"), rows)
    return f'<h2>Not compared</h2><div data-testid="not-compared">{table}</div>'


def warnings_html(comparison: Comparison) -> str:
    """A paragraph for each warning; nothing where there is none."""
    return "".join(
        f'<p class="warning"><b>{side.upper()}</b>: {escape(clean(warning))}</p>\n'
        for side in SIDES
        for warning in comparison.warnings[side]
    )
