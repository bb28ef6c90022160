"""`colde train colde_paper`: both stages, then thresholds from documents not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from colde.encoders.encoder import encoder_folder
from colde.encoders.packed_bert import Bert
from colde.models.colde_paper.paper_config import PaperConfig
from colde.models.colde_paper.paper_encoder import PaperEncoder, read_chunks
from colde.models.colde_paper.paper_matcher import PaperColde
from colde.models.colde_paper.paper_network import PaperNetwork, batched
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import Array
from colde.text.chunks import default_tokenizer
from colde.training.chunk_ids import CorpusChunkIds, cached_chunk_ids
from colde.training.colde_corpus import VectorCorpus
from colde.training.colde_fit import HeldOutPairs, held_out_pairs, load_vector_corpora, sample_pairs
from colde.training.colde_paper_objectives import (
    EncoderObjective,
    HeadObjective,
    PaperTraining,
    document_inputs,
    half_precision,
    kept_scores,
)
from colde.training.corpus_cache import evenly_spaced
from colde.training.early_stopping import Best
from colde.training.seeding import seeded
from colde.training.threshold_fit import Scoring, fit_profiles
from colde.training.training_loop import LoopConfig, run_loop
from colde.training.training_run import TrainingRun, build_config


def fit(run: TrainingRun) -> Path:
    """Train the paper's form and fit its profiles; `colde.training.training_run.FitFunction`."""
    config = build_config(PaperConfig, run.model, "model")
    training = build_config(PaperTraining, run.training, "training")
    corpora = load_vector_corpora(run, training.aside)
    with seeded(run.seed):
        network = PaperNetwork(config)
        encoder = PaperEncoder(Bert.load(encoder_folder(config.encoder)), config)
    start = {
        name: p.detach().clone() for name, p in (*network.named_parameters(), *encoder.named_parameters())
    }
    best = fit_head(run, network, corpora, training)
    known = held_out_pairs(run, corpora)
    seconds = best.seconds
    if encoder.trained():
        ids = [cached_chunk_ids(c, run.work, default_tokenizer()) for c in run.corpora]
        seconds += fit_all(run, network, encoder, corpora, ids, training).seconds
        known = [sample_pairs(k, training.judged_pairs, run.seed) for k in known]
        by_name = {c.name: i for c, i in zip(corpora, ids, strict=True)}
        scoring = encoder_scores(network, encoder, known, by_name, training, run.on_progress)
    else:
        scoring = scores_from_vectors(network, {c.name: c for c in corpora}, training)
    model = PaperColde(
        network,
        encoder,
        card=run.spec.card,
        profiles=fit_profiles(scoring, known, run.seed, folders=run.corpora),
        training={
            "corpora": [c.name for c in corpora],
            "seed": run.seed,
            "settings": asdict(training),
            "best_step": best.step,
            "valid_auc": round(best.score, 5),
            "moved": relative_change(network, encoder, start),
            "seconds": round(seconds, 1),
        },
    )
    model.save(run.output)
    return run.output


def fit_head(
    run: TrainingRun, network: PaperNetwork, corpora: Sequence[VectorCorpus], training: PaperTraining
) -> Best:
    """The first stage."""
    return run_loop(
        network,
        HeadObjective(network, corpora, training, run.seed),
        LoopConfig(
            steps=training.steps,
            learning_rate=training.rate,
            weight_decay=training.weight_decay,
            warm_up=training.warm_up,
            clip=training.clip,
            validate_every=training.validate_every,
        ),
        seed=run.seed,
        state=run.output / "state" / "head",
        resume=run.resume,
        on_progress=run.on_progress,
        run=identity(run, network.config, corpora, training),
    )


def fit_all(
    run: TrainingRun,
    network: PaperNetwork,
    encoder: PaperEncoder,
    corpora: Sequence[VectorCorpus],
    ids: Sequence[CorpusChunkIds],
    training: PaperTraining,
) -> Best:
    """The second stage."""
    return run_loop(
        nn.ModuleDict({"network": network, "encoder": encoder}),
        EncoderObjective(network, encoder, corpora, ids, training, run.seed),
        LoopConfig(
            steps=training.encoder_steps,
            learning_rate=training.encoder_rate,
            weight_decay=training.weight_decay,
            rates={"network": training.head_rate / training.encoder_rate},
            warm_up=training.warm_up,
            clip=training.clip,
            validate_every=training.encoder_steps,
        ),
        seed=run.seed,
        state=run.output / "state" / "encoder",
        resume=run.resume,
        on_progress=run.on_progress,
        subject="the encoder",
        run=identity(run, network.config, corpora, training),
    )


