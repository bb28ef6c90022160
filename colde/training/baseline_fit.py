"""Training of the baselines: recipe → network → pairwise training → profiles → checkpoint."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from colde import models
from colde.errors import ModelError
from colde.models.checkpoint import read_tensors
from colde.models.registry import ModelSpec
from colde.models.shared.bi_cross_encoder import (
    BaselineNetwork,
    BiEncoder,
    checkpoint_tensors,
    load_checkpoint_tensors,
)
from colde.results.progress import OnProgress
from colde.results.similarity_map import Array
from colde.training.batch_scoring import document_vectors, score_pairs, score_vectors
from colde.training.labelled_pairs import ProfileCorpus
from colde.training.pair_training import PairwiseConfig, train_network
from colde.training.prepared_corpora import PreparedCorpus, prepare_corpus
from colde.training.threshold_fit import fit_profiles
from colde.training.training_run import TrainingRun, build_config

RUN = "run.json"
Load = Callable[[BaselineNetwork, Path, OnProgress | None], PreparedCorpus]
"""Network and corpus → its documents as the network reads them."""
SCORES = "scores.npz"  # of the validation pairs that profiles were fitted to, by corpus, in their order


def build(chosen: ModelSpec, model: Mapping[str, Any], seed: int = 0) -> Any:
    """Build the network of a baseline, untrained: equal for equal seeds.

    Raises:
        ModelError: a setting that its config does not have.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        try:
            return chosen.matcher_class().build(model)
        except TypeError as error:
            raise ModelError(f"{chosen.card.name}: a wrong setting ({error})") from None


def fit(run: TrainingRun) -> Path:
    """Train a baseline on labelled pairs; `colde.training.training_run.FitFunction`.

    `start` of the settings is the folder of a checkpoint to begin from: cross-encoders share their pre-training. The
    default is where the recipe says.
    A run that goes on must have the settings it began with. Prepared documents are kept in `prepared` of the settings,
    else in the work folder; with them there the corpora's own files may be missing. Runs on CUDA where there is one.
    """
    kept = Path(run.settings.get("prepared") or run.work / "prepared")

    def load(network: BaselineNetwork, corpus: Path, on_progress: OnProgress | None) -> PreparedCorpus:
        return prepare_corpus(network, corpus, kept, on_progress)

    return fit_with_loader(run, load)


def fit_with_loader(run: TrainingRun, load: Load) -> Path:
    """Fit a baseline on corpora that `load` reads."""
    card, output = run.spec.card, run.output
    start = run.settings.get("start") or (run.spec.start and str(models.checkpoint(run.spec.start)))
    training = build_config(PairwiseConfig, run.training, "training")
    network = build(run.spec, run.model, run.seed)
    if start:
        load_checkpoint_tensors(network, network.translate_names(read_tensors(Path(start))), Path(start))
    _write_run_description(
        output,
        {
            "name": card.name,
            "model": asdict(network.config),
            "training": asdict(training),
            "corpora": [c.name for c in run.corpora],
            "seed": run.seed,
            "start": start,
        },
        run.resume,
    )
    loaded = run.named([load(network, corpus, run.on_progress) for corpus in run.corpora])
    network.to("cuda" if torch.cuda.is_available() else "cpu")
    best = train_network(
        network,
        loaded,
        training,
        seed=run.seed,
        state_in=output,
        resume=run.resume,
        on_progress=run.on_progress,
    )
    _round_to_half_precision(network)
    begun = time.perf_counter()
    score = scorer(network, loaded, training.tokens, card.symmetric, training.profile_pairs)
    valid = [c.for_profiles(training.profile_pairs) for c in loaded]
    count = training.unrelated_pairs
    profiles = fit_profiles(score, valid, run.seed, count=count, kind=card.score_kind, folders=run.corpora)
    np.savez(output / SCORES, **{c.name: score(c, c.valid.pairs) for c in valid})
    run.spec.matcher_class()(
        network.cpu(),
        card=card,
        profiles=profiles,
        training={
            "corpora": [c.name for c in loaded],
            "pairs": {c.name: len(c.labels["train"]) for c in loaded},
            "seed": run.seed,
            "settings": asdict(training),
            "best_step": best.step,
            "valid_auc": round(best.score, 5),
            "tokens": best.tokens,
            "seconds": round(best.seconds, 1),
            "tokens_per_second": round(best.tokens / max(best.seconds, 1e-9)),
            "seconds_for_profiles": round(time.perf_counter() - begun, 1),
            "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU",
        },
    ).save(output)
    return output


@torch.no_grad()
def _round_to_half_precision(network: Any) -> None:
    """Round to what a checkpoint keeps (float16), so that thresholds and figures are those of the kept network."""
    for value in checkpoint_tensors(network).values():
        value.copy_(value.half())


def _write_run_description(output: Path, run: Mapping[str, Any], resume: bool) -> None:
    """Write down what is run; refuse to go on with a run of other settings."""
    path = output / RUN
    text = json.dumps(run, indent=1, sort_keys=True) + "\n"
    if resume and path.is_file() and path.read_text(encoding="utf-8") != text:
        raise ModelError(
            f"{output}: the run there has other settings ({RUN}); remove the folder or name another"
        )
    output.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def scorer(
    network: Any,
    corpora: Sequence[PreparedCorpus],
    tokens: int,
    both_orders: bool,
    most: int | None = None,
) -> Any:
    """For `fit_profiles`: corpus and pairs of positions among the documents of `for_profiles(most)` → scores.

    Documents of a bi-encoder are read once; scores that are asked for again are not computed again.
    """
    known = {c.name: c for c in corpora}
    vectors: dict[str, Any] = {}
    scores: dict[tuple[str, bytes], Array] = {}

    def fresh(prepared: PreparedCorpus, pairs: np.ndarray) -> Array:
        names = prepared.valid_documents(most)
        if not isinstance(network, BiEncoder):
            return score_pairs(
                network, prepared.documents, names[pairs], tokens=2 * tokens, both_orders=both_orders
            )
        if prepared.name not in vectors:
            read = [prepared.documents[d] for d in names]
            vectors[prepared.name] = document_vectors(network, read, 2 * tokens)
        return score_vectors(network, vectors[prepared.name], pairs)

    def score(corpus: ProfileCorpus, pairs: np.ndarray) -> Array:
        key = (corpus.name, pairs.tobytes())
        if key not in scores:
            scores[key] = fresh(known[corpus.name], pairs)
        return scores[key]

    return score
