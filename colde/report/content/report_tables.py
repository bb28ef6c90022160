"""The tables of a comparison's report: documents, contributions, scores with their parts, and what was not compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from colde.report.formatting import (
    apart,
    clean,
    document_title,
    number_or_dash,
    passage_place,
    precise_percent,
    printable,
    quote,
    sentence_case,
    share_or_dash,
    shorten,
)
from colde.report.wording.contribution_summary import ContributionSummary, PairContribution
from colde.report.wording.verdict import MAX_PLACE, stance
from colde.results.comparison import Comparison
from colde.results.model_score import Score
from colde.results.similarity_map import Letter
from colde.results.verdicts.verdict_words import percent_or_dash, probability_title
from colde.text.reading_grade import reading_grade

MAX_CONTRIBUTING = 200
"""Characters of a passage that contributes to the score."""


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of texts. A column whose title begins with # holds numbers."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def table_of_documents(comparison: Comparison) -> ReportTable:
    """Letter, title, file, pages and grade of reading of both documents."""
    rows = []
    for letter, document in (("A", comparison.a), ("B", comparison.b)):
        pages = "–" if document.pages is None else f"{document.pages:,}"
        grade = printable(str(reading_grade(document)))
        rows.append((letter, document_title(document), clean(document.source), pages, grade))
    return ReportTable(("Text", "Title", "File", "#Pages", "Reading"), tuple(rows))


def table_of_contributions(comparison: Comparison, summary: ContributionSummary) -> ReportTable:
    """A row for each pair of passages that is listed, with the finer passages in it that add most."""

    def place(side: Letter, pair: PairContribution) -> str:
        quoted = (pair.inside or (pair,))[0]
        document = comparison.a if side == "a" else comparison.b
        where = passage_place(getattr(quoted, side), MAX_PLACE)
        if quoted is pair and summary.passages == "sections":
            return printable(where)
        text = shorten(quote(document, getattr(quoted, side)), MAX_CONTRIBUTING)
        return printable(": ".join(filter(None, (where, f"“{text}”"))))

    rows = (
        (
            f"{number}",
            place("a", pair),
            place("b", pair),
            precise_percent(pair.share),
            *([precise_percent(pair.inside[0].share) if pair.inside else ""] if summary.finer else []),
        )
        for number, pair in enumerate(summary.pairs, 1)
    )
    quoted = [f"#Share of the quoted {summary.finer}"] if summary.finer else []
    return ReportTable(("#No.", "In A", "In B", f"#Share of {summary.of}", *quoted), tuple(rows))


def table_of_scores(comparison: Comparison) -> ReportTable:
    """A row for each model: its score, verdict, probability, and how much it read."""
    columns = (
        "Model",
        "#Score",
        "#Threshold",
        "Verdict",
        "#" + sentence_case(probability_title(comparison.prior)),
    )
    rows = (
        (
            score.title,
            *apart(score.score, score.threshold),
            stance(score) or "–",
            percent_or_dash(score.probability),
            share_or_dash(score.percentile),
            _tokens_read(score),
        )
        for score in comparison.models
    )
    return ReportTable((*columns, "#Percentile", "Read"), tuple(rows))


def _tokens_read(score: Score) -> str:
    """How much of either text the model read: `all`, or `450 of 900 tokens; all`."""
    sides = [
        "all" if read.tokens_read >= read.tokens else f"{read.tokens_read:,} of {read.tokens:,} tokens"
        for read in (score.read_a, score.read_b)
    ]
    return "; ".join(dict.fromkeys(sides))


def tables_of_parts(scores: Iterable[Score]) -> Iterator[ReportTable]:
    """A table for each score that is a mixture."""
    for score in scores:
        rows = (
            (part.name, *map(number_or_dash, (part.weight, part.value, part.weight * part.value)))
            for part in score.parts
        )
        if score.parts:
            yield ReportTable((f"The score of {score.title}", "#Weight", "#Value", "#Adds"), tuple(rows))


def table_of_set_aside(comparison: Comparison) -> ReportTable:
    """A row for each kind of text that was not compared."""
    rows = tuple(
        (
            side.upper(),
            clean(item.what),
            f"{item.words:,}",
            clean(item.why),
            f"--include {item.include}" if item.include else "–",
        )
        for side, items in comparison.set_aside.items()
        for item in items
    )
    return ReportTable(("Document", "What", "#Words", "Why", "Option that compares it"), rows)
