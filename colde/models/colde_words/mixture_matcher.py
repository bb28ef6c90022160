"""CoLDE + words: a weighted mean of CoLDE's score, the cosine of trained word vectors, and the cosine of TF-IDF.

The network is the one that ships as `colde`: a checkpoint holds the word vectors, and the hash of the network that the
weights of the mixture were fitted with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from scipy.sparse import vstack
from torch import Tensor

from colde.assets import asset
from colde.errors import CheckpointError
from colde.explain.contribution import Factors, factor_products, word_shares
from colde.explain.level_maps import topic_maps
from colde.explain.passage_maps import passage_maps
from colde.explain.shared_words import word_parts
from colde.explain.word_contribution import weights_by_word, word_map, words_of_span
from colde.judge.calibration import Profile, unknown_kinds
from colde.judge.profiles import GENERAL
from colde.models.base import Card, Matcher
from colde.models.checkpoint import build_config, read_config, read_tensors
from colde.models.colde.document_encoding import ColdeEncoding, sentence_units
from colde.models.colde.explanation import TOPIC_MEANINGS, attention_map, contributions, word_cell
from colde.models.colde.matcher import Colde, over_encoder
from colde.models.colde.pair_attention import attend_pair
from colde.models.colde_words.mixture_weights import Mixture, MixtureWeights
from colde.models.colde_words.tfidf_centre import NO_CENTRE, TfidfCentre
from colde.models.colde_words.trained_words import DocumentWords, TrainedWords
from colde.models.registry import CARDS
from colde.models.stored_arrays import checked_indices, checked_numbers
from colde.models.stored_matcher import StoredMatcher
from colde.results.encoding import Encoding, require_encoding
from colde.results.model_score import ScorePart
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress, Progress, Provisional
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.document import Document
from colde.text.word_weights.term_weights import BUCKETS, Counts, Statistics

DENSE = "CoLDE"
"""Name of the part of the score that is CoLDE's score."""

CONTRIBUTION_MEANING = (
    "the part of CoLDE, and the weights of the words that both texts use, divided evenly over the places where they "
    "stand{centred}. All cells add up to the score. An empty document has the score 0, and a negative cell lowers the "
    "score."
)
CENTRED = ", less what documents of the reference share anyway"


@dataclass(frozen=True, slots=True)
class ColdeWordsConfig:
    """Settings of the mixture.

    Attributes:
        network: SHA-256 of the weights of the network that the mixture was fitted with.
        dimension: of a trained word vector.
        mixture: weights by profile, as `Mixture.of` reads them.
    """

    network: str = ""
    dimension: int = 256
    mixture: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ColdeWordsEncoding(ColdeEncoding):
    """Encoding of a document by CoLDE, and its words."""

    words: DocumentWords


