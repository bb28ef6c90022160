"""The table of the trained baselines on the validation pairs; missing runs are trained first.

    python -m studies.papers.baselines_table ../shared/corpora --work runs --output docs/results

A run that was stopped goes on where it was; what is trained is not trained again. `--prepare` stops before training:
the folder `--work` then holds all a machine without the corpora needs. Writes baselines.json and baselines.md; rows of
models that `--models` does not name stay as they are.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from colde import models
from colde.evaluation.metrics import DRAWS, bootstrap
from colde.judge.calibration import judge
from colde.judge.profiles import corpora as shipped_corpora
from colde.judge.profiles import profile_of
from colde.models.checkpoint import CONFIG
from colde.models.registry import spec, specs
from colde.results.progress import OnProgress, Progress
from colde.training.baseline_fit import SCORES, build
from colde.training.pair_networks.batch_scoring import score_pairs
from colde.training.pair_networks.prepared_corpora import prepare_corpus
from colde.training.training_run import read_settings, train
from studies.arguments import command_line
from studies.tables import markdown_table, mean_and_spread, read_json, write_json

SHOWN = ("accuracy", "f1", "roc_auc")

FIT = "colde.training.baseline_fit:fit"
"""How the models of this table are trained."""


def run_folder(work: Path, name: str, seed: int) -> Path:
    """Where the run of a model and seed lies."""
    return work / (name.replace(":", "-").replace("+", "-") + (f"-seed{seed}" if seed else ""))


def train_missing(
    name: str, corpora: Sequence[Path], work: Path, seed: int, config: Path | None, on_progress: OnProgress
) -> Path:
    """The folder of a finished run."""
    folder = run_folder(work, name, seed)
    settings = {**read_settings(config), "prepared": str(work / "prepared")}
    train_into(folder, name, corpora, settings, seed, on_progress)
    return folder


def train_into(
    folder: Path,
    name: str,
    corpora: Sequence[Path],
    settings: Mapping[str, Any],
    seed: int,
    on_progress: OnProgress,
) -> None:
    """Train a model with these settings, or go on with it, unless the folder holds a finished run."""
    if not (folder / CONFIG).is_file():
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "settings.json"
        path.write_text(json.dumps(settings), encoding="utf-8")
        train(name, corpora, folder, path, seed, resume=True, on_progress=on_progress)


def evaluate(
    name: str,
    folder: Path,
    corpora: Sequence[Path],
    work: Path,
    draws: int = DRAWS,
    on_progress: OnProgress | None = None,
) -> dict[str, Any]:
    """Measures of one checkpoint on the validation pairs of each corpus, with intervals."""
    model: Any = models.load(folder)
    figures: dict[str, Any] = {
        "name": name,
        "title": models.card(spec(name).variant_of or name).title,
        "parameters": model.parameters,
        "megabytes": round((folder / "model.safetensors").stat().st_size / 1e6, 2),
        "training": dict(model.training),
        "corpora": {},
    }
    for corpus, (pairs, labels, scores) in valid_scores(model, folder, corpora, work, on_progress).items():
        profile = profile_of(corpus)
        judged = [judge(float(s), model.profiles, profile) for s in scores]
        measured = bootstrap(
            labels,
            scores,
            judged[0].threshold,
            [j.probability for j in judged],
            [(a, b) for a, b in pairs.tolist()],
            draws=draws,
        )
        figures["corpora"][corpus] = {
            "pairs": len(labels),
            "measures": {k: {n: round(v, 5) for n, v in asdict(m).items()} for k, m in measured.items()},
        }
    return figures


def valid_scores(
    model: Any, folder: Path, corpora: Sequence[Path], work: Path, on_progress: OnProgress | None = None
) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Of each corpus validation pairs [pairs, 2], labels [pairs] and scores [pairs]; all pairs, or as many as the
    thresholds were fitted on. Scores are those training has kept, else they are computed."""
    settings = model.training["settings"]
    tokens, most = settings["tokens"], settings.get("profile_pairs")
    known = dict(np.load(folder / SCORES, allow_pickle=False)) if (folder / SCORES).is_file() else {}
    by_corpus = {}
    for corpus in corpora:
        prepared = prepare_corpus(model.network, corpus, work / "prepared", on_progress)
        chosen = prepared.sampled_valid(most)
        pairs, labels = prepared.pairs["valid"][chosen], prepared.labels["valid"][chosen]
        scores = known.get(corpus.name)
        if scores is None:
            scores = score_pairs(
                model.network, prepared.documents, pairs, tokens=2 * tokens, both_orders=model.card.symmetric
            )
        by_corpus[corpus.name] = (pairs, labels, scores)
    return by_corpus


