"""Contributions of pairs of words: one cell of a contribution map over sentences, split over the words of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np

from colde.comparison.model_run import RunOptions
from colde.comparison.questions.model_probe import ModelProbe, require_reference
from colde.errors import ModelError, PartError
from colde.explain.word_contribution import MAP_NAME
from colde.models.base import WordByWord
from colde.results.comparison import Comparison
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Span

SENTENCES = "contribution_sentence"

Sentence = int | Span
"""The number of a row (or column) of `contribution_sentence`, or a passage of the text."""


@dataclass(frozen=True, slots=True)
class WordContributions:
    """The contributions of the words of two sentences.

    Attributes:
        a, b: the two sentences; row, column: their numbers in `contribution_sentence`.
        map: [words of a, words of b], parts of the score.
    """

    model: str
    a: Span
    b: Span
    row: int
    column: int
    map: SimilarityMap

    @property
    def total(self) -> float:
        """Part of the score that the two sentences add."""
        return float(self.map.values.sum(dtype=np.float64)) + (self.map.residual or 0.0)

    def strongest(self, most: int) -> list[tuple[Span, Span, float]]:
        """The pairs of words with the largest contributions of either sign, largest first; none of zero."""
        values = self.map.values
        order = np.argsort(-np.abs(values), axis=None, kind="stable")[:most]
        places = (np.unravel_index(int(k), values.shape) for k in order)
        return [
            (self.map.rows[i], self.map.columns[j], float(values[i, j])) for i, j in places if values[i, j]
        ]


def word_contributions(
    comparison: Comparison,
    a: Sentence | None = None,
    b: Sentence | None = None,
    model: str | None = None,
    **options: Unpack[RunOptions],
) -> WordContributions:
    """Split one cell of a model's `contribution_sentence` over its pairs of words; the values add up to the cell.

    Args:
        comparison: finished.
        a, b: a sentence of each document; of a longer passage, or of the full text where none is named, the two with
            the largest contribution.
        model: by default the first that can split sentences into words.
        options: `reference`, the one that the comparison was made with, if any; `loader`.

    Raises:
        ModelError: the model cannot split sentences into words, or the reference is missing.
        PartError: there is no such sentence.
    """
    require_reference(comparison, options.get("reference"))
    for name in [model] if model else list(comparison.maps):
        contribution = comparison.maps.get(name, {}).get(SENTENCES)
        if contribution is None:
            continue
        probe = ModelProbe.of(comparison, name, **options)
        if not isinstance(probe.matcher, WordByWord):
            continue
        rows, columns = _numbers(contribution.rows, a, "a"), _numbers(contribution.columns, b, "b")
        block = contribution.values[np.ix_(rows, columns)]
        row, column = np.unravel_index(int(np.argmax(block)), block.shape)
        i, j = rows[int(row)], columns[int(column)]
        encoded_a, encoded_b = probe.encode()
        words = probe.matcher.word_contributions(encoded_a, encoded_b, i, j)
        return WordContributions(name, contribution.rows[i], contribution.columns[j], i, j, words)
    raise ModelError(
        f"{model or 'no model here'} does not split its score into contributions of sentences and words"
    )


def _numbers(passages: Sequence[Span], wanted: Sentence | None, letter: str) -> list[int]:
    """Numbers of the sentences that are meant, rising."""
    if wanted is None:
        numbers = list(range(len(passages)))
    elif isinstance(wanted, Span):
        numbers = [k for k, p in enumerate(passages) if p.overlaps(wanted)]
    else:
        numbers = [wanted] if 0 <= wanted < len(passages) else []
    if not numbers:
        raise PartError(f"{letter}: there is no such sentence; there are 0 to {len(passages) - 1}")
    return numbers


def with_word_map(comparison: Comparison, contributions: WordContributions) -> Comparison:
    """Copy with this map among those of the model, for the JSON file."""
    maps = {**comparison.maps[contributions.model], MAP_NAME: contributions.map}
    return replace(comparison, maps={**comparison.maps, contributions.model: maps})
