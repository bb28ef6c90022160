"""Terminal output of `colde compare DIR`."""

from __future__ import annotations

from rich.console import Console
from rich.table import Column
from rich.text import Text

from colde.report.collection.collection_html import summary
from colde.report.formatting import clean, counted, plain_table, print_warnings, shorten, words_not_compared
from colde.results.collection import Collection
from colde.results.verdicts.verdict_words import percent
from colde.text.not_compared.set_aside import include_option

MAX_PAIRS = 20
MAX_NAME = 36
MAX_NOT_COMPARED = 20  # documents with a line of their own on what was not compared


def print_collection(collection: Collection, console: Console) -> None:
    """Clusters, and the strongest pairs with their reasons."""
    console.print(Text(f"{len(collection.documents)} documents", style="bold"))
    console.print(summary(collection))
    for error in collection.unread:
        console.print(Text(f"left out: {clean(str(error))}", style="yellow"))
    print_warnings((f"{name}: {warning}" for name, warning in collection.warnings), console)
    for line in _not_compared(collection):
        console.print(Text(clean(line), style="dim"))
    for number, group in enumerate(collection.groups, 1):
        console.print()
        console.print(Text(f"cluster {number}, {len(group)} documents", style="bold"))
        for i in group:
            console.print(Text(f"  {_name(collection, i)}"))
    console.print()
    table = plain_table(
        "document 1",
        "document 2",
        Column("score", justify="right", no_wrap=True),
        Column("", justify="right", no_wrap=True),
        "why",
    )
    for pair in collection.pairs[:MAX_PAIRS]:
        likely = "" if pair.probability is None else f"{percent(pair.probability)} %"
        names = [Text(_name(collection, i)) for i in (pair.a, pair.b)]
        table.add_row(*names, f"{pair.score:.2f}", likely, Text(clean(pair.why), style="dim"))
    console.print(table)
    count = len(collection.documents) * (len(collection.documents) - 1) // 2
    if count > MAX_PAIRS:
        note = f"the {MAX_PAIRS} strongest of {count:,} pairs; --json contains the scores of all"
        console.print(Text(note, style="dim"))


def _name(collection: Collection, number: int) -> str:
    return shorten(clean(collection.names[number]), MAX_NAME)


def _not_compared(collection: Collection) -> list[str]:
    """The number of words that were not compared, and a line with their kinds for each document that has any.

    The documents with the most such words come first, at most `MAX_NOT_COMPARED`.
    """
    named = [(n, items) for n, items in zip(collection.names, collection.set_aside, strict=True) if items]
    if not named:
        return []
    ordered = sorted(named, key=lambda pair: -words_not_compared(pair[1]))
    option = include_option(item for _, items in named for item in items)
    lines = [
        f"Not compared: {counted(sum(words_not_compared(items) for _, items in named), 'word')} in "
        f"{len(named)} of {counted(len(collection.names), 'document')}{option}."
    ]
    lines += [f"  {name}: {', '.join(map(str, items))}" for name, items in ordered[:MAX_NOT_COMPARED]]
    if len(named) > MAX_NOT_COMPARED:
        more = counted(len(named) - MAX_NOT_COMPARED, "other document")
        lines.append(f"  and {more}; --csv and --json count the words of all")
    return lines
