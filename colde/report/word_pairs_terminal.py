"""Two sentences word by word, in lines of the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colde.report.formatting import clean, plain_table, quote, shorten
from colde.results.comparison import Comparison

if TYPE_CHECKING:
    from rich.console import Console

    from colde.comparison.word_by_word import WordContributions

MAX_WORD_PAIRS = 12
"""Pairs of words that are printed."""
WIDTH = 100


def print_words(comparison: Comparison, word_cells: WordContributions, out: Console) -> None:
    """The two sentences, what they add to the score, and the pairs of words that raise or lower it most."""
    from rich.text import Text

    for letter, document, span in (("A", comparison.a, word_cells.a), ("B", comparison.b, word_cells.b)):
        out.print(Text(f"{letter}  {shorten(clean(quote(document, span)), WIDTH)}"))
    title = next((s.title for s in comparison.results if s.name == word_cells.model), word_cells.model)
    out.print(f"add {word_cells.total:.5f} to the score of {title}, of which")
    table = plain_table("A", "B", "#adds")
    for a, b, value in word_cells.strongest(MAX_WORD_PAIRS):
        words = (clean(quote(d, s)) for d, s in ((comparison.a, a), (comparison.b, b)))
        table.add_row(*(Text(w) for w in words), f"{value:+.5f}")
    out.print(table)
