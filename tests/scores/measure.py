"""Scores, maps, passages and splits of fixed pairs by all trained models, in float32 on one thread.

`make scores` writes them to values.json.gz. A change that alters them on purpose runs it and gives the reason in its
commit message.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

ENVIRONMENT = {"COLDE_PRECISION": "float32", "OMP_NUM_THREADS": "1", "COLDE_CACHE": "off"}
FOLDER = Path(__file__).parent
VALUES = FOLDER / "values.json.gz"
PAIRS = ("contract", "paper", "news")
ON_NEWS_ALONE = ("cross_encoder", "match_ignition", "smash_rnn")
"""Models that take seconds for a pair, measured on one: they are least certain of it, and its values move most."""
DIGITS = 6


@cache
def load(name: str) -> Any:
    """A model, loaded once for all pairs."""
    from colde import models

    return models.load(name)


def measure(pair: str) -> dict[str, Any]:
    """The values of one pair: {kind: {name: number, or rows of numbers}}."""
    import colde
    from colde.models import resolve

    a, b = (colde.read(FOLDER / "texts" / f"{pair}_{side}.md") for side in "ab")
    names = [name for name in resolve("all") if pair == "news" or name not in ON_NEWS_ALONE]
    result = json.loads(colde.compare(a, b, models=names, profile="general", loader=load).to_json())
    return {
        "scores": {m["name"]: m["score"] for m in result["models"]},
        "probabilities": {m["name"]: m["probability"] for m in result["models"]},
        "maps": {f"{m}/{k}": v["values"] for m, maps in result["maps"].items() for k, v in maps.items()},
        "passages": {
            "{start}-{end} ".format(**p["a"]) + "{start}-{end} ".format(**p["b"]) + p["kind"]: p["certainty"]
            for p in result["shared"]["passages"]
        },
        "split": result["split"],
    }


def rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return [rounded(v) for v in value] if isinstance(value, list) else value


if __name__ == "__main__":
    os.environ.update(ENVIRONMENT)
    import torch

    torch.set_num_threads(1)
    text = json.dumps({pair: rounded(measure(pair)) for pair in PAIRS}, separators=(",", ":"))
    if "--write" in sys.argv:
        VALUES.write_bytes(gzip.compress(text.encode(), mtime=0))
    else:
        sys.stdout.write(text)
