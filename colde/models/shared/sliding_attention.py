"""Attention within a sliding window, with one global token (Longformer, 3.1).

The layers of a BERT with another attention: each token attends to `reach` tokens on either side and to [CLS]; [CLS]
attends to all tokens by separate projections. Queries are taken in runs of `reach`, each against the three runs around
it: the work grows with the length, not with its square. Hugging Face's Longformer computes the same, in three times the
time on one core (`studies/speed/sliding_attention_speed.py`).
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import pad, scaled_dot_product_attention

PARTS = ("query", "key", "value")


class SlidingEncoder(nn.Module):
    """A Hugging Face BERT for texts of any length.

    Positions are counted anew after as many tokens as the BERT knows (Longformer, section 5: its table repeated);
    the projections of [CLS] begin as copies of the others (3.1).
    """

    def __init__(self, bert: nn.Module, reach: int) -> None:
        super().__init__()
        self.bert = bert
        self.reach = reach
        layers = cast(Any, bert).encoder.layer
        self.overall = nn.ModuleList(
            nn.ModuleDict({part: deepcopy(getattr(layer.attention.self, part)) for part in PARTS})
            for layer in layers
        )

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor | None = None) -> Tensor:
        """[texts, tokens], [texts, tokens] (True where a token is) → states [texts, tokens, width].

        The first token of each text is its [CLS]. `types` [texts, tokens] is the token type, 0 or 1; by default 0.
        """
        bert = cast(Any, self.bert)
        places = torch.arange(ids.shape[1], device=ids.device) % bert.config.max_position_embeddings
        states: Tensor = bert.embeddings(input_ids=ids, token_type_ids=types, position_ids=places[None])
        near = window(mask, self.reach)
        for layer, overall in zip(bert.encoder.layer, self.overall, strict=True):
            context = self._attend(layer.attention.self, overall, states, mask, near)
            states = layer.feed_forward_chunk(layer.attention.output(context, states))
        return states

    def first(self, ids: Tensor, mask: Tensor, types: Tensor | None = None) -> Tensor:
        """The state of each text's first token: [texts, width]."""
        return cast(Tensor, self(ids, mask, types))[:, 0]

    def _attend(self, layer: Any, overall: nn.Module, states: Tensor, mask: Tensor, near: Tensor) -> Tensor:
        """[texts, tokens, width] → the same."""
        heads, size = layer.num_attention_heads, layer.attention_head_size

        def by_head(x: Tensor) -> Tensor:  # [texts, items, width] → [texts, heads, items, size]
            return x.view(*x.shape[:2], heads, size).transpose(1, 2)

        query, key, value = (by_head(getattr(layer, part)(states)) for part in PARTS)
        local = sliding(query, key, value, near, self.reach)
        global_layers = cast(nn.ModuleDict, overall)
        first = scaled_dot_product_attention(
            by_head(global_layers["query"](states[:, :1])),
            by_head(global_layers["key"](states)),
            by_head(global_layers["value"](states)),
            attn_mask=mask[:, None, None, :],
        )
        return torch.cat([first, local[:, :, 1:]], dim=2).transpose(1, 2).flatten(2)


def window(mask: Tensor, reach: int) -> Tensor:
    """Attention mask: [texts, tokens] → [texts, runs, reach, 1 + 3 · reach], True where a token may be attended to.

    Columns are [CLS], then the run before, the run itself and the one after.
    """
    tokens = mask.shape[1]
    runs = -(-tokens // reach)
    queries = torch.arange(reach, device=mask.device)[:, None]
    keys = torch.arange(3 * reach, device=mask.device)[None] - reach
    band = (keys - queries).abs() <= reach  # [reach, 3 · reach]
    there = mask.clone()
    there[:, 0] = False  # [CLS] has a column of its own
    there = pad(there, (reach, (runs + 1) * reach - tokens)).unfold(
        1, 3 * reach, reach
    )  # [texts, runs, 3 · reach]
    near = band[None, None] & there[:, :, None]
    return torch.cat([torch.ones_like(near[..., :1]), near], dim=-1)


def sliding(query: Tensor, key: Tensor, value: Tensor, near: Tensor, reach: int) -> Tensor:
    """Attention of each token to its window and to the first token: [texts, heads, tokens, size] three times → once."""
    texts, tokens = query.shape[0], query.shape[2]
    runs = near.shape[1]
    end = runs * reach - tokens

    def around(
        x: Tensor,
    ) -> Tensor:  # [texts, heads, tokens, size] → [texts · runs, heads, 1 + 3 · reach, size]
        three = pad(x, (0, 0, reach, end + reach)).unfold(
            2, 3 * reach, reach
        )  # [texts, heads, runs, size, 3 · reach]
        first = x[:, :, :1].unsqueeze(2).expand(-1, -1, runs, -1, -1)
        return torch.cat([first, three.transpose(3, 4)], dim=3).transpose(1, 2).flatten(0, 1)

    heads, size = query.shape[1], query.shape[3]
    asked = pad(query, (0, 0, 0, end)).view(texts, heads, runs, reach, size).transpose(1, 2).flatten(0, 1)
    attended = scaled_dot_product_attention(
        asked, around(key), around(value), attn_mask=near.flatten(0, 1).unsqueeze(1)
    )
    joined = attended.view(texts, runs, heads, reach, size).transpose(1, 2).flatten(2, 3)
    return joined[:, :, :tokens]
