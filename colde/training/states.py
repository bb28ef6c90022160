"""States below the trained layers of the encoder, computed once for a sample of every document and kept on disk.

For each corpus a folder with

    sentences.npz     what `colde.models.colde.sentences` says of every document that stands in a pair
    states.bin        [tokens, width], bf16: what enters the first trained layer, of the sentences that were kept
    frozen.bin        [sentences, width], fp16: mean last states of the frozen encoder, of the same sentences
    kept.json         which sentences: about `budget` tokens of a document, drawn evenly from all its chunks; with
                      `whole`, all of a document of the validation pairs
    ready.bin         [sentences], 1 where a sentence is there; others are computed when they are asked for
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from colde.data.corpus import read_pairs, read_records, to_document
from colde.encoders.packed import Bert
from colde.models.colde.layers import Below, above, length_runs, sentence_means
from colde.models.colde.sentences import read_sentences
from colde.text.tokens import default_tokenizer, packaged_encoder

WIDTH = 384
LAYERS = 4
"""Layers below: four of six; the two above are trained."""

TOKENS = 8192
"""Tokens encoded at once."""

SHORTEST = 4
"""Word pieces of a sentence that is worth drawing."""


@dataclass(frozen=True, slots=True)
class Layouts:
    """Sentences of the documents of a corpus that stand in pairs.

    Attributes:
        names: [documents].
        first: [documents + 1], sentences of document d are `first[d]:first[d + 1]`.
        tokens, chunk: [sentences], as in `Sentences`.
        chunks: [documents + 1], chunks of document d are `chunks[d]:chunks[d + 1]`.
        part, place: [all chunks], as in `Sentences`.
        offsets: [sentences + 1], into flat.
        flat: token ids, special tokens included, uint16.
    """

    names: tuple[str, ...]
    first: NDArray[np.int64]
    tokens: NDArray[np.int64]
    chunk: NDArray[np.int64]
    chunks: NDArray[np.int64]
    part: NDArray[np.int64]
    place: NDArray[np.int64]
    offsets: NDArray[np.int64]
    flat: NDArray[np.uint16]

    def of(self, document: int) -> slice:
        """The sentences of a document."""
        return slice(int(self.first[document]), int(self.first[document + 1]))


def kept_layouts(corpus: Path, folder: Path, processes: int = 2) -> Layouts:
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
            chunks=np.cumsum([0, *(len(x) for x in parts["part"])]),
            offsets=np.cumsum(np.concatenate(([0], arrays.pop("lengths")))),
            **arrays,
        )
        temporary.rename(path)
    with np.load(path, allow_pickle=False) as kept:
        values: dict[str, Any] = {key: kept[key] for key in kept.files}
    values["names"] = tuple(values["names"].tolist())
    return Layouts(**values)


def _layout(record: dict[str, Any]) -> dict[str, NDArray[Any]]:
    found = read_sentences(to_document(record), default_tokenizer())
    ids = found.ids or (np.zeros(0, np.int32),)
    return {
        "tokens": found.tokens.astype(np.int64),
        "chunk": found.chunk.astype(np.int64),
        "part": found.part.astype(np.int64),
        "place": found.place.astype(np.int64),
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
class Kept:
    """Which sentences of a corpus are kept, and where.

    Attributes:
        sentence: [kept], numbers of the sentences in `Layouts`.
        first: [documents + 1], kept sentences of document d are `first[d]:first[d + 1]`.
        offsets: [kept + 1], rows of `states` that hold a kept sentence.
        states: [tokens, width], uint16 (bf16); frozen: [kept, width], float16; ready: [kept], uint8.
    """

    sentence: NDArray[np.int64]
    first: NDArray[np.int64]
    offsets: NDArray[np.int64]
    states: NDArray[np.uint16]
    frozen: NDArray[np.float16]
    ready: NDArray[np.uint8]


def choose(
    layouts: Layouts, whole: frozenset[str], budget: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Numbers of the sentences to keep, and the first of each document; the same in every run."""
    random = np.random.default_rng(0)
    found, first = [], [0]
    for d, name in enumerate(layouts.names):
        rows = layouts.of(d)
        drawn = sample(layouts.tokens[rows], layouts.chunk[rows], budget, random)
        if name in whole:
            drawn = np.arange(rows.stop - rows.start)
        found.append(drawn + rows.start)
        first.append(first[-1] + len(drawn))
    return np.concatenate(found), np.array(first, dtype=np.int64)


def settle(corpus: Path, folder: Path, budget: int, whole: bool) -> None:
    """Write down what is kept of a corpus, unless that is settled already."""
    path = folder / corpus.name / "kept.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"budget": budget, "whole": whole}))


