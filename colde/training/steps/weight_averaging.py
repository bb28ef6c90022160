"""Running means of the tensors that a training changes.

torch's `AveragedModel` copies the module with its frozen encoder, and an objective validates the module that it trains,
not a copy. Here the running means replace the weights during validation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import cast

from torch import Tensor, nn


def changing_tensors(module: nn.Module) -> dict[str, Tensor]:
    """Tensors of a module that training may change, by name: trained parameters and all stored buffers."""
    frozen = {name for name, p in module.named_parameters() if not p.requires_grad}
    return {name: value for name, value in module.state_dict().items() if name not in frozen}


class AveragedWeights(nn.Module):
    """The changing tensors, shared with the network, and their running means.

    Args:
        tensors: by name; training steps change them in place.
        ema: decay of the running means; 0: there are none.
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
        """Add a step to the running means; early steps weigh more, so that the initial values do not.

        Buffers of integers and booleans are copied.
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
        """Put the running means in place of the weights for the block."""
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
        """Copies of the weights."""
        return {name: value.clone() for name, value in self.live.items()}

    def restore(self, kept: dict[str, Tensor]) -> None:
        for name, value in self.live.items():
            value.copy_(kept[name])
