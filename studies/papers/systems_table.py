"""The table of the papers' other systems, on pairs with a document that no training pair names.

    python -m studies.papers.systems_table ../shared/corpora --models rnn,cnn,lda
    python -m studies.papers.systems_table ../shared/corpora --shipped tfidf,bm25,dssm,arc_i
    python -m studies.papers.systems_table ../shared/corpora --shipped match_ignition:random --pairs 100

The first 400 pairs of each valid.tsv with a document that is in no training pair are judged. They choose nothing of
the network: the recipes run for all their steps. Thresholds are out of fold (five folds by source). The same network
before its first step is judged, too; the difference of the areas under the ROC curve has a paired bootstrap over
sources. Rows are kept in docs/results/systems.json, and the tables of docs/results/systems.md are made of them: a row
that exists is not made again unless it is named with `--again`. A variant under `--shipped` without weights is judged
with those of the model it varies or begins from: another setting in use, not in training.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from rich.console import Console

from colde.judge.profiles import corpora as shipped_corpora
from colde.models.checkpoint import build_config
from colde.models.registry import spec
from colde.models.shared.bi_cross_encoder import BaselineMatcher
from colde.results.similarity_map import Array
from colde.training.baseline_fit import build
from colde.training.pair_networks.cached_gradients import autocast
from colde.training.pair_networks.pair_batches import draw_pairs
from colde.training.pair_networks.pair_training import SCALE_PAIRS, PairwiseConfig, fit_scale
from colde.training.training_run import read_settings
from studies.arguments import command_line
from studies.papers.baselines_table import printer, train_missing
from studies.papers.new_document_pairs import NewDocumentPairs, figures, judged
from studies.papers.system_scores import Scorer, network_scores, scores_path
from studies.papers.systems_rows import JUDGED, add_seed, read, table, write


def untrained_scores(
    scorer: Scorer, settings: Mapping[str, Any], seed: int, known: Sequence[NewDocumentPairs]
) -> dict[str, Array]:
    """Scores by the same network before its first step, by corpus."""
    chosen = spec(scorer.name)
    training = build_config(PairwiseConfig, dict(chosen.training), "training")
    network = build(chosen, settings, seed)
    corpora = [scorer.load(network, k.folder, None) for k in known]
    if training.fit_scale:
        total = training.pretrain_steps + training.steps
        fit_scale(network, draw_pairs(corpora, SCALE_PAIRS, seed, total), training, seed)
    with autocast(network, training.bf16):
        return {
            k.folder.name: network_scores(network, k, prepared, training.tokens)
            for k, prepared in zip(known, corpora, strict=True)
        }


def row_of(scorer: Scorer, known: Sequence[NewDocumentPairs], seed: int = 0) -> dict[str, Any]:
    """Judge one system: a trained run, or what ships. Its scores are kept for the studies."""
    model, run, chosen = scorer.model, scorer.run, spec(scorer.name)
    training = dict(getattr(model, "training", {})) if run else {}
    scores = {k.folder.name: scorer.scores(k) for k in known}
    untrained: Mapping[str, Array] = {}
    if run and isinstance(model, BaselineMatcher):
        untrained = untrained_scores(scorer, asdict(model.network.config), training["seed"], known)
    path = scores_path(scorer.work, scorer.name, seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, **scores)
    shipped = "another setting" if chosen.variant_of or chosen.start else "shipped"
    return {
        "name": scorer.name,
        "title": model.card.title,
        "source": model.card.source,
        "weights": "recipe" if run else shipped,
        "parameters": model.parameters,
        "steps": training.get("best_step"),
        "pairs_a_step": training.get("settings", {}).get("pairs"),
        "minutes": round(training["seconds"] / 60, 1) if "seconds" in training else None,
        "corpora": {
            k.folder.name: figures(k, scores[k.folder.name], untrained.get(k.folder.name)) for k in known
        },
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "corpora", "--work", "--output", "--config", "--seed")
    parser.add_argument("--models", default="", help="names with commas, trained by their recipes")
    parser.add_argument("--shipped", default="", help="names with commas, judged with the weights that ship")
    parser.add_argument("--again", action="store_true", help="make rows again that exist")
    parser.add_argument("--pairs", type=int, default=JUDGED, help="of each corpus, where a model is slow")
    chosen = parser.parse_args(arguments)
    names = shipped_corpora()
    folders = [chosen.corpora / name for name in names]
    known = [judged(folder, chosen.pairs) for folder in folders]
    console = Console()
    wanted = [(n, False) for n in chosen.models.split(",") if n]
    wanted += [(n, True) for n in chosen.shipped.split(",") if n]
    for name, ships in wanted:
        old = next((r for r in read(chosen.output) if r["name"] == name), None)
        if old and not chosen.again and (chosen.seed == 0 or str(chosen.seed) in old.get("seeds", {})):
            continue
        show = printer(console, name)
        run = None
        if not ships:
            run = train_missing(name, folders, chosen.work, chosen.seed, chosen.config, show)
        scorer = Scorer(name, chosen.work, read_settings(chosen.config), run, show)
        row = row_of(scorer, known, chosen.seed)
        write(add_seed(read(chosen.output), row, chosen.seed), names, chosen.output)
        console.print(table([row], names))


if __name__ == "__main__":
    main()
