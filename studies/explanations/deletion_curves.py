"""Deletion and insertion curves of what ships: does the score fall with what its contribution map calls strongest?

    python -m studies.explanations.deletion_curves ../shared/corpora --sentences runs/sentences \\
      --json docs/results/deletion_curves.json --asset assets/explanations.json

Related pairs with which nothing was trained: validation pairs and those of the development part. Chunks of both
documents are taken out one after the other, those first that add most for their letters; beside it at random, by the
strongest raw cosine of MiniLM chunk vectors with a chunk of the other document, and by the strongest TF-IDF cosine. The
area over a curve is the mean loss of the score when 5, 10, …, 95 % of the text are gone (deletion), the area under it
the mean score of so much of the text alone (insertion). No document loses its last chunk.

`--sentences` is what `python -m colde.training.sentence_vectors` has made, so that nothing is encoded: of a document of
more than 6,000 tokens it holds sentences drawn evenly from all chunks, and these are the document. A chunk is a sum of
its sentences and leaving others out changes none of it, so that every score comes from sums over chunks; a test holds
them against the models themselves.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse
from scipy.stats import spearmanr

from colde import models
from colde.comparison.deletion_test import first
from colde.corpus.corpus_folder import read_pairs, read_records, record_to_document
from colde.encoders.sentence_layout import Sentences, read_sentences
from colde.encoders.vector_math import cosines, group_sums
from colde.explain.contribution import distribute_weights
from colde.models.colde.attention import AttentionInput
from colde.models.colde.matcher import Colde
from colde.models.colde.network import ColdeNetwork
from colde.models.colde_words.mixture_matcher import ColdeWords, word_vector_parts
from colde.results.similarity_map import Array
from colde.text.chunks import default_tokenizer
from colde.text.document import Document, Span
from colde.text.term_weights import Counts, Statistics, counts, shipped_statistics, weighted, word_cosines
from colde.training.colde_objective import ColdeTraining
from colde.training.development_split import split_development
from colde.training.sentence_vectors import (
    CorpusLayout,
    StoredVectors,
    TokenBudgets,
    load_layout,
    open_stored_vectors,
)
from studies.arguments import command_line
from studies.explanations.deletion import Place, rest
from studies.explanations.explanation_tables import listed
from studies.explanations.planting import CORPORA
from studies.release.made_with import record

Float64Array = NDArray[np.float64]
SHARES = tuple(k / 20 for k in range(1, 20))
FEW = (0.1, 0.25, 0.5)
"""Shares of the text whose mean loss the page names."""
RANDOM = 5
CONTRIBUTION, CHANCE, COSINE, WORDS = "contribution", "random", "chunk cosine", "TF-IDF"
ORDERS = (CONTRIBUTION, CHANCE, COSINE, WORDS)
RANDOM_WEIGHTS = "weights drawn anew"
"""The contribution of the same model with other numbers for its trained weights."""
FRESH = ("project.weight",)
DRAWS = 1_000


@dataclass(frozen=True)
class ChunkedDocument:
    """A document as its chunks.

    Attributes:
        tokens: [chunks]; means: [chunks, width], token-weighted means of the unit vectors of their sentences.
        spans: where they stand; found: their words, [chunks, BUCKETS].
        segments: the chunk, the tokens and the mean of each segment of theirs.
    """

    tokens: Float64Array
    means: Array
    spans: tuple[Span, ...]
    found: Counts
    segments: tuple[NDArray[np.int64], Float64Array, Array]

    @cached_property
    def shares(self) -> Counts:
        """How the occurrences of each word are spread over the chunks: [chunks, BUCKETS]."""
        shares = self.found.astype(np.float64)
        shares.data /= np.asarray(shares.sum(0)).ravel()[shares.indices]
        return shares

    def words(self, kept: Float64Array, statistics: Statistics) -> Counts:
        """TF-IDF of the document with some chunks alone: kept [n, chunks], ones and zeros → [n, BUCKETS]."""
        return weighted(Counts(sparse.csr_matrix(kept) @ self.found), statistics)

    @property
    def whole(self) -> Float64Array:
        """All chunks: [1, chunks], ones."""
        return np.ones((1, len(self.tokens)))


def side_of(document: Document, found: Sentences, rows: NDArray[np.int64], units: Array) -> ChunkedDocument:
    """The chunks of a document, of which these sentences are there, with their unit vectors [rows, width]."""
    present, chunk = np.unique(found.chunk[rows], return_inverse=True)
    tokens = found.tokens[rows].astype(np.float64)
    mass, means = _grouped(chunk, tokens, units)
    there, segment = np.unique(found.segment[rows], return_inverse=True)
    of = np.searchsorted(present, found.segment_chunk[there])
    texts: list[list[str]] = [[] for _ in present]
    spans = [found.spans[i] for i in rows]
    for c, s in zip(chunk, spans, strict=True):
        texts[c].append(document.text[s.start : s.end])
    own = [[s for s, k in zip(spans, chunk, strict=True) if k == c] for c in range(len(present))]
    return ChunkedDocument(
        mass,
        means,
        tuple(Span(s[0].start, s[-1].end) for s in own),
        counts(["\n".join(t) for t in texts]),
        (of, *_grouped(segment, tokens, units)),
    )


def _grouped(of: NDArray[np.intp], tokens: Float64Array, units: Array) -> tuple[Float64Array, Array]:
    """Tokens of each group of sentences, and their mean by tokens: [groups], [groups, width]."""
    mass = np.bincount(of, tokens)
    summed = group_sums(units * tokens[:, None], of, len(mass))
    return mass, np.asarray(summed / np.maximum(mass, 1)[:, None], dtype=np.float32)


class ChunkScorer(ABC):
    """A model over chunks."""

    @abstractmethod
    def scores(
        self, a: ChunkedDocument, b: ChunkedDocument, kept_a: Float64Array, kept_b: Float64Array
    ) -> Float64Array:
        """Scores of the documents with some chunks alone: [n, chunks], ones and zeros, of either → [n]."""

    @abstractmethod
    def chunk_contributions(self, a: ChunkedDocument, b: ChunkedDocument) -> Float64Array:
        """What each pair of chunks adds to the score of the whole documents: [chunks of a, chunks of b]."""


class TfidfScorer(ChunkScorer):
    """The TF-IDF cosine."""

    def __init__(self, statistics: Statistics | None = None) -> None:
        self.statistics = statistics or shipped_statistics()

    def scores(
        self, a: ChunkedDocument, b: ChunkedDocument, kept_a: Float64Array, kept_b: Float64Array
    ) -> Float64Array:
        left, right = (s.words(kept, self.statistics) for s, kept in ((a, kept_a), (b, kept_b)))
        return np.asarray(left.multiply(right).sum(1), dtype=np.float64).ravel()

    def chunk_contributions(self, a: ChunkedDocument, b: ChunkedDocument) -> Float64Array:
        left, right = (distribute_weights(s.shares, s.words(s.whole, self.statistics)) for s in (a, b))
        return np.asarray((left @ right.T).toarray(), dtype=np.float64)


class MeanVectorScorer(ChunkScorer):
    """The cosine of the mean sentence vectors, as `minilm` has it."""

    def scores(
        self, a: ChunkedDocument, b: ChunkedDocument, kept_a: Float64Array, kept_b: Float64Array
    ) -> Float64Array:
        left, right = ((kept * s.tokens) @ s.means for s, kept in ((a, kept_a), (b, kept_b)))
        lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
        return np.asarray((left * right).sum(1) / np.maximum(lengths, 1e-12))

    def chunk_contributions(self, a: ChunkedDocument, b: ChunkedDocument) -> Float64Array:
        left, right = (s.means * s.tokens[:, None] for s in (a, b))
        lengths = np.linalg.norm(left.sum(0)) * np.linalg.norm(right.sum(0))
        return np.asarray(left @ right.T / max(float(lengths), 1e-12), dtype=np.float64)


class ColdeScorer(ChunkScorer):
    """CoLDE's network."""

    def __init__(self, model: Colde) -> None:
        self.network = model.embedder.network

    @torch.inference_mode()
    def scores(
        self, a: ChunkedDocument, b: ChunkedDocument, kept_a: Float64Array, kept_b: Float64Array
    ) -> Float64Array:
        attention = self.network.attention
        left, right = self._sides(a, kept_a), self._sides(b, kept_b)
        score = attention.unnormalised_score(left, right) / (
            attention.self_similarity_root(left) * attention.self_similarity_root(right)
        )
        return np.asarray(score.clamp(-1, 1).double().numpy())

    @torch.inference_mode()
    def chunk_contributions(self, a: ChunkedDocument, b: ChunkedDocument) -> Float64Array:
        attention = self.network.attention
        left, right = (self._sides(s, s.whole) for s in (a, b))
        lengths = attention.self_similarity_root(left)[0] * attention.self_similarity_root(right)[0]
        seen = attention.pair_weights(left, right)[0][0] * (left.values[0] @ right.values[0].T) / lengths
        found = np.zeros((len(a.tokens), len(b.tokens)))
        np.add.at(found, np.ix_(a.segments[0], b.segments[0]), seen.double().numpy())
        return found

    def _sides(self, side: ChunkedDocument, kept: Float64Array) -> AttentionInput:
        chunk, tokens, means = side.segments
        x = self.network.center_and_scale(torch.from_numpy(means)).expand(len(kept), -1, -1)
        mass = kept[:, chunk] * tokens
        shares = torch.from_numpy(mass / mass.sum(1, keepdims=True)).float()
        return self.network.attention_input(x, shares)


