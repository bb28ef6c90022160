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

RARE_LOG_ODDS, COMMON_LOG_ODDS = -1.0, 0.5
"""Log-odds up to which a sentence has its full weight in a match, and from which it has none."""
PARAMETERS = Path(__file__).with_name("standard_sentences.json")


@lru_cache(maxsize=1)
def _parameters() -> tuple[Array, float]:
    """The weights, [dimension], and the bias that ship."""
    stored = json.loads(PARAMETERS.read_text(encoding="utf-8"))
    return np.array(stored["weights"], dtype=np.float32), float(stored["bias"])


def standard_log_odds(vectors: Array) -> Array | None:
    """Log-odds that each sentence is a standard sentence: [sentences]; None for vectors of another encoder.

    Args:
        vectors: [sentences, dimension], unit vectors of the packaged encoder.
    """
    weights, bias = _parameters()
    return np.asarray(vectors @ weights + bias, dtype=np.float32) if vectors.shape[1] == len(weights) else None


def standard_similarity(vectors: Array) -> Array | None:
    """The log-odds on the scale of `background_similarity`: [sentences]; None for vectors of another encoder.

    A sentence of `RARE_LOG_ODDS` gets `RARE_BELOW`, one of `COMMON_LOG_ODDS` gets `COMMON_ABOVE`.
    """
    log_odds = standard_log_odds(vectors)
    if log_odds is None:
        return None
    return np.interp(log_odds, (RARE_LOG_ODDS, COMMON_LOG_ODDS), (RARE_BELOW, COMMON_ABOVE)).astype(np.float32)
