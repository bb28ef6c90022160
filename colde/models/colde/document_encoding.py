"""Encoding of a document by CoLDE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from colde.encoders.sentence_encoder import join_pieces
from colde.encoders.sentence_layout import Sentences
from colde.encoders.vector_math import group_sums, normalised
from colde.explain.contribution import Units, units_from
from colde.models.colde.embedding import Embedded
from colde.results.encoding import Encoding
from colde.results.model_score import Coverage
from colde.results.similarity_map import Array
from colde.text.document import Chunk, Document, Span


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ColdeEncoding(Encoding):
    """A document's vectors, and what each sentence adds to them.

    Attributes:
        found: its sentences, headings and pieces of long ones among them.
        parts, values, keys, mass, states: as in `Embedded`, of sentences and of segments; the rows of `parts` sum
            to `vector`.
    """

    found: Sentences
    parts: Array
    values: Array
    keys: Array
    mass: Array
    states: Array

    @property
    def chunk_sections(self) -> NDArray[np.int64]:
        """[chunks], the position of each chunk's section among `section_spans`."""
        return np.asarray(np.unique([c.section for c in self.chunk_spans], return_inverse=True)[1], np.int64)


def encoding_of(
    document: Document, found: Sentences, units: Array, embedded: Embedded, *, explain: bool
) -> ColdeEncoding:
    """The encoding of a document; without `explain` it has no vectors of its passages."""
    tokens = int(found.tokens.sum())
    sections, of = np.unique(found.section, return_inverse=True)
    return ColdeEncoding(
        document=document,
        coverage=Coverage(tokens, tokens),
        vector=normalised(embedded.parts.sum(0)),
        sections=group_vectors(embedded.parts, of, len(sections)) if explain else None,
        chunks=group_vectors(embedded.parts, found.chunk, len(found.part)) if explain else None,
        sentences=join_pieces(found, units) if explain else None,
        section_spans=tuple(Span(document.sections[i].start, document.sections[i].end) for i in sections),
        chunk_spans=chunk_passages(found),
        found=found,
        parts=embedded.parts,
        values=embedded.values,
        keys=embedded.keys,
        mass=embedded.mass,
        states=embedded.states,
    )


def sentence_contribution_units(document: Document, found: Sentences, chunks: Sequence[Chunk]) -> Units:
    """The sentences, headings among them, as the finest passages of a document."""
    return units_from(document, found.spans, [s.start for s in found.spans], found.chunk, chunks)


def group_vectors(parts: Array, of: NDArray[np.int64], count: int) -> Array:
    """Vectors of groups of sentences, of length one: [count, projection]."""
    return normalised(group_sums(parts, of, count))


def chunk_passages(found: Sentences) -> tuple[Chunk, ...]:
    """The chunks as passages of the text."""
    made = []
    for c in range(len(found.part)):
        rows = np.flatnonzero(found.chunk == c)
        first, last = found.spans[rows[0]], found.spans[rows[-1]]
        made.append(Chunk(first.start, last.end, int(found.section[rows[0]]), int(found.tokens[rows].sum())))
    return tuple(made)