class ColdeWordsScorer(ChunkScorer):
    """CoLDE + words."""

    def __init__(self, model: ColdeWords) -> None:
        self.model, self.dense, self.exact = (
            model,
            ColdeScorer(model.colde),
            TfidfScorer(model.words.statistics),
        )

    @property
    def weights(self) -> tuple[float, float, float]:
        """Of CoLDE, of trained words and of TF-IDF."""
        w = self.model.weights
        whole = w.dense + w.words + w.exact
        return w.dense / whole, w.words / whole, w.exact / whole

    @torch.inference_mode()
    def scores(
        self, a: ChunkedDocument, b: ChunkedDocument, kept_a: Float64Array, kept_b: Float64Array
    ) -> Float64Array:
        words = self.model.words
        spoken = [
            words(words.known(s.words(kept, words.statistics))) for s, kept in ((a, kept_a), (b, kept_b))
        ]
        said = (spoken[0] * spoken[1]).sum(-1).double().numpy()
        parts = (
            self.dense.scores(a, b, kept_a, kept_b),
            said,
            self.exact.scores(a, b, kept_a, kept_b),
        )
        return np.asarray(sum(w * p for w, p in zip(self.weights, parts, strict=True)))

    def chunk_contributions(self, a: ChunkedDocument, b: ChunkedDocument) -> Float64Array:
        words = self.model.words
        left, right = (word_vector_parts(s.words(s.whole, words.statistics), s.shares, words) for s in (a, b))
        parts = self.dense.chunk_contributions(a, b), left @ right.T, self.exact.chunk_contributions(a, b)
        return np.asarray(sum(w * p for w, p in zip(self.weights, parts, strict=True)))


