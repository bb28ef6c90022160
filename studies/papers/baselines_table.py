"""The table of the trained baselines on the validation pairs, made anew: what is missing is trained first.

    python -m studies.papers.baselines_table ../shared/corpora --work runs --output docs/results

A run that was stopped goes on where it was; what is trained is not trained again. `--prepare` stops before training:
the folder `--work` then holds all a machine without the corpora needs. Writes baselines.json and baselines.md; rows of
models that `--models` does not name stay as they are.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import mean, stdev
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
from colde.training.batch_scoring import score_pairs
from colde.training.prepared_corpora import prepare_corpus
from colde.training.training_run import read_settings, train

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
    """Measures of one checkpoint on the validation pairs of each corpus, with intervals over sources."""
    model: Any = models.load(folder)
    found: dict[str, Any] = {
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
            pairs[:, 0].tolist(),
            draws=draws,
        )
        found["corpora"][corpus] = {
            "pairs": len(labels),
            "measures": {k: {n: round(v, 5) for n, v in asdict(m).items()} for k, m in measured.items()},
        }
    return found


def valid_scores(
    model: Any, folder: Path, corpora: Sequence[Path], work: Path, on_progress: OnProgress | None = None
) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Of each corpus validation pairs [pairs, 2], labels [pairs] and scores [pairs]; all pairs, or as many as the
    thresholds were fitted on. Scores are those training has kept, else they are computed."""
    settings = model.training["settings"]
    tokens, most = settings["tokens"], settings.get("profile_pairs")
    known = dict(np.load(folder / SCORES, allow_pickle=False)) if (folder / SCORES).is_file() else {}
    found = {}
    for corpus in corpora:
        prepared = prepare_corpus(model.network, corpus, work / "prepared", on_progress)
        chosen = prepared.sampled_valid(most)
        pairs, labels = prepared.pairs["valid"][chosen], prepared.labels["valid"][chosen]
        scores = known.get(corpus.name)
        if scores is None:
            scores = score_pairs(
                model.network, prepared.documents, pairs, tokens=2 * tokens, both_orders=model.card.symmetric
            )
        found[corpus.name] = (pairs, labels, scores)
    return found


def markdown(rows: Sequence[dict[str, Any]], corpora: Sequence[str]) -> str:
    """Two tables: how well, and at what cost. Seeds of a model stand in one row: the mean, and ± the spread."""
    by_name: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_name[row["name"]].append(row)
    lines = [
        "Accuracy / F1 / area under the ROC curve; in brackets the 95 % interval of the accuracy of the first seed.",
        "",
    ]
    lines += ["| | " + " | ".join(corpora) + " | seeds |", "| --- " * (len(corpora) + 2) + "|"]
    for name, seeds in by_name.items():
        cells = [_cell([s["corpora"][c]["measures"] for s in seeds]) for c in corpora]
        lines.append(f"| {_label(name, seeds)} | " + " | ".join(cells) + f" | {len(seeds)} |")
    lines += ["", "| | numbers, frozen ones too | file, MB | tokens in training | tokens/s | minutes | on |"]
    lines.append("| --- " * 7 + "|")
    for name, seeds in by_name.items():
        t = seeds[0]["training"]
        lines.append(
            f"| {_label(name, seeds)} | {seeds[0]['parameters']:,} | {seeds[0]['megabytes']} | {t['tokens']:,} | "
            f"{t['tokens_per_second']:,} | {t['seconds'] / 60:.0f} | {t['device']} |"
        )
    return "\n".join(lines) + "\n"


def _label(name: str, seeds: Sequence[dict[str, Any]]) -> str:
    """Title and variant; and on how many pairs of each corpus, where not on all."""
    variant, most = spec(name).variant_of and name, seeds[0]["training"]["settings"].get("profile_pairs")
    said = [*([variant] if variant else []), *([f"{most} pairs of each"] if most else [])]
    return seeds[0]["title"] + (f" ({', '.join(said)})" if said else "")


def _cell(seeds: Sequence[dict[str, dict[str, float]]]) -> str:
    figures = []
    for measure in SHOWN:
        values = [s[measure]["value"] for s in seeds]
        figures.append(f"{mean(values):.3f}" + (f" ± {stdev(values):.3f}" if len(values) > 1 else ""))
    accuracy = seeds[0]["accuracy"]
    return f"{' / '.join(figures)} ({accuracy['low']:.3f}–{accuracy['high']:.3f})"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", type=Path, help="folder that holds the corpora")
    parser.add_argument(
        "--only", default=",".join(shipped_corpora()), help="names of the corpora, with commas"
    )
    parser.add_argument("--work", type=Path, default=Path("runs"))
    parser.add_argument("--output", type=Path, default=Path("docs/results"))
    parser.add_argument(
        "--models", default=None, help="names with commas; every listed model where it is not given"
    )
    parser.add_argument(
        "--seeds", type=int, help="how many; what the recipe of a model says where it is not given"
    )
    parser.add_argument("--config", type=Path, help="settings that differ from the recipes', for all models")
    parser.add_argument("--draws", type=int, default=DRAWS, help="of the bootstrap")
    parser.add_argument("--prepare", action="store_true", help="only prepare the documents")
    chosen = parser.parse_args(arguments)
    names = (
        chosen.models.split(",")
        if chosen.models
        else [n for n, s in specs().items() if s.fit == FIT and s.listed]
    )
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
            chosen.output.mkdir(parents=True, exist_ok=True)
            (chosen.output / "baselines.json").write_text(
                json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
            )
            (chosen.output / "baselines.md").write_text(
                markdown(rows, [c.name for c in corpora]), encoding="utf-8"
            )


def other_rows(output: Path, names: Sequence[str]) -> list[dict[str, Any]]:
    """Rows that are there of models that are not made anew."""
    path = output / "baselines.json"
    there = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    return [row for row in there if row["name"] not in names]


def printer(console: Console, name: str) -> OnProgress:
    """A line every twenty steps of training, and for everything else."""

    def show(progress: Progress) -> None:
        if not progress.stage.startswith(("training", "pre-training")) or progress.done % 20 == 0:
            console.print(f"{name}: {progress.stage} {progress.done}/{progress.total}")

    return show


if __name__ == "__main__":
    main()
