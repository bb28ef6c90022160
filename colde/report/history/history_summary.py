"""The sentences and the table of a version history, the same in every format."""

from __future__ import annotations

from collections.abc import Mapping

from colde.comparison.version_history import SentenceHistory, Step, StepKind, VersionHistory
from colde.report.content.report_tables import ReportTable
from colde.report.formatting import clean, counted, printable, sentence_case
from colde.results.change import LABELS

KIND_LABELS: Mapping[str, str] = {kind: kind for kind in ("added", "restored", "removed")} | {
    str(kind): label for kind, label in LABELS.items()
}
KIND_ORDER: tuple[StepKind, ...] = ("added", "removed", "restored", *LABELS)
"""Order of the columns of the table of versions."""


def history_title(history: VersionHistory) -> str:
    """The title of a report."""
    last = history.versions[-1]
    return f"History of {clean(last.title) or clean(last.name)}"


def history_sentence(history: VersionHistory) -> str:
    """How many sentences there are, and how many changed after the first version."""
    changed = sum(sentence.last > 1 for sentence in history.sentences)
    return (
        f"{counted(len(history.versions), 'version')}. Of the {counted(len(history.sentences), 'sentence')} of the "
        f"last one, {changed:,} came in or changed after the first version; "
        f"{counted(len(history.removed), 'sentence')} of earlier ones {'was' if len(history.removed) == 1 else 'were'} "
        "removed."
    )


def version_label(history: VersionHistory, number: int) -> str:
    """`version 2 (buyer.docx)`."""
    return f"version {number} ({clean(history.versions[number - 1].name)})"


def since_label(sentence: SentenceHistory) -> str:
    """When a sentence came in or changed last: `changed in 3`."""
    if sentence.removed is not None:
        return f"removed in {sentence.removed}"
    if sentence.last > sentence.first:
        restored = any(s.kind == "restored" and s.version == sentence.last for s in sentence.steps)
        return f"{'restored' if restored else 'changed'} in {sentence.last}"
    return f"added in {sentence.first}" if sentence.first > 1 else "since 1"


def step_label(history: VersionHistory, step: Step) -> str:
    """What a version did: `Version 2 (buyer.docx): number or date`."""
    return sentence_case(f"{version_label(history, step.version)}: {KIND_LABELS[step.kind]}")


def origin_label(history: VersionHistory, sentence: SentenceHistory) -> str:
    """The version in which a sentence came in, and whether anything changed since."""
    unchanged = "" if sentence.steps else "; not changed since"
    return sentence_case(f"in the text from {version_label(history, sentence.first)} on{unchanged}")


def table_of_versions(history: VersionHistory) -> ReportTable:
    """A row for each version, a column for each kind of change that occurs."""
    kinds = [kind for kind in KIND_ORDER if any(kind in version.changes for version in history.versions)]
    rows = tuple(
        (
            str(version.number),
            printable(version.name),
            f"{sum(version.changes.values()):,}",
            *(f"{version.changes.get(kind, 0):,}" for kind in kinds),
        )
        for version in history.versions
    )
    columns = ("#Version", "Name", "#Changes", *(f"#{sentence_case(KIND_LABELS[kind])}" for kind in kinds))
    return ReportTable(columns, rows)