def with_random_weights(model: ChunkScorer) -> ChunkScorer | None:
    """The same with fresh numbers for projection and trained words; None for a model without any of its own."""
    if isinstance(model, ColdeScorer):
        torch.manual_seed(17)
        fresh = ColdeNetwork(model.network.config).state_dict()
        other = deepcopy(model)
        other.network.load_state_dict({**model.network.state_dict(), **{k: fresh[k] for k in FRESH}})
        return other
    if isinstance(model, ColdeWordsScorer):
        other_words = copy(model)
        other_words.model = copy(model.model)
        other_words.model.words = deepcopy(model.model.words)
        torch.manual_seed(18)
        table = other_words.model.words.table
        table.data.copy_(torch.randn_like(table) / table.shape[1] ** 0.5)
        dense = with_random_weights(model.dense)
        assert isinstance(dense, ColdeScorer)
        other_words.dense = dense
        return other_words
    return None


def scored(name: str, profile: str) -> ChunkScorer:
    """A model as it ships."""
    model = models.load(name)
    if isinstance(model, ColdeWords):
        return ColdeWordsScorer(model.for_profile(profile))
    if isinstance(model, Colde):
        return ColdeScorer(model)
    return {"tfidf": TfidfScorer, "minilm": MeanVectorScorer}[name]()


def measured(
    model: ChunkScorer, a: ChunkedDocument, b: ChunkedDocument, seed: int, anew: ChunkScorer | None = None
) -> dict[str, dict[str, list[float]]]:
    """By order: loss by deletion of so much of the text, score of so much of it alone, at every share.

    Args:
        anew: `with_random_weights`, whose contributions are one more order, with their rank correlation to the
            model's own.
    """
    places: list[Place] = [(k, span) for k, side in enumerate((a, b)) for span in side.spans]
    orders = _orders(model, a, b, places, seed)
    trained = _per_letter(model, a, b, places)
    other = None if anew is None else _per_letter(anew, a, b, places)
    if other is not None:
        orders[RANDOM_WEIGHTS] = [[places[int(k)] for k in np.argsort(-other, kind="stable")]]
    index = {place: k for k, place in enumerate(places)}
    masks, whole = [], len(places)
    for own in orders.values():
        for order in own:
            for share in SHARES:
                for gone in (first(order, share), rest(order, share)):
                    mask = np.ones(whole)
                    mask[[index[p] for p in gone]] = 0.0
                    masks.append(mask)
    kept = np.array([np.ones(whole), *masks])
    at = len(a.tokens)
    scores = model.scores(a, b, kept[:, :at], kept[:, at:])
    score, rows = scores[0], scores[1:].reshape(-1, len(SHARES), 2)
    found, begin = {}, 0
    for name, own in orders.items():
        mean = rows[begin : begin + len(own)].mean(0)
        begin += len(own)
        found[name] = {"deletion": (score - mean[:, 0]).tolist(), "insertion": mean[:, 1].tolist()}
    if other is not None and len(places) > 2:
        found[RANDOM_WEIGHTS]["correlation"] = [float(spearmanr(trained, other).statistic)]
    return found


