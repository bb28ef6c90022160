"""Vectors of token sequences, each encoded once and kept on disk, so that a study can be run again in seconds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from colde.assets import packaged_encoder
from colde.encoders.encoder import Encoder, Ids, PackedEncoder
from colde.encoders.sentence_encoder import CachedSentenceEncoder, join_pieces, shared_sentence_encoder
from colde.encoders.sentence_layout import Sentences, read_sentences
from colde.encoders.vector_math import normalised
from colde.explain.passage_maps import passage_maps
from colde.models.colde.document_encoding import chunk_passages
from colde.results.encoding import Encoding
from colde.results.model_score import Coverage
from colde.results.pair_result import PairResult
from colde.results.similarity_map import Array
from colde.text.chunks import default_tokenizer
from colde.text.document import Document
from studies.encode_texts import encode_ids, encode_sentences, frame_texts

AT_ONCE = 4_096  # texts between two savings


class VectorStore:
    """An encoder with the vectors of all texts it has encoded.

    Args:
        path: an .npz file, made when something is saved; None keeps nothing. One encoder's alone.
        folder: of the encoder, with the packaged one's tokenizer; None for the packaged one.
    """

    def __init__(self, path: Path | None = None, folder: Path | None = None) -> None:
        self._path, self._folder = path, folder
        self._encoder: Encoder | None = None
        self._known: dict[bytes, Array] = {}
        if path is not None and path.is_file():
            with np.load(path, allow_pickle=False) as kept:
                vectors = kept["vectors"]
                self._known = {bytes(k): v for k, v in zip(kept["keys"], vectors, strict=True)}

    def ids(self, ids: Sequence[Ids]) -> Array:
        """[texts, dimension], float32, not normalised."""
        keys = [hashlib.sha1(i.tobytes(), usedforsecurity=False).digest() for i in ids]
        fresh = {k: i for k, i in zip(keys, ids, strict=True) if k not in self._known}
        todo = list(fresh.items())
        for at in range(0, len(todo), AT_ONCE):
            self._encoder = self._encoder or PackedEncoder.load(self._folder or packaged_encoder())
            some = todo[at : at + AT_ONCE]
            vectors = encode_ids(self._encoder, [i for _, i in some]).astype(np.float16)
            self._known.update({k: v for (k, _), v in zip(some, vectors, strict=True)})
            if len(todo) > AT_ONCE:
                self.save()
                print(f"  encoded {at + len(some)} of {len(todo)}", flush=True)
        if not keys:
            return np.zeros((0, 384), dtype=np.float32)
        return np.stack([self._known[k] for k in keys]).astype(np.float32)

    def texts(self, texts: Sequence[str]) -> Array:
        """[texts, dimension], each text encoded on its own."""
        return self.ids(frame_texts(list(texts), default_tokenizer()))

    def save(self) -> None:
        if self._path is None or not self._known:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        keys = np.array([np.frombuffer(k, dtype=np.uint8) for k in self._known])
        partial = self._path.with_name(f"_{self._path.name}")
        np.savez(partial, keys=keys, vectors=np.stack(list(self._known.values())))
        partial.replace(self._path)


class StoredSentenceEncoder(CachedSentenceEncoder):
    """The sentence encoder of the models, with vectors from a store."""

    def __init__(self, store: VectorStore) -> None:
        super().__init__(shared_sentence_encoder().encoder)
        self._store = store

    def read_batch(self, layout: Sentences, batch: NDArray[np.int64]) -> Array:
        return normalised(self._store.ids([layout.ids[i] for i in batch]))


class PassageMapModel:
    """The passages map of CoLDE and its matches, without the rest of the model."""

    def __init__(self, store: VectorStore) -> None:
        self._encoder = StoredSentenceEncoder(store)

    def encode(self, documents: Sequence[Document]) -> list[Encoding]:
        read = [read_sentences(document, default_tokenizer()) for document in documents]
        return [
            Encoding(
                document,
                Coverage(int(sentences.tokens.sum()), int(sentences.tokens.sum())),
                sentences=join_pieces(sentences, encode_sentences(self._encoder, sentences)),
                chunk_spans=chunk_passages(sentences),
            )
            for document, sentences in zip(documents, read, strict=True)
        ]

    def match(self, a: Encoding, b: Encoding) -> PairResult:
        return PairResult(0.0, a.coverage, b.coverage, passage_maps(a, b))
