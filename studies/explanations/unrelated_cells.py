"""How high the cells of maps are between unrelated documents: the tick in the legend of every map.

    python -m studies.explanations.unrelated_cells CORPORA --output assets/unrelated_cells.json

Takes some documents of each corpus's validation pairs, compares all their pairs that are not labelled as related, and
keeps the 95th percentile of the cells of each map, every pair counted alike.
"""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import click
import numpy as np

from colde import models
from colde.comparison import pipeline
from colde.corpus.corpus_folder import read_pairs, read_records, record_to_document
from colde.report.unrelated_percentiles import figure_key
from studies.release.made_with import record

SHARE = 95
"""Percentile of the cells."""
QUANTILES = np.linspace(0.0, 100.0, 401)
"""What is kept of each pair, so that a pair of long documents does not outweigh the others."""


@click.command()
@click.argument("corpora", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), required=True)
@click.option("--documents", "count", default=4, help="Documents of each corpus.")
@click.option("--seed", default=0)
def main(corpora: Path, output: Path, count: int, seed: int) -> None:
    """Measure the cells of unrelated pairs."""
    found: dict[str, dict[str, list[np.ndarray]]] = {}
    pairs_done = 0
    for folder in sorted(p for p in corpora.iterdir() if (p / "valid.tsv").exists()):
        pairs = read_pairs(folder / "valid.tsv")
        related = {frozenset((p.source, p.target)) for p in pairs if p.label}
        names = sorted({n for p in pairs for n in (p.source, p.target)})
        chosen = set(np.random.default_rng(seed).choice(names, count, replace=False).tolist())
        documents = {
            name: record_to_document(record) for name, record in read_records(folder) if name in chosen
        }
        for a, b in combinations(sorted(documents), 2):
            if frozenset((a, b)) in related:
                continue
            comparison = pipeline.compare(documents[a], documents[b], models.DEFAULTS, "general")
            for model, maps in comparison.maps.items():
                for m in maps.values():
                    key, values = figure_key(m), m.values[np.isfinite(m.values)]
                    if key is not None and values.size:
                        found.setdefault(model, {}).setdefault(key, []).append(
                            np.percentile(values, QUANTILES)
                        )
            pairs_done += 1
            click.echo(f"{folder.name}: {a} × {b}", err=True)
    table = {
        model: {
            key: round(float(np.percentile(np.concatenate(q), SHARE)), 4) for key, q in sorted(maps.items())
        }
        for model, maps in sorted(found.items())
    }
    whole = {"percentile": SHARE, "pairs": pairs_done, "seed": seed, "models": table}
    output.write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
    record(output)


if __name__ == "__main__":
    main()
