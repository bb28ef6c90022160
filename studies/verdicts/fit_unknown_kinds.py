"""Fit `UnknownKinds`, which judges pairs of no kind that has a profile, and measure it on kinds that were left out.

    python -m studies.verdicts.fit_unknown_kinds runs/verdicts/channels.jsonl [--write]

The file comes from `studies.verdicts.pair_channels`. Kinds that are much alike are one group, for example all talk, or
all law. Each group in turn is left out, and a logistic regression on the others judges its pairs: that gives every
figure. What ships is fitted on all of them. Every group counts the same, and so do its related and its unrelated pairs;
pairs of two kinds count three times as much as a group.

`--write` stores the fit in the checkpoints of `FITS`. docs/results/unknown_kinds.json gets the figures: also those of
fits without one of the features, of draws of the groups, and the threshold of `general` for comparison.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import pearsonr, spearmanr
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from colde.assets import asset
from colde.judge.log_odds import from_log_odds
from colde.judge.profiles import GENERAL
from colde.judge.unknown_kinds import UnknownKinds
from colde.models.checkpoint import copy_with_profile, read_config
from studies.arguments import command_line
from studies.tables import markdown_table, read_lines, replace_between, write_json

RELATED = frozenset({"related", "half", "reuse"})
UNRELATED = frozenset({"genre", "other"})
CORPORA = frozenset({"acl", "wiki", "peps", "textbooks"})
"""Kinds that have profiles: only their unrelated pairs are used."""
OTHER = "two kinds"
"""Group of the pairs of two kinds; a part of them is left out with each group."""
OTHER_WEIGHT = 3.0
ENOUGH = 10  # pairs of a group with one label from which it has its full weight
PENALTY = 1.0
BINS = 10
SEEDS = 5

FEATURES = ("words", "self_similarity")
FITS: Mapping[str, tuple[Mapping[str, float], tuple[str, ...]]] = {
    "colde_words": ({"attention": 0.65, "tfidf": 0.35}, FEATURES),
    "colde": ({"attention": 1.0}, FEATURES),
    "tfidf": ({"tfidf": 1.0}, ()),
}
"""By model: the parts of its score, and the features of the documents."""

TITLES = {
    "colde_words": "CoLDE + words",
    "colde": "CoLDE",
    "tfidf": "TF-IDF",
    "document vectors": "mean of sentence vectors",
    "colde_words, general": "CoLDE + words as under `general`",
}
LABELS = {"related": "related pairs", "genre": "one kind", "other": "two kinds"}

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs of the fit.

    Attributes:
        columns: channels of the score, and sums of the features of both documents: [pairs] each.
        labels: as in the file; related: whether it is one of `RELATED`: [pairs].
        groups: [pairs]; grades: NaN without one.
    """

    columns: Mapping[str, Array]
    labels: NDArray[np.str_]
    related: Flags
    groups: NDArray[np.str_]
    kinds: NDArray[np.str_]
    grades: Array

    @classmethod
    def read(cls, path: Path) -> Pairs:
        """All pairs of the file; `usable` are those that can be fitted."""
        rows = read_lines(path)

        def column(name: str) -> Array:
            return np.array([row[name] for row in rows], float)

        words, alike = (np.array([row[name] for row in rows], float) for name in FEATURES)
        labels = np.array([row["label"] for row in rows])
        return cls(
            {
                **{name: column(name) for name in ("attention", "trained", "vectors", "tfidf", "nearness")},
                "words": np.log(np.maximum(words, 1)).sum(1),
                "self_similarity": alike.sum(1),
            },
            labels,
            np.isin(labels, list(RELATED)),
            np.array([row["group"] for row in rows]),
            np.array([row["kind"] for row in rows]),
            np.array([row.get("grade", np.nan) for row in rows], float),
        )

    @property
    def usable(self) -> Flags:
        """Pairs with a label that says whether they are related."""
        known = np.isin(self.labels, [*RELATED, *UNRELATED])
        return np.asarray(known & ~(self.related & np.isin(self.kinds, list(CORPORA))))

    @property
    def names(self) -> list[str]:
        """Groups that are left out in turn."""
        return sorted(set(self.groups.tolist()) - {OTHER})

    def score(self, parts: Mapping[str, float]) -> Array:
        """[pairs]."""
        return np.asarray(sum(weight * self.columns[name] for name, weight in parts.items()))

    def inputs(self, parts: Mapping[str, float], features: Sequence[str]) -> Array:
        """Score and features: [pairs, 1 + features]."""
        return np.column_stack([self.score(parts), *(self.columns[name] for name in features)])

    def weights(self, used: Flags) -> Array:
        """Weights of the pairs that are used, of mean 1; 0 of the others: [pairs]."""
        weights = np.zeros(len(self.labels))
        for group in set(self.groups[used].tolist()):
            for label in (True, False):
                rows = used & (self.groups == group) & (self.related == label)
                if count := int(rows.sum()):
                    share = min(1.0, count / ENOUGH) * (OTHER_WEIGHT if group == OTHER else 1.0)
                    weights[rows] = share / count
        for label in (True, False):
            weights[self.related == label] /= 2 * weights[self.related == label].sum()
        return np.asarray(weights * used.sum())


