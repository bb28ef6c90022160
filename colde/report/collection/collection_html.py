"""The report of a collection: one file that asks for nothing, as that of a comparison."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import Any

import numpy as np

from colde import models as registry
from colde.judge.profiles import NONE, threshold_profile
from colde.report.formatting import clean, counted, listed, plural, shorten_apart
from colde.report.html.html_page import html_page, template_file
from colde.report.html.html_report import to_html
from colde.report.wording.verdict import describe_corpora
from colde.results.collection import Collection
from colde.results.comparison import Comparison
from colde.results.similarity_map import Array
from colde.text.word_lists.language_names import language_name

MAX_NAMED_ROWS = 60
"""Documents up to which each row of the matrix has its name beside it."""
MATRIX_SIDE, TREE_WIDTH, NAMES_WIDTH = 600, 120, 300
"""Sizes in the drawing of matrix, tree and names."""
MAX_NAME = 48  # characters of a name beside the matrix
DARK = np.array([16, 62, 110], np.float32)
LIGHT = np.array([246, 248, 250], np.float32)
MIN_PIXELS = 480
"""Pixels a side at least; each cell is a whole number of them."""


def collection_html(
    collection: Collection, detailed_pairs: Sequence[tuple[int, int, Comparison]] = ()
) -> str:
    """The collection as one self-contained HTML page.

    Args:
        detailed_pairs: pairs whose full comparison stands in the page, by the numbers of their documents.
    """
    pages = html_page(
        "collection.html.j2",
        css=template_file("collection.css"),
        collection=collection,
        summary=summary(collection),
        basis=_basis(collection),
        matrix=_matrix(collection),
        linked={(a, b) for a, b, _ in detailed_pairs},
        pair_pages=((a, b, to_html(comparison)) for a, b, comparison in detailed_pairs),
    )
    return "".join(pages)


def summary(collection: Collection) -> str:
    """Clusters, unclustered documents and duplicates in two sentences."""
    alone = sum(len(cluster) == 1 for cluster in collection.clusters)
    text = f"{counted(len(collection.groups), 'cluster')}, {counted(alone, 'unclustered document')}."
    if collection.duplicates:
        text += f" {sum(map(len, collection.duplicates))} documents are nearly the same as another."
    return text + _languages(collection)


def _languages(collection: Collection) -> str:
    """Sentence on the documents that the threshold does not hold for; empty without any."""
    unread = [collection.documents[i].language for i in collection.unread_languages]
    if not unread or collection.threshold is None:
        return ""
    names = listed([language_name(code) for code in dict.fromkeys(unread) if code])
    return (
        f" {counted(len(unread), 'document')} {plural(len(unread), 'is', 'are')} in {names}: "
        f"{plural(len(unread), 'its', 'their')} pairs have no probability, and only documents of nearly the same "
        "text form a cluster."
    )


def _basis(collection: Collection) -> str:
    title = registry.card(collection.models[0]).title
    if collection.threshold is None:
        threshold = f"No threshold, so no clusters and no probabilities: {collection.no_verdict}."
    else:
        chosen = "is the median of the thresholds of all pairs, each of which depends on the two documents"
        if collection.common_profile != NONE or collection.corpora:
            profile = threshold_profile(collection.common_profile)
            corpora = describe_corpora(collection.models[0], profile, collection.corpora)
            corpora = corpora or "corpora that its checkpoint does not record"
            chosen = f"was chosen on validation pairs of {corpora} (profile {profile})"
        threshold = (
            f"Two clusters are joined if their mean score reaches the threshold {collection.threshold:.2f}, which "
            f"{chosen}."
        )
    return (
        f"By {title}; a score is computed from two texts alone. {threshold} Similar documents need not be copied "
        "from each other: read them and decide yourself."
    )


def _matrix(collection: Collection) -> dict[str, Any]:
    order = collection.order
    scores = collection.scores[collection.models[0]][np.ix_(order, order)]
    named = order if len(order) <= MAX_NAMED_ROWS else ()
    names = shorten_apart([clean(name) for name in collection.names], MAX_NAME)
    row = MATRIX_SIDE / len(order)

    def point(x: float, y: float) -> str:
        return f"{TREE_WIDTH - x * (TREE_WIDTH - 4):.1f} {y * MATRIX_SIDE:.1f}"

    return {
        "left": TREE_WIDTH,
        "side": MATRIX_SIDE,
        "width": TREE_WIDTH + MATRIX_SIDE + (NAMES_WIDTH if named else 0),
        "image": matrix_png(scores),
        "tree": " ".join(
            f"M{point(x0, y0)}L{point(x1, y1)}" for x0, y0, x1, y1 in tree_lines(collection.merges, order)
        ),
        "names": [((k + 0.5) * row + 4, names[i]) for k, i in enumerate(named)],
        "label": f"Scores of {len(order)} documents with each other, in the order of the tree; darker cells are "
        "higher scores" + ("" if named else f"; names are shown for at most {MAX_NAMED_ROWS} documents"),
    }


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
