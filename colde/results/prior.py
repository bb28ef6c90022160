"""Expected share of related pairs, and probabilities shifted to another share."""

from __future__ import annotations

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
