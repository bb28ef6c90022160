"""Result of a model on a pair: its score, its maps, its evidence, and what it read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from colde.results.match import Match
from colde.results.model_score import Coverage, ScorePart, WordPart
from colde.results.similarity_map import SimilarityMap


@dataclass(frozen=True, slots=True, eq=False)
class PairResult:
    """The answer of one model for one pair.

    Attributes:
        score: on the scale of the model's card.
        coverage_a, coverage_b: how much of each text it read.
        maps: by name, as the JSON file has them; empty where no explanation was asked for.
        evidence: passages that carry the score, best first; empty likewise.
        parts: of a mixture: what the score is the weighted sum of.
        words: of a model that weighs words: those that both texts use and that add most, the greatest first.
    """

    score: float
    coverage_a: Coverage
    coverage_b: Coverage
    maps: Mapping[str, SimilarityMap] = field(default_factory=dict)
    evidence: tuple[Match, ...] = ()
    parts: tuple[ScorePart, ...] = ()
    words: tuple[WordPart, ...] = ()
