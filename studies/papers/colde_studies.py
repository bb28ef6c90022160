"""The studies of the CoLDE paper on other corpora: table 2's ablations, figures 6 to 8, sections, collapse.

    python -m studies.papers.colde_studies ../shared/corpora/acl --study ablations --seeds 3
    python -m studies.papers.colde_studies --tables docs/log/colde_studies.md

Studies: ablations, batch, tokens, sections, shuffling, truncation, noise, collapse, all. They train the paper's form
over the encoder without further training, whose sentence vectors are kept. Every run is kept in the work folder: a
stopped command goes on, and the same seed gives the same figures. Figures of a study and corpus replace those in
docs/results/studies.json (`--json`); the rest of it stays. Pairs: of the development and validation parts, with at
least one document that is not trained on; a random half of them chooses the threshold, the figures are those of the
other half. The development part chose the stopping point.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from statistics import mean, pstdev
from typing import Any

import numpy as np
import torch
from rich.console import Console
from torch import Tensor
from torch.nn.functional import normalize

from colde.models.colde.augmentation import split_parts
from colde.models.colde_paper.paper_network import PaperNetwork
from colde.training.colde_models.colde_corpus import PooledChunks, VectorCorpus
from colde.training.corpora.labelled_pairs import PairGraph
from colde.training.training_run import read_settings
from studies.arguments import command_line
from studies.papers.baselines_table import printer
from studies.papers.colde_study_runs import Bench, Row, measured, threshold_of
from studies.papers.colde_study_tables import FIGURES, MEANINGS, UNCHANGED, update_tables
from studies.robustness.perturbed_chunks import Places, noisy, rearranged, shuffled, truncated
from studies.significance import permutation_test
from studies.tables import read_json, write_json

DRAWS = 5  # of what is changed at random
EPOCH = 10_000  # pairs; about all of the training pairs of acl
RUNS = 8  # of chunks, of a document whose sections are shuffled

ABLATIONS = tuple(
    Row(v) for v in ("colde:paper", "colde:no_aug", "colde:no_attention", "colde:no_lstm", "colde:no_cl")
)
ROBUST = (Row("colde:paper"), Row("colde:no_lstm"))
COLLAPSING = (Row("colde:paper"),)
Figures = dict[str, dict[str, float]]


def judged(corpus: VectorCorpus) -> tuple[PairGraph, PairGraph]:
    """Pairs with a document that is not trained on: those that choose the threshold, and those it is judged on."""
    new = corpus.new > 0
    pairs = np.concatenate((corpus.valid.pairs[new], corpus.one.pairs, corpus.none.pairs))
    labels = np.concatenate((corpus.valid.labels[new], corpus.one.labels, corpus.none.labels))
    order = np.random.default_rng(0).permutation(len(labels))
    none = corpus.valid.similar
    halves = (order[::2], order[1::2])
    choosing, judging = (PairGraph(none, none, pairs[half], labels[half]) for half in halves)
    return choosing, judging


def batch_rows() -> tuple[Row, ...]:
    """Documents a batch as in 4.1.2, two a pair, after half an epoch, one and two (4.4.1)."""
    rows = []
    for documents in (50, 75, 100, 200):
        for epochs in (0.5, 1, 2):
            pairs = round(documents / 2)
            steps = round(EPOCH * epochs / pairs)
            changes = {"pairs": pairs, "steps": steps, "validate_every": max(1, steps // 5)}
            label = f"{documents} documents, {epochs} epochs"
            rows.append(Row(changes=changes, label=label))
    return tuple(rows)


def token_rows() -> tuple[Row, ...]:
    """The first 2, 8 and 16 chunks of 512 tokens of each part in training, whole documents afterwards (4.4.2)."""
    return tuple(
        Row(variant, {"part_chunks": n, "chunks": 64}, label=f"{variant}, {n // 2}k tokens")
        for variant in ("colde:paper", "colde:no_lstm")
        for n in (2, 8, 16)
    )


def section_rows() -> tuple[Row, ...]:
    """n_p from 2 to 5 (4.5.4)."""
    return tuple(Row(model={"parts": n} if n > 2 else {}, label=f"{n} sections") for n in (2, 3, 4, 5))


def compare_rows(
    bench: Bench, rows: Sequence[Row], seeds: int, against: Row | None = None
) -> list[dict[str, Any]]:
    """Each row trained with each seed; tested against another one's answers."""
    choosing, judging = judged(bench.corpus)
    sources = [str(i) for i in judging.pairs[:, 0]]
    right: dict[str, np.ndarray] = {}
    entries = []
    for row in rows:
        each, answers = [], []
        for seed in range(seeds):
            run = bench.run(row, seed)
            threshold = threshold_of(choosing, run.scores(bench.corpus.chunks, choosing))
            scores = run.scores(bench.corpus.chunks, judging)
            answers.append((scores >= threshold) == (judging.labels == 1))
            figures = {"seed": seed, **measured(judging, scores, threshold), "threshold": threshold}
            each.append({**figures, "best_step": run.best_step, "seconds": run.seconds})
        right[row.name] = np.concatenate(answers)
        entry: dict[str, Any] = {"name": row.name, "variant": row.variant}
        entry |= {"changes": {**row.changes, **row.model}}
        entry |= spread(each, FIGURES) | {"each": [rounded(e) for e in each]}
        if against is not None and row.name != against.name:
            tested = permutation_test(right[row.name], right[against.name], sources * seeds)
            entry["difference"] = rounded({"accuracy": tested.value, "p": tested.p})
        entries.append(entry)
    return entries


