"""Terminal output of `colde compare DIR`."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from colde.report.collection_html import summary
from colde.report.formatting import clean, plain_table, shorten
from colde.report.verdict import percent
from colde.results.collection import Collection

MOST = 20
NAME = 36


def print_collection(found: Collection, console: Console) -> None:
    """Clusters, and the strongest pairs with their reasons."""
    console.print(Text(f"{len(found.documents)} documents", style="bold"))
    console.print(summary(found))
    for error in found.unread:
        console.print(Text(f"left out: {clean(str(error))}", style="yellow"))
    for number, group in enumerate(found.groups, 1):
        console.print()
        console.print(Text(f"cluster {number}, {len(group)} documents", style="bold"))
        for i in group:
            console.print(Text(f"  {_name(found, i)}"))
    console.print()
    table = plain_table()
    for title, side in (
        ("one", "left"),
        ("other", "left"),
        ("score", "right"),
        ("", "right"),
        ("why", "left"),
    ):
        table.add_column(title, justify="right" if side == "right" else "left", no_wrap=side == "right")
    for pair in found.pairs[:MOST]:
        likely = "" if pair.probability is None else f"{percent(pair.probability)} %"
        names = [Text(_name(found, i)) for i in (pair.a, pair.b)]
        table.add_row(*names, f"{pair.score:.2f}", likely, Text(clean(pair.why), style="dim"))
    console.print(table)


def _name(found: Collection, number: int) -> str:
    return shorten(clean(found.names[number]), NAME)
