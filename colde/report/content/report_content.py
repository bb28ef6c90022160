"""The content of a comparison's report, before it becomes a page (HTML), a Word document (DOCX) or a PDF."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from colde import models as registry
from colde.judge.profiles import threshold_profile
from colde.report.content.changes_report import SIDES, ChangeRow, change_rows, changes_note, count_changes
from colde.report.content.report_tables import (
    ReportTable,
    table_of_contributions,
    table_of_documents,
    table_of_scores,
    table_of_set_aside,
    tables_of_parts,
)
from colde.report.content.reviewed_passages import (
    ReviewedPassage,
    excluded_passages,
    reviewed_passages,
    unplaced_note,
)
from colde.report.formatting import (
    clean,
    counted,
    document_title,
    marked_pieces,
    number_or_dash,
    passage_place,
    printable,
    quote,
    sentence_case,
    shorten,
)
from colde.report.wording.contribution_summary import summarise_contribution
from colde.report.wording.disagreement import disagreement
from colde.report.wording.headline import passages_heading
from colde.report.wording.shared_kinds import KindRow, kind_note, kind_rows
from colde.report.wording.verdict import MAX_PLACE, Verdict, describe_corpora, verdict
from colde.report.wording.verdict_bar import VerdictBar, verdict_bar
from colde.results.change import Change
from colde.results.comparison import TOO_LONG, Comparison
from colde.results.model_score import Score
from colde.results.passage import Passage
from colde.results.saved.review_decisions import Decision
from colde.results.shared_text import SharedText
from colde.text.document import Document

MAX_PASSAGE = 1_200
"""Characters of a passage that a report quotes."""
MAX_PASSAGES = 100
"""Shared passages without a decision that a report lists."""
UNFINISHED = "Shared passages are listed when the comparison is finished."


@dataclass(frozen=True, slots=True)
class Quotation:
    """A passage of a document with its place, both on one line and without control characters.

    Attributes:
        pieces: its text in pieces, and of each whether it differs from the other side of a change.
    """

    place: str
    pieces: tuple[tuple[str, bool], ...]

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(text for text, _ in self.pieces)


@dataclass(frozen=True, slots=True)
class PassagePair:
    """A shared passage or a change with the reviewer's decision and note.

    Attributes:
        number: as in every output.
        label: kind of the passage or change.
        a, b: the passages; None on the side where a change has none.
        words: of both sides of a shared passage; empty for changes.
        description: of a change in a table; empty for others.
    """

    number: int
    label: str
    a: Quotation | None
    b: Quotation | None
    decision: Decision
    note: str
    words: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class ReportContent:
    """Everything that a report says in words and numbers.

    Attributes:
        title_a, title_b: names of the two documents.
        made: date of the report.
        warnings: letter of the document and sentence.
        contribution_summary, contributions, contribution_note: the passages that made the first model's score, with
            their shares of it; no rows where it is not known.
        split: how much of both texts is shared, by kind; empty where it was not counted.
        changes: the most important first.
        form_changes: differences of form, which are folded at the end.
        changes_summary: what the list of changes holds and does not hold.
        are_versions: whether the texts are two versions of one document, whose changes come first.
        has_change_marks: whether the reviewer decided about a change.
        review_summary: number of decisions; empty where nobody reviewed the pair.
        reviewed: the passages with a decision or a note: accepted ones first, then noted, then rejected ones.
        left_out: letter of the document and passage that was left out with What if.
        passages: the other shared passages, best first.
        passages_heading: what the listed passages are.
        passages_summary: how many are not listed; where there are none, that nothing was found.
        closest: the closest sentences that do not count as shared.
        parts: of each score that is a mixture.
        methods: title of a model and how its number was made.
    """

    title_a: str
    title_b: str
    made: date
    documents: ReportTable
    verdict: Verdict
    bar: VerdictBar | None
    warnings: tuple[tuple[str, str], ...]
    contribution_summary: str
    contributions: ReportTable
    contribution_note: str
    split: tuple[KindRow, ...]
    split_note: str
    changes: tuple[PassagePair, ...]
    form_changes: tuple[PassagePair, ...]
    changes_summary: str
    are_versions: bool
    has_change_marks: bool
    review_summary: str
    reviewed: tuple[PassagePair, ...]
    left_out: tuple[tuple[str, Quotation], ...]
    passages: tuple[PassagePair, ...]
    passages_heading: str
    passages_summary: str
    closest: ReportTable
    scores: ReportTable
    disagreement: tuple[str, ...]
    parts: tuple[ReportTable, ...]
    set_aside: ReportTable
    methods: tuple[tuple[str, str], ...]


def report_content(comparison: Comparison, made: date | None = None) -> ReportContent:
    """The content of a comparison's report.

    Args:
        made: date of the report, by default today.

    Raises:
        ValueError: the comparison has no score yet.
    """
    judged = verdict(comparison)
    reviewed = reviewed_passages(comparison)
    decided, others = _divided(reviewed)
    changes = [
        _changed_pair(comparison, *each)
        for each in zip(change_rows(comparison), comparison.changes, strict=True)
    ]
    form = sum(change.kind == "form" for change in comparison.changes)  # at the end
    shared = comparison.shared
    contribution_summary, contributions, contribution_note = _contributions(comparison)
    marks = comparison.review.marks if comparison.review else ()
    return ReportContent(
        title_a=document_title(comparison.a),
        title_b=document_title(comparison.b),
        made=made or date.today(),
        documents=table_of_documents(comparison),
        verdict=judged,
        bar=verdict_bar(comparison.models[0]),
        warnings=tuple(_warnings(comparison)),
        contribution_summary=contribution_summary,
        contributions=contributions,
        contribution_note=contribution_note,
        split=() if shared is None else tuple(kind_rows(shared)),
        split_note="" if shared is None else kind_note(shared),
        changes=tuple(changes[: len(changes) - form]),
        form_changes=tuple(changes[len(changes) - form :]),
        changes_summary=_changes_summary(comparison),
        are_versions=shared is not None and shared.are_versions,
        has_change_marks=any(mark.change for mark in marks),
        review_summary=_review_summary(comparison, reviewed, changes) if comparison.review else "",
        reviewed=tuple(_passage_pair(comparison, item) for item in decided),
        left_out=tuple(_left_out(comparison)),
        passages=tuple(_passage_pair(comparison, item) for item in others[:MAX_PASSAGES]),
        passages_heading=_passages_heading(comparison.shared, reviewed=bool(decided)),
        passages_summary=_passages_summary(comparison, len(decided), len(others)),
        closest=_closest(comparison),
        scores=table_of_scores(comparison),
        disagreement=tuple(map(clean, disagreement(comparison))),
        parts=tuple(tables_of_parts(comparison.models)),
        set_aside=table_of_set_aside(comparison),
        methods=tuple((score.title, _method_notes(score)) for score in comparison.models),
    )


def _warnings(comparison: Comparison) -> Iterator[tuple[str, str]]:
    for side, lines in comparison.warnings.items():
        for warning in lines:
            yield side.upper(), clean(warning)


def _contributions(comparison: Comparison) -> tuple[str, ReportTable, str]:
    summary = summarise_contribution(comparison)
    if summary is None:
        return "", ReportTable((), ()), ""
    sentences = f"{summary.sentence} {summary.more}".strip()
    return sentences, table_of_contributions(comparison, summary), summary.held(len(summary.pairs))


def _left_out(comparison: Comparison) -> Iterator[tuple[str, Quotation]]:
    for side, document, passage in excluded_passages(comparison):
        yield side.upper(), quotation(document, passage)


def _divided(reviewed: Sequence[ReviewedPassage]) -> tuple[list[ReviewedPassage], list[ReviewedPassage]]:
    """Passages with a decision or a note, accepted ones first and rejected ones last, and the others."""
    order = {"accepted": 0, "": 1, "rejected": 2}
    decided = [item for item in reviewed if item.decision or item.note]
    others = [item for item in reviewed if not (item.decision or item.note)]
    return sorted(decided, key=lambda item: order[item.decision]), others


def quotation(document: Document, passage: Passage, marks: Iterable[tuple[int, int]] = ()) -> Quotation:
    """A passage as a report quotes it; marks are the characters of the document that differ."""
    text = document.text[passage.start : passage.end]
    inside = ((start - passage.start, end - passage.start) for start, end in marks)
    return Quotation(printable(passage_place(passage, MAX_PLACE)), marked_pieces(text, inside, MAX_PASSAGE))


def _passage_pair(comparison: Comparison, item: ReviewedPassage) -> PassagePair:
    words = item.passage.words
    return PassagePair(
        number=item.number,
        label=f"{item.passage.kind}, standard text" if item.passage.standard else item.passage.kind,
        a=quotation(comparison.a, item.a),
        b=quotation(comparison.b, item.b),
        decision=item.decision,
        note=printable(item.note),
        words=" / ".join(dict.fromkeys((f"{words['a']:,}", f"{words['b']:,}"))),
    )


def _closest(comparison: Comparison) -> ReportTable:
    rows = []
    for pair in () if comparison.shared is None else comparison.shared.closest:
        cells = quote(comparison.a, pair.a), quote(comparison.b, pair.b), number_or_dash(pair.certainty)
        rows.append(tuple(shorten(printable(cell), MAX_PASSAGE) for cell in cells))
    return ReportTable(("Sentence in A", "Sentence in B", "#Certainty"), tuple(rows))


def _changed_pair(comparison: Comparison, row: ChangeRow, change: Change) -> PassagePair:
    one_sided = change.a is None or change.b is None
    marked = change.kind != "moved" and (not one_sided or bool(change.description))
    a, b = (
        None if place is None else quotation(document, place, change.marks.get(side, ()) if marked else ())
        for side, document, place in zip(
            SIDES, (comparison.a, comparison.b), (row.place_a, row.place_b), strict=True
        )
    )
    return PassagePair(
        row.number, row.label, a, b, row.decision, printable(row.note), description=printable(row.description)
    )


def _changes_summary(comparison: Comparison) -> str:
    number = f"{count_changes(comparison.changes)}." if comparison.changes else ""
    return f"{number} {changes_note(comparison)}".strip()


def _review_summary(
    comparison: Comparison, reviewed: tuple[ReviewedPassage, ...], changes: Sequence[PassagePair]
) -> str:
    decisions = Counter(item.decision or "open" for item in reviewed)
    summary = (
        f"Of {counted(len(reviewed), 'shared passage')} {decisions['accepted']} were accepted and "
        f"{decisions['rejected']} rejected; {decisions['open']} are open."
    )
    if changes:
        on_changes = Counter(change.decision for change in changes)
        summary += (
            f" Of {counted(len(changes), 'change')} {on_changes['accepted']} were accepted and "
            f"{on_changes['rejected']} rejected."
        )
    return f"{summary} {unplaced_note(comparison)}".strip()


def _passages_heading(shared: SharedText | None, *, reviewed: bool) -> str:
    heading = "Shared passages" if shared is None else passages_heading(shared)
    return f"Other {heading.lower()}" if reviewed else heading


def _passages_summary(comparison: Comparison, decided: int, others: int) -> str:
    shared = comparison.shared
    if shared is None:
        return UNFINISHED if comparison.sentences is None else f"{sentence_case(TOO_LONG)}."
    if not shared.passages:
        return "The two texts share no passage."
    parts = ["Best first, those of standard text last; from the two texts alone, whatever the model."]
    if decided:
        parts.append(f"{counted(decided, 'passage')} with a decision or a note: see Review.")
    if rest := max(0, others - MAX_PASSAGES):
        parts.append(f"{counted(rest, 'passage')} not listed here; the CSV tables contain all.")
    return " ".join(parts)


def _method_notes(score: Score) -> str:
    card = registry.cards().get(score.name)
    notes = [card.score_means, f"Source: {card.source}.", card.explains] if card else []
    if score.no_verdict:
        notes.append(f"No threshold and no probability: {score.no_verdict}.")
    elif score.profile is not None:
        profile = threshold_profile(score.profile)
        corpora = describe_corpora(score.name, profile, score.corpora)
        corpora = corpora or "corpora that its checkpoint does not record"
        notes.append(f"Its profile {profile} was fitted on validation pairs of {corpora}.")
    notes.append(f"{score.seconds:.1f} s for this pair.")
    return " ".join(notes)
