"""The word filter of Match-Ignition (Pang, Lan, Cheng 2021, 3.2): a BERT that drops its least important words.

The mean attention of a layer's heads is a graph over the words (3.2.1, equation 7). After each layer but the last the
words of least importance in this graph leave; the others go on to the next layer, at their own positions. The filter
adds no parameter (3.3) and has no gradient of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast

import torch
from torch import Tensor, nn

Strategy = Literal["pagerank", "attention", "embedding_norm", "random"]


@dataclass(frozen=True, slots=True)
class WordFilter:
    """Settings of the choice of words; table 7 compares the strategies."""

    ratio: float = 0.10  # α (4.2), of the words that are still there
    strategy: Strategy = "pagerank"
    damping: float = 0.85  # equation 8
    steps: int = 20  # T: "a fixed value" (3.2.2); the paper names none


@dataclass(frozen=True, slots=True, eq=False)
class Filtered:
    """A network's pass over a batch of texts.

    Attributes:
        first: [texts, width], last state of the first token.
        layers: [texts, tokens], in how many layers each token took part; 0 for padding.
        attention: [texts, tokens, tokens], mean of the heads, sum of the layers in which both took part; or None.
    """

    first: Tensor
    layers: Tensor
    attention: Tensor | None


def run_filtered(
    encoder: nn.Module,
    ids: Tensor,
    types: Tensor,
    mask: Tensor,
    special: Tensor,
    rule: WordFilter,
    *,
    keep_attention: bool = False,
) -> Filtered:
    """Run a Hugging Face BERT and drop words on the way.

    Args:
        ids, types: [texts, tokens]; mask: [texts, tokens], True where a token is.
        special: [texts, tokens], True for tokens that are never dropped ([CLS] and [SEP], 3.2.3).
    """
    bert = cast(Any, encoder)
    stack = list(bert.encoder.layer)
    states: Tensor = bert.embeddings(input_ids=ids, token_type_ids=types)  # [texts, tokens, width]
    texts, tokens = ids.shape
    place = torch.arange(tokens, device=ids.device).expand(texts, tokens)  # in the text as given
    words, present = ids, mask
    lengths = mask.sum(1)
    layers = torch.zeros_like(ids)
    total = torch.zeros(texts, tokens * tokens, device=ids.device) if keep_attention else None
    for number, layer in enumerate(stack, 1):
        layers = layers.scatter_add(1, place, present.long())
        if total is None and number == len(stack):  # nothing but the first token's state is asked for
            states, _ = _layer(layer, states, present, rows=1)
            break
        states, attention = _layer(layer, states, present)
        if total is not None:
            cell = place.unsqueeze(2) * tokens + place.unsqueeze(1)  # [texts, left, left]
            seen = attention * (present.unsqueeze(2) & present.unsqueeze(1))
            total.scatter_add_(1, cell.flatten(1), seen.flatten(1))
        if rule.ratio == 0 or number == len(stack):
            continue
        with torch.no_grad(), torch.autocast(ids.device.type, enabled=False):  # ranks need all their digits
            value = importance(rule, attention, present, states, words * 1_009 + place * 31 + number)
            keep = kept(lengths, rule.ratio, number)
            chosen, present = surviving_words(value, present, special, keep)
        states = states.gather(1, chosen.unsqueeze(-1).expand(-1, -1, states.shape[-1]))
        place, words = place.gather(1, chosen), words.gather(1, chosen)
        special = special.gather(1, chosen)
    return Filtered(states[:, 0], layers, None if total is None else total.view(texts, tokens, tokens))


def kept(lengths: Tensor, ratio: float, number: int) -> Tensor:
    """Tokens that go on after so many layers: (1 − α)^number · N, rounded down as in the example of 3.2.3."""
    return torch.floor(lengths * (1 - ratio) ** number + 1e-3).long()


def surviving_words(value: Tensor, present: Tensor, special: Tensor, keep: Tensor) -> tuple[Tensor, Tensor]:
    """The tokens of greatest value, in their order; special ones always, padding never.

    Args:
        value: [texts, tokens]; present, special: [texts, tokens]; keep: [texts], how many go on.

    Returns:
        Positions [texts, most kept] and a mask of the same shape; where it is False the position means nothing.
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
        names: [texts, tokens], what a random choice is drawn from: the same text is always treated alike.
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
    ranks = share
    for _ in range(steps):
        ranks = damping * torch.einsum("bij,bi->bj", attention, ranks) + (1 - damping) * share
    return torch.einsum("bij,bj->bi", attention, ranks)


def _layer(layer: Any, states: Tensor, present: Tensor, rows: int | None = None) -> tuple[Tensor, Tensor]:
    """One layer of BERT with its attention: [texts, tokens, width] → the same, and [texts, tokens, tokens].

    With `rows` of that many first tokens alone: [texts, rows, width], [texts, rows, tokens].
    """
    inner = layer.attention.self
    heads, size = inner.num_attention_heads, inner.attention_head_size
    texts = len(states)
    own = states[:, :rows]
    query, key, value = (
        part(x).view(texts, -1, heads, size).transpose(1, 2)
        for part, x in ((inner.query, own), (inner.key, states), (inner.value, states))
    )
    score = query @ key.transpose(2, 3) * size**-0.5  # [texts, heads, rows, tokens]
    if not bool(present.all()):
        score = score.masked_fill(~present[:, None, None, :], -torch.inf)
    weights = score.softmax(-1)
    context = (inner.dropout(weights) @ value).transpose(1, 2).reshape(texts, -1, heads * size)
    out: Tensor = layer.feed_forward_chunk(layer.attention.output(context, own))
    return out, weights.detach().float().mean(1)
