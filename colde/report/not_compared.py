"""What was not compared, in words for the terminal."""

from __future__ import annotations

from colde.report.formatting import counted
from colde.results.collection import Collection
from colde.results.comparison import Comparison
from colde.results.similarity_map import Letter
from colde.text.set_aside import SetAside, include_option, set_aside_phrase

SIDES: tuple[Letter, ...] = ("a", "b")
MAX_DOCUMENTS = 20
"""Documents of a collection with a line of their own."""


def not_compared_lines(comparison: Comparison) -> list[str]:
    """A line for each document of which something was not compared.

    What a model did not read is left out: the notes of the scores say it.
    """
    excluded = comparison.set_aside
    phrases = {
        side: set_aside_phrase(item for item in excluded[side] if item.model is None) for side in SIDES
    }
    return [f"Not compared in {side.upper()}: {phrase}." for side, phrase in phrases.items() if phrase]


def not_compared_in_collection(collection: Collection) -> list[str]:
    """The number of words that were not compared, and a line with their kinds for each document that has any.

    The documents with the most such words come first, at most `MAX_DOCUMENTS`.
    """
    named = [(n, items) for n, items in zip(collection.names, collection.set_aside, strict=True) if items]
    if not named:
        return []
    ordered = sorted(named, key=lambda pair: -_words(pair[1]))
    option = include_option(item for _, items in named for item in items)
    lines = [
        f"Not compared: {counted(sum(_words(items) for _, items in named), 'word')} in "
        f"{len(named)} of {counted(len(collection.names), 'document')}{option}."
    ]
    lines += [f"  {name}: {', '.join(map(str, items))}" for name, items in ordered[:MAX_DOCUMENTS]]
    if len(named) > MAX_DOCUMENTS:
        more = counted(len(named) - MAX_DOCUMENTS, "other document")
        lines.append(f"  and {more}; --csv and --json count the words of all")
    return lines


def _words(items: tuple[SetAside, ...]) -> int:
    """The words of a document that no model compared."""
    return sum(item.words for item in items if item.model is None)
