"""The maps of a model as a page offers them: their names, and the map that represents a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from colde.results.comparison import Comparison
from colde.results.similarity_map import Level, Role, Side, SimilarityMap
from colde.text.document import Chunk, Document, Span

LABELS: dict[Role, str] = {
    "topic": "topic similarity",
    "words": "shared vocabulary",
    "passages": "shared passages",
    "contribution": "contribution to score",
    "attention": "attention",
    "kept": "kept by the model",
    "rank": "rank",
}
"""Names of the roles of maps."""

PREFERENCE: dict[Role, int] = {
    "passages": 0,
    "topic": 1,
    "words": 1,
    "kept": 1,
    "rank": 1,
    "contribution": 2,
    "attention": 3,
}
"""Order in which maps of one level are offered, the lowest first; of equal ones the model's first."""

READER_LEVELS: dict[Level, str] = {
    "section": "section",
    "chunk": "chunk",
    "block": "chunk",
    "paragraph": "chunk",
    "window": "chunk",
    "sentence": "sentence",
    "word": "word",
}
"""The level of the page at which a map of each level is offered."""

LEVELS = tuple(dict.fromkeys(READER_LEVELS.values()))
"""Levels that a reader can choose from, the coarsest first."""

DARKER_MEANINGS: dict[Role, str] = {
    "attention": "more of the model’s attention",
    "kept": "kept through more layers",
    "rank": "ranked higher",
    "contribution": "adds more to the score",
}
"""Meaning of a darker shade of a text shaded by weights; for other roles it is a higher value."""

MAX_CELLS_BESIDE = 500_000
"""Cells of a map that is shown beside those of other models; a coarser map replaces a larger one."""

SECTION_PASSAGES = "passages_section"
"""The name of the map of shared passages by section, which is made of the one by chunk."""
SECTION_PASSAGES_MEANING = (
    "The strongest passage that two sections share: the greatest value of their chunks."
)

_WITHIN: dict[Side, str] = {"across": "", "within_a": ", A with itself", "within_b": ", B with itself"}


def map_label(m: SimilarityMap) -> str:
    """The name of a map beside others of its level: “attention, sentence hierarchy”."""
    return f"{LABELS[m.role]}, {m.label}" if m.label else LABELS[m.role]


def map_title(m: SimilarityMap) -> str:
    """The full name of a map: “sections: topic similarity, A with itself”."""
    return f"{m.level}s: {map_label(m)}{_WITHIN[m.side]}"


def representative_maps(maps: Mapping[str, SimilarityMap]) -> dict[str, str]:
    """For each level that a reader can choose, the name of the map that represents a model beside others."""
    chosen: dict[str, str] = {}
    for name, m in maps.items():
        if m.side != "across" or m.form != "matrix" or not 0 < m.values.size <= MAX_CELLS_BESIDE:
            continue
        level = READER_LEVELS[m.level]
        if level not in chosen or PREFERENCE[m.role] < PREFERENCE[maps[chosen[level]].role]:
            chosen[level] = name
    return chosen


def section_map(maps: Mapping[str, SimilarityMap]) -> SimilarityMap | None:
    """The first map of the similarity of sections across the two texts that has a value; None without one."""
    return next(
        (m for m in maps.values() if _is_section_similarity(m) and not np.isnan(m.values).all()), None
    )


def _is_section_similarity(m: SimilarityMap) -> bool:
    across_sections = m.level == "section" and m.side == "across" and m.form == "matrix"
    return across_sections and m.role in ("topic", "words") and m.values.size > 0


def page_maps(comparison: Comparison, model: str) -> dict[str, SimilarityMap]:
    """The maps of a model on the page, with that of shared passages by section where it has the one by chunk."""
    maps = dict(comparison.maps.get(model, {}))
    chunk = maps.get("passages")
    if chunk is None or chunk.role != "passages" or chunk.level != "chunk" or SECTION_PASSAGES in maps:
        return maps
    sides = (comparison.a, comparison.chunks_a), (comparison.b, comparison.chunks_b)
    if chunk.values.shape != tuple(len(chunks) for _, chunks in sides) or not chunk.values.size:
        return maps
    (rows, row_starts), (columns, column_starts) = (_sections(*side) for side in sides)
    by_row = np.fmax.reduceat(chunk.values, row_starts, axis=0)
    values = np.fmax.reduceat(by_row, column_starts, axis=1)
    section = replace(
        chunk, values=values, rows=rows, columns=columns, level="section", meaning=SECTION_PASSAGES_MEANING
    )
    return {**maps, SECTION_PASSAGES: section}


def _sections(document: Document, chunks: Sequence[Chunk]) -> tuple[tuple[Span, ...], list[int]]:
    """The sections that have chunks, and the number of the first chunk of each; no chunk crosses a section."""
    starts = [i for i, c in enumerate(chunks) if i == 0 or c.section != chunks[i - 1].section]
    sections = [document.sections[chunks[i].section] for i in starts]
    return tuple(Span(s.start, s.end) for s in sections), starts
