"""The pair head of SMASH RNN (Jiang et al. 2019, 3.4), for every network of its tables: [d_s; d_c] → one logit."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from colde.models.shared.bi_cross_encoder import BiEncoder


class PairHead(BiEncoder):
    """A bi-encoder whose two vectors go through F_f(ReLU(F_d([d_s; d_c]))).

    Attributes:
        both_orders: the logit is the mean of both orders: two files have no source and candidate.
    """

    first: nn.Linear  # F_d (3.4)
    last: nn.Linear  # F_f (3.4)
    dropout: nn.Dropout
    both_orders: bool

    def add_head(self, dimension: int, hidden: int, both_orders: bool = True) -> None:
        """Add the head over vectors of this size."""
        self.first = nn.Linear(2 * dimension, hidden)
        self.last = nn.Linear(hidden, 1)
        self.both_orders = both_orders

    @torch.no_grad()
    def init_from_data(self, vectors: Tensor, pairs: Tensor) -> None:
        """Initialise a head that compares: Σ_k |w_k · (a + b)| − |w_k · (a − b)|.

        The sum grows with how far a and b lie on the same side of the mean, along the directions w_k in which documents
        differ most. From a random start the head does not compare after 2,000 pairs (AUC 0.49). The logits of `pairs`
        have mean 0 and standard deviation 1.

        Args:
            vectors: [documents, dimension].
            pairs: [pairs, 2], rows of `vectors`.
        """
        mean = vectors.mean(0)
        _, spread, axes = torch.linalg.svd(vectors - mean, full_matrices=False)
        units = 3 if self.both_orders else 4  # the other order has the difference's other sign
        most = min(self.first.out_features // units, len(axes))
        w = axes[:most] / (spread[:most, None] / len(vectors) ** 0.5).sqrt().clamp(min=1e-6)
        rows = [(w, w, 1.0, -2.0), (-w, -w, 1.0, 2.0), (w, -w, -2.0 if units == 3 else -1.0, 0.0)]
        rows += [(-w, w, -1.0, 0.0)] if units == 4 else []
        self.last.weight.zero_()
        for k, (left, right, sign, centre) in enumerate(rows):
            here = slice(k * most, (k + 1) * most)
            self.first.weight[here] = torch.cat([left, right], dim=1)
            self.first.bias[here] = centre * (w @ mean)
            self.last.weight[0, here] = sign
        self.last.bias.zero_()
        logits = self.pair_logits(vectors[pairs[:, 0]], vectors[pairs[:, 1]])
        scale = 1 / logits.std().clamp(min=1e-6)
        self.last.weight *= scale
        self.last.bias.fill_(float(-scale * logits.mean()))

    def pair_logits(self, a: Tensor, b: Tensor) -> Tensor:
        """F_f(ReLU(F_d([d_s; d_c]))), and the same of [d_c; d_s]: [pairs, d], [pairs, d] → [pairs]."""
        logits = [self.last(torch.relu(self.first(self.dropout(x)))) for x in self._orders(a, b)]
        return torch.cat(logits, dim=1).mean(1)

    def _orders(self, a: Tensor, b: Tensor) -> list[Tensor]:
        orders = [(a, b), (b, a)] if self.both_orders else [(a, b)]
        return [torch.cat(order, dim=1) for order in orders]

    def score(self, a: Tensor, b: Tensor) -> Tensor:
        """The probability: the logistic function of the logit."""
        return self.pair_logits(a, b).sigmoid()
