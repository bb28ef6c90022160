"""Token ids of every chunk of a corpus, kept on disk: what a trained encoder reads. No text, so they travel small."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from colde.corpus.corpus_folder import read_documents
from colde.text.chunks import TextTokenizer, chunk_document
from colde.training.corpus_cache import corpus_digest, is_intact


@dataclass(frozen=True, slots=True)
class CorpusChunkIds:
    """Token ids of a corpus.

    Attributes:
        names: [documents], ids of the documents, in the order of the corpus.
        first: [documents + 1], chunks of document d are `first[d]:first[d + 1]`.
        offsets: [chunks + 1], tokens of chunk c are `flat[offsets[c]:offsets[c + 1]]`, special tokens included.
        flat: [tokens], uint16 (a word piece vocabulary has fewer than 65,536 entries).
    """

    names: tuple[str, ...]
    first: NDArray[np.int64]
    offsets: NDArray[np.int64]
    flat: NDArray[np.uint16]

    @property
    def index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def chunks(self, document: int) -> range:
        """Numbers of the chunks of a document."""
        return range(int(self.first[document]), int(self.first[document + 1]))

    def of(self, chunk: int) -> NDArray[np.int64]:
        """[tokens] of a chunk."""
        return self.flat[self.offsets[chunk] : self.offsets[chunk + 1]].astype(np.int64)


def cached_chunk_ids(corpus: Path, folder: Path, tokenizer: TextTokenizer) -> CorpusChunkIds:
    """Ids of all chunks of all documents, from `folder` if they are there already."""
    path = folder / f"{corpus.name}-{corpus_digest(corpus)}-ids.npz"
    if not is_intact(path):
        folder.mkdir(parents=True, exist_ok=True)
        names: list[str] = []
        first, lengths = [0], [0]
        flat: list[NDArray[np.uint16]] = []
        for name, document in read_documents(corpus, sentences=False):
            chunked = chunk_document(document, tokenizer)
            names.append(name)
            first.append(first[-1] + len(chunked.ids))
            lengths.extend(len(ids) for ids in chunked.ids)
            flat.extend(ids.astype(np.uint16) for ids in chunked.ids)
        temporary = path.with_suffix(f".{os.getpid()}.part.npz")
        np.savez_compressed(
            temporary,
            names=np.array(names),
            first=first,
            offsets=np.cumsum(lengths),
            flat=np.concatenate(flat),
        )
        temporary.rename(path)
    with np.load(path, allow_pickle=False) as kept:
        return CorpusChunkIds(tuple(kept["names"].tolist()), kept["first"], kept["offsets"], kept["flat"])
