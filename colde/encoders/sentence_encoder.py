"""Unit vectors of the sentences of documents by the frozen encoder, encoded once for all models.

`colde`, `colde_words` and `minilm` use the same vectors. They are kept in memory as long as the document is, and on
disk by token ids.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from colde.encoders.encoder import Encoder
from colde.encoders.encoder_names import PACKAGED
from colde.encoders.encoders_by_name import shared_encoder
from colde.encoders.memory import release_memory
from colde.encoders.sentence_layout import Sentences, read_sentences
from colde.encoders.vector_cache import VectorCache
from colde.encoders.vector_math import group_sums, normalised
from colde.results.similarity_map import Array
from colde.text.chunks import TextTokenizer
from colde.text.document import Document

TOKENS = 4096
"""Tokens of a batch."""

SMALLEST_BATCH = 1536
"""Tokens below which a batch takes longer per token."""

BATCHES_PER_RELEASE = 32
"""Batches after which free memory is returned: blocks of different sizes leave holes between them."""

JOINED_AT_ONCE = 4096
"""Sentences whose pieces are joined at a time, in double precision."""

OnBatch = Callable[[int, int, Sequence[Array]], None]
"""Called with the number of batches done, of all batches, and the vectors of each document, NaN where not yet read."""


@dataclass(frozen=True, slots=True, eq=False)
class _EncodedDocument:
    """Sentence vectors of a document: its text, the token ids of its sentences, [sentences, width]."""

    text: str
    ids: Sequence[NDArray[np.int32]]
    vectors: Array


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """Sentence vectors of a document while they are read.

    Attributes:
        vectors: [sentences, width], NaN where not yet read.
        first: [sentences], as `first_occurrences`.
        missing: batches of sentences to read.
        copies: other documents, positions there, and positions here of the equal sentences that are read here alone.
    """

    layout: Sentences
    vectors: Array
    first: NDArray[np.int64]
    missing: list[NDArray[np.int64]]
    copies: list[tuple[_Reading, list[int], list[int]]] = field(default_factory=list)

    def add(self, batch: NDArray[np.int64], vectors: Array) -> None:
        """Take the vectors of a batch, also for equal sentences elsewhere in this document and in others."""
        self.vectors[batch] = vectors
        self._fill_repeated()
        for other, there, here in self.copies:
            other.vectors[there] = self.vectors[here]
            other._fill_repeated()

    def _fill_repeated(self) -> None:
        repeated = np.flatnonzero(self.first != np.arange(len(self.first)))
        self.vectors[repeated] = self.vectors[self.first[repeated]]

    def leave_to(self, other: _Reading, here: list[int], there: list[int]) -> None:
        """Do not read these sentences: another document has equal ones."""
        other.copies.append((self, here, there))
        left = [batch[~np.isin(batch, here)] for batch in self.missing]
        self.missing[:] = [batch for batch in left if len(batch)]
        self.vectors[here] = other.vectors[there]
        self._fill_repeated()


def _read_equal_sentences_once(readings: Sequence[_Reading]) -> None:
    """Leave sentences that several documents have to the one of which most is known."""
    places: dict[bytes, tuple[int, int]] = {}  # of each sentence: document, position in it
    known_first = sorted(readings, key=lambda reading: sum(map(len, reading.missing)))
    for number, reading in enumerate(known_first):
        keys = [ids.tobytes() for ids in reading.layout.ids]
        equal: dict[int, list[tuple[int, int]]] = {}
        for i in (int(i) for batch in reading.missing for i in batch):
            if keys[i] in places:
                other, there = places[keys[i]]
                equal.setdefault(other, []).append((i, there))
        for other, pairs in equal.items():
            reading.leave_to(known_first[other], [i for i, _ in pairs], [there for _, there in pairs])
        for i, key in enumerate(keys):
            places.setdefault(key, (number, i))


def first_occurrences(ids: Sequence[NDArray[np.int32]]) -> NDArray[np.int64]:
    """Index of the first sentence with the same token ids: [sentences]."""
    first: dict[bytes, int] = {}
    return np.array([first.setdefault(i.tobytes(), at) for at, i in enumerate(ids)], dtype=np.int64)


class CachedSentenceEncoder:
    """The encoder with the sentence vectors of the documents that are in use."""

    def __init__(self, encoder: Encoder, cache: VectorCache | None = None) -> None:
        self.encoder = encoder
        self._cache = cache
        self._in_use: dict[int, _EncodedDocument] = {}
        self._kept_with: dict[int, _EncodedDocument] = {}
        self._layouts: dict[int, Sentences] = {}

    @property
    def width(self) -> int:
        """Dimension of a vector."""
        return self.encoder.dimension

    @property
    def tokenizer(self) -> TextTokenizer:
        """The tokenizer of the encoder."""
        return self.encoder.tokenizer

    def layout(self, document: Document) -> Sentences:
        """The sentences of a document as token ids; they are kept as long as the document exists.

        Raises:
            ModelError: as `read_sentences`.
        """
        key = id(document)
        kept = self._layouts.get(key)
        if kept is None:
            kept = self._layouts[key] = read_sentences(document, self.tokenizer)
            weakref.finalize(document, self._layouts.pop, key, None)
        return kept

    def batches(self, layout: Sentences) -> list[NDArray[np.int64]]:
        """Batches of about `TOKENS` tokens, each of sentences from all over the document, sorted by length.

        After any batch, the sentences read so far are a sample of the document. There are at least four batches unless
        they would be small, so that a provisional score is possible after a quarter. They depend on the document only,
        so its vectors do not depend on what is read with it. Equal sentences are read once.
        """
        different = np.unique(first_occurrences(layout.ids))
        tokens = int(layout.lengths[different].sum())
        count = max(-(-tokens // TOKENS), min(4, tokens // SMALLEST_BATCH), 1)
        runs = (different[first::count] for first in range(count))
        return [run[np.argsort(layout.lengths[run], kind="stable")] for run in runs if len(run)]

    def read_batch(self, layout: Sentences, batch: NDArray[np.int64]) -> Array:
        """Unit vectors of these sentences, those of one length side by side: [batch, width]."""
        return normalised(self.encoder.mean_states([layout.ids[i] for i in batch]))

    def token_parts(self, ids: NDArray[np.int32]) -> Array:
        """Parts of a sentence's unit vector by token, special ones among them: [tokens, width]; it is their sum."""
        (states,) = self.encoder.token_states([ids])
        return np.asarray(states / max(float(np.linalg.norm(states.sum(0))), 1e-12), dtype=np.float32)

    def read(
        self,
        documents: Sequence[Document],
        layouts: Sequence[Sentences],
        on_batch: OnBatch | None = None,
    ) -> list[Array]:
        """Unit vectors of the sentences of all documents, [sentences, width] each; documents take turns by batch.

        Vectors of a document in use, of another document with the same text, or on disk are not computed again, and
        equal sentences of the documents are read once.
        """
        readings = [self._recall(d, layout) for d, layout in zip(documents, layouts, strict=True)]
        known = [not reading.missing for reading in readings]
        _read_equal_sentences_once(readings)
        vectors = [r.vectors for r in readings]
        rounds = zip_longest(*([(r, batch) for batch in r.missing] for r in readings))
        turns = [turn for turns in rounds for turn in turns if turn is not None]
        for done, (reading, batch) in enumerate(turns, 1):
            reading.add(batch, self.read_batch(reading.layout, batch))
            if done % BATCHES_PER_RELEASE == 0:
                release_memory()
            if on_batch is not None:
                on_batch(done, len(turns), vectors)
        if on_batch is not None and not turns:
            on_batch(1, 1, vectors)
        for document, reading, stored in zip(documents, readings, known, strict=True):
            self._remember(document, reading, stored)
        return vectors

    def keep_with(self, document: Document, part: Document) -> None:
        """Keep the vectors of a part of a document, which has been read, as long as the document is in use.

        Args:
            part: a document with the same text and other sections.
        """
        encoded = self._in_use.get(id(part))
        if encoded is None or id(document) in self._in_use:
            return
        if id(document) not in self._kept_with:
            weakref.finalize(document, self._kept_with.pop, id(document), None)
        self._kept_with[id(document)] = encoded

    def _recall(self, document: Document, layout: Sentences) -> _Reading:
        """The known vectors of a document: of this document or text while in use, or on disk."""
        in_use = self._in_use.get(id(document))
        vectors = None if in_use is None else in_use.vectors
        if vectors is None and self._cache is not None and layout.ids:
            vectors = self._cache.load(layout.ids)
        if vectors is None:
            vectors = np.full((len(layout.ids), self.width), np.nan, dtype=np.float32)
            self._reuse_same_text(document, layout, vectors)
        unread = np.isnan(vectors[:, 0])
        missing = [batch[unread[batch]] for batch in self.batches(layout)]
        first = first_occurrences(layout.ids)
        return _Reading(layout, vectors, first, [batch for batch in missing if len(batch)])

    def _reuse_same_text(self, document: Document, layout: Sentences, vectors: Array) -> None:
        """Copy vectors of the same text with other sections or excluded passages; others stay NaN."""
        in_use = [
            *self._in_use.copy().values(),
            *self._kept_with.copy().values(),
        ]  # other threads may change them
        same = [e for e in in_use if e.text is document.text]
        known = {ids.tobytes(): vector for e in same for ids, vector in zip(e.ids, e.vectors, strict=True)}
        for i, ids in enumerate(layout.ids if known else ()):
            vector = known.get(ids.tobytes())
            if vector is not None:
                vectors[i] = vector

    def _remember(self, document: Document, reading: _Reading, stored: bool) -> None:
        """Keep the vectors of a document while it is in use, and on disk unless they were known."""
        ids, key = reading.layout.ids, id(document)
        if ids and key not in self._in_use:
            self._in_use[key] = _EncodedDocument(document.text, ids, reading.vectors)
            weakref.finalize(document, self._in_use.pop, key, None)
        if ids and self._cache is not None and not stored:
            self._cache.save(ids, reading.vectors)


