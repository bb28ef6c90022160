"""A cross-encoder: one BERT reads the beginnings of both documents at once (Devlin et al. 2019, sentence pairs).

    [CLS] A [SEP] B [SEP]  →  encoder with token types 0 and 1  →  state of [CLS]  →  dense, tanh  →  logit

It stands in the tables of Match-Ignition as BERT-Finetune. Here the packaged encoder is frozen and low-rank updates of
all its linear layers are trained (`lora`), with the token types and the head: a checkpoint of 0.96 MB.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from colde.document import Document, Span
from colde.models.lora import NO_DROPOUT, add_low_rank
from colde.models.reading import DocumentTokens, Ints, Prepared, document_tokens, reading_of, sentence_spans
from colde.models.siamese import Cross, CrossMatcher, pad_ids, prepared_of
from colde.models.strongest import cell_evidence
from colde.models.word_filter import Filtered, WordFilter, run_filtered
from colde.runtime.encoder import encoder_folder, load_hugging_face
from colde.similarity import Array, Encoding, Evidence, Reading, SimilarityMap
from colde.tokens import default_tokenizer

SPECIAL = 3  # [CLS], [SEP], [SEP]
MOST_EVIDENCE = 10

ATTENTION_MEANING = (
    "Where the network looks, sentence by sentence: how the attention of each sentence of A spreads over the sentences "
    "of B that were read (mean of heads, layers and both orders; each row sums to 1). It does not say what made the "
    "score."
)


@dataclass(frozen=True, slots=True)
class CrossConfig:
    """Sizes; each beside its source."""

    encoder: str = "packaged"  # or the folder of another BERT
    tokens: int = 512  # all that the encoder takes; models.md: truncated evenly
    rank: int = 8  # LoRA, section 7.2: small ranks are enough; half of alpha
    alpha: float = 16.0
    dropout: float = 0.1  # Devlin et al. 2019, A.2; of the head alone (`NO_DROPOUT`)
    pretrain_tokens: int = 48  # of each passage in pre-training


@dataclass(frozen=True, slots=True, eq=False)
class PreparedPair(Prepared):
    """What is read of a pair: `ids` are [CLS] A [SEP] B [SEP].

    Attributes:
        types: [tokens], 0 up to the first [SEP], 1 after it.
        origin: [tokens], position of each token in the `ids` of its document; −1 for [CLS] and [SEP].
    """

    types: Ints
    origin: Ints


def paired(a: Ints, b: Ints, origin_a: Ints, origin_b: Ints) -> PreparedPair:
    """Both texts with [CLS] and [SEP]."""
    tokenizer = default_tokenizer()
    first, last, none = [tokenizer.first], [tokenizer.last], [-1]
    return PreparedPair(
        np.concatenate([first, a, last, b, last]).astype(np.int32),
        np.repeat([0, 1], [len(a) + 2, len(b) + 1]).astype(np.int32),
        np.concatenate([none, origin_a, none, origin_b, none]).astype(np.int32),
    )


def _places(ids: Ints) -> Ints:
    return np.arange(len(ids), dtype=np.int32)


class CrossNetwork(Cross):
    """An encoder with low-rank updates, and a head on [CLS]."""

    sentences: ClassVar[bool] = False
    config: CrossConfig

    def __init__(self, config: CrossConfig, encoder: nn.Module | None = None) -> None:
        super().__init__()
        self.config = config
        self.encoder = encoder or load_hugging_face(
            encoder_folder(config.encoder), add_pooling_layer=False, **NO_DROPOUT
        )
        self.encoder.requires_grad_(False)
        bert = cast(Any, self.encoder)
        add_low_rank(bert.encoder, config.rank, config.alpha)
        bert.embeddings.token_type_embeddings.requires_grad_(True)
        width = int(bert.config.hidden_size)
        self.dense = nn.Linear(width, width)
        self.dropout = nn.Dropout(config.dropout)
        self.out = nn.Linear(width, 1)

    @property
    def budget(self) -> int:
        """Tokens of each document that fit in: the same for both, so that it does not depend on the partner."""
        return (self.config.tokens - SPECIAL) // 2

    @property
    def filter(self) -> WordFilter:
        """A cross-encoder drops no word."""
        return WordFilter(ratio=0.0)

    def reads(self) -> dict[str, Any]:
        return {"tokens": self.budget}

    def taken(self, tokens: DocumentTokens) -> NDArray[np.int64]:
        """Positions of the tokens that `prepare` takes: the first."""
        return np.arange(min(self.budget, len(tokens)))

    def prepare(self, document: Document) -> Prepared:
        tokens = document_tokens(document)
        return Prepared(tokens.ids[self.taken(tokens)])

    def join(self, a: Prepared, b: Prepared) -> PreparedPair:
        return paired(a.ids, b.ids, _places(a.ids), _places(b.ids))

    def logits(self, pairs: Sequence[Prepared]) -> Tensor:
        if self.filter.ratio > 0:
            return self.judge(self.look(pairs).first)
        ids, types, mask, _ = self.batch(pairs)
        out = self.encoder(input_ids=ids, token_type_ids=types, attention_mask=mask.long())
        return self.judge(out.last_hidden_state[:, 0])

    def pretrain(self, documents: Sequence[Prepared], generator: torch.Generator | None = None) -> Tensor:
        """Do two passages come from the same document? Binary cross-entropy over as many yes as no.

        BERT's [CLS] and token types come from telling the next sentence from any other (Devlin et al. 2019, 3.1); the
        packaged encoder never saw two texts at once, and 900 labelled pairs alone do not teach it to compare them.

        Args:
            documents: at least two; a passage of each is paired with another of its own and with one of the next.
            generator: of the passages, on the CPU; by default torch's own.
        """
        passages = [self._two_passages(d.ids, generator) for d in documents]
        following = [*passages[1:], passages[0]]
        pairs = [(a, b) for a, b in passages]
        pairs += [(a, other) for (a, _), (_, other) in zip(passages, following, strict=True)]
        ids, types, mask, _ = self.batch([paired(a, b, _places(a), _places(b)) for a, b in pairs])
        out = self.encoder(input_ids=ids, token_type_ids=types, attention_mask=mask.long())
        logits = self.judge(out.last_hidden_state[:, 0]).float()
        same = (torch.arange(len(pairs), device=logits.device) < len(documents)).float()
        return binary_cross_entropy_with_logits(logits, same)

    def _two_passages(self, ids: Ints, generator: torch.Generator | None) -> tuple[Ints, Ints]:
        """Two runs of word pieces that do not overlap, in any order; the halves of a text too short for that."""
        size = min(self.config.pretrain_tokens, len(ids) // 2)
        room = len(ids) - 2 * size
        i, gap = (int(k) for k in torch.randint(room + 1, (2,), generator=generator).sort().values)
        first, second = ids[i : i + size], ids[gap + size : gap + 2 * size]
        swap = bool(torch.randint(2, (1,), generator=generator))
        return (second, first) if swap else (first, second)

    def judge(self, first: Tensor) -> Tensor:
        """State of [CLS] [pairs, width] → logits [pairs]."""
        return cast(Tensor, self.out(self.dropout(torch.tanh(self.dense(first)))).squeeze(-1))

    def look(self, pairs: Sequence[Prepared], *, keep_attention: bool = False) -> Filtered:
        """The encoder's run over a batch, with the words it dropped and, if asked for, its attention."""
        ids, types, mask, special = self.batch(pairs)
        return run_filtered(
            self.encoder, ids, types, mask, special, self.filter, keep_attention=keep_attention
        )

    def batch(self, pairs: Sequence[Prepared]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Ids, types, mask and special tokens, each [pairs, tokens]."""
        ids, mask = pad_ids([p.ids for p in pairs], self.device)
        types, _ = pad_ids([cast(PreparedPair, p).types for p in pairs], self.device)
        origin, _ = pad_ids([cast(PreparedPair, p).origin for p in pairs], self.device, value=-1)
        return ids, types, mask, (origin < 0) & mask


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What a network did with a pair, mean of both orders.

    Attributes:
        a, b: positions of the tokens that were read, in the `ids` of their documents.
        layers_a, layers_b: share of the layers in which each of them took part.
        attention: [tokens of a, tokens of b], from a to b.
    """

    a: Ints
    b: Ints
    layers_a: Array
    layers_b: Array
    attention: Array


N = TypeVar("N", bound=CrossNetwork)


class CrossViews(CrossMatcher[N], Generic[N]):
    """What is shown of a cross-encoder: its attention from sentence to sentence."""

    def reading(self, document: Document, prepared: Prepared) -> Reading:
        tokens = document_tokens(document)
        read = np.zeros(len(tokens), dtype=np.bool_)
        read[self.network.taken(tokens)] = True
        return reading_of(tokens, read)

    @torch.inference_mode()
    def look(self, a: Encoding, b: Encoding) -> Look:
        """Both orders at once: each document is first in one of them."""
        first, second = prepared_of(a), prepared_of(b)
        joined = [self.network.join(first, second), self.network.join(second, first)]
        found = self.network.look(joined, keep_attention=True)
        assert found.attention is not None
        depth = int(found.layers.max())
        sides: dict[str, list[Any]] = {"a": [], "b": [], "layers_a": [], "layers_b": [], "attention": []}
        for i, pair in enumerate(joined):
            places = [np.flatnonzero((pair.types == k) & (pair.origin >= 0)) for k in (i, 1 - i)]  # a's, b's
            for name, at in zip("ab", places, strict=True):
                sides[name].append(pair.origin[at])
                sides[f"layers_{name}"].append(found.layers[i].cpu().numpy()[at] / depth)
            sides["attention"].append(found.attention[i].float().cpu().numpy()[np.ix_(*places)])
        layers_a, layers_b, attention = (
            np.asarray(np.mean(sides[k], axis=0), dtype=np.float32)
            for k in ("layers_a", "layers_b", "attention")
        )
        return Look(sides["a"][0], sides["b"][0], layers_a, layers_b, attention)

    def maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """`sentence`: attention from sentence to sentence."""
        found = self.attention_map(a, b, self.look(a, b))
        return {} if found is None else {"sentence": found}

    def explain(self, a: Encoding, b: Encoding) -> list[Evidence]:
        """Pairs of sentences between which the attention is strongest."""
        found = self.attention_map(a, b, self.look(a, b))
        return [] if found is None else strongest(a, b, found, self.card.name, "attention")

    def places(self, encoding: Encoding) -> DocumentTokens:
        """Where the tokens of `prepare` stand."""
        tokens = document_tokens(encoding.document)
        at = self.network.taken(tokens)
        return DocumentTokens(
            tokens.ids[at], tokens.starts[at], tokens.ends[at], tokens.section[at], tokens.sentence[at]
        )

    def attention_map(self, a: Encoding, b: Encoding, look: Look) -> SimilarityMap | None:
        """Attention summed over the words of sentences; None where nothing was read of one of them."""
        rows, to_rows = _by_sentence(self.places(a).sentence[look.a])
        columns, to_columns = _by_sentence(self.places(b).sentence[look.b])
        if not len(rows) or not len(columns):
            return None
        values = to_rows @ look.attention @ to_columns.T
        values = values / np.maximum(values.sum(1, keepdims=True), 1e-30)
        return SimilarityMap(
            values.astype(np.float32),
            sentence_spans(a.document, rows),
            sentence_spans(b.document, columns),
            "attention",
            ATTENTION_MEANING,
        )


class CrossEncoder(CrossViews[CrossNetwork]):
    """The plain cross-encoder."""

    @classmethod
    def build(cls, settings: Mapping[str, Any]) -> CrossNetwork:
        return CrossNetwork(CrossConfig(**settings))


def _by_sentence(sentence: Ints) -> tuple[Ints, Array]:
    """Sentences that were read, and which tokens are theirs: [sentences, tokens], zeros and ones."""
    present = np.unique(sentence[sentence >= 0]).astype(np.int32)
    return present, (present[:, None] == sentence[None, :]).astype(np.float32)


def strongest(a: Encoding, b: Encoding, found: SimilarityMap, model: str, kind: str) -> list[Evidence]:
    """The greatest cells of a map, each row and each column once, best first."""
    return cell_evidence(
        a, b, found.values, found.rows, found.columns, model=model, kind=kind, most=MOST_EVIDENCE
    )


def word_spans(document: Document, starts: Ints, ends: Ints) -> tuple[tuple[Span, ...], NDArray[np.int64]]:
    """Words that word pieces make up, in order, and the position of each word's first piece."""
    text = document.text
    begins = [
        i == 0
        or starts[i] > ends[i - 1]
        or (starts[i] == ends[i - 1] and not (text[starts[i] - 1].isalnum() and text[starts[i]].isalnum()))
        for i in range(len(starts))
    ]
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(starts)) - 1
    spans = tuple(Span(int(starts[i]), int(ends[j])) for i, j in zip(first, last, strict=True))
    return spans, first
