"""CoLDE's encoding of a document: equations (1) to (5) of `colde.models.colde.network`, sentence by sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from colde.encoders.sentence_encoder import join_pieces
from colde.encoders.sentence_layout import Sentences
from colde.encoders.vector_math import group_sums, normalised
from colde.explain.contribution import Float64Array, Units, units_from
from colde.models.colde.network import ColdeNetwork
from colde.models.stored_arrays import checked_numbers
from colde.results.encoding import Encoding
from colde.results.model_score import Coverage
from colde.results.similarity_map import Array
from colde.text.document import Chunk, Document, Span


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ColdeEncoding(Encoding):
    """A document's vectors, and the part of each sentence in them.

    Attributes:
        layout: the sentences, headings and pieces of long sentences among them.
        parts: [sentences, projection], parts of `vector`, which is their sum.
        values: [sentences, projection], parts of the segments' values over √g (8).
        keys: [segments, width], k (4).
        mass: [segments], m (2).
        states: [segments, width], Σ w s of (3): means of unit vectors, not centred.
    """

    layout: Sentences
    parts: Array
    values: Array
    keys: Array
    mass: Array
    states: Array

    @property
    def chunk_sections(self) -> NDArray[np.int64]:
        """[chunks], the position of each chunk's section among `section_spans`."""
        return np.asarray(np.unique([c.section for c in self.chunk_spans], return_inverse=True)[1], np.int64)

    @property
    def self_similarity(self) -> float:
        """|Σ m k|: 1 where all segments have one direction; squared, it is their mean cosine."""
        return float(np.linalg.norm(self.mass @ self.keys))

    @property
    def segment_values(self) -> Float64Array:
        """[segments, projection], v over √g (8), in double precision."""
        return group_sums(self.values.astype(np.float64), self.layout.segment, len(self.mass))

    def condensed(self) -> dict[str, Array]:
        """The arrays that a score needs; `restored` computes keys and values from the states again.

        States are stored in half precision: 0.8 kB instead of 3 kB a segment.
        """
        assert self.vector is not None
        states: Any = self.states.astype(np.float16)
        return {"vector": self.vector, "states": states, "mass": self.mass}


@torch.inference_mode()
def encode_document(
    network: ColdeNetwork, document: Document, layout: Sentences, units: Array, *, explain: bool
) -> ColdeEncoding:
    """The encoding of a document from the unit vectors of its sentences.

    Args:
        units: [sentences, width].
        explain: whether to add vectors of sections, chunks and sentences.
    """
    states, mass, shares = segment_states(layout.tokens, layout.segment, units)
    keys, norm = _keys(network, states, mass)
    centre = network.document_centre(states, mass)
    # in place: of 50,000 sentences each array takes 77 MB
    values = network.project(
        network.center_and_scale(torch.from_numpy(units), centre).mul_(torch.from_numpy(shares))
    )
    weighted = values * torch.from_numpy(mass[layout.segment, None])
    parts = np.asarray(weighted.div_(weighted.sum(0).norm().clamp(min=1e-12)).numpy(), dtype=np.float32)
    tokens = int(layout.tokens.sum())
    passages = group_passages(document, layout, parts)
    return ColdeEncoding(
        document=document,
        coverage=Coverage(tokens, tokens),
        vector=normalised(parts.sum(0)),
        sections=passages.sections if explain else None,
        chunks=passages.chunks if explain else None,
        sentences=join_pieces(layout, units) if explain else None,
        section_spans=passages.section_spans,
        chunk_spans=passages.chunk_spans,
        layout=layout,
        parts=parts,
        values=np.asarray(values.div_(norm).numpy(), dtype=np.float32),
        keys=keys,
        mass=mass,
        states=states,
    )


