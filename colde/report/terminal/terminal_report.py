"""A comparison on the terminal: verdict, scores, contribution to score, section matrix and shared passages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from colde.comparison.questions.word_by_word import WordContributions
from colde.report.content.changes_report import print_changes
from colde.report.formatting import (
    apart,
    clean,
    counted,
    hanging,
    number_or_dash,
    passage_place,
    plain_table,
    precise_percent,
    print_warnings,
    quote,
    section_name,
    share_or_dash,
    shorten,
    size,
)
from colde.report.maps.map_names import map_label, section_map
from colde.report.wording.contribution_summary import pair_name, summarise_contribution
from colde.report.wording.disagreement import disagreement
from colde.report.wording.headline import passages_heading
from colde.report.wording.shared_kinds import kind_note, kind_rows
from colde.report.wording.verdict import missing_verdict_notes, stance, verdict
from colde.results.comparison import Comparison
from colde.results.model_score import Score
from colde.results.passage import Passage
from colde.results.shared_text import ClosestPair, SharedPassage, SharedText
from colde.results.similarity_map import Letter, SimilarityMap
from colde.results.verdicts.prior import BALANCED
from colde.results.verdicts.verdict_words import percent_or_dash, probability_title
from colde.text.document import Document
from colde.text.not_compared.set_aside import set_aside_phrase

BAR, WIDE_BAR = 10, 28  # characters of a score bar, on a terminal of 80 and of 100 columns
MAX_ROWS = 16  # sections of A shown in the matrix
LABEL = 22  # characters of the heading of a row
MAX_QUOTE = 220  # characters of a quoted passage
MAX_HEADING = 50  # characters of the heading above it
MAX_PASSAGES = 5  # shared passages shown
MAX_CLOSEST = 2  # closest other sentences shown where no passage is shared
MAX_PAIRS = 8  # contributions shown
MAX_PAIRS_QUOTED = 3  # of them with their strongest sentences
MAX_WORD_PAIRS, MAX_SENTENCE = 12, 100  # pairs of words of two sentences shown, and characters of a sentence
RAMP = ("", "#d0d1e6", "#a6bddb", "#74a9cf", "#3690c0", "#0570b0", "#034e7b")
"""ColorBrewer's PuBu with 7 classes, sequential and safe for colour-blind readers. The lowest class has the background
of the terminal, dark or light."""


def print_report(comparison: Comparison, console: Console) -> None:
    """Verdict, scores of each model, where they disagree, contribution to score, section matrix and shared passages."""
    _print_documents(comparison, console)
    console.print()
    _print_verdict(comparison, console)
    console.print()
    _print_scores(comparison, console)
    _print_contributions(comparison, console)
    if comparison.shared is not None:
        console.print()
        _print_kinds(comparison.shared, console)
    print_changes(comparison, console)
    drawn = _section_matrix(comparison)
    if drawn is not None:
        console.print()
        _print_matrix(*drawn, comparison, console)
    if comparison.shared is not None:
        _print_shared(comparison, comparison.shared, console)
    console.print()
    console.print(Text(f"Compared in {comparison.timing.get('total', 0.0):.1f} s.", style="dim"))


def _print_documents(comparison: Comparison, console: Console) -> None:
    documents: tuple[tuple[Letter, Document], ...] = (("a", comparison.a), ("b", comparison.b))
    for side, document in documents:
        name = clean(document.source)
        console.print(Text.assemble((f"{side.upper()}  ", "bold"), name, f"   {size(document)}"))
        print_warnings(comparison.warnings[side], console)
    for line in not_compared_lines(comparison):
        console.print(Text(clean(line), style="dim"))


def not_compared_lines(comparison: Comparison) -> list[str]:
    """A line for each document of which something was not compared.

    What a model did not read is left out: the notes of the scores say it.
    """
    phrases = {
        side: set_aside_phrase(item for item in items if item.model is None)
        for side, items in comparison.set_aside.items()
    }
    return [f"Not compared in {side.upper()}: {phrase}." for side, phrase in phrases.items() if phrase]


def _print_verdict(comparison: Comparison, console: Console) -> None:
    judged = verdict(comparison)
    console.print(Text(clean(judged.sentence), style="bold"))
    if judged.strongest:
        console.print(Text(clean(judged.strongest)))
    sure = " ".join(filter(None, (judged.means, judged.basis, judged.caution)))
    console.print(Text(clean(sure), style="dim"))


# ---------------------------------------------------------------- scores


def _print_scores(comparison: Comparison, console: Console) -> None:
    bar = WIDE_BAR if console.width >= 100 and comparison.prior == BALANCED else BAR
    console.print(_scores_table(comparison.models, bar, comparison.prior))
    for sentence in disagreement(comparison):
        console.print(Text(clean(sentence)))
    for line in _score_parts_lines(comparison.models):
        console.print(Text(line))
    for note in _notes(comparison):
        console.print(Text(note, style="dim"))


def _scores_table(results: Sequence[Score], bar: int, prior: float) -> Table:
    numbers = ("score", "threshold", probability_title(prior), "percentile")
    table = plain_table(
        "model",
        Column("threshold │", no_wrap=True),
        # with a prior the title is long; names of models are shortened first
        *(Column(name, justify="right", no_wrap=prior == BALANCED) for name in numbers),
        Column("verdict", no_wrap=True),
    )
    for result in results:
        table.add_row(
            result.title,
            score_bar(result.score, result.threshold, bar),
            *apart(result.score, result.threshold),
            percent_or_dash(result.probability),
            share_or_dash(result.percentile),
            stance(result) or "–",
        )
    return table


def _print_contributions(comparison: Comparison, console: Console) -> None:
    """The pairs of passages that contribute most to the first model's score, with the strongest sentences in some."""
    summary = summarise_contribution(comparison)
    if summary is None:
        return
    sections = summary.passages == "sections"
    console.print()
    console.print(Text("Contribution to score", style="bold"))
    console.print(Text(" ".join(filter(None, (summary.sentence, summary.more)))))
    shown = summary.pairs[:MAX_PAIRS]
    for number, pair in enumerate(shown, 1):
        share = f"{precise_percent(pair.share):>6}"
        console.print(hanging(1, share, pair_name(comparison, pair, sections=sections)))
        for finer in pair.inside[:1] if number <= MAX_PAIRS_QUOTED else ():
            console.print(
                Text(f"      {precise_percent(finer.share)} from these two {summary.finer}:", style="dim")
            )
            _print_passages(comparison, finer.a, finer.b, console, indent=6)
    rest = (
        ""
        if len(shown) == len(summary.pairs)
        else f" The {len(summary.pairs)} strongest are in the report that --html writes."
    )
    console.print(Text(f"{summary.held(len(shown))}{rest}", style="dim"))


