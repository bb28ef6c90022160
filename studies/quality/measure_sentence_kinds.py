"""Sentence vectors, maps and candidate pairs of the development pairs."""

from __future__ import annotations

import numpy as np

from colde.encoders.sentence_encoder import join_pieces, shared_sentence_encoder
from colde.encoders.sentence_layout import read_sentences
from colde.explain import passage_matching
from colde.explain.sentence_pair_features import CandidatePairs, candidate_pairs
from colde.explain.sentence_similarity import sentence_similarities
from colde.text.chunks import default_tokenizer
from colde.text.document import Document

_KNOWN: dict[int, tuple[Document, np.ndarray]] = {}


def vectors(document: Document) -> np.ndarray:
    held = _KNOWN.get(id(document))
    if held is None:
        found = read_sentences(document, default_tokenizer())
        (units,) = shared_sentence_encoder().read([document], [found])
        held = _KNOWN[id(document)] = (document, join_pieces(found, units))
    return held[1]


def pair_candidates(a: Document, b: Document) -> CandidatePairs:
    one, two = vectors(a), vectors(b)
    texts = [[d.text[s.start : s.end] for _, s in d.sentences()] for d in (a, b)]
    likeness = sentence_similarities(*passage_matching.centred(one, two), *texts)
    return candidate_pairs(likeness, np.asarray(one @ two.T), *texts)
