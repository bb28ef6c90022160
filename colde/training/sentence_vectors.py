"""Vectors of sentences by the encoder as it came, computed once for a sample of every document and kept on disk.

For each corpus a folder with

    sentences.npz     what `colde.encoders.sentence_layout` says of every document that stands in a pair
    vectors.bin       [sentences, width], fp16: mean last states, of length one, of the sentences that were kept
    kept.json         which sentences: about so many tokens of a document, drawn evenly from all its chunks; more of
                      a document of the validation pairs
    ready.bin         [sentences], 1 where a sentence is there
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from colde.corpus.corpus_folder import read_pairs, read_records, record_to_document
from colde.encoders.batches import by_length
from colde.encoders.memory import reuse_freed_blocks
from colde.encoders.packed_bert import Bert, length_runs, text_means
from colde.encoders.runtime import compute_dtype
from colde.encoders.sentence_layout import read_sentences
from colde.encoders.vector_math import normalised
from colde.errors import CorpusError
from colde.text.chunks import default_tokenizer, packaged_encoder

WIDTH = 384
TOKENS = 8192
"""Tokens encoded at once."""

SHORTEST = 4
"""Word pieces of a sentence that is worth drawing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusLayout:
    """Sentences of the documents of a corpus that stand in pairs.

    Attributes:
        tokens, chunk: [sentences], as in `Sentences`.
        names: [documents].
        first: [documents + 1], sentences of document d are `first[d]:first[d + 1]`.
        offsets: [sentences + 1], into flat.
        flat: token ids, special tokens included, uint16.
    """

    tokens: NDArray[np.int64]
    chunk: NDArray[np.int64]
    names: tuple[str, ...]
    first: NDArray[np.int64]
    offsets: NDArray[np.int64]
    flat: NDArray[np.uint16]

    def of(self, document: int) -> slice:
        """The sentences of a document."""
        return slice(int(self.first[document]), int(self.first[document + 1]))


def load_layout(corpus: Path, folder: Path, processes: int = 2) -> CorpusLayout:
    """Sentences of every document of the training and validation pairs, from `folder` if they are there."""
    path = folder / corpus.name / "sentences.npz"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        wanted = {
            n
            for s in ("train", "valid")
            for p in read_pairs(corpus / f"{s}.tsv")
            for n in (p.source, p.target)
        }
        records = [r for name, r in read_records(corpus) if name in wanted]
        names = [str(r["id"]) for r in records]
        with ProcessPoolExecutor(processes) as pool:
            found = list(pool.map(_layout, records, chunksize=8))
        parts = {key: [f[key] for f in found] for key in found[0]}
        arrays: dict[str, Any] = {key: np.concatenate(value) for key, value in parts.items()}
        temporary = path.with_suffix(".part.npz")
        np.savez(
            temporary,
            names=np.array(names),
            first=np.cumsum([0, *(len(x) for x in parts["tokens"])]),
            offsets=np.cumsum(np.concatenate(([0], arrays.pop("lengths")))),
            **arrays,
        )
        temporary.rename(path)
    with np.load(path, allow_pickle=False) as kept:
        values: dict[str, Any] = {f.name: kept[f.name] for f in fields(CorpusLayout)}
    values["names"] = tuple(values["names"].tolist())
    return CorpusLayout(**values)


def _layout(record: dict[str, Any]) -> dict[str, NDArray[Any]]:
    found = read_sentences(record_to_document(record), default_tokenizer())
    ids = found.ids or (np.zeros(0, np.int32),)
    return {
        "tokens": found.tokens,
        "chunk": found.chunk,
        "lengths": np.array([len(i) for i in found.ids], dtype=np.int64),
        "flat": np.concatenate(ids).astype(np.uint16),
    }


