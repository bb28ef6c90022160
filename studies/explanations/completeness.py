"""Do the cells of every contribution map add up to the score, and every level to the one below it?

    python -m studies.explanations.completeness ../shared/corpora --models all --words 1200 --lines complete.jsonl

Validation pairs, as many of each corpus, related and unrelated, each document cut after so many words of whole sections
and paragraphs. Prints the greatest residual as a share of the score and of 1, and the greatest difference between a
cell and the sum of the cells inside it. With `--lines` a line for each pair and model is kept, figures only, and a
stopped run goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise, zip_longest
from pathlib import Path

import numpy as np

from colde import models
from colde.comparison.pipeline import compare
from colde.corpus.corpus_folder import read_pairs, record_to_document
from colde.evaluation.model_contract import nesting_error
from colde.judge.profiles import corpora
from colde.results.comparison import Comparison
from colde.text.document import Document
from studies.arguments import command_line
from studies.corpora import beginning, records_by_name
from studies.tables import append_line, read_lines, table_head, table_row

LEVELS = ("section", "chunk", "sentence")
LEAST_SCORE = 0.05
"""A residual is a share of the score, or of this where the score is next to nothing."""


Errors = tuple[float, float, float]
"""The residual as a share of the score, the residual, and the error of nested sums."""


def completeness_errors(comparison: Comparison, name: str) -> Errors | None:
    """The errors of a model's contribution maps of a pair; None if it has none."""
    maps = comparison.maps.get(name, {})
    levels = [m for level in LEVELS if (m := maps.get(f"contribution_{level}")) is not None]
    if not levels:
        return None
    score = next(s.score for s in comparison.models if s.name == name)
    residuals = [abs(m.values.sum(dtype=np.float64) + (m.reference or 0.0) - score) for m in levels]
    nested = max((nesting_error(outer, inner) for outer, inner in pairwise(levels)), default=0.0)
    return float(max(residuals) / max(abs(score), LEAST_SCORE)), float(max(residuals)), nested


def related_and_unrelated(folder: Path, count: int, words: int) -> list[tuple[Document, Document]]:
    """Validation pairs drawn with a fixed seed; of each document the beginning in whole paragraphs."""
    pairs = read_pairs(folder / "valid.tsv")
    chosen = [pairs[i] for i in np.random.default_rng(0).permutation(len(pairs))[:count]]
    records = records_by_name(folder, {n for p in chosen for n in (p.source, p.target)})
    texts = {n: record_to_document(beginning(record, words)) for n, record in records.items()}
    return [(texts[p.source], texts[p.target]) for p in chosen]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "corpora")
    parser.add_argument("--models", default="all")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--words", type=int, default=1_200)
    parser.add_argument("--lines", type=Path, help="JSON lines, added to")
    chosen = parser.parse_args(arguments)
    folders = [chosen.corpora / name for name in corpora()]
    drawn = [related_and_unrelated(f, -(-chosen.pairs // len(folders)), chosen.words) for f in folders]
    # A corpus in turn: any beginning is a sample.
    pairs = [p for p in chain(*zip_longest(*drawn)) if p is not None]
    known = {(r["model"], r["words"], r["pair"]): r["found"] for r in read_lines(chosen.lines)}
    print(table_head(["", "pairs", "residual, share of the score", "absolute", "nested sums"]))
    for name in models.resolve(chosen.models):
        errors = []
        for number, (a, b) in enumerate(pairs):
            key = name, chosen.words, number
            if key not in known:
                known[key] = completeness_errors(compare(a, b, [name]), name)
                names = ("model", "words", "pair", "found")
                append_line(chosen.lines, dict(zip(names, (*key, known[key]), strict=True)))
            if known[key] is not None:
                errors.append(known[key])
        print(row(name, errors), flush=True)


def row(name: str, errors: Sequence[Errors]) -> str:
    """The greatest errors of all pairs, as a row of the table."""
    if not errors:
        return table_row([name, 0, "", "", ""])
    share, absolute, nested = map(max, zip(*errors, strict=True))
    return table_row([name, len(errors), f"{100 * share:.2g} %", f"{absolute:.1g}", f"{nested:.1g}"])


if __name__ == "__main__":
    main()
