"""The network whose parts are all trained: a projection of segments of chunks, and attention between two documents.

    x_q  = mean of the unit vectors of the segment's sentences, less the centre
    v_q  = D x_q
    z    = sum of m_q v_q, of length one: what the supervised contrastive loss is about (3.3), and collections search
    s    = what attention finds among the v of two documents (`colde.models.colde.attention`)

m_q is the share of a segment in its document, by tokens. The score is a sum over pairs of segments, and a segment is
the sum of its sentences: so is the score. The cosine of the two z is the same sum with every pair counted by its
shares alone; mixed into the score it made it worse (docs/results.md).
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from colde.models.colde.attention import AttentionInput, CrossAttention
from colde.models.colde.config import ColdeConfig

GROUPS: Mapping[str, tuple[str, ...]] = {
    "projection": ("project.",),
    "sharpness": ("attention.log_sharpness",),
}
"""The parts of the network by the beginning of their parameters' names; each is trained from the first step."""


class ColdeNetwork(nn.Module):
    """Everything above the sentence vectors of the encoder."""

    centre: Tensor

    def __init__(self, config: ColdeConfig) -> None:
        super().__init__()
        self.config = config
        self.register_buffer("centre", torch.zeros(config.width))
        self.dropout = nn.Dropout(config.dropout)
        self.project = nn.Linear(config.width, config.projection, bias=False)
        nn.init.orthogonal_(self.project.weight)
        self.attention = CrossAttention(config.sharpness)

    def center_and_scale(self, units: Tensor) -> Tensor:
        """Unit vectors of sentences, or means of some → what the projection reads."""
        return (units - self.centre) * self.config.scale

    def vectors(self, x: Tensor, mass: Tensor) -> Tensor:
        """Vectors of documents or parts of them: x [n, segments, width], mass [n, segments] → [n, projection]."""
        return normalize(self.project((x * mass.unsqueeze(-1)).sum(1)), dim=-1)

    def attention_input(self, x: Tensor, mass: Tensor) -> AttentionInput:
        """Prepare documents for attention: x [n, segments, width], mass [n, segments], 0 where there is none."""
        return AttentionInput(normalize(x, dim=-1), self.project(x), mass)

    def group(self, name: str) -> dict[str, nn.Parameter]:
        """The parameters of a part of `GROUPS`."""
        return {n: p for n, p in self.named_parameters() if n.startswith(GROUPS[name])}

    def relative_change(self, start: Mapping[str, Tensor]) -> dict[str, float]:
        """Distance of each part from these values, as a share of their norm."""
        found = {}
        for name in GROUPS:
            own = self.group(name)
            change = sum(float((p.detach() - start[n]).square().sum()) for n, p in own.items())
            norm = sum(float(start[n].square().sum()) for n in own)
            found[name] = (change / max(norm, 1e-12)) ** 0.5
        return found
