"""How ordinary a passage is: what many unrelated documents say, too, is no link between two of them.

“Section 3 presents …”, thanks to a funding agency, the names of a department: such passages are the nearest ones of
two documents that have nothing to do with each other. A background of sentences of training documents, a few from
each, says how near other documents come to a passage. `studies/explanations/background_sentences.py` makes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from colde.assets import asset
from colde.encoders.vector_math import normalised
from colde.results.similarity_map import Array
from colde.row_blocks import row_blocks

SENTENCES = "sentences.safetensors"
SHARE = 0.02
"""Of the documents of a kind: so many come as near to a passage as `background_similarity` says."""

RARE_BELOW, COMMON_ABOVE = 0.45, 0.73
"""Nearness up to which a passage counts whole, and from which it counts nothing; chosen on validation pairs
(docs/results.md, "Passages: what is ordinary")."""

CELLS_PER_BLOCK = 2**22


@dataclass(frozen=True, slots=True, eq=False)
class BackgroundSentences:
    """Sentences of documents that have nothing to do with those compared.

    Attributes:
        projection: [dimension, width], from vectors of the packaged encoder to those kept.
        vectors: [sentences, width], int8; times `scale` they are the projected unit vectors.
        first: [documents], the first sentence of each; sentences of a document follow each other.
        kind: [documents], rising: the corpus it comes from.
    """

    projection: Array
    vectors: NDArray[np.int8]
    scale: float
    first: NDArray[np.int64]
    kind: NDArray[np.int64]

    @property
    def dimension(self) -> int:
        """Of the vectors that can be asked about."""
        return int(self.projection.shape[0])

    def background_similarity(self, vectors: Array) -> Array:
        """How near one document in fifty comes to each sentence, where it is most common: [rows].

        For each document its nearest sentence counts, and the kind of documents where such sentences are most common.

        Args:
            vectors: [rows, dimension], of the encoder as it came, any length.
        """
        asked = normalised(vectors) @ self.projection
        known = self.vectors.T.astype(np.float32)
        kinds = np.split(np.arange(len(self.kind)), np.flatnonzero(np.diff(self.kind)) + 1)
        found = np.empty(len(asked), dtype=np.float32)
        for rows in row_blocks(len(asked), known.shape[1], CELLS_PER_BLOCK):
            nearest = np.maximum.reduceat(asked[rows] @ known, self.first, axis=1)  # [rows, documents]
            found[rows] = np.max([_quantile(nearest[:, own]) for own in kinds], axis=0)
        return found * np.float32(self.scale)


def _quantile(nearest: Array) -> Array:
    """What `SHARE` of the documents reach: [rows] of [rows, documents]."""
    place = nearest.shape[1] - 1 - int(SHARE * nearest.shape[1])
    return np.asarray(np.partition(nearest, place, axis=1)[:, place], dtype=np.float32)


def rarity(background_similarity: Array) -> Array:
    """How unusual a passage is, of the same shape: 1 where others seldom say the like, 0 where many do."""
    return np.asarray(
        np.clip((COMMON_ABOVE - background_similarity) / (COMMON_ABOVE - RARE_BELOW), 0, 1), dtype=np.float32
    )


@lru_cache(maxsize=1)
def background_sentences() -> BackgroundSentences | None:
    """Those that ship with the program; None where they are missing: then nothing is called ordinary."""
    path = asset("models", "background", SENTENCES)
    return read_background(path) if path.is_file() else None


def read_background(path: Path) -> BackgroundSentences:
    """Read the file that `studies/explanations/background_sentences.py` writes."""
    from safetensors.numpy import load_file

    kept = load_file(path)
    return BackgroundSentences(
        kept["projection"].astype(np.float32),
        kept["vectors"],
        float(kept["scale"][0]),
        kept["first"].astype(np.int64),
        kept["kind"].astype(np.int64),
    )