def fit(inputs: Array, related: Flags, weights: Array) -> tuple[Array, float]:
    """Coefficients and intercept of a logistic regression, on standardised inputs with a mild penalty."""
    rows = weights > 0
    x, w = inputs[rows], weights[rows]
    mean = np.average(x, axis=0, weights=w)
    scale = np.sqrt(np.average((x - mean) ** 2, axis=0, weights=w)) + 1e-9
    model = LogisticRegression(C=PENALTY, max_iter=1000).fit(
        (x - mean) / scale, related[rows], sample_weight=w
    )
    slopes = model.coef_[0] / scale
    return slopes, float(model.intercept_[0] - slopes @ mean)


def left_out(pairs: Pairs, inputs: Array, seed: int = 0, drawn: Sequence[str] | None = None) -> Array:
    """Log-odds of each pair by a fit on other groups: [pairs].

    Args:
        seed: of the choice of the pairs of two kinds that are left out with each group.
        drawn: groups that are fitted on, if not all of the others.
    """
    names = pairs.names
    part = np.random.default_rng(seed).integers(len(names), size=len(pairs.labels))
    odds = np.zeros(len(pairs.labels))
    for number, group in enumerate(names):
        apart = (pairs.groups == group) | ((pairs.groups == OTHER) & (part == number))
        used = pairs.usable & ~apart
        if drawn is not None:
            used &= np.isin(pairs.groups, [*drawn, OTHER])
        slopes, intercept = fit(inputs, pairs.related, pairs.weights(used))
        odds[apart] = inputs[apart] @ slopes + intercept
    return odds


def calibration_error(probabilities: Array, related: Flags, weights: Array) -> float:
    """Mean distance of probability and share of related pairs over bins of equal weight."""
    order = np.argsort(probabilities)
    share = np.cumsum(weights[order]) / weights.sum()
    bins = np.minimum((share * BINS).astype(int), BINS - 1)
    error = 0.0
    for number in set(bins.tolist()):
        rows = order[bins == number]
        w = weights[rows]
        error += abs(float(w @ (probabilities[rows] - related[rows])))
    return error / float(weights.sum())


def measure(pairs: Pairs, odds: Array) -> dict[str, float]:
    """Figures of log-odds on all usable pairs."""
    used, called = pairs.usable, odds >= 0
    weights, y, p = pairs.weights(used)[used], pairs.related[used], np.asarray(from_log_odds(odds))[used]
    likely = np.clip(np.where(y, p, 1 - p), 1e-6, 1)
    figures = {
        "accuracy": np.average(called[used] == y, weights=weights),
        "roc_auc": roc_auc_score(y, odds[used], sample_weight=weights),
        "log_loss": -np.average(np.log(likely), weights=weights),
        "calibration_error": calibration_error(p, y, weights),
    }
    for label, of_label in (
        ("related", pairs.related),
        ("genre", pairs.labels == "genre"),
        ("other", pairs.labels == "other"),
    ):
        rows = used & of_label
        figures[f"{label} called related"] = np.average(called[rows], weights=pairs.weights(used)[rows])
    return {name: round(float(value), 4) for name, value in figures.items()}


