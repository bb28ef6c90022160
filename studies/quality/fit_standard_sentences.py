"""Fit the recogniser of standard sentences and write `colde/explain/standard_sentences.json`.

    python -m studies.quality.fit_standard_sentences CORPORA [--write] [--memory FILE.npz]

The logistic model is fitted on the training part with the strength of the penalty that the validation part prefers.
The test part only reports: precision and recall by genre at log-odds of 0, also of genres that were not fitted on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score

from colde.explain.standard_sentences import PARAMETERS
from colde.models.checkpoint import base_hash
from colde.results.similarity_map import Array
from studies.arguments import command_line
from studies.explanations.vector_memory import VectorStore
from studies.quality.standard_data import Row, rows, vectors

PENALTIES = (0.3, 1.0, 3.0, 10.0)
STANDARD_WEIGHT, SAME_GENRE_WEIGHT = 3.0, 4.0


def fit(
    data: Sequence[Row], values: Array, fitted: NDArray[np.bool_], strength: float
) -> tuple[Array, float]:
    """Weights and bias; standard sentences, and others of the same genres, count more than those of the corpora."""
    truth = np.array([r.standard for r in data])
    same = np.array([r.source in ("documents", "development texts") for r in data])
    weight = np.where(truth, STANDARD_WEIGHT, np.where(same, SAME_GENRE_WEIGHT, 1.0))
    model = LogisticRegression(C=strength, max_iter=2_000)
    model.fit(values[fitted], truth[fitted], sample_weight=weight[fitted])
    return model.coef_[0], float(model.intercept_[0])


def main() -> None:
    parser = command_line(__doc__, "corpora", "--memory")
    parser.add_argument("--write", action="store_true", help="store the parameters for the program")
    options = parser.parse_args()
    data = list(rows(options.corpora))
    memory = VectorStore(options.memory)
    values = vectors([r.text for r in data], memory)
    memory.save()
    truth, part, genre, source = (
        np.array([getattr(r, name) for r in data]) for name in ("standard", "part", "genre", "source")
    )
    train, valid, test = (part == name for name in ("train", "valid", "test"))
    quality = {}
    for strength in PENALTIES:
        weights, bias = fit(data, values, train, strength)
        quality[strength] = average_precision_score(truth[valid], values[valid] @ weights + bias)
    best = max(quality, key=lambda c: quality[c])
    print("average precision on the validation part:", {c: round(q, 3) for c, q in quality.items()})
    weights, bias = fit(data, values, train, best)
    called = values @ weights + bias >= 0
    same_genres = np.isin(source, ("sentences", "documents", "development texts"))
    hits = called & truth & test
    print(
        f"test: precision {hits.sum() / (called & test & same_genres).sum():.2f} among sentences of the same genres"
    )
    print(
        f"test: recall {hits.sum() / (truth & test).sum():.2f} of {(truth & test).sum()} standard sentences"
    )
    for name in sorted(set(source[~truth])):
        other = test & ~truth & (source == name)
        print(
            f"test: {name}: {called[other].mean():.3f} of {other.sum()} other sentences are called standard"
        )
    print("genre: standard sentences of the test part, recall, and recall when the genre was not fitted on")
    for name in sorted(set(genre[truth])):
        inside = truth & (genre == name)
        if (inside & test).any():
            without, constant = fit(data, values, train & ~inside, best)
            unseen = (values[inside & test] @ without + constant >= 0).mean()
            print(f"{name:20s} {(inside & test).sum():4d} {called[inside & test].mean():.2f} {unseen:.2f}")
    if options.write:
        stored = {
            "encoder": base_hash(),
            "bias": round(bias, 3),
            "weights": [round(float(w), 3) for w in weights],
        }
        PARAMETERS.write_text(json.dumps(stored) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