def open_kept(corpus: Path, folder: Path, layouts: Layouts) -> Kept:
    """The kept states of a corpus, to read and to complete."""
    folder = folder / corpus.name
    settled = json.loads((folder / "kept.json").read_text())
    whole = valid_names(corpus) if settled["whole"] else frozenset()
    sentence, first = choose(layouts, whole, settled["budget"])
    lengths = np.diff(layouts.offsets)[sentence]
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    shapes: dict[str, tuple[Any, tuple[int, ...]]] = {
        "states": (np.uint16, (int(offsets[-1]), WIDTH)),
        "frozen": (np.float16, (len(sentence), WIDTH)),
        "ready": (np.uint8, (len(sentence),)),
    }
    found = []
    for name, (dtype, shape) in shapes.items():
        path = folder / f"{name}.bin"
        if not path.exists():
            with path.open("wb") as out:
                out.truncate(int(np.prod(shape)) * np.dtype(dtype).itemsize)
        found.append(np.memmap(path, dtype, "r+", shape=shape))
    return Kept(sentence, first, offsets, *found)


def valid_names(corpus: Path) -> frozenset[str]:
    """Documents of the validation pairs."""
    return frozenset(n for p in read_pairs(corpus / "valid.tsv") for n in (p.source, p.target))


class Filler:
    """The frozen encoder, which computes what is not kept yet."""

    def __init__(self) -> None:
        encoder = Bert.load(packaged_encoder())
        self.below = Below(encoder, LAYERS).to(torch.bfloat16)
        self.rest = above(encoder, LAYERS).to(torch.bfloat16)

    @torch.inference_mode()
    def fill(self, layouts: Layouts, kept: Kept, rows: NDArray[np.int64]) -> None:
        """Compute those of these kept sentences that are missing."""
        rows = rows[kept.ready[rows] == 0]
        lengths = kept.offsets[rows + 1] - kept.offsets[rows]
        for some in batches_by_length(lengths, TOKENS):
            runs = length_runs(lengths[some])
            numbers = kept.sentence[rows[some]]
            flat = [layouts.flat[layouts.offsets[n] : layouts.offsets[n + 1]] for n in numbers]
            x = self.below(torch.from_numpy(np.concatenate(flat).astype(np.int64)), runs)
            stored = x.view(torch.uint16).numpy()
            place = np.concatenate(([0], np.cumsum(lengths[some])))
            for i, row in enumerate(rows[some]):
                kept.states[kept.offsets[row] : kept.offsets[row + 1]] = stored[place[i] : place[i + 1]]
            for layer in self.rest:
                x = layer(x, runs)
            kept.frozen[rows[some]] = sentence_means(x, runs).numpy().astype(np.float16)
            kept.ready[rows[some]] = 1


def fill(corpus: Path, folder: Path, filler: Filler, window: int = 24) -> Iterator[tuple[int, int]]:
    """Compute what is missing, some documents at a time; yields documents done and all."""
    layouts = kept_layouts(corpus, folder)
    kept = open_kept(corpus, folder, layouts)
    total = len(layouts.names)
    for at in range(0, total, window):
        until = min(at + window, total)
        filler.fill(layouts, kept, np.arange(kept.first[at], kept.first[until]))
        yield until, total


def batches_by_length(lengths: NDArray[np.int64], tokens: int) -> Iterator[NDArray[np.int64]]:
    """Positions of sentences, shortest first, at most so many tokens at once."""
    order = np.argsort(lengths, kind="stable")
    number = (np.cumsum(lengths[order]) - 1) // tokens
    for run in np.split(order, np.flatnonzero(np.diff(number)) + 1):
        if len(run):
            yield run


def rows_of(states: NDArray[np.uint16], offsets: NDArray[np.int64], rows: NDArray[np.int64]) -> Tensor:
    """Kept states of these sentences, one after the other: [tokens, width], bf16."""
    parts = [states[offsets[r] : offsets[r + 1]] for r in rows]
    return torch.from_numpy(np.concatenate(parts)).view(torch.bfloat16)


def main(arguments: Sequence[str] | None = None) -> None:
    """`python -m colde.training.states --output FOLDER CORPUS…`: compute and keep, or go on with it."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--output", required=True, type=Path)
    parser.add_argument("--budget", type=int, default=1280)
    parser.add_argument("--whole", action="store_true", help="all sentences of validation documents")
    parser.add_argument("--threads", type=int, default=2)
    chosen = parser.parse_args(arguments)
    torch.set_num_threads(chosen.threads)
    tell = partial(print, flush=True)
    for corpus in chosen.corpora:
        settle(corpus, chosen.output, chosen.budget, chosen.whole)
        kept_layouts(corpus, chosen.output)
        tell(f"{corpus.name}: sentences read")
    filler = Filler()
    for corpus in chosen.corpora:
        for at, total in fill(corpus, chosen.output, filler):
            tell(f"{corpus.name}: {at} of {total} documents")


if __name__ == "__main__":
    main()
