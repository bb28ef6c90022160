"""Differences between two texts as rows with the reviewer's decisions, on the terminal and as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from colde.alignment.translations import in_two_languages
from colde.changes.text_changes import compared_language
from colde.report.content.reviewed_passages import marks_by_passages
from colde.report.formatting import clean, counted, hanging, passage_place, quote, sentence_case, shorten
from colde.report.tables.csv_tables import spreadsheet
from colde.report.wording.headline import titles_note
from colde.results.change import LABELS, Change, ChangeKind
from colde.results.comparison import TOO_LONG, Comparison
from colde.results.passage import Passage
from colde.results.saved.review_decisions import Decision, Mark
from colde.results.shared_text import SharedText
from colde.results.similarity_map import Letter
from colde.text.document import EXCLUDED_ROLE, Span
from colde.text.not_compared.set_aside import known_passages
from colde.text.word_lists.language_names import language_name

SHOWN = 10
"""Changes that the terminal prints."""
SIDES: tuple[Letter, Letter] = ("a", "b")
MAX_ALSO = 2
"""Other places of the same words that a label names."""
MAX_SENTENCE = 300
"""Characters of a sentence on the terminal."""
UNFINISHED = "Changes are listed when the comparison is finished."
NO_CHANGES = (
    "No changes: every word, number and sign of both texts was compared, notes and headings included."
)
NO_OTHER_CHANGES = (
    "No changes in what was compared. Text of templates and text that was left out was not compared."
)
FORM = "punctuation, capitals, layout of numbers, numbers of clauses"
NOT_VERSIONS = (
    "Less than half of either text is in the other, so the two are not compared as versions of one document: sentences "
    "that are only in A or only in B are not listed."
)
NOT_TRANSLATIONS = (
    "a sentence and its translation are not compared for changes, and sentences that are only in A or only in B are "
    "not listed."
)
NOT_JUDGED = (
    "The texts are in {language}: changes of numbers and names, moved text and text of one side alone are named; what "
    "other changes mean was not judged."
)


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A change with the reviewer's decision and note.

    Attributes:
        number: in the list of all changes, from 1.
        a, b: the texts of the sentences; empty where a side has none.
        description: of a change in a table; empty for others.
        place_a, place_b: where they are; None where a side has none.
    """

    number: int
    kind: ChangeKind
    label: str
    a: str
    b: str
    place_a: Passage | None
    place_b: Passage | None
    importance: float
    description: str
    decision: Decision
    note: str


def change_rows(comparison: Comparison) -> Iterator[ChangeRow]:
    """Yield every change, the most important first."""
    marks = marks_by_passages(comparison, "change")
    for number, change in enumerate(comparison.changes, 1):
        a, b = _plain(change.a), _plain(change.b)
        mark = marks.get((a, b), Mark(a, b))
        yield ChangeRow(
            number,
            change.kind,
            f"{LABELS[change.kind]}{also_in(comparison, change)}",
            "" if a is None else quote(comparison.a, a),
            "" if b is None else quote(comparison.b, b),
            None if a is None else Passage.at(comparison.a, a),
            None if b is None else Passage.at(comparison.b, b),
            change.importance,
            change.description,
            mark.decision,
            mark.note,
        )


def also_in(comparison: Comparison, change: Change) -> str:
    """Where the words of a sentence that one text has alone stand elsewhere, in brackets; empty where they do not."""
    places = [
        f"{side.upper()}, {passage_place(Passage.at(document, Span(*at)))}"
        for side, document in zip(SIDES, (comparison.a, comparison.b), strict=True)
        for at in change.also.get(side, ())
    ]
    return f" (also in {'; '.join(places[:MAX_ALSO])})" if places else ""


def _plain(span: Span | None) -> Span | None:
    """The passage of a sentence, as a mark has it."""
    return None if span is None else Span(span.start, span.end)


