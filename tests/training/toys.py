"""Networks that are small enough to train in a test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from colde.models.shared.bi_cross_encoder import (
    CosineBiEncoder,
    CrossEncoder,
    ProjectedWords,
    pad_token_ids,
)
from colde.models.shared.masked_pooling import masked_mean
from colde.models.shared.network_input import DocumentTokens, ModelInput, document_tokens
from colde.text.document import Document


@dataclass(frozen=True, slots=True)
class ToyConfig:
    size: int = 8
    dropout: float = 0.3


class ToyBiEncoder(CosineBiEncoder):
    """Mean of projected words, with dropout, so that a wrong seed would show."""

    def __init__(self, config: ToyConfig | None = None) -> None:
        super().__init__()
        self.config = config or ToyConfig()
        self.words = ProjectedWords(self.config.size)
        self.dropout = nn.Dropout(self.config.dropout)

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> ModelInput:
        return ModelInput(document_tokens(document).ids)

    def vectors(self, documents: Sequence[ModelInput]) -> Tensor:
        ids, mask = pad_token_ids([d.ids for d in documents], self.device)
        return self.dropout(masked_mean(self.words(ids), mask))

    def pretrain(self, documents: Sequence[ModelInput]) -> Tensor:
        return ((self.vectors(documents) - 1) ** 2).mean()


class ToyCross(CrossEncoder):
    """Both means, joined."""

    def __init__(self) -> None:
        super().__init__()
        self.config = ToyConfig()
        self.words = ProjectedWords(8)
        self.head = nn.Bilinear(8, 8, 1)

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> ModelInput:
        return ModelInput(document_tokens(document).ids)

    def join(self, a: ModelInput, b: ModelInput) -> ModelInput:
        return ModelInput(np.concatenate([a.ids, [0], b.ids]).astype(np.int32))

    def logits(self, pairs: Sequence[ModelInput]) -> Tensor:
        logits = []
        for p in pairs:
            cut = int(np.flatnonzero(p.ids == 0)[0])
            words = self.words(torch.from_numpy(p.ids).long().to(self.device))
            logits.append(self.head(words[:cut].mean(0), words[cut + 1 :].mean(0)))
        return torch.cat(logits)
