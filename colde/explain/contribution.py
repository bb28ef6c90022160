"""Contribution to a score: parts of the score over pairs of sentences, summed to chunks and sections.

A document is divided into units: its sentences, cut again where a chunk ends inside one, and the heading of each
section. Every compared character belongs to one unit, every unit to one chunk, every chunk to one section. So a
section's cell is the sum of its chunks' cells, and these the sum of their sentences' cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from colde.alignment.sentence_similarity import few_sentences
from colde.results.similarity_map import Array, Level, SimilarityMap
from colde.row_blocks import RowMatrix
from colde.text.chunks import chunk_document, default_tokenizer
from colde.text.document import Chunk, Document, Span
from colde.text.word_weights.term_weights import BUCKETS, Counts, counts

Int64Array = NDArray[np.int64]
Float64Array = NDArray[np.float64]
Matrix: TypeAlias = Any  # [rows, k]: an array, or a sparse matrix of scipy, which has no types
Factors = tuple[Matrix, Matrix]
"""A part of a score: [passages of a, k], [passages of b, k]; a cell is the product of two rows."""

_WORD = re.compile(r"\w+")
MAP_NAMES: dict[Level, str] = {
    "section": "contribution_section",
    "chunk": "contribution_chunk",
    "sentence": "contribution_sentence",
}
"""The names of the maps."""


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """The finest passages of a document, in reading order.

    Attributes:
        spans: [units], without white space at the end.
        starts: [units], first characters, rising; a character belongs to the last unit that begins at or before it.
        chunk: [units], the position of its chunk.
        chunks: [chunks].
        section: [chunks], the position of its section among `sections`.
        sections: [sections], those that hold a chunk.
        indices: [sections], their places in `Document.sections`.
    """

    document: Document
    spans: tuple[Span, ...]
    starts: Int64Array
    chunk: Int64Array
    chunks: tuple[Chunk, ...]
    section: Int64Array
    sections: tuple[Span, ...]
    indices: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.spans)

    def at(self, offsets: ArrayLike) -> Int64Array:
        """The unit of each character: [offsets]; one before the first unit belongs to it. There must be a unit."""
        unit = np.searchsorted(self.starts, np.asarray(offsets), side="right") - 1
        return np.asarray(np.maximum(unit, 0), dtype=np.int64)

    def share_tokens(self, starts: ArrayLike, group: ArrayLike, groups: int) -> Counts:
        """Share of each unit in the tokens of each group: [units, groups]; columns sum to one, or are empty.

        Args:
            starts: [tokens], first characters; group: [tokens], the group of each.
        """
        of = np.asarray(group, dtype=np.int64)
        size = np.bincount(of, minlength=groups)
        return sparse.csr_matrix((1 / size[of], (self.at(starts), of)), shape=(len(self), groups))

    @property
    def of_chunks(self) -> Counts:
        """Which unit belongs to which chunk: [chunks, units], ones."""
        return _grouping(self.chunk, len(self.chunks))

    @property
    def of_sections(self) -> Counts:
        """Which chunk belongs to which section: [sections, chunks], ones."""
        return _grouping(self.section, len(self.sections))

    @property
    def spread(self) -> Counts:
        """The share of each unit in its chunk, by characters: [units, chunks], columns sum to one."""
        length = np.array([max(1, len(s)) for s in self.spans], dtype=np.float64)
        chunk_lengths = np.bincount(self.chunk, length, len(self.chunks))
        shares = length / chunk_lengths[self.chunk]
        return sparse.csr_matrix(
            (shares, (np.arange(len(self)), self.chunk)), shape=(len(self), len(self.chunks))
        )

    def extents(self) -> list[Span]:
        """Each unit up to the next one, [units]: together all compared text.

        A word in which a chunk ends belongs to the unit in which it begins.
        """
        extents: list[Span] = []
        for place, index in enumerate(self.indices):
            section = self.document.sections[index]
            units = np.flatnonzero(self.section[self.chunk] == place)
            text = self.document.text[section.start : section.end]
            cuts = _between_words(text, self.starts[units[1:]] - section.start)
            edges = [section.start, *(section.start + c for c in cuts), section.end]
            extents += [Span(i, j) for i, j in pairwise(edges)]
        return extents

    def texts(self) -> list[str]:
        """The text of each of the `extents`."""
        return [self.document.text[s.start : s.end] for s in self.extents()]


def units_of(document: Document, chunks: Sequence[Chunk]) -> Units:
    """Cut a document into units, by its sentences and these chunks of it (in reading order, none crosses a section)."""
    starts: list[int] = []
    ends: list[int] = []
    of_chunk: list[int] = []
    for position, chunk in enumerate(chunks):
        inside = [
            s.start for s in document.sections[chunk.section].sentences if chunk.start < s.start < chunk.end
        ]
        edges = [chunk.start, *inside, chunk.end]
        starts += edges[:-1]
        ends += edges[1:]
        of_chunk += [position] * (len(edges) - 1)
    spans = tuple(_trimmed(document.text, i, j) for i, j in zip(starts, ends, strict=True))
    return units_from(document, spans, starts, of_chunk, chunks)


def units_from(
    document: Document,
    spans: Sequence[Span],
    starts: ArrayLike,
    chunk: ArrayLike,
    chunks: Sequence[Chunk],
) -> Units:
    """Units from their spans, with their chunks and sections; arguments as in `Units`."""
    indices = tuple(dict.fromkeys(c.section for c in chunks))
    place = {index: position for position, index in enumerate(indices)}
    return Units(
        document=document,
        spans=tuple(spans),
        starts=np.asarray(starts, dtype=np.int64),
        chunk=np.asarray(chunk, dtype=np.int64),
        chunks=tuple(chunks),
        section=np.array([place[c.section] for c in chunks], dtype=np.int64),
        sections=tuple(Span(document.sections[i].start, document.sections[i].end) for i in indices),
        indices=indices,
    )


def default_units(document: Document) -> Units:
    """Cut a document into units, by its sentences and the chunks of the default encoder."""
    return units_of(document, chunk_document(document, default_tokenizer()).chunks)


def word_shares(units: Units) -> Counts:
    """Share of each unit in the occurrences of each word: [units, BUCKETS]; columns sum to one or are empty."""
    if not len(units):
        return sparse.csr_matrix((0, BUCKETS))
    shares = counts(units.texts()).astype(np.float64)
    shares.data /= np.asarray(shares.sum(0)).ravel()[shares.indices]
    return shares


def distribute_weights(shares: Counts, weights: Counts) -> Counts:
    """Shares of words times the document's weight of each: [units, BUCKETS], [1, BUCKETS] → [units, BUCKETS].

    The rows add up to the weights.
    """
    summed = np.zeros(shares.shape[1])
    summed[weights.indices] = weights.data
    spread = shares.copy()
    spread.data = spread.data * summed[spread.indices]
    spread.eliminate_zeros()
    return spread


def contribution_maps(
    a: Units,
    b: Units,
    factors: Sequence[Factors],
    score: float,
    meaning: str,
    *,
    reference: float = 0.0,
) -> dict[str, SimilarityMap]:
    """`contribution_section`, `contribution_chunk` and, up to 4,000,000 pairs, `contribution_sentence`.

    Args:
        factors: the cells are the sum of their products; rows are units.
        meaning: a sentence for the reader on the method and its exactness.
        reference: the score of the baseline, such as empty documents.

    Returns:
        Maps whose values, reference and residual add up to the score; none where a document is empty.
    """
    if not len(a) or not len(b):
        return {}
    values: dict[Level, Float64Array | Array] = {}
    if few_sentences(_sentences(a), _sentences(b)):
        sentences = factor_products(factors)
        chunk = _summed(a.of_chunks, sentences, b.of_chunks)
        values["sentence"] = sentences
        values["chunk"] = chunk
        values["section"] = _summed(a.of_sections, chunk, b.of_sections)
    else:
        of_chunk_pairs = np.empty((len(a.chunks), len(b.chunks)), dtype=np.float32)
        sections = np.zeros((len(a.sections), len(b.chunks)))
        for part, block in factor_rows(summed_factors(factors, a, b, "chunk")).blocks():
            of_chunk_pairs[part] = block
            np.add.at(sections, a.section[part], block)
        values["chunk"] = of_chunk_pairs
        values["section"] = np.asarray((b.of_sections @ sections.T).T, dtype=np.float64)
    spans: dict[Level, tuple[tuple[Span, ...], tuple[Span, ...]]] = {
        "section": (a.sections, b.sections),
        "chunk": (a.chunks, b.chunks),
        "sentence": (a.spans, b.spans),
    }
    return {
        name: contribution_map(values[level], *spans[level], level, score, meaning, reference)
        for level, name in MAP_NAMES.items()
        if level in values
    }


def contribution_map(
    values: Float64Array | Array,
    rows: Sequence[Span],
    columns: Sequence[Span],
    level: Level,
    score: float,
    meaning: str,
    reference: float = 0.0,
) -> SimilarityMap:
    """Parts of a score as a map; its residual is the score less the parts and the reference."""
    kept = values.astype(np.float32, copy=False)
    return SimilarityMap(
        kept,
        tuple(rows),
        tuple(columns),
        "attribution",
        f"Contribution to the score, {level} by {level}: {meaning}",
        role="contribution",
        level=level,
        scale="diverging",
        reference=reference,
        residual=score - reference - float(kept.sum(dtype=np.float64)),
    )


def factor_products(factors: Sequence[Factors]) -> Float64Array:
    """The sum of the products of all factors, of which there must be one: [passages of a, passages of b]."""
    return factor_rows(factors).filled(np.float64)


def factor_rows(factors: Sequence[Factors]) -> RowMatrix:
    """`factor_products`, computed some rows at a time. There must be a factor."""
    ready = [(sparse.csr_matrix(left) if sparse.issparse(left) else left, right.T) for left, right in factors]
    left, right = factors[0]
    return RowMatrix(
        (left.shape[0], right.shape[0]),
        lambda part: np.asarray(sum(_dense(one[part] @ other) for one, other in ready), dtype=np.float64),
        width=right.shape[0],
    )


def summed_factors(factors: Sequence[Factors], a: Units, b: Units, level: Level) -> list[Factors]:
    """Factors over units, summed over the passages of a level: [passages of a, k], [passages of b, k] each."""
    groups: dict[Level, Callable[[Units], Any]] = {
        "chunk": lambda u: u.of_chunks,
        "section": lambda u: u.of_sections @ u.of_chunks,
    }
    if level not in groups:
        return list(factors)
    rows, columns = groups[level](a), groups[level](b)
    return [(rows @ left, columns @ right) for left, right in factors]


def _summed(rows: Counts, values: Float64Array, columns: Counts) -> Float64Array:
    """Values summed over groups of rows and of columns: [row groups, column groups]."""
    return np.asarray((columns @ (rows @ values).T).T, dtype=np.float64)


def _dense(values: Matrix) -> Float64Array:
    return np.asarray(values.toarray() if sparse.issparse(values) else values, dtype=np.float64)


def _grouping(group: Int64Array, number: int) -> Counts:
    ones = np.ones(len(group))
    return sparse.csr_matrix((ones, (group, np.arange(len(group)))), shape=(number, len(group)))


def _sentences(units: Units) -> int:
    return sum(len(units.document.sections[i].sentences) for i in units.indices)


def _trimmed(text: str, start: int, end: int) -> Span:
    """The passage without white space at its end; at least one character."""
    return Span(start, max(start + 1, start + len(text[start:end].rstrip())))


def _between_words(text: str, cuts: Int64Array) -> list[int]:
    """Each cut, moved to the beginning of the word that it is in."""
    words = np.array([(m.start(), m.end()) for m in _WORD.finditer(text)], dtype=np.int64).reshape(-1, 2)
    if not len(words):
        return [int(c) for c in cuts]
    word = np.maximum(np.searchsorted(words[:, 0], cuts, side="right") - 1, 0)
    inside = (words[word, 0] < cuts) & (cuts < words[word, 1])
    return [int(c) for c in np.where(inside, words[word, 0], cuts)]
