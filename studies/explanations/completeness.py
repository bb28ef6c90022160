"""Do the cells of every contribution map add up to the score, and every level to the one below it?

    python -m studies.explanations.completeness ../shared/corpora --models all --words 1200 --lines complete.jsonl

Validation pairs, as many of each corpus, related and unrelated, each document cut after so many words of whole sections
and paragraphs. Prints the greatest residual as a share of the score and of 1, and the greatest difference between a
cell and the sum of the cells inside it. With `--lines` a line a pair and model is kept, figures only, and a run that
was stopped goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, zip_longest
from pathlib import Path

import numpy as np

from colde import models
from colde.comparison.pipeline import compare
from colde.corpus.corpus_folder import read_pairs, read_records, record_to_document
from colde.explain.contribution import nesting_error
from colde.judge.profiles import corpora
from colde.results.comparison import Comparison
from colde.text.document import Document
from studies.arguments import command_line

LEVELS = ("section", "chunk", "sentence")
LEAST_SCORE = 0.05
"""A residual is a share of the score, or of this where the score is next to nothing."""


@dataclass(frozen=True, slots=True)
class CompletenessResult:
    """How far off the maps of one pair are.

    Attributes:
        share: the residual as a share of the score; absolute: itself; nested: as in `nesting_error`.
    """

    share: float
    absolute: float
    nested: float


def measured(comparison: Comparison, name: str) -> CompletenessResult | None:
    """How far off what a model says of a pair is; None where it has no contribution map."""
    maps = comparison.maps.get(name, {})
    own = [m for level in LEVELS if (m := maps.get(f"contribution_{level}")) is not None]
    if not own:
        return None
    score = next(s.score for s in comparison.results if s.name == name)
    owed = [abs(m.values.sum(dtype=np.float64) + (m.reference or 0.0) - score) for m in own]
    nested = max((nesting_error(outer, inner) for outer, inner in pairwise(own)), default=0.0)
    return CompletenessResult(float(max(owed) / max(abs(score), LEAST_SCORE)), float(max(owed)), nested)


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
    return record_to_document({**record, "sections": sections})


def read_related_and_unrelated(folder: Path, count: int, words: int) -> list[tuple[Document, Document]]:
    """Validation pairs drawn with a fixed seed, shortened."""
    pairs = read_pairs(folder / "valid.tsv")
    chosen = [pairs[i] for i in np.random.default_rng(0).permutation(len(pairs))[:count]]
    wanted = {n for p in chosen for n in (p.source, p.target)}
    texts = {n: shortened(record, words) for n, record in read_records(folder) if n in wanted}
    return [(texts[p.source], texts[p.target]) for p in chosen]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--models", default="all")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--words", type=int, default=1_200)
    parser.add_argument("--lines", type=Path, help="JSON lines, added to")
    chosen = parser.parse_args(arguments)
    folders = [chosen.corpora / name for name in corpora()]
    drawn = [read_related_and_unrelated(f, -(-chosen.pairs // len(folders)), chosen.words) for f in folders]
    pairs = [
        p for p in chain(*zip_longest(*drawn)) if p is not None
    ]  # a corpus in turn: any beginning is a sample
    known = kept(chosen.lines)
    print(
        "| | pairs | residual, share of the score | absolute | nested sums |\n| --- | --- | --- | --- | --- |"
    )
    for name in models.resolve(chosen.models):
        found = []
        for number, (a, b) in enumerate(pairs):
            place = name, chosen.words, number
            if place not in known:
                known[place] = measured(compare(a, b, [name]), name)
                keep(chosen.lines, place, known[place])
            if (one := known[place]) is not None:
                found.append(one)
        print(row(name, found), flush=True)


def row(name: str, found: Sequence[CompletenessResult]) -> str:
    """What was farthest off of all pairs, as a row of the table."""
    if not found:
        return f"| {name} | 0 | | | |"
    share, absolute, nested = (max(getattr(f, key) for f in found) for key in ("share", "absolute", "nested"))
    return f"| {name} | {len(found)} | {100 * share:.2g} % | {absolute:.1g} | {nested:.1g} |"


Place = tuple[str, int, int]
"""A model, the words of a document, and the number of the pair."""


def kept(path: Path | None) -> dict[Place, CompletenessResult | None]:
    """What was measured before."""
    if path is None or not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {
        (line["model"], line["words"], line["pair"]): None
        if line["found"] is None
        else CompletenessResult(*line["found"])
        for line in lines
    }


def keep(path: Path | None, place: Place, found: CompletenessResult | None) -> None:
    """Add a line."""
    if path is None:
        return
    name, words, pair = place
    values = None if found is None else [found.share, found.absolute, found.nested]
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"model": name, "words": words, "pair": pair, "found": values}) + "\n")


if __name__ == "__main__":
    main()
