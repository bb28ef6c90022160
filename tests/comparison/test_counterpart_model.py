"""The fitted numbers of counterparts fit the encoder and the seeds they were made for, and say what they are worth."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from colde.alignment.paraphrase_classifier import PARAMETERS as EXAMPLE
from colde.alignment.paraphrase_classifier import pair_seeds
from colde.alignment.sentence_pair_features import candidate_pairs
from colde.alignment.sentence_similarity import sentence_similarities
from colde.encoders.vector_math import centred
from colde.models.checkpoint import base_hash
from colde.results import counterparts
from colde.results.counterparts import FEATURES, PARAMETERS, counterpart_model
from colde.results.piece_similarity import PIECE_FEATURES
from colde.results.shared_text import ONE_LANGUAGE
from studies.passages.fit_counterparts import calibration_error, pieces_example
from studies.passages.planted_requirements import planted_pairs
from tests.corpora import record, write_corpus

STORED = json.loads(PARAMETERS.read_text(encoding="utf-8"))
REFIT = (
    "the encoder, the features or the paraphrase classifier changed: "
    "run python -m studies.passages.fit_counterparts CORPORA --write"
)


def test_the_model_was_fitted_with_the_encoder_that_ships() -> None:
    assert STORED["encoder"] == base_hash(), REFIT


def test_the_model_was_fitted_on_these_seeds() -> None:
    """The sentences and vectors are those of the example of the paraphrase classifier."""
    texts = json.loads(EXAMPLE.read_text(encoding="utf-8"))["example"]
    one, two = (np.array(texts[f"vectors_{side}"], dtype=np.float32) for side in "ab")
    similarity = sentence_similarities(*centred(one, two), texts["a"], texts["b"])
    pairs = candidate_pairs(similarity, np.asarray(one @ two.T), texts["a"], texts["b"])
    np.testing.assert_allclose(
        pair_seeds(pairs, ONE_LANGUAGE).log_odds, STORED["example"]["log_odds"], atol=0.05, err_msg=REFIT
    )


def test_the_model_was_fitted_on_these_word_pieces() -> None:
    assert pieces_example() == pytest.approx(STORED["pieces"], abs=0.03), REFIT


def test_the_measured_rates_are_those_that_the_guide_states() -> None:
    rates = counterpart_model().miss_rates
    assert rates["verbatim"] <= 0.01 and rates["edited"] <= 0.02 and rates["reworded"] <= 0.02
    assert rates["paraphrased"] <= 0.25 and rates["false found"] <= 0.035


def test_numbers_for_other_features_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "counterparts.json"
    path.write_text(json.dumps(STORED | {"weights": {"lead": 1.0}}), encoding="utf-8")
    monkeypatch.setattr(counterparts, "PARAMETERS", path)
    counterpart_model.cache_clear()
    with pytest.raises(ValueError, match="fitted for other features"):
        counterpart_model()
    counterpart_model.cache_clear()


def test_a_closer_clause_is_more_probable() -> None:
    values = dict.fromkeys(FEATURES, 0.0) | {"words": 2.5, "log odds": -9.2}
    closer = {"similarity": 0.6, "cosine": 0.9, "cosine lead": 0.4, "rivals": 0.4, "log odds": 9}
    far = values | dict.fromkeys(PIECE_FEATURES, 0.3)
    near = values | closer | dict.fromkeys(PIECE_FEATURES, 0.8)
    model = counterpart_model()
    both = model.probabilities(np.array([list(far.values()), list(near.values())]))
    assert both[0] < 0.2 < 0.9 < both[1]


def test_calibration_error_of_right_and_wrong_probabilities() -> None:
    there = np.array([True, False] * 50)
    assert calibration_error(np.full(100, 0.5), there) == pytest.approx(0, abs=0.06)
    assert calibration_error(np.full(100, 0.9), there) == pytest.approx(0.4, abs=0.06)


def test_sentences_are_planted_where_the_study_says(tmp_path: Path) -> None:
    words = (
        "The ship sailed on. Its crew sang of the harbour and the long way home over the grey sea. Rain fell. "
        * 2
    )
    for name in ("x", "y", "z", "w", "v"):
        texts = [f"{name} {k} {words.strip()}" for k in range(20)]
        write_corpus(tmp_path / name, [record(f"{name}{k}", *texts) for k in range(2)])
    pair = next(iter(planted_pairs([tmp_path / name for name in ("x", "y", "z", "w", "v")], 1)))
    forms = {r.form for r in pair.requirements}
    assert len(forms) >= 3
    for requirement in pair.requirements:
        own = pair.a.text[requirement.a.start : requirement.a.end]
        there = [pair.b.text[s.start : s.end] for s in requirement.b]
        assert (not there) == (requirement.form == "absent")
        if requirement.form == "verbatim":
            assert there == [own]
        elif requirement.form != "split":
            assert own not in there
