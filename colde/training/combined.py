"""The weights of the combined verdict, from the other models' scores of validation pairs.

The models' own early stopping has seen the same validation pairs; what is honest here is the combination: every
figure, threshold and calibration comes from scores of pairs whose sources the weights were not fitted on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from colde import models
from colde.errors import ModelError
from colde.judge.calibration import Profile, fit_profile
from colde.judge.log_odds import from_log_odds
from colde.models.combined import DEFAULT, Combined, Formula, Part, kind, to_log_odds
from colde.training.combined_scores import valid_scores
from colde.training.run import TrainingRun

if TYPE_CHECKING:
    from pandas import DataFrame

Floats = NDArray[np.float64]

FOLDS = 5
KEYS = ("profile", "source", "label")


def fit_combined(
    scores: DataFrame,
    background: DataFrame,
    *,
    general: tuple[DataFrame, DataFrame] | None = None,
    folds: int = FOLDS,
) -> Combined:
    """One set of weights for all profiles, each with its own mean scores, and one for `general`.

    Weights of each profile's own were worse, out of fold, than CoLDE alone: a few hundred pairs are too few for them.
    Every profile counts the same. A model takes part if it has scores everywhere; whatever models the tables have are
    combined, so that this is also how to fit again after one came or went. Scores for thresholds and calibrations are
    out of fold: folds part the sources, and all that is fitted, the choice of models too, is fitted on the other folds.

    Args:
        scores: a row a validation pair; columns profile, source, label, and one for each model.
        background: a row a pair drawn at random that no label calls similar; columns profile, and the same models.
        general: both tables as the models score under `general`, where some score otherwise there.

    Raises:
        ModelError: no model's scores tell similar pairs from others, a model has scores for some rows only, or a
            profile has no background.
    """
    names = [str(c) for c in scores.columns if c not in KEYS]
    profiles = tuple(str(p) for p in dict.fromkeys(scores["profile"]))
    formulas: dict[str, Formula] = {}
    fitted: dict[str, Profile] = {}
    best_single: dict[str, list[object]] = {}
    own = (scores, background)
    for kinds, (rows, random) in (((DEFAULT,), general or own), (profiles, own)):
        taking_part = _complete(rows, random, names)
        x, y, weights, groups = arrays(rows, taking_part)
        pooled = kinds == (DEFAULT,)
        of_row = np.full(len(y), DEFAULT) if pooled else _profiles(rows)
        formulas |= fit_shared(x, y, weights, of_row, taking_part)
        out_of_fold = cross_fitted(x, y, weights, groups, of_row, taking_part, folds)
        for profile in kinds:
            here = of_row == profile
            drawn = random if pooled else random[random["profile"] == profile]
            if drawn.empty:
                raise ModelError(f"{profile} has no random pairs to draw a background from")
            fitted[profile] = fit_profile(
                profile,
                out_of_fold[here].tolist(),
                y[here].tolist(),
                apply(formulas[profile], _evidence(drawn, taking_part), taking_part).tolist(),
                weights[here].tolist(),
                probabilities=True,
            )
            best_single[profile] = _best_single(x[here], y[here], weights[here], taking_part)
    return Combined(
        formulas,
        profiles=fitted,
        training={"folds": folds, "pairs": len(scores), "models": names, "best_single_auc": best_single},
    )


def arrays(
    rows: DataFrame, names: Sequence[str]
) -> tuple[Floats, NDArray[np.int64], Floats, NDArray[np.str_]]:
    """Arrays for the fit: evidence [pairs, models], labels [pairs], weights [pairs], sources [pairs]."""
    groups = (rows["profile"].astype(str) + "\t" + rows["source"].astype(str)).to_numpy(dtype=str)
    return _evidence(rows, names), rows["label"].to_numpy(dtype=int), even_weights(_profiles(rows)), groups


def fit_shared(
    x: Floats, y: NDArray[np.int64], weights: Floats, profiles: NDArray[np.str_], names: Sequence[str]
) -> dict[str, Formula]:
    """A formula for each profile: the same weights, fitted to how far a score is from its profile's mean.

    Args:
        profiles: [pairs]; the rest as in `fit_formula`.
    """
    means = {
        str(p): np.average(x[profiles == p], axis=0, weights=weights[profiles == p])
        for p in dict.fromkeys(profiles.tolist())
    }
    formula = fit_formula(x - np.array([means[str(p)] for p in profiles]), y, weights, names)
    place = {name: k for k, name in enumerate(names)}
    return {
        profile: Formula(
            formula.bias,
            tuple(replace(p, centre=float(p.centre + mean[place[p.name]])) for p in formula.parts),
        )
        for profile, mean in means.items()
    }


def fit_formula(x: Floats, y: NDArray[np.int64], weights: Floats, names: Sequence[str]) -> Formula:
    """Logistic regression on standard scores, models of negative weight left out one by one.

    Args:
        x: [pairs, models], scores as `evidence_of` gives them; y: [pairs], 1 similar; weights: [pairs].
        names: [models].
    """
    from sklearn.linear_model import LogisticRegression

    mean = np.average(x, axis=0, weights=weights)
    spread = np.sqrt(np.average((x - mean) ** 2, axis=0, weights=weights))
    kept = [int(k) for k in np.flatnonzero(spread > 1e-9)]
    while kept:
        standard = (x[:, kept] - mean[kept]) / spread[kept]
        fitted = LogisticRegression().fit(standard, y, sample_weight=weights)
        slopes = fitted.coef_[0]
        if (slopes > 0).all():
            parts = tuple(
                Part(names[k], float(slope / spread[k]), float(mean[k]))
                for k, slope in zip(kept, slopes, strict=True)
            )
            return Formula(float(fitted.intercept_[0]), parts)
        del kept[int(slopes.argmin())]
    raise ModelError(f"no score tells similar pairs from others: {', '.join(names)}")


def cross_fitted(
    x: Floats,
    y: NDArray[np.int64],
    weights: Floats,
    groups: NDArray[np.str_],
    profiles: NDArray[np.str_],
    names: Sequence[str],
    folds: int,
) -> Floats:
    """Probabilities [pairs], each by formulas fitted without the pairs of its source."""
    from sklearn.model_selection import GroupKFold

    found = np.full(len(y), np.nan)
    for others, own in GroupKFold(folds).split(x, y, groups):
        formulas = fit_shared(x[others], y[others], weights[others], profiles[others], names)
        for profile, formula in formulas.items():
            here = own[profiles[own] == profile]
            found[here] = apply(formula, x[here], names)
    return found


def apply(formula: Formula, x: Floats, names: Sequence[str]) -> Floats:
    """Probabilities [pairs] from x [pairs, models]."""
    place = {name: k for k, name in enumerate(names)}
    odds = formula.bias + sum(p.weight * (x[:, place[p.name]] - p.centre) for p in formula.parts)
    return from_log_odds(odds)


def _evidence(rows: DataFrame, names: Sequence[str]) -> Floats:
    """[rows, models]."""
    columns = [[to_log_odds(float(s), kind(n)) for s in rows[n]] for n in names]
    return np.array(columns, dtype=np.float64).reshape(len(names), len(rows)).T


def even_weights(profiles: NDArray[np.str_]) -> Floats:
    """Weights [rows] of mean 1, the same in all for each profile."""
    _, of_row, count = np.unique(profiles, return_inverse=True, return_counts=True)
    return np.asarray(len(of_row) / len(count) / count[of_row], dtype=np.float64)


def _profiles(rows: DataFrame) -> NDArray[np.str_]:
    return np.asarray(rows["profile"], dtype=str)


def _complete(rows: DataFrame, random: DataFrame, names: Sequence[str]) -> list[str]:
    """The models that have scores everywhere."""
    found = []
    for name in names:
        complete = True
        for profile, part in rows.groupby("profile"):
            drawn = random[random["profile"] == profile][name]
            missing = [*part[name].isna(), *drawn.isna()]
            if any(missing) and not all(missing):
                raise ModelError(f"{name} has scores for some pairs of {profile} only; score all or none")
            complete = complete and not any(missing)
        if complete:
            found.append(name)
    return found


def _best_single(x: Floats, y: NDArray[np.int64], weights: Floats, names: Sequence[str]) -> list[object]:
    """Name and AUC of the best model alone: what the combination has to beat."""
    from sklearn.metrics import roc_auc_score

    areas = [float(roc_auc_score(y, x[:, k], sample_weight=weights)) for k in range(len(names))]
    best = int(np.argmax(areas))
    return [names[best], round(areas[best], 5)]


def fit(run: TrainingRun) -> Path:
    """Fit the combined verdict on valid.tsv of the corpora; `colde.training.run.FitFunction`.

    `models` of the settings names its members; by default all trained models but those that read every pair anew.
    """
    names = run.settings.get("models") or [
        name for name in models.resolve("all") if models.card(name).cost not in ("slow", "ensemble")
    ]
    matchers = {name: models.load(name) for name in names}
    own, general = valid_scores(
        matchers, run.corpora, seed=run.seed, profile=run.profile, on_progress=run.on_progress
    )
    fit_combined(*own, general=general).save(run.output)
    return run.output
