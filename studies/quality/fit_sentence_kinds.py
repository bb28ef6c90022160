"""Fits the kinds of sentence matches and writes `colde/alignment/paraphrase_classifier.json`.

    python -m studies.quality.fit_sentence_kinds CORPORA [--write]

Both logistic models are fitted on the training part. The second one reads the estimates of the first for the other
sentences; for the training part these come from models that were fitted without the item (`FOLDS`). The threshold is
chosen on the validation part: the lowest one at which texts that share nothing are called paraphrased to at most
`FALSE_SHARE` of their words in the mean, and to at most `FALSE_MOST` in all but `BEYOND` of the pairs. The test part
only reports.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from colde.alignment.paraphrase_classifier import (
    PARAMETERS,
    LogisticModel,
    Parameters,
    classify_pairs,
    first_estimate,
    is_edited,
)
from colde.alignment.sentence_pair_features import CONTEXT, FEATURES, CandidatePairs, context_features
from colde.models.checkpoint import base_hash
from studies.arguments import command_line
from studies.quality import candidate_table as table
from studies.quality.candidate_table import Row
from studies.quality.kind_example import example

FALSE_SHARE, FALSE_MOST, BEYOND = 0.005, 0.04, 0.03
LEAST, SUBJECT = 0.5, 0.10
FOLDS = 4
CONTROLS = ("independent", "other", "same genre", "related", "unrelated")


def shares(row: Row, hit: np.ndarray) -> tuple[float, float]:
    """The share of the words of each text in the sentences of these candidates."""
    out = []
    for side, positions in ((row.pair.a, row.pairs.rows), (row.pair.b, row.pairs.columns)):
        words = [len(side.document.text[s.start : s.end].split()) for _, s in side.document.sentences()]
        out.append(sum(words[i] for i in np.unique(positions[hit])) / max(1, sum(words)))
    return out[0], out[1]


def item(row: Row) -> str:
    """The text file or corpus that a pair comes from."""
    return row.pair.name.split(":")[0]


def fit(rows: Sequence[Row], features: Sequence[np.ndarray]) -> LogisticModel:
    """A model of the features of all candidates; a pair of texts counts with the square root of its candidates."""
    x, y, w = [], [], []
    for row, values in zip(rows, features, strict=True):
        if row.pair.part == "train" and row.pair.kind != "opposite" and len(row.pairs):
            low = ~is_edited(row.pairs.order, row.pairs.common)
            x.append(values[low])
            y.append(row.truth[low])
            w.append(np.full(low.sum(), 1 / np.sqrt(max(1, low.sum()))))
    columns, truth, weight = np.concatenate(x), np.concatenate(y), np.concatenate(w)
    scale = columns.std(0)
    model = LogisticRegression(C=1.0, max_iter=5_000).fit(columns / scale, truth, sample_weight=weight)
    return LogisticModel(np.round(model.coef_[0] / scale, 4), round(float(model.intercept_[0]), 4))


def fit_both(rows: Sequence[Row]) -> tuple[LogisticModel, LogisticModel]:
    """The models `alone` and `together`."""
    alone = fit(rows, [row.pairs.values for row in rows])
    folds = {name: k % FOLDS for k, name in enumerate(sorted({item(row) for row in rows}))}
    without = []
    for fold in range(FOLDS):
        kept = [row for row in rows if folds[item(row)] != fold]
        without.append(fit(kept, [row.pairs.values for row in kept]))
    features = []
    for row in rows:
        model = without[folds[item(row)]] if row.pair.part == "train" else alone
        features.append(with_context(row.pairs, model))
    return alone, fit(rows, features)


def with_context(pairs: CandidatePairs, alone: LogisticModel) -> np.ndarray:
    """The features of `together`: [pairs, features]."""
    if not len(pairs):
        return np.zeros((0, len(FEATURES) + len(CONTEXT)))
    return np.column_stack([pairs.values, context_features(pairs, first_estimate(pairs, alone))])


def is_paraphrased(pairs: CandidatePairs, fitted: Parameters) -> np.ndarray:
    """Whether the sentences of each pair are paraphrases: [pairs]."""
    kinds = {(k.row, k.column): k.kind for k in classify_pairs(pairs, fitted)}
    places = zip(pairs.rows.tolist(), pairs.columns.tolist(), strict=True)
    return np.array([kinds.get(place) == "paraphrased" for place in places], dtype=bool)


def choose(rows: Sequence[Row], alone: LogisticModel, together: LogisticModel) -> Parameters:
    """The parameters with the lowest threshold that keeps the controls of the validation part clean."""
    controls = [r for r in rows if r.pair.part == "valid" and r.pair.kind.startswith(CONTROLS)]
    for threshold in np.arange(LEAST, 0.99, 0.01):
        fitted = Parameters(alone, together, round(float(threshold), 2), SUBJECT)
        false = np.array([shares(r, is_paraphrased(r.pairs, fitted)) for r in controls])
        if false.mean() <= FALSE_SHARE and (false.max(1) > FALSE_MOST).mean() <= BEYOND:
            return fitted
    raise SystemExit("no threshold keeps the controls clean")


def report(rows: Sequence[Row], fitted: Parameters, part: str) -> None:
    """Print for each kind of pair what share of the texts is called edited or paraphrased, and how often rightly."""
    lines: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for row in (r for r in rows if r.pair.part == part):
        weak = is_paraphrased(row.pairs, fitted)
        hit = weak | is_edited(row.pairs.order, row.pairs.common)
        true = row.truth if row.pair.kind != "opposite" else np.zeros(len(hit), bool)
        matched = len(np.unique(row.pairs.columns[hit & row.truth]))
        made = sum(1 for origins in row.pair.b.origins if origins)
        counts = (matched, made, (weak & true).sum(), weak.sum(), (hit & true).sum(), hit.sum())
        lines[row.pair.kind].append((*shares(row, hit), *counts))
    head = "pairs  of a  of b  least b  most a or b  sentences of b with a match, right: paraphrased, all"
    print(f"\n{part}\n{'kind':22s} {head}")
    for kind in sorted(lines):
        v = np.array(lines[kind])
        n = v[:, 2:].sum(0).astype(int)
        of_a, of_b = v[:, :2].mean(0)
        print(
            f"{kind:22s} {len(v):4d}  {of_a:.3f} {of_b:.3f}  {v[:, 1].min():.3f}    {v[:, :2].max():.3f}      "
            f"{n[0]}/{n[1]}   {n[2]}/{n[3]}   {n[4]}/{n[5]}"
        )


def report_by_genre(rows: Sequence[Row], fitted: Parameters) -> None:
    """Print precision and recall of paraphrases by genre, on the parts that fitted nothing.

    Precision counts all pairs of texts of the genre, those that share nothing too; recall counts the sentences of the
    version `paraphrase`.
    """
    counts: dict[str, np.ndarray] = defaultdict(lambda: np.zeros(4, dtype=int))
    for row in (r for r in rows if r.pair.part != "train" and r.pair.kind != "opposite"):
        hit = is_paraphrased(row.pairs, fitted)
        counts[row.pair.genre][:2] += ((hit & row.truth).sum(), hit.sum())
        if row.pair.kind == "paraphrase":
            matched = len(
                np.unique(row.pairs.columns[(hit | is_edited(row.pairs.order, row.pairs.common)) & row.truth])
            )
            counts[row.pair.genre][2:] += (matched, sum(1 for origins in row.pair.b.origins if origins))
    print("\ngenre       paraphrased: right, of   sentences of the paraphrase: recognised, of")
    for genre, (right, called, matched, made) in sorted(counts.items()):
        print(f"{genre:12s} {right:4d} {called:4d}   {matched:4d} {made:4d}")


def as_json(model: LogisticModel, features: Sequence[str]) -> dict[str, Any]:
    weights = {name: float(w) for name, w in zip(features, model.weights, strict=True)}
    return {"weights": weights, "bias": model.bias}


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--write", action="store_true", help="store the parameters for the program")
    options = parser.parse_args()
    rows = list(table.rows(options.corpora))
    fitted = choose(rows, *fit_both(rows))
    stored = {
        "alone": as_json(fitted.alone, FEATURES),
        "together": as_json(fitted.together, (*FEATURES, *CONTEXT)),
        "paraphrased": fitted.paraphrased,
        "subject": SUBJECT,
        "encoder": base_hash(),
    }
    print(json.dumps(stored, indent=1))
    for part in ("train", "valid", "test"):
        report(rows, fitted, part)
    report_by_genre(rows, fitted)
    if options.write:
        text = json.dumps(stored | {"example": example()}, indent=1, ensure_ascii=False)
        PARAMETERS.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
