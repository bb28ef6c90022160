"""What was not compared, in words for the terminal."""

from __future__ import annotations

from colde.results.comparison import Comparison
from colde.results.similarity_map import Letter
from colde.text.set_aside import set_aside_phrase

SIDES: tuple[Letter, ...] = ("a", "b")


def not_compared_lines(comparison: Comparison) -> list[str]:
    """A line for each document of which something was not compared.

    What a model did not read is left out: the notes of the scores say it.
    """
    excluded = comparison.set_aside
    phrases = {
        side: set_aside_phrase(item for item in excluded[side] if item.model is None) for side in SIDES
    }
    return [f"Not compared in {side.upper()}: {phrase}." for side, phrase in phrases.items() if phrase]
