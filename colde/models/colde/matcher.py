"""CoLDE as a matcher: it encodes documents with one network, scores pairs by attention, and explains the scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from torch import Tensor

from colde.encoders.background_centre import background_centre
from colde.encoders.encoder_names import PACKAGED
from colde.encoders.sentence_encoder import CachedSentenceEncoder, shared_sentence_encoder
from colde.explain.level_maps import topic_maps
from colde.explain.passage_maps import passage_maps
from colde.explain.word_contribution import word_map, words_of_span
from colde.judge.calibration import Profile, unknown_kinds
from colde.judge.profiles import GENERAL
from colde.models.base import Card
from colde.models.checkpoint import read_config, read_tensors
from colde.models.colde.document_encoding import ColdeEncoding, encode_document, restored
from colde.models.colde.explanation import (
    CONTRIBUTION_MEANING,
    TOPIC_MEANINGS,
    attention_map,
    contributions,
    word_cell,
)
from colde.models.colde.network import ColdeConfig, ColdeNetwork
from colde.models.colde.out_of_domain import (
    VECTOR_SHARE,
    OutOfDomainNetwork,
    encoder_card,
    encoder_network,
    encoder_profiles,
    untrained_view,
)
from colde.models.colde.pair_attention import attend_pair
from colde.models.colde.provisional_score import EncodingProgress
from colde.models.registry import CARDS, spec
from colde.models.stored_matcher import StoredMatcher
from colde.results.encoding import Encoding, require_encoding
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.document import Document


class Colde(StoredMatcher):
    """CoLDE: the frozen sentence encoder and the trained network above it."""

    def __init__(
        self,
        network: ColdeNetwork,
        sentence_encoder: CachedSentenceEncoder | None = None,
        *,
        card: Card | None = None,
        profiles: Mapping[str, Profile] | None = None,
        training: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(card or CARDS["colde"], profiles, training)
        self.network = network.eval()
        self.sentence_encoder = sentence_encoder or shared_sentence_encoder(network.config.encoder)

    @classmethod
    def load(cls, folder: Path, card: Card | None = None) -> Colde:
        """The model of a checkpoint; models of one checkpoint share their network."""
        stored = read_config(folder)
        network = _network(folder, stored.weights)
        return cls(network, card=card, profiles=stored.profiles, training=stored.training)

    def settings(self) -> Mapping[str, Any]:
        return asdict(self.network.config)

    def tensors(self) -> Mapping[str, Tensor]:
        return self.network.state_dict()

    @property
    def parameters(self) -> int:
        """Number of parameters of the frozen encoder and the network above it."""
        return self.sentence_encoder.encoder.parameters + sum(p.numel() for p in self.network.parameters())

    def for_profile(self, profile: str, reference: Sequence[Encoding] = ()) -> Colde:
        """This model for a kind of documents that it was trained on, else its untrained view.

        Under `general`, the mean of the reference becomes the centre (`colde.models.colde.out_of_domain`); under
        `none`, λ is that of `UnknownKinds`.
        """
        fitted = self.profiles.get(profile)
        if (fitted is not None and fitted.trained_on) or self._has_other_encoder:
            return self
        around = reference if profile == GENERAL else ()
        unknown = unknown_kinds(self.profiles, profile)
        share = VECTOR_SHARE if unknown is None else unknown.vector_share
        states = [require_encoding(e, ColdeEncoding).states for e in around]
        return Colde(
            untrained_view(self.network, states, vector_share=share),
            self.sentence_encoder,
            card=self.card,
            profiles=self.profiles,
            training=self.training,
        )

    @property
    def _has_other_encoder(self) -> bool:
        """Whether the network is over another encoder, where it is the same for all kinds of documents."""
        return isinstance(self.network, OutOfDomainNetwork) and self.network.around_documents

    def for_encoder(self, name: str) -> Colde:
        """CoLDE over another encoder; see `colde.models.colde.out_of_domain`."""
        if name == self.network.config.encoder:
            return self
        return over_encoder(self.card.name, name)

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """Document, section, chunk and sentence vectors.

        For two documents, progress has a section map and, from a quarter on, a score over what is read so far.
        """
        layouts = [self.sentence_encoder.layout(d) for d in documents]
        report = None
        if on_progress is not None:
            report = EncodingProgress(self.network, documents, layouts, on_progress, explain)
        units = self.sentence_encoder.read(documents, layouts, report)
        return [
            encode_document(self.network, d, layout, u, explain=explain)
            for d, layout, u in zip(documents, layouts, units, strict=True)
        ]

    def condense(self, encoding: Encoding) -> Mapping[str, Array]:
        """Arrays that a score needs of an encoding; see `Storable`."""
        return require_encoding(encoding, ColdeEncoding).condensed()

    def restore(self, arrays: Mapping[str, Array]) -> Encoding:
        """An encoding for scores only; see `Storable`."""
        return restored(self.network, arrays)

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """The score; maps of every level (figures 4b, 4c), and the contribution of each cell to the score."""
        a, b = require_encoding(a, ColdeEncoding), require_encoding(b, ColdeEncoding)
        attention = attend_pair(self.network, a, b)
        alike = (a.self_similarity, b.self_similarity)
        if not explain:
            return PairResult(attention.score, a.coverage, b.coverage, self_similarity=alike)
        maps = topic_maps(a, b, *TOPIC_MEANINGS) | passage_maps(a, b, self._background())
        maps["chunk_attention"] = attention_map(attention, a, b)
        maps |= contributions(attention, a, b, attention.score)
        return PairResult(attention.score, a.coverage, b.coverage, maps, self_similarity=alike)

    def _background(self) -> Array | None:
        """The mean vector of unrelated texts, of another encoder than the packaged one."""
        encoder = self.network.config.encoder
        return None if encoder == PACKAGED else background_centre(encoder)

    def word_contributions(self, a: Encoding, b: Encoding, row: int, column: int) -> SimilarityMap:
        """Split one cell of sentences over its pairs of words; see `WordByWord`."""
        a, b = require_encoding(a, ColdeEncoding), require_encoding(b, ColdeEncoding)
        words = (
            words_of_span(a.document, a.layout.spans[row]),
            words_of_span(b.document, b.layout.spans[column]),
        )
        attention = attend_pair(self.network, a, b)
        values, cell = word_cell(self.network, self.sentence_encoder, attention, a, b, row, column, words)
        return word_map(values, *words, cell, CONTRIBUTION_MEANING)


@lru_cache(maxsize=4)
def over_encoder(model: str, encoder: str) -> Colde:
    """CoLDE over another encoder; the same object each time, by which a reference knows it.

    Args:
        model: name of the model that it stands in for.
    """
    card = encoder_card(spec(model).card, encoder)
    return Colde(encoder_network(encoder), card=card, profiles=encoder_profiles(encoder))


@lru_cache(maxsize=2)
def _network(folder: Path, weights: str | None) -> ColdeNetwork:
    """The network of a checkpoint; `colde` and `colde_words` share it."""
    network = ColdeNetwork(read_config(folder).config(ColdeConfig))
    network.load_state_dict(read_tensors(folder))
    return network
