"""Tensors that a run of training changes, and their running means.

torch's `AveragedModel` would copy the whole module, the frozen encoder and word table too, and an objective validates
the module it trains, not a copy. Here running means take the places of the weights while it does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import cast

from torch import Tensor, nn


def changing_tensors(module: nn.Module) -> dict[str, Tensor]:
    """All tensors of a module that a run may change, by name: trained parameters and stored buffers of any type."""
    frozen = {name for name, p in module.named_parameters() if not p.requires_grad}
    return {name: value for name, value in module.state_dict().items() if name not in frozen}


class AveragedWeights(nn.Module):
    """The tensors of a run that change, shared with the network, and their running means.

    Args:
        tensors: by name; steps of training change them in place.
        ema: decay of the running means; 0: none are kept.
    """

    def __init__(self, tensors: Mapping[str, Tensor], ema: float) -> None:
        super().__init__()
        self.decay = ema
        self.live = {name.replace(".", "/"): value.detach() for name, value in tensors.items()}
        for name, value in self.live.items():
            self.register_buffer(f"live/{name}", value)
            if ema:
                self.register_buffer(f"mean/{name}", value.clone())

    def update(self, step: int) -> None:
        """Take a step into the running means; the first steps count more, so that the start is forgotten.

        Buffers of integers and booleans have no mean: they are copied.
        """
        if not self.decay:
            return
        decay = min(self.decay, (step + 1) / (step + 10))
        for name, value in self.live.items():
            mean = cast(Tensor, getattr(self, f"mean/{name}"))
            if value.is_floating_point():
                mean.lerp_(value, 1 - decay)
            else:
                mean.copy_(value)

    @contextmanager
    def averaged(self) -> Iterator[None]:
        """The network with the running means in place of its weights."""
        if not self.decay:
            yield
            return
        saved = {name: value.clone() for name, value in self.live.items()}
        for name, value in self.live.items():
            value.copy_(cast(Tensor, getattr(self, f"mean/{name}")))
        try:
            yield
        finally:
            for name, value in self.live.items():
                value.copy_(saved[name])

    def snapshot(self) -> dict[str, Tensor]:
        """Copies of the weights as they are now."""
        return {name: value.clone() for name, value in self.live.items()}

    def restore(self, kept: dict[str, Tensor]) -> None:
        for name, value in self.live.items():
            value.copy_(kept[name])
