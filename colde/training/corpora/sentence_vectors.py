"""Vectors of sentences by a frozen encoder, computed once for a sample of every document and kept on disk.

Each corpus has a folder with

    sentences.npz     the layout (`colde.encoders.sentence_layout`) of every document in a labelled or graded pair
    vectors.bin       [sentences, width], float16: unit vectors, the mean last states of the stored sentences
    kept.json         the budgets by which sentences are drawn, evenly from all chunks of a document; the hash of the
                      encoder, where it is not the packaged one
    ready.bin         [sentences], 1 where a vector is stored
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from colde.corpus.corpus_folder import GRADED, read_pairs, read_records, record_to_document
from colde.encoders.batches import by_length
from colde.encoders.encoder_names import PACKAGED
from colde.encoders.encoders_by_name import encoder_tokenizer, encoder_weights, shared_encoder
from colde.encoders.memory import reuse_freed_blocks
from colde.encoders.sentence_layout import read_sentences
from colde.encoders.vector_math import normalised
from colde.errors import CorpusError
from colde.training.corpora.corpus_cache import SPLITS, cached_arrays

WIDTH = 384
TOKENS = 8192  # encoded at once
SHORTEST = 4  # word pieces; shorter sentences are drawn last
TOKEN_BUDGETS = {"trained": 4_000, "judged": 6_000}
"""Tokens stored of a document that is trained on, and of one in a validation pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusLayout:
    """Sentences of the documents in labelled or graded pairs of a corpus.

    Attributes:
        tokens, chunk: [sentences], as in `Sentences`.
        names: [documents].
        first: [documents + 1], sentences of document d are `first[d]:first[d + 1]`.
        offsets: [sentences + 1], into flat.
        flat: token ids, special tokens included; uint16, or uint32 for an encoder with more word pieces.
    """

    tokens: NDArray[np.int64]
    chunk: NDArray[np.int64]
    names: tuple[str, ...]
    first: NDArray[np.int64]
    offsets: NDArray[np.int64]
    flat: NDArray[np.uint16] | NDArray[np.uint32]

    def of(self, document: int) -> slice:
        """The sentences of a document."""
        return slice(int(self.first[document]), int(self.first[document + 1]))


def load_layout(corpus: Path, folder: Path, processes: int = 2, encoder: str = PACKAGED) -> CorpusLayout:
    """Sentences of every document in training, validation and graded pairs; `folder` stores them."""
    file = folder / corpus.name / "sentences.npz"
    arrays = cached_arrays(file, lambda: _layouts(corpus, processes, encoder))
    values: dict[str, Any] = {f.name: arrays[f.name] for f in fields(CorpusLayout)}
    return CorpusLayout(**{**values, "names": tuple(values["names"].tolist())})


def _layouts(corpus: Path, processes: int, encoder: str) -> dict[str, NDArray[Any]]:
    tables = [corpus / f"{split}.tsv" for split in SPLITS]
    if (corpus / GRADED).is_file():
        tables.append(corpus / GRADED)
    wanted = {name for table in tables for pair in read_pairs(table) for name in (pair.source, pair.target)}
    records = [record for name, record in read_records(corpus) if name in wanted]
    with ProcessPoolExecutor(processes) as pool:
        layouts = list(pool.map(partial(_layout, encoder=encoder), records, chunksize=8))
    tokens, chunk, lengths, flat = ([layout[k] for layout in layouts] for k in range(4))
    return {
        "tokens": np.concatenate(tokens),
        "chunk": np.concatenate(chunk),
        "names": np.array([str(r["id"]) for r in records]),
        "first": np.cumsum([0, *(len(x) for x in tokens)]),
        "offsets": np.cumsum(np.concatenate(([0], *lengths))),
        "flat": np.concatenate(flat),
    }


def _layout(record: dict[str, Any], encoder: str = PACKAGED) -> tuple[NDArray[Any], ...]:
    """Of the sentences of a document: tokens, chunks, numbers of token ids, and the token ids end to end."""
    tokenizer = encoder_tokenizer(encoder)
    sentences = read_sentences(record_to_document(record), tokenizer)
    ids = sentences.ids or (np.zeros(0, np.int32),)
    lengths = np.array([len(i) for i in sentences.ids], dtype=np.int64)
    size = np.uint16 if tokenizer.pieces <= 2**16 else np.uint32
    return sentences.tokens, sentences.chunk, lengths, np.concatenate(ids).astype(size)


def sample(
    tokens: NDArray[np.int64], chunk: NDArray[np.int64], budget: int, random: np.random.Generator
) -> NDArray[np.int64]:
    """Draw sentences of about `budget` tokens, as evenly from all chunks as possible.

    Returns their positions in reading order: of all sentences if they fit into the budget.
    """
    if int(tokens.sum()) <= budget or len(tokens) < 2:
        return np.arange(len(tokens))
    size = np.bincount(chunk, weights=tokens).clip(min=1)
    order = random.permutation(len(tokens))
    order = order[np.argsort(chunk[order], kind="stable")]
    # The share of its chunk that is drawn before a sentence: sentences of all chunks are drawn in this order.
    before = np.zeros(len(tokens))
    for c in np.unique(chunk):
        rows = order[chunk[order] == c]
        running = np.cumsum(tokens[rows])
        before[rows] = (running - tokens[rows]) / size[c] + 1e-3 * random.random(len(rows))
        before[rows] += 2.0 * (tokens[rows] < SHORTEST)
    queue = np.argsort(before, kind="stable")
    many = int(np.searchsorted(np.cumsum(tokens[queue]), budget)) + 1
    return np.sort(queue[:many])


