"""Convolutions over word vectors that begin so that something can be learned from few pairs."""

from __future__ import annotations

import torch
from torch import Tensor, nn

NEIGHBOUR_WEIGHT = 0.2
"""Of a window's weights at the start, beside those of its middle word (measured for ARC-I)."""


@torch.no_grad()
def initialise_near_identity(convolution: nn.Conv1d, words: int) -> None:
    """Begin with the middle word of each window before its neighbours, without constants.

    Args:
        words: size of a word vector; its numbers have deviation 1.
    """
    middle = convolution.kernel_size[0] // 2
    nn.init.normal_(convolution.weight, std=(2 / words) ** 0.5)
    convolution.weight[:, :, [i for i in range(convolution.kernel_size[0]) if i != middle]] *= (
        NEIGHBOUR_WEIGHT
    )
    assert convolution.bias is not None
    nn.init.zeros_(convolution.bias)


def window_mask(mask: Tensor, places: int) -> Tensor:
    """Which windows begin at a word: [texts, words] → [texts, places]; at least the first."""
    windows = mask[:, :places].clone()
    windows[:, 0] = True
    return windows


def max_over_windows(values: Tensor, mask: Tensor) -> Tensor:
    """Maximum over the windows of each text: [texts, features, places], [texts, places] → [texts, features]."""
    return values.masked_fill(~mask.unsqueeze(1), -torch.inf).amax(-1)
