"""`colde train colde_paper`: both stages, then profiles on pairs that were not trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from colde.encoders.bert.packed_bert import Bert
from colde.encoders.encoder_names import encoder_folder
from colde.models.checkpoint import build_config
from colde.models.colde_paper.paper_encoder import PaperEncoder, read_chunks
from colde.models.colde_paper.paper_matcher import PaperColde
from colde.models.colde_paper.paper_network import PaperConfig, PaperNetwork, batched
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import Array
from colde.text.chunks import default_tokenizer
from colde.training.colde_models.colde_corpus import VectorCorpus, held_out_pairs, load_vector_corpora
from colde.training.colde_models.colde_paper_objectives import (
    EncoderObjective,
    HeadObjective,
    PaperTraining,
    document_inputs,
    half_precision,
    kept_scores,
)
from colde.training.corpora.chunk_ids import CorpusChunkIds, cached_chunk_ids
from colde.training.corpora.corpus_cache import evenly_spaced
from colde.training.corpora.held_out import HeldOutPairs
from colde.training.profile_scores import Scoring, Scorings
from colde.training.steps.early_stopping import Best
from colde.training.steps.seeding import seeded
from colde.training.steps.training_loop import LoopConfig, run_loop
from colde.training.trainer import Trainer
from colde.training.training_run import TrainingRun


class ColdePaperTrainer(Trainer):
    """Trains `colde_paper` and the variants of CoLDE without one of its parts."""

    def __init__(self, run: TrainingRun) -> None:
        super().__init__(run)
        self.config = build_config(PaperConfig, run.model, "model")
        self.training = build_config(PaperTraining, run.training, "training")

    def train(self) -> dict[str, Any]:
        run, training = self.run, self.training
        self.corpora = load_vector_corpora(run, training.aside)
        with seeded(run.seed):
            self.network = PaperNetwork(self.config)
            self.encoder = PaperEncoder(Bert.load(encoder_folder(self.config.encoder)), self.config)
        parameters = (*self.network.named_parameters(), *self.encoder.named_parameters())
        start = {name: p.detach().clone() for name, p in parameters}
        best = fit_head(run, self.network, self.corpora, training)
        seconds = best.seconds
        if self.encoder.trained():
            self.ids = [cached_chunk_ids(c, run.work, default_tokenizer()) for c in run.corpora]
            seconds += fit_all(run, self.network, self.encoder, self.corpora, self.ids, training).seconds
        return {
            **run.record(training),
            "best_step": best.step,
            "valid_auc": round(best.score, 5),
            "moved": relative_change(self.network, self.encoder, start),
            "seconds": round(seconds, 1),
        }

    def held_out(self) -> Sequence[HeldOutPairs]:
        """All held-out pairs, or a sample where the trained encoder has to read their documents."""
        corpora = held_out_pairs(self.run, self.corpora)
        if not self.encoder.trained():
            return corpora
        return [c.sample(self.training.judged_pairs, self.run.seed) for c in corpora]

    def scorings(self) -> Scorings:
        if self.encoder.trained():
            return Scorings(self._encoder_scores())
        return Scorings(scores_from_vectors(self.network, self.corpora, self.training))

    def _encoder_scores(self) -> Scoring:
        """Scores of pairs whose documents the trained encoder reads."""
        vectors = {
            held_out.name: encode_held_out(
                self.network, self.encoder, held_out, ids, self.training, self.run.on_progress
            )
            for held_out, ids in zip(self.held_out(), self.ids, strict=True)
        }

        def score(corpus: HeldOutPairs, pairs: NDArray[np.int64]) -> Array:
            a, b = vectors[corpus.name][pairs].swapaxes(0, 1)
            return np.asarray((a * b).sum(-1), dtype=np.float32)

        return score

    def model(self) -> PaperColde:
        return PaperColde(self.network, self.encoder, card=self.run.spec.card)


fit = ColdePaperTrainer.fit


def fit_head(
    run: TrainingRun, network: PaperNetwork, corpora: Sequence[VectorCorpus], training: PaperTraining
) -> Best:
    """The first stage: everything above the encoder."""
    return run_loop(
        network,
        HeadObjective(network, corpora, training, run.seed),
        LoopConfig.of(training, learning_rate=training.rate),
        seed=run.seed,
        state=run.output / "state" / "head",
        resume=run.resume,
        on_progress=run.on_progress,
        run=run.identity(network.config, training, corpora),
    )


def fit_all(
    run: TrainingRun,
    network: PaperNetwork,
    encoder: PaperEncoder,
    corpora: Sequence[VectorCorpus],
    ids: Sequence[CorpusChunkIds],
    training: PaperTraining,
) -> Best:
    """The second stage: the encoder's last layers, too."""
    return run_loop(
        nn.ModuleDict({"network": network, "encoder": encoder}),
        EncoderObjective(network, encoder, corpora, ids, training, run.seed),
        LoopConfig.of(
            training,
            steps=training.encoder_steps,
            learning_rate=training.encoder_rate,
            rates={"network": training.head_rate / training.encoder_rate},
            validate_every=training.encoder_steps,
        ),
        seed=run.seed,
        state=run.output / "state" / "encoder",
        resume=run.resume,
        on_progress=run.on_progress,
        subject="the encoder",
        run=run.identity(network.config, training, corpora),
    )


