"""The passages map and its evidence without the rest of a model: sentence vectors of the encoder as it came."""

from __future__ import annotations

from collections.abc import Sequence

from colde.encoders.sentence_encoder import join_pieces
from colde.encoders.sentence_layout import read_sentences
from colde.encoders.vector_math import normalised
from colde.explain import passage_matching
from colde.models.colde.document_encoding import chunk_passages
from colde.results.encoding import Encoding
from colde.results.model_score import Coverage
from colde.results.pair_result import PairResult
from colde.text.chunks import default_tokenizer
from colde.text.document import Document
from studies.explanations.vector_memory import VectorStore


class PassageMapModel:
    """What CoLDE shows as passages, at the cost of the sentences alone, which a `VectorStore` keeps."""

    def __init__(self, memory: VectorStore) -> None:
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
                    sentences=join_pieces(read, normalised(vectors)),
                    chunk_spans=chunk_passages(read),
                )
            )
        return found

    def match(self, a: Encoding, b: Encoding) -> PairResult:
        maps, evidence = passage_matching.match_passages(a, b, "passages")
        return PairResult(0.0, a.coverage, b.coverage, maps, tuple(evidence))
