"""Terminal output of `colde history`."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from colde.comparison.version_history import SentenceHistory, VersionHistory
from colde.report.formatting import clean, counted, sentence_case, shorten
from colde.report.history.history_summary import (
    KIND_LABELS,
    history_sentence,
    history_title,
    since_label,
    version_label,
)

MAX_SENTENCES = 40
MAX_QUOTE = 220


def print_history(history: VersionHistory, console: Console) -> None:
    """The versions, the sentences of the last one that changed in more than form, and the removed ones."""
    console.print(Text(history_title(history), style="bold"))
    console.print(Text(history_sentence(history)))
    console.print()
    for version in history.versions:
        kinds = ", ".join(f"{count:,} {KIND_LABELS[kind]}" for kind, count in version.changes.items())
        label = sentence_case(version_label(history, version.number))
        console.print(Text(f"{label}: {kinds or 'no changes'}" if version.number > 1 else label))
    changed = [one for one in history.sentences if any(step.kind != "form" for step in one.steps)]
    _print_sentences("Changed sentences of the last version", changed, console)
    _print_sentences("Removed sentences", history.removed, console)


def _print_sentences(title: str, sentences: Sequence[SentenceHistory], console: Console) -> None:
    if not sentences:
        return
    console.print()
    console.print(Text(title, style="bold"))
    for sentence in sentences[:MAX_SENTENCES]:
        since = since_label(sentence)
        steps = [(KIND_LABELS[step.kind], step.version) for step in sentence.steps]
        others = ", ".join(
            f"{kind} in {version}" for kind, version in steps if f"{kind} in {version}" != since
        )
        line = Text(f"{since}{f' ({others})' if others else ''}: ", style="dim")
        line.append(shorten(clean(sentence.text.text), MAX_QUOTE), style="not dim")
        console.print(Padding(line, (0, 0, 0, 3)))
    if len(sentences) > MAX_SENTENCES:
        more = counted(len(sentences) - MAX_SENTENCES, "other")
        console.print(Text(f"   and {more}; --html and --json have all", style="dim"))
