"""What the systems have in common: the first word pieces of a document, and matchers that give a score alone."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np
import torch
from torch import Tensor

from colde.models.shared.bi_cross_encoder import (
    BaselineNetwork,
    BiEncoder,
    BiEncoderMatcher,
    CrossEncoder,
    CrossEncoderMatcher,
    ProjectedWords,
    input_of,
    pad_token_ids,
)
from colde.models.shared.network_input import (
    DocumentTokens,
    InputEncoding,
    Ints,
    ModelInput,
    as_float,
    document_tokens,
    first_read,
    vector_encoding,
)
from colde.results.encoding import Encoding
from colde.results.model_score import Coverage
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Document

MAX_WORD_PIECES = 512
"""Word pieces that are kept of each document; a network may read fewer of them."""


class FirstTokensNetwork(BaselineNetwork, ABC):
    """A network over the first `config.tokens` word pieces; all such networks share what is kept of a corpus."""

    sentences: ClassVar[bool] = False
    cache_name: ClassVar[str] = "firstpieces"

    def input_settings(self) -> dict[str, Any]:
        return {"tokens": MAX_WORD_PIECES}

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> ModelInput:
        """Take the first word pieces of the compared sections, headings included."""
        tokens = document_tokens(document) if tokens is None else tokens
        return ModelInput(tokens.ids[:MAX_WORD_PIECES])

    @property
    def most(self) -> int:
        """Word pieces the network reads of a document, `MAX_WORD_PIECES` at most."""
        return min(MAX_WORD_PIECES, int(self.config.tokens))

    def ids(self, documents: Sequence[ModelInput]) -> tuple[Tensor, Tensor]:
        """Ids and mask, [documents, tokens] each; at least one place, so that there is something to convolve."""
        return pad_ids_to_minimum([d.ids[: self.most] for d in documents], self.device)


def pad_ids_to_minimum(rows: Sequence[Ints], device: torch.device, least: int = 1) -> tuple[Tensor, Tensor]:
    """Ids and mask as `pad_token_ids` gives them, of at least so many places: [texts, places] each."""
    ids, mask = pad_token_ids(rows, device)
    if ids.shape[1] < least:
        more = (0, least - ids.shape[1])
        ids, mask = torch.nn.functional.pad(ids, more), torch.nn.functional.pad(mask, more)
    return ids, mask


def embedded(words: ProjectedWords, ids: Tensor, mask: Tensor) -> Tensor:
    """Word vectors, zeros where padding is; each different word piece is projected once: [texts, places, size]."""
    different, place = torch.unique(ids, return_inverse=True)
    vectors: Tensor = words(different)[place] * mask.unsqueeze(-1)
    return vectors


@dataclass(frozen=True, slots=True, eq=False)
class PairTokens(ModelInput):
    """Two documents for a network that reads both: `ids` are a's word pieces, then b's; `first` [1] are a's."""

    first: Ints

    @property
    def a(self) -> Ints:
        return self.ids[: int(self.first[0])]

    @property
    def b(self) -> Ints:
        return self.ids[int(self.first[0]) :]


class InteractionNetwork(FirstTokensNetwork, CrossEncoder, ABC):
    """A network that compares the words of two documents with each other."""

    least: ClassVar[int] = 1  # places its layers need

    def join(self, a: ModelInput, b: ModelInput) -> PairTokens:
        one, other = a.ids[: self.most], b.ids[: self.most]
        return PairTokens(np.concatenate([one, other]).astype(np.int32), np.array([len(one)], np.int32))

    def sides(self, pairs: Sequence[ModelInput]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Ids of a, mask of a, ids of b, mask of b: [pairs, places] each."""
        both = [p for p in pairs if isinstance(p, PairTokens)]
        assert len(both) == len(pairs)
        a, mask_a = pad_ids_to_minimum([p.a for p in both], self.device, self.least)
        b, mask_b = pad_ids_to_minimum([p.b for p in both], self.device, self.least)
        return a, mask_a, b, mask_b


S = TypeVar("S", bound=BiEncoder)
X = TypeVar("X", bound=CrossEncoder)


class ScoreOnlyBiEncoder(BiEncoderMatcher[S], ABC):
    """A bi-encoder over first word pieces that shows nothing but its score."""

    def encoding(self, document: Document, explain: bool) -> Encoding:
        tokens = document_tokens(document)
        prepared = self.network.prepare(document, tokens)
        raw = as_float(self.network.vectors([prepared])[0])
        return vector_encoding(document, first_read(tokens, self.network.config.tokens), prepared, raw)

    def explanation(self, a: Encoding, b: Encoding, score: float) -> dict[str, SimilarityMap]:
        return {}


class ScoreOnlyCrossEncoder(CrossEncoderMatcher[X, None], ABC):
    """A cross-encoder over first word pieces that shows nothing but its score."""

    def encoding(self, document: Document, explain: bool) -> Encoding:
        prepared = self.network.prepare(document)
        return InputEncoding(
            document=document, coverage=self.coverage_of(document, prepared), prepared=prepared
        )

    def coverage_of(self, document: Document, prepared: Any) -> Coverage:
        """How much of the document the network reads."""
        return first_read(document_tokens(document), self.network.config.tokens)

    def run(self, a: Encoding, b: Encoding, explain: bool) -> tuple[Tensor, None]:
        first, second = input_of(a), input_of(b)
        return self.network.logits([self.network.join(first, second), self.network.join(second, first)]), None

    def explanation(self, a: Encoding, b: Encoding, run: None, score: float) -> dict[str, SimilarityMap]:
        return {}
