"""CoLDE + words: a weighted mean of three cosines, CoLDE's own, of trained words and of plain TF-IDF.

Its network is the one that ships as `colde`; a checkpoint holds the words alone and names the network it was weighed
with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from scipy.sparse import vstack
from torch import Tensor

from colde.assets import asset
from colde.errors import CheckpointError
from colde.explain import passage_matching
from colde.explain.contribution import (
    Factors,
    Float64Array,
    contribution_map,
    distribute_weights,
    factor_products,
    factor_rows,
    summed_factors,
    word_shares,
)
from colde.explain.level_maps import topic_maps
from colde.explain.shared_words import word_parts
from colde.explain.word_contribution import weights_by_word, word_map, words_of_span
from colde.judge.calibration import Profile
from colde.judge.profiles import GENERAL
from colde.models.base import Card
from colde.models.checkpoint import read_config, read_tensors
from colde.models.colde.condensed import condense, restore
from colde.models.colde.document_encoding import ColdeEncoding, sentence_contribution_units
from colde.models.colde.explanation import PairAttention, attend_pair, attention_map, cells, levels_of
from colde.models.colde.explanation import passages as passages_of
from colde.models.colde.map_meanings import TOPIC_MEANINGS
from colde.models.colde.matcher import Colde
from colde.models.colde_words.mixture_weights import Mixture, MixtureWeights
from colde.models.colde_words.tfidf_centre import NO_CENTRE, TfidfCentre
from colde.models.colde_words.trained_words import TrainedWords
from colde.models.registry import CARDS
from colde.models.stored_arrays import checked_indices, checked_numbers
from colde.models.stored_matcher import StoredMatcher
from colde.results.encoding import Encoding, require_encoding
from colde.results.model_score import ScorePart
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress, Progress, Provisional
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.document import Document
from colde.text.term_weights import BUCKETS, Counts, Statistics

DENSE = "CoLDE"
"""The name of the network's own part."""

CONTRIBUTION_MEANING = (
    "CoLDE's own part, and that of the words that both use, each spread evenly over the places where it stands. Exact: "
    "all cells add up to the score; an empty document has 0, and a negative cell speaks against likeness."
)
CENTRED_MEANING = (
    "CoLDE's own part, and that of the words that both use, each spread evenly over the places where it stands, less "
    "what documents of the reference share anyway. Exact: all cells add up to the score; an empty document has 0, and "
    "a negative cell speaks against likeness."
)


@dataclass(frozen=True, slots=True)
class ColdeWordsConfig:
    """Settings of the mixture.

    Attributes:
        network: SHA-256 of the weights of the network it was weighed with.
        dimension: numbers of a word's trained vector.
        mixture: weights by profile, as `Mixture.of` reads them.
    """

    network: str = ""
    dimension: int = 256
    mixture: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ColdeWordsEncoding(ColdeEncoding):
    """Encoding of a document by CoLDE, and its words.

    Attributes:
        words: [1, BUCKETS], TF-IDF of all words; spoken: [dimension], its vector of trained words.
    """

    words: Counts
    word_vector: Array


