"""The main rows of docs/results.md: mean ± standard deviation over the checkpoints of several seeds.

colde train colde --corpus … --seed N --output runs/colde-sN        for each seed, then
python benchmarks/main_rows.py runs/colde-s0 runs/colde-s1 runs/colde-s2
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from colde.models.checkpoint import read_config

PROFILES = ("papers", "encyclopedia", "proposals", "textbooks", "general")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkpoints", type=Path, nargs="+")
    folders = parser.parse_args(arguments).checkpoints
    stored = [read_config(folder) for folder in folders]
    print(f"{stored[0].name}, {len(folders)} seeds, accuracy / ROC AUC on validation pairs")
    for name in PROFILES:
        cells = []
        for measure in ("accuracy", "auc"):
            values = [float(s.profiles[name].measured[measure]) for s in stored]
            cells.append(f"{np.mean(values):.3f} ± {np.std(values, ddof=min(1, len(values) - 1)):.3f}")
        print(f"| {name} | {' / '.join(cells)} |")


if __name__ == "__main__":
    main()
