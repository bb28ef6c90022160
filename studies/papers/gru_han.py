"""GRU-HAN, with and without cross-document attention: words by a GRU, sentences by `SentenceAttention`.

    word pieces → projected word vectors → bidirectional GRU, attention → sentences → `SentenceAttention`

(Yang et al. 2016; Zhou et al. 2020; Match-Ignition's table 3.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
import torch
from torch import Tensor, nn

from colde.models.shared.bi_cross_encoder import CrossEncoder, ProjectedWords
from colde.models.shared.gru_attention import Level
from colde.models.shared.hierarchical_network import HierarchyText, ReadingLimits, coverage_up_to, read_text
from colde.models.shared.network_input import DocumentTokens, ModelInput, document_tokens
from colde.results.model_score import Coverage
from colde.text.document import Document
from studies.papers.bert_han import DocumentPairInput
from studies.papers.first_tokens import ScoreOnlyCrossEncoder
from studies.papers.sentence_attention import SentenceAttention


@dataclass(frozen=True, slots=True)
class GruHanConfig:
    """Sizes of Yang et al. 2016, 3.3."""

    cda: bool = False
    words: int = 200
    hidden: int = 50  # each way
    attention: int = 100
    dropout: float = 0.2
    tokens: int = 512  # bounded for time
    longest_sentence: int = 128


class GruHanNetwork(CrossEncoder):
    """Words in sentences → logit."""

    config: GruHanConfig
    input_type: ClassVar[type[ModelInput]] = HierarchyText
    cache_name: ClassVar[str] = "hierarchytext"

    def __init__(self, config: GruHanConfig) -> None:
        super().__init__()
        self.config = config
        self.words = ProjectedWords(config.words)
        self.words.centre()
        self.dropout = nn.Dropout(config.dropout)
        self.sentence = Level(config.words, config.hidden, config.attention)
        self.level = SentenceAttention(
            2 * config.hidden, config.hidden, config.attention, cda=config.cda, dropout=config.dropout
        )

    def input_settings(self) -> dict[str, Any]:
        return {"tokens": self.config.tokens, "longest_sentence": self.config.longest_sentence}

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> HierarchyText:
        tokens = document_tokens(document) if tokens is None else tokens
        limits = ReadingLimits(tokens=self.config.tokens, sentence=self.config.longest_sentence)
        return read_text(document, tokens, limits)

    def join(self, a: ModelInput, b: ModelInput) -> DocumentPairInput:
        return DocumentPairInput(np.zeros(0, np.int32), a, b)

    def logits(self, pairs: Sequence[ModelInput]) -> Tensor:
        """[pairs]."""
        both = [cast(DocumentPairInput, p) for p in pairs]
        texts = [cast(HierarchyText, d) for p in both for d in (p.a, p.b)]
        ids = torch.from_numpy(np.concatenate([t.ids for t in texts])).long().to(self.device)
        different, where = torch.unique(ids, return_inverse=True)
        words = torch.from_numpy(np.concatenate([t.sentences for t in texts])).long()
        table = self.dropout(self.words(different))
        if len(words):
            vectors = self.sentence(table, words, where).vectors
        else:
            vectors = table.new_zeros(0, 2 * self.config.hidden)
        lengths = torch.tensor([len(t.sentences) for t in texts])
        parts = vectors.split(lengths.tolist())
        a, b = torch.cat(parts[::2]), torch.cat(parts[1::2])
        return cast(Tensor, self.level(a, b, lengths[::2], lengths[1::2]))


class GruHan(ScoreOnlyCrossEncoder[GruHanNetwork]):
    """GRU-HAN as a Matcher."""

    network_class = GruHanNetwork
    config_class = GruHanConfig

    def coverage_of(self, document: Document, prepared: HierarchyText) -> Coverage:
        return coverage_up_to(document, prepared)
