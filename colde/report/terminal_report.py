"""A comparison on the terminal: verdict, scores of each model, section matrix, and the passages behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from colde.report.changes_report import print_changes
from colde.report.contribution_summary import summarise_contribution
from colde.report.disagreement import disagreement
from colde.report.formatting import (
    clean,
    format_weight,
    heading,
    plain_table,
    print_warnings,
    share_percent,
    shorten,
    size,
)
from colde.report.map_names import map_label, section_map
from colde.report.not_compared import not_compared_lines
from colde.report.shared_kinds import kind_note, kind_rows
from colde.report.verdict import missing_verdict_notes, percent, probability_title, stance, verdict
from colde.results.comparison import Comparison
from colde.results.match import Match, Passage
from colde.results.model_score import Score
from colde.results.prior import BALANCED
from colde.results.shared_text import SharedText
from colde.results.similarity_map import Letter, SimilarityMap
from colde.text.document import Document, Span

BAR, WIDE_BAR = 10, 28  # characters of a score bar, on a terminal of 80 and of 100 columns
MAX_ROWS = 16  # sections of A shown in the matrix
LABEL = 26  # characters of a section's label
MAX_QUOTE = 220  # characters of a quoted passage
MIN_RARITY = 0.5  # worth of a match below which it is said to be usual between unrelated documents
MAX_MATCHES = 5  # passages shown
RAMP = ("", "#d0d1e6", "#a6bddb", "#74a9cf", "#3690c0", "#0570b0", "#034e7b")
"""ColorBrewer's PuBu, 7 classes: sequential, and safe for colour-blind readers. The lowest is the terminal's own
background, so that cells that say nothing stay quiet on dark and on light terminals."""


def print_report(comparison: Comparison, console: Console) -> None:
    """Verdict, scores of each model, where they disagree, section matrix and top matches."""
    a, b = comparison.a, comparison.b
    documents: tuple[tuple[Letter, Document], ...] = (("a", a), ("b", b))
    for side, document in documents:
        name = clean(document.source)
        console.print(Text.assemble((f"{side.upper()}  ", "bold"), name, f"   {size(document)}"))
        print_warnings(comparison.warnings[side], console)
    for line in not_compared_lines(comparison):
        console.print(Text(clean(line), style="dim"))
    console.print()
    judged = verdict(comparison)
    console.print(Text(clean(judged.sentence), style="bold"))
    if judged.link:
        console.print(Text(clean(judged.link)))
    made = summarise_contribution(comparison)
    if made is not None:
        console.print(Text(" ".join(filter(None, (made.sentence, made.more)))))
    console.print(Text(f"{judged.basis} {judged.caution}", style="dim"))
    console.print()
    bar = WIDE_BAR if console.width >= 100 and comparison.prior == BALANCED else BAR
    console.print(_scores(comparison.results, bar, comparison.prior))
    for sentence in disagreement(comparison):
        console.print(Text(clean(sentence)))
    for line in _score_parts_lines(comparison.results):
        console.print(Text(line))
    for note in _notes(comparison):
        console.print(Text(note, style="dim"))
    if comparison.shared is not None:
        console.print()
        console.print(_kinds(comparison.shared))
        console.print(Text(kind_note(comparison.shared), style="dim"))
    print_changes(comparison, console)
    found = _matrix(comparison)
    if found is not None:
        console.print()
        _print_matrix(*found, comparison, console)
    shown = [e for e in comparison.evidence if e.model == _first_with_evidence(comparison)][:MAX_MATCHES]
    if shown:
        console.print()
        significant = any(evidence.stands_out for evidence in shown)
        title = (
            "Passages that carry the likeness"
            if significant
            else "The closest passages: unrelated texts have such, too"
        )
        console.print(Text(title, style="bold"))
        for number, evidence in enumerate(shown, 1):
            _print_match(number, evidence, comparison, console)
    console.print()
    console.print(Text(f"{comparison.timing.get('total', 0.0):.1f} s", style="dim"))


# ---------------------------------------------------------------- scores


def _scores(results: Sequence[Score], bar: int, prior: float) -> Table:
    table = plain_table()
    table.add_column("model")
    table.add_column("threshold │", no_wrap=True)
    for name in ("score", "threshold", probability_title(prior), "percentile"):
        table.add_column(name, justify="right", no_wrap=prior == BALANCED)  # names of models give way first
    table.add_column("says", no_wrap=True)
    for result in results:
        table.add_row(
            result.title,
            score_bar(result.score, result.threshold, bar),
            f"{result.score:.2f}",
            "–" if result.threshold is None else f"{result.threshold:.2f}",
            "–" if result.probability is None else f"{percent(result.probability)} %",
            "–" if result.percentile is None else share_percent(result.percentile),
            stance(result) or "–",
        )
    return table


def _kinds(shared: SharedText) -> Table:
    """Table of how much of each text is copied, edited, paraphrased, or about the same subject."""
    table = plain_table()
    table.add_column("shared")
    for name in ("of A", "of B", "passages"):
        table.add_column(name, justify="right")
    for row in kind_rows(shared):
        table.add_row(row.kind, row.a, row.b, f"{len(row.passages):,}" if row.kind != "rest" else "")
    return table


def score_bar(score: float, threshold: float | None, width: int) -> Text:
    """The score on a scale of its own, where the threshold (│) stands in the middle if it can.

    The bar passes the tick exactly when the score reaches the threshold, however close the two are.
    """
    lowest = min(0.0, score, threshold or 0.0)
    highest = max(score, 2 * threshold if threshold else 1.0, lowest + 1e-9)

    def place(value: float) -> int:
        return round((value - lowest) / (highest - lowest) * width)

    filled = place(score)
    if threshold is None:
        return _bar_cells(filled, width)
    tick = min(max(place(threshold), 1), width - 2)
    filled = max(filled, tick + 2) if score >= threshold else min(filled, tick - 1)
    bar = _bar_cells(filled, tick)
    bar.append("│", style="bold")
    return bar.append_text(_bar_cells(filled - tick - 1, width - tick - 1))


def _bar_cells(filled: int, length: int) -> Text:
    filled = min(max(filled, 0), length)
    return Text.assemble(("█" * filled, "blue"), ("░" * (length - filled), "dim"))


def _score_parts_lines(results: Sequence[Score]) -> list[str]:
    """A line for each mixture: `The score of CoLDE: .50 × vectors .42 + .50 × words .31`."""
    lines = []
    for result in results:
        terms = [f"{_format_short(p.weight)} × {p.name} {_format_short(p.value)}" for p in result.parts]
        if terms:
            lines.append(f"The score of {result.title}: {' + '.join(terms)}")
    return lines


def _notes(comparison: Comparison) -> list[str]:
    """Sentences that a reader of the scores needs: text that was not read, models without a threshold."""
    notes = missing_verdict_notes(comparison.results[1:])
    for result in comparison.results:
        for letter, reading in (("A", result.read_a), ("B", result.read_b)):
            if reading.tokens_read < reading.tokens:
                notes.append(
                    f"{result.title} read {reading.tokens_read:,} of the {reading.tokens:,} tokens of {letter}."
                )
    return notes


# ---------------------------------------------------------------- matrix


def _matrix(comparison: Comparison) -> tuple[str, SimilarityMap] | None:
    """Title and section map of the first model that has one."""
    for result in comparison.results:
        found = section_map(comparison.maps.get(result.name, {}))
        if found is not None:
            return result.title, found
    return None


def _print_matrix(title: str, shown: SimilarityMap, comparison: Comparison, console: Console) -> None:
    rows_of, columns_of = shown.values.shape
    cell = 5 if np.nanmin(shown.values) < 0 else 4  # characters, the space between two cells included
    fitting = max((console.width - LABEL - 6) // cell, 1)
    rows, columns = _strongest(shown.values, 1, MAX_ROWS), _strongest(shown.values, 0, fitting)
    values = shown.values[np.ix_(rows, columns)]
    console.print(
        Text(
            f"Sections of A (rows) and B (columns): {map_label(shown)}, by {title}, {shown.unit}",
            style="bold",
        )
    )
    console.print(Text(shown.meaning, style="dim"))
    low, high = float(np.nanmin(shown.values)), float(np.nanmax(shown.values))
    coloured = console.color_system is not None

    head = Text(" " * (LABEL + 5) + "".join(f"{column + 1:>{cell}}" for column in columns), style="dim")
    console.print(head, no_wrap=True, crop=True)
    for row, line in zip(rows, values, strict=True):
        label = shorten(_label(comparison.a, shown.rows[row]), LABEL)
        text = Text.assemble((f"{row + 1:>2}  ", "dim"), f"{label:<{LABEL}} ")
        for value in line:
            text.append(_cell_text(value, cell), style=_cell_style(value, low, high) if coloured else "")
        console.print(text, no_wrap=True, crop=True)
    console.print()
    for column in columns:
        label = _label(comparison.b, shown.columns[column])
        entry = Text.assemble((f"{column + 1:>2}  ", "dim"), shorten(label, console.width - 5))
        console.print(entry, no_wrap=True)
    legend = Text(f"cells from {low:.2f} ", style="dim")
    if coloured:
        for colour in RAMP[1:]:
            legend.append("  ", style=f"on {colour}")
    legend.append(f" to {high:.2f}", style="dim")
    if len(rows) < rows_of or len(columns) < columns_of:
        legend.append(
            f"   {len(rows)} of {rows_of} sections of A and {len(columns)} of {columns_of} of B are shown, "
            "those with the strongest cells; --json and --csv hold all",
            style="dim",
        )
    console.print(legend)


def _strongest(values: np.ndarray[Any, np.dtype[np.float32]], axis: int, count: int) -> list[int]:
    """Indices, in order, of the `count` rows (axis 1) or columns (axis 0) that hold the largest values."""
    best = np.max(np.where(np.isnan(values), -np.inf, values), axis=axis)
    return sorted(np.argsort(-best, kind="stable")[:count].tolist())


def _label(document: Document, span: Span) -> str:
    index = document.section_at(span.start)
    return "(no heading)" if index is None else heading(document.sections[index])


def _cell_text(value: float, width: int) -> str:
    """A value in a cell of this width; blank where there is none."""
    return " " * width if np.isnan(value) else f"{_format_short(value):>{width}}"


def _format_short(value: float) -> str:
    """Two digits after the point, without the zero before it; one digit from 1 on."""
    text = f"{value:.2f}".replace("0.", ".", 1) if abs(value) < 0.995 else f"{value:.1f}"
    return ".00" if text == "-.00" else text


def _cell_style(value: float, low: float, high: float) -> str:
    if np.isnan(value):
        return ""
    step = round((value - low) / (high - low) * (len(RAMP) - 1)) if high > low else 0
    return f"{'black' if step < 4 else 'white'} on {RAMP[step]}" if step else ""


# ---------------------------------------------------------------- evidence


def _first_with_evidence(comparison: Comparison) -> str | None:
    return comparison.evidence[0].model if comparison.evidence else None


def _print_match(number: int, evidence: Match, comparison: Comparison, console: Console) -> None:
    usual = evidence.rarity is not None and evidence.rarity < MIN_RARITY
    note = ", usual between unrelated documents" if usual else ""
    said = f"{evidence.kind}, weight {format_weight(evidence.weight)}{note}"
    console.print(Text.assemble((f"{number}  ", "bold"), said))
    for letter, document, passage in (("A", comparison.a, evidence.a), ("B", comparison.b, evidence.b)):
        quote = shorten(clean(document.text[passage.start : passage.end]), MAX_QUOTE)
        line = Text.assemble((f"{letter}  ", "bold"), (_passage_place(passage), "dim"), f"“{quote}”")
        console.print(Padding.indent(line, 3))


def _passage_place(passage: Passage) -> str:
    parts = []
    if passage.section:
        parts.append(shorten(clean(passage.section), 50))
    if passage.page is not None:
        parts.append(f"p. {passage.page}")
    return ", ".join(parts) + ": " if parts else ""
