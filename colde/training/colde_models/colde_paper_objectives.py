"""Training of CoLDE in the paper's form: supervised contrastive learning of the parts of documents (3.3).

Two stages make it affordable without a GPU. The first trains everything above the encoder on stored chunk states
(means of sentence vectors of the frozen encoder). The second trains everything, with the encoder's last layers and the
section and chunk embeddings at its input, on chunks of 512 tokens.

A contrastive batch needs the states of all its chunks at once, but their graphs do not fit into memory. So chunks are
read without a graph, the gradient with respect to each state is computed, and the chunks are read again in small
batches, each with its part of that gradient (gradient caching, Gao et al. 2021). The result is the exact gradient.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from torch import Tensor

from colde.encoders.batches import by_length
from colde.encoders.runtime import compute_dtype
from colde.models.colde.augmentation import split_parts
from colde.models.colde.contrastive import cosine_objective, supervised_contrastive
from colde.models.colde_paper.paper_encoder import TOKENS, ChunkInput, PaperEncoder, chunk_inputs, read_chunks
from colde.models.colde_paper.paper_network import PaperNetwork, batched
from colde.results.similarity_map import Array
from colde.training.colde_models.colde_corpus import PooledChunks, VectorCorpus
from colde.training.corpora.chunk_ids import CorpusChunkIds
from colde.training.corpora.corpus_cache import evenly_spaced
from colde.training.corpora.labelled_pairs import Batch, draw_batch
from colde.training.steps.objective import ContrastiveObjective, StepResult


@dataclass(frozen=True, slots=True)
class PaperTraining:
    """Hyper-parameters of a run; docs/log/colde.md has the figures behind them."""

    steps: int = 300  # of the first stage
    pairs: int = 32  # of each corpus in a step
    chunks: int = 16  # of a document at most, evenly spread
    part_chunks: int = 0  # of a part at most, its first ones (4.4.2); 0: all
    rate: float = 1e-3
    encoder_steps: int = 100  # of the second stage
    encoder_pairs: int = 4  # of each corpus: about 32 documents in a step (50 to 200 in the paper, 4.1.2)
    encoder_chunks: int = 4  # of a document, drawn anew in each step
    encoder_rate: float = 5e-5  # 4.1.2
    head_rate: float = 2e-4  # of the rest in the second stage
    temperature: float = 0.5  # tau (4.1.2)
    unlabelled: float = 1.0  # weight of unlabelled pairs in the denominator
    contrastive: bool = True  # off: CoLDE−CL (4.5.3), a cosine objective over whole documents
    aside: float = 0.06  # documents of the development part
    warm_up: float = 0.1
    clip: float = 1.0
    weight_decay: float = 0.01  # 4.1.2
    validate_every: int = 50
    validation_pairs: int = 400
    judged_pairs: int = 300  # of each corpus, for thresholds, read with the encoder as trained
    judged_chunks: int = 0  # of a document at most, evenly spread; 0: all


def paper_loss(
    network: PaperNetwork,
    batch: Batch,
    states: Sequence[Tensor],
    parts: Sequence[NDArray[np.int64]],
    training: PaperTraining,
) -> Tensor:
    """The loss of a batch.

    Args:
        states: of each document of the batch, [chunks, width]; parts: the part of each chunk.
    """
    numbers = [np.unique(p, return_inverse=True)[1] for p in parts]  # without a gap where a part has no chunk
    x, part = batched(states, [torch.from_numpy(n) for n in numbers])
    if not training.contrastive:
        document_vectors = network(x, part)
        i, j = torch.from_numpy(batch.pairs).T
        return cosine_objective(
            (document_vectors[i] * document_vectors[j]).sum(-1), torch.from_numpy(batch.labels)
        )
    z = network.parts(x, part)
    owner = np.repeat(np.arange(len(numbers)), [int(n[-1]) + 1 for n in numbers])
    positive = torch.from_numpy(batch.similar[owner][:, owner] | (owner[:, None] == owner[None]))
    weight = torch.from_numpy(batch.weight[owner][:, owner])
    return supervised_contrastive(z, positive, training.temperature, weight) / len(z)


class HeadObjective(ContrastiveObjective):
    """The first stage: everything above the encoder, on kept chunk states."""

    def __init__(
        self, network: PaperNetwork, corpora: Sequence[VectorCorpus], training: PaperTraining, seed: int
    ) -> None:
        super().__init__(network, corpora, training, seed)
        self.network, self.corpora, self.training = network, corpora, training

    def loss(self, batch: Batch, random: np.random.Generator) -> Tensor:
        states, parts = zip(*(self.kept(c, d) for c, d in batch.documents), strict=True)
        return paper_loss(self.network, batch, states, parts, self.training)

    def kept(self, corpus: int, document: int) -> tuple[Tensor, NDArray[np.int64]]:
        """States and parts of the chunks of a document."""
        training, chunks = self.training, self.corpora[corpus].chunks[document]
        states, part = kept_states(chunks, self.network.config.parts, training.chunks)
        if training.part_chunks:
            rows = first_of_each(part, training.part_chunks)
            states, part = states[torch.from_numpy(rows)], part[rows]
        return states, part

    def validate(self) -> float:
        """Mean ROC AUC on pairs of which one document is not trained on."""
        training = self.training
        aucs = []
        for corpus in self.corpora:
            graph = corpus.one if len(corpus.one.pairs) >= 20 else corpus.valid
            order = np.random.default_rng(self.seed).permutation(len(graph.pairs))
            rows = order[: training.validation_pairs]
            scores = kept_scores(self.network, corpus.chunks, graph.pairs[rows], training.chunks)
            aucs.append(roc_auc_score(graph.labels[rows], scores))
        return float(np.mean(aucs))


class EncoderObjective:
    """The second stage: everything, with the encoder's last layers and the embeddings at its input."""

    def __init__(
        self,
        network: PaperNetwork,
        encoder: PaperEncoder,
        corpora: Sequence[VectorCorpus],
        ids: Sequence[CorpusChunkIds],
        training: PaperTraining,
        seed: int,
    ) -> None:
        self.network, self.encoder, self.corpora = network, encoder, corpora
        self.ids, self.training, self.seed = ids, training, seed
        self.positions = [i.index for i in ids]

    def gradients(self, step: int) -> StepResult:
        training = self.training
        random = np.random.default_rng((self.seed, step, 1))
        drawn = np.random.default_rng((self.seed, step))
        batch = draw_batch(self.corpora, training.encoder_pairs, training.unlabelled, drawn)
        documents = [self._inputs(c, d, random) for c, d in batch.documents]
        flat = [chunk for chunks in documents for chunk in chunks]
        states = read_with_gradient(self.encoder, flat)
        self.network.train()
        rows = list(states.split([len(chunks) for chunks in documents]))  # type: ignore[no-untyped-call]
        parts = [np.array([chunk.part for chunk in chunks]) for chunks in documents]
        loss = paper_loss(self.network, batch, rows, parts, training)
        loss.backward()  # type: ignore[no-untyped-call]
        assert states.grad is not None
        pass_gradient(self.encoder, flat, states.grad)
        return StepResult(loss.item(), sum(len(i.ids) for i in flat))

    def _inputs(self, corpus: int, document: int, random: np.random.Generator) -> list[ChunkInput]:
        """Chunks of a document, `encoder_chunks` at most, drawn at random."""
        ids = self.ids[corpus]
        name = self.corpora[corpus].layouts.names[document]
        chunks = document_inputs(ids, self.positions[corpus][name], self.network.config.parts)
        most = self.training.encoder_chunks
        if len(chunks) <= most:
            return chunks
        return [chunks[i] for i in np.sort(random.choice(len(chunks), most, replace=False))]

    def validate(self) -> float:
        """Not a number: reading the development part again would take longer than the training."""
        return math.nan


