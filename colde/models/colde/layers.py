"""The encoder of sentences, split below and above: the lower layers stay as they came, those above are trained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from torch import Tensor, nn

from colde.encoders.packed import Bert, Layer, length_runs
from colde.encoders.packed import text_means as sentence_means

__all__ = ["Below", "Layer", "above", "length_runs", "sentence_means"]


class Below(nn.Module):
    """Embeddings and the lower layers: frozen, so that what comes out can be kept."""

    def __init__(self, encoder: Bert, layers: int) -> None:
        super().__init__()
        self.embeddings = encoder.embeddings
        self.layers = nn.ModuleList([cast(Layer, x).copy() for x in encoder.layers[:layers]])
        self.requires_grad_(False)

    def forward(self, ids: Tensor, runs: Sequence[tuple[int, int]]) -> Tensor:
        """ids [tokens], special tokens included → [tokens, width]."""
        x = self.embeddings(ids, runs)
        for layer in self.layers:
            x = layer(x, runs)
        return cast(Tensor, x)


def above(encoder: Bert, layers: int) -> nn.ModuleList:
    """Copies of the layers above the first `layers`."""
    return nn.ModuleList([cast(Layer, x).copy() for x in encoder.layers[layers:]])
