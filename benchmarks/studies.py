"""The studies of the CoLDE paper on corpora of our own: table 2's ablations, figures 6 to 8, sections, collapse.

    python benchmarks/studies.py ../shared/corpora/acl --study ablations --seeds 3 --json docs/results/studies.json
    python benchmarks/studies.py --tables docs/results.md --json docs/results/studies.json

Studies: ablations, batch, tokens, sections, shuffling, truncation, noise, collapse, all. Every run is kept in the work
folder: the command goes on where it was stopped, and the same seed gives the same figures. Figures of a study and
corpus replace those in the JSON file; the rest of it stays. Pairs and thresholds are those of `valid.tsv`, which
chose the stopping point, too.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from statistics import mean, pstdev
from typing import Any

import numpy as np
from perturbed import TokenSpans, chunk_counts, noisy, rearranged, shuffled, summed, truncated
from rich.console import Console
from study_collapse import cosines_within
from study_runs import Bench, Row, measured, threshold_of
from study_tables import into

from colde.data.corpus import read_pairs
from colde.evaluation.bootstrap import permutation_test
from colde.results.progress import OnProgress, Progress
from colde.text.term_weights import shipped_statistics, weighted
from colde.training.run import read_settings

DRAWS = 5  # of what is changed at random
PAIRS = 19_200  # of a run of the batch study: 200 batches of 96, 1.5 epochs of acl

ABLATIONS = tuple(
    Row(v) for v in ("colde:no_words", "colde:no_aug", "colde:no_lstm", "colde:no_cl", "colde:paper", "colde")
)
ROBUST = (Row("colde"), Row("colde:no_words"), Row("colde:paper"))
COLLAPSING = (Row("colde:no_words", label="colde"), Row("colde:paper"))

Figures = dict[str, dict[str, float]]


def batch_rows() -> tuple[Row, ...]:
    """Documents a batch as in 4.1.2, two a pair; as many pairs in all, so that the epochs are the same (4.4.1)."""
    rows = []
    for documents in (50, 75, 100, 200):
        pairs = round(documents / 2)
        steps = PAIRS // pairs
        changes = {
            "pairs": pairs,
            "steps": steps,
            "pool_steps": round(0.7 * steps),
            "validate_every": steps // 10,
        }
        rows.append(Row(changes=changes, label=f"{documents} documents"))
    return tuple(rows)


def token_rows() -> tuple[Row, ...]:
    """The first 2, 8 and 16 chunks of 512 tokens of each section in training, whole documents afterwards (4.4.2)."""
    return tuple(
        Row(
            changes={"section_chunks": n, "most_chunks": 64, "joint_chunks": 64},
            label=f"{n} chunks, {n // 2}k tokens",
        )
        for n in (2, 8, 16)
    )


def section_rows() -> tuple[Row, ...]:
    """n_p from 2 to 5 (4.5.4)."""
    return tuple(Row(changes={"sections": n} if n > 2 else {}, label=f"{n} sections") for n in (2, 3, 4, 5))


def compare_rows(
    bench: Bench, rows: Sequence[Row], seeds: int, against: Row | None = None
) -> list[dict[str, Any]]:
    """Each row trained with each seed, on the validation pairs; tested against another one's answers."""
    sources = [p.source for p in read_pairs(bench.folder / "valid.tsv")]
    labels = bench.corpus.valid.labels
    right: dict[str, np.ndarray] = {}
    found = []
    for row in rows:
        each, answers = [], []
        for seed in range(seeds):
            run = bench.run(row, seed)
            scores = run.scores(bench.corpus)
            threshold = threshold_of(bench.corpus, scores)
            answers.append((scores >= threshold) == (labels == 1))
            each.append(
                {
                    "seed": seed,
                    **measured(bench.corpus, scores, threshold),
                    "threshold": threshold,
                    "best_step": run.best_step,
                    "seconds": run.seconds,
                }
            )
        right[row.name] = np.concatenate(answers)
        entry: dict[str, Any] = {"name": row.name, "variant": row.variant, "changes": dict(row.changes)}
        entry |= spread(each, ("accuracy", "f1", "auc")) | {"each": [rounded(e) for e in each]}
        if against is not None and row.name != against.name:
            tested = permutation_test(right[row.name], right[against.name], sources * seeds)
            entry["difference"] = rounded({"accuracy": tested.value, "p": tested.p})
        found.append(entry)
    return found