def by_group(pairs: Pairs, odds: Array) -> dict[str, dict[str, float]]:
    """Pairs, shares that are called related, and ROC AUC of each group."""
    figures = {}
    for group in pairs.names:
        rows = pairs.usable & (pairs.groups == group)
        y, called = pairs.related[rows], odds[rows] >= 0
        entry: dict[str, float] = {"related": int(y.sum()), "unrelated": int((~y).sum())}
        if y.any():
            entry["related called related"] = round(float(called[y].mean()), 3)
        if not y.all():
            entry["unrelated called related"] = round(float(called[~y].mean()), 3)
        if 0 < y.sum() < y.size:
            entry["roc_auc"] = round(float(roc_auc_score(y, odds[rows])), 3)
        figures[group] = entry
    return figures


def graded(pairs: Pairs, values: Array) -> dict[str, dict[str, float]]:
    """Correlation of scores with the grades of people, by kind; the sign is such that 1 is best."""
    figures = {}
    for kind in sorted(set(pairs.kinds[~np.isnan(pairs.grades)].tolist())):
        rows = (pairs.kinds == kind) & ~np.isnan(pairs.grades)
        sign = -1 if kind == "semeval" else 1
        grades = sign * pairs.grades[rows]
        figures[kind] = {
            "pairs": int(rows.sum()),
            "pearson": round(float(pearsonr(values[rows], grades)[0]), 3),
            "spearman": round(float(spearmanr(values[rows], grades)[0]), 3),
        }
    return figures


def same_kind_limit(pairs: Pairs, odds: Array) -> float:
    """Log-odds that tell unrelated pairs of one kind from those of two, with as many errors in either."""
    one, two = (np.sort(odds[pairs.usable & (pairs.labels == label)]) for label in ("genre", "other"))
    candidates = np.concatenate((one, two))
    errors = [(one < limit).mean() + (two >= limit).mean() for limit in candidates]
    return float(candidates[int(np.argmin(errors))])


def fitted(pairs: Pairs, name: str) -> tuple[UnknownKinds, dict[str, Any]]:
    """The fit that ships of a model, and its figures on groups that were left out."""
    parts, features = FITS[name]
    inputs = pairs.inputs(parts, features)
    odds = left_out(pairs, inputs)
    figures = measure(pairs, odds)
    slopes, intercept = fit(inputs, pairs.related, pairs.weights(pairs.usable))
    of_features = dict(zip(features, slopes[1:].tolist(), strict=True))
    weights = pairs.weights(pairs.usable)
    unknown = UnknownKinds(
        slope=round(float(slopes[0]), 3),
        intercept=round(intercept, 3),
        words=round(of_features.get("words", 0.0), 4),
        self_similarity=round(of_features.get("self_similarity", 0.0), 3),
        typical_self_similarity=round(
            float(np.average(pairs.columns["self_similarity"] / 2, weights=weights)), 3
        ),
        same_kind=round(same_kind_limit(pairs, odds), 2),
        pairs=int(pairs.usable.sum()),
        kinds=len(set(pairs.kinds[pairs.usable & (pairs.groups != OTHER)].tolist())),
        calibration_error=figures["calibration_error"],
        weights={"exact": parts["tfidf"]} if name == "colde_words" else {},
    )
    return unknown, {**figures, "by group": by_group(pairs, odds)}


