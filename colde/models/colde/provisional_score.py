"""Score of a pair while CoLDE still reads: over the sentences read so far, with how far it may move.

Sentences are read in an order that is spread over both documents (`Embedder.batches`), so that those read so far are a
sample of each. The score is the one of the shorter documents that they make.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from colde.encoders.sentence_layout import Sentences
from colde.encoders.vector_math import normalised
from colde.models.colde.condensed import restore
from colde.models.colde.document_encoding import ColdeEncoding
from colde.models.colde.embedding import Embedder
from colde.models.colde.explanation import attend_pair
from colde.results.progress import Provisional
from colde.results.similarity_map import Array

Known: TypeAlias = np.ndarray[tuple[int], np.dtype[np.bool_]]
"""[sentences], True where a sentence is read."""

FIRST_SHARE = 0.25
"""Share of both documents that is read before anything is said."""

MEAN_RISE, RISE_DEVIATION = 0.029, 0.061
"""Mean of the whole score less the one of a quarter, and the deviation from it in the kind that moves most.

Measured over 3,095 validation pairs of documents of 6,000 tokens at most (studies/accuracy/provisional_scores.py):
less moves where documents are longer.
"""


def remaining_uncertainty(share: float) -> float:
    """Uncertainty that a sample of this share leaves, 1 for a quarter.

    A mean over a sample drawn without replacement has a variance that goes with (1 − share) / share; the cosine of two
    means that vary is too low by as much.
    """
    return (1 - share) / share / 3


def provisional(embedder: Embedder, found: Sequence[Sentences], read: Sequence[Array]) -> Provisional | None:
    """The score of two documents so far; None before a quarter of either is read, and when all is.

    Args:
        read: unit vectors of the sentences of each document, NaN where not read yet.
    """
    known = [~np.isnan(values[:, 0]) for values in read]
    share = min(f.tokens[k].sum() / max(f.tokens.sum(), 1) for f, k in zip(found, known, strict=True))
    if len(found) != 2 or share < FIRST_SHARE or all(k.all() for k in known):
        return None
    a, b = (partial_encoding(embedder, f, v, k) for f, v, k in zip(found, read, known, strict=True))
    left = remaining_uncertainty(float(share))
    score = min(attend_pair(embedder.network, a, b).score + MEAN_RISE * left, 1.0)
    return Provisional(score=score, spread=RISE_DEVIATION * float(left**0.5), read=float(share))


def partial_encoding(embedder: Embedder, found: Sentences, values: Array, known: Known) -> ColdeEncoding:
    """An encoding for scores alone, of these sentences of a document and the segments that they stand in."""
    rows = np.flatnonzero(known)
    there, segment = np.unique(found.segment[rows], return_inverse=True)
    some = replace(
        found,
        spans=tuple(found.spans[i] for i in rows),
        ids=tuple(found.ids[i] for i in rows),
        tokens=found.tokens[rows],
        section=found.section[rows],
        chunk=found.chunk[rows],
        source=found.source[rows],
        segment=segment,
        segment_chunk=found.segment_chunk[there],
    )
    embedded = embedder.embed(some, values[rows])
    vector = normalised(embedded.parts.sum(0))
    return restore(embedder.network, {"vector": vector, "states": embedded.states, "mass": embedded.mass})
