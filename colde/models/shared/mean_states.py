"""Bi-encoders whose vector is the mean of a pretrained encoder's token states, and the parts of their score.

The cosine of two means is a sum: with s_i the sum of the states of sentence i of A over A's number of tokens, t_j the
same for B, and a, b the two means,

    cosine = Σ_i Σ_j s_i · t_j / (|a| |b|)

over all sentences, headings and special tokens. So each pair of sentences has an exact part in the score.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from torch import Tensor, nn

from colde.encoders.vector_math import cosines, group_sums
from colde.explain.contribution import default_units
from colde.models.shared.bi_cross_encoder import CosineBiEncoder, pad_token_ids
from colde.models.shared.integrated_gradients import VectorParts
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
)
from colde.models.shared.token_matcher import TokenBiEncoderMatcher
from colde.models.shared.unit_parts import UnitEncoding
from colde.results.encoding import Encoding, require_encoding
from colde.results.model_score import Coverage
from colde.results.similarity_map import Array, Level, SimilarityMap
from colde.text.chunks import SPECIAL_TOKENS
from colde.text.document import Document, Span

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
    "read them; the two special tokens stand for the whole text and are spread over all tokens. All cells add up to "
    "the score. An empty document has the score 0, and a negative cell lowers the score."
)


class MeanStates(CosineBiEncoder):
    """The first tokens of a document through an encoder; the vector is the mean of all token states."""

    sentences = False
    encoder: nn.Module

    @property
    def most_tokens(self) -> int:
        """Number of tokens read, the two special ones included."""
        return int(self.config.tokens)

    def input_settings(self) -> dict[str, Any]:
        return {"tokens": self.most_tokens}

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> ModelInput:
        """[CLS], the first word pieces of all that is compared, [SEP]."""
        tokens = document_tokens(document) if tokens is None else tokens
        return ModelInput(framed(tokens.ids[: self.most_tokens - SPECIAL_TOKENS]))

    def states(self, documents: Sequence[ModelInput]) -> tuple[Tensor, Tensor]:
        """States [documents, tokens, width] and mask [documents, tokens]."""
        ids, mask = pad_token_ids([d.ids for d in documents], self.device)
        return self.encoder(ids, mask), mask

    def vectors(self, documents: Sequence[ModelInput]) -> Tensor:
        """[documents, width], not normalised."""
        return masked_mean(*self.states(documents))


M = TypeVar("M", bound=MeanStates)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StateSums:
    """Sections or sentences as far as they were read.

    Attributes:
        means: [passages, width], sums of the states of a passage's tokens over the number of tokens of the document.
        spans: [passages].
    """

    means: Array
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MeanStatesEncoding(UnitEncoding):
    """A document's vector and its parts; `raw` less sections or sentences is the part of the special tokens."""

    by_section: StateSums
    by_sentence: StateSums


class MeanStatesMatcher(TokenBiEncoderMatcher[M]):
    """Section and sentence maps, and contributions, from the states whose mean is the vector."""

    contribution_meaning = CONTRIBUTION_MEANING

    def run(self, prepared: ModelInput) -> tuple[Array, Tensor]:
        states, mask = self.network.states([prepared])
        return as_float(masked_mean(states, mask)[0]), states[0]

    def coverage(self, document: Document, tokens: DocumentTokens, prepared: ModelInput) -> Coverage:
        return first_read(tokens, prepared.size - SPECIAL_TOKENS)

    def explained(self, encoding: VectorEncoding, tokens: DocumentTokens, states: Tensor) -> Encoding:
        """Adds the parts of sections, sentences and units; special tokens are spread over all tokens."""
        size = encoding.prepared.size
        read = size - SPECIAL_TOKENS
        of_tokens = as_float(states[1 : read + 1])  # [tokens read, width]
        special = encoding.raw - of_tokens.sum(0) / size
        each = of_tokens / size + special / max(read, 1)
        units = default_units(encoding.document)
        unit = units.at(tokens.starts[:read]) if read else np.zeros(0, np.int64)
        by_unit = group_sums(each.astype(np.float64), unit, len(units))
        return encoding.extended(
            MeanStatesEncoding,
            by_section=_state_sums(of_tokens, tokens.section[:read], tokens, size),
            by_sentence=_state_sums(of_tokens, tokens.sentence[:read], tokens, size),
            units=units,
            parts=VectorParts(by_unit, np.zeros(by_unit.shape[1]), encoding.raw.astype(np.float64)),
        )

    def explanation(self, a: Encoding, b: Encoding, score: float) -> dict[str, SimilarityMap]:
        """`section` and `sentence` (cosines of mean states), and contributions."""
        left, right = require_encoding(a, MeanStatesEncoding), require_encoding(b, MeanStatesEncoding)
        maps = {
            "section": self._cosine_map("section", left.by_section, right.by_section, SECTION_MEANING),
            "sentence": self._cosine_map("sentence", left.by_sentence, right.by_sentence, SENTENCE_MEANING),
        } | self.contributions(left, right, score)
        return {name: m for name, m in maps.items() if m.values.size}

    def _cosine_map(self, level: Level, a: StateSums, b: StateSums, meaning: str) -> SimilarityMap:
        return self.topic_map(level, cosines(a.means, b.means), a.spans, b.spans, meaning)


def _state_sums(states: Array, group: Ints, tokens: DocumentTokens, size: int) -> StateSums:
    """Sums over `size` of the states of each group of neighbouring tokens; group −1 is left out."""
    names, first = np.unique(group, return_index=True)
    kept = names >= 0
    if not kept.any():
        return StateSums(means=np.zeros((0, states.shape[-1]), np.float32), spans=())
    last = len(group) - 1 - np.unique(group[::-1], return_index=True)[1]
    total = np.stack([states[group == g].sum(0) for g in names[kept]])
    ends = zip(tokens.starts[first[kept]], tokens.ends[last[kept]], strict=True)
    spans = tuple(Span(int(s), int(e)) for s, e in ends)
    return StateSums(means=np.asarray(total / size, dtype=np.float32), spans=spans)


def freeze_except(encoder: nn.Module, parts: Iterable[nn.Module], rank: int, alpha: float) -> None:
    """Freeze everything but these parts; with a rank above 0 train updates of their linear layers instead."""
    encoder.requires_grad_(False)
    for part in parts:
        if rank:
            add_low_rank(part, rank, alpha)
        else:
            part.requires_grad_(True)
