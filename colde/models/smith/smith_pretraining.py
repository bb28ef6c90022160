"""Pre-training of SMITH (4.2): which words and blocks are masked, and how they are predicted."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, gelu, linear

from colde.models.smith.sentence_blocks import SPECIAL

MASK = 103  # [MASK] in the packaged encoder's vocabulary


class WordPrediction(nn.Module):
    """BERT's head: dense, GELU, layer norm, then the word table again, with a bias for each word piece."""

    def __init__(self, width: int, words: int = 30_522, table_width: int = 384) -> None:
        super().__init__()
        self.dense = nn.Linear(width, table_width)
        self.norm = nn.LayerNorm(table_width)
        self.bias = nn.Parameter(torch.zeros(words))

    def forward(self, states: Tensor, table: Tensor) -> Tensor:
        """[masked, width], [words, table width] → logits [masked, words]."""
        return linear(self.norm(gelu(self.dense(states))), table, self.bias)


def prediction_loss(logits: Tensor, target: Tensor) -> Tensor:
    """Eq. 5 and 6, [B, classes] and [B]; 0 where there is nothing to predict."""
    return cross_entropy(logits, target) if len(target) else logits.sum()


def mask_words(
    ids: Tensor, words: Tensor, share: float, most: int, generator: torch.Generator | None, vocabulary: int
) -> tuple[Tensor, Tensor]:
    """Hide some word pieces of each block, as BERT does: 80 % by [MASK], 10 % by any other, 10 % stay unchanged.

    Args:
        ids, words: [blocks, tokens], on the CPU; `words` is True where a token is, the special ones included.
        share, most: of a block's word pieces, at least one; special tokens are never hidden.

    Returns:
        The ids to read and where to predict, both [blocks, tokens].
    """
    length = words.sum(1, keepdim=True)  # [blocks, 1]
    place = torch.arange(ids.shape[1])
    body = (place > 0) & (place < length - (SPECIAL - 1))  # between [CLS] and [SEP] [SEP]
    count = (body.sum(1, keepdim=True) * share).round().clamp(1, most)
    draw = torch.rand(ids.shape, generator=generator).masked_fill(~body, 2.0)
    chosen = body & (draw.argsort(1).argsort(1) < count)
    how = torch.rand(ids.shape, generator=generator)
    other = torch.randint(vocabulary, ids.shape, generator=generator)
    shown = torch.where(how < 0.8, torch.full_like(ids, MASK), torch.where(how < 0.9, other, ids))
    return torch.where(chosen, shown, ids), chosen


def choose_blocks(mask: Tensor, number: int, generator: torch.Generator | None) -> Tensor:
    """Draw `number` blocks of each document, never all of them (4.2.1): [documents, blocks] → the same, bool."""
    draw = torch.rand(mask.shape, generator=generator).masked_fill(~mask, 2.0)
    count = (mask.sum(1, keepdim=True) - 1).clamp(max=number)
    return mask & (draw.argsort(1).argsort(1) < count)
