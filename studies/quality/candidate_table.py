"""The candidate pairs of all development pairs, with their truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from colde.encoders.sentence_encoder import join_pieces, shared_sentence_encoder
from colde.encoders.sentence_layout import read_sentences
from colde.explain import passage_matching
from colde.explain.sentence_pair_features import CandidatePairs, candidate_pairs
from colde.explain.sentence_similarity import sentence_similarities
from colde.text.chunks import default_tokenizer
from colde.text.document import Document
from studies.quality.annotated_pairs import DATA, TextPair, text_pairs
from studies.quality.unrelated_controls import corpus_pairs, planted_pairs

_KNOWN: dict[int, tuple[Document, np.ndarray]] = {}


def vectors(document: Document) -> np.ndarray:
    """Sentence vectors of a document, each computed once."""
    held = _KNOWN.get(id(document))
    if held is None:
        sentences = read_sentences(document, default_tokenizer())
        (units,) = shared_sentence_encoder().read([document], [sentences])
        held = _KNOWN[id(document)] = (document, join_pieces(sentences, units))
    return held[1]


def pair_candidates(a: Document, b: Document) -> CandidatePairs:
    """The pairs of sentences that may match."""
    one, two = vectors(a), vectors(b)
    texts = [[d.text[s.start : s.end] for _, s in d.sentences()] for d in (a, b)]
    likeness = sentence_similarities(*passage_matching.centred(one, two), *texts)
    return candidate_pairs(likeness, np.asarray(one @ two.T), *texts)


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
