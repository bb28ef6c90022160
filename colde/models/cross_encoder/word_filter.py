"""The word filter of Match-Ignition (Pang, Lan, Cheng 2021, 3.2): a BERT that drops its least important words.

The mean attention of a layer's heads is a graph over the words (3.2.1, equation 7). After each layer but the last the
words of least importance in this graph are dropped; the others keep their positions. The filter has no parameters (3.3)
and no gradient.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast

import torch
from torch import Tensor, nn

Strategy = Literal["pagerank", "attention", "embedding_norm", "random"]


@dataclass(frozen=True, slots=True)
class WordFilter:
    """Settings of the filter; table 7 compares the strategies."""

    ratio: float = 0.10  # α (4.2), of the words that are left
    strategy: Strategy = "pagerank"
    damping: float = 0.85  # equation 8
    steps: int = 20  # T: "a fixed value" (3.2.2); the paper names none


@dataclass(frozen=True, slots=True, eq=False)
class Filtered:
    """A network's pass over a batch of texts.

    Attributes:
        first: [texts, width], last state of the first token.
        layers: [texts, tokens], in how many layers each token took part; 0 for padding.
    """

    first: Tensor
    layers: Tensor


def run_filtered(
    encoder: nn.Module, ids: Tensor, types: Tensor, mask: Tensor, special: Tensor, rule: WordFilter
) -> Filtered:
    """Run a Hugging Face BERT and drop words between its layers.

    Args:
        ids, types: [texts, tokens].
        mask: [texts, tokens], True where a token is.
        special: [texts, tokens], True for tokens that are never dropped ([CLS] and [SEP], 3.2.3).
    """
    bert = cast(Any, encoder)
    *lower, last = list(bert.encoder.layer)
    states: Tensor = bert.embeddings(input_ids=ids, token_type_ids=types)  # [texts, tokens, width]
    place = torch.arange(ids.shape[1], device=ids.device).expand_as(
        ids
    )  # in the text before words are dropped
    words, present = ids, mask
    lengths = mask.sum(1)
    layers = torch.zeros_like(ids)
    for number, layer in enumerate(lower, 1):
        layers = layers.scatter_add(1, place, present.long())
        states, attention = _layer(layer, states, present)
        if rule.ratio == 0:
            continue
        with torch.no_grad(), torch.autocast(ids.device.type, enabled=False):  # ranks need all their digits
            value = importance(rule, attention, present, states, words * 1_009 + place * 31 + number)
            keep = kept(lengths, rule.ratio, number)
            chosen, present = surviving_words(value, present, special, keep)
        states = states.gather(1, chosen.unsqueeze(-1).expand(-1, -1, states.shape[-1]))
        place, words = place.gather(1, chosen), words.gather(1, chosen)
        special = special.gather(1, chosen)
    layers = layers.scatter_add(1, place, present.long())
    return Filtered(_layer(last, states, present, rows=1)[0][:, 0], layers)


def kept(lengths: Tensor, ratio: float, number: int) -> Tensor:
    """Number of tokens left after so many layers: (1 − α)^number · N, rounded down as in the example of 3.2.3."""
    return torch.floor(lengths * (1 - ratio) ** number + 1e-3).long()


def surviving_words(value: Tensor, present: Tensor, special: Tensor, keep: Tensor) -> tuple[Tensor, Tensor]:
    """The tokens of greatest value, in their order; special ones always, padding never.

    Args:
        value, present, special: [texts, tokens].
        keep: [texts], how many tokens are left.

    Returns:
        Positions [texts, most kept] and a mask of the same shape; where it is False the position is padding.
    """
    special = special & present
    keep = torch.maximum(keep, special.sum(1))
    value = value.float().masked_fill(special, torch.inf).masked_fill(~present, -torch.inf)
    order = value.argsort(dim=1, descending=True, stable=True)
    most = int(keep.max())
    inside = torch.arange(most, device=value.device) < keep.unsqueeze(1)
    chosen = order[:, :most].masked_fill(~inside, value.shape[1]).sort(dim=1).values
    return chosen.clamp(max=value.shape[1] - 1), inside


def importance(rule: WordFilter, attention: Tensor, present: Tensor, states: Tensor, names: Tensor) -> Tensor:
    """Weight of each word: [texts, tokens].

    Args:
        attention: [texts, tokens, tokens], rows sum to 1 over the tokens present.
        names: [texts, tokens], seeds of a random choice, which is always the same for the same text.
    """
    if rule.strategy == "pagerank":
        return pagerank_importance(attention, present, rule.damping, rule.steps)
    if rule.strategy == "attention":  # what a word receives: PageRank without propagation (4.5.1)
        return (attention * present.unsqueeze(2)).sum(1)
    if rule.strategy == "embedding_norm":
        norms: Tensor = torch.linalg.vector_norm(states.float(), dim=-1)
        return norms
    mixed = (names * 2_654_435_761) % 4_294_967_296  # Knuth’s multiplicative hashing, twice
    return (((mixed >> 15) ^ mixed) * 1_500_450_271) % 4_294_967_296 / 2**32


def pagerank_importance(attention: Tensor, present: Tensor, damping: float, steps: int) -> Tensor:
    """PageRank u on the transpose of the attention (equation 8), spread by the attention: r = A u. [texts, tokens]."""
    here = present.to(attention.dtype)
    share = here / here.sum(1, keepdim=True)  # 1 / N for each token present
    attention = attention * here.unsqueeze(2) * here.unsqueeze(1)
    share = share.unsqueeze(1)  # [texts, 1, tokens]: `einsum` takes ten times as long as `@`
    ranks = share
    for _ in range(steps):
        ranks = damping * (ranks @ attention) + (1 - damping) * share
    return (ranks @ attention.transpose(1, 2)).squeeze(1)


def _layer(layer: Any, states: Tensor, present: Tensor, rows: int | None = None) -> tuple[Tensor, Tensor]:
    """One layer of BERT with its attention: [texts, tokens, width] → the same, and [texts, tokens, tokens].

    With `rows`, of that many first tokens alone: [texts, rows, width], [texts, rows, tokens].
    """
    inner = layer.attention.self
    heads, size = inner.num_attention_heads, inner.attention_head_size
    texts = len(states)
    asked = states[:, :rows]
    query, key, value = (
        part(x).view(texts, -1, heads, size).transpose(1, 2)
        for part, x in ((inner.query, asked), (inner.key, states), (inner.value, states))
    )
    score = (query * size**-0.5) @ key.transpose(2, 3)  # [texts, heads, rows, tokens]
    if not bool(present.all()):
        score = score.masked_fill_(~present[:, None, None, :], -torch.inf)
    weights = score.softmax(-1)
    context = (inner.dropout(weights) @ value).transpose(1, 2).reshape(texts, -1, heads * size)
    out: Tensor = layer.feed_forward_chunk(layer.attention.output(context, asked))
    return out, weights.detach().float().mean(1)
