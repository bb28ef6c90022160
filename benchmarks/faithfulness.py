"""Is what a model says made its score what made it?

python benchmarks/faithfulness.py CORPUS --models minilm,tfidf,colde [--pairs 20] [--output FILE.json]

Deletion curves: chunks are taken out of both documents of a related pair, and the score of what is left is read at
some shares of the text. Four orders: by what the contribution map says a chunk adds (for each of its letters), by the
strongest cosine of its MiniLM vector with a chunk of the other document, by the strongest TF-IDF cosine, and at random.
The area is the mean drop of the score over the shares; the more, the better the order. Intervals: 95 %, bootstrap over
pairs. Completeness: the residual of the map as a share of the score, and how far cells of a section are from the sums
of their chunks.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from colde import models
from colde.data.corpus import read_records, to_document
from colde.encoders.frozen import shared_frozen_encoder
from colde.encoders.vectors import cosines
from colde.models.base import Matcher, ProfileAware
from colde.results.maps import SimilarityMap
from colde.text.document import Document, Span
from colde.text.leave_out import leave_out
from colde.text.parts import in_parts
from colde.text.term_weights import shipped_statistics, tfidf, word_cosines
from colde.text.tokens import chunk_document, default_tokenizer

SHARES = (0.1, 0.25, 0.5)
RANDOM = 3  # orders at random, whose drops are averaged
DRAWS = 1_000
BASELINES = ("random", "chunk cosine", "TF-IDF")

Place = tuple[int, Span]
"""0 or 1 for the first or second document, and a chunk of it."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two related documents, and the orders of their chunks that need no model."""

    documents: tuple[Document, Document]
    orders: Mapping[str, list[list[Place]]]


@dataclass(frozen=True, slots=True)
class Measured:
    """A model on one pair: drops of the score by order, residual and error of nested sums as shares of the score."""

    drops: Mapping[str, float]
    residual: float
    nested: float


def main() -> None:
    asked = _arguments()
    pairs = [_pair(a, b, seed) for seed, (a, b) in enumerate(_related(asked.corpus, asked.pairs, asked.seed))]
    found: dict[str, Any] = {}
    for name in asked.models.split(","):
        model = models.load(name)
        if isinstance(model, ProfileAware):
            model = model.for_profile(asked.profile)
        measured = []
        for number, pair in enumerate(pairs, 1):
            measured.append(_measure(model, pair))
            print(f"{name} {number}/{len(pairs)}", end="\r", flush=True)
        found[name] = _summary(measured)
        print(f"{name}: {json.dumps(found[name], ensure_ascii=False)}")
    if asked.output is not None:
        head = {
            "corpus": asked.corpus.name,
            "pairs": len(pairs),
            "seed": asked.seed,
            "profile": asked.profile,
        }
        asked.output.write_text(json.dumps({**head, "shares": SHARES, "models": found}, indent=1) + "\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--models", default="minilm,tfidf,colde")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--profile", default="papers")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path)
    return parser.parse_args()


def _related(corpus: Path, count: int, seed: int) -> list[tuple[Document, Document]]:
    """Related validation pairs, drawn at random, no document twice."""
    with (corpus / "valid.tsv").open(newline="", encoding="utf-8") as file:
        rows = [(r["source"], r["target"]) for r in csv.DictReader(file, delimiter="\t") if r["label"] == "1"]
    chosen: list[tuple[str, str]] = []
    used: set[str] = set()
    for k in np.random.default_rng(seed).permutation(len(rows)):
        if len(chosen) < count and not used & set(rows[k]):
            chosen.append(rows[k])
            used |= set(rows[k])
    texts = {name: in_parts(to_document(record)) for name, record in read_records(corpus) if name in used}
    return [(texts[a], texts[b]) for a, b in chosen]


def _pair(a: Document, b: Document, seed: int) -> Pair:
    chunks = [chunk_document(d, default_tokenizer()).chunks for d in (a, b)]
    places: list[list[Place]] = [
        [(side, Span(c.start, c.end)) for c in own] for side, own in enumerate(chunks)
    ]
    texts = [[d.text[s.start : s.end] for _, s in own] for d, own in zip((a, b), places, strict=True)]
    states = [s.chunks for s in shared_frozen_encoder().encode_chunks([a, b])]
    words = [tfidf(own, shipped_statistics()) for own in texts]
    everything = [*places[0], *places[1]]
    random = np.random.default_rng(seed)
    return Pair(
        (a, b),
        {
            "random": [[everything[k] for k in random.permutation(len(everything))] for _ in range(RANDOM)],
            "chunk cosine": [_by_strongest(cosines(*states), places)],
            "TF-IDF": [_by_strongest(word_cosines(*words), places)],
        },
    )


