"""The fitted numbers of passages fit the seeds and the encoder they were made for."""

from __future__ import annotations

import json
from dataclasses import asdict

import numpy as np

from colde.alignment.paraphrase_classifier import PARAMETERS, pair_seeds
from colde.alignment.sentence_pair_features import candidate_pairs
from colde.alignment.sentence_similarity import sentence_similarities
from colde.encoders.vector_math import centred
from colde.models.checkpoint import base_hash
from colde.passages.fitted_limits import PATH, fitted_limits
from colde.results.shared_text import ONE_LANGUAGE
from studies.passages.fit_passages import DRAWS, numbers_of, with_numbers

STORED = json.loads(PATH.read_text(encoding="utf-8"))
REFIT = (
    "the encoder, the features or the paraphrase classifier changed: "
    "run python -m studies.passages.fit_passages --pan FOLDER --write"
)


def test_limits_were_fitted_with_the_encoder_that_ships() -> None:
    assert STORED["encoder"] == base_hash(), REFIT


def test_limits_were_fitted_on_these_seeds() -> None:
    """The sentences and vectors are those of the example of the paraphrase classifier."""
    texts = json.loads(PARAMETERS.read_text(encoding="utf-8"))["example"]
    one, two = (np.array(texts[f"vectors_{side}"], dtype=np.float32) for side in "ab")
    similarity = sentence_similarities(*centred(one, two), texts["a"], texts["b"])
    pairs = candidate_pairs(similarity, np.asarray(one @ two.T), texts["a"], texts["b"])
    seeds, example = pair_seeds(pairs, ONE_LANGUAGE), STORED["example"]
    assert (seeds.rows.tolist(), seeds.columns.tolist()) == (example["rows"], example["columns"]), REFIT
    np.testing.assert_allclose(seeds.log_odds, example["log_odds"], atol=0.05, err_msg=REFIT)


def test_the_study_fits_every_limit() -> None:
    limits = fitted_limits()
    assert with_numbers(limits, numbers_of(limits)) == limits
    parts = {part: set(asdict(getattr(limits, part))) for part in ("joining", "summaries", "ends")}
    regression = {"summaries.intercept", "summaries.weights"}
    assert {f"{part}.{name}" for part, names in parts.items() for name in names} == {*DRAWS, *regression}
