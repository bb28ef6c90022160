"""HAN: hierarchical attention network (Yang et al. 2016), two of them side by side as CoLDE's table compares it.

    word pieces → frozen word vectors, projected to 200 → words → sentences → document (GRU 50 each way, attention)
    cosine of the two documents' vectors

Its paper classifies single documents. In SMASH's tables it has their pair head in place of the cosine:
`SmashConfig(hierarchies="s", words=200, hidden=50)`.
"""

from __future__ import annotations

from dataclasses import dataclass

from colde.models.shared.bi_cross_encoder import CosineBiEncoder
from colde.models.shared.hierarchical_matcher import HierarchicalMatcher
from colde.models.shared.hierarchical_network import HierarchicalNetwork, ReadingLimits

CONTRIBUTION_MEANING = (
    "what each sentence adds to the two vectors, by integrated Jacobians over the vectors of the sentences. The parts "
    "are approximate; the residual states the error. The baseline is the score of two texts with as many sentences "
    "without words. A negative cell lowers the score."
)


@dataclass(frozen=True, slots=True)
class HanConfig:
    """Sizes; each constant beside its source."""

    words: int = 200  # Yang et al., 3.3
    hidden: int = 50  # each way; annotations of 100 (3.3)
    attention: int = 100  # context vectors of 100 (3.3)
    dropout: float = 0.2  # the paper has none; it trains on far more documents
    most_tokens: int = 1024  # bounded for time
    longest_sentence: int = 128  # word pieces; the paper is silent


class HanNetwork(HierarchicalNetwork, CosineBiEncoder):
    """The sentence hierarchy and a cosine."""

    def __init__(self, config: HanConfig) -> None:
        super().__init__(
            ("s",),
            words=config.words,
            hidden=config.hidden,
            attention=config.attention,
            dropout=config.dropout,
            limits=ReadingLimits(tokens=config.most_tokens, sentence=config.longest_sentence),
        )
        self.config = config


class Han(HierarchicalMatcher[HanNetwork]):
    """HAN as a Matcher."""

    network_class = HanNetwork
    config_class = HanConfig
    contribution_meaning = CONTRIBUTION_MEANING
