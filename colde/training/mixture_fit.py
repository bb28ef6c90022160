"""The weights of CoLDE + words for a profile, chosen on labelled pairs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from sklearn.metrics import roc_auc_score

from colde.models.colde_words.mixture_matcher import DENSE, ColdeWords
from colde.models.colde_words.mixture_weights import MixtureWeights
from colde.results.encoding import Encoding
from colde.results.model_score import ScorePart
from colde.training.held_out import HeldOutPairs

TENTHS = 10
CANDIDATES = tuple(
    MixtureWeights(words / TENTHS, exact / TENTHS)
    for words, exact in product(range(TENTHS), repeat=2)
    if words + exact < TENTHS
)
"""Weights in steps of 0.1; CoLDE's score has at least 0.1, since a text without known words has no other."""


def fit_weights(matcher: ColdeWords, encodings: Sequence[Encoding], corpus: HeldOutPairs) -> MixtureWeights:
    """Of the candidates whose ROC AUC is within one standard error of the best, the nearest to the present weights.

    So few pairs change little: the present weights were fitted on thousands of pairs of other documents.
    """
    even = matcher.with_weights(MixtureWeights(1 / 3, 1 / 3))
    parts = [even.match(encodings[i], encodings[j], explain=False).parts for i, j in corpus.pairs]
    names = (DENSE, matcher.words.name, matcher.centre.name)
    values = np.array([[_value(p, name) for name in names] for p in parts])
    return choose_weights(values, corpus.labels, matcher.weights)


def choose_weights(values: np.ndarray, labels: np.ndarray, now: MixtureWeights) -> MixtureWeights:
    """As `fit_weights`, from the values of the channels: [pairs, 3], NaN where a text has no known words."""
    aucs = np.array([_auc(values, labels, c) for c in CANDIDATES])
    best = aucs.max()
    error = np.sqrt(best * (1 - best) / np.bincount(labels, minlength=2).min())
    good = [c for c, auc in zip(CANDIDATES, aucs, strict=True) if auc >= best - error]
    return min(good, key=lambda c: abs(c.words - now.words) + abs(c.exact - now.exact))


def _value(parts: Sequence[ScorePart], name: str) -> float:
    return next((p.value for p in parts if p.name == name), np.nan)


def _auc(values: np.ndarray, labels: np.ndarray, weights: MixtureWeights) -> float:
    w = np.array([weights.dense, weights.words, weights.exact]) * ~np.isnan(values)
    return float(roc_auc_score(labels, (w * np.nan_to_num(values)).sum(1) / w.sum(1)))
