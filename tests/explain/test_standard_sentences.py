"""Standard sentences are recognised, also those that the recogniser was not fitted on."""

from __future__ import annotations

import json

import numpy as np
import pytest

from colde.explain.background_corpus import COMMON_ABOVE, RARE_BELOW
from colde.explain.standard_sentences import PARAMETERS, standard_log_odds, standard_similarity
from colde.models.checkpoint import base_hash
from studies.quality.standard_data import groups, part_of, vectors

REFIT = "the encoder changed: run python -m studies.quality.fit_standard_sentences CORPORA --write"


def test_the_parameters_were_fitted_with_the_encoder_that_ships() -> None:
    assert json.loads(PARAMETERS.read_text(encoding="utf-8"))["encoder"] == base_hash(), REFIT


@pytest.mark.slow
def test_standard_sentences_are_told_from_sentences_of_substance() -> None:
    standard = [
        text
        for genre, items in groups().items()
        for k, group in enumerate(items)
        if part_of(f"{genre}/{k}") == "test"
        for text in group
    ]
    substance = [
        "Each bay is swept on Thursdays and its rats are counted by the clerk.",
        "The otter returned to the weir in the spring of 1987.",
        "Boil the linseed oil for twenty minutes before you stir in the chalk.",
        "The second engine stalled over the estuary at nine hundred feet.",
    ]
    found = standard_log_odds(vectors(standard))
    assert (found > 0).mean() > 0.55 and (found > -1).mean() > 0.75
    assert (standard_log_odds(vectors(substance)) < -1).all()


def test_the_similarity_rises_with_the_log_odds_and_vectors_of_another_encoder_have_none() -> None:
    weights = np.array(json.loads(PARAMETERS.read_text(encoding="utf-8"))["weights"], dtype=np.float32)
    unit = weights / np.linalg.norm(weights)
    low, high = standard_similarity(np.stack([-unit, unit]))
    assert low == pytest.approx(RARE_BELOW) and high == pytest.approx(COMMON_ABOVE)
    assert standard_similarity(np.ones((2, 12), dtype=np.float32)) == pytest.approx(RARE_BELOW)
