"""A document through the whole network: vectors of sentences, chunks, sections and itself, each the sum of the last.

With w_i the share of a sentence in its chunk and m_q the share of a chunk in its document, what sentence i adds is

    v_i = m_q w_i (D (s_i − c) + R h_q)

and the vectors of chunk, section and document are the sums of these over their sentences. So the cosine of two
documents is a sum over pairs of sentences, and nothing of it is left over.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from colde.encoders.breath import breathing
from colde.encoders.encoder import encoder_folder
from colde.encoders.packed import Bert
from colde.encoders.runtime import number_type
from colde.encoders.vectors import normalised
from colde.models.colde.aggregate import Aggregated, Layout
from colde.models.colde.layers import Below, above, length_runs, sentence_means
from colde.models.colde.sentences import Sentences
from colde.models.colde.whole import WholeNetwork
from colde.models.colde.whole_config import WholeConfig
from colde.results.maps import Array

TOKENS = 4096
"""Tokens that go through the encoder at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Embedded:
    """Vectors of one document.

    Attributes:
        units: [sentences, width], unit vectors of the sentences alone, before projection.
        plain: [sentences, width], unit vectors by the encoder as it came: what says whether two passages are the same.
        salience: [sentences], how much each counts beside its length; 1 as its length says.
        parts: [sentences, projection], v_i: what each sentence adds to the document.
        attention: [parts, heads, queries, keys], of the chunks of part p over those of part p + 1.
    """

    units: Array
    plain: Array
    salience: Array
    parts: Array
    attention: Array

    def sums(self, of: NDArray[np.int64], count: int) -> Array:
        """Sums of the sentences' vectors by group: [count, projection], not normalised."""
        found = np.zeros((count, self.parts.shape[1]), dtype=np.float32)
        np.add.at(found, of, self.parts)
        return found

    @property
    def vector(self) -> Array:
        """[projection], of the document, of length one."""
        return normalised(self.parts.sum(0))


class Embedder:
    """The frozen layers below and the trained network above them."""

    def __init__(self, network: WholeNetwork, encoder: Bert | None = None) -> None:
        self.network = breathing(network.eval())
        self.dtype = number_type()
        encoder = encoder or Bert.load(encoder_folder(network.config.encoder))
        self.below = breathing(Below(encoder, network.config.frozen_layers).to(self.dtype).eval())
        self.untrained = above(encoder, network.config.frozen_layers).to(self.dtype).eval()

    @classmethod
    def fresh(cls, config: WholeConfig) -> Embedder:
        """With the encoder as it came and everything else as it begins."""
        encoder = Bert.load(encoder_folder(config.encoder))
        return cls(WholeNetwork(config, encoder), encoder)

    def batches(self, found: Sentences) -> list[NDArray[np.int64]]:
        """Sentences in reading order, at most about `TOKENS` in a batch, by length within it.

        They depend on the document alone, so that its vectors do not change with what is read beside it.
        """
        number = (np.cumsum(found.lengths) - 1) // TOKENS
        runs = np.split(np.arange(len(number)), np.flatnonzero(np.diff(number)) + 1)
        return [run[np.argsort(found.lengths[run], kind="stable")] for run in runs if len(run)]

    @torch.inference_mode()
    def read(self, found: Sentences, some: NDArray[np.int64]) -> Array:
        """Of these sentences: unit vectors, salience, and what the encoder as it came makes of them.

        Returns:
            [some, width + 1 + width].
        """
        runs = length_runs(found.lengths[some])
        ids = np.concatenate([found.ids[i] for i in some]).astype(np.int64)
        states = self.below(torch.from_numpy(ids), runs)
        chunk = found.chunk[some]
        with torch.autocast("cpu", torch.bfloat16, enabled=self.dtype == torch.bfloat16):
            out: Tensor = self.network.upper(
                states,
                runs,
                torch.from_numpy(found.part[chunk]),
                torch.from_numpy(found.place[chunk]),
                torch.from_numpy(found.lengths[some]),
            )
        for layer in self.untrained:
            states = layer(states, runs)
        plain = torch.nn.functional.normalize(sentence_means(states, runs), dim=-1)
        return np.asarray(torch.cat([out.float(), plain], 1).numpy(), dtype=np.float32)

    @property
    def width(self) -> int:
        """Numbers of a sentence that `read` gives."""
        return 2 * self.network.config.width + 1

    def read_all(self, found: Sentences) -> Array:
        """`read` for every sentence, in order."""
        out = np.zeros((len(found.ids), self.width), dtype=np.float32)
        for some in self.batches(found):
            out[some] = self.read(found, some)
        return out

    @torch.inference_mode()
    def direct(self, found: Sentences, read: Array) -> Array:
        """What the direct path alone adds, by sentence: [sentences, projection]; for maps of what is half read."""
        aggregate = self.network.aggregate
        width = self.network.config.width
        own = aggregate.direct(
            (torch.from_numpy(read[:, :width]) - aggregate.centre) * self.network.config.scale
        )
        weight = torch.from_numpy(found.tokens).float() * torch.from_numpy(read[:, width])
        return np.asarray((own * weight.unsqueeze(1)).numpy(), dtype=np.float32)

    @torch.inference_mode()
    def aggregate(self, found: Sentences, read: Array) -> Embedded:
        """Vectors of every level from those of the sentences."""
        layout = layout_of(found)
        width = self.network.config.width
        sentences = torch.from_numpy(read[:, : width + 1])
        out: Aggregated = self.network.aggregate(sentences, layout)
        config = self.network.config
        units, salience = sentences[:, :-1], sentences[:, -1]
        weight = layout.weight * salience
        share = weight / weight.new_zeros(len(layout.part)).index_add(0, layout.chunk, weight)[layout.chunk]
        own = self.network.aggregate.direct((units - self.network.aggregate.centre) * config.scale)
        parts = (own + out.recurrent[layout.chunk]) * (share * out.mass[layout.chunk]).unsqueeze(1)
        return Embedded(
            units=np.asarray(units.numpy(), dtype=np.float32),
            salience=np.asarray(salience.numpy(), dtype=np.float32),
            plain=np.asarray(read[:, width + 1 :], dtype=np.float32),
            parts=np.asarray(parts.numpy(), dtype=np.float32),
            attention=np.asarray(out.attention.numpy(), dtype=np.float32),
        )


def layout_of(found: Sentences) -> Layout:
    """The layout of one document for the network."""
    count = int(found.part[-1]) + 1 if len(found.part) else 0
    return Layout(
        chunk=torch.from_numpy(found.chunk),
        weight=torch.from_numpy(found.tokens).float(),
        part=torch.from_numpy(found.part),
        mass=torch.from_numpy(found.mass / max(1, int(found.mass.sum()))).float(),
        document=torch.zeros(count, dtype=torch.int64),
        following=(torch.arange(count) + 1) % max(count, 1),
    )
