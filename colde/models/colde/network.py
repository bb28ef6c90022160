"""CoLDE's network above the frozen sentence encoder, with all its equations (Jha et al. 2023; docs/departures.md).

A document is cut into sentences i, and runs of them into segments q of about 64 tokens. With s_i the unit vector of a
sentence, t_i its tokens, c the centre, a the scale, D the projection and β the sharpness:

    w_i    = t_i / Σ_{j in q} t_j                share of a sentence in its segment                     (1)
    m_q    = Σ_{i in q} t_i / Σ_j t_j           share of a segment in its document                     (2)
    x_q    = a Σ_{i in q} w_i (s_i − c)         state of a segment                                     (3)
    k_q    = x_q / |x_q|,   v_q = D x_q         key and value of a segment                             (4)
    z      = Σ_q m_q v_q / |Σ_q m_q v_q|        vector of a document: contrastive loss (3.3), search   (5)
    α_qr   = softmax over r of β k_q · k_r      attention of segment q of A over the segments r of B   (6)
    c_qr   = (m_q α_qr + m_r α'_qr) / 2         weight of a pair; α' is the attention of B over A      (7)
    h(A,B) = Σ_qr c_qr v_q · v_r / √(g(A) g(B)) what attention adds up; g(A) is this sum of A with itself (8)
    f(A,B) = (1 − λ) h(A,B) + λ z_A · z_B       score; λ is the share of the document vectors          (9)

v_q is a sum over the sentences of q, so z is a sum over sentences and f a sum over pairs of sentences without a rest.
The paper's chunkwise attention (3.2) lets the chunks of a section attend to those of the next section; here the next
section is the other document (`colde.models.colde_paper.paper_network` has the paper's form). For β = 0 a segment
attends evenly to the other document, for β → ∞ only to its best match (late interaction, Khattab and Zaharia 2020).
Trained key weights were no better than random ones, and on kinds that were trained on, λ > 0 made f worse
(docs/log/colde.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import torch
from msgspec import Meta
from torch import Tensor, nn
from torch.nn.functional import normalize

from colde.models.colde.attention import AttentionInput, CrossAttention
from colde.models.colde.augmentation import PARTS
from colde.results.similarity_map import Array

GROUPS: Mapping[str, tuple[str, ...]] = {
    "projection": ("project.",),
    "sharpness": ("attention.log_sharpness",),
}
"""Parts of the network, each by the prefixes of its parameters' names."""


Size = Annotated[int, Meta(gt=0, le=2**16)]


@dataclass(frozen=True, slots=True)
class ColdeConfig:
    """Sizes of the network; each constant with its source."""

    encoder: str = "packaged"
    width: Size = 384  # the encoder's hidden size
    projection: Size = 384  # 256 in 4.1.2, 0.001 to 0.004 of AUC worse (docs/log/colde.md)
    parts: Size = PARTS  # n_p (3.1), in training
    sharpness: Annotated[float, Meta(gt=0, le=1e4)] = 10.0  # β before training
    scale: Annotated[float, Meta(gt=0, le=1e4)] = 8.0  # a: centred unit vectors are short
    dropout: Annotated[float, Meta(ge=0, lt=1)] = 0.2
    vector_share: Annotated[float, Meta(ge=0, le=1)] = 0.0  # λ (9)


class ColdeNetwork(nn.Module):
    """Everything above the sentence vectors of the encoder."""

    centre: Tensor

    def __init__(self, config: ColdeConfig) -> None:
        super().__init__()
        self.config = config
        self.register_buffer("centre", torch.zeros(config.width))
        self.dropout = nn.Dropout(config.dropout)
        self.project = nn.Linear(config.width, config.projection, bias=False)
        self._start_projection()
        self.attention = CrossAttention(config.sharpness)

    def _start_projection(self) -> None:
        nn.init.orthogonal_(self.project.weight)

    def document_centre(self, states: Array, mass: Array) -> Tensor:
        """c of a document: [width]; here the same for all documents.

        Args:
            states: [segments, width], means of unit vectors; mass: [segments], m (2).
        """
        return self.centre

    def center_and_scale(self, units: Tensor, centre: Tensor | None = None) -> Tensor:
        """a (s − c), as in (3): [..., width] of sentences or of means of sentences.

        Args:
            centre: c, by default that of the network.
        """
        return (units - (self.centre if centre is None else centre)) * self.config.scale

    def vectors(self, x: Tensor, mass: Tensor) -> Tensor:
        """z (5) of documents or parts of them: x [n, segments, width], mass [n, segments] → [n, projection]."""
        return normalize(self.project((x * mass.unsqueeze(-1)).sum(1)), dim=-1)

    def attention_input(self, x: Tensor, mass: Tensor) -> AttentionInput:
        """Keys and values (4): x [n, segments, width]; mass [n, segments], 0 for padding."""
        return AttentionInput(normalize(x, dim=-1), self.project(x), mass)

    def group(self, name: str) -> dict[str, nn.Parameter]:
        """The parameters of a part of `GROUPS`."""
        return {n: p for n, p in self.named_parameters() if n.startswith(GROUPS[name])}

    def relative_change(self, start: Mapping[str, Tensor]) -> dict[str, float]:
        """Distance of each part from its start values, relative to their norm."""
        changes = {}
        for name in GROUPS:
            parameters = self.group(name)
            change = sum(float((p.detach() - start[n]).square().sum()) for n, p in parameters.items())
            norm = sum(float(start[n].square().sum()) for n in parameters)
            changes[name] = (change / max(norm, 1e-12)) ** 0.5
        return changes
