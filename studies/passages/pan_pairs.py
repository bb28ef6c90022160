"""Pairs of PAN's text alignment task of 2013 (Potthast et al.), in two halves that have no document in common."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from studies.passages.detection_measures import Case
from studies.tables import read_lines

CLEAN = "no-plagiarism"
REUSED = ("no-obfuscation", "random-obfuscation", "translation-obfuscation", "summary-obfuscation")
"""The kinds of pairs with cases of reuse."""
Half = Literal["development", "test"]


@dataclass(frozen=True, slots=True)
class PanPair:
    """A suspicious document and a source.

    Attributes:
        a, b: names of the documents.
        cases: what was taken.
    """

    name: str
    kind: str
    a: str
    b: str
    cases: tuple[Case, ...]
    half: Half


def read_pairs(folder: Path, most: int | None = None) -> list[PanPair]:
    """The pairs of `train.pairs.jsonl`.

    Args:
        most: of each kind in each half, if not all.
    """
    lines = read_lines(folder / "train.pairs.jsonl")
    links = _Links()
    for line in lines:
        links.join(line["a"], line["b"])
    groups = sorted({links.group(line["a"]) for line in lines})
    random.Random(1).shuffle(groups)
    development = set(groups[::2])
    counts: dict[tuple[str, Half], int] = {}
    pairs = []
    for line in lines:
        half: Half = "development" if links.group(line["a"]) in development else "test"
        cases = tuple(((a, a + size_a), (b, b + size_b)) for a, size_a, b, size_b in line["truth"])
        count = counts[line["kind"], half] = counts.get((line["kind"], half), 0) + 1
        if most is None or count <= most:
            pairs.append(PanPair(line["id"], line["kind"], line["a"], line["b"], cases, half))
    return pairs


class _Links:
    """Groups of documents that pairs join, each named by one of them."""

    def __init__(self) -> None:
        self._parents: dict[str, str] = {}

    def group(self, name: str) -> str:
        while (parent := self._parents.setdefault(name, name)) != name:
            name = parent
        return name

    def join(self, one: str, other: str) -> None:
        self._parents[self.group(one)] = self.group(other)


def read_documents(folder: Path) -> dict[str, str]:
    """The content of each file of `train.documents.jsonl.gz`, by name."""
    return dict(_documents(folder / "train.documents.jsonl.gz"))


def _documents(path: Path) -> Iterator[tuple[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield record["id"], record["text"]
