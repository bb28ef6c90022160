"""The verdict as a bar from unrelated through undecided to related, with the threshold on it."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from colde.report.score_position import score_position
from colde.results.model_score import Score
from colde.results.verdict_words import UNDECIDED, percent_or_dash


@dataclass(frozen=True, slots=True)
class VerdictBar:
    """Positions on the bar, from 0 (unrelated) to 1 (related).

    Attributes:
        at: of the pair: its probability; without one, its score on a scale with the threshold in the middle.
        threshold: of the threshold.
        undecided: where the undecided part begins and ends; both are the threshold without a probability.
        label: the bar in words, for a screen reader.
    """

    at: float
    threshold: float
    undecided: tuple[float, float]
    label: str

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


def verdict_bar(score: Score) -> VerdictBar | None:
    """The bar of a score; None without a threshold."""
    position = score_position(score)
    if position is None:
        return None
    if score.probability is None:
        label = f"{score.says}: score {score.score:.2f}, threshold {score.threshold:.2f}"
        return VerdictBar(position, 0.5, (0.5, 0.5), label)
    limit = 0.5 if score.threshold_probability is None else score.threshold_probability
    label = (
        f"{score.says}: {percent_or_dash(score.probability)} on a bar from unrelated (0 %) to related (100 %), the "
        f"threshold at {percent_or_dash(limit)}"
    )
    return VerdictBar(score.probability, limit, UNDECIDED, label)
