"""A cross-encoder: one BERT reads the beginnings of both documents at once (Devlin et al. 2019, sentence pairs).

    [CLS] A [SEP] B [SEP]  →  encoder with token types 0 and 1  →  state of [CLS]  →  dense, tanh  →  logit

In the tables of Match-Ignition it is BERT-Finetune. Here the packaged encoder is frozen; low-rank updates of all its
linear layers (`lora`), the token types and the head are trained: a checkpoint of 0.96 MB.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from colde.encoders.batches import padded_batches
from colde.encoders.bert.padded_bert import PaddedBert
from colde.encoders.encoder_names import encoder_folder
from colde.explain.contribution import Float64Array, contribution_maps, default_units
from colde.models.cross_encoder.pair_contribution import Positions, grouped, pair_cells
from colde.models.cross_encoder.word_filter import Filtered, WordFilter, run_filtered
from colde.models.shared.bi_cross_encoder import (
    CrossEncoder,
    CrossEncoderMatcher,
    P,
    input_of,
    pad_token_ids,
)
from colde.models.shared.lora import add_low_rank
from colde.models.shared.network_input import (
    DocumentTokens,
    InputEncoding,
    Ints,
    ModelInput,
    as_float,
    coverage_of,
    document_tokens,
)
from colde.models.shared.sliding_attention import SlidingEncoder
from colde.results.encoding import Encoding, require_encoding
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.chunks import default_tokenizer
from colde.text.document import Document

SPECIAL = 3  # [CLS], [SEP], [SEP]

CONTRIBUTION_MEANING = (
    "what two sentences, or short runs of them, add together while the texts are built up. The network is asked again "
    "at every step, and the part of a sentence is spread evenly over its tokens. Exact: all cells and the baseline add "
    "up to the score. The baseline is the score of either text beside an empty one. A negative cell lowers the score."
)
TOKENS_AT_ONCE = 4_096


@dataclass(frozen=True, slots=True)
class CrossConfig:
    """Sizes; each beside its source."""

    encoder: str = "packaged"  # or the folder of another BERT
    tokens: int = 512  # all that the encoder takes; models.md: truncated evenly
    rank: int = 8  # LoRA, section 7.2: small ranks are enough; half of alpha
    alpha: float = 16.0
    dropout: float = 0.1  # Devlin et al. 2019, A.2; of the head alone (`PaddedBert.load`)
    pretrain_tokens: int = 48  # of each passage in pre-training


@dataclass(frozen=True, slots=True, eq=False)
class PairInput(ModelInput):
    """Two documents as one input: `ids` are [CLS] A [SEP] B [SEP].

    Attributes:
        types: [tokens], 0 up to the first [SEP], 1 after it.
        origin: [tokens], position of each token in the `ids` of its document; −1 for [CLS] and [SEP].
    """

    types: Ints
    origin: Ints


def paired(a: Ints, b: Ints, origin_a: Ints, origin_b: Ints) -> PairInput:
    """Both texts with [CLS] and [SEP]."""
    tokenizer = default_tokenizer()
    first, last, none = [tokenizer.first], [tokenizer.last], [-1]
    return PairInput(
        np.concatenate([first, a, last, b, last]).astype(np.int32),
        np.repeat([0, 1], [len(a) + 2, len(b) + 1]).astype(np.int32),
        np.concatenate([none, origin_a, none, origin_b, none]).astype(np.int32),
    )


def _places(ids: Ints) -> Ints:
    return np.arange(len(ids), dtype=np.int32)


class CrossNetwork(CrossEncoder):
    """An encoder with low-rank updates, and a head on [CLS]."""

    sentences: ClassVar[bool] = False
    config: CrossConfig

    def __init__(self, config: CrossConfig) -> None:
        super().__init__()
        self.config = config
        bert = PaddedBert.load(encoder_folder(config.encoder))
        bert.requires_grad_(False)
        add_low_rank(bert.encoder, config.rank, config.alpha)
        bert.embeddings.token_type_embeddings.requires_grad_(True)
        self.encoder: PaddedBert | SlidingEncoder = bert
        width = bert.config.hidden_size
        self.dense = nn.Linear(width, width)
        self.dropout = nn.Dropout(config.dropout)
        self.out = nn.Linear(width, 1)

    @property
    def budget(self) -> int:
        """Number of tokens read of each document: the same for both, so that it does not depend on the partner."""
        return (self.config.tokens - SPECIAL) // 2

    @property
    def filter(self) -> WordFilter:
        """A cross-encoder drops no word."""
        return WordFilter(ratio=0.0)

    def input_settings(self) -> dict[str, Any]:
        return {"tokens": self.budget}

    def token_positions(self, tokens: DocumentTokens) -> NDArray[np.int64]:
        """Positions of the tokens that `prepare` takes: the first."""
        return np.arange(min(self.budget, len(tokens)))

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> ModelInput:
        tokens = document_tokens(document) if tokens is None else tokens
        return ModelInput(tokens.ids[self.token_positions(tokens)])

    def join(self, a: ModelInput, b: ModelInput) -> PairInput:
        return paired(a.ids, b.ids, _places(a.ids), _places(b.ids))

    def logits(self, pairs: Sequence[ModelInput]) -> Tensor:
        if self.filter.ratio > 0:
            return self.pair_logits(self.run_filter(pairs).first)
        ids, types, mask, _ = self.batch(pairs)
        return self.pair_logits(self.encoder.first(ids, mask, types))

    def pretrain(self, documents: Sequence[ModelInput], generator: torch.Generator | None = None) -> Tensor:
        """Binary cross-entropy of whether two passages are from the same document, half of the pairs each way.

        BERT's [CLS] and token types are trained by next sentence prediction (Devlin et al. 2019, 3.1); the packaged
        encoder was never trained on two texts at once, and 900 labelled pairs are too few to learn to compare them.

        Args:
            documents: at least two; a passage of each is paired with another of the same and with one of the next.
            generator: of the passages, on the CPU; by default torch's own.
        """
        passages = [self.two_passages(d.ids, generator) for d in documents]
        following = [*passages[1:], passages[0]]
        pairs = [(a, b) for a, b in passages]
        pairs += [(a, other) for (a, _), (_, other) in zip(passages, following, strict=True)]
        ids, types, mask, _ = self.batch([paired(a, b, _places(a), _places(b)) for a, b in pairs])
        logits = self.pair_logits(self.encoder.first(ids, mask, types)).float()
        same = (torch.arange(len(pairs), device=logits.device) < len(documents)).float()
        return binary_cross_entropy_with_logits(logits, same)

    def two_passages(self, ids: Ints, generator: torch.Generator | None) -> tuple[Ints, Ints]:
        """Two runs of word pieces that do not overlap, in any order; the halves of a text too short for that."""
        size = min(self.config.pretrain_tokens, len(ids) // 2)
        room = len(ids) - 2 * size
        i, gap = (int(k) for k in torch.randint(room + 1, (2,), generator=generator).sort().values)
        first, second = ids[i : i + size], ids[gap + size : gap + 2 * size]
        swap = bool(torch.randint(2, (1,), generator=generator))
        return (second, first) if swap else (first, second)

    def pair_logits(self, first: Tensor) -> Tensor:
        """State of [CLS] [pairs, width] → logits [pairs]."""
        return cast(Tensor, self.out(self.dropout(torch.tanh(self.dense(first)))).squeeze(-1))

    def run_filter(self, pairs: Sequence[ModelInput]) -> Filtered:
        """The encoder's pass over a batch, and the layers in which each word took part."""
        ids, types, mask, special = self.batch(pairs)
        return run_filtered(self.encoder, ids, types, mask, special, self.filter)

    def batch(self, pairs: Sequence[ModelInput]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Ids, types, mask and special tokens, each [pairs, tokens]."""
        ids, mask = pad_token_ids([p.ids for p in pairs], self.device)
        types, _ = pad_token_ids([cast(PairInput, p).types for p in pairs], self.device)
        origin, _ = pad_token_ids([cast(PairInput, p).origin for p in pairs], self.device, value=-1)
        return ids, types, mask, (origin < 0) & mask


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CrossEncoding(InputEncoding):
    """A document as the network's input.

    Attributes:
        tokens: those of `prepared`.
        everything: all tokens of the document.
    """

    tokens: DocumentTokens
    everything: DocumentTokens


@dataclass(frozen=True, slots=True, eq=False)
class WordAttention:
    """The words of a pair that a network read, mean of both orders.

    Attributes:
        a, b: positions of the tokens that were read, in the `ids` of their documents.
        layers_a, layers_b: share of the layers in which each took part.
    """

    a: Ints
    b: Ints
    layers_a: Array
    layers_b: Array


def words_read(both: tuple[PairInput, PairInput], filtered: Filtered) -> WordAttention:
    """The words of a pair from a pass over (a, b) and (b, a)."""
    shares = filtered.layers.cpu().numpy() / int(filtered.layers.max())

    def layers(first: int) -> Array:
        """Mean over the orders, for the document that stands first in this one."""
        of_both = [
            shares[i][: pair.size][(pair.types == abs(i - first)) & (pair.origin >= 0)]
            for i, pair in enumerate(both)
        ]
        return np.asarray(np.mean(of_both, axis=0), dtype=np.float32)

    at_a, at_b = read_positions(both[0])
    return WordAttention(at_a, at_b, layers(0), layers(1))


N = TypeVar("N", bound=CrossNetwork)


class CrossMatcher(CrossEncoderMatcher[N, P], Generic[N, P]):
    """A matcher around this network: what it reads, and contributions to its score."""

    def encoding(self, document: Document, explain: bool) -> Encoding:
        tokens = document_tokens(document)
        positions = self.network.token_positions(tokens)
        read = np.zeros(len(tokens), dtype=np.bool_)
        read[positions] = True
        return CrossEncoding(
            document=document,
            coverage=coverage_of(tokens, read),
            prepared=self.network.prepare(document, tokens),
            tokens=tokens.at(positions),
            everything=tokens,
        )

    def contributions(
        self, a: Encoding, b: Encoding, read: tuple[Positions, Positions], score: float
    ) -> dict[str, SimilarityMap]:
        """Contribution maps.

        Args:
            read: which of the word pieces taken from each document the network read.
        """
        if not len(read[0]) or not len(read[1]):
            return {}
        tokens = read_tokens(a), read_tokens(b)
        groups = grouped(tokens[0], read[0]), grouped(tokens[1], read[1])
        ids = tokens[0].ids[read[0]], tokens[1].ids[read[1]]

        def scores(pairs: Sequence[tuple[Positions, Positions]], swapped: bool) -> Float64Array:
            inputs = []
            for i, j in pairs:
                texts = (ids[0][i], i), (ids[1][j], j)
                (first, of_first), (second, of_second) = texts[::-1] if swapped else texts
                inputs.append(paired(first, second, of_first, of_second))
            return self._probabilities(inputs)

        cells, reference = pair_cells(*groups, scores)
        units = default_units(a.document), default_units(b.document)
        shares = [
            u.share_tokens(t.starts[r], g, int(g.max()) + 1)
            for u, t, r, g in zip(units, tokens, read, groups, strict=True)
        ]
        factors = [(shares[0] @ cells, shares[1])]
        return contribution_maps(*units, factors, score, CONTRIBUTION_MEANING, reference=reference)

    def _probabilities(self, pairs: Sequence[PairInput]) -> Float64Array:
        """The network's probabilities, in batches of texts of similar length: [pairs]."""
        probabilities = np.zeros(len(pairs))
        for some in padded_batches([p.size for p in pairs], TOKENS_AT_ONCE):
            probabilities[some] = as_float(self.network.logits([pairs[i] for i in some]).sigmoid())
        return probabilities


class BertCrossEncoder(CrossMatcher[CrossNetwork, PairInput]):
    """The plain cross-encoder. Its attention is nearly even and is not shown (docs/departures.md)."""

    network_class = CrossNetwork
    config_class = CrossConfig

    def run(self, a: Encoding, b: Encoding, explain: bool) -> tuple[Tensor, PairInput | None]:
        first, second = input_of(a), input_of(b)
        both = self.network.join(first, second), self.network.join(second, first)
        return self.network.logits(both), both[0] if explain else None

    def explanation(self, a: Encoding, b: Encoding, run: PairInput, score: float) -> dict[str, SimilarityMap]:
        """Contributions to the score."""
        return self.contributions(a, b, read_positions(run), score)


def read_positions(first: PairInput) -> tuple[Positions, Positions]:
    """The word pieces of each document that are in a pair: positions in the documents' `ids`."""
    known = first.origin >= 0
    of_a, of_b = (first.origin[known & (first.types == t)] for t in (0, 1))
    return of_a, of_b


def read_tokens(encoding: Encoding) -> DocumentTokens:
    """The tokens that a cross-encoder takes from a document."""
    return require_encoding(encoding, CrossEncoding).tokens
