"""Do the cells of every contribution map add up to the score, and every level to the one below it?

    python benchmarks/completeness.py ../shared/corpora --models all --pairs 200 --words 1200

Validation pairs, as many of each corpus, related and unrelated, each document cut after so many words of whole sections
and paragraphs. Prints the greatest residual as a share of the score and of 1, and the greatest difference between a
cell and the sum of the cells inside it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from colde import models
from colde.data.corpus import read_pairs, read_records, to_document
from colde.judge.profiles import corpora
from colde.match.pipeline import compare
from colde.results.comparison import Comparison
from colde.results.maps import SimilarityMap
from colde.text.document import Document

LEVELS = ("section", "chunk", "sentence")
LEAST_SCORE = 0.05
"""A residual is a share of the score, or of this where the score is next to nothing."""


@dataclass
class Worst:
    """What was farthest off so far, over so many pairs."""

    pairs: int = 0
    share: float = 0.0
    absolute: float = 0.0
    nested: float = 0.0

    def add(self, comparison: Comparison, name: str) -> None:
        """Take in what a model said of one more pair."""
        maps = comparison.maps[name]
        own = [m for level in LEVELS if (m := maps.get(f"contribution_{level}")) is not None]
        score = next(s.score for s in comparison.results if s.name == name)
        self.pairs += 1
        for found in own:
            total = found.values.sum(dtype=np.float64) + (found.reference or 0.0)
            self.absolute = max(self.absolute, abs(total - score))
            self.share = max(self.share, abs(total - score) / max(abs(score), LEAST_SCORE))
        for outer, inner in pairwise(own):
            self.nested = max(self.nested, nested_error(outer, inner))


def nested_error(outer: SimilarityMap, inner: SimilarityMap) -> float:
    """The greatest difference between a cell of `outer` and the sum of the cells of `inner` that begin inside it."""
    rows, columns = (
        np.searchsorted([s.start for s in around], [s.start for s in inside], side="right") - 1
        for around, inside in ((outer.rows, inner.rows), (outer.columns, inner.columns))
    )
    summed = np.zeros(outer.values.shape)
    np.add.at(summed, (rows[:, None], columns[None]), inner.values)
    return float(np.abs(summed - outer.values).max(initial=0.0))


def shortened(record: dict[str, object], words: int) -> Document:
    """The beginning of a document of a corpus, in whole paragraphs."""
    left = words
    sections = []
    for section in record["sections"]:  # type: ignore[attr-defined]
        paragraphs = []
        for paragraph in section["paragraphs"]:
            if left > 0:
                paragraphs.append(paragraph)
                left -= len(paragraph.split())
        if paragraphs:
            sections.append({**section, "paragraphs": paragraphs})
    return to_document({**record, "sections": sections})


def some_pairs(folder: Path, count: int, words: int) -> list[tuple[Document, Document]]:
    """Validation pairs drawn with a fixed seed, shortened."""
    pairs = read_pairs(folder / "valid.tsv")
    chosen = [pairs[i] for i in np.random.default_rng(0).permutation(len(pairs))[:count]]
    wanted = {n for p in chosen for n in (p.source, p.target)}
    texts = {n: shortened(record, words) for n, record in read_records(folder) if n in wanted}
    return [(texts[p.source], texts[p.target]) for p in chosen]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--models", default="all")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--words", type=int, default=1_200)
    chosen = parser.parse_args(arguments)
    folders = [chosen.corpora / name for name in corpora()]
    pairs = [p for f in folders for p in some_pairs(f, -(-chosen.pairs // len(folders)), chosen.words)]
    print(
        "| | pairs | residual, share of the score | absolute | nested sums |\n| --- | --- | --- | --- | --- |"
    )
    for name in models.resolve(chosen.models):
        worst = Worst()
        for a, b in pairs:
            found = compare(a, b, [name])
            if any(k.startswith("contribution_") for k in found.maps.get(name, {})):
                worst.add(found, name)
        print(
            f"| {name} | {worst.pairs} | {100 * worst.share:.2g} % | {worst.absolute:.1g} | {worst.nested:.1g} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