def scores_from_vectors(
    network: PaperNetwork, corpora: Sequence[VectorCorpus], training: PaperTraining
) -> Scoring:
    """Scores of held-out pairs from kept vectors, for a frozen encoder."""
    chunks = {c.name: c.chunks for c in corpora}

    def score(held_out: HeldOutPairs, pairs: NDArray[np.int64]) -> Array:
        positions = held_out.positions[pairs]
        return kept_scores(network, chunks[held_out.name], positions, training.judged_chunks)

    return score


@torch.inference_mode()
def encode_held_out(
    network: PaperNetwork,
    encoder: PaperEncoder,
    held_out: HeldOutPairs,
    ids: CorpusChunkIds,
    training: PaperTraining,
    on_progress: OnProgress | None = None,
) -> Array:
    """Vectors of the documents, whole or of at most `judged_chunks` chunks each: [documents, projection]."""
    positions, vectors = ids.index, []
    for done, name in enumerate(held_out.ids, 1):
        chunks = document_inputs(ids, positions[name], network.config.parts_in_use)
        inputs = [chunks[i] for i in evenly_spaced(len(chunks), training.judged_chunks or None)]
        with half_precision():
            states = read_chunks(encoder, inputs)
        part = np.unique([i.part for i in inputs], return_inverse=True)[1]
        x, numbers = batched([states], [torch.from_numpy(part)])
        vectors.append(network(x, numbers)[0].numpy())
        if on_progress is not None:
            on_progress(Progress(Stage.CHUNKS, done, len(held_out.ids), subject=held_out.name))
    return np.stack(vectors)


def relative_change(
    network: PaperNetwork, encoder: PaperEncoder, start: Mapping[str, torch.Tensor]
) -> dict[str, float]:
    """Change of each component since its start, as a share of the norm there; of the norm now where it started at 0."""
    sums: dict[str, list[float]] = {}
    for name, p in (*network.named_parameters(), *encoder.named_parameters()):
        if p.requires_grad:
            now, before = p.detach(), start[name]
            total = sums.setdefault(COMPONENTS[name.partition(".")[0]], [0.0, 0.0, 0.0])
            for i, value in enumerate((now - before, before, now)):
                total[i] += float(value.square().sum())
    return {
        name: round((change / (before or now or 1.0)) ** 0.5, 4)
        for name, (change, before, now) in sums.items()
    }


COMPONENTS = {
    "attention": "chunkwise attention",
    "states": "Bi-LSTM",
    "project": "projection",
    "part": "section embeddings",
    "chunk": "chunk embeddings",
    "bert": "encoder, last layers",
}
"""Components of the paper's form by the first part of their parameters' names."""
