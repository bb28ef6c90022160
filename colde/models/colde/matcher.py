"""CoLDE as a Matcher: one network, its attention the score, every level the sum of the one below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from torch import Tensor

from colde.encoders.sentence_layout import Sentences, read_sentences
from colde.encoders.vector_math import group_sums, normalised
from colde.explain import passage_matching
from colde.explain.level_maps import topic_maps
from colde.explain.word_contribution import split_vector_by_word, word_map, words_of_span
from colde.judge.calibration import Profile
from colde.judge.profiles import GENERAL
from colde.models.base import Card
from colde.models.checkpoint import read_config, read_tensors
from colde.models.colde.condensed import condense, restore
from colde.models.colde.config import ColdeConfig
from colde.models.colde.document_encoding import ColdeEncoding, encoding_of
from colde.models.colde.embedding import Embedder
from colde.models.colde.explanation import (
    Float64Array,
    PairAttention,
    attend_pair,
    attention_map,
    cells,
    contributions,
    word_parts,
    word_values,
)
from colde.models.colde.map_meanings import CONTRIBUTION_MEANING, SECTION_MEANING, TOPIC_MEANINGS
from colde.models.colde.provisional_score import provisional
from colde.models.registry import CARDS
from colde.models.stored_matcher import StoredMatcher
from colde.results.encoding import Encoding, require_encoding
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress, Progress, Provisional, Stage
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.chunks import default_tokenizer
from colde.text.document import Document, Span

MOST_UPDATES = 12
"""Section maps and scores made while two documents are read; each costs as much as there is of both."""

SO_FAR = "Provisional, over the sentences read so far. "

ENCODER_PARAMETERS = 22_713_216
"""Numbers of the packaged encoder."""


class Colde(StoredMatcher):
    """CoLDE, every part of it trained."""

    def __init__(
        self,
        embedder: Embedder,
        *,
        card: Card | None = None,
        profiles: Mapping[str, Profile] | None = None,
        training: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(card or CARDS["colde"], profiles, training)
        self.embedder = embedder

    @classmethod
    def load(cls, folder: Path, card: Card | None = None) -> Colde:
        """A checkpoint: everything that was trained."""
        stored = read_config(folder)
        return cls(
            _embedder(folder, stored.weights),
            card=card,
            profiles=stored.profiles,
            training=stored.training,
        )

    def settings(self) -> Mapping[str, Any]:
        return asdict(self.embedder.network.config)

    def tensors(self) -> Mapping[str, Tensor]:
        return self.embedder.network.state_dict()

    @property
    def parameters(self) -> int:
        """Number of parameters of the encoder as it came and of the network that is trained above it."""
        return ENCODER_PARAMETERS + sum(p.numel() for p in self.embedder.network.parameters())

    def for_profile(self, profile: str, reference: Sequence[Encoding] = ()) -> Colde:
        """Copy for a profile; under `general` with a reference, around the centre of its documents and adapted to them.

        Documents of a kind that was never trained on lie far from the centre of training, all to one side of it, and
        all look alike from there: papers, left out of training, had an AUC of .89 around their own centre and .83
        around that of the other kinds. Around the centre of training, kinds that were trained on are told apart better
        (docs/results.md).
        """
        if profile != GENERAL or not reference:
            return self
        known = [require_encoding(e, ColdeEncoding) for e in reference]
        return Colde(
            self.embedder.adapted([e.states for e in known], [e.mass for e in known]),
            card=self.card,
            profiles=self.profiles,
            training=self.training,
        )

    # encode -------------------------------------------------------------------------------------------

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """Document, section, chunk and sentence vectors.

        With two documents, progress carries a section map and, from a quarter on, a score of what is read so far.
        """
        found = [
            read_sentences(d, default_tokenizer(), self.embedder.network.config.parts) for d in documents
        ]
        watch = (
            None if on_progress is None else _EncodingProgress(self, documents, found, on_progress, explain)
        )
        read = self.embedder.reader.read(documents, found, watch)
        return [
            encoding_of(d, f, r, self.embedder.embed(f, r), explain=explain)
            for d, f, r in zip(documents, found, read, strict=True)
        ]

    def partial(
        self, documents: Sequence[Document], found: Sequence[Sentences], read: Sequence[Array]
    ) -> dict[str, SimilarityMap]:
        """The section map over the sentences read so far; it settles with every batch."""
        vectors, spans = [], []
        for document, own, values in zip(documents, found, read, strict=True):
            sections, of = np.unique(own.section, return_inverse=True)
            known = ~np.isnan(values[:, 0])
            summed = group_sums(self.embedder.projected(own, values)[known], of[known], len(sections))
            summed[np.bincount(of[known], minlength=len(sections)) == 0] = np.nan  # nothing read of it yet
            vectors.append(normalised(summed))
            spans.append(tuple(Span(document.sections[i].start, document.sections[i].end) for i in sections))
        with np.errstate(invalid="ignore"):
            likeness = np.clip(vectors[0] @ vectors[1].T, -1, 1)
        meaning = SO_FAR + SECTION_MEANING
        section = SimilarityMap(
            likeness, spans[0], spans[1], "cosine", meaning, role="topic", level="section"
        )
        return {"section": section}

    def condense(self, encoding: Encoding) -> Mapping[str, Array]:
        """Arrays that a score needs of an encoding; see `Storable`."""
        return condense(require_encoding(encoding, ColdeEncoding))

    def restore(self, arrays: Mapping[str, Array]) -> Encoding:
        """An encoding for scores alone; see `Storable`."""
        return restore(self.embedder.network, arrays)

    # match --------------------------------------------------------------------------------------------

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """The score; maps of every level (figure 4b, 4c), and what each cell adds to it."""
        one, other = require_encoding(a, ColdeEncoding), require_encoding(b, ColdeEncoding)
        pair_attention = attend_pair(self.embedder.network, one, other)
        if not explain:
            return PairResult(pair_attention.score, a.coverage, b.coverage)
        maps, evidence = passage_matching.match_passages(a, b, self.card.name)
        maps = (
            topic_maps(a, b, *TOPIC_MEANINGS)
            | maps
            | {"chunk_attention": attention_map(pair_attention, one, other)}
        )
        maps |= contributions(pair_attention, one, other, pair_attention.score)
        return PairResult(pair_attention.score, a.coverage, b.coverage, maps, tuple(evidence))

    def word_contributions(self, a: Encoding, b: Encoding, row: int, column: int) -> SimilarityMap:
        """Split one cell of sentences over its pairs of words; see `WordByWord`."""
        one, other = require_encoding(a, ColdeEncoding), require_encoding(b, ColdeEncoding)
        pair_attention = attend_pair(self.embedder.network, one, other)
        words = (
            words_of_span(one.document, one.found.spans[row]),
            words_of_span(other.document, other.found.spans[column]),
        )
        values = self.word_values(pair_attention, one, other, row, column, words)
        cell = float(cells(pair_attention, one, other, "sentence").rows(slice(row, row + 1))[0, column])
        return word_map(values, *words, cell, CONTRIBUTION_MEANING)

    def word_values(
        self,
        pair_attention: PairAttention,
        a: ColdeEncoding,
        b: ColdeEncoding,
        row: int,
        column: int,
        words: tuple[Sequence[Span], Sequence[Span]],
    ) -> Float64Array:
        """Part of CoLDE's score by pair of these words of two sentences: [words of a, words of b]."""
        parts = []
        for e, place, own in zip((a, b), (row, column), words, strict=True):
            found = split_vector_by_word(
                e.document, e.found.spans[place], own, default_tokenizer(), self.embedder.reader.token_parts
            )
            parts.append(word_parts(self.embedder.network, e, place, found))
        return word_values(pair_attention, a, b, row, column, parts)


class _EncodingProgress:
    """Tells of every batch that is read; of two documents with a section map and a score now and then."""

    def __init__(
        self,
        model: Colde,
        documents: Sequence[Document],
        found: Sequence[Sentences],
        report: OnProgress,
        explain: bool,
    ) -> None:
        self.model, self.documents, self.found, self.report = model, documents, found, report
        self.partial = explain and len(documents) == 2
        self.maps: dict[str, SimilarityMap] = {}
        self.score: Provisional | None = None

    def __call__(self, done: int, total: int, read: Sequence[Array]) -> None:
        if self.partial and done * MOST_UPDATES // total > (done - 1) * MOST_UPDATES // total:
            self.maps = self.model.partial(self.documents, self.found, read)
            self.score = provisional(self.model.embedder, self.found, read)
        self.report(Progress(Stage.SENTENCES, done, total, partial=self.maps, provisional=self.score))


@lru_cache(maxsize=2)
def _embedder(folder: Path, weights: str | None) -> Embedder:
    """The network of a checkpoint; `colde` and `colde_words` share it."""
    embedder = Embedder.fresh(ColdeConfig(**read_config(folder).settings))
    embedder.network.load_state_dict(read_tensors(folder))
    return embedder
