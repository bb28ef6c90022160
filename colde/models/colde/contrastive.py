"""The losses that CoLDE is trained with: supervised contrastive loss (3.3), pair loss, and the loss of halves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from colde.models.colde.attention import MASKED_LOGIT

if TYPE_CHECKING:
    from colde.models.colde.network import ColdeNetwork

MOST_ATTENDED = 64
"""Documents whose halves attention must match in a step of `halves_loss`."""

NEGATIVES = 5
"""Other documents among whose halves attention must recognise the right one."""


def supervised_contrastive(
    z: Tensor, positive: Tensor, temperature: float, weight: Tensor | None = None
) -> Tensor:
    """Supervised contrastive loss (3.3), summed over the sections of an augmented batch.

    For each section i with at least one positive:
    −1/|P(i)| · Σ_{j ∈ P(i)} log( exp(z_i·z_j/τ) / Σ_{k ≠ i} w_ik exp(z_i·z_k/τ) ).
    With labels, P(i) are the other sections of the same label and |P(i)| = 2N_y − 1, the paper's constant.

    Args:
        z: [sections, dimension], L2-normalised.
        positive: [sections, sections], bool; the diagonal is ignored.
        temperature: τ; 0.5 in the paper (4.1.2).
        weight: [sections, sections], weight of each pair in the denominator (1 in the paper); positives always count
            1, the diagonal 0.

    Returns:
        A scalar; 0 if no section has a positive.
    """
    itself = torch.eye(len(z), dtype=torch.bool, device=z.device)
    positive = positive & ~itself
    logits = z @ z.T / temperature  # [sections, sections]
    weighted = logits
    if weight is not None:
        weight = torch.where(positive, torch.ones_like(weight), weight)
        weighted = logits + weight.clamp(min=0).log()
    log_share = logits - weighted.masked_fill(itself, -torch.inf).logsumexp(1, keepdim=True)
    count = positive.sum(1)
    per_section = -(log_share.masked_fill(~positive, 0.0).sum(1)) / count.clamp(min=1)
    return per_section[count > 0].sum()


class PairLoss(nn.Module):
    """Binary cross-entropy of sigmoid(e^a · cosine + b) with learned a and b: it makes cosines of pairs comparable."""

    def __init__(self) -> None:
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(2.0))
        self.offset = nn.Parameter(torch.tensor(-2.0))

    def forward(self, cosine: Tensor, label: Tensor) -> Tensor:
        """cosine, label [pairs] → scalar mean."""
        logits = self.log_scale.exp() * cosine + self.offset
        return nn.functional.binary_cross_entropy_with_logits(logits, label.to(cosine.dtype))


def cosine_objective(cosine: Tensor, label: Tensor) -> Tensor:
    """The objective of CoLDE−CL (4.5.3): mean squared distance of cosines from 1 for similar pairs, else from 0."""
    return nn.functional.mse_loss(cosine, label.to(cosine.dtype))


def halves_loss(
    network: ColdeNetwork,
    x: Tensor,
    mass: Tensor,
    unrelated: Tensor,
    random: np.random.Generator,
    temperature: float,
) -> Tensor:
    """Loss of two random halves of each document as a positive pair, which needs no labels.

    Segments are drawn into one half or the other. With h' the other half of h,

        −log( exp(s(h, h') / τ) / Σ_k exp(s(h, k) / τ) )

    is taken once with the cosine of the two vectors as s, over all documents, and once with the attention score, over
    some of them.

    Args:
        x: [documents, segments, width], as `ColdeNetwork.center_and_scale` gives; mass: [documents, segments].
            A document of one segment has no halves and is left out.
        unrelated: [documents, documents], True for pairs that count as negatives.
        random: draws the halves, and the documents for attention.
        temperature: τ.

    Returns:
        The sum of both mean losses; 0 for fewer than two documents that are unrelated.
    """
    first = torch.from_numpy(random.random(tuple(mass.shape)) < 0.5)
    one, other = mass * first, mass * ~first
    kept = torch.nonzero((one.sum(1) > 0) & (other.sum(1) > 0) & unrelated.any(1)).squeeze(1)
    if len(kept) < 2:
        return x.new_zeros(())
    x, unrelated = x[kept], unrelated[kept][:, kept]
    one, other = (m[kept] / m[kept].sum(1, keepdim=True) for m in (one, other))
    by_vectors = _vector_loss(network, x, one, other, unrelated, temperature)
    return by_vectors + _attention_loss(network, x, one, other, unrelated, random, temperature)


def _vector_loss(
    network: ColdeNetwork, x: Tensor, one: Tensor, other: Tensor, unrelated: Tensor, temperature: float
) -> Tensor:
    """Loss of halves by the cosine of their vectors, each against both halves of unrelated documents."""
    count = len(x)
    z = torch.cat([network.vectors(x, m) for m in (one, other)])
    position = torch.arange(count)
    target = torch.cat([position + count, position])  # the other half of each half
    allowed = unrelated.repeat(2, 2)
    allowed[torch.arange(2 * count), target] = True
    return cross_entropy((z @ z.T / temperature).masked_fill(~allowed, MASKED_LOGIT), target)


def _attention_loss(
    network: ColdeNetwork,
    x: Tensor,
    one: Tensor,
    other: Tensor,
    unrelated: Tensor,
    random: np.random.Generator,
    temperature: float,
) -> Tensor:
    """Loss of some first halves by attention, each against second halves of `NEGATIVES` unrelated documents."""
    drawn = [
        [i, *random.choice(others, min(NEGATIVES, len(others)), replace=False)]
        for i in random.permutation(len(unrelated))[:MOST_ATTENDED].tolist()
        if len(others := np.flatnonzero(unrelated[i].numpy()))
    ]
    most = max((len(d) for d in drawn), default=0)
    if most < 2:
        return x.new_zeros(())
    rows = torch.tensor([d[0] for d in drawn for _ in range(most)])
    columns = torch.tensor([c for d in drawn for c in [*d, *[d[0]] * (most - len(d))]])
    padding = torch.tensor([[k >= len(d) for k in range(most)] for d in drawn])
    attention = network.attention
    left, right = network.attention_input(x, one), network.attention_input(x, other)
    norms = attention.self_similarity_root(left)[rows] * attention.self_similarity_root(right)[columns]
    scores = attention.unnormalised_score(left[rows], right[columns]) / norms
    logits = (scores / temperature).view(len(drawn), most).masked_fill(padding, MASKED_LOGIT)
    return cross_entropy(logits, torch.zeros(len(drawn), dtype=torch.long))
