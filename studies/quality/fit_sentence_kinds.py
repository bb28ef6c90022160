"""Fits the kinds of sentence matches and writes `colde/explain/paraphrase_classifier.json`.

    python -m studies.quality.fit_sentence_kinds CORPORA [--write]

The logistic model is fitted on the training part. Its threshold is chosen on the validation part: the lowest one at
which texts that share nothing are called paraphrased to at most `FALSE_SHARE` of their words in the mean, and to at
most `FALSE_MOST` in all but `BEYOND` of the pairs. The test part only reports.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from colde.explain.paraphrase_classifier import PARAMETERS, Parameters, is_edited, is_paraphrased
from colde.explain.sentence_pair_features import FEATURES
from colde.models.checkpoint import base_hash
from studies.arguments import command_line
from studies.quality import candidate_table as table
from studies.quality.candidate_table import Row
from studies.quality.kind_example import example

FALSE_SHARE, FALSE_MOST, BEYOND = 0.005, 0.04, 0.03
CONTINUED, SUBJECT = 0.5, 0.10
CONTROLS = ("independent", "other", "same genre", "related", "unrelated")


def is_control(row: Row) -> bool:
    return row.pair.kind.startswith(CONTROLS)


def shares(row: Row, hit: np.ndarray) -> tuple[float, float]:
    """The share of the words of each text in the sentences of these candidates."""
    out = []
    for side, positions in ((row.pair.a, row.pairs.rows), (row.pair.b, row.pairs.columns)):
        words = [len(side.document.text[s.start : s.end].split()) for _, s in side.document.sentences()]
        out.append(sum(words[i] for i in np.unique(positions[hit])) / max(1, sum(words)))
    return out[0], out[1]


def fit(rows: Sequence[Row]) -> tuple[np.ndarray, float]:
    """Weights and bias; a pair of texts counts with the square root of its candidates."""
    x, y, w = [], [], []
    for row in rows:
        if row.pair.part == "train" and row.pair.kind != "opposite" and len(row.pairs):
            low = ~is_edited(row.pairs)
            x.append(row.pairs.values[low])
            y.append(row.truth[low])
            w.append(np.full(low.sum(), 1 / np.sqrt(max(1, low.sum()))))
    features, truth, weight = np.concatenate(x), np.concatenate(y), np.concatenate(w)
    scale = features.std(0)
    model = LogisticRegression(C=1.0, max_iter=5_000).fit(features / scale, truth, sample_weight=weight)
    return model.coef_[0] / scale, float(model.intercept_[0])


def choose(rows: Sequence[Row], weights: np.ndarray, bias: float) -> Parameters:
    """The parameters with the lowest threshold that keeps the controls of the validation part clean."""
    controls = [r for r in rows if r.pair.part == "valid" and is_control(r)]
    for threshold in np.arange(CONTINUED, 0.99, 0.01):
        fitted = Parameters(weights, bias, round(float(threshold), 2), CONTINUED, SUBJECT)
        false = np.array([shares(r, is_paraphrased(r.pairs, fitted)) for r in controls])
        if false.mean() <= FALSE_SHARE and (false.max(1) > FALSE_MOST).mean() <= BEYOND:
            return fitted
    raise SystemExit("no threshold keeps the controls clean")


def report(rows: Sequence[Row], fitted: Parameters, part: str) -> None:
    """Print for each kind of pair what share of the texts is called edited or paraphrased, and how often rightly."""
    lines: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for row in (r for r in rows if r.pair.part == part):
        weak = is_paraphrased(row.pairs, fitted)
        hit = weak | is_edited(row.pairs)
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


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--write", action="store_true", help="store the parameters for the program")
    options = parser.parse_args()
    rows = list(table.rows(options.corpora))
    weights, bias = fit(rows)
    fitted = choose(rows, weights, bias)
    stored = {
        "weights": {f: round(float(w), 4) for f, w in zip(FEATURES, weights, strict=True)},
        "bias": round(bias, 4),
        "paraphrased": fitted.paraphrased,
        "continued": CONTINUED,
        "subject": SUBJECT,
        "encoder": base_hash(),
    }
    print(json.dumps(stored, indent=1))
    for part in ("train", "valid", "test"):
        report(rows, fitted, part)
    if options.write:
        text = json.dumps(stored | {"example": example()}, indent=1, ensure_ascii=False)
        PARAMETERS.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
