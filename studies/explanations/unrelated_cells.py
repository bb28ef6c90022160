"""How high the cells of maps are between unrelated documents: the tick in the legend of every map.

    python -m studies.explanations.unrelated_cells CORPORA --output assets/unrelated_cells.json

Takes some documents of each corpus's validation pairs, compares all their pairs that are not labelled as related, and
keeps the 95th percentile of the cells of each map, every pair counted alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np

from colde import models
from colde.comparison import pipeline
from colde.corpus.corpus_folder import read_pairs
from colde.report.maps.map_colours import figure_key
from colde.report.maps.map_names import page_maps
from colde.results.comparison import Comparison
from colde.text.document import Document
from studies.arguments import command_line
from studies.corpora import documents_by_name
from studies.release.made_with import record

SHARE = 95
"""Percentile of the cells."""
QUANTILES = np.linspace(0.0, 100.0, 401)
"""What is kept of each pair, so that a pair of long documents does not outweigh the others."""


Quantiles = dict[str, dict[str, list[np.ndarray]]]
"""By model and map, the quantiles of the cells of each pair."""


def unrelated_pairs(folder: Path, count: int, seed: int) -> Iterator[tuple[Document, Document]]:
    """All pairs of some validation documents that are not labelled as related."""
    pairs = read_pairs(folder / "valid.tsv")
    related = {frozenset((p.source, p.target)) for p in pairs if p.label}
    names = sorted({n for p in pairs for n in (p.source, p.target)})
    chosen = set(np.random.default_rng(seed).choice(names, count, replace=False).tolist())
    documents = documents_by_name(folder, chosen)
    for a, b in combinations(sorted(documents), 2):
        if frozenset((a, b)) not in related:
            yield documents[a], documents[b]


def add_quantiles(comparison: Comparison, by_model: Quantiles) -> None:
    for model in comparison.maps:
        for m in page_maps(comparison, model).values():
            key, values = figure_key(m), m.values[np.isfinite(m.values)]
            if key is not None and values.size:
                quantiles = np.percentile(values, QUANTILES)
                by_model.setdefault(model, {}).setdefault(key, []).append(quantiles)


def main() -> None:
    parser = command_line(__doc__, "corpora", "--seed")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=4, help="of each corpus")
    asked = parser.parse_args()
    by_model: Quantiles = {}
    pairs_done = 0
    for folder in sorted(p for p in asked.corpora.iterdir() if (p / "valid.tsv").exists()):
        for a, b in unrelated_pairs(folder, asked.documents, asked.seed):
            add_quantiles(pipeline.compare(a, b, models.DEFAULTS, "general"), by_model)
            pairs_done += 1
            print(f"{folder.name}: {a.title} × {b.title}", flush=True)
    table = {
        model: {
            key: round(float(np.percentile(np.concatenate(q), SHARE)), 4) for key, q in sorted(maps.items())
        }
        for model, maps in sorted(by_model.items())
    }
    contents = {"percentile": SHARE, "pairs": pairs_done, "seed": asked.seed, "models": table}
    asked.output.write_text(json.dumps(contents, indent=2) + "\n", encoding="utf-8")
    record(asked.output)


if __name__ == "__main__":
    main()