def document_inputs(ids: CorpusChunkIds, document: int, parts: int) -> list[ChunkInput]:
    """All chunks of a document of 512 tokens."""
    return chunk_inputs([ids.of(c).astype(np.int32) for c in ids.chunks(document)], parts)[0]


def kept_states(chunks: PooledChunks, parts: int, most: int | None) -> tuple[Tensor, NDArray[np.int64]]:
    """States [chunks, width] of all or at most `most` chunks of a document, from kept vectors, and the part of each."""
    rows = evenly_spaced(len(chunks.mass), most)
    part = split_parts(chunks.mass.astype(np.float64), parts)[rows]
    return torch.from_numpy(chunks.means[rows]), np.asarray(np.unique(part, return_inverse=True)[1])


def first_of_each(part: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Positions of the first `most` chunks of each part."""
    place = np.arange(len(part)) - np.searchsorted(part, part)
    return np.flatnonzero(place < most)


@torch.inference_mode()
def kept_scores(
    network: PaperNetwork,
    chunks: Sequence[PooledChunks],
    pairs: NDArray[np.int64],
    most: int,
    at_once: int = 64,
) -> Array:
    """Cosines of pairs of documents, from kept vectors of all (0) or at most `most` chunks of each: [pairs]."""
    network.eval()
    used, local = np.unique(pairs, return_inverse=True)
    local = local.reshape(-1, 2)
    vectors = []
    for at in range(0, len(used), at_once):
        kept = [
            kept_states(chunks[int(d)], network.config.parts_in_use, most or None)
            for d in used[at : at + at_once]
        ]
        x, part = batched([s for s, _ in kept], [torch.from_numpy(p) for _, p in kept])
        vectors.append(network(x, part).numpy())
    a, b = np.concatenate(vectors)[local].swapaxes(0, 1)
    return np.asarray((a * b).sum(-1), dtype=np.float32)


def read_with_gradient(encoder: PaperEncoder, inputs: Sequence[ChunkInput]) -> Tensor:
    """States of chunks as leaves that take a gradient: [chunks, width]."""
    encoder.eval()  # without dropout, so that a chunk is read alike both times
    with half_precision():
        states = read_chunks(encoder, inputs, TOKENS)
    return states.clone().requires_grad_(True)


def pass_gradient(encoder: PaperEncoder, inputs: Sequence[ChunkInput], gradient: Tensor) -> None:
    """Read the chunks again in batches, and add their gradient to the encoder's parameters."""
    for rows in by_length([len(i.ids) for i in inputs], TOKENS):
        with half_precision():
            states = encoder([inputs[i] for i in rows])
        states.backward(gradient[torch.from_numpy(rows)])


def half_precision() -> torch.autocast:
    """Products in bf16 where the processor computes in it; elsewhere they would take five times as long."""
    return torch.autocast("cpu", torch.bfloat16, enabled=compute_dtype() == torch.bfloat16)