def changes_note(comparison: Comparison) -> str:
    """What the list of changes does not cover, or why it is empty; empty where there is nothing to say."""
    shared = comparison.shared
    if shared is None:
        return UNFINISHED if comparison.sentences is None else f"{sentence_case(TOO_LONG)}."
    if shared.are_versions:
        none = "" if comparison.changes else _no_changes(comparison)
        return f"{none}{titles_note(comparison)} {_not_judged(comparison)}".strip()
    if "edited" not in shared.searched:
        return f"Changes were not searched for. {shared.not_searched or ''}".strip()
    none = "" if comparison.changes else _searched_without_result(shared)
    a, b = comparison.a, comparison.b
    beyond = f"{NOT_VERSIONS} {_not_judged(comparison)}".strip()
    if in_two_languages(a, b):
        names = " and ".join(language_name(document.language or "") for document in (a, b))
        beyond = f"The texts are in {names}: {NOT_TRANSLATIONS}"
    return f"{none} {beyond}".strip()


def _no_changes(comparison: Comparison) -> str:
    """That two versions have no changes, and whether all of both was compared."""
    documents = comparison.a, comparison.b
    left_out = any(section.role == EXCLUDED_ROLE for d in documents for section in d.sections)
    return NO_OTHER_CHANGES if left_out or any(map(known_passages, documents)) else NO_CHANGES


def _not_judged(comparison: Comparison) -> str:
    """What the changes of texts in another language than English do not say; empty in English."""
    language = compared_language(comparison.a, comparison.b)
    return "" if language == "en" else NOT_JUDGED.format(language=language_name(language))


def _searched_without_result(shared: SharedText) -> str:
    """Where changes were searched for in two texts that are no versions of one document."""
    alike = (
        "nearly the same words or the same meaning"
        if "paraphrased" in shared.searched
        else "nearly the same words"
    )
    return f"No changes in tables, nor in sentences that both texts have with {alike}."


def count_changes(changes: Sequence[Change]) -> str:
    """The number of changes, and of differences of form, which are listed after all others."""
    form = sum(change.kind == "form" for change in changes)
    number = counted(form, "difference of form", "differences of form")
    of_form = f"{number} ({FORM})" if form else ""
    other = f"{counted(len(changes) - form, 'change')}, most important first" if len(changes) > form else ""
    return ", then ".join(filter(None, (other, of_form)))


def print_changes(comparison: Comparison, console: Console) -> None:
    """Print the number of changes and the most important ones; nothing where there are none."""
    rows = list(change_rows(comparison))
    if not rows:
        return
    shown = "" if len(rows) <= SHOWN else f" ({SHOWN} shown)"
    console.print()
    console.print(Text(f"{count_changes(comparison.changes)}{shown}", style="bold"))
    for row in rows[:SHOWN]:
        console.print(Text(f"{row.number}  {row.label}", style="bold"))
        if row.description:
            console.print(hanging(1, "", shorten(clean(row.description), MAX_SENTENCE)))
        for letter, sentence in (("A", row.a), ("B", row.b)):
            if sentence and not row.description:
                console.print(hanging(3, letter, shorten(clean(sentence), MAX_SENTENCE)))


def changes_table(comparison: Comparison) -> str:
    """All changes as CSV, with the offsets of their sentences; cells of a side without a sentence are empty."""
    header = ["number", "kind", "decision", "note", "importance"]
    header += [f"{side}_{name}" for side in "ab" for name in ("section", "page", "start", "end", "text")]
    header += ["description", "a_marks", "b_marks"]
    rows: list[list[object]] = []
    for row, change in zip(change_rows(comparison), comparison.changes, strict=True):
        cells: list[object] = [
            row.number,
            row.kind,
            row.decision or "open",
            row.note,
            round(row.importance, 3),
        ]
        for place, text in ((row.place_a, row.a), (row.place_b, row.b)):
            known = (None,) * 4 if place is None else (place.section, place.page, place.start, place.end)
            cells += [*known, text]
        marks = (" ".join(f"{start}-{end}" for start, end in change.marks.get(side, ())) for side in SIDES)
        rows.append([*cells, row.description, *marks])
    return spreadsheet(header, rows)
