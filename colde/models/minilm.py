"""MiniLM mean: the mean of a general sentence encoder's chunk vectors, untrained on pairs. What training must beat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from colde.encoders.frozen import FrozenEncoder, shared_frozen_encoder
from colde.encoders.vectors import chunks_by_section, normalised
from colde.explain.contribution import Exact, contribution_maps, units_of
from colde.explain.greedy_pairs import cell_evidence
from colde.explain.level_maps import level_map
from colde.judge.calibration import Profile
from colde.models.base import Card
from colde.models.untrained import Untrained
from colde.results.encoding import Encoding
from colde.results.maps import Array
from colde.results.pair import PairResult
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.score import Coverage
from colde.text.document import Document

MOST_EVIDENCE = 10
PARAMETERS = 22_713_216

SECTION_MEANING = (
    "Topic of sections: the cosine of the mean of their chunks' MiniLM vectors, untrained on pairs."
)
CHUNK_MEANING = "Topic of chunks: the cosine of their MiniLM vectors, untrained on pairs."
CONTRIBUTION_MEANING = (
    "the products of their chunks' MiniLM vectors over the lengths of the two documents' means. Exact for chunks, each "
    "of which the encoder reads as one piece: inside it a part is spread over the sentences by their length. All cells "
    "add up to the score; an empty document has 0, and a negative cell speaks against likeness."
)


class MiniLm(Untrained):
    """Cosine of the mean unit vectors of all chunks."""

    parameters: ClassVar[int] = PARAMETERS

    def __init__(
        self, card: Card, profiles: Mapping[str, Profile] | None = None, frozen: FrozenEncoder | None = None
    ) -> None:
        super().__init__(card, profiles)
        self.frozen = frozen or shared_frozen_encoder()

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """Document, section and chunk vectors."""

        def on_chunks(done: int, total: int) -> None:
            if on_progress is not None:
                on_progress(Progress(Stage.CHUNKS, done, total))

        found = []
        all_states = self.frozen.encode_chunks(documents, on_chunks)
        for document, states in zip(documents, all_states, strict=True):
            chunks = normalised(states.chunks)
            held = chunks_by_section(list(document.compared()), states.chunked.chunks)
            sections = np.stack([chunks[rows].mean(0) for _, rows in held])
            found.append(
                Encoding(
                    document=document,
                    coverage=Coverage(states.chunked.tokens, states.chunked.tokens),
                    vector=normalised(chunks.mean(0)),
                    sections=normalised(sections),
                    chunks=chunks,
                    section_spans=tuple(span for span, _ in held),
                    chunk_spans=states.chunked.chunks,
                )
            )
        return found

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """Score from −1 to 1; `section` and `chunk` maps; the closest pairs of chunks, each chunk once."""
        assert a.vector is not None and b.vector is not None
        score = float(np.clip(a.vector @ b.vector, -1.0, 1.0))
        if not explain:
            return PairResult(score, a.coverage, b.coverage)
        assert a.chunks is not None and b.chunks is not None
        section = level_map("section", a, b, SECTION_MEANING)
        chunk = level_map("chunk", a, b, CHUNK_MEANING)
        evidence = cell_evidence(
            a,
            b,
            chunk.values,
            a.chunk_spans,
            b.chunk_spans,
            model=self.card.name,
            kind="same topic",
            most=MOST_EVIDENCE,
        )
        units = units_of(a.document, a.chunk_spans), units_of(b.document, b.chunk_spans)
        factors = [(units[0].spread @ _chunk_parts(a.chunks), units[1].spread @ _chunk_parts(b.chunks))]
        contributions = contribution_maps(*units, factors, score, CONTRIBUTION_MEANING)
        maps = {"section": section, "chunk": chunk} | contributions
        return PairResult(score, a.coverage, b.coverage, maps, tuple(evidence))


def _chunk_parts(chunks: Array) -> Exact:
    """What each chunk brings to the document's vector of length one: [chunks, dimension]."""
    exact = chunks.astype(np.float64)
    return np.asarray(exact / max(float(np.linalg.norm(exact.sum(0))), 1e-12))