def changed_documents(
    bench: Bench, rows: Sequence[Row], seeds: int, changes: Mapping[str, Sequence[Places]]
) -> list[dict[str, Any]]:
    """Trained models on changed documents, by name and draw of the change, under the threshold of the unchanged."""
    choosing, judging = judged(bench.corpus)
    plain_documents = bench.corpus.chunks
    made = {name: [rearranged(plain_documents, p) for p in draws] for name, draws in changes.items()}
    entries = []
    for row in rows:
        each: dict[str, list[dict[str, float]]] = {name: [] for name in (UNCHANGED, *made)}
        for seed in range(seeds):
            run = bench.run(row, seed)
            threshold = threshold_of(choosing, run.scores(plain_documents, choosing))
            scores = run.scores(plain_documents, judging)
            plain = measured(judging, scores, threshold)
            each[UNCHANGED].append({**plain, "lost": 0.0, "moved": 0.0})
            for name, draws in made.items():
                for documents in draws:
                    other = run.scores(documents, judging)
                    now = measured(judging, other, threshold)
                    moved = float(np.abs(other - scores).mean())
                    each[name].append({**now, "lost": plain["accuracy"] - now["accuracy"], "moved": moved})
        entries += [
            {"name": row.name, "documents": name, **spread(e, (*FIGURES, "lost", "moved"))}
            for name, e in each.items()
        ]
    return entries


def drawn(
    bench: Bench, change: Callable[[Sequence[PooledChunks], np.random.Generator], Places]
) -> list[Places]:
    """Several draws of a change."""
    return [change(bench.corpus.chunks, np.random.default_rng(i)) for i in range(DRAWS)]


def shuffling(bench: Bench, seeds: int) -> list[dict[str, Any]]:
    """Figure 8, and a harder case: single chunks shuffled."""
    changes = {
        f"{RUNS} sections shuffled": drawn(bench, lambda d, r: shuffled(d, r, RUNS)),
        "chunks shuffled": drawn(bench, lambda d, r: shuffled(d, r, None)),
    }
    return changed_documents(bench, ROBUST, seeds, changes)


def truncation(bench: Bench, seeds: int) -> list[dict[str, Any]]:
    changes = {f"first {s:.0%}": [truncated(bench.corpus.chunks, s)] for s in (0.25, 0.5, 0.75)}
    return changed_documents(bench, ROBUST, seeds, changes)


def noise(bench: Bench, seeds: int) -> list[dict[str, Any]]:
    changes = {
        "10% of another document": drawn(bench, lambda d, r: noisy(d, 0.1, r)),
        "30% of another document": drawn(bench, lambda d, r: noisy(d, 0.3, r)),
    }
    return changed_documents(bench, ROBUST, seeds, changes)


def collapse(bench: Bench, seeds: int) -> list[dict[str, Any]]:
    """How alike the chunks of one document are, from the encoder to the end of the network."""
    entries = []
    for row in COLLAPSING:
        each = [
            chunk_cosine_by_stage(bench.run(row, seed).network, bench.corpus.chunks) for seed in range(seeds)
        ]
        entries.append({"name": row.name, **spread(each, tuple(each[0]))})
    return entries


def mean_cosine(vectors: Tensor) -> float:
    """Mean cosine of different rows: [chunks, dimension]; 1 where all rows point one way."""
    unit = normalize(vectors, dim=-1)
    n = len(unit)
    return float((unit.sum(0).square().sum() - unit.square().sum()) / (n * (n - 1)))


