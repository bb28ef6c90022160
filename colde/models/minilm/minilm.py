"""MiniLM mean: the mean of a general sentence encoder's vectors, without training on pairs, as a baseline.

The encoder reads single sentences, as in its training (Reimers and Gurevych 2019), and shares their vectors with
CoLDE. Vectors of chunks, sections and documents are means of sentence vectors, weighted by tokens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from colde.encoders.sentence_encoder import CachedSentenceEncoder, shared_sentence_encoder
from colde.encoders.sentence_layout import Sentences
from colde.encoders.vector_math import normalised
from colde.explain.contribution import Float64Array, contribution_maps
from colde.explain.level_maps import level_map
from colde.explain.word_contribution import split_vector_by_word, word_map, words_of_span
from colde.judge.calibration import Profile
from colde.models.base import Card
from colde.models.colde.document_encoding import group_passages, sentence_units
from colde.models.registry import CARDS
from colde.models.stored_matcher import Untrained
from colde.results.encoding import Encoding, require_encoding
from colde.results.model_score import Coverage
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.document import Document

SECTION_MEANING = (
    "Topic of sections: the cosine of the mean of their sentences' MiniLM vectors, untrained on pairs."
)
CHUNK_MEANING = (
    "Topic of chunks: the cosine of the mean of their sentences' MiniLM vectors, untrained on pairs."
)
CONTRIBUTION_MEANING = (
    "the products of their sentences' MiniLM vectors over the lengths of the two documents' means. All cells add "
    "up to the score. An empty document has the score 0, and a negative cell lowers the score."
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MiniLmEncoding(Encoding):
    """A document's vectors.

    Attributes:
        layout: the sentences, headings and pieces of long sentences among them.
        weighted: [sentences, width], unit vectors times their share in the document.
    """

    layout: Sentences
    weighted: Array

    @property
    def parts(self) -> Float64Array:
        """[sentences, width], parts of the document's vector, which is their sum."""
        exact = self.weighted.astype(np.float64)
        return np.asarray(exact / max(float(np.linalg.norm(exact.sum(0))), 1e-12))


class MiniLm(Untrained):
    """Cosine of the mean unit vectors of all sentences."""

    def __init__(
        self,
        card: Card,
        profiles: Mapping[str, Profile] | None = None,
        sentence_encoder: CachedSentenceEncoder | None = None,
    ) -> None:
        super().__init__(card, profiles)
        self.sentence_encoder = sentence_encoder or shared_sentence_encoder()

    def for_encoder(self, name: str) -> MiniLm:
        """The mean of another encoder's vectors, without thresholds."""
        if name == self.sentence_encoder.encoder.name:
            return self
        return _mean_over(name)

    @property
    def parameters(self) -> int:
        return self.sentence_encoder.encoder.parameters

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """Document, section and chunk vectors."""

        def on_batch(done: int, total: int, units: Sequence[Array]) -> None:
            if on_progress is not None:
                on_progress(Progress(Stage.SENTENCES, done, total))

        layouts = [self.sentence_encoder.layout(d) for d in documents]
        units = self.sentence_encoder.read(documents, layouts, on_batch)
        return [_encoding(d, layout, u) for d, layout, u in zip(documents, layouts, units, strict=True)]

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """Score from −1 to 1; `section` and `chunk` maps, and contributions."""
        assert a.vector is not None and b.vector is not None
        score = float(np.clip(a.vector @ b.vector, -1.0, 1.0))
        if not explain:
            return PairResult(score, a.coverage, b.coverage)
        a, b = require_encoding(a, MiniLmEncoding), require_encoding(b, MiniLmEncoding)
        maps = {
            "section": level_map("section", a, b, SECTION_MEANING),
            "chunk": level_map("chunk", a, b, CHUNK_MEANING),
        }
        units_a, units_b = (sentence_units(e.document, e.layout, e.chunk_spans) for e in (a, b))
        maps |= contribution_maps(units_a, units_b, [(a.parts, b.parts)], score, CONTRIBUTION_MEANING)
        return PairResult(score, a.coverage, b.coverage, maps)

    def word_contributions(self, a: Encoding, b: Encoding, row: int, column: int) -> SimilarityMap:
        """Split one cell of sentences over its pairs of words; see `WordByWord`."""
        sides = []
        for encoding, sentence in ((a, row), (b, column)):
            e = require_encoding(encoding, MiniLmEncoding)
            span, part = e.layout.spans[sentence], e.parts[sentence]
            words = words_of_span(e.document, span)
            by_word = split_vector_by_word(
                e.document, span, words, self.sentence_encoder.tokenizer, self.sentence_encoder.token_parts
            )
            sides.append((words, by_word.vectors * np.linalg.norm(part), part))
        (words_a, left, part_a), (words_b, right, part_b) = sides
        return word_map(left @ right.T, words_a, words_b, float(part_a @ part_b), CONTRIBUTION_MEANING)


@lru_cache(maxsize=2)
def _mean_over(encoder: str) -> MiniLm:
    """The model over another encoder, the same object each time, by which a reference knows it."""
    card = replace(CARDS["minilm"], title=f"Mean of {Path(encoder).name}", languages=())
    return MiniLm(card, sentence_encoder=shared_sentence_encoder(encoder))


def _encoding(document: Document, layout: Sentences, units: Array) -> MiniLmEncoding:
    tokens = int(layout.tokens.sum())
    weighted = np.asarray(units * (layout.tokens[:, None] / max(tokens, 1)), dtype=np.float32)
    passages = group_passages(document, layout, weighted)
    return MiniLmEncoding(
        document=document,
        coverage=Coverage(tokens, tokens),
        vector=normalised(weighted.sum(0)),
        sections=passages.sections,
        chunks=passages.chunks,
        section_spans=passages.section_spans,
        chunk_spans=passages.chunk_spans,
        layout=layout,
        weighted=weighted,
    )
