"""The passages map and its evidence without the rest of a model: sentence vectors of the encoder as it came."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from memory import Memory

from colde.encoders.vectors import normalised
from colde.explain import passages
from colde.models.colde.sentences import Sentences, read_sentences
from colde.results.encoding import Encoding
from colde.results.maps import Array
from colde.results.pair import PairResult
from colde.results.score import Coverage
from colde.text.document import Chunk, Document
from colde.text.tokens import default_tokenizer


class PassagesAlone:
    """What CoLDE shows as passages, at the cost of the sentences alone, which a `Memory` keeps."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def encode(self, documents: Sequence[Document]) -> list[Encoding]:
        found = []
        for document in documents:
            read = read_sentences(document, default_tokenizer())
            own = np.flatnonzero(read.source >= 0)
            vectors = self._memory.ids([read.ids[i] for i in own])
            tokens = int(read.tokens.sum())
            found.append(
                Encoding(
                    document,
                    Coverage(tokens, tokens),
                    sentences=_by_sentence(read, own, normalised(vectors)),
                    chunk_spans=_chunks(read),
                )
            )
        return found

    def match(self, a: Encoding, b: Encoding) -> PairResult:
        maps, evidence = passages.shared_passages(a, b, "passages")
        return PairResult(0.0, a.coverage, b.coverage, maps, tuple(evidence))


def _by_sentence(read: Sentences, own: np.ndarray, units: Array) -> Array:
    """In the order of `Document.sentences()`, pieces of a long one joined."""
    summed = np.zeros((int(read.source.max(initial=-1)) + 1, units.shape[1]), dtype=np.float32)
    np.add.at(summed, read.source[own], units * read.tokens[own, None])
    return normalised(summed)


def _chunks(read: Sentences) -> tuple[Chunk, ...]:
    made = []
    for c in range(len(read.part)):
        rows = np.flatnonzero(read.chunk == c)
        first, last = read.spans[rows[0]], read.spans[rows[-1]]
        made.append(Chunk(first.start, last.end, int(read.section[rows[0]]), int(read.tokens[rows].sum())))
    return tuple(made)
