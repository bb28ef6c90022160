"""Unit vectors of the sentences of documents, by the encoder as it came: read once, whichever model asks.

`colde`, `colde_words` and `minilm` stand on the same vectors. What is known of a document goes with the document; on
the disk its vectors are kept by their token ids.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from colde.encoders.encoder import PACKAGED, Encoder, shared_encoder
from colde.encoders.memory import release_memory
from colde.encoders.sentence_layout import Sentences
from colde.encoders.vector_cache import VectorCache
from colde.encoders.vector_math import group_sums, normalised
from colde.results.similarity_map import Array
from colde.text.document import Document

TOKENS = 4096
"""Tokens that go through the encoder at once."""

SMALLEST_BATCH = 1536
"""Tokens that are worth a batch of their own: smaller ones take longer a token."""

BATCHES_PER_RELEASE = 32
"""Batches after which free memory goes back: each has blocks of other sizes, which leave holes between them."""

OnBatch = Callable[[int, int, Sequence[Array]], None]
"""Called with the batches done, all batches, and the vectors of each document so far, NaN where not read yet."""


@dataclass(frozen=True, slots=True, eq=False)
class _EncodedDocument:
    """Sentence vectors of a document: its text, the token ids of its sentences, [sentences, width]."""

    text: str
    ids: Sequence[NDArray[np.int32]]
    vectors: Array


def first_occurrences(ids: Sequence[NDArray[np.int32]]) -> NDArray[np.int64]:
    """Index of the first sentence with the same token ids: [sentences]."""
    seen: dict[bytes, int] = {}
    return np.array([seen.setdefault(own.tobytes(), i) for i, own in enumerate(ids)], dtype=np.int64)


class CachedSentenceEncoder:
    """The encoder, and what it has read of the documents that are still in use."""

    def __init__(self, encoder: Encoder, cache: VectorCache | None = None) -> None:
        self.encoder = encoder
        self._cache = cache
        self._in_use: dict[int, _EncodedDocument] = {}

    @property
    def width(self) -> int:
        """Numbers of a vector."""
        return self.encoder.dimension

    def batches(self, found: Sentences) -> list[NDArray[np.int64]]:
        """Batches of about `TOKENS` at most, each of sentences from all over the document, by length within it.

        After any batch those read so far are a sample of the whole document. Four batches at least, but of a short one:
        something can be said after a quarter. They depend on the document alone, so that its vectors do not change with
        what is read beside it. Of equal sentences the first is read.
        """
        different = np.unique(first_occurrences(found.ids))
        tokens = int(found.lengths[different].sum())
        count = max(-(-tokens // TOKENS), min(4, tokens // SMALLEST_BATCH), 1)
        runs = (different[first::count] for first in range(count))
        return [run[np.argsort(found.lengths[run], kind="stable")] for run in runs if len(run)]

    def read_batch(self, found: Sentences, some: NDArray[np.int64]) -> Array:
        """Unit vectors of these sentences, those of one length side by side: [some, width]."""
        return normalised(self.encoder.mean_states([found.ids[i] for i in some]))

    def token_parts(self, ids: NDArray[np.int32]) -> Array:
        """Parts of a sentence's unit vector by token, special ones among them: [tokens, width]; it is their sum.

        Exact: the vector is the mean of the states over its length.
        """
        (states,) = self.encoder.token_states([ids])
        return np.asarray(states / max(float(np.linalg.norm(states.sum(0))), 1e-12), dtype=np.float32)

    def read_all(self, found: Sentences) -> Array:
        """Unit vectors of every sentence, in order, read anew: [sentences, width]."""
        out = np.zeros((len(found.ids), self.width), dtype=np.float32)
        for some in self.batches(found):
            out[some] = self.read_batch(found, some)
        return out[first_occurrences(found.ids)]

    def read(
        self,
        documents: Sequence[Document],
        found: Sequence[Sentences],
        on_batch: OnBatch | None = None,
    ) -> list[Array]:
        """Unit vectors of the sentences of all documents, [sentences, width] each; a batch of each in turn.

        What is known of a document in use, of another one over the same text, or on the disk, is not read again.
        """
        keys = [list(f.ids) for f in found]
        kept = [self._lookup(d, k) for d, k in zip(documents, keys, strict=True)]
        read = [
            np.full((len(f.ids), self.width), np.nan, dtype=np.float32) if k is None else k
            for f, k in zip(found, kept, strict=True)
        ]
        for document, f, k, out in zip(documents, found, kept, read, strict=True):
            if k is None:
                self._reuse_same_text(document, f, out)
        todo = [
            [(d, some) for batch in self.batches(f) if len(some := batch[np.isnan(read[d][batch, 0])])]
            for d, f in enumerate(found)
        ]
        turns = [turn for round_ in zip_longest(*todo) for turn in round_ if turn is not None]
        first = [first_occurrences(f.ids) for f in found]
        again = [np.flatnonzero(f != np.arange(len(f))) for f in first]
        for done, (d, some) in enumerate(turns, 1):
            read[d][some] = self.read_batch(found[d], some)
            read[d][again[d]] = read[d][first[d][again[d]]]
            if done % BATCHES_PER_RELEASE == 0:
                release_memory()
            if on_batch is not None:
                on_batch(done, len(turns), read)
        if on_batch is not None and not turns:
            on_batch(1, 1, read)
        for d, (document, key, vectors) in enumerate(zip(documents, keys, read, strict=True)):
            if key:
                self._remember(document, key, vectors, fresh=bool(todo[d]))
        return read

    def _reuse_same_text(self, document: Document, found: Sentences, out: Array) -> None:
        """Take over what was read of the same text with other sections or fewer passages; the rest stays NaN."""
        known = self._in_use.copy()  # others may come and go meanwhile
        same = [r for r in known.values() if r.text is document.text]
        held = {ids.tobytes(): vector for r in same for ids, vector in zip(r.ids, r.vectors, strict=True)}
        for i, ids in enumerate(found.ids if held else ()):
            vector = held.get(ids.tobytes())
            if vector is not None:
                out[i] = vector

    def _lookup(self, document: Document, key: list[NDArray[np.int32]]) -> Array | None:
        """Look a document up: among those in use, then on the disk."""
        held = self._in_use.get(id(document))
        if held is not None:
            return held.vectors
        return self._cache.load(key) if self._cache is not None and key else None

    def _remember(
        self, document: Document, key: list[NDArray[np.int32]], vectors: Array, *, fresh: bool
    ) -> None:
        """Keep what was read of a document while it is in use, and on the disk where any of it is new."""
        place = id(document)
        if place not in self._in_use:
            self._in_use[place] = _EncodedDocument(document.text, key, vectors)
            weakref.finalize(document, self._in_use.pop, place, None)
        if self._cache is not None and fresh:
            self._cache.save(key, vectors)


def shared_sentence_encoder(name: str = PACKAGED) -> CachedSentenceEncoder:
    """One for the process: what a model has read, the next one has.

    Args:
        name: of the encoder: `packaged`, a folder, or a Hugging Face name where a hub is reachable.
    """
    return _reader(name)


@lru_cache(maxsize=2)
def _reader(name: str) -> CachedSentenceEncoder:
    encoder = shared_encoder(name)
    return CachedSentenceEncoder(encoder, VectorCache.from_environment(f"sentences-{encoder.tag}"))


def join_pieces(found: Sentences, units: Array) -> Array:
    """Vectors in the order of `Document.sentences()`, pieces of a long one joined: [sentences, width]."""
    count = int(found.source.max(initial=-1)) + 1
    own = found.source >= 0
    return normalised(group_sums(units[own] * found.tokens[own, None], found.source[own], count))
