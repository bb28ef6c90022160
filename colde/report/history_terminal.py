"""Terminal output of `colde history`."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Column
from rich.text import Text

from colde.comparison.version_history import SentenceHistory, VersionHistory
from colde.report.formatting import clean, counted, plain_table, shorten
from colde.report.history_summary import (
    KIND_LABELS,
    history_sentence,
    history_title,
    since_label,
    table_of_versions,
)

MAX_SENTENCES = 40
MAX_QUOTE = 220


def print_history(history: VersionHistory, console: Console) -> None:
    """The table of versions, the changed sentences of the last version, and the removed ones."""
    console.print(Text(history_title(history), style="bold"))
    console.print(Text(history_sentence(history)))
    console.print()
    versions = table_of_versions(history)
    columns = (
        Column(title.removeprefix("#").lower(), justify="right" if title.startswith("#") else "left")
        for title in versions.columns
    )
    table = plain_table(*columns)
    for row in versions.rows:
        table.add_row(*map(Text, row))
    console.print(table)
    changed = [sentence for sentence in history.sentences if sentence.steps]
    _print_sentences("Changed sentences of the last version", changed, console)
    _print_sentences("Removed sentences", history.removed, console)


def _print_sentences(title: str, sentences: Sequence[SentenceHistory], console: Console) -> None:
    if not sentences:
        return
    console.print()
    console.print(Text(title, style="bold"))
    for sentence in sentences[:MAX_SENTENCES]:
        steps = ", ".join(f"{step.version} {KIND_LABELS[step.kind]}" for step in sentence.steps)
        line = Text(f"{since_label(sentence)} ({steps}): ", style="dim")
        line.append(shorten(clean(sentence.text.text), MAX_QUOTE), style="not dim")
        console.print(Padding(line, (0, 0, 0, 3)))
    if len(sentences) > MAX_SENTENCES:
        more = counted(len(sentences) - MAX_SENTENCES, "other")
        console.print(Text(f"   and {more}; --html and --json have all", style="dim"))
