"""The passages map and its evidence without the rest of a model: sentence vectors of the encoder as it came."""

from __future__ import annotations

from collections.abc import Sequence

from memory import Memory

from colde.encoders.vectors import normalised
from colde.explain import passages
from colde.models.colde.encoding import chunk_passages
from colde.models.colde.reading import by_sentence
from colde.models.colde.sentences import read_sentences
from colde.results.encoding import Encoding
from colde.results.pair import PairResult
from colde.results.score import Coverage
from colde.text.document import Document
from colde.text.tokens import default_tokenizer


class PassagesAlone:
    """What CoLDE shows as passages, at the cost of the sentences alone, which a `Memory` keeps."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def encode(self, documents: Sequence[Document]) -> list[Encoding]:
        found = []
        for document in documents:
            read = read_sentences(document, default_tokenizer())
            vectors = self._memory.ids(list(read.ids))
            tokens = int(read.tokens.sum())
            found.append(
                Encoding(
                    document,
                    Coverage(tokens, tokens),
                    sentences=by_sentence(read, normalised(vectors)),
                    chunk_spans=chunk_passages(read),
                )
            )
        return found

    def match(self, a: Encoding, b: Encoding) -> PairResult:
        maps, evidence = passages.shared_passages(a, b, "passages")
        return PairResult(0.0, a.coverage, b.coverage, maps, tuple(evidence))
