"""Parts of SMITH's document vector, by block, and how blocks are spread over sentences.

The vector is a sum over the vectors of blocks by integrated Jacobians (`colde.models.shared.integrated_gradients`),
from blocks of zeros. A block holds a sentence or two; its part is spread over its tokens.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import layer_norm, linear

from colde.explain.contribution import Units
from colde.models.shared.integrated_gradients import VectorParts, integrated_parts
from colde.models.shared.network_input import DocumentTokens
from colde.models.smith.sentence_blocks import SPECIAL, block_tokens
from colde.models.smith.smith_network import SmithNetwork
from colde.text.document import Document
from colde.text.word_weights.term_weights import Counts

TOLERANCE, FEWEST = 5e-3, 10
"""Error of the sums of parts, and fewest points: ten err by 0.0001 to 0.002, and each takes 0.13 s for 48 blocks."""


def block_contributions(network: SmithNetwork, blocks: Tensor) -> VectorParts:
    """The document's vector, before it is scaled, over its blocks: [blocks, width].

    Args:
        blocks: [blocks, width], of the sentence level.
    """

    def document(h: Tensor) -> Tensor:
        """[batch, blocks, width] → [batch, width]."""
        x = h + network.place.weight[: h.shape[1]]
        *lower, last = list(network.document.layers)
        for layer in lower:
            x = _layer(layer, x, x)
        state = _layer(last, x[:, :1], x)[:, 0]
        if network.config.combine != "normal":
            mask = torch.ones(h.shape[:2], dtype=torch.bool, device=h.device)
            state = torch.cat([state, network.combine_blocks(h, mask)], dim=-1)
        return cast(Tensor, network.dense(state))

    return integrated_parts(document, blocks, beside=True, fewest=FEWEST, tolerance=TOLERANCE)


def block_token_shares(
    network: SmithNetwork, document: Document, tokens: DocumentTokens, units: Units
) -> Counts:
    """How the tokens of each block are spread over the units: [units, blocks]."""
    config = network.config
    blocks = block_tokens(document, tokens, config.tokens - SPECIAL, config.blocks)
    read = np.concatenate([np.zeros(0, np.intp), *blocks])
    block = np.repeat(np.arange(len(blocks)), [len(p) for p in blocks])
    return units.share_tokens(tokens.starts[read], block, len(blocks))


def _layer(layer: Any, asked: Tensor, seen: Tensor) -> Tensor:
    """A layer of a Transformer by its equations: torch's fused layer has no forward derivatives.

    [batch, items asked for, width], [batch, items, width] → [batch, items asked for, width].
    """
    attention = cast(nn.MultiheadAttention, layer.self_attn)
    heads, width = attention.num_heads, attention.embed_dim
    weights, biases = attention.in_proj_weight.chunk(3), attention.in_proj_bias.chunk(3)
    query, key, value = (
        linear(x, w, b).view(*x.shape[:2], heads, width // heads).transpose(1, 2)
        for x, w, b in zip((asked, seen, seen), weights, biases, strict=True)
    )
    scores = query @ key.transpose(2, 3) * (width // heads) ** -0.5  # [batch, heads, asked, items]
    shares = scores.softmax(-1)
    mixed = attention.out_proj((shares @ value).transpose(1, 2).flatten(2))
    x = _norm(layer.norm1, asked + mixed)
    return _norm(layer.norm2, x + layer.linear2(layer.activation(layer.linear1(x))))


def _norm(norm: nn.LayerNorm, x: Tensor) -> Tensor:
    return layer_norm(x, norm.normalized_shape, norm.weight, norm.bias, norm.eps)