def _per_letter(
    model: ChunkScorer, a: ChunkedDocument, b: ChunkedDocument, places: Sequence[Place]
) -> Float64Array:
    """What each chunk of both documents adds for each of its letters."""
    chunk_contributions = model.chunk_contributions(a, b)
    return np.asarray(
        np.concatenate([chunk_contributions.sum(1), chunk_contributions.sum(0)])
        / [max(1, len(span)) for _, span in places]
    )


def _orders(
    model: ChunkScorer, a: ChunkedDocument, b: ChunkedDocument, places: Sequence[Place], seed: int
) -> dict[str, list[list[Place]]]:
    word_rows = [weighted(s.found, shipped_statistics()) for s in (a, b)]
    strengths = {
        CONTRIBUTION: _per_letter(model, a, b, places),
        COSINE: _strongest(cosines(a.means, b.means)),
        WORDS: _strongest(word_cosines(*word_rows)),
    }
    random = np.random.default_rng(seed)
    chance = [[places[int(k)] for k in random.permutation(len(places))] for _ in range(RANDOM)]
    found = {
        name: [[places[int(k)] for k in np.argsort(-values, kind="stable")]]
        for name, values in strengths.items()
    }
    return {**found, CHANCE: chance}


def _strongest(values: Array) -> Array:
    return np.concatenate([values.max(1), values.max(0)])


def sides(corpus: Path, sentences: Path, count: int) -> list[tuple[str, ChunkedDocument, ChunkedDocument]]:
    """Related pairs held back, drawn at random, with the name of the first document; fewer where there are no more."""
    layouts = load_layout(corpus, sentences)
    kept = open_stored_vectors(corpus, sentences, layouts, TokenBudgets())
    index = {name: d for d, name in enumerate(layouts.names)}
    carved = split_development(corpus.name, read_pairs(corpus / "train.tsv"), ColdeTraining().aside)
    held = [*read_pairs(corpus / "valid.tsv"), *carved.one, *carved.none]
    pairs = [p for p in held if p.label == 1]
    ready = [p for p in pairs if all(kept.ready[kept.of(index[n])].all() for n in (p.source, p.target))]
    chosen = [ready[i] for i in np.random.default_rng(0).permutation(len(ready))[:count]]
    wanted = {n for p in chosen for n in (p.source, p.target)}
    known = {
        n: _kept_side(record_to_document(record), index[n], layouts, kept)
        for n, record in read_records(corpus)
        if n in wanted
    }
    return [(p.source, known[p.source], known[p.target]) for p in chosen]


def _kept_side(document: Document, d: int, layouts: CorpusLayout, kept: StoredVectors) -> ChunkedDocument:
    found = read_sentences(document, default_tokenizer())
    rows = kept.sentence[kept.of(d)] - layouts.first[d]
    return side_of(document, found, rows, np.asarray(kept.vectors[kept.of(d)], dtype=np.float32))


