"""One pair of sentences word by word: what each pair of words adds to a model's score, made for this pair alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from colde import models as registry
from colde.comparison.apply_reference import apply_reference
from colde.comparison.pipeline import Loader
from colde.errors import ModelError, PartError
from colde.explain.word_contribution import MAP_NAME
from colde.judge.reference import Reference
from colde.models.base import WordByWord
from colde.results.comparison import Comparison
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Span

SENTENCES = "contribution_sentence"

Sentence = int | Span
"""The number of a passage among the rows (or columns) of `contribution_sentence`, or any stretch of the text."""


@dataclass(frozen=True, slots=True)
class WordContributions:
    """A cell of sentences, taken apart.

    Attributes:
        model: whose score it is a part of.
        a, b: the two sentences; row, column: their numbers in `contribution_sentence`.
        map: words of `a` × words of `b`, parts of the score.
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
        """The pairs of words that add or take most, the greatest first; none that adds nothing."""
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
    *,
    reference: Reference | None = None,
    loader: Loader = registry.load,
) -> WordContributions:
    """Split one cell of a model's `contribution_sentence` over its pairs of words; the values add up to the cell.

    Args:
        comparison: finished.
        a, b: a sentence of each document; of a longer stretch, or of the whole text where none is named, the two that
            add most.
        model: by default the first that takes sentences apart.
        reference: the one the comparison was made with, where it was made with one.

    Raises:
        ModelError: the model does not take a pair of sentences apart, or the reference is missing.
        PartError: there is no such sentence.
    """
    if comparison.reference is not None and reference is None:
        raise ModelError(f"the comparison was made with the reference {comparison.reference}: name it again")
    for name in [model] if model else list(comparison.maps):
        contribution = comparison.maps.get(name, {}).get(SENTENCES)
        if contribution is None:
            continue
        matcher, _ = apply_reference(loader(name), comparison.profile, reference)
        if not isinstance(matcher, WordByWord):
            continue
        rows, columns = _places(contribution.rows, a, "a"), _places(contribution.columns, b, "b")
        block = contribution.values[np.ix_(rows, columns)]
        row, column = np.unravel_index(int(np.argmax(block)), block.shape)
        encoded = matcher.encode([comparison.a, comparison.b])
        i, j = rows[int(row)], columns[int(column)]
        return WordContributions(
            name,
            contribution.rows[i],
            contribution.columns[j],
            i,
            j,
            matcher.word_contributions(encoded[0], encoded[1], i, j),
        )
    raise ModelError(
        f"{model or 'no model here'} does not take the score apart into sentences, and these into words"
    )


def _places(passages: Sequence[Span], wanted: Sentence | None, letter: str) -> list[int]:
    """Numbers of the passages that are meant, rising."""
    if wanted is None:
        found = list(range(len(passages)))
    elif isinstance(wanted, Span):
        found = [k for k, p in enumerate(passages) if p.overlaps(wanted)]
    else:
        found = [wanted] if 0 <= wanted < len(passages) else []
    if not found:
        raise PartError(f"{letter}: there is no such sentence; there are 0 to {len(passages) - 1}")
    return found


def with_word_map(comparison: Comparison, found: WordContributions) -> Comparison:
    """Copy with this map among those of the model, for the JSON file."""
    own = {**comparison.maps[found.model], MAP_NAME: found.map}
    return replace(comparison, maps={**comparison.maps, found.model: own})
