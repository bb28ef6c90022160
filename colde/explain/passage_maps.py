"""The two maps of passages of a pair: chunk by chunk, and sentence by sentence."""

from __future__ import annotations

from colde.results.encoding import Encoding
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.document import Document


def passage_map(values: Array, a: Encoding, b: Encoding, meaning: str, unit: str = "") -> SimilarityMap:
    """The map `passages`.

    Args:
        values: [chunks of a, of b], the strength of the strongest passage that each pair of chunks shares, in [0, 1].
        unit: by default that of a cosine.
    """
    return SimilarityMap(
        values,
        a.chunk_spans,
        b.chunk_spans,
        "cosine",
        meaning,
        role="passages",
        level="chunk",
        unit=unit,
        limits=(0.0, 1.0),
    )


def sentence_map(values: Array, a: Document, b: Document, meaning: str, unit: str = "") -> SimilarityMap:
    """The map `sentence`.

    Args:
        values: [sentences of a, of b].
        unit: by default that of a cosine.
    """
    rows, columns = (tuple(s for _, s in d.sentences()) for d in (a, b))
    return SimilarityMap(
        values, rows, columns, "cosine", meaning, role="passages", level="sentence", unit=unit
    )