def _print_kinds(shared: SharedText, console: Console) -> None:
    table = plain_table("shared", "#of A", "#of B", "#passages")
    for row in kind_rows(shared):
        table.add_row(row.kind, row.a, row.b, f"{len(row.passages):,}" if row.kind != "rest" else "")
    console.print(table)
    console.print(Text(kind_note(shared), style="dim"))


def score_bar(score: float, threshold: float | None, width: int) -> Text:
    """The score on a scale of its own, with the threshold (│) in the middle where it can be.

    The bar passes the tick exactly when the score reaches the threshold, however close the two are.
    """
    lowest = min(0.0, score, threshold or 0.0)
    highest = max(score, 2 * threshold if threshold else 1.0, lowest + 1e-9)

    def cells(value: float) -> int:
        return round((value - lowest) / (highest - lowest) * width)

    filled = cells(score)
    if threshold is None:
        return _bar_cells(filled, width)
    tick = min(max(cells(threshold), 1), width - 2)
    filled = max(filled, tick + 2) if score >= threshold else min(filled, tick - 1)
    bar = _bar_cells(filled, tick)
    bar.append("│", style="bold")
    return bar.append_text(_bar_cells(filled - tick - 1, width - tick - 1))


def _bar_cells(filled: int, length: int) -> Text:
    filled = min(max(filled, 0), length)
    return Text.assemble(("█" * filled, "blue"), ("░" * (length - filled), "dim"))


def _score_parts_lines(results: Sequence[Score]) -> list[str]:
    """A line for each weighted sum: `The score of CoLDE: 0.50 × vectors 0.42 + 0.50 × words 0.31`."""
    lines = []
    for result in results:
        terms = [f"{number_or_dash(p.weight)} × {p.name} {number_or_dash(p.value)}" for p in result.parts]
        if terms:
            lines.append(f"The score of {result.title}: {' + '.join(terms)}")
    return lines


def _notes(comparison: Comparison) -> list[str]:
    """Models without a threshold, and text that a model did not read."""
    notes = missing_verdict_notes(comparison.models[1:])
    for result in comparison.models:
        for letter, reading in (("A", result.read_a), ("B", result.read_b)):
            if reading.tokens_read < reading.tokens:
                notes.append(
                    f"{result.title} read {reading.tokens_read:,} of the {reading.tokens:,} tokens of {letter}."
                )
    return notes


# ---------------------------------------------------------------- matrix


def _section_matrix(comparison: Comparison) -> tuple[str, SimilarityMap] | None:
    for result in comparison.models:
        similarity = section_map(comparison.maps.get(result.name, {}))
        if similarity is not None:
            return result.title, similarity
    return None


