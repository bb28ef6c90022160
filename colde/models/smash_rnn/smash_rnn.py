"""SMASH RNN: Siamese multi-depth attention-based hierarchical recurrent network (Jiang et al. 2019).

    word pieces → frozen word vectors, projected to 256
    p: words → sentences → paragraphs → d^p     s: words → sentences → d^s     w: words → d^w       (3.3)
    d = [d^p; d^s; d^w];  [d_s; d_c] → dense, ReLU → dense → sigmoid                                (3.4)

With the sentence hierarchy alone it is the HAN of the paper's tables (4.1).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from colde.explain.contribution import Float64Array, Int64Array, contribution_maps
from colde.explain.shapley import balanced_orders, second_differences
from colde.models.base import Card
from colde.models.shared.bi_cross_encoder import raw_vector
from colde.models.shared.hierarchical_matcher import HierarchicalMatcher
from colde.models.shared.hierarchical_network import HierarchicalNetwork, ReadingLimits
from colde.models.shared.integrated_gradients import VectorParts
from colde.models.shared.network_input import as_float
from colde.models.shared.unit_parts import UnitEncoding
from colde.models.smash_rnn.pair_head import PairHead
from colde.results.encoding import Encoding
from colde.results.similarity_map import SimilarityMap

ORDERS = 8
"""Orders of each text's sentences, with their reverses, in which a document's vector is built up."""

CONTRIBUTION_MEANING = (
    "what two sentences together add to the score of the sentences before them: the mean over 16 orders of each text. "
    "The vector of a document is the sum of the parts of its sentences (integrated Jacobians). The parts are "
    "approximate; the residual states the error. The baseline is the score of either text beside empty sentences. A "
    "negative cell lowers the score."
)


@dataclass(frozen=True, slots=True)
class SmashConfig:
    """Sizes and switches; each constant beside its source."""

    hierarchies: str = "p+s+w"  # tables 2, 5 and 8: P, P+S, P+S+W
    words: int = 256  # 4.1
    hidden: int = 128  # GRUs, each way, and hidden layers (4.1)
    both_orders: bool = True  # off: as in 3.4, with a source and a candidate; two files have no such roles
    dropout: float = 0.2  # the paper has none; it trains on ten times as many pairs
    most_tokens: int = 512  # the paper reads all; bounded for time
    most_words: int = 256  # of the word hierarchy: a single sequence
    longest_sentence: int = 128  # word pieces; the paper is silent
    run: int = 5  # sentences of a paragraph where the document knows none


class SmashNetwork(PairHead, HierarchicalNetwork):
    """Two towers with the same weights and the pair head of 3.4, its logit the mean of both orders."""

    def __init__(self, config: SmashConfig) -> None:
        super().__init__(
            config.hierarchies.split("+"),
            words=config.words,
            hidden=config.hidden,
            attention=config.hidden,
            dropout=config.dropout,
            limits=ReadingLimits(config.most_tokens, config.most_words, config.longest_sentence, config.run),
        )
        self.config = config
        self.add_head(self.dimension, config.hidden, config.both_orders)

    def every_score(self, a: Tensor, b: Tensor) -> Tensor:
        """The score of every pair of vectors: [vectors of a, d], [vectors of b, d] → [vectors of a, vectors of b]."""
        halves = self.first.weight.chunk(2, dim=1)
        logits = []
        for left, right in (halves, halves[::-1])[: 2 if self.both_orders else 1]:
            hidden = (a @ left.T + self.first.bias)[:, None] + (b @ right.T)[None]
            logits.append(self.last(torch.relu(hidden)).squeeze(-1))
        return torch.stack(logits).mean(0).sigmoid()

    def parts(self, a: Tensor, b: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        """The logit as an exact sum: a constant and a part for each hierarchy, of both documents together.

        Only units above zero pass the ReLU, and they are linear in [d_s; d_c]; so the slices of each hierarchy have a
        part in the logit of this pair.

        Returns:
            The constant [pairs], from the biases of these units, and the parts by hierarchy [pairs].
        """
        constants, parts = [], []
        for x in self._orders(a, b):
            on = (self.first(x) > 0).to(x.dtype) * self.last.weight  # [pairs, hidden]
            constants.append(on @ self.first.bias + self.last.bias)
            names = len(self.hierarchies)
            parts.append(((on @ self.first.weight) * x).unflatten(1, (2, names, -1)).sum((1, 3)))
        by_name = torch.stack(parts).mean(0).unbind(1)
        return torch.stack(constants).mean(0), dict(zip(self.hierarchies, by_name, strict=True))


class SmashRnn(HierarchicalMatcher[SmashNetwork]):
    """SMASH RNN as a Matcher."""

    network_class = SmashNetwork
    config_class = SmashConfig

    def __init__(self, network: SmashNetwork, *, card: Card, **rest: Any) -> None:
        super().__init__(network, card=replace(card, symmetric=network.config.both_orders), **rest)

    def contributions(self, a: UnitEncoding, b: UnitEncoding, score: float) -> dict[str, SimilarityMap]:
        left, right = a.parts, b.parts
        if not len(left.parts) or not len(right.parts):
            return {}
        empty_b = self._scores(left.vector[None], right.start[None])
        empty_a = self._scores(left.start[None], right.vector[None])
        empty = float(np.mean([empty_b, empty_a]))
        orders = [balanced_orders(len(p.parts), ORDERS, seed) for seed, p in enumerate((left, right))]
        cells = [
            second_differences(self._scores(_prefixes(left, i), _prefixes(right, j)), i, j, empty)
            for i, j in zip(*orders, strict=True)
        ]
        factors = [(a.shares @ np.mean(cells, axis=0), b.shares)]
        return contribution_maps(a.units, b.units, factors, score, CONTRIBUTION_MEANING, reference=empty)

    def _scores(self, a: Float64Array, b: Float64Array) -> Float64Array:
        """The score of every vector of a with every vector of b: [vectors of a, vectors of b]."""
        left, right = (torch.from_numpy(x.astype(np.float32)).to(self.network.device) for x in (a, b))
        return as_float(self.network.every_score(left, right)).astype(np.float64)

    @torch.inference_mode()
    def hierarchy_parts(self, a: Encoding, b: Encoding) -> dict[str, float]:
        """The part of each hierarchy in the logit, and `constant`; they add up to the logit of this pair."""
        left, right = (torch.from_numpy(raw_vector(e)).to(self.network.device)[None] for e in (a, b))
        constant, parts = self.network.parts(left, right)
        return {"constant": float(constant[0]), **{name: float(part[0]) for name, part in parts.items()}}

    def hierarchy_shares(self, a: Encoding, b: Encoding) -> dict[str, str]:
        if len(self.network.hierarchies) == 1:
            return {}
        parts = self.hierarchy_parts(a, b)
        total = sum(parts.values())
        return {
            name: f"; of this pair's log-odds, {total:+.2f} in all, this hierarchy gives {parts[name]:+.2f}"
            for name in self.network.hierarchies
        }


def _prefixes(parts: VectorParts, order: Int64Array) -> Float64Array:
    """The vector of the first sentence of an order, of the first two …: [sentences, d]."""
    return np.asarray(parts.start + np.cumsum(parts.parts[order], axis=0), dtype=np.float64)
