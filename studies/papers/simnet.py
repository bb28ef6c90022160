"""SimNet: a small network over five similarities of two texts' words (Liu et al. 2019; Match-Ignition's table 2).

TF-IDF, TF and BM25 cosines, Jaccard, Ochiai → logarithms → 16, ReLU → logit
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
import torch
from torch import Tensor, nn

from colde.models.shared.bi_cross_encoder import CrossEncoder
from colde.models.shared.network_input import DocumentTokens, Ints, ModelInput
from colde.results.model_score import Coverage
from colde.results.similarity_map import Array
from colde.text.document import Document
from colde.text.word_weights.term_weights import counts, shipped_statistics, words_of
from studies.papers.bag_similarities import SIMILARITIES, Bag, similarities
from studies.papers.first_tokens import ScoreOnlyCrossEncoder

LEAST = 0.01  # added to a similarity before its logarithm


@dataclass(frozen=True, slots=True)
class SimNetConfig:
    """Sizes; the papers name none."""

    hidden: int = 16


@dataclass(frozen=True, slots=True, eq=False)
class CountedWords(ModelInput):
    """The distinctive words of a text: `ids` are their columns, rising, and their counts [different words]."""

    counts: Ints

    @property
    def bag(self) -> Bag:
        return self.ids.astype(np.int64), self.counts.astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class PairSimilarities(ModelInput):
    """The five similarities of a pair; `ids` is empty."""

    values: Array


class SimNetNetwork(CrossEncoder):
    """Similarities → logit; the same for both orders."""

    config: SimNetConfig
    input_type: ClassVar[type[ModelInput]] = CountedWords
    sentences: ClassVar[bool] = False
    cache_name: ClassVar[str] = "countedwords"

    def __init__(self, config: SimNetConfig) -> None:
        super().__init__()
        self.config = config
        self.dense = nn.Linear(len(SIMILARITIES), config.hidden)
        self.out = nn.Linear(config.hidden, 1)

    def input_settings(self) -> dict[str, Any]:
        return {}

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> CountedWords:
        """Count the words that stand in at most 15 % of the training documents; word pieces are not needed."""
        word_counts = counts(["\n".join(document.text[s.start : s.end] for _, s in document.compared())])
        telling = shipped_statistics().idf[word_counts.indices] > 0
        return CountedWords(
            word_counts.indices[telling].astype(np.int32), word_counts.data[telling].astype(np.int32)
        )

    def join(self, a: ModelInput, b: ModelInput) -> PairSimilarities:
        one, other = cast(CountedWords, a), cast(CountedWords, b)
        values = similarities(one.bag, other.bag, shipped_statistics())
        return PairSimilarities(np.zeros(0, np.int32), values)

    def logits(self, pairs: Sequence[ModelInput]) -> Tensor:
        """[pairs]."""
        values = np.stack([cast(PairSimilarities, p).values for p in pairs])
        x = torch.log(torch.from_numpy(values).to(self.device) + LEAST) + 3  # from −1.6 to 3
        return cast(Tensor, self.out(torch.relu(self.dense(x))).squeeze(1))


class SimNet(ScoreOnlyCrossEncoder[SimNetNetwork]):
    """SimNet as a Matcher."""

    network_class = SimNetNetwork
    config_class = SimNetConfig

    def coverage_of(self, document: Document, prepared: CountedWords) -> Coverage:
        words = sum(len(words_of(document.text[s.start : s.end])) for _, s in document.compared())
        return Coverage(words, words)