def _by_strongest(values: np.ndarray, places: Sequence[Sequence[Place]]) -> list[Place]:
    """Chunks by their greatest cell."""
    best = [*zip(values.max(1), places[0], strict=True), *zip(values.max(0), places[1], strict=True)]
    return [place for _, place in sorted(best, key=lambda x: -x[0])]


def _measure(model: Matcher, pair: Pair) -> Measured:
    score, maps = _explained(model, pair.documents)
    chunk, section = maps["contribution_chunk"], maps["contribution_section"]
    adds = [*zip(chunk.values.sum(1), chunk.rows, [0] * len(chunk.rows), strict=True)]
    adds += zip(chunk.values.sum(0), chunk.columns, [1] * len(chunk.columns), strict=True)
    ranked = [(float(v) / len(s), (side, Span(s.start, s.end))) for v, s, side in adds]
    own = [place for _, place in sorted(ranked, key=lambda x: -x[0])]
    drops = {
        name: float(np.mean([_drop(model, pair, order, score) for order in orders]))
        for name, orders in {"contribution": [own], **pair.orders}.items()
    }
    return Measured(
        drops, abs(chunk.residual or 0.0) / abs(score), _nested_error(chunk, section) / abs(score)
    )


def _explained(model: Matcher, documents: Sequence[Document]) -> tuple[float, Mapping[str, SimilarityMap]]:
    """The score and the maps of what made it."""
    result = model.match(*model.encode(documents))
    return result.score, result.maps


def _drop(model: Matcher, pair: Pair, order: Sequence[Place], score: float) -> float:
    """Mean over the shares of what the score loses when the first chunks of an order are gone."""
    lengths = np.array([len(s) for _, s in order])
    gone = np.cumsum(lengths) / lengths.sum()
    left = []
    for share in SHARES:
        removed = order[: int(np.searchsorted(gone, share)) + 1]
        documents = [
            leave_out(d, [s for side, s in removed if side == number])
            for number, d in enumerate(pair.documents)
        ]
        if all(any(True for _ in d.compared()) for d in documents):
            left.append(model.match(*model.encode(documents, explain=False), explain=False).score)
        else:
            left.append(0.0)  # an empty document
    return score - float(np.mean(left))


def _nested_error(chunk: SimilarityMap, section: SimilarityMap) -> float:
    """The greatest distance of a section's cell from the sum of its chunks' cells."""
    total = np.zeros(section.values.shape)
    rows, columns = (
        [next(k for k, w in enumerate(wholes) if w.start <= s.start < w.end) for s in spans]
        for spans, wholes in ((chunk.rows, section.rows), (chunk.columns, section.columns))
    )
    np.add.at(total, np.ix_(rows, columns), chunk.values)
    return float(np.abs(total - section.values).max())


def _summary(measured: Sequence[Measured]) -> dict[str, Any]:
    """Areas and their differences from the contribution's, each with its interval; completeness."""
    drops = {name: np.array([m.drops[name] for m in measured]) for name in ("contribution", *BASELINES)}
    residuals = np.array([m.residual for m in measured])
    return {
        "area": {name: _interval(values) for name, values in drops.items()},
        "contribution less": {name: _interval(drops["contribution"] - drops[name]) for name in BASELINES},
        "residual": {"median": float(np.median(residuals)), "greatest": float(residuals.max())},
        "nested sums": float(max(m.nested for m in measured)),
    }


def _interval(values: np.ndarray) -> list[float]:
    """Mean, and its 95 % interval over draws of pairs."""
    random = np.random.default_rng(0)
    means = values[random.integers(len(values), size=(DRAWS, len(values)))].mean(1)
    return [round(float(v), 4) for v in (values.mean(), *np.quantile(means, (0.025, 0.975)))]


if __name__ == "__main__":
    main()
