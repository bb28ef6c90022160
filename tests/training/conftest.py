"""A corpus small enough to train on in a test."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

SUBJECTS = {
    "tides": "tide moon harbour current ebb flood shore pilot estuary swell",
    "bread": "flour yeast oven crust dough loaf knead baker rye starter",
    "clocks": "spring escapement pendulum gear hour dial chime winding brass balance",
    "bees": "hive queen nectar comb swarm drone pollen keeper smoke wax",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """48 documents on four subjects; two of one subject are similar."""
    folder = tmp_path_factory.mktemp("corpus") / "toy"
    folder.mkdir()
    random = np.random.default_rng(0)
    names = [(f"{s}-{i}", s) for i in range(12) for s in SUBJECTS]
    with gzip.open(folder / "documents.jsonl.gz", "wt", encoding="utf-8") as out:
        for name, subject in names:
            words = SUBJECTS[subject].split()
            paragraphs = [" ".join(random.choice(words, 12)) + "." for _ in range(3)]
            sections = [{"heading": h, "paragraphs": paragraphs} for h in ("First", "Second")]
            out.write(json.dumps({"id": name, "title": name, "sections": sections}) + "\n")
    rows = [(a, b, int(s == t)) for a, s in names for b, t in names if a < b]
    chosen = [rows[i] for i in random.permutation(len(rows))]
    alike = [r for r in chosen if r[2]][:120]
    other = [r for r in chosen if not r[2]][:120]
    for split, part in (("train", slice(0, 80)), ("valid", slice(80, 120))):
        lines = [f"{a}\t{b}\t{y}\n" for a, b, y in (*alike[part], *other[part])]
        (folder / f"{split}.tsv").write_text("source\ttarget\tlabel\n" + "".join(lines), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def settings(corpus: Path) -> Path:
    path = corpus.parent / "settings.json"
    training = {"steps": 12, "pairs": 32, "validate_every": 4}
    path.write_text(
        json.dumps({"training": training, "sentences": str(corpus.parent / "sentences")}), encoding="utf-8"
    )
    return path
