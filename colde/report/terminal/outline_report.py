"""The outline of one document on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Column
from rich.text import Text

from colde.report.formatting import clean, plain_table, print_warnings, section_name, size
from colde.text.reading_grade import reading_grade
from colde.text.words import count_words

if TYPE_CHECKING:
    from rich.console import Console

    from colde.text.document import Document


def print_outline(document: Document, console: Console) -> None:
    """Print title, language, size and reading grade of a document, its warnings, and a table of its sections."""
    console.print(Text(clean(document.title) or clean(document.source) or "(no title)", style="bold"))
    language = f", language {document.language}" if document.language else ""
    console.print(
        Text(f"{clean(document.source)}   {document.format}{language}   {size(document)}", style="dim")
    )
    console.print(Text(f"Grade of the reading: {clean(str(reading_grade(document)))}", style="dim"))
    print_warnings(document.warnings, console)
    console.print()
    numbers = ("words", "sentences", "page")
    taken = sum(map(len, (str(len(document.sections) - 1), *numbers))) + 2 * (len(numbers) + 2)
    # a narrow terminal cuts headings, not numbers
    heading_width = max(console.width - taken, 12)
    table = plain_table(
        Column("", justify="right", no_wrap=True, style="dim"),
        Column("section", overflow="ellipsis", no_wrap=True, max_width=heading_width),
        *(Column(name, justify="right", no_wrap=True) for name in numbers),
    )
    for number, section in enumerate(document.sections):
        page = document.page_at(section.start)
        label = Text("  " * (section.level - 1))
        if section.heading or section.role is None:
            label.append(section_name(document, section))
        if section.role is not None:
            label.append(f"{'  ' if section.heading else ''}({section.role}, not compared)", style="dim")
        table.add_row(
            str(number),
            label,
            f"{count_words(document.text[section.body : section.end]):,}",
            f"{len(section.sentences):,}",
            "" if page is None else str(page),
        )
    console.print(table)
