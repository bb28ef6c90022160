"""The matrix of a collection as a picture, and its tree as lines, for pages without a library."""

from __future__ import annotations

import base64
import io

import numpy as np

from colde.results.similarity_map import Array

DARK = np.array([16, 62, 110], np.float32)
LIGHT = np.array([246, 248, 250], np.float32)
MIN_PIXELS = 480
"""Pixels a side at least; each cell is a whole number of them."""


def matrix_png(scores: Array) -> str:
    """A data URL of the matrix, from light (the lowest score or 0) to dark (1), a square a cell.

    Args:
        scores: [documents, documents], already in the order to show.
    """
    from PIL import Image

    low = min(0.0, float(np.min(scores)))
    share = np.clip((scores - low) / max(1.0 - low, 1e-9), 0.0, 1.0)[..., None]
    colours = (LIGHT + (DARK - LIGHT) * share).round().astype(np.uint8)
    size = max(1, -(-MIN_PIXELS // len(scores)))
    picture = Image.fromarray(np.kron(colours, np.ones((size, size, 1), np.uint8)), "RGB")
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"


def tree_lines(merges: Array, order: tuple[int, ...]) -> list[tuple[float, float, float, float]]:
    """The tree as lines x0, y0, x1, y1 in [0, 1]: y along the documents in their order, x from 0 at the leaves.

    Args:
        merges: a linkage of scipy: two nodes, the height at which they join, and their count.
    """
    count = len(order)
    top = float(merges[-1, 2]) if len(merges) else 0.0
    top = top or 1.0
    place = {node: ((at + 0.5) / count, 0.0) for at, node in enumerate(order)}
    lines = []
    for k, (left, right, height, _) in enumerate(merges):
        (y0, x0), (y1, x1) = place[int(left)], place[int(right)]
        x = float(height) / top
        lines += [(x0, y0, x, y0), (x1, y1, x, y1), (x, y0, x, y1)]
        place[count + k] = ((y0 + y1) / 2, x)
    return lines
