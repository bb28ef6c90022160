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

from colde.models.base import OnProgress
from colde.models.colde import ColdeNetwork, StructuredEncoder, structured_encoder
from colde.models.colde.encoder import Place, encode_places
from colde.models.masked import pad
from colde.training.channels import mean_auc, pair_cosines
from colde.training.fit import Best, Stage, run_stage
from colde.training.ids import CorpusIds
from colde.training.losses import PairLoss
from colde.training.objective import batch_loss
from colde.training.pairs import TrainingCorpus, draw
from colde.training.settings import TrainConfig
from colde.training.vectors import evenly


def places_of(
    ids: CorpusIds, document: int, most: int | None, sections: int, random: np.random.Generator | None
) -> list[Place]:
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
        Place(torch.from_numpy(ids.of(chunks[chosen[i]])), p, q)
        for p, part in enumerate(parts)
        for q, i in enumerate(part.tolist())
    ]


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
    torch.manual_seed(seed)
    encoder = structured_encoder(network.config)
    pair_loss = PairLoss()
    at = [i.index for i in ids]
    valid = [_valid_pairs(c, training.encoder_valid, seed) for c in corpora]

    def gradients(step: int) -> None:
        random = np.random.default_rng((seed, step))
        batch = draw(corpora, training.encoder_pairs, training.unlabelled, random)
        places = [
            places_of(
                ids[c], at[c][corpora[c].vectors.ids[d]], training.encoder_chunks, training.sections, random
            )
            for c, d in batch.documents
        ]
        flat = [p for some in places for p in some]
        encoder.eval()  # without dropout, so that a chunk is encoded alike both times
        leaves = encode_places(encoder, flat, training.tokens, training.bf16).requires_grad_(True)
        network.train()
        chunks = list(leaves.split([len(some) for some in places]))  # type: ignore[no-untyped-call]
        loss = batch_loss(network, pair_loss, batch, chunks, training, network.config.recurrent)
        loss.backward()  # type: ignore[no-untyped-call]
        encode_places(encoder, flat, training.tokens, training.bf16, leaves.grad)

    def auc() -> float:
        network.eval()
        scores = [
            pair_cosines(encoded_documents(network, encoder, ids[c], documents, training), pairs)
            for c, (documents, pairs, _) in enumerate(valid)
        ]
        return mean_auc([labels for _, _, labels in valid], scores)

    module = nn.ModuleDict({"encoder": encoder, "network": network, "pair_loss": pair_loss})
    stage = Stage(
        "training the encoder", module, gradients, auc, training.encoder_steps, training.encoder_rate, 0.01
    )
    return encoder.eval(), run_stage(stage, training, seed, state and state / "encoder", resume, on_progress)


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
    places = [places_of(ids, at[name], training.most_chunks, 1, None) for name in documents]
    flat = encode_places(encoder, [p for some in places for p in some], training.tokens, training.bf16)
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
    places = [places_of(ids, at[name], None, 1, None) for name in corpus.whole.ids]
    flat = [p for some in places for p in some]
    vectors = encode_places(encoder, flat, training.tokens, training.bf16).cpu().numpy()
    first = np.concatenate(([0], np.cumsum([len(some) for some in places])))
    return replace(corpus, whole=replace(corpus.whole, first=first, vectors=vectors))