class ColdeWords(StoredMatcher):
    """CoLDE + words as a matcher."""

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
        self.weights = weights or self.mixture.weights(GENERAL)
        self.centre = centre
        self.channels = ((words, self.weights.words), (centre, self.weights.exact))
        self.contribution_meaning = CONTRIBUTION_MEANING.format(
            centred="" if centre is NO_CENTRE else CENTRED
        )

    @classmethod
    def load(cls, folder: Path, card: Card | None = None) -> ColdeWords:
        """The words of a checkpoint, and the network that ships.

        Raises:
            CheckpointError: it was made for another network.
        """
        stored = read_config(folder)
        config = stored.config(ColdeWordsConfig)
        shipped = asset("models", "colde")
        if read_config(shipped).weights != config.network:
            raise CheckpointError(f"{folder}: made for another network than {shipped} holds; train it again")
        tensors = read_tensors(folder)
        statistics = Statistics(tensors["words.idf"].numpy(), float(tensors["words.length"]))
        words = TrainedWords(config.dimension, statistics).restore(tensors).eval()
        colde = Colde.load(shipped)
        return cls(colde, words, config, card=card, profiles=stored.profiles, training=stored.training)

    def settings(self) -> Mapping[str, Any]:
        return asdict(self.config)

    def tensors(self) -> Mapping[str, Tensor]:
        statistics = self.words.statistics
        return self.words.stored() | {
            "words.idf": torch.from_numpy(statistics.idf),
            "words.length": torch.tensor(statistics.mean_length),
        }

    def for_profile(self, profile: str, reference: Sequence[Encoding] = ()) -> ColdeWords:
        """A copy with the weights of a profile; under `general`, around the centre of the reference."""
        out_of_domain = profile == GENERAL and bool(reference)
        fitted = self.profiles.get(profile)
        unknown = unknown_kinds(self.profiles, profile)
        stored = fitted.weights if fitted is not None else unknown.weights if unknown is not None else {}
        weights = self.mixture.weights(profile, reference=bool(reference))
        if stored and not out_of_domain:
            weights = build_config(MixtureWeights, stored, f"weights of the profile {profile}")
        words = [require_encoding(e, ColdeWordsEncoding).words for e in reference] if out_of_domain else []
        centre = TfidfCentre.of(Counts(vstack([w.tfidf for w in words]))) if words else NO_CENTRE
        return self._copy(self.colde.for_profile(profile, reference), weights, centre)

    def for_encoder(self, name: str) -> Matcher:
        """CoLDE alone over another encoder: words are not compared between languages, and weights were not fitted."""
        if name == self.colde.network.config.encoder:
            return self
        return over_encoder(self.card.name, name)

    def with_weights(self, weights: MixtureWeights) -> ColdeWords:
        """A copy with these weights of the channels."""
        return self._copy(self.colde, weights, self.centre)

    def _copy(self, colde: Colde, weights: MixtureWeights, centre: TfidfCentre) -> ColdeWords:
        return ColdeWords(
            colde,
            self.words,
            self.config,
            card=self.card,
            profiles=self.profiles,
            training=self.training,
            weights=weights,
            centre=centre,
        )

    @property
    def parameters(self) -> int:
        return self.colde.parameters + self.words.table.numel()

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """CoLDE's encodings and the words of each document."""
        words = [self._words(d) for d in documents]

        def report(progress: Progress) -> None:
            assert on_progress is not None
            on_progress(replace(progress, provisional=self._provisional(progress.provisional, words)))

        encoded = self.colde.encode(
            documents, explain=explain, on_progress=None if on_progress is None else report
        )
        return [_with_words(e, w) for e, w in zip(encoded, words, strict=True)]

    def _words(self, document: Document) -> DocumentWords:
        text = "\n".join(document.text[s.start : s.end] for _, s in document.compared())
        rows = self.words.rows([text]).astype(np.float32)
        with torch.inference_mode():
            return DocumentWords(rows, self.words(self.words.known(rows)).numpy()[0])

    def _provisional(self, dense: Provisional | None, words: Sequence[DocumentWords]) -> Provisional | None:
        """The provisional score of the mixture; the words are known from the start."""
        if dense is None:
            return None
        parts = self._parts(dense.score, *words)
        return replace(dense, score=_mixed(parts), spread=dense.spread * parts[0].weight)

    def condense(self, encoding: Encoding) -> Mapping[str, Array]:
        """Arrays that a score needs of an encoding, with its words by column and weight; see `Storable`."""
        encoding = require_encoding(encoding, ColdeWordsEncoding)
        words = encoding.words
        return {
            **encoding.condensed(),
            "word_places": words.tfidf.indices.astype(np.float32),  # below 2^24: exact
            "word_weights": words.tfidf.data.astype(np.float32),
            "spoken": words.vector,
        }

    def restore(self, arrays: Mapping[str, Array]) -> Encoding:
        """An encoding for scores only; see `Storable`."""
        columns = checked_indices(arrays, "word_places", BUCKETS)
        weights = checked_numbers(arrays, "word_weights", len(columns))
        tfidf = Counts((weights, columns, [0, len(columns)]), shape=(1, BUCKETS))
        vector = checked_numbers(arrays, "spoken", self.config.dimension)
        return _with_words(self.colde.restore(arrays), DocumentWords(tfidf, vector))

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """The weighted mean and its parts; CoLDE's maps, and contributions of all parts."""
        a, b = require_encoding(a, ColdeWordsEncoding), require_encoding(b, ColdeWordsEncoding)
        attention = attend_pair(self.colde.network, a, b)
        parts = self._parts(attention.score, a.words, b.words)
        score = _mixed(parts)
        alike = (a.self_similarity, b.self_similarity)
        if not explain:
            return PairResult(score, a.coverage, b.coverage, parts=parts, self_similarity=alike)
        maps = passage_maps(a, b)
        shares_a, shares_b = (
            word_shares(sentence_units(e.document, e.layout, e.chunk_spans)) for e in (a, b)
        )
        maps |= contributions(
            attention,
            a,
            b,
            score,
            self.contribution_meaning,
            weight=parts[0].weight,
            factors=self._factors(parts, a, b, shares_a, shares_b),
        )
        if self.weights.dense > 0:  # a part without weight shows no map
            maps |= topic_maps(a, b, *TOPIC_MEANINGS)
            maps["chunk_attention"] = attention_map(attention, a, b)
        weight = _weights(parts)
        by_word = sum(
            (c.shared_words(a.words, b.words, weight[c.name]) for c, _ in self.channels if c.name in weight),
            start=Counts((1, BUCKETS)),
        )
        words = word_parts(Counts(by_word), a.document, b.document)
        return PairResult(score, a.coverage, b.coverage, maps, parts, words, alike)

    def word_contributions(self, a: Encoding, b: Encoding, row: int, column: int) -> SimilarityMap:
        """Split one cell of sentences over its pairs of words; see `WordByWord`."""
        a, b = require_encoding(a, ColdeWordsEncoding), require_encoding(b, ColdeWordsEncoding)
        attention = attend_pair(self.colde.network, a, b)
        parts = self._parts(attention.score, a.words, b.words)
        units = [sentence_units(e.document, e.layout, e.chunk_spans) for e in (a, b)]
        shares = [word_shares(u)[k] for u, k in zip(units, (row, column), strict=True)]
        words_a, words_b = (
            words_of_span(u.document, u.extents()[k]) for u, k in zip(units, (row, column), strict=True)
        )
        values, cell = word_cell(
            self.colde.network, self.colde.sentence_encoder, attention, a, b, row, column, (words_a, words_b)
        )
        values, cell = parts[0].weight * values, parts[0].weight * cell
        if factors := self._factors(parts, a, b, *shares):
            by_word = (
                weights_by_word(e.document, words, share)
                for e, words, share in zip((a, b), (words_a, words_b), shares, strict=True)
            )
            values = values + factor_products(self._factors(parts, a, b, *by_word))
            cell += float(factor_products(factors).sum())
        return word_map(values, words_a, words_b, cell, self.contribution_meaning)

    def _parts(self, dense: float, a: DocumentWords, b: DocumentWords) -> tuple[ScorePart, ...]:
        """Parts of the score, CoLDE's first; weights sum to one over the channels that can score the pair."""
        parts = [(DENSE, self.weights.dense, dense)]
        for channel, weight in self.channels:
            score = channel.score(a, b) if weight else None
            if score is not None:
                parts.append((channel.name, weight, score))
        total = sum(weight for _, weight, _ in parts)
        return tuple(ScorePart(name, weight / total, value) for name, weight, value in parts)

    def _factors(
        self,
        parts: Sequence[ScorePart],
        a: ColdeWordsEncoding,
        b: ColdeWordsEncoding,
        shares_a: Counts,
        shares_b: Counts,
    ) -> list[Factors]:
        """Parts of the score from words, by pair of passages; arguments as in `TrainedWords.factors`."""
        weight = _weights(parts)
        factors: list[Factors] = []
        for channel, _ in self.channels:
            if channel.name in weight:
                factors += channel.factors(a.words, b.words, shares_a, shares_b, weight[channel.name])
        return factors


def _with_words(encoding: Encoding, words: DocumentWords) -> ColdeWordsEncoding:
    return ColdeWordsEncoding(
        **{f.name: getattr(encoding, f.name) for f in fields(ColdeEncoding)}, words=words
    )


def _weights(parts: Sequence[ScorePart]) -> dict[str, float]:
    return {p.name: p.weight for p in parts}


def _mixed(parts: Sequence[ScorePart]) -> float:
    return float(np.clip(sum(p.weight * p.value for p in parts), -1.0, 1.0))
