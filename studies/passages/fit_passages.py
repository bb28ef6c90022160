"""Fits the joining of shared passages and writes `colde/passages/passages.json`.

    python -m studies.passages.fit_passages --pan FOLDER [--seconds 600] [--seed 0] [--write]

FOLDER holds train.pairs.jsonl and train.documents.jsonl.gz, pairs of PAN's text alignment task. The numbers are fitted
on the half `development` of the pairs and on all short answers, by a random search that starts from those that ship;
the half `test` has other documents and only reports. The regression of summaries is fitted on both halves for the
program, and on each half alone to report on the other. Seeds are kept in --work: finding them takes seconds a pair, and
a run that was stopped goes on. `--seconds 0` measures what ships.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from operator import attrgetter
from pathlib import Path
from statistics import mean
from typing import Any, get_args

import numpy as np

from colde.models.checkpoint import base_hash
from colde.passages.fitted_limits import PATH, FittedLimits, fitted_limits
from studies.arguments import command_line
from studies.passages import pan_pairs, summary_regression
from studies.passages.detection_measures import Case, Measures, measure
from studies.passages.joining_example import example
from studies.passages.pan_pairs import CLEAN, REUSED, PanPair
from studies.passages.seed_memory import SearchedPair, SeedMemory
from studies.passages.short_answers import (
    INDEPENDENT,
    REVISED,
    AnswerPair,
    answer_pairs,
    bm25_scores,
    separation,
)
from studies.tables import markdown_table, write_json

HEAVY_WEIGHT, INDEPENDENT_WEIGHT, CLEAN_WEIGHT = 0.25, 0.7, 0.01
"""Weights of the share of heavily revised answers, of independent ones, and of each clean pair with a detection."""
AGAIN = 0.5
"""Probability that a number is drawn anew; otherwise it is changed by up to a quarter."""
DIGITS = 3
Numbers = dict[str, float]
"""Each fitted number by the part of the file and its name."""


def _between(low: float, high: float) -> Callable[[random.Random], float]:
    return lambda draw: draw.uniform(low, high)


def _one_of(*values: int) -> Callable[[random.Random], float]:
    return lambda draw: draw.choice(values)


DRAWS: Mapping[str, Callable[[random.Random], float]] = {
    "joining.weakest": _between(-3.5, 0.5),
    "joining.strongest": _between(-1, 4),
    "joining.gap": _one_of(2, 3, 4, 5, 6, 7, 8),
    "joining.bonus": _between(0, 4),
    "joining.cost": _between(0.2, 3),
    "joining.cap": _between(2, 9),
    "joining.least": _between(2, 12),
    "summaries.weakest": _between(-4, 0),
    "summaries.gap": _one_of(1, 2, 3, 4),
    "summaries.reach": _between(-8, -1),
    "ends.long": _one_of(10, 15, 20, 25, 30),
    "ends.fewest": _one_of(4, 5, 6, 8),
    "ends.cost": _between(0.15, 0.5),
}


@dataclass(frozen=True, slots=True)
class Quality:
    """What numbers find.

    Attributes:
        by_kind: measures of each kind with reuse.
        clean: pairs without reuse that have a detection, and all of them.
        answers: share of each answer that lies in passages.
    """

    together: Measures
    by_kind: Mapping[str, Measures]
    clean: tuple[int, int]
    answers: Sequence[float]


@dataclass(frozen=True, slots=True)
class Material:
    """The pairs to measure on, with what was found in them."""

    pan: Sequence[tuple[PanPair, SearchedPair]]
    answers: Sequence[tuple[AnswerPair, SearchedPair]]

    def half(self, name: pan_pairs.Half) -> Material:
        return Material([(p, s) for p, s in self.pan if p.half == name], self.answers)

    def quality(self, limits: FittedLimits) -> Quality:
        rows: dict[str, list[tuple[Sequence[Case], Sequence[Case]]]] = {}
        for pair, searched in self.pan:
            rows.setdefault(pair.kind, []).append((pair.cases, searched.detections(limits)))
        clean = [bool(passages) for _, passages in rows.get(CLEAN, [])]
        return Quality(
            measure([row for some in rows.values() for row in some]),
            {kind: measure(rows.get(kind, [])) for kind in REUSED},
            (sum(clean), len(clean)),
            [searched.share(searched.detections(limits)) for _, searched in self.answers],
        )

    def objective(self, limits: FittedLimits) -> float:
        """What the search makes as large as possible."""
        quality = self.quality(limits)
        shares = self.shares(quality)
        return (
            quality.together.plagdet
            + mean(m.plagdet for m in quality.by_kind.values())
            + HEAVY_WEIGHT * shares["heavy"]
            - INDEPENDENT_WEIGHT * shares[INDEPENDENT]
            - CLEAN_WEIGHT * quality.clean[0]
        )

    def shares(self, quality: Quality) -> dict[str, float]:
        """Mean share of the answers of each kind."""
        kinds = np.array([pair.kind for pair, _ in self.answers])
        values = np.array(quality.answers)
        return {kind: float(values[kinds == kind].mean()) for kind in (*REVISED, INDEPENDENT)}


def with_numbers(limits: FittedLimits, numbers: Mapping[str, float]) -> FittedLimits:
    """The limits with other numbers."""
    parts: dict[str, dict[str, Any]] = {}
    for name, value in numbers.items():
        part, _, number = name.partition(".")
        parts.setdefault(part, {})[number] = value
    return replace(limits, **{part: replace(getattr(limits, part), **some) for part, some in parts.items()})


def numbers_of(limits: FittedLimits) -> Numbers:
    """The numbers of the search."""
    return {name: attrgetter(name)(limits) for name in DRAWS}


def changed(numbers: Numbers, draw: random.Random) -> Numbers:
    """The numbers with one to three of them drawn anew or changed a little."""
    new = dict(numbers)
    for name in draw.sample(list(DRAWS), draw.choice((1, 2, 3))):
        is_count = isinstance(numbers[name], int)
        again = is_count or draw.random() < AGAIN
        new[name] = DRAWS[name](draw) if again else round(numbers[name] * draw.uniform(0.8, 1.25), DIGITS)
    return {name: value if isinstance(value, int) else round(value, DIGITS) for name, value in new.items()}


def search(material: Material, seconds: float, seed: int) -> FittedLimits:
    """The best limits of a random search that changes the best so far; the regression is fitted before and after it."""
    draw = random.Random(seed)
    limits = with_regression(material, fitted_limits())
    value = material.objective(limits)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        new = with_numbers(limits, changed(numbers_of(limits), draw))
        if (reached := material.objective(new)) > value:
            limits, value = new, reached
            print(f"  {value:.4f}", flush=True)
    again = with_regression(material, limits)
    return again if material.objective(again) > value else limits


def with_regression(material: Material, limits: FittedLimits) -> FittedLimits:
    """The limits with a new regression for summaries."""
    pairs = ((pair.cases, searched) for pair, searched in material.pan)
    some = [
        *summary_regression.examples(pairs, limits),
        *summary_regression.answer_examples(material.answers, limits),
    ]
    return replace(limits, summaries=summary_regression.fitted(some, limits.summaries))


def report(material: Material, limits: FittedLimits) -> dict[str, Any]:
    """Print and return the measures of both halves, each with the regression of the other one, and of the answers."""
    halves: dict[str, Any] = {}
    names: tuple[pan_pairs.Half, ...] = get_args(pan_pairs.Half)
    for name, other in zip(names, names[::-1], strict=True):
        quality = material.half(name).quality(with_regression(material.half(other), limits))
        measures = {**quality.by_kind, "all": quality.together}
        halves[name] = {
            "pairs": len(material.half(name).pan),
            "clean_pairs": quality.clean[1],
            "clean_pairs_with_a_passage": quality.clean[0],
            "kinds": {
                kind: {n: round(x, 3) for n, x in (asdict(m) | {"plagdet": m.plagdet}).items()}
                for kind, m in measures.items()
            },
        }
        print(f"{name}: {quality.clean[0]} of {quality.clean[1]} pairs without reuse have a passage")
        rows = [(kind, *(f"{x:.3f}" for x in m.values())) for kind, m in halves[name]["kinds"].items()]
        print(markdown_table(("kind", *halves[name]["kinds"]["all"]), rows), flush=True)
    quality, pairs = material.quality(limits), [pair for pair, _ in material.answers]
    answers = {kind: round(share, 3) for kind, share in material.shares(quality).items()}
    areas = {
        "shared passages": round(separation(pairs, quality.answers), 3),
        "BM25": round(separation(pairs, bm25_scores(pairs)), 3),
    }
    print(markdown_table(("answers", "share"), [(kind, f"{share:.3f}") for kind, share in answers.items()]))
    print(f"ROC AUC of revised against independent answers: {areas}", flush=True)
    return {"halves": halves, "answers": answers, "roc_auc_of_answers": areas}


def write(limits: FittedLimits) -> None:
    """Store the numbers for the program, with the encoder and an example that a test computes again."""
    stored = {"encoder": base_hash(), **asdict(limits), "example": example()}
    text = re.sub(
        r"\[[^\[\]]*\]",
        lambda match: "[" + " ".join(match[0][1:-1].split()) + "]",
        json.dumps(stored, indent=2),
    )
    PATH.write_text(text + "\n", encoding="utf-8")


def main() -> None:
    parser = command_line(__doc__, "--json", "--seed")
    parser.add_argument("--pan", type=Path, required=True, help="folder of PAN's pairs")
    parser.add_argument("--pairs", type=int, help="at most so many pairs of each kind in each half")
    parser.add_argument("--seconds", type=float, default=600, help="of the search; 0 measures what ships")
    parser.add_argument("--work", type=Path, default=Path("runs/passages"), help="folder of the seeds")
    parser.add_argument("--write", action="store_true", help="store the numbers for the program")
    options = parser.parse_args()
    memory = SeedMemory(options.work)
    texts = pan_pairs.read_documents(options.pan)
    pan = [
        (p, memory.pair(p.name, (p.a, texts[p.a]), (p.b, texts[p.b])))
        for p in pan_pairs.read_pairs(options.pan, options.pairs)
    ]
    answers = [(p, memory.pair(p.name, (f"{p.name}-a", p.a), (f"{p.name}-b", p.b))) for p in answer_pairs()]
    material = Material(pan, answers)
    best = fitted_limits()
    if options.seconds:
        best = with_regression(material, search(material.half("development"), options.seconds, options.seed))
    print(json.dumps(asdict(best)))
    figures = report(material, best)
    if options.json:
        write_json(options.json, figures)
    if options.write:
        write(best)


if __name__ == "__main__":
    main()