def shared_sentence_encoder(name: str = PACKAGED) -> CachedSentenceEncoder:
    """The sentence encoder that the models of this process share.

    Args:
        name: as in `shared_encoder`.
    """
    return _shared(name)


@lru_cache(maxsize=3)
def _shared(name: str) -> CachedSentenceEncoder:
    encoder = shared_encoder(name)
    return CachedSentenceEncoder(encoder, VectorCache.from_environment(f"sentences-{encoder.tag}"))


def sentence_vectors_of(
    documents: Sequence[Document], on_batch: OnBatch | None = None, encoder: str = PACKAGED
) -> list[Array]:
    """Unit vectors of the sentences of each document by an encoder: [sentences, width] each."""
    shared = shared_sentence_encoder(encoder)
    layouts = [shared.layout(d) for d in documents]
    units = shared.read(documents, layouts, on_batch)
    return [join_pieces(layout, vectors) for layout, vectors in zip(layouts, units, strict=True)]


def join_pieces(layout: Sentences, units: Array) -> Array:
    """Vectors in the order of `Document.sentences()`, pieces of a long one joined: [sentences, width]."""
    count = int(layout.source.max(initial=-1)) + 1
    body = np.flatnonzero(layout.source >= 0)
    source = layout.source[body]  # rises
    joined = np.empty((count, units.shape[1]), dtype=np.float32)
    for first in range(0, count, JOINED_AT_ONCE):
        part = slice(*np.searchsorted(source, [first, first + JOINED_AT_ONCE]))
        rows = body[part]
        weighted = units[rows] * layout.tokens[rows, None]  # in double precision
        sums = group_sums(weighted, source[part] - first, min(JOINED_AT_ONCE, count - first))
        joined[first : first + JOINED_AT_ONCE] = normalised(sums)
    return joined
