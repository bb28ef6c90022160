"""Background corpus: down-weights passages that are common in unrelated documents.

“Section 3 presents …”, thanks to a funding agency, the names of a department: such passages are the most similar ones
of two unrelated documents. The background corpus holds a few sentences of each of many training documents, and gives
the similarity of other documents to a passage. `studies/explanations/background_sentences.py` makes it.
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
"""Share of the documents of a kind that reach the value of `background_similarity`."""

RARE_BELOW, COMMON_ABOVE = 0.45, 0.73
"""Background similarity up to which a passage has its full weight, and from which it has none; chosen on validation
pairs (docs/log/passages.md, "Passages: what is ordinary")."""

CELLS_PER_BLOCK = 2**22


@dataclass(frozen=True, slots=True, eq=False)
class BackgroundSentences:
    """Sentences of documents that are unrelated to those compared.

    Attributes:
        projection: [dimension, width], from vectors of the shipped encoder to those stored.
        vectors: [sentences, width], int8; times `scale` they are the projected unit vectors.
        first: [documents], the first sentence of each; sentences of a document follow each other.
        kind: [documents], rising: the corpus that each comes from.
    """

    projection: Array
    vectors: NDArray[np.int8]
    scale: float
    first: NDArray[np.int64]
    kind: NDArray[np.int64]

    @property
    def dimension(self) -> int:
        """Of the vectors of the encoder."""
        return int(self.projection.shape[0])

    def background_similarity(self, vectors: Array) -> Array:
        """The cosine that one document in fifty reaches with each sentence: [rows].

        Each document counts by its most similar sentence; of the kinds of documents, the one with the highest value.

        Args:
            vectors: [rows, dimension], of the shipped encoder, any length.
        """
        queries = normalised(vectors) @ self.projection
        corpus = self.vectors.T.astype(np.float32)
        kinds = np.split(np.arange(len(self.kind)), np.flatnonzero(np.diff(self.kind)) + 1)
        similarity = np.empty(len(queries), dtype=np.float32)
        for rows in row_blocks(len(queries), corpus.shape[1], CELLS_PER_BLOCK):
            nearest = np.maximum.reduceat(queries[rows] @ corpus, self.first, axis=1)  # [rows, documents]
            similarity[rows] = np.max([_quantile(nearest[:, kind]) for kind in kinds], axis=0)
        return similarity * np.float32(self.scale)


def _quantile(nearest: Array) -> Array:
    """The value that `SHARE` of the documents reach: [rows] of [rows, documents]."""
    place = nearest.shape[1] - 1 - int(SHARE * nearest.shape[1])
    return np.asarray(np.partition(nearest, place, axis=1)[:, place], dtype=np.float32)


def rarity(background_similarity: Array) -> Array:
    """Rarity of passages, of the same shape: 1 where few documents have similar ones, 0 where many do."""
    return np.asarray(
        np.clip((COMMON_ABOVE - background_similarity) / (COMMON_ABOVE - RARE_BELOW), 0, 1), dtype=np.float32
    )


@lru_cache(maxsize=1)
def background_sentences() -> BackgroundSentences | None:
    """The corpus that ships; None where it is missing: then no passage is down-weighted."""
    path = asset("models", "background", SENTENCES)
    return read_background(path) if path.is_file() else None


def read_background(path: Path) -> BackgroundSentences:
    """Read the file that `studies/explanations/background_sentences.py` writes."""
    from safetensors.numpy import load_file

    stored = load_file(path)
    return BackgroundSentences(
        stored["projection"].astype(np.float32),
        stored["vectors"],
        float(stored["scale"][0]),
        stored["first"].astype(np.int64),
        stored["kind"].astype(np.int64),
    )
