"""Linear maps in bf16 by oneDNN, whose weights are packed for it once instead of in every call.

Torch has these products for its compiler, under names that may change: if they are missing or give wrong results, the
usual ones are used. With them an encoder is 20 % faster (docs/log/speed.md).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

ROWS = 4096
"""Rows of the tables that the packing is optimised for; any number works."""


class Linear(nn.Linear):
    """A linear map without initial weights, for those of a trained one."""

    _kept: tuple[list[tuple[Tensor, int, int]], Tensor, Tensor] | None = None

    def reset_parameters(self) -> None:
        """Draw no random weights."""

    def packed(self, x: Tensor, plus: Tensor | None = None) -> Tensor:
        """x wᵀ + bias (+ plus) in bf16, with the current weights; for inference."""
        state = [(p, p.data_ptr(), 0 if p.is_inference() else p._version) for p in (self.weight, self.bias)]
        kept = self._kept
        if kept is None or any(
            a[0] is not b[0] or a[1:] != b[1:] for a, b in zip(kept[0], state, strict=True)
        ):
            kept = self._kept = (state, _laid_out(self.weight), self.bias.detach().to(torch.bfloat16))
        return _product(x, kept[1], kept[2], plus)


def prepacked(x: Tensor) -> bool:
    """Whether prepacked weights apply to a table: bf16 on the processor, in inference."""
    return (
        x.dtype == torch.bfloat16
        and x.device.type == "cpu"
        and torch.is_inference_mode_enabled()
        and prepacked_available()
    )


def _laid_out(weight: Tensor) -> Tensor:
    packed: Tensor = torch.ops.mkldnn._reorder_linear_weight(weight.detach().to(torch.bfloat16), ROWS)
    return packed


def _product(x: Tensor, weight: Tensor, bias: Tensor, plus: Tensor | None) -> Tensor:
    run: Any = torch.ops.mkldnn._linear_pointwise
    product: Tensor = (
        run(x, weight, bias, "none", [], "") if plus is None else run.binary(x, plus, weight, bias, "add")
    )
    return product


@lru_cache(maxsize=1)
def prepacked_available() -> bool:
    """Whether the products exist and agree with the usual ones."""
    with torch.inference_mode(), torch.autocast("cpu", enabled=False):
        x, weight = (torch.linspace(-1, 1, n * 32).sin().view(n, 32).to(torch.bfloat16) for n in (48, 64))
        bias, plus = weight.sum(1), (x @ weight.T).flip(0)
        try:
            laid_out = _laid_out(weight)
            pairs = [
                (_product(x, laid_out, bias, None), linear(x, weight, bias)),
                (_product(x, laid_out, bias, plus), linear(x, weight, bias) + plus),
            ]
        except (AttributeError, RuntimeError, TypeError):
            return False
        return all(torch.allclose(a.float(), b.float(), rtol=0.02, atol=0.1) for a, b in pairs)
