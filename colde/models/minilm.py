"""MiniLM mean: the mean of a general sentence encoder's chunk vectors, untrained on pairs. What training must beat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from colde.document import Document
from colde.models.base import Card, OnProgress, Profile, Progress
from colde.models.strongest import cell_evidence
from colde.models.untrained import Untrained
from colde.runtime.frozen import FrozenEncoder, shared_frozen_encoder
from colde.similarity import Encoding, Evidence, Reading, SimilarityMap
from colde.vectors import chunks_by_section, cosines, normalised

MOST_EVIDENCE = 10
PARAMETERS = 22_713_216

SECTION_MEANING = (
    "Topic of sections: the cosine of the mean of their chunks' MiniLM vectors, untrained on pairs."
)
CHUNK_MEANING = "Topic of chunks: the cosine of their MiniLM vectors, untrained on pairs."


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
                on_progress(Progress("chunks", done, total))

        found = []
        all_states = self.frozen.encode_chunks(documents, on_chunks)
        for document, states in zip(documents, all_states, strict=True):
            chunks = normalised(states.chunks)
            held = chunks_by_section(list(document.compared()), states.chunked.chunks)
            sections = np.stack([chunks[rows].mean(0) for _, rows in held])
            found.append(
                Encoding(
                    document=document,
                    reading=Reading(states.chunked.tokens, states.chunked.tokens),
                    vector=normalised(chunks.mean(0)),
                    sections=normalised(sections),
                    chunks=chunks,
                    section_spans=tuple(span for span, _ in held),
                    chunk_spans=states.chunked.chunks,
                )
            )
        return found

    def compare(self, a: Encoding, b: Encoding) -> float:
        """From −1 to 1; symmetric."""
        assert a.vector is not None and b.vector is not None
        return float(np.clip(a.vector @ b.vector, -1.0, 1.0))

    def maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """`section` and `chunk`."""
        assert a.sections is not None and b.sections is not None
        assert a.chunks is not None and b.chunks is not None
        section = cosines(a.sections, b.sections)
        return {
            "section": SimilarityMap(section, a.section_spans, b.section_spans, "cosine", SECTION_MEANING),
            "chunk": SimilarityMap(
                cosines(a.chunks, b.chunks), a.chunk_spans, b.chunk_spans, "cosine", CHUNK_MEANING
            ),
        }

    def explain(self, a: Encoding, b: Encoding) -> list[Evidence]:
        """The pairs of chunks that are closest in topic, each chunk once."""
        assert a.chunks is not None and b.chunks is not None
        return cell_evidence(
            a,
            b,
            cosines(a.chunks, b.chunks),
            a.chunk_spans,
            b.chunk_spans,
            model=self.card.name,
            kind="same topic",
            most=MOST_EVIDENCE,
        )