def identity(
    run: TrainingRun, config: PaperConfig, corpora: Sequence[VectorCorpus], training: PaperTraining
) -> dict[str, object]:
    """Settings that a run's result depends on beside its loop."""
    return {"model": asdict(config), "training": asdict(training), "corpora": [c.name for c in corpora]}


def scores_from_vectors(
    network: PaperNetwork, corpora: dict[str, VectorCorpus], training: PaperTraining
) -> Scoring:
    """Scores of pairs of what is judged, from kept vectors: for an encoder as it came."""

    def score(known: HeldOutPairs, pairs: NDArray[np.int64]) -> Array:
        return kept_scores(
            network, corpora[known.name].chunks, known.positions[pairs], training.judged_chunks
        )

    return score


def encoder_scores(
    network: PaperNetwork,
    encoder: PaperEncoder,
    known: Sequence[HeldOutPairs],
    ids: dict[str, CorpusChunkIds],
    training: PaperTraining,
    on_progress: OnProgress | None = None,
) -> Scoring:
    """Scores of pairs whose documents the encoder reads anew, as it was trained."""
    vectors = {
        k.name: encode_held_out(network, encoder, k, ids[k.name], training, on_progress) for k in known
    }

    def score(corpus: HeldOutPairs, pairs: NDArray[np.int64]) -> Array:
        found = vectors[corpus.name]
        return np.asarray((found[pairs[:, 0]] * found[pairs[:, 1]]).sum(-1), dtype=np.float32)

    return score


@torch.inference_mode()
def encode_held_out(
    network: PaperNetwork,
    encoder: PaperEncoder,
    known: HeldOutPairs,
    ids: CorpusChunkIds,
    training: PaperTraining,
    on_progress: OnProgress | None = None,
) -> Array:
    """Vectors of the judged documents, of each at most `judged_chunks` chunks: [documents, projection]."""
    at, found = ids.index, []
    for done, name in enumerate(known.whole.ids, 1):
        every = document_inputs(ids, at[name], network.config.parts)
        inputs = [every[i] for i in evenly_spaced(len(every), training.judged_chunks)]
        with half_precision():
            states = read_chunks(encoder, inputs)
        part = np.unique([i.part for i in inputs], return_inverse=True)[1]
        x, numbers = batched([states], [torch.from_numpy(part)])
        found.append(network(x, numbers)[0].numpy())
        if on_progress is not None:
            on_progress(Progress(Stage.CHUNKS, done, len(known.whole.ids), subject=known.name))
    return np.stack(found)


def relative_change(
    network: PaperNetwork, encoder: PaperEncoder, start: dict[str, torch.Tensor]
) -> dict[str, float]:
    """Distance of each part from its initial values, as a share of their norm (of its own where they are zero)."""
    found: dict[str, list[float]] = {}
    for name, p in (*network.named_parameters(), *encoder.named_parameters()):
        if p.requires_grad:
            change, norm = float((p.detach() - start[name]).square().sum()), float(start[name].square().sum())
            group = found.setdefault(component_of(name), [0.0, 0.0, 0.0])
            for i, value in enumerate((change, norm, float(p.detach().square().sum()))):
                group[i] += value
    return {name: round((c / (n or own or 1.0)) ** 0.5, 4) for name, (c, n, own) in found.items()}


COMPONENTS = {
    "attention": "chunkwise attention",
    "states": "Bi-LSTM",
    "project": "projection",
    "part": "section embeddings",
    "chunk": "chunk embeddings",
    "bert": "encoder, last layers",
}
"""The parts of the paper's form by the beginning of their parameters' names."""


def component_of(name: str) -> str:
    """The part of the paper's form that a parameter belongs to."""
    return COMPONENTS[name.partition(".")[0]]
