"""Pages that the next page shows again and goes on with, as the steps of a slide: they are read once."""

from __future__ import annotations

from collections.abc import Sequence

from colde.ingest.pdf.lines.text_lines import join_words
from colde.ingest.pdf.lines.text_rows import Row
from colde.ingest.pdf.words.page import Page
from colde.ingest.shared.page_warnings import page_warning, pages_phrase
from colde.text.document import ReadWarning

_SAME_PLACE = 0.5  # font sizes by which a row may be shifted


def drop_repeated_pages(
    pages: Sequence[Page], rows: Sequence[list[Row]], furniture: Sequence[set[int]]
) -> list[ReadWarning]:
    """Empty the rows of pages whose text stands at the same places of the next page, which has more, and warn of them.

    Args:
        furniture: of each page the indices of rows that are no text, which the next page need not have.
    """
    numbers = []
    for index, following in enumerate(rows[1:]):
        text = [row for i, row in enumerate(rows[index]) if i not in furniture[index]]
        if (
            0 < len(text) < len(following)
            and not pages[index].parts
            and all(_stands_on(following, r) for r in text)
        ):
            rows[index].clear()
            numbers.append(pages[index].number)
    if not numbers:
        return []
    verb, pronoun = ("was", "its") if len(numbers) == 1 else ("were", "their")
    text_of_warning = f"{pages_phrase(numbers)} {verb} left out, because the next page repeats {pronoun} text"
    return [page_warning(numbers, text_of_warning)]


def _stands_on(rows: Sequence[Row], row: Row) -> bool:
    """Whether one of the rows of another page is the same row at the same place."""
    tolerance = _SAME_PLACE * row.size
    return any(
        abs(other.base - row.base) <= tolerance
        and abs(other.words[0].x0 - row.words[0].x0) <= tolerance
        and join_words(other.words) == join_words(row.words)
        for other in rows
    )
