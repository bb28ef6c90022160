"""How long a reader waits: seconds from two files to texts, to the first cells of the heatmap, to everything.

python benchmarks/first_map.py A B
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import colde
from colde import models
from colde.encoders.runtime import runtime
from colde.results.progress import Progress


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("a", type=Path)
    parser.add_argument("b", type=Path)
    chosen = parser.parse_args()
    loaded = {
        name: models.load(name) for name in models.DEFAULTS
    }  # "after start": the explorer warms them up
    begun = time.perf_counter()
    marks: dict[str, float] = {}

    def mark(name: str) -> None:
        marks.setdefault(name, time.perf_counter() - begun)

    def watch(progress: Progress) -> None:
        for found in progress.partial.values():
            known = ~np.isnan(found.values)
            if known.any():
                mark("first cells of the section map")
            if known.all():
                mark("whole section map")

    a, b = colde.read(chosen.a), colde.read(chosen.b)
    mark("texts read")
    for comparison in colde.compare_steps(a, b, on_progress=watch, loader=loaded.__getitem__):
        if comparison.results:
            mark("first score")
    mark("everything")
    tokens = sum(r.tokens for r in (comparison.results[0].read_a, comparison.results[0].read_b))
    print(f"{a.pages} and {b.pages} pages, {tokens} tokens, {runtime()}")
    for name, seconds in marks.items():
        print(f"{seconds:7.2f} s  {name}")


if __name__ == "__main__":
    main()
