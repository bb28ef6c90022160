"""Large maps in pieces: an overview first, then the tiles that the reader opens.

Two documents of 1,000 pages have maps of three million cells, nine million characters each. A page that shows such a
map has a pixel for a dozen cells, so means of squares of cells are enough until a part is opened.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from colde.report.maps.map_names import page_maps
from colde.report.maps.packed_values import MISSING, Packed, pack, quantisation_steps, quantise
from colde.results.comparison import Comparison
from colde.results.similarity_map import Array, SimilarityMap

MAX_CELLS_AT_ONCE = 1_000_000
"""Cells of a map that is sent in one piece: sentences of two documents of about 40 pages."""
TILE = 256
"""Rows and columns of a tile: 175,000 characters at most."""
MAX_OVERVIEW = 300
"""Rows and columns of the overview at most."""
MAX_TILES_PER_MESSAGE = 24
"""Tiles in one message: 4 million characters. The page asks again for more."""
TOP_CELLS = 5
"""Greatest cells of the map that the page names."""
SCALE_SAMPLE = 100_000
"""Cells from which the lower end of a scale is estimated."""


def is_large(m: SimilarityMap) -> bool:
    """Whether a map is sent in pieces."""
    return m.form == "matrix" and m.values.size > MAX_CELLS_AT_ONCE


def map_numbers(m: SimilarityMap, steps: float) -> Packed:
    """The values of a map in steps; a passage against itself is missing, since it would be the strongest of all."""
    return _without_self_pairs(m, quantise(m.values, steps))


def overview(m: SimilarityMap, steps: float, packed: Callable[[Packed], Any]) -> dict[str, Any]:
    """Summarise a large map for the page before any tile is there.

    Args:
        packed: what stands for integers in the payload.

    Returns:
        `digest` of all values; `size` of a tile; `factor`, `coarse`: means of squares of so many cells a side, packed;
        `best`: greatest of each row and of each column; `top`: the greatest cells, row, column and value; `mean`,
        `most` and `least` value and `low`, below which one cell of a hundred lies, in steps. A passage with itself is
        left out.
    """
    numbers = map_numbers(m, steps)
    known = numbers != MISSING
    sampled = numbers.ravel()[:: max(1, numbers.size // SCALE_SAMPLE)]
    sampled = np.sort(sampled[sampled != MISSING])
    factor = -(-max(numbers.shape) // MAX_OVERVIEW)
    comparable = np.where(known, numbers, np.float32(np.nan)).astype(np.float32)
    best = [packed(numbers.max(axis)) for axis in (1, 0)]
    return {
        "digest": hashlib.sha256(numbers.tobytes()).hexdigest()[:16],
        "size": TILE,
        "factor": factor,
        "coarse": packed(_means(comparable, factor)),
        "best": {"rows": best[0], "columns": best[1]},
        "top": [[*cell, int(numbers[cell])] for cell in greatest_cells(comparable, TOP_CELLS)],
        "mean": float(comparable[known].mean(dtype=np.float64)) if known.any() else 0.0,
        "most": int(numbers.max()),
        "least": int(numbers[known].min()) if known.any() else 0,
        "low": int(sampled[int(0.01 * len(sampled))]) if len(sampled) else 0,
    }


def greatest_cells(values: Array, most: int) -> list[tuple[int, int]]:
    """Rows and columns of the greatest cells, greatest first; of equal cells the first in reading order.

    Args:
        values: [rows, columns]; NaN is left out.
    """
    flat = np.where(np.isnan(values), -np.inf, values).ravel()
    most = min(most, int(np.count_nonzero(flat > -np.inf)))
    cells = np.flatnonzero(flat >= np.partition(flat, -most)[-most]) if most else np.zeros(0, dtype=np.int64)
    order = cells[np.argsort(-flat[cells], kind="stable")][:most]
    return [divmod(k, values.shape[1]) for k in order.tolist()]


def _means(values: Array, factor: int) -> Packed:
    """The mean of each square of cells, fewer at the ends; `MISSING` where none of them has a value."""
    known = ~np.isnan(values)
    at = [np.arange(0, n, factor) for n in values.shape]

    def summed(x: NDArray[Any]) -> NDArray[np.float64]:
        rows = np.add.reduceat(x, at[0], axis=0, dtype=np.float64)
        return np.asarray(np.add.reduceat(rows, at[1], axis=1), dtype=np.float64)

    count = summed(known)
    mean = summed(np.nan_to_num(values)) / np.maximum(count, 1)
    return np.where(count > 0, np.rint(mean), MISSING).astype("<i2")


def _without_self_pairs(m: SimilarityMap, numbers: Packed, row: int = 0, column: int = 0) -> Packed:
    """The numbers of a part of a map that begins at this cell, with each passage against itself missing."""
    if m.side != "across":
        for i in range(max(row, column), min(row + numbers.shape[0], column + numbers.shape[1])):
            if (m.rows[i].start, m.rows[i].end) == (m.columns[i].start, m.columns[i].end):
                numbers[i - row, i - column] = MISSING
    return numbers


def tile(m: SimilarityMap, steps: float, number: int) -> str:
    """The packed values of a tile; tiles are numbered along the rows.

    Raises:
        IndexError: there is no such tile.
    """
    if not 0 <= number < _tile_count(m):
        raise IndexError(f"no tile {number}")
    row, column = (TILE * x for x in divmod(number, -(-m.values.shape[1] // TILE)))
    numbers = quantise(m.values[row : row + TILE, column : column + TILE], steps)
    return pack(_without_self_pairs(m, numbers, row, column))


def tiles(m: SimilarityMap) -> Iterator[str]:
    """All tiles of a map, in order."""
    steps = quantisation_steps(m.values)
    return (tile(m, steps, number) for number in range(_tile_count(m)))


def _tile_count(m: SimilarityMap) -> int:
    rows, columns = (-(-side // TILE) for side in m.values.shape)
    return int(rows * columns)


def requested_tiles(comparison: Comparison, asked: object) -> list[dict[str, Any]]:
    """The tiles that a page asks for, at most `MAX_TILES_PER_MESSAGE`; unknown maps and tiles are left out.

    Args:
        asked: plain values from the page: `[{"model", "map", "digest", "tiles": [number, …]}, …]`; the digest of the
            overview is returned with the tiles.
    """
    replies: list[dict[str, Any]] = []
    for wanted in asked if isinstance(asked, Sequence) and not isinstance(asked, str) else ():
        if not isinstance(wanted, Mapping):
            continue
        m = page_maps(comparison, str(wanted.get("model"))).get(str(wanted.get("map")))
        numbers = wanted.get("tiles")
        if m is not None and is_large(m) and isinstance(numbers, Sequence):
            about = {key: wanted.get(key) for key in ("model", "map", "digest")}
            room = MAX_TILES_PER_MESSAGE - len(replies)
            replies += [about | tile for tile in _known_tiles(m, numbers[:room])]
    return replies


def _known_tiles(m: SimilarityMap, numbers: Sequence[object]) -> Iterator[dict[str, Any]]:
    steps = quantisation_steps(m.values)
    for number in numbers:
        if isinstance(number, int) and 0 <= number < _tile_count(m):
            yield {"tile": number, "values": tile(m, steps, number)}
