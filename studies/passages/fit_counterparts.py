"""Fits the probability that a requirement has a counterpart, and writes `colde/results/counterparts.json`.

    python -m studies.passages.fit_counterparts CORPORA [--draws 3] [--pan FOLDER] [--json FILE] [--write]

Requirements are planted as `planted_requirements` says. The regression and its threshold are fitted on the half `fit`;
the half `test` has other texts and only reports. A requirement is missed where none of its three first counterparts
overlaps a place where it was planted, or where the probability is below the threshold; an absent one is false found
where the probability is not. `--pan` measures the same on sentences of PAN's text alignment task (half `test`), which
fit nothing: those that were translated there and back, and those of pairs without reuse, which are absent.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from colde.alignment.sentence_matches import sentence_matches
from colde.comparison.claim_chart import counterpart_kind
from colde.encoders.piece_states import read_pieces
from colde.models.checkpoint import base_hash
from colde.passages.find_passages import find_passages
from colde.results.counterparts import (
    CANDIDATES,
    FEATURES,
    PARAMETERS,
    CounterpartModel,
    CounterpartSearch,
    counterpart_model,
)
from colde.results.piece_similarity import PIECE_FEATURES, piece_features
from colde.results.seeds import log_odds
from studies.arguments import command_line
from studies.passages.joining_example import example
from studies.passages.pan_sentences import pan_sentences
from studies.passages.planted_requirements import FORMS, Form, Half, PlantedPair, planted_pairs
from studies.tables import write_json

FALSE_FOUND = 0.025
"""Share of absent requirements of the half `fit` that regressions of other texts may find; sets the threshold."""
FOLDS = 9
"""Groups of texts that are left out in turn."""
BINS = 5
"""Groups of equal size by probability, in which the calibration error is measured."""
DIGITS = 4
PIECES = ("Rain stopped the match after an hour.", "The game ended early because of heavy rain.")
"""Two sentences whose features of word pieces are stored: they change with what the weights were fitted on."""


@dataclass(frozen=True, slots=True)
class Row:
    """A requirement with the features of its first candidates.

    Attributes:
        text: name of the text that it is a sentence of.
        features: [candidates, features].
        right: [candidates], whether each overlaps a place where the requirement was planted.
        listed: for each place where it was planted, whether one of the three first counterparts overlaps it.
        kind: of the first counterpart, as the claim chart has it.
    """

    half: Half
    text: str
    form: Form
    features: NDArray[np.float64]
    right: NDArray[np.bool_]
    listed: tuple[bool, ...]
    kind: str


def rows_of(pair: PlantedPair) -> Iterator[Row]:
    """Yield the requirements of a pair with what the program finds."""
    sentences = sentence_matches(pair.a, pair.b, lambda _: None)
    shared = find_passages(pair.a, pair.b, sentences)
    assert shared is not None
    search = CounterpartSearch(pair.a, pair.b, shared, sentences)
    for requirement in pair.requirements:
        candidates = (search.ordered_clauses(requirement.a) or [])[:CANDIDATES]
        places = [search.clause_span(k) for k in candidates]
        right = [any(p.overlaps(b) for b in requirement.b) for p in places]
        listed = search.counterparts(requirement.a, CANDIDATES)
        yield Row(
            pair.half,
            pair.name.rpartition("-")[0],
            requirement.form,
            search.features(requirement.a, candidates),
            np.array(right, dtype=np.bool_),
            tuple(any(c.b.overlaps(b) for c in listed) for b in requirement.b),
            counterpart_kind(search, requirement.a, listed[0]) if listed else "",
        )


def read_rows(corpora: Path, draws: int, work: Path) -> list[Row]:
    """The requirements of all pairs; each pair is searched once and kept in a file."""
    work.mkdir(parents=True, exist_ok=True)
    folders = [corpora / name for name in ("peps", "wiki", "textbooks", "acl")]
    rows: list[Row] = []
    for count, pair in enumerate(planted_pairs(folders, draws)):
        path = work / f"{pair.name}.pickle"
        if not path.is_file():
            path.write_bytes(pickle.dumps(list(rows_of(pair))))
            if count % 10 == 0:
                print(f"  {count} pairs", flush=True)
        rows += pickle.loads(path.read_bytes())  # noqa: S301 - written above
    return rows


def fitted(rows: Sequence[Row]) -> CounterpartModel:
    """The regression of all candidates, with the threshold that finds `FALSE_FOUND` of absent requirements.

    The threshold is that of regressions without the text of each requirement: one that saw it finds fewer.
    """
    rows = [r for r in rows if len(r.features)]
    absent: list[float] = []
    for seen, left_out in GroupKFold(FOLDS).split(rows, groups=[r.text for r in rows]):
        model = regression_of([rows[k] for k in seen])
        absent += [probability(rows[k], model) for k in left_out if rows[k].form == "absent"]
    return replace(regression_of(rows), threshold=float(np.quantile(absent, 1 - FALSE_FOUND)))


def regression_of(rows: Sequence[Row]) -> CounterpartModel:
    """The regression of all candidates, without a threshold."""
    features, right = np.concatenate([r.features for r in rows]), np.concatenate([r.right for r in rows])
    mean, scale = features.mean(0), features.std(0) + 1e-9
    regression = LogisticRegression(C=1.0, max_iter=1000).fit((features - mean) / scale, right)
    weights = regression.coef_[0] / scale
    bias = float(regression.intercept_[0] - weights @ mean)
    model = CounterpartModel(weights, bias, 1.0, 0.0, 0.5, {})
    best = log_odds(np.array([model.probabilities(r.features).max(initial=0.0) for r in rows]))
    scale = LogisticRegression(C=100.0).fit(best[:, None], [r.form != "absent" for r in rows])
    return replace(model, slope=float(scale.coef_[0, 0]), shift=float(scale.intercept_[0]))


def probability(row: Row, model: CounterpartModel) -> float:
    """That the requirement has a counterpart."""
    return model.presence(row.features)


def measures(rows: Sequence[Row], model: CounterpartModel) -> dict[str, Any]:
    """Miss rate of each form, false found, and the calibration error of “not found”."""
    by_form = {form: [r for r in rows if r.form == form] for form in FORMS}
    missed = {form: _missed(some, model) for form, some in by_form.items() if form != "absent"}
    chances = np.array([probability(r, model) for r in rows])
    there = np.array([r.form != "absent" for r in rows])
    below = chances < model.threshold
    return {
        "requirements": {form: len(some) for form, some in by_form.items()},
        "miss_rate": {form: _mean(some) for form, some in missed.items()},
        "both_places": _mean([all(r.listed) for r in by_form["split"]]),
        "false_found": _mean([probability(r, model) >= model.threshold for r in by_form["absent"]]),
        "negated_labelled_opposite": _mean(_opposite(by_form["negated"])),
        "others_labelled_opposite": _mean(_opposite([r for r in rows if r.form != "negated"])),
        "calibration_error": round(calibration_error(chances, there), DIGITS),
        "not_found_calibration_error": round(calibration_error(chances[below], there[below]), DIGITS),
    }


def _opposite(rows: Sequence[Row]) -> list[bool]:
    """Of each requirement that is listed, whether its first counterpart is called opposite."""
    return [r.kind == "opposite" for r in rows if any(r.listed)]


def _missed(rows: Sequence[Row], model: CounterpartModel) -> list[bool]:
    return [not any(r.listed) or probability(r, model) < model.threshold for r in rows]


def _mean(values: Sequence[bool]) -> float:
    return round(float(np.mean(values)), DIGITS)


def calibration_error(chances: NDArray[np.float64], there: NDArray[np.bool_]) -> float:
    """Mean difference of mean probability and share in groups of equal size (Naeini et al. 2015)."""
    groups = np.array_split(np.argsort(chances, kind="stable"), BINS)
    gaps = [len(g) * abs(chances[g].mean() - there[g].mean()) for g in groups if len(g)]
    return float(sum(gaps) / max(1, len(chances)))


def pan_figures(folder: Path, most: int, work: Path, model: CounterpartModel) -> dict[str, Any]:
    """Miss rate of sentences that were translated there and back, and false found of pairs without reuse."""
    rows: list[Row] = []
    for pair in pan_sentences(folder, most):
        path = work / f"{pair.name}.pickle"
        if not path.is_file():
            path.write_bytes(pickle.dumps(list(rows_of(pair))))
        rows += pickle.loads(path.read_bytes())  # noqa: S301 - written above
    taken, absent = ([r for r in rows if r.form == form] for form in ("paraphrased", "absent"))
    return {
        "sentences": {"paraphrased": len(taken), "absent": len(absent)},
        "miss_rate": _mean(_missed(taken, model)),
        "false_found": _mean([probability(r, model) >= model.threshold for r in absent]),
    }


def write(model: CounterpartModel, test: Mapping[str, Any]) -> None:
    """Store the numbers for the program, with the encoder and an example that a test computes again."""
    stored = {
        "encoder": base_hash(),
        "weights": {name: round(float(x), 5) for name, x in zip(FEATURES, model.weights, strict=True)},
        "bias": round(model.bias, 5),
        "slope": round(model.slope, 5),
        "shift": round(model.shift, 5),
        "threshold": round(model.threshold, 3),
        "miss_rates": test["miss_rate"] | {"false found": test["false_found"]},
        "example": example(),
        "pieces": pieces_example(),
    }
    PARAMETERS.write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")


def pieces_example() -> dict[str, float]:
    """The features of `PIECES`."""
    passage, sentence = read_pieces(PIECES)
    values = piece_features(passage, [sentence])
    return {name: round(x, 3) for name, x in zip(PIECE_FEATURES, values, strict=True)}


def main() -> None:
    parser = command_line(__doc__, "corpora", "--json")
    parser.add_argument("--draws", type=int, default=3, help="pairs of each document of requirements")
    parser.add_argument(
        "--work", type=Path, default=Path("runs/counterparts"), help="folder of the searched pairs"
    )
    parser.add_argument("--pan", type=Path, help="folder of PAN's pairs")
    parser.add_argument("--pan-pairs", type=int, default=12, help="of each kind")
    parser.add_argument("--write", action="store_true", help="store the numbers for the program")
    options = parser.parse_args()
    rows = read_rows(options.corpora, options.draws, options.work)
    halves: dict[Half, list[Row]] = {half: [r for r in rows if r.half == half] for half in ("fit", "test")}
    model = fitted(halves["fit"]) if options.write else counterpart_model()
    figures: dict[str, Any] = {half: measures(some, model) for half, some in halves.items()}
    if options.pan:
        figures["pan"] = pan_figures(options.pan, options.pan_pairs, options.work, model)
    print(
        {name: round(float(x), 2) for name, x in zip(FEATURES, model.weights, strict=True)},
        model.bias,
        model.threshold,
    )
    for half, values in figures.items():
        print(half, json.dumps(values, indent=1))
    if options.json:
        write_json(options.json, figures)
    if options.write:
        write(model, figures["test"])


if __name__ == "__main__":
    main()
