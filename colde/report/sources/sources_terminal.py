"""Terminal output of `colde sources`."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.table import Column
from rich.text import Text

from colde.index.sources.counted_sources import Sources
from colde.report.formatting import clean, counted, plain_table, precise_percent, quote, shorten
from colde.report.sources.sources_summary import (
    CAUTION,
    also_phrase,
    left_out_sentence,
    sources_sentence,
    sources_title,
    versions_sentence,
)

MAX_SOURCES, MAX_PASSAGES = 20, 3
MAX_QUOTE, MAX_NAME = 220, 48


def print_sources(sources: Sources, console: Console) -> None:
    """The total, the ranking, and the longest passages of each source."""
    console.print(Text(sources_title(sources), style="bold"))
    console.print(Text(sources_sentence(sources)))
    for sentence in filter(None, (versions_sentence(sources), left_out_sentence(sources))):
        console.print(Text(sentence, style="dim"))
    if not sources.sources:
        return
    console.print()
    table = plain_table(
        "#",
        Column("source", overflow="fold"),
        *(Column(t, justify="right", no_wrap=True) for t in ("share", "words", "own", "longest")),
    )
    for source in sources.sources[:MAX_SOURCES]:
        table.add_row(
            str(source.number),
            Text(shorten(clean(source.name), MAX_NAME)),
            precise_percent(source.share),
            f"{source.words:,}",
            f"{source.own_words:,}",
            f"{source.longest:,}",
        )
    console.print(table)
    if len(sources) > MAX_SOURCES:
        console.print(Text(f"the first {MAX_SOURCES} of {len(sources):,}; --json has all", style="dim"))
    for source in sources.sources[:MAX_SOURCES]:
        console.print()
        console.print(Text(f"{source.number}. {clean(source.name)}", style="bold"))
        longest = sorted(source.passages, key=lambda p: -p.words)[:MAX_PASSAGES]
        for p in longest:
            about = ", ".join(filter(None, (counted(p.words, "word"), p.kind, also_phrase(p))))
            line = Text(f"{about}: ", style="dim")
            line.append(shorten(clean(quote(sources.document, p.a)), MAX_QUOTE), style="not dim")
            console.print(Padding(line, (0, 0, 0, 3)))
    console.print()
    console.print(Text(CAUTION, style="dim"))