class ColdeWords(StoredMatcher):
    """CoLDE + words as a Matcher."""

    def __init__(
        self,
        colde: Colde,
        words: TrainedWords,
        config: ColdeWordsConfig,
        *,
        card: Card | None = None,
        profiles: Mapping[str, Profile] | None = None,
        training: Mapping[str, Any] | None = None,
        weights: MixtureWeights | None = None,
        centre: TfidfCentre = NO_CENTRE,
    ) -> None:
        super().__init__(card or CARDS["colde_words"], profiles, training)
        self.colde = colde
        self.words = words
        self.config = config
        self.mixture = Mixture.of(config.mixture)
        self.weights = weights or self.mixture.weights("general")
        self.centre = centre
        self.contribution_meaning = CONTRIBUTION_MEANING if centre is NO_CENTRE else CENTRED_MEANING

    @classmethod
    def load(cls, folder: Path, card: Card | None = None) -> ColdeWords:
        """The words of a checkpoint, and the network that ships.

        Raises:
            CheckpointError: it was weighed with another network.
        """
        stored = read_config(folder)
        config = ColdeWordsConfig(**stored.settings)
        shipped = asset("models", "colde")
        if read_config(shipped).weights != config.network:
            raise CheckpointError(f"{folder}: made for another network than {shipped} holds; train it again")
        tensors = read_tensors(folder)
        statistics = Statistics(tensors["words.idf"].numpy(), float(tensors["words.length"]))
        words = TrainedWords(config.dimension, statistics).restore(tensors).eval()
        return cls(
            Colde.load(shipped),
            words,
            config,
            card=card,
            profiles=stored.profiles,
            training=stored.training,
        )

    def settings(self) -> Mapping[str, Any]:
        return asdict(self.config)

    def tensors(self) -> Mapping[str, Tensor]:
        statistics = self.words.statistics
        return self.words.stored() | {
            "words.idf": torch.from_numpy(statistics.idf),
            "words.length": torch.tensor(statistics.mean_length),
        }

    def for_profile(self, profile: str, reference: Sequence[Encoding] = ()) -> ColdeWords:
        """Take the weights of a profile; under `general` with a reference, its centre for meaning and for words."""
        out_of_domain = profile == GENERAL and bool(reference)
        words = [require_encoding(e, ColdeWordsEncoding).words for e in reference] if out_of_domain else []
        return ColdeWords(
            self.colde.for_profile(profile, reference),
            self.words,
            self.config,
            card=self.card,
            profiles=self.profiles,
            training=self.training,
            weights=self.mixture.weights(profile, reference=bool(reference)),
            centre=TfidfCentre.of(Counts(vstack(words))) if out_of_domain else NO_CENTRE,
        )

    @property
    def parameters(self) -> int:
        return self.colde.parameters + self.words.table.numel()

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """CoLDE's encodings and the words of each document."""
        found: list[Encoding] = []
        words = [self._words(d) for d in documents]

        def report(progress: Progress) -> None:
            assert on_progress is not None
            on_progress(replace(progress, provisional=self._provisional_score(progress.provisional, words)))

        watch = None if on_progress is None else report
        encoded = self.colde.encode(documents, explain=explain, on_progress=watch)
        for e, (rows, word_vector) in zip(encoded, words, strict=True):
            found.append(_with_words(e, rows, word_vector))
        return found

    def condense(self, encoding: Encoding) -> Mapping[str, Array]:
        """Arrays that a score needs of an encoding, with its words by place and weight; see `Storable`."""
        own = require_encoding(encoding, ColdeWordsEncoding)
        places = own.words.indices.astype(np.float32)  # under 2^24: exact
        return {
            **condense(own),
            "word_places": places,
            "word_weights": own.words.data.astype(np.float32),
            "spoken": own.word_vector,
        }

    def restore(self, arrays: Mapping[str, Array]) -> Encoding:
        """An encoding for scores alone; see `Storable`."""
        places = checked_indices(arrays, "word_places", BUCKETS)
        weights = checked_numbers(arrays, "word_weights", len(places))
        words = Counts((weights, places, [0, len(places)]), shape=(1, BUCKETS))
        word_vector = checked_numbers(arrays, "spoken", self.config.dimension)
        return _with_words(restore(self.colde.embedder.network, arrays), words, word_vector)

    def _words(self, document: Document) -> tuple[Counts, Array]:
        """Words of a document and its vector of trained words: see `ColdeWordsEncoding`."""
        text = "\n".join(document.text[s.start : s.end] for _, s in document.compared())
        rows = self.words.rows([text]).astype(np.float32)
        with torch.inference_mode():
            return rows, self.words(self.words.known(rows)).numpy()[0]

    def _provisional_score(
        self, dense: Provisional | None, words: Sequence[tuple[Counts, Array]]
    ) -> Provisional | None:
        """The mixture's provisional score: its words are known from the beginning."""
        if dense is None:
            return None
        made = self._parts(dense.score, *words)
        share = next(p.weight for p in made if p.name == DENSE)
        return replace(dense, score=_mixed(made), spread=dense.spread * share)

    def _parts(self, dense: float, a: tuple[Counts, Array], b: tuple[Counts, Array]) -> tuple[ScorePart, ...]:
        """Channels of the score: the network's own and those of words, of which both texts must have some."""
        parts = [(DENSE, self.weights.dense, dense)]
        if self.weights.words and a[1].any() and b[1].any():
            parts.append(("trained words", self.weights.words, float(np.clip(a[1] @ b[1], -1, 1))))
        if self.weights.exact and a[0].nnz and b[0].nnz:
            exact = float(self.centre.cosines(a[0], b[0])[0])
            parts.append(("words", self.weights.exact, float(np.clip(exact, -1, 1))))
        whole = sum(weight for _, weight, _ in parts)
        return tuple(ScorePart(name, weight / whole, value) for name, weight, value in parts)

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """The weighted mean and its parts; CoLDE's maps of topic, and shared passages."""
        a, b = require_encoding(a, ColdeWordsEncoding), require_encoding(b, ColdeWordsEncoding)
        pair_attention = attend_pair(self.colde.embedder.network, a, b)
        made = self._parts(pair_attention.score, (a.words, a.word_vector), (b.words, b.word_vector))
        score = _mixed(made)
        if not explain:
            return PairResult(score, a.coverage, b.coverage, parts=made)
        maps, evidence = passage_matching.match_passages(a, b, self.card.name)
        maps |= self.contributions(pair_attention, a, b, made, score)
        if self.weights.dense > 0:  # what has no vote shows no map
            maps |= topic_maps(a, b, *TOPIC_MEANINGS) | {
                "chunk_attention": attention_map(pair_attention, a, b)
            }
        words = word_parts(self._word_parts(a, b, made), a.document, b.document)
        return PairResult(score, a.coverage, b.coverage, maps, tuple(evidence), made, words)

    def _word_parts(self, a: ColdeWordsEncoding, b: ColdeWordsEncoding, parts: Sequence[ScorePart]) -> Counts:
        """Parts of the score by the words that stand in both texts: [1, BUCKETS].

        Of the trained words the part of a word with itself; what different words are to each other is left out.
        """
        weight = {p.name: p.weight for p in parts}
        found = self.centre.shared(a.words, b.words, weight.get("words", 0.0))
        if "trained words" in weight:
            one, other = (self.words.known(e.words) for e in (a, b))
            table = self.words.table.detach().numpy()
            lengths = float(np.linalg.norm(one @ table)) * float(np.linalg.norm(other @ table))
            itself = Counts(one.multiply(other))
            squares = np.square(table[itself.indices]).sum(1)
            values = itself.data * squares * weight["trained words"] / max(lengths, 1e-12)
            columns = self.words.columns[itself.indices]
            spread = Counts((values, columns, [0, itself.nnz]), shape=a.words.shape)
            found = Counts(found + spread)
        return Counts(found)

    def contributions(
        self,
        pair_attention: PairAttention,
        a: ColdeWordsEncoding,
        b: ColdeWordsEncoding,
        parts: Sequence[ScorePart],
        score: float,
    ) -> dict[str, SimilarityMap]:
        """Contributions to the score: the sum of what each channel owes to every pair of passages."""
        units_a, units_b = (sentence_contribution_units(e.document, e.found, e.chunk_spans) for e in (a, b))
        shares = word_shares(units_a), word_shares(units_b)
        weight = {p.name: p.weight for p in parts}
        factors = self._factors(weight, a, b, *shares)
        found = {}
        for level in levels_of(a, b):
            of_level = summed_factors(factors, units_a, units_b, level)
            values = cells(pair_attention, a, b, level).times(weight[DENSE])
            if of_level:
                values += factor_rows(of_level)
            found[f"contribution_{level}"] = contribution_map(
                values.filled(np.float32),
                passages_of(a, level),
                passages_of(b, level),
                level,
                score,
                self.contribution_meaning,
            )
        return found

    def _factors(
        self,
        weight: Mapping[str, float],
        a: ColdeWordsEncoding,
        b: ColdeWordsEncoding,
        shares_a: Counts,
        shares_b: Counts,
    ) -> list[Factors]:
        """Parts of the two word channels by passage.

        Args:
            shares_a, shares_b: [passages, BUCKETS], what they hold of each word of the document.
        """
        factors: list[Factors] = []
        if "trained words" in weight:
            left, right = (
                word_vector_parts(e.words, s, self.words)
                for e, s in zip((a, b), (shares_a, shares_b), strict=True)
            )
            factors.append((left * weight["trained words"], right))
        if "words" in weight:
            factors += self.centre.factors(a.words, b.words, shares_a, shares_b, weight["words"])
        return factors

    def word_contributions(self, a: Encoding, b: Encoding, row: int, column: int) -> SimilarityMap:
        """Split one cell of sentences over its pairs of words; see `WordByWord`."""
        one, other = require_encoding(a, ColdeWordsEncoding), require_encoding(b, ColdeWordsEncoding)
        pair_attention = attend_pair(self.colde.embedder.network, one, other)
        weight = {
            p.name: p.weight
            for p in self._parts(
                pair_attention.score, (one.words, one.word_vector), (other.words, other.word_vector)
            )
        }
        units = [sentence_contribution_units(e.document, e.found, e.chunk_spans) for e in (one, other)]
        shares = [word_shares(u)[place] for u, place in zip(units, (row, column), strict=True)]
        words = [words_of_span(u.document, u.extents()[k]) for u, k in zip(units, (row, column), strict=True)]
        dense = self.colde.word_values(pair_attention, one, other, row, column, (words[0], words[1]))
        values = weight[DENSE] * dense
        cell = weight[DENSE] * float(
            cells(pair_attention, one, other, "sentence").rows(slice(row, row + 1))[0, column]
        )
        if factors := self._factors(weight, one, other, *shares):
            cell += float(factor_products(factors).sum())
            spread = [weights_by_word(u.document, w, s) for u, w, s in zip(units, words, shares, strict=True)]
            values = values + factor_products(self._factors(weight, one, other, *spread))
        return word_map(values, words[0], words[1], cell, self.contribution_meaning)


def _with_words(encoding: Encoding, words: Counts, word_vector: Array) -> ColdeWordsEncoding:
    known = {f.name: getattr(encoding, f.name) for f in fields(ColdeEncoding)}
    return ColdeWordsEncoding(**known, words=words, word_vector=word_vector)


def _mixed(parts: Sequence[ScorePart]) -> float:
    return float(np.clip(sum(p.weight * p.value for p in parts), -1.0, 1.0))


def word_vector_parts(weights: Counts, shares: Counts, words: TrainedWords) -> Float64Array:
    """Parts of the words channel's vector, of length one or zero, by unit: [units, words].

    Args:
        weights: [1, BUCKETS], TF-IDF of the document; shares: [units, BUCKETS], `word_shares`.
    """
    known = words.known(weights)
    table = cast(Float64Array, words.table.detach().double().numpy())
    parts = np.asarray(distribute_weights(shares[:, words.columns], known) @ table, dtype=np.float64)
    whole = np.asarray(known @ table)[0]  # of all words, also of one that no unit holds
    return np.asarray(parts / max(float(np.linalg.norm(whole)), 1e-12))
