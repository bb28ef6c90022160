"""Seeds of a fixed example, stored beside the fitted numbers: they change with what the numbers were fitted on."""

from __future__ import annotations

from typing import Any

import numpy as np

from colde.alignment.paraphrase_classifier import pair_seeds
from colde.alignment.sentence_pair_features import candidate_pairs
from colde.alignment.sentence_similarity import sentence_similarities
from colde.encoders.vector_math import centred
from colde.results.shared_text import ONE_LANGUAGE
from studies.quality import kind_example


def example() -> dict[str, Any]:
    """The seeds of the example of the paraphrase classifier, as plain values."""
    fixed = kind_example.example()
    one, two = (np.array(fixed[f"vectors_{side}"], dtype=np.float32) for side in "ab")
    similarity = sentence_similarities(*centred(one, two), fixed["a"], fixed["b"])
    pairs = candidate_pairs(similarity, np.asarray(one @ two.T), fixed["a"], fixed["b"])
    seeds = pair_seeds(pairs, ONE_LANGUAGE)
    return {
        "rows": seeds.rows.tolist(),
        "columns": seeds.columns.tolist(),
        "log_odds": [round(float(x), 3) for x in seeds.log_odds],
    }
