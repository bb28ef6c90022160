"""Token ids of every chunk of a corpus, kept on disk: the input of an encoder that is trained."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from colde.corpus.corpus_folder import read_documents
from colde.text.chunks import TextTokenizer, chunk_document
from colde.training.corpora.corpus_cache import cached_arrays, corpus_digest


@dataclass(frozen=True, slots=True)
class CorpusChunkIds:
    """Token ids of a corpus.

    Attributes:
        names: [documents], ids of the documents, in the order of the corpus.
        first: [documents + 1], chunks of document d are `first[d]:first[d + 1]`.
        offsets: [chunks + 1], tokens of chunk c are `flat[offsets[c]:offsets[c + 1]]`, with special tokens.
        flat: [tokens], uint16, since the vocabulary has fewer than 65,536 word pieces.
    """

    names: tuple[str, ...]
    first: NDArray[np.int64]
    offsets: NDArray[np.int64]
    flat: NDArray[np.uint16]

    @property
    def index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def chunks(self, document: int) -> range:
        """The chunks of a document."""
        return range(int(self.first[document]), int(self.first[document + 1]))

    def of(self, chunk: int) -> NDArray[np.int64]:
        """The token ids of a chunk: [tokens]."""
        return self.flat[self.offsets[chunk] : self.offsets[chunk + 1]].astype(np.int64)


def cached_chunk_ids(corpus: Path, folder: Path, tokenizer: TextTokenizer) -> CorpusChunkIds:
    """Ids of all chunks of all documents; `folder` stores them."""
    stored = cached_arrays(
        folder / f"{corpus.name}-{corpus_digest(corpus)}-ids.npz", lambda: _chunk_ids(corpus, tokenizer)
    )
    names = tuple(stored["names"].tolist())
    return CorpusChunkIds(names, stored["first"], stored["offsets"], stored["flat"])


def _chunk_ids(corpus: Path, tokenizer: TextTokenizer) -> dict[str, NDArray[Any]]:
    names: list[str] = []
    first, lengths = [0], [0]
    flat: list[NDArray[np.uint16]] = []
    for name, document in read_documents(corpus, sentences=False):
        chunked = chunk_document(document, tokenizer)
        names.append(name)
        first.append(first[-1] + len(chunked.ids))
        lengths.extend(len(ids) for ids in chunked.ids)
        flat.extend(ids.astype(np.uint16) for ids in chunked.ids)
    return {
        "names": np.array(names),
        "first": np.array(first),
        "offsets": np.cumsum(lengths),
        "flat": np.concatenate(flat),
    }
