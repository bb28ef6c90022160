"""How far a score after a quarter of the sentences is from the final one, on the validation pairs of corpora.

python -m studies.accuracy.provisional_scores VECTORS CORPUS…      VECTORS: the folder of `python -m
studies.papers.sentence_vectors`

A quarter is every fourth sentence, as `CachedSentenceEncoder.batches` orders them; the whole, the sentences that are
kept there, up to 6,000 tokens a document. Documents of which vectors are still missing are left out.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from colde import models
from colde.corpus.corpus_folder import read_pairs
from colde.encoders.sentence_layout import split_segments
from colde.models.colde.matcher import Colde
from colde.models.colde.pair_attention import attend_pair
from colde.models.colde.provisional_score import (
    MEAN_RISE,
    RISE_DEVIATION,
    partial_encoding,
    remaining_uncertainty,
)
from colde.results.similarity_map import Array
from colde.training.corpora.sentence_vectors import (
    CorpusLayout,
    StoredVectors,
    load_layout,
    open_stored_vectors,
)
from studies.arguments import command_line

Ints = NDArray[np.int64]
PARTS = (4, 2)  # a quarter, a half


def document(layouts: CorpusLayout, kept: StoredVectors, number: int) -> tuple[Ints, Ints, Array] | None:
    """Tokens, segments and vectors of the kept sentences of a document; None if some are missing."""
    rows = kept.of(number)
    if not kept.ready[rows].all():
        return None
    at, sentences = kept.sentence[rows], layouts.of(number)
    segment, _ = split_segments(layouts.tokens[sentences], layouts.chunk[sentences])
    vectors = np.asarray(kept.vectors[rows], dtype=np.float32)
    return layouts.tokens[at], segment[at - sentences.start], vectors


def moved(model: Colde, corpus: Path, folder: Path) -> dict[int, NDArray[np.float64]]:
    """The final score less that of a part of the sentences, of every pair, by the number of parts."""
    layouts = load_layout(corpus, folder)
    kept = open_stored_vectors(corpus, folder, layouts)
    numbers = {name: i for i, name in enumerate(layouts.names)}
    changes: dict[int, list[float]] = {parts: [] for parts in PARTS}
    for pair in read_pairs(corpus / "valid.tsv"):
        held = [document(layouts, kept, numbers[n]) for n in (pair.source, pair.target) if n in numbers]
        sides = [side for side in held if side is not None]
        if len(sides) < 2:
            continue
        scores = {}
        for parts in (1, *PARTS):
            a, b = (partial_encoding(model.network, t[::parts], s[::parts], v[::parts]) for t, s, v in sides)
            scores[parts] = attend_pair(model.network, a, b).score
        for parts in PARTS:
            changes[parts].append(scores[1] - scores[parts])
    return {parts: np.array(values) for parts, values in changes.items()}


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("corpora", type=Path, nargs="+")
    chosen = parser.parse_args()
    model = models.load("colde")
    assert isinstance(model, Colde)
    changes = {corpus.name: moved(model, corpus, chosen.vectors) for corpus in chosen.corpora}
    # The mean gives each kind the same weight; the spread is that of the kind that moves most.
    quarters = [by[PARTS[0]] for by in changes.values()]
    lift = np.mean([q.mean() for q in quarters])
    spread = max(np.square(q - lift).mean() for q in quarters) ** 0.5
    print(f"LIFT = {lift:.3f}, SPREAD = {spread:.3f}, from {sum(map(len, quarters))} pairs")
    for name, by in changes.items():
        for parts, change in by.items():
            left = remaining_uncertainty(1 / parts)
            rest = np.abs(change - MEAN_RISE * left) / (RISE_DEVIATION * left**0.5)
            print(
                f"{name}, {len(change)} pairs after 1/{parts}: "
                f"the score moves by {change.mean():+.3f} ± {change.std():.3f}; "
                f"within one spread of what is said {(rest < 1).mean():.0%}, within two {(rest < 2).mean():.0%}"
            )


if __name__ == "__main__":
    main()
