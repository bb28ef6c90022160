"""Result of a model for a pair: score, maps, and how much it read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from colde.results.model_score import Coverage, ScorePart, WordPart
from colde.results.similarity_map import SimilarityMap


@dataclass(frozen=True, slots=True, eq=False)
class PairResult:
    """The result of one model for one pair.

    Attributes:
        score: on the scale of the model's card.
        coverage_a, coverage_b: how much of each text it read.
        maps: by name, as the JSON file has them; empty where no explanation was asked for.
        parts: of a mixture: the terms of the weighted sum.
        words: of a model that weighs words: shared words with the largest contributions, largest first.
        self_similarity: of each document's parts to each other (`Encoding.self_similarity`).
    """

    score: float
    coverage_a: Coverage
    coverage_b: Coverage
    maps: Mapping[str, SimilarityMap] = field(default_factory=dict)
    parts: tuple[ScorePart, ...] = ()
    words: tuple[WordPart, ...] = ()
    self_similarity: tuple[float | None, float | None] = (None, None)
