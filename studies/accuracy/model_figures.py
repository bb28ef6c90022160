"""The figures of the Models page: accuracy, F1, AUC and calibration with intervals, spread over seeds, and time.

    python -m studies.accuracy.model_figures ../shared/corpora --runs runs --documents ../shared/documents/papers

Takes the models as they ship, and scores that training has kept where it was their training; CoLDE and CoLDE + words
are measured on the pairs that were held back, as studies/accuracy/unseen_documents.py does. Seeds beside the one that
ships are looked for in `--runs`, in folders named as studies/papers/baselines_table.py names them (`smith-seed1`).
Writes assets/figures.json; with `--models`, only the entries of these.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cache
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np
import torch
from rich.console import Console
from sklearn.utils.class_weight import compute_sample_weight

import colde
from colde import models
from colde.assets import asset
from colde.corpus.corpus_folder import read_documents
from colde.evaluation.metrics import DRAWS, bootstrap, reliability
from colde.judge.calibration import judge
from colde.judge.profiles import GENERAL, corpora, profile_of
from colde.models.base import ProfileAware
from colde.models.checkpoint import CONFIG, read_config
from colde.models.validation_figures import FIGURES
from colde.results.similarity_map import Array
from colde.training.held_out import HeldOutPairs, validation_pairs
from studies.accuracy.unseen_documents import HeldBack, held_back
from studies.arguments import command_line
from studies.papers.baselines_table import run_folder, valid_scores
from studies.release.made_with import record
from studies.significance import calibration_error_by_chance
from studies.tables import read_json, write_json

SHOWN = ("accuracy", "f1", "roc_auc")
SEEDS = 9  # the most that are looked for
MOST_DOCUMENTS = 4  # whose reading and comparing is timed


@dataclass(frozen=True, slots=True)
class ScoredPairs:
    """Validation pairs of one kind of documents: labels, scores, sources, and weights; all [pairs]."""

    labels: np.ndarray
    scores: np.ndarray
    sources: np.ndarray
    weights: np.ndarray


def scored(name: str, model: Any, folders: Sequence[Path], runs: Path) -> dict[str, ScoredPairs]:
    """The pairs that are judged by profile, and `general`: all of them, each corpus with the same weight."""
    if name in ("colde", "colde_words"):
        return pooled(held_back_parts(name, read_held_back(tuple(folders), runs)))
    return pooled(validation_parts(name, model, folders, runs))


@dataclass(frozen=True, slots=True)
class Part:
    """The pairs of one corpus: labels, the document each starts from, scores under its profile and under `general`."""

    profile: str
    labels: np.ndarray
    sources: np.ndarray
    under_profile: np.ndarray
    general: np.ndarray


def held_back_parts(name: str, held_back: Sequence[HeldBack]) -> Iterator[Part]:
    """The pairs that neither the network nor the words were trained on."""
    for one in held_back:
        profile, pairs = one.known.profile, one.known
        yield Part(
            profile, pairs.labels, pairs.pairs[:, 0], one.scores(name, profile), one.scores(name, GENERAL)
        )


@cache
def read_held_back(folders: tuple[Path, ...], runs: Path) -> list[HeldBack]:
    """The pairs held back from CoLDE and its words: read once for both."""
    return held_back(
        folders, runs / "sentences", runs / "counts", runs / "colde_words", models.checkpoint("colde")
    )


def validation_parts(name: str, model: Any, folders: Sequence[Path], runs: Path) -> Iterator[Part]:
    """The validation pairs, by the scores that training has kept where the model was trained."""
    run = run_folder(runs, name, 0)
    trained = hasattr(model, "network") and "settings" in model.training
    if trained and read_config(run).weights != read_config(models.checkpoint(name)).weights:
        raise SystemExit(f"{name}: {run} is not the training that ships")
    kept = valid_scores(model, run, folders, runs) if trained else {}
    for folder in folders:
        if trained:
            pairs, labels, scores = kept[folder.name]
            general = scores
        else:
            corpus = validation_pairs(folder, profile_of(folder.name))
            pairs, labels = corpus.pairs, corpus.labels
            scores, general = untrained_scores(model, folder, corpus)
        yield Part(profile_of(folder.name), labels, pairs[:, 0], scores, general)


def untrained_scores(model: Any, folder: Path, corpus: HeldOutPairs) -> tuple[Array, Array]:
    """Scores of a model without trained weights under the profile of the corpus and under `general`: [pairs] each."""
    index = {document: i for i, document in enumerate(corpus.ids)}
    encoded = {
        index[name]: model.encode([document], explain=False)[0]
        for name, document in read_documents(folder)
        if name in index
    }

    def scores(matcher: Any) -> Array:
        pairs = corpus.pairs.tolist()
        values = [matcher.match(encoded[i], encoded[j], explain=False).score for i, j in pairs]
        return np.array(values, dtype=np.float32)

    if not isinstance(model, ProfileAware):
        pair_scores = scores(model)
        return pair_scores, pair_scores
    return scores(model.for_profile(corpus.profile)), scores(model.for_profile(GENERAL))


def pooled(parts: Iterable[Part]) -> dict[str, ScoredPairs]:
    """Each corpus under its profile, and all of them as `general`, each corpus with the same weight."""
    parts = list(parts)
    sources = [np.array([f"{part.profile}\t{source}" for source in part.sources]) for part in parts]
    by_profile = {
        part.profile: ScoredPairs(part.labels, part.under_profile, starts, np.ones(len(part.labels)))
        for part, starts in zip(parts, sources, strict=True)
    }
    together = ScoredPairs(
        np.concatenate([part.labels for part in parts]),
        np.concatenate([part.general for part in parts]),
        np.concatenate(sources),
        compute_sample_weight(
            "balanced", np.repeat([p.profile for p in parts], [len(p.labels) for p in parts])
        ),
    )
    return {GENERAL: together, **by_profile}


def measured(model: Any, profile: str, scored_pairs: ScoredPairs, draws: int) -> dict[str, Any]:
    """Measures with intervals and the points of a calibration plot."""
    judged = [judge(float(s), model.profiles, profile) for s in scored_pairs.scores]
    probabilities = [j.probability for j in judged]
    measures = bootstrap(
        scored_pairs.labels,
        scored_pairs.scores,
        judged[0].threshold,
        probabilities,
        scored_pairs.sources.tolist(),
        draws=draws,
        weights=scored_pairs.weights,
    )
    points = reliability(scored_pairs.labels, probabilities, weights=scored_pairs.weights)
    return {
        "pairs": len(scored_pairs.labels),
        "measures": {name: [round(v, 4) for v in astuple(measures[name])] for name in SHOWN},
        "calibration_error": round(measures["calibration_error"].value, 4),
        "by_chance": round(
            calibration_error_by_chance(probabilities, weights=scored_pairs.weights, draws=draws), 4
        ),
        "reliability": [[round(v, 3) for v in point] for point in points.tolist()],
    }


def spread(name: str, runs: Path) -> tuple[int, dict[str, dict[str, list[float]]]]:
    """How many seeds were trained, and of each profile mean and standard deviation of accuracy and AUC."""
    folders = [run_folder(runs, name, seed) for seed in range(SEEDS)]
    stored = [read_config(folder) for folder in folders if (folder / CONFIG).is_file()]
    if len(stored) < 2:
        return len(stored) or 1, {}
    by_profile: dict[str, dict[str, list[float]]] = {}
    for profile in stored[0].profiles:
        by_profile[profile] = {}
        for ours, theirs in (("accuracy", "accuracy"), ("roc_auc", "auc")):
            values = [float(s.profiles[profile].measured[theirs]) for s in stored]
            by_profile[profile][ours] = [round(mean(values), 4), round(stdev(values), 4)]
    return len(stored), by_profile


def seconds(model: Any, documents: Sequence[Any]) -> dict[str, float]:
    """To read a document and to compare two, mean, on one core; what is loaded once is loaded before."""
    model.encode(documents[:1], explain=False)
    documents = [replace(document) for document in documents]  # nothing remembered of them
    begun = time.perf_counter()
    encoded = [model.encode([document], explain=False)[0] for document in documents]
    read = time.perf_counter()
    pairs = list(itertools.combinations(encoded, 2))
    for a, b in pairs:
        model.match(a, b, explain=False)
    compared = time.perf_counter()
    return {
        "document": round((read - begun) / len(documents), 4),
        "pair": round((compared - read) / len(pairs), 4),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "corpora")
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="holds the trainings")
    parser.add_argument("--documents", type=Path, help="a folder of PDFs to take the time of")
    parser.add_argument("--models", default="all", help="names with commas; every trained model")
    parser.add_argument("--draws", type=int, default=DRAWS, help="of the bootstrap")
    parser.add_argument("--output", type=Path, default=asset(FIGURES))
    chosen = parser.parse_args(arguments)
    torch.set_num_threads(1)
    os.environ["COLDE_CACHE"] = "off"  # what is kept on disk would be timed instead of the reading
    folders = [chosen.corpora / name for name in corpora()]
    figures = read_json(chosen.output, {})
    paths = sorted(chosen.documents.glob("*.pdf"))[:MOST_DOCUMENTS] if chosen.documents else []
    documents = [colde.read(path) for path in paths]
    for name in models.resolve(chosen.models):
        model: Any = models.load(name)
        count, over_seeds = spread(name, chosen.runs)
        profiles = {
            profile: measured(model, profile, part, chosen.draws)
            for profile, part in scored(name, model, folders, chosen.runs).items()
        }
        for profile, values in over_seeds.items():
            profiles[profile]["seeds"] = values
        figures[name] = {
            "made_with": read_config(models.checkpoint(name)).fingerprint(),
            "seeds": count,
            "seconds": seconds(model, documents) if documents else figures.get(name, {}).get("seconds", {}),
            "profiles": profiles,
        }
        write_json(chosen.output, figures)
        record(chosen.output, [name])
        accuracy = profiles["papers"]["measures"]["accuracy"]
        Console().print(f"{name}: papers {accuracy[0]:.3f} ({accuracy[1]:.3f} to {accuracy[2]:.3f})")


if __name__ == "__main__":
    main()