@torch.inference_mode()
def chunk_cosine_by_stage(network: PaperNetwork, documents: Sequence[PooledChunks]) -> dict[str, float]:
    """Mean over the documents of two chunks or more of the mean cosine of their chunks, for each of `MEANINGS`."""
    each: dict[str, list[float]] = {name: [] for name in MEANINGS}
    for document in documents:
        if len(document.mass) > 1:
            for name, states in stages(network, document).items():
                each[name].append(mean_cosine(states))
    return {name: float(np.mean(values)) for name, values in each.items()}


def stages(network: PaperNetwork, document: PooledChunks) -> dict[str, Tensor]:
    """The chunks of one document after each step: name → [chunks, dimension]."""
    chunks = torch.from_numpy(document.means)
    part = torch.from_numpy(split_parts(document.mass.astype(np.float64), network.config.parts))
    attended = network.mix(chunks.unsqueeze(0), part.unsqueeze(0))
    states, _ = network.states.lstm(attended)  # [1, chunks, 2 · lstm], as `BiLstm` ends
    return {
        "encoder": chunks,
        "attended": attended[0],
        "states": states[0],
        "projected": network.project(states[0]),
        "single": network.single(chunks),
    }


STUDIES: Mapping[str, Callable[[Bench, int], list[dict[str, Any]]]] = {
    "ablations": lambda bench, seeds: compare_rows(bench, ABLATIONS, seeds, against=ABLATIONS[0]),
    "batch": lambda bench, seeds: compare_rows(bench, batch_rows(), seeds),
    "tokens": lambda bench, seeds: compare_rows(bench, token_rows(), seeds),
    "sections": lambda bench, seeds: compare_rows(bench, section_rows(), seeds, against=section_rows()[0]),
    "shuffling": shuffling,
    "truncation": truncation,
    "noise": noise,
    "collapse": collapse,
}


def spread(each: Sequence[Mapping[str, float]], names: Sequence[str]) -> Figures:
    """Mean and standard deviation over seeds (and draws)."""
    return {n: rounded({"mean": mean(e[n] for e in each), "sd": pstdev([e[n] for e in each])}) for n in names}


def rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {k: round(v, 5) if isinstance(v, float) else v for k, v in values.items()}


def study(name: str, bench: Bench, seeds: int) -> dict[str, Any]:
    """A study's rows, and what they were made with."""
    rows = STUDIES[name](bench, seeds)
    config, training = bench.settings_of(Row())
    return {
        "date": date.today().isoformat(),
        "seeds": seeds,
        "pairs": len(judged(bench.corpus)[1].labels),
        "documents": len(bench.corpus.layouts.names),
        "settings": {"model": asdict(config), "training": asdict(training)},
        "rows": rows,
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__)
    parser.add_argument("corpora", type=Path, nargs="*", help="folders of corpora")
    parser.add_argument("--work", type=Path, default=Path("runs"))
    parser.add_argument("--study", default=list(STUDIES), type=_names, help="names with commas, or all")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--config", type=Path, help="as `colde train` takes it; else WORK/settings.json")
    parser.add_argument("--json", type=Path, default=Path("docs/results/studies.json"))
    parser.add_argument("--tables", type=Path, help="a Markdown file whose tables are written again")
    chosen = parser.parse_args(arguments)
    usual = chosen.work / "settings.json"
    settings = read_settings(chosen.config or (usual if usual.is_file() else None))
    console = Console()
    results = read_json(chosen.json, {})
    for folder in chosen.corpora:
        bench = Bench(folder, chosen.work, settings, printer(console, folder.name))
        for name in chosen.study:
            console.print(f"{folder.name}: {name}")
            results.setdefault(name, {})[folder.name] = study(name, bench, chosen.seeds)
            write_json(chosen.json, results)
    if chosen.tables is not None:
        text = update_tables(chosen.tables.read_text(encoding="utf-8"), results)
        chosen.tables.write_text(text, encoding="utf-8")


def _names(given: str) -> list[str]:
    """Names of studies, every one checked."""
    names = list(STUDIES) if given == "all" else given.split(",")
    for name in names:
        if name not in STUDIES:
            raise argparse.ArgumentTypeError(f"no study {name!r}; there are: {', '.join(STUDIES)}, all")
    return names


if __name__ == "__main__":
    main()
