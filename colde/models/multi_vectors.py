"""Several vectors a document, as late interaction compares them (ColBERT; Khattab & Zaharia 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import torch
from torch import Tensor
from torch.nn.functional import pad


@dataclass(frozen=True, slots=True)
class MultiVectors:
    """Vectors of several documents.

    Attributes:
        values: [documents, vectors, d].
        mask: [documents, vectors], bool; False where a document has fewer vectors than the longest.
    """

    values: Tensor
    mask: Tensor

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: Tensor) -> MultiVectors:
        """The documents at these positions."""
        return MultiVectors(self.values[rows], self.mask[rows])

    def float(self) -> MultiVectors:
        """The values in float32."""
        return replace(self, values=self.values.float())

    @property
    def device(self) -> torch.device:
        return self.values.device


V = TypeVar("V", Tensor, MultiVectors)
"""Vectors of documents: one each, [documents, d], or several."""


def joined(parts: Sequence[V]) -> V:
    """Documents of all parts, one after the other, padded to the longest."""
    first = parts[0]
    if isinstance(first, Tensor):
        return torch.cat(list(parts))
    most = max(p.values.shape[1] for p in parts)
    more = [most - p.values.shape[1] for p in parts]
    values = [pad(p.values, (0, 0, 0, m)) for p, m in zip(parts, more, strict=True)]
    masks = [pad(p.mask, (0, m)) for p, m in zip(parts, more, strict=True)]
    return MultiVectors(torch.cat(values), torch.cat(masks))


def values_of(vectors: V) -> Tensor:
    """The numbers: [documents, d] or [documents, vectors, d]."""
    return vectors if isinstance(vectors, Tensor) else vectors.values


def with_values(vectors: V, values: Tensor) -> V:
    """Vectors of other numbers and the same documents."""
    return values if isinstance(vectors, Tensor) else replace(vectors, values=values)
