"""Corpora that tests write: given documents and pairs, or a toy corpus on a few subjects."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Pair = tuple[str, str, int | str]
"""Source, target and label."""

SUBJECTS = {
    "tides": "tide moon harbour current ebb flood shore pilot estuary swell",
    "bread": "flour yeast oven crust dough loaf knead baker rye starter",
    "clocks": "spring escapement pendulum gear hour dial chime winding brass balance",
    "bees": "hive queen nectar comb swarm drone pollen keeper smoke wax",
}


def record(name: str, *paragraphs: str, heading: str = "", title: str = "") -> dict[str, Any]:
    """A document of one section, as a line of documents.jsonl.gz."""
    return {"id": name, "title": title, "sections": [{"heading": heading, "paragraphs": list(paragraphs)}]}


def write_corpus(folder: Path, records: Iterable[Mapping[str, Any]], **splits: Iterable[Pair]) -> Path:
    """Write a corpus folder with a table of pairs for each split: `valid=[("a", "b", 1)]` is valid.tsv."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps(r) + "\n" for r in records)
    (folder / "documents.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    for split, pairs in splits.items():
        rows = "".join(f"{source}\t{target}\t{label}\n" for source, target, label in pairs)
        (folder / f"{split}.tsv").write_text("source\ttarget\tlabel\n" + rows, encoding="utf-8")
    return folder


def toy_corpus(
    folder: Path,
    subjects: Sequence[str] = tuple(SUBJECTS),
    documents: int = 12,
    sections: int = 1,
    seed: int = 0,
    *,
    paragraphs: tuple[int, int] = (1, 1),
    words: int = 12,
    filler: Sequence[str] = (),
    train: int = 80,
    valid: int = 40,
) -> Path:
    """Write a corpus in which two documents are similar exactly if they are on one subject.

    Args:
        documents: of each subject; sections: of each document.
        paragraphs: fewest and most of a section; words: of a paragraph, drawn from the subject's and the filler.
        train, valid: similar pairs in each table; there are as many that are not similar.
    """
    random = np.random.default_rng(seed)
    names = [(f"{subject}-{i}", subject) for i in range(documents) for subject in subjects]

    def section(subject: str) -> dict[str, Any]:
        vocabulary = [*SUBJECTS[subject].split(), *filler]
        count = random.integers(paragraphs[0], paragraphs[1] + 1)
        texts = [
            " ".join(random.choice(vocabulary, words)).capitalize() + ". It is so." for _ in range(count)
        ]
        return {"heading": "Section", "paragraphs": texts}

    records = [
        {"id": name, "title": name, "sections": [section(subject) for _ in range(sections)]}
        for name, subject in names
    ]
    pairs = [(a, b, int(s == t)) for a, s in names for b, t in names if a < b]
    shuffled = [pairs[i] for i in random.permutation(len(pairs))]
    similar, different = ([p for p in shuffled if p[2] == label] for label in (1, 0))
    both = slice(train, train + valid)
    return write_corpus(
        folder,
        records,
        train=[*similar[:train], *different[:train]],
        valid=[*similar[both], *different[both]],
    )
