"""MiniLM mean: the mean of a general sentence encoder's vectors, untrained on pairs. What training must beat.

The encoder reads sentences, as it was made for (Reimers and Gurevych 2019); those that CoLDE reads, so that they are
read once for both. Chunks, sections and the document are means of their sentences' unit vectors, weighted by tokens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from colde.encoders.sentence_encoder import CachedSentenceEncoder, shared_sentence_encoder
from colde.encoders.sentence_layout import Sentences, read_sentences
from colde.encoders.vector_math import normalised
from colde.explain.contribution import Float64Array, contribution_maps
from colde.explain.level_maps import level_map
from colde.explain.match_selection import cell_matches
from colde.explain.word_contribution import split_vector_by_word, word_map, words_of_span
from colde.judge.calibration import Profile
from colde.models.base import Card
from colde.models.colde.document_encoding import chunk_passages, group_vectors, sentence_contribution_units
from colde.models.stored_matcher import Untrained
from colde.results.encoding import Encoding, require_encoding
from colde.results.model_score import Coverage
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.chunks import default_tokenizer
from colde.text.document import Document, Span

MOST_EVIDENCE = 10
PARAMETERS = 22_713_216

SECTION_MEANING = (
    "Topic of sections: the cosine of the mean of their sentences' MiniLM vectors, untrained on pairs."
)
CHUNK_MEANING = (
    "Topic of chunks: the cosine of the mean of their sentences' MiniLM vectors, untrained on pairs."
)
CONTRIBUTION_MEANING = (
    "the products of their sentences' MiniLM vectors over the lengths of the two documents' means. Exact: all cells "
    "add up to the score; an empty document has 0, and a negative cell speaks against likeness."
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MiniLmEncoding(Encoding):
    """A document's vectors.

    Attributes:
        found: its sentences, headings and pieces of long ones among them.
        weighted: [sentences], their unit vectors times their share in the document: they sum to its vector.
    """

    found: Sentences
    weighted: Array


class MiniLm(Untrained):
    """Cosine of the mean unit vectors of all sentences."""

    parameters: ClassVar[int] = PARAMETERS

    def __init__(
        self,
        card: Card,
        profiles: Mapping[str, Profile] | None = None,
        reader: CachedSentenceEncoder | None = None,
    ) -> None:
        super().__init__(card, profiles)
        self.reader = reader or shared_sentence_encoder()

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """Document, section and chunk vectors."""

        def on_batch(done: int, total: int, read: Sequence[Array]) -> None:
            if on_progress is not None:
                on_progress(Progress(Stage.SENTENCES, done, total))

        found = [read_sentences(d, default_tokenizer()) for d in documents]
        read = self.reader.read(documents, found, on_batch)
        return [_encoding(d, f, units) for d, f, units in zip(documents, found, read, strict=True)]

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """Score from −1 to 1; `section` and `chunk` maps; the closest pairs of chunks, each chunk once."""
        assert a.vector is not None and b.vector is not None
        score = float(np.clip(a.vector @ b.vector, -1.0, 1.0))
        if not explain:
            return PairResult(score, a.coverage, b.coverage)
        one, other = require_encoding(a, MiniLmEncoding), require_encoding(b, MiniLmEncoding)
        chunk = level_map("chunk", a, b, CHUNK_MEANING)
        evidence = cell_matches(
            a,
            b,
            chunk.values,
            a.chunk_spans,
            b.chunk_spans,
            model=self.card.name,
            kind="same topic",
            most=MOST_EVIDENCE,
        )
        maps = {"section": level_map("section", a, b, SECTION_MEANING), "chunk": chunk}
        left, right = (sentence_contribution_units(e.document, e.found, e.chunk_spans) for e in (one, other))
        maps |= contribution_maps(left, right, [(_parts(one), _parts(other))], score, CONTRIBUTION_MEANING)
        return PairResult(score, a.coverage, b.coverage, maps, tuple(evidence))

    def word_contributions(self, a: Encoding, b: Encoding, row: int, column: int) -> SimilarityMap:
        """Split one cell of sentences over its pairs of words; see `WordByWord`."""
        places = row, column
        sides = []
        for e, place in zip((require_encoding(x, MiniLmEncoding) for x in (a, b)), places, strict=True):
            span = e.found.spans[place]
            words = words_of_span(e.document, span)
            parts = split_vector_by_word(
                e.document, span, words, default_tokenizer(), self.reader.token_parts
            )
            whole = _parts(e)[place]
            sides.append((words, parts.vectors * np.linalg.norm(whole), whole))
        (words_a, left, one), (words_b, right, other) = sides
        return word_map(left @ right.T, words_a, words_b, float(one @ other), CONTRIBUTION_MEANING)


def _encoding(document: Document, found: Sentences, units: Array) -> MiniLmEncoding:
    tokens = int(found.tokens.sum())
    weighted = np.asarray(units * (found.tokens[:, None] / max(tokens, 1)), dtype=np.float32)
    sections, of = np.unique(found.section, return_inverse=True)
    return MiniLmEncoding(
        document=document,
        coverage=Coverage(tokens, tokens),
        vector=normalised(weighted.sum(0)),
        sections=group_vectors(weighted, of, len(sections)),
        chunks=group_vectors(weighted, found.chunk, len(found.part)),
        section_spans=tuple(Span(document.sections[i].start, document.sections[i].end) for i in sections),
        chunk_spans=chunk_passages(found),
        found=found,
        weighted=weighted,
    )


def _parts(e: MiniLmEncoding) -> Float64Array:
    """Parts of the document's vector of length one by sentence: [sentences, width]."""
    exact = e.weighted.astype(np.float64)
    return np.asarray(exact / max(float(np.linalg.norm(exact.sum(0))), 1e-12))
