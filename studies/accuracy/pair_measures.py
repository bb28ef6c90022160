"""Measures of one model on pairs of new documents, by block, kind of documents and choice of the profile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from colde.evaluation.metrics import DRAWS, Measured, bootstrap, reliability
from colde.judge.profiles import GENERAL
from colde.models.validation_figures import FEWEST_PAIRS
from studies.accuracy.out_of_fold import ScoredPairs, Verdicts, folds_by_source, verdicts
from studies.accuracy.result_rows import ALL, BLOCKS, OWN
from studies.significance import calibration_error_by_chance

Profiles = Mapping[str, Sequence[str | None]]
"""By kind of documents the profile that judges each pair; None: there is none."""


@dataclass(frozen=True, slots=True)
class NewPairs:
    """Labelled pairs of one kind of documents.

    Attributes:
        labels: [pairs], 1 similar, 0 not.
        block: [pairs], how many of the two documents are new; folds: [pairs].
        documents: [pairs], names of both, with the corpus.
    """

    labels: NDArray[np.int64]
    block: NDArray[np.int64]
    folds: NDArray[np.int64]
    documents: Sequence[tuple[str, str]]

    @classmethod
    def of(
        cls,
        corpus: str,
        names: Sequence[tuple[str, str]],
        labels: NDArray[np.int64],
        block: NDArray[np.int64],
    ) -> Self:
        """Pairs of a corpus, in folds by source."""
        documents = [(f"{corpus}\t{a}", f"{corpus}\t{b}") for a, b in names]
        return cls(labels, block, folds_by_source([a for a, _ in documents]), documents)


def by_profile(kinds: Mapping[str, NewPairs]) -> dict[str, Profiles]:
    """What judges each pair: the profile of its kind, and `general`."""
    return {
        OWN: {kind: [kind] * len(pairs.labels) for kind, pairs in kinds.items()},
        GENERAL: {kind: [GENERAL] * len(pairs.labels) for kind, pairs in kinds.items()},
    }


def count_pairs(kinds: Mapping[str, NewPairs]) -> dict[str, dict[str, int]]:
    """By block, by kind, how many pairs there are."""
    return {
        block: {kind: int((pairs.block == number).sum()) for kind, pairs in kinds.items()}
        for number, block in BLOCKS.items()
    }


def measure_model(
    kinds: Mapping[str, NewPairs],
    scores: Mapping[str, Mapping[str, NDArray[np.float64]]],
    profiles: Mapping[str, Profiles],
    *,
    probabilities: bool,
    draws: int = DRAWS,
) -> tuple[list[dict[str, Any]], dict[str, list[list[float]]]]:
    """The rows of a model without its name, and by block the points of a calibration plot over all kinds.

    Args:
        kinds: pairs by kind; scores: of the model, by kind, by profile.
        profiles: what judges each pair, by the name in the rows: `own`, `general`, `auto`.
        probabilities: whether the scores are probabilities.
    """
    scored = {k: ScoredPairs(pairs.labels, pairs.folds, scores[k]) for k, pairs in kinds.items()}
    rows, plots = [], {}
    for profile, used in profiles.items():
        judgements = verdicts(scored, used, probabilities=probabilities)
        for number, block in BLOCKS.items():
            chosen = {k: np.flatnonzero(pairs.block == number) for k, pairs in kinds.items()}
            for documents, members in {ALL: tuple(kinds), **{k: (k,) for k in kinds}}.items():
                sample = Sample.of(members, kinds, scored, judgements, chosen, profile)
                if len(sample.labels) < FEWEST_PAIRS:
                    continue
                head = {
                    "profile": profile,
                    "documents": documents,
                    "block": block,
                    "pairs": len(sample.labels),
                }
                rows += [head | row for row in sample.measures(draws)]
                if profile == GENERAL and documents == ALL:
                    points = reliability(sample.labels, sample.verdicts.probability).tolist()
                    plots[block] = [[round(v, 3) for v in point] for point in points]
    return rows, plots


@dataclass(frozen=True, slots=True)
class Sample:
    """Pairs of one block and of one or all kinds.

    Attributes:
        labels: [pairs]; documents: [pairs], names of both.
        order: [pairs], what the pairs are ranked by for the area under the ROC curve: scores where all are on one
            scale, else probabilities.
    """

    labels: NDArray[np.int64]
    documents: Sequence[tuple[str, str]]
    verdicts: Verdicts
    order: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        members: Sequence[str],
        kinds: Mapping[str, NewPairs],
        scored: Mapping[str, ScoredPairs],
        judgements: Mapping[str, Verdicts],
        chosen: Mapping[str, NDArray[np.intp]],
        profile: str,
    ) -> Sample:
        similar = np.concatenate([judgements[k].similar[chosen[k]] for k in members])
        probability = np.concatenate([judgements[k].probability[chosen[k]] for k in members])
        scale = {OWN: members[0] if len(members) == 1 else None, GENERAL: GENERAL}.get(profile)
        return cls(
            np.concatenate([scored[k].labels[chosen[k]] for k in members]),
            [kinds[k].documents[i] for k in members for i in chosen[k]],
            Verdicts(similar, probability),
            probability
            if scale is None
            else np.concatenate([scored[k].scores[scale][chosen[k]] for k in members]),
        )

    def measures(self, draws: int) -> Iterator[dict[str, Any]]:
        """Accuracy and F1; AUC where every pair has a probability; the calibration error of pairs that have one."""
        judged = bootstrap(self.labels, self.verdicts.similar, 0.5, None, self.documents, draws=draws)
        for name in ("accuracy", "f1"):
            yield _row(name, judged[name])
        known = np.flatnonzero(~np.isnan(self.verdicts.probability))
        if len(known) == len(self.labels):
            yield _row(
                "roc_auc",
                bootstrap(self.labels, self.order, None, None, self.documents, draws=draws)["roc_auc"],
            )
        else:
            yield _row("without_kind", Measured(1 - len(known) / len(self.labels), np.nan, np.nan))
        if len(known) >= FEWEST_PAIRS:
            labels, likely = self.labels[known], self.verdicts.probability[known]
            documents = [self.documents[i] for i in known]
            stated = bootstrap(labels, likely, None, likely, documents, draws=draws)
            yield _row("calibration_error", stated["calibration_error"])
            chance = calibration_error_by_chance(likely, draws=draws)
            yield _row("calibration_error_by_chance", Measured(chance, np.nan, np.nan))


def _row(name: str, measured: Measured) -> dict[str, Any]:
    numbers = {"value": measured.value, "low": measured.low, "high": measured.high}
    return {"measure": name, **{k: None if np.isnan(v) else round(float(v), 4) for k, v in numbers.items()}}
