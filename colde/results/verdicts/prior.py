"""Expected share of related pairs, and probabilities shifted to another share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

BALANCED = 0.5
"""The prior of every calibration: validation pairs hold as many related as unrelated ones."""


def shift_prior(probability: float, prior: float, given: float = BALANCED) -> float:
    """Probability at another prior, by Bayes' rule: the odds change by the ratio of the two prior odds.

    Holds where the scores of related and of unrelated pairs are distributed alike under both priors.

    Args:
        probability: at the prior `given`, in [0, 1].
        prior, given: shares of related pairs, in (0, 1).

    Raises:
        ValueError: a prior that is not between 0 and 1.
    """
    check_prior(prior)
    check_prior(given)
    if prior == given:
        return probability
    related = probability * prior * (1 - given)
    unrelated = (1 - probability) * (1 - prior) * given
    return related / (related + unrelated)


def check_prior(prior: float) -> None:
    """Raise ValueError for a prior that is not between 0 and 1: at either end no score changes the probability."""
    if not 0 < prior < 1:
        raise ValueError(f"a prior is a share between 0 and 1, not {prior}")


def prior_weights(labels: ArrayLike, prior: float) -> NDArray[np.float64]:
    """Weights under which similar pairs make up this share of all; their mean is 1: [pairs].

    Args:
        labels: [pairs], 1 similar, 0 not; both are there, else all weights are 1.
        prior: in (0, 1).
    """
    import numpy as np  # on use: the command line imports this module for its options

    y = np.asarray(labels, dtype=int)
    share = y.mean() if y.size else 0.0
    if not 0 < share < 1:
        return np.ones(y.size)
    return np.where(y == 1, prior / share, (1 - prior) / (1 - share))
