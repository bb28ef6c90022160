"""The table of what both texts share by kind, in the HTML report: each number a link to its passages."""

from __future__ import annotations

from html import escape

from colde.report.formatting import clean, shorten
from colde.report.shared_kinds import KindRow, kind_note, kind_rows
from colde.results.comparison import Comparison
from colde.results.shared_text import SharedPassage

MAX_PASSAGES = 10
"""Passages of one kind that the report prints."""
MAX_PASSAGE = 400


def kinds_html(comparison: Comparison) -> str:
    """The table and, below it, the longest passages of each kind; nothing where it was not counted."""
    shared = comparison.shared
    if shared is None:
        return ""
    rows = kind_rows(shared)
    lines = "".join(
        f'<tr><th scope="row">{row.label}</th>{_linked(row, row.a)}{_linked(row, row.b)}'
        f"{_linked(row, f'{len(row.passages):,}' if row.kind != 'rest' else '')}<td>{escape(row.means)}</td></tr>"
        for row in rows
    )
    head = "".join(
        f'<th scope="col"{look}>{name}</th>'
        for name, look in (
            ("Shared", ""),
            ("Of A", ' class="number"'),
            ("Of B", ' class="number"'),
            ("Passages", ' class="number"'),
            ("What it is", ""),
        )
    )
    return (
        f'<h2>How much is shared</h2><div class="wide" tabindex="0"><table><thead><tr>{head}</tr></thead>'
        f'<tbody>{lines}</tbody></table></div><p class="muted">{escape(kind_note(shared))}</p>'
        + "".join(_passages(comparison, row) for row in rows if row.passages)
    )


def _linked(row: KindRow, number: str) -> str:
    inner = f'<a href="#{_id(row)}">{number}</a>' if row.passages else number
    return f'<td class="number">{inner}</td>'


def _id(row: KindRow) -> str:
    return f"shared-{row.kind.replace(' ', '-')}"


def _passages(comparison: Comparison, row: KindRow) -> str:
    shown = row.passages[:MAX_PASSAGES]
    items = "".join(f"<tr>{_passage(comparison, p)}</tr>" for p in shown)
    title = f"{row.label.capitalize()}: the longest {len(shown)} of {len(row.passages):,} passages"
    return (
        f'<details><summary>{escape(title)}</summary><div id="{_id(row)}" class="wide" tabindex="0"><table>'
        '<thead><tr><th scope="col">In A</th><th scope="col">In B</th><th scope="col" class="number">Words</th></tr>'
        f"</thead><tbody>{items}</tbody></table></div></details>"
    )


def _passage(comparison: Comparison, passage: SharedPassage) -> str:
    cells = ""
    for document, span in ((comparison.a, passage.a), (comparison.b, passage.b)):
        text = shorten(" ".join(document.text[span.start : span.end].split()), MAX_PASSAGE)
        cells += f'<td class="passage" dir="auto">{escape(clean(text))}</td>'
    return f'{cells}<td class="number">{passage.words}</td>'