def ablations(pairs: Pairs) -> dict[str, dict[str, float]]:
    """Figures of CoLDE + words without each feature, with other parts of the score, and over draws of the groups."""
    parts, features = FITS["colde_words"]
    half = {"attention": 0.25, "vectors": 0.25, "tfidf": 0.5}
    tried: dict[str, tuple[Mapping[str, float], Sequence[str]]] = {
        "as it ships": (parts, features),
        "without words": (parts, ("self_similarity",)),
        "without self-similarity": (parts, ("words",)),
        "score alone": (parts, ()),
        "document vectors in the score": (half, features),
        "equal parts": ({"attention": 0.5, "tfidf": 0.5}, features),
        "attention alone": ({"attention": 1.0}, features),
        "trained projection": ({"trained": 0.65, "tfidf": 0.35}, features),
        "with the nearness to trained kinds": (parts, (*features, "nearness")),
        "TF-IDF alone": ({"tfidf": 1.0}, features),
    }
    figures = {name: measure(pairs, left_out(pairs, pairs.inputs(*one))) for name, one in tried.items()}
    random, inputs = np.random.default_rng(0), pairs.inputs(parts, features)
    for seed in range(SEEDS):
        drawn = random.choice(pairs.names, size=2 * len(pairs.names) // 3, replace=False).tolist()
        figures[f"two thirds of the groups, seed {seed}"] = measure(
            pairs, left_out(pairs, inputs, seed, drawn)
        )
    return figures


def general_threshold(pairs: Pairs) -> dict[str, float]:
    """Figures of the threshold and the calibration of `general`, and of its score."""
    profile = read_config(asset("models", "colde_words")).profiles[GENERAL]
    assert profile.calibration is not None
    score = pairs.score({"attention": 0.25, "vectors": 0.25, "tfidf": 0.5})
    return measure(pairs, profile.calibration.slope * score + profile.calibration.offset)


def main() -> None:
    parser = command_line(__doc__, "--output")
    parser.add_argument("channels", type=Path, help="file of `pair_channels`")
    parser.add_argument("--write", action="store_true", help="store the fits in the checkpoints that ship")
    options = parser.parse_args()
    pairs = Pairs.read(options.channels)
    result: dict[str, Any] = {"threshold of general": general_threshold(pairs), "models": {}}
    for name in FITS:
        unknown, figures = fitted(pairs, name)
        weights = read_config(asset("models", name)).weights
        result["models"][name] = {"weights": weights, "fit": asdict(unknown), **figures}
        print(name, unknown, {k: v for k, v in figures.items() if k != "by group"}, sep="\n  ")
        if options.write:
            folder = asset("models", name)
            general = read_config(folder).profiles[GENERAL]
            copy_with_profile(folder, folder, replace(general, unknown=unknown))
    result["ablations"] = ablations(pairs)
    scores = {name: parts for name, (parts, _) in FITS.items()}
    scores["document vectors"] = {"vectors": 1.0}
    scores["colde_words, general"] = {"attention": 0.25, "vectors": 0.25, "tfidf": 0.5}
    result["graded"] = {name: graded(pairs, pairs.score(parts)) for name, parts in scores.items()}
    for name in ("ablations", "graded"):
        for label, figures in result[name].items():
            print(label, figures)
    write_json(options.output / "unknown_kinds.json", result)
    write_tables(result, options.output.parent / "results.md")


def write_tables(result: Mapping[str, Any], page: Path) -> None:
    """The tables of docs/results.md."""
    rows = {"one threshold (`general`), CoLDE + words": result["threshold of general"]}
    rows |= {f"a threshold for each pair, {TITLES[name]}": one for name, one in result["models"].items()}
    measures = ("accuracy", "roc_auc", "calibration_error", *(f"{x} called related" for x in LABELS))
    columns = [
        "judged by",
        "accuracy",
        "ROC AUC",
        "calibration error",
        *(f"called related: {x}" for x in LABELS.values()),
    ]
    table = markdown_table(
        columns, ((name, *(f"{one[m]:.3f}" for m in measures)) for name, one in rows.items())
    )
    replace_between(page, "<!-- unknown kinds -->", "<!-- /unknown kinds -->", table)
    scores = {TITLES.get(name, name): one for name, one in result["graded"].items()}
    kinds = {"semeval": "news", "bills": "bills"}
    values = ((name, *(f"{one[kind]['spearman']:.3f}" for kind in kinds)) for name, one in scores.items())
    replace_between(
        page,
        "<!-- graded pairs -->",
        "<!-- /graded pairs -->",
        markdown_table(["score", *kinds.values()], values),
    )


if __name__ == "__main__":
    main()
