"""The network whose parts are all trained: attention between two documents, and the vectors of each.

    x_q  = mean of the unit vectors of the chunk's sentences, less the centre
    z    = sum of m_q D x_q, of length one: what the supervised contrastive loss is about (3.3)
    s    = λ z_a · z_b + (1 − λ) · what attention finds (`colde.models.colde.cross`)

m_q is the share of a chunk in its document, by tokens. Both terms are sums over pairs of chunks, and a chunk is the sum
of its sentences: so is the score.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from colde.models.colde.cross import CrossAttention, Sides
from colde.models.colde.whole_config import WholeConfig

GROUPS: Mapping[str, tuple[str, ...]] = {
    "projection": ("project.",),
    "value": ("attention.value.",),
    "sharpness": ("attention.log_sharpness",),
    "share": ("logit_share",),
}
"""The parts of the network by the beginning of their parameters' names; each is trained from the first step."""


class WholeNetwork(nn.Module):
    """Everything above the sentence vectors of the encoder."""

    centre: Tensor

    def __init__(self, config: WholeConfig) -> None:
        super().__init__()
        self.config = config
        self.register_buffer("centre", torch.zeros(config.width))
        self.dropout = nn.Dropout(config.dropout)
        self.project = nn.Linear(config.width, config.projection, bias=False)
        nn.init.orthogonal_(self.project.weight)
        self.attention = CrossAttention(config.width, config.projection, config.sharpness)
        self.logit_share = nn.Parameter(torch.tensor(math.log(config.share / (1 - config.share))))

    @property
    def share(self) -> Tensor:
        """λ, the share of the cosine of the two vectors in the score."""
        return torch.sigmoid(self.logit_share)

    def center_and_scale(self, units: Tensor) -> Tensor:
        """Unit vectors of sentences, or means of some → what both paths read."""
        return (units - self.centre) * self.config.scale

    def vectors(self, x: Tensor, mass: Tensor) -> Tensor:
        """Vectors of documents or parts of them: x [n, chunks, width], mass [n, chunks] → [n, projection]."""
        return normalize(self.project((x * mass.unsqueeze(-1)).sum(1)), dim=-1)

    def sides(self, x: Tensor, mass: Tensor) -> Sides:
        """Prepare documents for attention: x [n, chunks, width], mass [n, chunks], 0 where there is no chunk."""
        return self.attention.side(x, mass)

    def group(self, name: str) -> dict[str, nn.Parameter]:
        """The parameters of a part of `GROUPS`."""
        return {n: p for n, p in self.named_parameters() if n.startswith(GROUPS[name])}

    def moved(self, start: Mapping[str, Tensor]) -> dict[str, float]:
        """Distance of each part from these values, as a share of their norm."""
        found = {}
        for name in GROUPS:
            own = self.group(name)
            change = sum(float((p.detach() - start[n]).square().sum()) for n, p in own.items())
            norm = sum(float(start[n].square().sum()) for n in own)
            found[name] = (change / max(norm, 1.0 if name == "share" else 1e-12)) ** 0.5
        return found
