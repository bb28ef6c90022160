"""States of the frozen encoder, shared by all models that build on them: each text is encoded once.

What is kept for a document goes with the document: nothing here keeps it alive.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import RLock

import numpy as np

from colde.encoders.cache import VectorCache
from colde.encoders.encoder import PACKAGED, Encoder, encode_ids, encoder_folder, load_encoder
from colde.results.maps import Array
from colde.text.document import Document
from colde.text.tokens import ChunkedDocument, TextTokenizer, chunk_document, frame_texts

WINDOW = 16
"""Texts encoded between two reports of progress: about a second of work."""

OnWindow = Callable[[int, int], None]
"""Called with the number of texts done and of all texts."""


@dataclass(slots=True)
class EncodedDocument:
    """What is known of one document so far.

    Attributes:
        chunked: its chunks.
        chunks: [chunks, dimension], mean states, not normalised; NaN where not encoded yet.
        text: of the document; the same object in documents that differ in their sections alone.
        sentences: [sentences, dimension] in the order of `Document.sentences()`, or None.
        spans: where those sentences begin and end.
    """

    chunked: ChunkedDocument
    chunks: Array
    text: str = ""
    sentences: Array | None = None
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def known(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """[chunks], True where a chunk is encoded."""
        return ~np.isnan(self.chunks[:, 0])


class FrozenEncoder:
    """The packaged encoder as it is, with what it has seen of the documents that are still in use."""

    def __init__(self, encoder: Encoder, tokenizer: TextTokenizer, cache: VectorCache | None = None) -> None:
        self.encoder = encoder
        self.tokenizer = tokenizer
        self._cache = cache
        self._states: dict[int, EncodedDocument] = {}
        self._lock = RLock()

    @property
    def dimension(self) -> int:
        return self.encoder.dimension

    def states(self, document: Document) -> EncodedDocument:
        """What is known of the document; nothing is encoded here."""
        with self._lock:
            key = id(document)
            if key not in self._states:
                chunked = chunk_document(document, self.tokenizer)
                empty = np.full((len(chunked.chunks), self.encoder.dimension), np.nan, dtype=np.float32)
                same_text = self._same_text(document)
                self._states[key] = EncodedDocument(chunked, empty, document.text)
                _take_chunks(self._states[key], same_text)
                weakref.finalize(document, self._states.pop, key, None)
            return self._states[key]

    def _same_text(self, document: Document) -> list[EncodedDocument]:
        """States of the documents over the very same text: those from which this one was edited, or made."""
        with self._lock:
            return [s for s in self._states.values() if s.text is document.text]

    def encode_chunks(
        self, documents: Sequence[Document], on_window: OnWindow | None = None
    ) -> list[EncodedDocument]:
        """Encode what is missing of the documents' chunks.

        Chunks of all documents are taken in turn, so that two documents fill up side by side.
        """
        found = [self.states(d) for d in documents]
        fresh = [s for s in found if len(s.chunks) and not s.known.all()]
        for states in fresh:
            kept = self._cache.load(states.chunked.ids) if self._cache and not states.known.any() else None
            if kept is not None:
                states.chunks[:] = kept
        todo = sorted(
            ((i + 0.5) / len(s.chunks), d, i)
            for d, s in enumerate(found)
            for i in np.flatnonzero(~s.known).tolist()
        )
        for at in range(0, len(todo), WINDOW):
            window = todo[at : at + WINDOW]
            vectors = encode_ids(self.encoder, [found[d].chunked.ids[i] for _, d, i in window])
            for (_, d, i), vector in zip(window, vectors, strict=True):
                found[d].chunks[i] = vector
            if on_window is not None:
                on_window(at + len(window), len(todo))
        if self._cache and todo:
            for states in fresh:
                self._cache.save(states.chunked.ids, states.chunks)
        if on_window is not None and not todo:
            on_window(1, 1)
        return found

    def encode_sentences(
        self, documents: Sequence[Document], on_window: OnWindow | None = None
    ) -> list[Array]:
        """Vectors [sentences, dimension] of each document's compared sentences, each encoded on its own."""
        found = []
        spans = [[s for _, s in d.sentences()] for d in documents]
        total = sum(len(s) for s in spans)
        done = 0
        for document, sentences in zip(documents, spans, strict=True):
            states = self.states(document)
            if states.sentences is None:
                ids = frame_texts([document.text[s.start : s.end] for s in sentences], self.tokenizer)
                states.sentences = self._cache.load(ids) if self._cache and ids else None
                states.spans = tuple((s.start, s.end) for s in sentences)
            if states.sentences is None:
                vectors = np.zeros((len(ids), self.encoder.dimension), np.float32)
                todo = _take_sentences(states.spans, vectors, self._same_text(document))
                for at in range(0, len(todo), 8 * WINDOW):
                    window = todo[at : at + 8 * WINDOW]
                    vectors[window] = encode_ids(self.encoder, [ids[i] for i in window])
                    if on_window is not None:
                        on_window(done + len(ids) - len(todo) + at + len(window), total)
                states.sentences = vectors
                if self._cache and ids:
                    self._cache.save(ids, states.sentences)
            done += len(sentences)
            found.append(states.sentences)
        return found


def _take_chunks(states: EncodedDocument, same_text: Sequence[EncodedDocument]) -> None:
    """Take over the vectors of chunks that one of the kin holds with the same tokens."""
    held = {
        ids.tobytes(): other.chunks[i]
        for other in same_text
        for i, (ids, known) in enumerate(zip(other.chunked.ids, other.known, strict=True))
        if known
    }
    for i, ids in enumerate(states.chunked.ids if held else ()):
        vector = held.get(ids.tobytes())
        if vector is not None:
            states.chunks[i] = vector


def _take_sentences(
    spans: Sequence[tuple[int, int]], vectors: Array, same_text: Sequence[EncodedDocument]
) -> list[int]:
    """Fill in the sentences that one of the kin holds; returns the indices of the others."""
    held = {
        span: other.sentences[i]
        for other in same_text
        if other.sentences is not None
        for i, span in enumerate(other.spans)
    }
    for i, span in enumerate(spans):
        if span in held:
            vectors[i] = held[span]
    return [i for i, span in enumerate(spans) if span not in held]


@lru_cache(maxsize=2)
def shared_frozen_encoder(name: str = PACKAGED) -> FrozenEncoder:
    """One for the process: loading takes a second, and its states are shared between models.

    Args:
        name: `packaged`, a folder, or a Hugging Face name where a hub is reachable.
    """
    folder = encoder_folder(name)
    encoder = load_encoder(folder)
    tokenizer = TextTokenizer.from_folder(folder)
    return FrozenEncoder(encoder, tokenizer, VectorCache.from_environment(encoder.tag))
