"""LDA: what mixture of topics a text is made of (Blei, Ng, Jordan 2003; Match-Ignition's table 2).

    words → counts → variational inference of the topics' shares → 1 − Jensen–Shannon divergence of two texts' shares

The topics are fitted by scikit-learn (`studies.papers.lda_training`); the inference for one text is written out here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.special import digamma, rel_entr
from torch import Tensor

from colde.judge.calibration import Profile
from colde.models.base import Card
from colde.models.checkpoint import read_config, read_tensors
from colde.models.stored_matcher import StoredMatcher
from colde.results.encoding import Encoding, require_encoding
from colde.results.model_score import Coverage
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import Array
from colde.text.document import Document
from colde.text.word_weights.term_weights import Counts, counts, words_of

MOST_STEPS, ENOUGH = 100, 1e-4
TINY = float(np.finfo(np.float32).eps)  # scikit-learn's guard against an empty sum

Float64Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Topics:
    """Fitted topics.

    Attributes:
        columns: [words], of `term_weights.counts`, rising: the vocabulary.
        log_weights: [topics, words], logarithms of the parameters λ of the topics' Dirichlet distributions.
        prior: of a text's shares, α.
    """

    columns: NDArray[np.int64]
    log_weights: Array
    prior: float

    def expected(self) -> Float64Array:
        """exp E[log β]: [topics, words]."""
        weights = np.exp(self.log_weights.astype(np.float64))
        values: Float64Array = np.exp(digamma(weights) - digamma(weights.sum(1, keepdims=True)))
        return values


def shares_of(row: Counts, topics: Topics, expected: Float64Array) -> Float64Array:
    """Shares of the topics in one text [1, BUCKETS], by variational inference (Hoffman et al. 2010, algorithm 1).

    They sum to 1 [topics], and are equal for a text without a known word; `expected` is `topics.expected()`.
    """
    shared, at, of = np.intersect1d(topics.columns, row.indices, assume_unique=True, return_indices=True)
    del shared
    beta, count = expected[:, at], row.data[of].astype(np.float64)
    gamma = np.ones(len(expected))
    for _ in range(MOST_STEPS):
        before = gamma
        theta = np.exp(digamma(gamma) - digamma(gamma.sum()))
        gamma = topics.prior + theta * (beta @ (count / (theta @ beta + TINY)))
        if np.abs(gamma - before).mean() < ENOUGH:
            break
    return np.asarray(gamma / gamma.sum())


def topic_similarity(p: Float64Array, q: Float64Array) -> float:
    """1 − Jensen–Shannon divergence in bits, in [0, 1]."""
    middle = (p + q) / 2
    return float(1 - (rel_entr(p, middle).sum() + rel_entr(q, middle).sum()) / (2 * np.log(2)))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LdaEncoding(Encoding):
    """A document as shares of topics: [topics]."""

    shares: Float64Array


class Lda(StoredMatcher):
    """LDA as a Matcher."""

    uses_encoder = False

    def __init__(
        self,
        topics: Topics,
        *,
        card: Card,
        profiles: Mapping[str, Profile] | None = None,
        training: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(card, profiles, training)
        self.topics = topics
        self._expected = topics.expected()

    @property
    def parameters(self) -> int:
        return int(self.topics.log_weights.size)

    def shares(self, row: Counts) -> Float64Array:
        """Of a text's word counts [1, BUCKETS]: [topics]."""
        return shares_of(row, self.topics, self._expected)

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        encodings: list[Encoding] = []
        for i, document in enumerate(documents):
            texts = [document.text[s.start : s.end] for _, s in document.compared()]
            words = sum(len(words_of(t)) for t in texts)
            encodings.append(
                LdaEncoding(
                    document=document,
                    coverage=Coverage(words, words),
                    shares=self.shares(counts(["\n".join(texts)])),
                )
            )
            if on_progress is not None:
                on_progress(Progress(Stage.WORDS, i + 1, len(documents)))
        return encodings

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        score = topic_similarity(*(require_encoding(e, LdaEncoding).shares for e in (a, b)))
        return PairResult(score, a.coverage, b.coverage)

    @classmethod
    def load(cls, folder: Path, card: Card) -> Self:
        stored, tensors = read_config(folder), read_tensors(folder)
        topics = Topics(
            tensors["columns"].numpy().astype(np.int64),
            tensors["log_weights"].numpy(),
            float(stored.settings["prior"]),
        )
        return cls(topics, card=card, profiles=stored.profiles, training=stored.training)

    def settings(self) -> Mapping[str, Any]:
        return {"prior": self.topics.prior}

    def tensors(self) -> Mapping[str, Tensor]:
        return {
            "columns": torch.from_numpy(self.topics.columns.astype(np.int32)),
            "log_weights": torch.from_numpy(self.topics.log_weights),
        }
