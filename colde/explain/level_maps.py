"""Maps over the sections, chunks or sentences of two encodings, for every model that has vectors."""

from __future__ import annotations

from typing import Literal

from colde.encoders.vector_math import cosines
from colde.results.encoding import Encoding
from colde.results.similarity_map import Array, MapKind, Role, Side, SimilarityMap, sides
from colde.text.document import Document


def level_map(
    level: Literal["section", "chunk"],
    a: Encoding,
    b: Encoding,
    meaning: str,
    *,
    values: Array | None = None,
    kind: MapKind = "cosine",
    role: Role = "topic",
    side: Side = "across",
    limits: tuple[float, float] | None = None,
) -> SimilarityMap:
    """The map of a level: [sections or chunks of a, of b].

    Args:
        values: what a cell holds; by default the cosine of the vectors, which both encodings must then have.
        meaning, kind, role, side, limits: as in `SimilarityMap`.
    """
    if level == "section":
        left, right, rows, columns = a.sections, b.sections, a.section_spans, b.section_spans
    else:
        left, right, rows, columns = a.chunks, b.chunks, a.chunk_spans, b.chunk_spans
    if values is None:
        assert left is not None and right is not None
        values = cosines(left, right)
    return SimilarityMap(
        values, rows, columns, kind, meaning, role=role, level=level, side=side, limits=limits
    )


def topic_maps(a: Encoding, b: Encoding, section: str, chunk: str, within: str) -> dict[str, SimilarityMap]:
    """`section` and `chunk` across and within the documents, as cosines of their vectors.

    Args:
        section, chunk, within: the meanings of the maps.
    """
    maps = {
        "section": level_map("section", a, b, section),
        "chunk": level_map("chunk", a, b, chunk),
    }
    for side, e in sides(a, b):
        maps[f"{side}_section"] = level_map("section", e, e, within, side=side)
        maps[f"{side}_chunk"] = level_map("chunk", e, e, within, side=side)
    return maps


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