def summary(lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Areas with their 95 % intervals, drawn over the first documents of the pairs, and differences to contribution."""
    groups: dict[str, list[int]] = {}
    for k, line in enumerate(lines):
        groups.setdefault(line["source"], []).append(k)
    members = [np.array(g) for g in groups.values()]
    random = np.random.default_rng(0)
    draws = [
        np.concatenate([members[i] for i in random.integers(0, len(members), len(members))])
        for _ in range(DRAWS)
    ]
    few = [k for k, share in enumerate(SHARES) if any(abs(share - s) < 1e-9 for s in FEW)]
    areas = {
        kind: {name: np.array([np.mean(line["found"][name][kind]) for line in lines]) for name in ORDERS}
        for kind in ("deletion", "insertion")
    }
    early = {
        kind: {
            name: np.array([np.mean(np.array(line["found"][name][kind])[few]) for line in lines])
            for name in ORDERS
        }
        for kind in ("deletion", "insertion")
    }
    found: dict[str, Any] = {"pairs": len(lines)}
    if all(RANDOM_WEIGHTS in line["found"] for line in lines):
        areas_anew = np.array([np.mean(line["found"][RANDOM_WEIGHTS]["deletion"]) for line in lines])
        own = areas["deletion"][CONTRIBUTION]
        alike = [
            line["found"][RANDOM_WEIGHTS]["correlation"][0]
            for line in lines
            if "correlation" in line["found"][RANDOM_WEIGHTS]
        ]
        found["anew"] = {
            "deletion": _interval(areas_anew, draws),
            "less": _interval(own - areas_anew, draws),
            "correlation": round(float(np.nanmean(alike)), 3),
        }
    for title, values in (("area", areas), ("few", early)):
        found[title] = {
            kind: {
                name: {
                    "mean": _interval(own[name], draws),
                    "less": _interval(own[CONTRIBUTION] - own[name], draws),
                }
                for name in ORDERS
            }
            for kind, own in values.items()
        }
    return found


def _interval(values: Float64Array, draws: Sequence[NDArray[np.intp]]) -> list[float]:
    drawn = [float(values[d].mean()) for d in draws]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return [round(float(v), 5) for v in (values.mean(), low, high)]


def write_asset(path: Path, found: Mapping[str, Mapping[str, Any]], corpora: Sequence[str]) -> None:
    """Put the figures over all corpora into assets/explanations.json, beside what explanations_table.py writes."""
    whole = json.loads(path.read_text(encoding="utf-8"))
    for name, by_corpus in found.items():
        few = by_corpus["all"]["few"]
        figures: dict[str, Any] = {"pairs": by_corpus["all"]["pairs"], "corpus": listed(sorted(corpora))}
        for kind, orders in few.items():
            figures[kind] = orders[CONTRIBUTION]["mean"]
            figures[f"{kind} less chance"] = orders[CHANCE]["less"]
        whole["models"].setdefault(name, {"views": {}})["curves"] = figures
    path.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def table(found: Mapping[str, Mapping[str, Any]], kind: str, value: str = "mean") -> str:
    """Areas as rows of a table, a model and corpus each; with `less` how far contribution is above the other orders."""
    lines = [f"| score of | corpus, pairs | {' | '.join(ORDERS)} |", f"| --- | --- |{' --- |' * len(ORDERS)}"]
    for name, by_corpus in found.items():
        for corpus, one in by_corpus.items():
            cells = (_formatted(one["area"][kind][order][value]) for order in ORDERS)
            lines.append(f"| {name} | {corpus}, {one['pairs']} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _formatted(value: Sequence[float]) -> str:
    mean, low, high = value
    return f"{mean:.3f} ({low:.3f} to {high:.3f})"


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--sentences", type=Path, required=True)
    parser.add_argument("--models", default="colde,colde_words,minilm,tfidf")
    parser.add_argument("--only", default="acl,wiki,peps", help="corpora")
    parser.add_argument("--pairs", type=int, default=400, help="of each corpus")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--asset", type=Path, help="what the page reads; figures of these models are put in")
    asked = parser.parse_args()
    names, corpora = asked.models.split(","), asked.only.split(",")
    lines: dict[str, dict[str, list[dict[str, Any]]]] = {name: {} for name in names}
    for corpus in corpora:
        pairs = sides(asked.corpora / corpus, asked.sentences, asked.pairs)
        for name in names:
            model = scored(name, CORPORA[corpus])
            anew = with_random_weights(model)
            lines[name][corpus] = [
                {"source": source, "found": measured(model, a, b, seed, anew)}
                for seed, (source, a, b) in enumerate(pairs)
            ]
            print(f"{corpus} {name}: {len(pairs)} pairs", flush=True)
    found = {
        name: {
            **{corpus: summary(own) for corpus, own in by.items()},
            "all": summary([line for own in by.values() for line in own]),
        }
        for name, by in lines.items()
    }
    for kind in ("deletion", "insertion"):
        print(f"\n{kind}\n\n{table(found, kind)}")
    print(f"\ndeletion, contribution less each order\n\n{table(found, 'deletion', 'less')}")
    print("\nweights drawn anew: rank correlation, area by deletion, contribution less it\n")
    for name, by_corpus in found.items():
        for corpus, one in by_corpus.items():
            if "anew" in one:
                values = one["anew"]
                print(
                    f"| {name} | {corpus} | {values['correlation']} | {values['deletion']} | {values['less']} |"
                )
    if asked.asset is not None:
        write_asset(asked.asset, found, corpora)
        record(asked.asset, list(found))
    if asked.json is not None:
        asked.json.write_text(json.dumps(found, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
