"""Recognise standard sentences: those that stand in many documents of a kind, whatever the documents are about.

General provisions of contracts, privacy notices, the language of patents, cover sheets, job adverts. A logistic model
on the sentence vector gives the log-odds. `studies/quality/fit_standard_sentences.py` fitted it.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import numpy as np

from colde.explain.background_corpus import COMMON_ABOVE, RARE_BELOW
from colde.results.similarity_map import Array

RARE_LOG_ODDS, COMMON_LOG_ODDS = 0.5, 1.0
"""Log-odds up to which a sentence has its full weight in a match, and from which it has none. From −1 and 0.5, 4 of 24
passages planted in related documents were no longer the first match."""
UNKNOWN = -9.0
"""Log-odds of sentences that the model cannot judge: no standard sentences."""
PARAMETERS = Path(__file__).with_name("standard_sentences.json")


@lru_cache(maxsize=1)
def _parameters() -> tuple[Array, float]:
    """The weights, [dimension], and the bias that ship."""
    stored = json.loads(PARAMETERS.read_text(encoding="utf-8"))
    return np.array(stored["weights"], dtype=np.float32), float(stored["bias"])


def standard_log_odds(vectors: Array) -> Array:
    """Log-odds that each sentence is a standard sentence: [sentences]; far below 0 for vectors of another encoder.

    Args:
        vectors: [sentences, dimension], unit vectors.
    """
    weights, bias = _parameters()
    if vectors.shape[1] != len(weights):
        return np.full(len(vectors), UNKNOWN, dtype=np.float32)
    return np.asarray(vectors @ weights + bias, dtype=np.float32)


def standard_similarity(vectors: Array) -> Array:
    """The log-odds on the scale of `background_similarity`: [sentences].

    A sentence of `RARE_LOG_ODDS` gets `RARE_BELOW`, one of `COMMON_LOG_ODDS` gets `COMMON_ABOVE`.
    """
    scale = (RARE_BELOW, COMMON_ABOVE)
    return np.interp(standard_log_odds(vectors), (RARE_LOG_ODDS, COMMON_LOG_ODDS), scale).astype(np.float32)
