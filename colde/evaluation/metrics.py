"""Measures of how well scores separate similar pairs from others, as in all results tables.

They are those of scikit-learn, which has no calibration error. The bootstrap is of this program: no library draws the
two documents of a pair. It computes the measures for all draws at once, since scikit-learn takes 5 milliseconds a draw.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import norm

CALIBRATION_BINS = 15
DRAWS = 1000
NUMBERS_AT_ONCE = 2_000_000
NORMAL_95 = float(norm.ppf(0.975))
"""Standard deviations to either side of the mean that hold 95 % of a normal distribution."""

Numbers = NDArray[np.float64]

MEASURES = (
    "precision",
    "recall",
    "f1",
    "accuracy",
    "roc_auc",
    "average_precision",
    "calibration_error",
    "brier",
)
"""Every measure, in the order of the tables. All lie in [0, 1]; the last two are better when small."""


SHARES = frozenset({"precision", "recall", "accuracy"})
"""Measures that are a share of pairs."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure with its 95 % interval; NaN where it is undefined (one class only, no threshold)."""

    value: float
    low: float
    high: float


def measure(
    labels: ArrayLike,
    scores: ArrayLike,
    threshold: float | None,
    probabilities: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> dict[str, float]:
    """All of `MEASURES` for one set of pairs.

    Args:
        labels: [pairs], 1 similar, 0 not.
        scores: [pairs], on the model's own scale.
        threshold: a pair is predicted similar when its score reaches this; without one the first four are NaN.
        probabilities: [pairs], calibrated; without them the last two are NaN.
        weights: [pairs], for example so that corpora of different sizes count equally; by default all are 1.
    """
    from sklearn import metrics as sk

    y, s, p = _arrays(labels, scores, probabilities)
    w = _weights(weights, y.size)
    measures = dict.fromkeys(MEASURES, np.nan)
    if threshold is not None and y.size:
        called = s >= threshold
        precision, recall, f1, _ = sk.precision_recall_fscore_support(
            y, called, average="binary", sample_weight=w, zero_division=0
        )
        measures |= {"precision": precision, "recall": recall, "f1": f1}
        measures["accuracy"] = sk.accuracy_score(y, called, sample_weight=w)
    if 0 < y.sum() < y.size:
        measures["roc_auc"] = sk.roc_auc_score(y, s, sample_weight=w)
        measures["average_precision"] = sk.average_precision_score(y, s, sample_weight=w)
    if p is not None and y.size:
        measures["calibration_error"] = _calibration_errors(y, p, w[None])[0]
        measures["brier"] = np.average((p - y) ** 2, weights=w)
    return {name: float(value) for name, value in measures.items()}


def _weights(weights: ArrayLike | None, pairs: int) -> NDArray[np.float64]:
    return np.ones(pairs) if weights is None else np.asarray(weights, dtype=float)


def _arrays(
    labels: ArrayLike, scores: ArrayLike, probabilities: ArrayLike | None
) -> tuple[Numbers, Numbers, Numbers | None]:
    p = None if probabilities is None else np.asarray(probabilities, dtype=float)
    return np.asarray(labels, dtype=float), np.asarray(scores, dtype=float), p


def _measures_of_draws(
    y: Numbers, s: Numbers, threshold: float | None, p: Numbers | None, w: Numbers
) -> dict[str, Numbers]:
    """All of `MEASURES` for several weightings of the pairs: [weightings] each; NaN where one is undefined.

    Args:
        y, s, p: labels, scores and probabilities, each [pairs].
        w: [weightings, pairs].
    """
    measures = {name: np.full(len(w), np.nan) for name in MEASURES}
    related, total = w @ y, w.sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        if threshold is not None:
            called = (s >= threshold).astype(float)
            hits, calls = w @ (y * called), w @ called
            measures["precision"] = hits / calls
            measures["recall"] = hits / related
            measures["f1"] = 2 * hits / (calls + related)
            measures["accuracy"] = w @ (y == called) / total
        if y.size:
            order = np.argsort(-s, kind="stable")
            ends = np.flatnonzero(np.diff(s[order], append=np.nan) != 0)  # equal scores are one step
            true, false = ((w * part)[:, order].cumsum(1)[:, ends] for part in (y, 1 - y))
            more_true, more_false = (np.diff(sums, axis=1, prepend=0.0) for sums in (true, false))
            area = (more_false * (true - more_true / 2)).sum(1)
            measures["roc_auc"] = area / (true[:, -1] * false[:, -1])
            precision = np.where(more_true > 0, true / (true + false), 0.0)
            one_class = (related == 0) | (related == total)
            average = (more_true * precision).sum(1) / related
            measures["average_precision"] = np.where(one_class, np.nan, average)
        if p is not None:
            measures["calibration_error"] = _calibration_errors(y, p, w)
            measures["brier"] = w @ (p - y) ** 2 / total
    return measures


def _calibration_errors(y: Numbers, p: Numbers, w: Numbers) -> Numbers:
    """The calibration error for several weightings of the pairs: [weightings]; the bins are those of all pairs."""
    bins = np.equal.outer(_bin_of(p, CALIBRATION_BINS), np.arange(CALIBRATION_BINS))
    excess = w @ (bins * (p - y)[:, None])  # [weightings, bins]
    errors: Numbers = np.abs(excess).sum(1) / w.sum(1)
    return errors


def expected_calibration_error(
    labels: ArrayLike, probabilities: ArrayLike, bins: int = CALIBRATION_BINS
) -> float:
    """Mean over pairs of |mean probability − share of similar pairs| of the pair's bin (Naeini et al. 2015).

    Bins hold equal numbers of pairs. Their edges are quantiles of the probabilities, as in scikit-learn's
    `calibration_curve(strategy="quantile")`, so that equal probabilities are in one bin.

    Args:
        labels: [pairs], 1 similar, 0 not.
        probabilities: [pairs], in [0, 1].
    """
    return float(calibration_error_by_labelling(np.atleast_2d(labels), probabilities, bins)[0])


def calibration_error_by_labelling(
    labels: ArrayLike, probabilities: ArrayLike, bins: int = CALIBRATION_BINS
) -> NDArray[np.float64]:
    """`expected_calibration_error` of the same probabilities with each of several labellings: [labellings].

    Args:
        labels: [labellings, pairs].
    """
    p = np.asarray(probabilities, dtype=float)
    in_bin = np.equal.outer(_bin_of(p, bins), np.arange(bins)).astype(float)
    excess = p @ in_bin - np.asarray(labels, dtype=float) @ in_bin  # [labellings, bins]
    errors: NDArray[np.float64] = np.abs(excess).sum(1) / p.size
    return errors


def reliability(labels: ArrayLike, probabilities: ArrayLike, bins: int = 10) -> NDArray[np.float64]:
    """Points of a calibration plot: [bins that hold pairs, 3], rising in the first column.

    Columns: mean probability, share of similar pairs, share of all pairs. Arguments as in
    `expected_calibration_error`.
    """
    sums = _bins(labels, probabilities, bins)
    sums = sums[sums[:, 2] > 0]
    return np.column_stack((sums[:, :2] / sums[:, 2:], sums[:, 2] / sums[:, 2].sum()))


def _bins(labels: ArrayLike, probabilities: ArrayLike, bins: int) -> NDArray[np.float64]:
    """Sums of probabilities and of labels in each bin, and the number of pairs: [bins, 3]."""
    y = np.asarray(labels, dtype=float)
    p = np.asarray(probabilities, dtype=float)
    of_bin = _bin_of(p, bins)
    sums = [np.bincount(of_bin, weights=part, minlength=bins) for part in (p, y)]
    return np.column_stack([*sums, np.bincount(of_bin, minlength=bins)])


def _bin_of(p: Numbers, bins: int) -> NDArray[np.intp]:
    """The bin of each probability: [pairs]."""
    return np.searchsorted(np.quantile(p, np.linspace(0, 1, bins + 1)[1:-1]), p)


def bootstrap(
    labels: ArrayLike,
    scores: ArrayLike,
    threshold: float | None,
    probabilities: ArrayLike | None,
    documents: Sequence[tuple[Hashable, Hashable]],
    *,
    draws: int = DRAWS,
    seed: int = 0,
    weights: ArrayLike | None = None,
) -> dict[str, Measured]:
    """All of `MEASURES`, each with a 95 % interval that is clustered by both documents of a pair.

    Two pairs with a document in common are not independent, whether it is their source or their target. The variance
    of a measure is the sum of the covariances of all such pairs (Fafchamps and Gubert 2007; the two-way clusters of
    Cameron, Gelbach and Miller 2011). It is the sum of two terms. The first has a cluster for each document: documents
    are drawn with replacement, and a pair counts as often as the mean of its two documents, which halves all
    deviations. It counts the variance of each pair twice, for a pair is in two clusters. So the second term, the
    variance over pairs drawn with replacement, is subtracted.

    Args:
        documents: [pairs], the two documents of each.
        seed: the same seed gives the same intervals.
        weights: [pairs], as in `measure`.
    """
    y, s, p = _arrays(labels, scores, probabilities)
    w = _weights(weights, y.size)
    overall = measure(y, s, threshold, p, w)
    numbers = dict[Hashable, int]()
    ends = np.array(
        [[numbers.setdefault(d, len(numbers)) for d in pair] for pair in documents], dtype=np.intp
    )
    random = np.random.default_rng(seed)
    by_document, by_pair = np.empty((draws, len(MEASURES))), np.empty((draws, len(MEASURES)))
    at_once = max(1, NUMBERS_AT_ONCE // max(1, y.size))
    for first in range(0, draws, at_once):
        rows = slice(first, min(first + at_once, draws))
        count = rows.stop - rows.start
        of_documents = _drawn(random, count, len(numbers))[:, ends].mean(2)
        for values, times in ((by_document, of_documents), (by_pair, _drawn(random, count, y.size))):
            measured = _measures_of_draws(y, s, threshold, p, times * w)
            values[rows] = np.column_stack([measured[name] for name in MEASURES])
    counts = _independent_pairs(y, s, threshold, documents)
    return {
        name: _interval(name, overall[name], by_document[:, column], by_pair[:, column], counts[name])
        for column, name in enumerate(MEASURES)
    }


def _independent_pairs(
    y: Numbers, s: Numbers, threshold: float | None, documents: Sequence[tuple[Hashable, Hashable]]
) -> dict[str, int]:
    """How many pairs that share no document each measure is made of.

    Precision is a share of the pairs that are called similar, recall of those that are, and the areas under curves are
    as good as the rarer class.
    """
    called = np.zeros(y.size, dtype=bool) if threshold is None else s >= threshold

    def count(chosen: NDArray[np.bool_]) -> int:
        graph = nx.Graph(pair for pair, taken in zip(documents, chosen, strict=True) if taken)
        return len(nx.maximal_matching(graph))

    everything, related, unrelated = (count(chosen) for chosen in (y >= 0, y == 1, y == 0))
    rarer = min(related, unrelated)
    return dict.fromkeys(MEASURES, everything) | {
        "precision": count(called),
        "recall": related,
        "f1": count(called | (y == 1)),
        "roc_auc": rarer,
        "average_precision": rarer,
    }


def _drawn(random: np.random.Generator, draws: int, count: int) -> Numbers:
    """How often each of so many things is drawn when as many are drawn with replacement: [draws, count]."""
    return random.multinomial(count, np.full(count, 1 / count), size=draws).astype(float)


def _interval(name: str, value: float, by_document: Numbers, by_pair: Numbers, count: int) -> Measured:
    """A value with its interval inside [0, 1], from its values over draws of documents and of pairs: [draws] each.

    A share has Wilson's interval, of as many independent pairs as have its variance. So has every value of 0 or 1 that
    no draw changes, of `count` independent pairs.
    """
    of_documents, of_pairs = (v[~np.isnan(v)] for v in (by_document, by_pair))
    if not of_documents.size or not of_pairs.size:
        return Measured(value, np.nan, np.nan)
    variance = max(4 * of_documents.var() - of_pairs.var(), of_pairs.var())
    if variance < 1e-12 and value in (0.0, 1.0) and count:
        return _wilson(value, count)
    if name in SHARES and variance > 0 and 0 < value < 1:
        return _wilson(value, value * (1 - value) / float(variance))
    margin = NORMAL_95 * float(np.sqrt(variance))
    return Measured(value, max(0.0, value - margin), min(1.0, value + margin))


def _wilson(share: float, count: float) -> Measured:
    """A share of so many independent pairs, which need not be a whole number, with its interval (Wilson 1927)."""
    square = NORMAL_95**2 / count
    centre = (share + square / 2) / (1 + square)
    margin = np.sqrt(square * share * (1 - share) + square**2 / 4) / (1 + square)
    return Measured(share, max(0.0, float(centre - margin)), min(1.0, float(centre + margin)))