@dataclass(frozen=True, slots=True)
class StoredVectors:
    """Stored sentences of a corpus, and their vectors.

    Attributes:
        sentence: [stored], positions of the sentences in `CorpusLayout`.
        first: [documents + 1], stored sentences of document d are `first[d]:first[d + 1]`.
        vectors: [stored, width], float16; ready: [stored], uint8.
    """

    sentence: NDArray[np.int64]
    first: NDArray[np.int64]
    vectors: NDArray[np.float16]
    ready: NDArray[np.uint8]

    def of(self, document: int) -> slice:
        """The stored sentences of a document."""
        return slice(int(self.first[document]), int(self.first[document + 1]))


def choose_sentences(
    layouts: CorpusLayout, judged: frozenset[str], budgets: Mapping[str, int] = TOKEN_BUDGETS
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Positions of the sentences to keep, and the first of each document; the same in every run."""
    chosen, first = [], [0]
    for d, name in enumerate(layouts.names):
        rows = layouts.of(d)
        budget = budgets["judged" if name in judged else "trained"]
        random = np.random.default_rng(d)
        chosen.append(sample(layouts.tokens[rows], layouts.chunk[rows], budget, random) + rows.start)
        first.append(first[-1] + len(chosen[-1]))
    return np.concatenate(chosen), np.array(first, dtype=np.int64)


def open_stored_vectors(
    corpus: Path,
    folder: Path,
    layouts: CorpusLayout,
    encoder: str = PACKAGED,
    budgets: Mapping[str, int] = TOKEN_BUDGETS,
) -> StoredVectors:
    """The stored vectors of a corpus, to read and to complete.

    Args:
        budgets: as `TOKEN_BUDGETS`.

    Raises:
        CorpusError: the folder was made with other budgets or another encoder.
    """
    wanted = dict(budgets) if encoder == PACKAGED else {**budgets, "encoder": encoder_weights(encoder)}
    folder = folder / corpus.name
    path = folder / "kept.json"
    if not path.exists():
        path.write_text(json.dumps(wanted))
    if json.loads(path.read_text()) != wanted:
        raise CorpusError(
            f"{folder}: made with other numbers of tokens or another encoder; name another folder"
        )
    sentence, first = choose_sentences(layouts, valid_names(corpus), budgets)
    width = WIDTH if encoder == PACKAGED else shared_encoder(encoder).dimension
    vectors = _mapped(folder / "vectors.bin", np.float16, (len(sentence), width))
    return StoredVectors(sentence, first, vectors, _mapped(folder / "ready.bin", np.uint8, (len(sentence),)))


def _mapped(path: Path, dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    if not path.exists():
        with path.open("wb") as out:
            out.truncate(int(np.prod(shape)) * np.dtype(dtype).itemsize)
    return np.memmap(path, dtype, "r+", shape=shape)


def valid_names(corpus: Path) -> frozenset[str]:
    """Documents of the validation pairs."""
    return frozenset(n for p in read_pairs(corpus / "valid.tsv") for n in (p.source, p.target))


class MissingVectorWriter:
    """Computes the vectors that are missing with a frozen encoder, by its name."""

    def __init__(self, encoder: str = PACKAGED) -> None:
        reuse_freed_blocks()
        self.encoder = shared_encoder(encoder)

    def complete(
        self, layouts: CorpusLayout, kept: StoredVectors, window: int = 48
    ) -> Iterator[tuple[int, int]]:
        """Compute all missing vectors of a corpus, `window` documents at a time; yields documents done and all."""
        total = len(layouts.names)
        for start in range(0, total, window):
            end = min(start + window, total)
            self.encode(layouts, kept, np.arange(kept.first[start], kept.first[end]))
            yield end, total

    def encode(self, layouts: CorpusLayout, kept: StoredVectors, rows: NDArray[np.int64]) -> None:
        """Compute the missing vectors among some stored sentences.

        Args:
            rows: positions in `kept`.
        """
        rows = rows[kept.ready[rows] == 0]
        lengths = np.diff(layouts.offsets)[kept.sentence[rows]]
        for batch in by_length(lengths, TOKENS):
            sentences = kept.sentence[rows[batch]]
            ids = [
                layouts.flat[layouts.offsets[n] : layouts.offsets[n + 1]].astype(np.int32) for n in sentences
            ]
            kept.vectors[rows[batch]] = normalised(self.encoder.mean_states(ids)).astype(np.float16)
            kept.ready[rows[batch]] = 1
