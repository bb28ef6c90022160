"""Scores before and after something was left out, on the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from colde.comparison.questions.what_if import WhatIf
from colde.explain.counterfactual import VerdictSearch
from colde.report.formatting import clean, plain_table, quote, section_name, shorten
from colde.report.terminal.terminal_report import not_compared_lines
from colde.results.model_score import Score
from colde.results.verdicts.verdict_words import percent, probability_title
from colde.text.document import Document, Span

VERDICTS = {True: "related", False: "unrelated", None: "–"}
MAX_HEADING = 70


def print_what_if(result: WhatIf, console: Console) -> None:
    """Print what was left out, what was not compared before, and for each model scores, difference and verdicts."""
    for line in _left_out(result):
        console.print(Text(line))
    for line in not_compared_lines(result.before):
        console.print(Text(clean(line), style="dim"))
    console.print()
    probability = probability_title(result.before.prior)
    table = plain_table("model", "#before", "#after", "#difference", "verdict", f"#{probability}")
    for before, after in zip(result.before.models, result.after.models, strict=True):
        table.add_row(
            before.title,
            f"{before.score:.3f}",
            f"{after.score:.3f}",
            f"{after.score - before.score:+.3f}",
            _verdict_change(before, after),
            _probability_change(before, after),
        )
    console.print(table)


def _left_out(result: WhatIf) -> list[str]:
    lines = []
    for letter, document in result.documents.items():
        lines += [
            f"without {letter.upper()}  {_section_name(document, span)}" for span in result.left_out[letter]
        ]
    if result.enough is not None:
        return _kept(result, result.enough)
    change = result.smallest
    if change is None:
        return lines or ["Nothing was left out."]
    if not change.found:
        return [
            f"No chunks whose removal flips the verdict of {change.model} were found ({change.tries} tries)."
        ]
    return [
        *lines,
        f"The fewest removals found that flip the verdict of {change.model} (a greedy search, {change.tries} tries; "
        "a smaller set may exist).",
    ]


def _kept(result: WhatIf, kept: VerdictSearch) -> list[str]:
    if not kept.found:
        return [
            f"No smaller set of sections that keeps the verdict of {kept.model} was found ({kept.tries} tries)."
        ]
    return [
        *(
            f"only {letter.upper()}  {_section_name(document, p.span)}"
            for letter, document in result.documents.items()
            for p in kept.places
            if p.letter == letter
        ),
        f"The fewest sections found that alone keep the verdict of {kept.model} (a greedy search, {kept.tries} "
        "tries; a smaller set may exist).",
    ]


def _section_name(document: Document, span: Span) -> str:
    index = document.section_at(span.start)
    if index is None:
        return shorten(clean(quote(document, span)), MAX_HEADING)
    section = document.sections[index]
    name = f"{index}  {shorten(section_name(document, section), MAX_HEADING)}"
    if len(span) >= len(section):
        return name
    return f"{name}: “{shorten(clean(quote(document, span)), MAX_HEADING)}”"


def _verdict_change(before: Score, after: Score) -> str:
    one, other = VERDICTS[before.similar], VERDICTS[after.similar]
    return one if one == other else f"{one} → {other}"


def _probability_change(before: Score, after: Score) -> str:
    if before.probability is None or after.probability is None:
        return "–"
    return f"{percent(before.probability)} → {percent(after.probability)} %"
