"""The kind of match of a candidate pair of sentences: edited, paraphrased, same subject, or none.

Edited sentences have at least half of their words in common, in the same order. For the others a logistic model gives
the probability of a paraphrase. `studies/quality/fit_sentence_kinds.py` fitted its parameters on the features of
`sentence_pair_features`; they are valid for these only. The file contains the features of a fixed example, which a test
computes again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from colde.explain.sentence_pair_features import FEATURES, CandidatePairs
from colde.results.shared_text import Kind

SAME_WORDS = 0.5
"""Smallest `order` of an edited pair."""
FEWEST_COMMON = 5
"""Smallest `common` of an edited pair; fewer words are a common phrase."""
REACH = 2
"""Largest distance, in sentences, between a match and a pair that continues it."""
FEWEST_SIMILARITY = 0.08
"""Similarity that a pair needs to continue a match; a constant that was not fitted."""
PARAMETERS = Path(__file__).with_name("paraphrase_classifier.json")


@dataclass(frozen=True, slots=True)
class ClassifiedPair:
    """A candidate pair, by the positions of its sentences, and its kind."""

    row: int
    column: int
    kind: Kind
    certainty: float


@dataclass(frozen=True, slots=True)
class Parameters:
    """The fitted model.

    Attributes:
        weights: one for each of `FEATURES`; bias: the constant.
        paraphrased: the probability from which a pair is paraphrased.
        continued: the same for a pair that continues a match.
        subject: the probability from which it is about the same subject.
    """

    weights: NDArray[np.float64]
    bias: float
    paraphrased: float
    continued: float
    subject: float


@lru_cache(maxsize=1)
def parameters() -> Parameters:
    """The parameters that ship.

    Raises:
        ValueError: they were fitted for other features.
    """
    stored = json.loads(PARAMETERS.read_text(encoding="utf-8"))
    weights = stored["weights"]
    if tuple(weights) != FEATURES:
        raise ValueError(
            f"{PARAMETERS.name} was fitted for other features: run studies/quality/fit_sentence_kinds.py"
        )
    return Parameters(
        np.array(list(weights.values())),
        stored["bias"],
        stored["paraphrased"],
        stored["continued"],
        stored["subject"],
    )


def paraphrase_probability(pairs: CandidatePairs, fitted: Parameters) -> NDArray[np.float64]:
    """Probability that the sentences of each pair are paraphrases: [pairs]."""
    return np.asarray(1 / (1 + np.exp(-(pairs.values @ fitted.weights + fitted.bias))), dtype=np.float64)


def classify_pairs(pairs: CandidatePairs, fitted: Parameters | None = None) -> Iterator[ClassifiedPair]:
    """The candidates that match, with their kinds, in reading order of the first text."""
    fitted = fitted or parameters()
    probability = paraphrase_probability(pairs, fitted)
    edited, paraphrased = is_edited(pairs), is_paraphrased(pairs, fitted)
    for k in np.flatnonzero(edited | paraphrased | (probability >= fitted.subject)):
        certainty = float(probability[k])
        kind: Kind = "paraphrased" if paraphrased[k] else "same subject"
        if edited[k]:
            kind, certainty = "edited", float(pairs.order[k])
        yield ClassifiedPair(int(pairs.rows[k]), int(pairs.columns[k]), kind, certainty)


def is_paraphrased(pairs: CandidatePairs, fitted: Parameters) -> NDArray[np.bool_]:
    """Whether the sentences of each pair are paraphrases: [pairs].

    A pair that lies within `REACH` sentences of a match in both texts continues it, and needs a lower probability.
    """
    probability, edited = paraphrase_probability(pairs, fitted), is_edited(pairs)
    sure = edited | (probability >= fitted.paraphrased)
    matched = sure.copy()
    similar = pairs.values[:, FEATURES.index("similarity")] >= FEWEST_SIMILARITY
    for k in np.flatnonzero(~sure & similar & (probability >= fitted.continued)):
        near = (abs(pairs.rows[sure] - pairs.rows[k]) <= REACH) & (
            abs(pairs.columns[sure] - pairs.columns[k]) <= REACH
        )
        matched[k] = near.any()
    return np.asarray(matched & ~edited, dtype=np.bool_)


def is_edited(pairs: CandidatePairs) -> NDArray[np.bool_]:
    """Whether the sentences of each pair have half of their words in common, and not too few: [pairs]."""
    return np.asarray((pairs.order >= SAME_WORDS) & (pairs.common >= FEWEST_COMMON), dtype=np.bool_)
