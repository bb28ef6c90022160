"""Bi-encoders whose vector is the mean of a pretrained encoder's token states, and the parts of their score.

The cosine of two means is a sum: with s_i the sum of the states of sentence i of A over its number of tokens, t_j the
same for B, and a, b the two means,

    cosine = Σ_i Σ_j s_i · t_j / (|a| |b|)

over all sentences, headings and special tokens. So each pair of sentences has an exact part in the score.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from torch import Tensor, nn

from colde.encoders.vector_math import cosines, normalised
from colde.explain.contribution import Units, contribution_maps, default_units
from colde.explain.match_selection import cell_matches
from colde.models.shared.bi_cross_encoder import BiEncoderMatcher, CosineBiEncoder, Explanation, pad_token_ids
from colde.models.shared.lora import add_low_rank
from colde.models.shared.masked_pooling import masked_mean
from colde.models.shared.network_input import (
    DocumentTokens,
    Ints,
    ModelInput,
    VectorEncoding,
    as_float,
    document_tokens,
    first_read,
    framed,
    vector_encoding,
)
from colde.results.encoding import Encoding, require_encoding
from colde.results.similarity_map import Array, Level, SimilarityMap
from colde.text.chunks import SPECIAL_TOKENS
from colde.text.document import Document, Span

MOST_EVIDENCE = 10

SECTION_MEANING = (
    "Sections as far as {title} read them: the cosine of the mean states of their tokens. High where two sections are "
    "about the same matter; it does not say that they share a passage."
)
SENTENCE_MEANING = (
    "Sentences as far as {title} read them, each in its context: "
    "the cosine of the mean states of their tokens."
)
CONTRIBUTION_MEANING = (
    "the products of the sums of their tokens' states over the lengths of the two documents' sums, as far as {title} "
    "read them; the two special tokens stand for the whole text and are spread over all tokens. Exact: all cells add "
    "up to the score; an empty document has 0, and a negative cell speaks against likeness."
)


class MeanStates(CosineBiEncoder):
    """The first tokens of a document through an encoder; the vector is the mean of all token states."""

    sentences = False
    encoder: nn.Module

    @property
    @abstractmethod
    def most_tokens(self) -> int:
        """Number of tokens read, the two special ones included."""

    def input_settings(self) -> dict[str, Any]:
        return {"tokens": self.most_tokens}

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> ModelInput:
        """[CLS], the first word pieces of all that is compared, [SEP]."""
        tokens = document_tokens(document) if tokens is None else tokens
        return ModelInput(framed(tokens.ids[: self.most_tokens - SPECIAL_TOKENS]))

    def run(self, ids: Tensor, mask: Tensor) -> Tensor:
        """[documents, tokens], [documents, tokens] → states [documents, tokens, width]."""
        states: Tensor = self.encoder(ids, mask)
        return states

    def states(self, documents: Sequence[ModelInput]) -> tuple[Tensor, Tensor]:
        """States [documents, tokens, width] and mask [documents, tokens]."""
        ids, mask = pad_token_ids([d.ids for d in documents], self.device)
        return self.run(ids, mask), mask

    def vectors(self, documents: Sequence[ModelInput]) -> Tensor:
        """[documents, width], not normalised."""
        return masked_mean(*self.states(documents))


M = TypeVar("M", bound=MeanStates)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Parts:
    """Sections or sentences as far as they were read.

    Attributes:
        means: [parts, width], sums of the states of a part's tokens over the tokens of the document.
        spans: [parts].
    """

    means: Array
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MeanStatesEncoding(VectorEncoding):
    """A document's vector and the parts it is the sum of; `raw` less sections or sentences is that of special tokens.

    Attributes:
        units: every passage of the document, read or not.
        by_unit: [units, width], which add up to `raw`: special tokens are spread over all tokens.
    """

    by_section: Parts
    by_sentence: Parts
    units: Units
    by_unit: Array


class MeanStatesMatcher(BiEncoderMatcher[M]):
    """Sections, sentences and the parts of the score, from the states the vector is the mean of."""

    def encoding(self, document: Document, explain: bool) -> Encoding:
        tokens = document_tokens(document)
        prepared = self.network.prepare(document, tokens)
        read = prepared.size - SPECIAL_TOKENS
        coverage = first_read(tokens, read)
        states, mask = self.network.states([prepared])
        raw = as_float(masked_mean(states, mask)[0])
        if not explain:
            return vector_encoding(document, coverage, prepared, raw)
        own = as_float(states[0, 1 : read + 1])  # [tokens read, width]
        units = default_units(document)
        special = raw - own.sum(0) / prepared.size
        return MeanStatesEncoding(
            document=document,
            coverage=coverage,
            vector=normalised(raw),
            prepared=prepared,
            raw=raw,
            by_section=_parts(own, tokens.section[:read], tokens, prepared.size),
            by_sentence=_parts(own, tokens.sentence[:read], tokens, prepared.size),
            units=units,
            by_unit=_by_unit(own / prepared.size + special / max(read, 1), tokens.starts[:read], units),
        )

    def explanation(self, a: Encoding, b: Encoding, score: float) -> Explanation:
        """`section` and `sentence` (cosines of mean states), and what made the score.

        Evidence: the pairs of sentences that add most to the score, each sentence once; a weight is the part it adds.
        """
        left, right = require_encoding(a, MeanStatesEncoding), require_encoding(b, MeanStatesEncoding)
        parts = contributions(left, right)
        rows, columns = left.by_sentence.spans, right.by_sentence.spans
        length = max(float(np.linalg.norm(left.raw) * np.linalg.norm(right.raw)), 1e-12)
        maps = {
            "section": self._cosine_map("section", left.by_section, right.by_section, SECTION_MEANING),
            "sentence": self._cosine_map("sentence", left.by_sentence, right.by_sentence, SENTENCE_MEANING),
        } | contribution_maps(
            left.units,
            right.units,
            [(left.by_unit.astype(np.float64) / length, right.by_unit.astype(np.float64))],
            score,
            CONTRIBUTION_MEANING.format(title=self.card.title),
        )
        evidence = cell_matches(
            a, b, parts, rows, columns, model=self.card.name, kind="adds to the score", most=MOST_EVIDENCE
        )
        return {name: m for name, m in maps.items() if m.values.size}, evidence

    def _cosine_map(self, level: Level, a: Parts, b: Parts, meaning: str) -> SimilarityMap:
        return SimilarityMap(
            cosines(a.means, b.means),
            a.spans,
            b.spans,
            "cosine",
            meaning.format(title=self.card.title),
            role="topic",
            level=level,
            limits=(-1.0, 1.0),
        )


def contributions(a: MeanStatesEncoding, b: MeanStatesEncoding) -> Array:
    """Part of each pair of sentences in the cosine: [sentences read of a, sentences read of b]."""
    scale = np.linalg.norm(a.raw) * np.linalg.norm(b.raw)
    return np.asarray(a.by_sentence.means @ b.by_sentence.means.T / scale, dtype=np.float32)


def _by_unit(states: Array, starts: Ints, units: Units) -> Array:
    """Sums of the states of the tokens of each unit: [tokens, width], [tokens] → [units, width]."""
    if not len(states):
        return np.zeros((len(units), states.shape[-1]), np.float32)
    return np.asarray(units.of_tokens(starts) @ states, dtype=np.float32)


def _parts(states: Array, group: Ints, tokens: DocumentTokens, size: int) -> Parts:
    """Sums of the states of each group of neighbouring tokens over `size`; group −1 is left out."""
    names, first = np.unique(group, return_index=True)
    kept = names >= 0
    if not kept.any():
        return Parts(means=np.zeros((0, states.shape[-1]), np.float32), spans=())
    last = len(group) - 1 - np.unique(group[::-1], return_index=True)[1]
    total = np.stack([states[group == g].sum(0) for g in names[kept]])
    ends = zip(tokens.starts[first[kept]], tokens.ends[last[kept]], strict=True)
    return Parts(
        means=np.asarray(total / size, dtype=np.float32), spans=tuple(Span(int(s), int(e)) for s, e in ends)
    )


def freeze_except(encoder: nn.Module, parts: Iterable[nn.Module], rank: int, alpha: float) -> None:
    """Freeze everything but these parts; with a rank above 0 train updates of their linear layers instead."""
    encoder.requires_grad_(False)
    for part in parts:
        if rank:
            add_low_rank(part, rank, alpha)
        else:
            part.requires_grad_(True)
