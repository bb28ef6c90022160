"""CoLDE's loss of a batch of pairs: the supervised contrastive loss over its sections, and the pair loss."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from colde.models.colde import ColdeNetwork, WordChannel
from colde.models.masked import pad
from colde.text.term_weights import Counts
from colde.training.losses import PairLoss, cosine_objective, supervised_contrastive
from colde.training.pairs import Batch, TrainingCorpus
from colde.training.settings import TrainConfig
from colde.training.vectors import evenly


def joins_in(network: ColdeNetwork, training: TrainConfig, step: int) -> bool:
    """Whether attention and Bi-LSTM take part in this step: always in the paper's form, late in the residual one."""
    return network.config.recurrent and (network.config.form == "paper" or step >= training.pool_steps)


def sections_of(network: ColdeNetwork, training: TrainConfig) -> int:
    """Parts a document is split into: n_p, or 1 without augmentation (CoLDE−Aug; 4.5.1)."""
    return training.sections if network.config.augment else 1


def kept_chunks(batch: Batch, corpora: Sequence[TrainingCorpus], most: int) -> list[Tensor]:
    """At most so many kept chunk vectors of each document of the batch, evenly spread: [chunks, width] each."""
    found = [corpora[c].vectors.of(d) for c, d in batch.documents]
    return [torch.from_numpy(vectors[evenly(len(vectors), most)]) for vectors in found]


def shortened(chunks: Sequence[Tensor], sections: int, most: int) -> list[Tensor]:
    """Documents less what lies beyond the first `most` chunks of each of their n_p sections (4.4.2).

    Sections differ by one chunk at most, so that the same split of what is left has the same borders.
    """
    return [torch.cat([p[:most] for p in torch.tensor_split(v, min(sections, len(v)))]) for v in chunks]


def batch_loss(
    network: ColdeNetwork,
    pair_loss: PairLoss,
    batch: Batch,
    chunks: Sequence[Tensor],
    training: TrainConfig,
    joint: bool,
) -> Tensor:
    """Supervised contrastive loss over all sections of the batch, and the pair loss over whole documents.

    Args:
        chunks: of each document of the batch, [chunks, width].
        joint: whether attention and Bi-LSTM take part.
    """
    sections = sections_of(network, training)
    if training.section_chunks:
        chunks = shortened(chunks, sections, training.section_chunks)
    labels = torch.from_numpy(batch.labels)
    ends = torch.from_numpy(batch.pairs)
    needs_whole = bool(training.pair_loss) or not network.config.contrastive
    whole = network(*pad(chunks), correct=joint) if needs_whole else None
    if not network.config.contrastive:
        assert whole is not None
        return cosine_objective((whole[ends[:, 0]] * whole[ends[:, 1]]).sum(-1), labels)
    owner, parts = _split(chunks, sections)
    z = network(*pad(parts), following=_next_of_same(owner), correct=joint)  # [sections, projection]
    of = torch.from_numpy(owner)
    same = of.unsqueeze(0) == of.unsqueeze(1)
    positive = torch.from_numpy(batch.similar)[of][:, of] | same
    weight = torch.from_numpy(batch.weight)[of][:, of]
    contrastive = supervised_contrastive(z, positive, training.temperature, weight) / len(z)
    if not training.pair_loss:
        return contrastive
    assert whole is not None
    cosine = (whole[ends[:, 0]] * whole[ends[:, 1]]).sum(-1)
    term: Tensor = pair_loss(cosine, labels)
    return contrastive + training.pair_loss * term


def words_loss(
    words: WordChannel, pair_loss: PairLoss, batch: Batch, known: Sequence[Counts], training: TrainConfig
) -> Tensor:
    """Contrastive loss and pair loss of the words channel, over whole documents of which some words are left out.

    Args:
        known: of each corpus, the TF-IDF of its documents over the channel's words: [documents, words].
    """
    rows = sparse.vstack([known[c][d] for c, d in batch.documents], format="csr")
    z = words(rows, training.words_dropout)  # [documents, dimension]
    similar, weight = torch.from_numpy(batch.similar), torch.from_numpy(batch.weight)
    ends, labels = torch.from_numpy(batch.pairs), torch.from_numpy(batch.labels)
    cosine = (z[ends[:, 0]] * z[ends[:, 1]]).sum(-1)
    term: Tensor = pair_loss(cosine, labels)
    return supervised_contrastive(z, similar, training.temperature, weight) / len(z) + term


def _split(chunks: Sequence[Tensor], sections: int) -> tuple[np.ndarray, list[Tensor]]:
    """Each document in n_p parts of neighbouring chunks (3.1); one with fewer chunks gives fewer parts."""
    owner, parts = [], []
    for d, values in enumerate(chunks):
        for part in torch.tensor_split(values, min(sections, len(values))):
            owner.append(d)
            parts.append(part)
    return np.array(owner), parts


def _next_of_same(owner: np.ndarray) -> Tensor:
    """For each section the next of its document, for the last the first (cyclic)."""
    following = np.arange(1, len(owner) + 1)
    first = np.flatnonzero(np.r_[True, owner[1:] != owner[:-1]])
    last = np.r_[first[1:] - 1, len(owner) - 1]
    following[last] = first
    return torch.from_numpy(following)
