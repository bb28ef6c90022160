"""Training the encoder itself, with CoLDE's section and chunk embeddings, after its head has been trained.

A contrastive batch needs the vectors of all its chunks at once, their graphs do not fit: first every chunk is encoded
without a graph, then the gradient of the loss with respect to each chunk vector is computed, then each micro-batch is
encoded again and takes its part of that gradient (gradient caching: Gao et al. 2021). The result is the plain gradient.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import nn

from colde.models.colde import ColdeNetwork, StructuredEncoder, structured_encoder
from colde.models.colde.encoder import ChunkInput, encode_chunk_inputs
from colde.models.masked import pad
from colde.results.progress import OnProgress
from colde.training.batch_loss import batch_loss, sections_of
from colde.training.channels import pair_cosines
from colde.training.fit import loop_config, run_of
from colde.training.ids import CorpusIds
from colde.training.loop import run_loop
from colde.training.losses import PairLoss
from colde.training.objective import StepResult
from colde.training.pairs import TrainingCorpus, draw
from colde.training.seeding import seeded
from colde.training.settings import TrainConfig
from colde.training.validation import Best, mean_auc
from colde.training.vectors import evenly


def token_spans(
    ids: CorpusIds, document: int, most: int | None, sections: int, random: np.random.Generator | None
) -> list[ChunkInput]:
    """Chunks of a document, at most `most`: drawn anew each time by `random`, else evenly spread.

    The document is split in `sections` parts of neighbouring chunks, which number the section embedding.
    """
    chunks = ids.chunks(document)
    if random is None or most is None or len(chunks) <= most:
        chosen = evenly(len(chunks), most)
    else:
        chosen = sorted(random.choice(len(chunks), size=most, replace=False).tolist())
    parts = np.array_split(np.arange(len(chosen)), min(sections, len(chosen)))
    return [
        ChunkInput(torch.from_numpy(ids.of(chunks[chosen[i]])), p, q)
        for p, part in enumerate(parts)
        for q, i in enumerate(part.tolist())
    ]


class EncoderObjective:
    """CoLDE's loss with gradients down to the encoder, by gradient caching; validated on some pairs of each corpus."""

    def __init__(
        self,
        encoder: StructuredEncoder,
        network: ColdeNetwork,
        pair_loss: PairLoss,
        corpora: Sequence[TrainingCorpus],
        ids: Sequence[CorpusIds],
        training: TrainConfig,
        seed: int,
    ) -> None:
        self.encoder, self.network, self.pair_loss = encoder, network, pair_loss
        self.corpora, self.ids, self.training, self.seed = corpora, ids, training, seed
        self.sections = sections_of(network, training)
        self.positions = [i.index for i in ids]
        self.valid = [_valid_pairs(c, training.encoder_valid, seed) for c in corpora]

    def gradients(self, step: int) -> StepResult:
        training, encoder, network = self.training, self.encoder, self.network
        random = np.random.default_rng((self.seed, step))
        batch = draw(self.corpora, training.encoder_pairs, training.unlabelled, random)
        chunks_of = [
            token_spans(
                self.ids[c],
                self.positions[c][self.corpora[c].vectors.ids[d]],
                training.encoder_chunks,
                self.sections,
                random,
            )
            for c, d in batch.documents
        ]
        flat = [chunk for some in chunks_of for chunk in some]
        encoder.eval()  # without dropout, so that a chunk is encoded alike both times
        leaves = encode_chunk_inputs(encoder, flat, training.tokens, training.bf16).requires_grad_(True)
        network.train()
        chunks = list(leaves.split([len(some) for some in chunks_of]))  # type: ignore[no-untyped-call]
        loss = batch_loss(network, self.pair_loss, batch, chunks, training, network.config.recurrent)
        loss.backward()  # type: ignore[no-untyped-call]
        encode_chunk_inputs(encoder, flat, training.tokens, training.bf16, leaves.grad)
        return StepResult(loss.item(), sum(len(chunk.ids) for chunk in flat))

    def validate(self) -> float:
        self.network.eval()
        self.encoder.eval()
        scores = [
            pair_cosines(
                encoded_documents(self.network, self.encoder, self.ids[c], documents, self.training), pairs
            )
            for c, (documents, pairs, _) in enumerate(self.valid)
        ]
        return mean_auc([labels for _, _, labels in self.valid], scores)


def fit_encoder(
    network: ColdeNetwork,
    training: TrainConfig,
    corpora: Sequence[TrainingCorpus],
    ids: Sequence[CorpusIds],
    seed: int,
    state: Path | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> tuple[StructuredEncoder, Best]:
    """Train the encoder and, more slowly, the head; both are left as they were at their best validation."""
    with seeded(seed):
        encoder, pair_loss = structured_encoder(network.config), PairLoss()
    config = loop_config(training, training.encoder_steps, training.encoder_rate, 0.01)
    best = run_loop(
        nn.ModuleDict({"encoder": encoder, "network": network, "pair_loss": pair_loss}),
        EncoderObjective(encoder, network, pair_loss, corpora, ids, training, seed),
        replace(config, rates=training.encoder_rates),
        seed=seed,
        state=state and state / "encoder",
        resume=resume,
        on_progress=on_progress,
        subject="the encoder",
        run=run_of(training, corpora),
    )
    return encoder, best


@torch.inference_mode()
def encoded_documents(
    network: ColdeNetwork,
    encoder: StructuredEncoder,
    ids: CorpusIds,
    documents: Sequence[str],
    training: TrainConfig,
) -> np.ndarray:
    """Vectors of documents, of each at most `most_chunks` chunks evenly spread: [documents, projection]."""
    at = ids.index
    places = [token_spans(ids, at[name], training.most_chunks, 1, None) for name in documents]
    flat = encode_chunk_inputs(encoder, [p for some in places for p in some], training.tokens, training.bf16)
    rows = flat.split([len(some) for some in places])  # type: ignore[no-untyped-call]
    return np.concatenate(
        [network(*pad(rows[i : i + 64])).cpu().numpy() for i in range(0, len(documents), 64)]
    )


def _valid_pairs(corpus: TrainingCorpus, most: int, seed: int) -> tuple[list[str], np.ndarray, np.ndarray]:
    """At most so many validation pairs, always the same: documents, pairs of positions in them, labels."""
    random = np.random.default_rng(seed)
    chosen = random.permutation(len(corpus.valid.pairs))[:most]
    used, positions = np.unique(corpus.valid.pairs[chosen], return_inverse=True)
    return [corpus.whole.ids[d] for d in used], positions.reshape(-1, 2), corpus.valid.labels[chosen]


def with_encoder(
    corpus: TrainingCorpus, encoder: StructuredEncoder, ids: CorpusIds, training: TrainConfig
) -> TrainingCorpus:
    """The corpus with all chunks of its validation documents encoded anew, as users compare them."""
    at = ids.index
    places = [token_spans(ids, at[name], None, 1, None) for name in corpus.whole.ids]
    flat = [p for some in places for p in some]
    vectors = encode_chunk_inputs(encoder, flat, training.tokens, training.bf16).cpu().numpy()
    first = np.concatenate(([0], np.cumsum([len(some) for some in places])))
    return replace(corpus, whole=replace(corpus.whole, first=first, vectors=vectors))