def _print_matrix(title: str, shown: SimilarityMap, comparison: Comparison, console: Console) -> None:
    low, high = float(np.nanmin(shown.values)), float(np.nanmax(shown.values))
    cell = 1 + max(len(number_or_dash(value)) for value in (low, high))
    fitting = max((console.width - LABEL - 6) // cell, 1)
    rows, columns = _strongest(shown.values, 1, MAX_ROWS), _strongest(shown.values, 0, fitting)
    coloured = console.color_system is not None
    heading = f"Sections of A (rows) and B (columns): {map_label(shown)}, by {title}, {shown.unit}"
    console.print(Text(heading, style="bold"))
    console.print(Text(shown.meaning, style="dim"))
    numbers = "".join(f"{column + 1:>{cell}}" for column in columns)
    console.print(Text(" " * (LABEL + 5) + numbers, style="dim"), no_wrap=True, crop=True)
    for row in rows:
        label = shorten(section_name(comparison.a, shown.rows[row]), LABEL)
        line = Text.assemble((f"{row + 1:>2}  ", "dim"), f"{label:<{LABEL}} ")
        for value in shown.values[row, columns]:
            text = "" if np.isnan(value) else number_or_dash(value)
            line.append(f"{text:>{cell}}", style=_cell_style(value, low, high) if coloured else "")
        console.print(line, no_wrap=True, crop=True)
    console.print()
    for column in columns:
        label = shorten(section_name(comparison.b, shown.columns[column]), console.width - 5)
        console.print(Text.assemble((f"{column + 1:>2}  ", "dim"), label), no_wrap=True)
    console.print(_legend(low, high, coloured, (len(rows), len(columns)), shown.values.shape))


def _legend(low: float, high: float, coloured: bool, drawn: tuple[int, int], shape: tuple[int, ...]) -> Text:
    legend = Text(f"cells from {low:.2f} ", style="dim")
    if coloured:
        legend.append_tokens([*(("  ", f"on {colour}") for colour in RAMP[1:]), (" ", None)])
    legend.append(f"to {high:.2f}", style="dim")
    if drawn != shape:
        legend.append(
            f"   {drawn[0]} of {shape[0]} sections of A and {drawn[1]} of {shape[1]} of B are shown, those with the "
            "strongest cells; --json and --csv contain all",
            style="dim",
        )
    return legend


def _strongest(values: np.ndarray[Any, np.dtype[np.float32]], axis: int, count: int) -> list[int]:
    """Indices, in order, of the `count` rows (axis 1) or columns (axis 0) that hold the largest values."""
    best = np.max(np.where(np.isnan(values), -np.inf, values), axis=axis)
    return sorted(np.argsort(-best, kind="stable")[:count].tolist())


def _cell_style(value: float, low: float, high: float) -> str:
    if np.isnan(value):
        return ""
    step = round((value - low) / (high - low) * (len(RAMP) - 1)) if high > low else 0
    return f"{'black' if step < 4 else 'white'} on {RAMP[step]}" if step else ""


# ---------------------------------------------------------------- shared passages


def _print_shared(comparison: Comparison, shared: SharedText, console: Console) -> None:
    """The first shared passages; without any the closest sentences."""
    shown = shared.passages[:MAX_PASSAGES]
    others = () if shown else shared.closest[:MAX_CLOSEST]
    if shown or others:
        console.print()
        console.print(Text(passages_heading(shared) if shown else "Closest other sentences", style="bold"))
    listed: list[SharedPassage | ClosestPair] = [*shown, *others]
    for number, item in enumerate(listed, 1):
        console.print(Text.assemble((f"{number}  ", "bold"), _about(item)))
        a, b = Passage.at(comparison.a, item.a), Passage.at(comparison.b, item.b)
        _print_passages(comparison, a, b, console, indent=3)
    if len(shared.passages) > len(shown):
        rest = f"{len(shown)} of {len(shared.passages):,} are shown; --json, --html and --csv contain all"
        console.print(Text(rest, style="dim"))


def _about(item: SharedPassage | ClosestPair) -> str:
    certainty = f"certainty {number_or_dash(item.certainty)}"
    if isinstance(item, ClosestPair):
        return certainty
    standard = ", standard text" if item.standard else ""
    return f"{item.kind}{standard}, {counted(item.words['a'], 'word')}, {certainty}"


def _print_passages(comparison: Comparison, a: Passage, b: Passage, console: Console, *, indent: int) -> None:
    for letter, document, passage in (("A", comparison.a, a), ("B", comparison.b, b)):
        place = passage_place(passage, longest=MAX_HEADING)
        text = shorten(clean(quote(document, passage)), MAX_QUOTE)
        quoted = Text.assemble((f"{place}: " if place else "", "dim"), f"“{text}”")
        console.print(hanging(indent, Text(letter, "bold"), quoted))


def print_words(comparison: Comparison, word_cells: WordContributions, console: Console) -> None:
    """The two sentences, what they add to the score, and the pairs of words that raise or lower it most."""
    for letter, document, span in (("A", comparison.a, word_cells.a), ("B", comparison.b, word_cells.b)):
        console.print(Text(f"{letter}  {shorten(clean(quote(document, span)), MAX_SENTENCE)}"))
    title = next((s.title for s in comparison.models if s.name == word_cells.model), word_cells.model)
    console.print(f"add {word_cells.total:.5f} to the score of {title}, of which")
    table = plain_table("A", "B", "#adds")
    for a, b, value in word_cells.strongest(MAX_WORD_PAIRS):
        words = (clean(quote(d, s)) for d, s in ((comparison.a, a), (comparison.b, b)))
        table.add_row(*(Text(w) for w in words), f"{value:+.5f}")
    console.print(table)
