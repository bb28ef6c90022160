"""The map of shared passages by section, from the one by chunk: the coarsest level of the measure on the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from colde.results.comparison import Comparison
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Chunk, Document, Span

NAME = "passages_section"
"""The name of the map beside the others of its model."""
MEANING = "The strongest passage that two sections share: the greatest value of their chunks."


def page_maps(comparison: Comparison, model: str) -> dict[str, SimilarityMap]:
    """The maps of a model on the page, with that of shared passages by section where it has the one by chunk."""
    maps = dict(comparison.maps.get(model, {}))
    chunk = maps.get("passages")
    if chunk is None or chunk.role != "passages" or chunk.level != "chunk" or NAME in maps:
        return maps
    sides = (comparison.a, comparison.chunks_a), (comparison.b, comparison.chunks_b)
    if chunk.values.shape != tuple(len(chunks) for _, chunks in sides) or not chunk.values.size:
        return maps
    (rows, row_starts), (columns, column_starts) = (_sections(*side) for side in sides)
    by_row = np.fmax.reduceat(chunk.values, row_starts, axis=0)
    values = np.fmax.reduceat(by_row, column_starts, axis=1)
    section = replace(chunk, values=values, rows=rows, columns=columns, level="section", meaning=MEANING)
    return {**maps, NAME: section}


def _sections(document: Document, chunks: Sequence[Chunk]) -> tuple[tuple[Span, ...], list[int]]:
    """The sections that have chunks, and the number of the first chunk of each; no chunk crosses a section."""
    starts = [i for i, c in enumerate(chunks) if i == 0 or c.section != chunks[i - 1].section]
    sections = [document.sections[chunks[i].section] for i in starts]
    return tuple(Span(s.start, s.end) for s in sections), starts
