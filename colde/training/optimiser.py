"""AdamW over what a module trains, with a learning rate of its own for parts of it."""

from __future__ import annotations

from collections.abc import Mapping

from torch import nn
from torch.optim import AdamW

from colde.errors import ModelError


def build_optimiser(
    module: nn.Module, rate: float, decay: float, factors: Mapping[str, float] | None = None
) -> AdamW:
    """The optimiser of the parameters that require a gradient.

    Args:
        rate: peak learning rate; decay: weight decay.
        factors: prefix of parameter names, as in `encoder` or `network.pool` → factor of their learning rate. The
            longest prefix counts; the rest has factor 1.

    Raises:
        ModelError: a prefix names no parameter that is trained.
    """
    parts: dict[str, list[nn.Parameter]] = {prefix: [] for prefix in ("", *(factors or {}))}
    names = [name for name, p in module.named_parameters() if p.requires_grad]
    for name in names:
        own = [p for p in parts if not p or name == p or name.startswith(p + ".")]
        parts[max(own, key=len)].append(module.get_parameter(name))
    for prefix, parameters in parts.items():
        if prefix and not parameters:
            known = ", ".join(sorted({name.partition(".")[0] for name in names}))
            raise ModelError(
                f"a learning rate is set for {prefix!r}, which trains nothing; there are: {known}"
            )
    groups = []
    for prefix, parameters in parts.items():
        own_rate = rate * (factors or {}).get(prefix, 1.0)
        if parameters:  # initial_lr: a schedule that goes on asks for it
            groups.append({"params": parameters, "lr": own_rate, "initial_lr": own_rate})
    return AdamW(groups, lr=rate, weight_decay=decay)
