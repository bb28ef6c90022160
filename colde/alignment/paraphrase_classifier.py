"""The kind of match of a candidate pair of sentences: edited, paraphrased, same topic, or none.

Edited sentences have at least half of their words in common, in the same order. For the others a logistic model gives
the probability of a paraphrase. `studies/quality/fit_sentence_kinds.py` fitted its parameters on the features of
`sentence_pair_features`; they are valid for these only. The file contains the features of a fixed example, which a test
computes again.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from colde.alignment.sentence_pair_features import CONTEXT, FEATURES, CandidatePairs, context_features
from colde.results.seeds import Seeds, log_odds
from colde.results.shared_text import PassageKind

SAME_WORDS = 0.5
"""Smallest `order` of an edited pair."""
FEWEST_COMMON = 5
"""Smallest `common` of an edited pair; fewer words are a common phrase."""
EDITED = 2.0
"""Least log odds of an edited pair."""
PARAMETERS = Path(__file__).with_name("paraphrase_classifier.json")


@dataclass(frozen=True, slots=True)
class ClassifiedPair:
    """A candidate pair, by the positions of its sentences, and its kind."""

    row: int
    column: int
    kind: PassageKind
    certainty: float


@dataclass(frozen=True, slots=True)
class LogisticModel:
    """Weights of features, and the constant."""

    weights: NDArray[np.float64]
    bias: float

    def probability(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of each row: [rows] of [rows, features]."""
        return np.asarray(1 / (1 + np.exp(-(features @ self.weights + self.bias))), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Parameters:
    """The fitted models and thresholds.

    Attributes:
        alone: from `FEATURES`, the first estimate.
        together: from `FEATURES` and `CONTEXT`, the probability of a paraphrase.
        paraphrased: the probability from which a pair is paraphrased.
        subject: the probability from which it is about the same topic.
    """

    alone: LogisticModel
    together: LogisticModel
    paraphrased: float
    subject: float


@lru_cache(maxsize=1)
def parameters() -> Parameters:
    """The parameters that ship.

    Raises:
        ValueError: they were fitted for other features.
    """
    stored = json.loads(PARAMETERS.read_text(encoding="utf-8"))
    return Parameters(
        _model(stored["alone"], FEATURES),
        _model(stored["together"], (*FEATURES, *CONTEXT)),
        stored["paraphrased"],
        stored["subject"],
    )


def _model(stored: Mapping[str, Any], features: Sequence[str]) -> LogisticModel:
    if tuple(stored["weights"]) != tuple(features):
        raise ValueError(
            f"{PARAMETERS.name} was fitted for other features: run studies/quality/fit_sentence_kinds.py"
        )
    return LogisticModel(np.array(list(stored["weights"].values())), stored["bias"])


def first_estimate(pairs: CandidatePairs, alone: LogisticModel) -> NDArray[np.float64]:
    """Probability that each pair is a match, by its own features; 1 for edited pairs: [pairs]."""
    return np.where(is_edited(pairs.order, pairs.common), 1.0, alone.probability(pairs.values))


def paraphrase_probability(pairs: CandidatePairs, fitted: Parameters) -> NDArray[np.float64]:
    """Probability that the sentences of each pair are paraphrases: [pairs]."""
    context = context_features(pairs, first_estimate(pairs, fitted.alone))
    return fitted.together.probability(np.column_stack([pairs.values, context]))


def classify_pairs(pairs: CandidatePairs, fitted: Parameters | None = None) -> Iterator[ClassifiedPair]:
    """The candidates that match, with their kinds, in reading order of the first text."""
    if not len(pairs):
        return
    fitted = fitted or parameters()
    probability, edited = paraphrase_probability(pairs, fitted), is_edited(pairs.order, pairs.common)
    for k in np.flatnonzero(edited | (probability >= fitted.subject)):
        certainty = float(probability[k])
        kind: PassageKind = "paraphrased" if certainty >= fitted.paraphrased else "same topic"
        if edited[k]:
            kind, certainty = "edited", float(pairs.order[k])
        yield ClassifiedPair(int(pairs.rows[k]), int(pairs.columns[k]), kind, certainty)


def is_edited(order: NDArray[np.float64], common: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether the sentences of each pair have half of their words in common, and not too few: [pairs].

    Args:
        order, common: as in `CandidatePairs`.
    """
    return np.asarray((order >= SAME_WORDS) & (common >= FEWEST_COMMON), dtype=np.bool_)


def pair_seeds(
    pairs: CandidatePairs, kinds: Collection[PassageKind], fitted: Parameters | None = None
) -> Seeds:
    """The candidates as seeds of passages; edited pairs have the log odds of `EDITED` at least.

    Args:
        kinds: the kinds that are searched; without `paraphrased` only edited pairs are seeds.
    """
    if not len(pairs):
        return Seeds.none()
    probability = paraphrase_probability(pairs, fitted or parameters())
    edited = is_edited(pairs.order, pairs.common)
    values = np.where(edited, np.maximum(log_odds(probability), EDITED), log_odds(probability))
    none = np.zeros(len(pairs), dtype=np.int64)
    seeds = Seeds(pairs.rows, pairs.columns, values, pairs.common, pairs.order, none)
    return seeds if "paraphrased" in kinds else seeds.take(edited)