def changed_documents(
    bench: Bench, rows: Sequence[Row], seeds: int, changes: Mapping[str, Sequence[TokenSpans]]
) -> list[dict[str, Any]]:
    """Trained models on changed validation documents, under the threshold of the documents as they are.

    Args:
        changes: name → draws of it; the same ones for every model and seed.
    """
    known = chunk_counts(
        bench.folder, bench.corpus.whole, bench.frozen.tokenizer, bench.work / "chunk-words.npz"
    )
    made = {
        name: [
            (rearranged(bench.corpus.whole, p), weighted(summed(known, p), shipped_statistics()))
            for p in draws
        ]
        for name, draws in changes.items()
    }
    found = []
    for row in rows:
        each: dict[str, list[dict[str, float]]] = {name: [] for name in ("as they are", *made)}
        for seed in range(seeds):
            run = bench.run(row, seed)
            scores = run.scores(bench.corpus)
            threshold = threshold_of(bench.corpus, scores)
            plain = measured(bench.corpus, scores, threshold)
            each["as they are"].append({**plain, "lost": 0.0, "moved": 0.0})
            for name, draws in made.items():
                for whole, words in draws:
                    other = run.scores(bench.corpus, whole, words)
                    now = measured(bench.corpus, other, threshold)
                    moved = float(np.abs(other - scores).mean())
                    each[name].append({**now, "lost": plain["accuracy"] - now["accuracy"], "moved": moved})
        found += [
            {"name": row.name, "documents": name, **spread(e, ("accuracy", "f1", "auc", "lost", "moved"))}
            for name, e in each.items()
        ]
    return found


def shuffling(bench: Bench, seeds: int) -> list[dict[str, Any]]:
    """Figure 8, and a harder case: single chunks shuffled."""
    whole = bench.corpus.whole
    changes = {
        "sections shuffled": [shuffled(whole, np.random.default_rng(i)) for i in range(DRAWS)],
        "chunks shuffled": [
            shuffled(whole, np.random.default_rng(i), parts=len(whole.section)) for i in range(DRAWS)
        ],
    }
    return changed_documents(bench, ROBUST, seeds, changes)


def truncation(bench: Bench, seeds: int) -> list[dict[str, Any]]:
    changes = {f"first {s:.0%}": [truncated(bench.corpus.whole, s)] for s in (0.25, 0.5, 0.75)}
    return changed_documents(bench, ROBUST, seeds, changes)


def noise(bench: Bench, seeds: int) -> list[dict[str, Any]]:
    changes = {
        f"{s:.0%} of another document": [
            noisy(bench.corpus.whole, s, np.random.default_rng(i)) for i in range(DRAWS)
        ]
        for s in (0.1, 0.3)
    }
    return changed_documents(bench, ROBUST, seeds, changes)


def collapse(bench: Bench, seeds: int) -> list[dict[str, Any]]:
    """How alike the chunks of one document are, from the encoder to the end of the network."""
    found = []
    for row in COLLAPSING:
        each = [cosines_within(bench.run(row, seed).network, bench.corpus.whole) for seed in range(seeds)]
        found.append({"name": row.name, **spread(each, tuple(each[0]))})
    return found


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
        "pairs": len(bench.corpus.valid.labels),
        "documents": len(bench.corpus.whole.ids),
        "chunks_kept": int(np.diff(bench.corpus.vectors.first).max()),
        "settings": {"model": asdict(config), "training": asdict(training)},
        "rows": rows,
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", type=Path, nargs="*", help="folders of corpora")
    parser.add_argument("--work", type=Path, default=Path("runs"))
    parser.add_argument("--study", default=list(STUDIES), type=_names, help="names with commas, or all")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument(
        "--config", type=Path, help="settings as `colde train` takes them; else WORK/settings.json"
    )
    parser.add_argument("--json", type=Path, default=Path("docs/results/studies.json"))
    parser.add_argument("--tables", type=Path, help="a Markdown file whose tables are written anew")
    chosen = parser.parse_args(arguments)
    usual = chosen.work / "settings.json"
    settings = read_settings(chosen.config or (usual if usual.is_file() else None))
    console = Console()
    found = json.loads(chosen.json.read_text(encoding="utf-8")) if chosen.json.is_file() else {}
    for folder in chosen.corpora:
        benches: dict[bool, Bench] = {}
        for name in chosen.study:
            every = name == "tokens"
            if every not in benches:
                show = _printer(console, folder.name)
                benches[every] = Bench(folder, chosen.work, settings, show, every_chunk=every)
            console.print(f"{folder.name}: {name}")
            found.setdefault(name, {})[folder.name] = study(name, benches[every], chosen.seeds)
            chosen.json.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps(found, indent=1, ensure_ascii=False)
            chosen.json.write_text(text + "\n", encoding="utf-8")
    if chosen.tables is not None:
        text = into(chosen.tables.read_text(encoding="utf-8"), found)
        chosen.tables.write_text(text, encoding="utf-8")


def _names(given: str) -> list[str]:
    """Names of studies, every one checked."""
    names = list(STUDIES) if given == "all" else given.split(",")
    for name in names:
        if name not in STUDIES:
            raise argparse.ArgumentTypeError(f"no study {name!r}; there are: {', '.join(STUDIES)}, all")
    return names


def _printer(console: Console, corpus: str) -> OnProgress:
    def show(progress: Progress) -> None:
        console.print(f"{corpus}: {progress.stage} {progress.done}/{progress.total}")

    return show


if __name__ == "__main__":
    main()