@torch.inference_mode()
def encoding_of_segments(
    network: ColdeNetwork, states: Array, mass: Array, vector: Array | None = None
) -> ColdeEncoding:
    """An encoding for scores only, with one sentence for each segment.

    Args:
        states, mass: as in `ColdeEncoding`; vector: by default not known, and zero.
    """
    count = len(mass)
    keys, norm = _keys(network, states, mass)
    centre = network.document_centre(states, mass)
    values = network.project(network.center_and_scale(torch.from_numpy(states), centre)) / norm
    numbers, zeros = np.arange(count), np.zeros(count, dtype=np.int64)
    return ColdeEncoding(
        document=Document("", ()),
        coverage=Coverage(0, 0),
        vector=np.zeros(network.config.projection, np.float32) if vector is None else vector,
        chunk_spans=tuple(Chunk(0, 0, 0, 0) for _ in range(count)),
        layout=Sentences(
            spans=tuple(Span(0, 0) for _ in range(count)),
            ids=(),
            tokens=zeros,
            section=zeros,
            chunk=numbers,
            source=zeros,
            segment=numbers,
            segment_chunk=numbers,
        ),
        parts=np.zeros((0, network.config.projection), dtype=np.float32),
        values=np.asarray(values.numpy(), dtype=np.float32),
        keys=keys,
        mass=mass,
        states=states,
    )


def restored(network: ColdeNetwork, arrays: Mapping[str, Array]) -> ColdeEncoding:
    """An encoding for scores only, from `ColdeEncoding.condensed`.

    Raises:
        ValueError: an array is missing or damaged.
    """
    vector = checked_numbers(arrays, "vector", network.config.projection)
    mass = checked_numbers(arrays, "mass", None)
    states = checked_numbers(arrays, "states", len(mass), network.config.width)
    if mass.min(initial=0) < 0:
        raise ValueError("mass holds a negative share")
    return encoding_of_segments(network, states, mass, vector)


def segment_states(
    tokens: NDArray[np.int64], segment: NDArray[np.int64], units: Array
) -> tuple[Array, Array, Array]:
    """Means of unit vectors by segment [segments, width], m (2) [segments], and w (1) [sentences, 1].

    Args:
        tokens: [sentences]; segment: [sentences], from 0 without a gap; units: [sentences, width].
    """
    of_segment = np.bincount(segment, tokens)
    shares = (tokens / np.maximum(of_segment, 1)[segment]).astype(np.float32)[:, None]
    mass = (of_segment / max(float(of_segment.sum()), 1.0)).astype(np.float32)
    return group_sums(units * shares, segment, len(mass)), mass, shares


def _keys(network: ColdeNetwork, states: Array, mass: Array) -> tuple[Array, float]:
    """Keys k (4) of a document's segments and √g (8)."""
    x = network.center_and_scale(torch.from_numpy(states), network.document_centre(states, mass))
    attention_input = network.attention_input(x.unsqueeze(0), torch.from_numpy(mass).unsqueeze(0))
    norm = float(network.attention.self_similarity_root(attention_input)[0])
    return np.asarray(attention_input.keys[0].numpy(), dtype=np.float32), norm


@dataclass(frozen=True, slots=True, eq=False)
class Passages:
    """Sections and chunks of a document with their vectors of length one, sums over their sentences."""

    sections: Array
    chunks: Array
    section_spans: tuple[Span, ...]
    chunk_spans: tuple[Chunk, ...]


def group_passages(document: Document, layout: Sentences, parts: Array) -> Passages:
    """Sections and chunks from parts of the document's vector by sentence: [sentences, dimension]."""
    sections, section = np.unique(layout.section, return_inverse=True)
    return Passages(
        sections=normalised(group_sums(parts, section, len(sections))),
        chunks=normalised(group_sums(parts, layout.chunk, layout.chunks)),
        section_spans=tuple(Span(document.sections[i].start, document.sections[i].end) for i in sections),
        chunk_spans=chunk_passages(layout),
    )


def chunk_passages(layout: Sentences) -> tuple[Chunk, ...]:
    """The chunks as passages of the text."""
    borders = np.searchsorted(layout.chunk, np.arange(layout.chunks + 1)).tolist()  # the chunks rise
    return tuple(
        Chunk(
            layout.spans[first].start,
            layout.spans[end - 1].end,
            int(layout.section[first]),
            int(layout.tokens[first:end].sum()),
        )
        for first, end in pairwise(borders)
    )


def sentence_units(document: Document, layout: Sentences, chunks: Sequence[Chunk]) -> Units:
    """The sentences, headings among them, as the finest passages of contribution maps."""
    return units_from(document, layout.spans, [s.start for s in layout.spans], layout.chunk, chunks)