def markdown(rows: Sequence[dict[str, Any]], corpora: Sequence[str]) -> str:
    """Two tables: the measures, and the cost. Seeds of a model are one row: the mean, and ± the standard deviation."""
    by_name: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_name[row["name"]].append(row)
    measures, costs = [], []
    for name, seeds in by_name.items():
        label, first, training = _label(name, seeds), seeds[0], seeds[0]["training"]
        cells = [_cell([s["corpora"][c]["measures"] for s in seeds]) for c in corpora]
        measures.append([label, *cells, len(seeds)])
        costs.append(
            [
                label,
                f"{first['parameters']:,}",
                first["megabytes"],
                f"{training['tokens']:,}",
                f"{training['tokens_per_second']:,}",
                f"{training['seconds'] / 60:.0f}",
                training["device"],
            ]
        )
    columns = ["numbers, frozen ones too", "file, MB", "tokens in training", "tokens/s", "minutes", "on"]
    return (
        "Accuracy / F1 / area under the ROC curve; in brackets the 95 % interval of the accuracy of the first seed."
        f"\n\n{markdown_table(['', *corpora, 'seeds'], measures)}\n{markdown_table(['', *columns], costs)}"
    )


def _label(name: str, seeds: Sequence[dict[str, Any]]) -> str:
    """Title and variant; and on how many pairs of each corpus, where not on all."""
    variant, most = spec(name).variant_of and name, seeds[0]["training"]["settings"].get("profile_pairs")
    parts = [*([variant] if variant else []), *([f"{most} pairs of each"] if most else [])]
    return seeds[0]["title"] + (f" ({', '.join(parts)})" if parts else "")


def _cell(seeds: Sequence[dict[str, dict[str, float]]]) -> str:
    figures = [mean_and_spread([s[measure]["value"] for s in seeds]) for measure in SHOWN]
    accuracy = seeds[0]["accuracy"]
    return f"{' / '.join(figures)} ({accuracy['low']:.3f}–{accuracy['high']:.3f})"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "corpora", "--output", "--config")
    parser.add_argument(
        "--only", default=",".join(shipped_corpora()), help="names of the corpora, with commas"
    )
    parser.add_argument("--work", type=Path, default=Path("runs"))
    parser.add_argument("--models", help="names with commas; every listed model where it is not given")
    parser.add_argument(
        "--seeds", type=int, help="how many; what the recipe of a model says where it is not given"
    )
    parser.add_argument("--draws", type=int, default=DRAWS, help="of the bootstrap")
    parser.add_argument("--prepare", action="store_true", help="only prepare the documents")
    chosen = parser.parse_args(arguments)
    listed = [n for n, s in specs().items() if s.fit == FIT and s.listed]
    names = chosen.models.split(",") if chosen.models else listed
    corpora = [chosen.corpora / name for name in chosen.only.split(",")]
    console = Console()
    rows = other_rows(chosen.output, names)
    for name in names:
        show = printer(console, name)
        if chosen.prepare:
            network = build(spec(name), {**spec(name).model, **read_settings(chosen.config).get("model", {})})
            for corpus in corpora:
                prepare_corpus(network, corpus, chosen.work / "prepared", show)
            continue
        for seed in range(chosen.seeds or spec(name).seeds):
            folder = train_missing(name, corpora, chosen.work, seed, chosen.config, show)
            rows.append(evaluate(name, folder, corpora, chosen.work, chosen.draws, show))
            rows.sort(key=lambda row: list(specs()).index(row["name"]))
            write_json(chosen.output / "baselines.json", rows)
            text = markdown(rows, [c.name for c in corpora])
            (chosen.output / "baselines.md").write_text(text, encoding="utf-8")


def other_rows(output: Path, names: Sequence[str]) -> list[dict[str, Any]]:
    """The stored rows of all models but these."""
    return [row for row in read_json(output / "baselines.json", []) if row["name"] not in names]


def printer(console: Console, name: str) -> OnProgress:
    """A line every twenty steps of training, and for everything else."""

    def show(progress: Progress) -> None:
        if not progress.stage.startswith(("training", "pre-training")) or progress.done % 20 == 0:
            console.print(f"{name}: {progress.stage} {progress.done}/{progress.total}")

    return show


if __name__ == "__main__":
    main()