def sample(
    tokens: NDArray[np.int64], chunk: NDArray[np.int64], budget: int, random: np.random.Generator
) -> NDArray[np.int64]:
    """Sentences of about `budget` tokens in all, drawn without replacement, as evenly from all chunks as can be.

    Returns positions in reading order; every sentence where the budget holds them all.
    """
    if int(tokens.sum()) <= budget or len(tokens) < 2:
        return np.arange(len(tokens))
    size = np.bincount(chunk, weights=tokens).clip(min=1)
    order = random.permutation(len(tokens))
    order = order[np.argsort(chunk[order], kind="stable")]
    # How much of its chunk has been drawn when a sentence is drawn: sentences of all chunks queue by it.
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
    """Kept sentences of a corpus, and their vectors.

    Attributes:
        sentence: [kept], numbers of the sentences in `CorpusLayout`.
        first: [documents + 1], kept sentences of document d are `first[d]:first[d + 1]`.
        vectors: [kept, width], float16; ready: [kept], uint8.
    """

    sentence: NDArray[np.int64]
    first: NDArray[np.int64]
    vectors: NDArray[np.float16]
    ready: NDArray[np.uint8]

    def of(self, document: int) -> slice:
        """The kept sentences of a document."""
        return slice(int(self.first[document]), int(self.first[document + 1]))


@dataclass(frozen=True, slots=True)
class TokenBudgets:
    """Tokens kept of a document: of one that is trained on, of one that stands in a validation pair."""

    trained: int = 4_000
    judged: int = 6_000


def choose_sentences(
    layouts: CorpusLayout, judged: frozenset[str], budgets: TokenBudgets
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Numbers of the sentences to keep, and the first of each document; the same in every run."""
    found, first = [], [0]
    for d, name in enumerate(layouts.names):
        rows = layouts.of(d)
        budget = budgets.judged if name in judged else budgets.trained
        random = np.random.default_rng(d)
        found.append(sample(layouts.tokens[rows], layouts.chunk[rows], budget, random) + rows.start)
        first.append(first[-1] + len(found[-1]))
    return np.concatenate(found), np.array(first, dtype=np.int64)


def open_stored_vectors(
    corpus: Path, folder: Path, layouts: CorpusLayout, budgets: TokenBudgets
) -> StoredVectors:
    """The kept vectors of a corpus, to read and to complete.

    Raises:
        CorpusError: the folder was made with other budgets.
    """
    folder = folder / corpus.name
    path = folder / "kept.json"
    if not path.exists():
        path.write_text(json.dumps(asdict(budgets)))
    if json.loads(path.read_text()) != asdict(budgets):
        raise CorpusError(f"{folder}: made with other numbers of tokens; name another folder")
    sentence, first = choose_sentences(layouts, valid_names(corpus), budgets)
    vectors = _mapped(folder / "vectors.bin", np.float16, (len(sentence), WIDTH))
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
    """A frozen encoder, the packaged one or that of a folder, which computes what is not kept yet."""

    def __init__(self, folder: Path | None = None) -> None:
        reuse_freed_blocks()
        self.encoder = Bert.load(folder or packaged_encoder()).to(compute_dtype()).eval()

    @torch.inference_mode()
    def encode_missing(self, layouts: CorpusLayout, kept: StoredVectors, rows: NDArray[np.int64]) -> None:
        """Compute those of these kept sentences that are missing."""
        rows = rows[kept.ready[rows] == 0]
        lengths = np.diff(layouts.offsets)[kept.sentence[rows]]
        for some in by_length(lengths, TOKENS):
            runs = length_runs(lengths[some])
            numbers = kept.sentence[rows[some]]
            flat = [layouts.flat[layouts.offsets[n] : layouts.offsets[n + 1]] for n in numbers]
            x = self.encoder(torch.from_numpy(np.concatenate(flat).astype(np.int64)), runs)
            kept.vectors[rows[some]] = normalised(text_means(x, runs).numpy()).astype(np.float16)
            kept.ready[rows[some]] = 1


def encode_missing(
    corpus: Path, folder: Path, budgets: TokenBudgets, filler: MissingVectorWriter, window: int = 48
) -> Iterator[tuple[int, int]]:
    """Compute what is missing, some documents at a time; yields documents done and all."""
    layouts = load_layout(corpus, folder)
    kept = open_stored_vectors(corpus, folder, layouts, budgets)
    total = len(layouts.names)
    for at in range(0, total, window):
        until = min(at + window, total)
        filler.encode_missing(layouts, kept, np.arange(kept.first[at], kept.first[until]))
        yield until, total
