"""Two halves of one document as a positive pair: what CoLDE learns from documents without labels.

The paper's augmentation (3.1) makes the two parts of a document positives of each other beside those that labels name.
Here a document is cut anew each time, segment by segment at random, and both its vector and attention must find the
other half among the halves of other documents:

    −log( exp(s(h, h') / τ) / Σ_k exp(s(h, k) / τ) )

with s the cosine of the two vectors, over all documents at hand, and what attention finds, over some of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from colde.models.colde.attention import MASKED_LOGIT
from colde.models.colde.network import ColdeNetwork
from colde.results.similarity_map import Array

MOST_SAMPLED = 64
"""Segments of a document at most, drawn anew each time: attention costs the product of those of two documents."""

MOST_ATTENDED = 64
"""Documents at most whose halves attention must find, drawn anew each time."""

NEGATIVES = 5
"""Documents among whose halves attention must find the other one."""


def sample_segments(
    states: Sequence[Array], mass: Sequence[Array], random: np.random.Generator
) -> tuple[Tensor, Tensor]:
    """Means [documents, most, width] and mass [documents, most] of at most `MOST_SAMPLED` segments of each document.

    Args:
        states: [segments, width] of each document; mass: [segments].
    """
    chosen = [random.permutation(len(m))[:MOST_SAMPLED] for m in mass]
    return pad_segments(*([v[c] for v, c in zip(values, chosen, strict=True)] for values in (states, mass)))


def pad_segments(states: Sequence[Array], mass: Sequence[Array]) -> tuple[Tensor, Tensor]:
    """Means [documents, most, width] and mass [documents, most] of documents, 0 where there is none."""
    most = max(len(m) for m in mass)
    means = np.zeros((len(states), most, states[0].shape[1]), dtype=np.float32)
    shares = np.zeros((len(states), most), dtype=np.float32)
    for i, (own, m) in enumerate(zip(states, mass, strict=True)):
        means[i, : len(m)] = own
        shares[i, : len(m)] = m
    return torch.from_numpy(means), torch.from_numpy(shares)


def halves_loss(
    network: ColdeNetwork,
    x: Tensor,
    mass: Tensor,
    apart: Tensor,
    random: np.random.Generator,
    temperature: float,
) -> Tensor:
    """Mean losses of vectors and of attention, summed; 0 where fewer than two documents can be told apart.

    Args:
        x: [documents, segments, width], as `ColdeNetwork.center_and_scale` gives; mass: [documents, segments]. A
            document of one segment has no halves and is left out.
        apart: [documents, documents], True where the two are known, or taken, to be unrelated.
        random: cuts the documents, and draws those that attention looks at.
        temperature: τ.
    """
    first = torch.from_numpy(random.random(tuple(mass.shape)) < 0.5)
    one, other = mass * first, mass * ~first
    kept = torch.nonzero((one.sum(1) > 0) & (other.sum(1) > 0) & apart.any(1)).squeeze(1)
    if len(kept) < 2:
        return x.new_zeros(())
    x, apart = x[kept], apart[kept][:, kept]
    one, other = (m[kept] / m[kept].sum(1, keepdim=True) for m in (one, other))
    return _vectors(network, x, one, other, apart, temperature) + _attention(
        network, x, one, other, apart, random, temperature
    )


def _vectors(
    network: ColdeNetwork, x: Tensor, one: Tensor, other: Tensor, apart: Tensor, temperature: float
) -> Tensor:
    """By the cosine of vectors, each half against both halves of the documents it is apart from."""
    count = len(x)
    z = torch.cat([network.vectors(x, m) for m in (one, other)])
    place = torch.arange(count)
    target = torch.cat([place + count, place])  # of each half the other one
    allowed = apart.repeat(2, 2)
    allowed[torch.arange(2 * count), target] = True
    return cross_entropy((z @ z.T / temperature).masked_fill(~allowed, MASKED_LOGIT), target)


def _attention(
    network: ColdeNetwork,
    x: Tensor,
    one: Tensor,
    other: Tensor,
    apart: Tensor,
    random: np.random.Generator,
    temperature: float,
) -> Tensor:
    """By attention: some first halves against their other half and second halves of `NEGATIVES` documents."""
    drawn = [
        [i, *random.choice(others, min(NEGATIVES, len(others)), replace=False)]
        for i in random.permutation(len(apart))[:MOST_ATTENDED].tolist()
        if len(others := np.flatnonzero(apart[i].numpy()))
    ]
    most = max((len(d) for d in drawn), default=0)
    if most < 2:
        return x.new_zeros(())
    rows = torch.tensor([d[0] for d in drawn for _ in range(most)])
    columns = torch.tensor([c for d in drawn for c in [*d, *[d[0]] * (most - len(d))]])
    filler = torch.tensor([[k >= len(d) for k in range(most)] for d in drawn])
    left, right = network.attention_input(x, one), network.attention_input(x, other)
    lengths = (
        network.attention.self_similarity_root(left)[rows]
        * network.attention.self_similarity_root(right)[columns]
    )
    found = network.attention.unnormalised_score(left[rows], right[columns]) / lengths
    logits = (found / temperature).view(len(drawn), most).masked_fill(filler, MASKED_LOGIT)
    return cross_entropy(logits, torch.zeros(len(drawn), dtype=torch.long))
