"""A document through encoder and network: what each sentence adds to its segment, and that to the document.

With s_i the unit vector of sentence i, w_i its share in its segment by tokens and m_q that of the segment in the
document,

    x_q = Σ_i w_i (s_i − c)                      what the network reads of a segment
    z   = Σ_q m_q D x_q,  v_q = D x_q            the document's vector and a segment's value, sums over sentences

so that the score, a sum over pairs of segments, is a sum over pairs of sentences, and nothing of it is left over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from colde.encoders.sentence_encoder import CachedSentenceEncoder, shared_sentence_encoder
from colde.encoders.sentence_layout import Sentences
from colde.encoders.vector_math import group_sums
from colde.models.colde.adaptation import adapt
from colde.models.colde.config import ColdeConfig
from colde.models.colde.network import ColdeNetwork
from colde.results.similarity_map import Array


@dataclass(frozen=True, slots=True, eq=False)
class Embedded:
    """Vectors of one document.

    Attributes:
        parts: [sentences, projection], over the length of the document's vector: they sum to a vector of length one.
        values: [sentences, projection], over the document's length under attention: they sum to the segments' values.
        keys: [segments, width], of length one.
        mass: [segments], the share of each in the document.
        states: [segments, width], token-weighted means of the sentences' unit vectors, before the centre is taken away.
    """

    parts: Array
    values: Array
    keys: Array
    mass: Array
    states: Array


class Embedder:
    """The encoder as it came, and the trained network above it."""

    def __init__(self, network: ColdeNetwork, reader: CachedSentenceEncoder | None = None) -> None:
        self.network = network.eval()
        self.reader = reader or shared_sentence_encoder(network.config.encoder)

    @classmethod
    def fresh(cls, config: ColdeConfig) -> Embedder:
        """With everything above the encoder as it begins."""
        return cls(ColdeNetwork(config))

    def adapted(self, states: Sequence[Array], mass: Sequence[Array]) -> Embedder:
        """Copy for documents of a kind of their own: see `colde.models.colde.adaptation`.

        Args:
            states, mass: of each document of the kind, as in `Embedded`.
        """
        return Embedder(adapt(self.network, states, mass), self.reader)

    @torch.inference_mode()
    def projected(self, found: Sentences, units: Array) -> Array:
        """Parts of the vector of a passage by its sentences, by tokens: [sentences, projection]."""
        network = self.network
        own = network.project(network.center_and_scale(torch.from_numpy(units)))
        return np.asarray(own.numpy() * found.tokens[:, None], dtype=np.float32)

    @torch.inference_mode()
    def embed(self, found: Sentences, units: Array) -> Embedded:
        """Everything that comparing needs, from the vectors of the sentences."""
        network, attention = self.network, self.network.attention
        segment, held = torch.from_numpy(found.segment), found.segment_mass
        mass = torch.from_numpy(held / max(1, int(held.sum()))).float()
        weight = torch.from_numpy(found.tokens).float()
        share = (weight / torch.from_numpy(held).float().clamp(min=1)[segment]).unsqueeze(1)
        read = network.center_and_scale(torch.from_numpy(units)) * share
        x = torch.zeros(len(mass), read.shape[1]).index_add(0, segment, read)
        side = network.attention_input(x.unsqueeze(0), mass.unsqueeze(0))
        self_similarity_root = float(attention.self_similarity_root(side)[0]) if len(mass) else 1.0
        values = network.project(read)
        parts = values * mass[segment].unsqueeze(1)
        parts = parts / parts.sum(0).norm().clamp(min=1e-12)
        return Embedded(
            parts=np.asarray(parts.numpy(), dtype=np.float32),
            values=np.asarray((values / self_similarity_root).numpy(), dtype=np.float32),
            keys=np.asarray(side.keys[0].numpy(), dtype=np.float32),
            mass=np.asarray(mass.numpy(), dtype=np.float32),
            states=group_sums(units * share.numpy(), found.segment, len(mass)),
        )
