"""The candidate pairs of all development pairs, with their truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from colde.explain.sentence_pair_features import CandidatePairs
from studies.quality.annotated_pairs import DATA, TextPair, text_pairs
from studies.quality.measure_sentence_kinds import pair_candidates
from studies.quality.unrelated_controls import corpus_pairs, planted_pairs


@dataclass(frozen=True)
class Row:
    """A pair of documents, its candidate pairs of sentences, and whether each has a common origin: [pairs]."""

    pair: TextPair
    pairs: CandidatePairs
    truth: np.ndarray


def rows(corpora: Path, data: Path = DATA) -> Iterator[Row]:
    """Every development pair: written texts, texts planted in other documents, and documents of the corpora."""
    for pair in chain(text_pairs(data), planted_pairs(corpora, data), corpus_pairs(corpora)):
        pairs = pair_candidates(pair.a.document, pair.b.document)
        truth = [pair.shared(i, j) for i, j in zip(pairs.rows, pairs.columns, strict=True)]
        yield Row(pair, pairs, np.array(truth, dtype=bool))
