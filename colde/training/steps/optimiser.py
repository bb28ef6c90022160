"""AdamW over the trained parameters of a module, with separate learning rates for parts of it, and their schedule."""

from __future__ import annotations

from collections.abc import Mapping

from torch import nn
from torch.optim import AdamW

from colde.errors import ModelError

FIRST = 0.02  # share of the peak at step 0, which with a rate of 0 would change nothing


def warm_up_then_linear(step: int, steps: int, warm_up: float) -> float:
    """Share of the peak learning rate at a step: linear warm-up, then linear to zero.

    It depends on the step only, so that speed changes no weights.

    Args:
        step: from 0; steps: length of the run.
        warm_up: share of the steps until the peak.
    """
    done = step / max(1, steps)
    if done < warm_up:
        return max(done / warm_up, FIRST)
    return (1 - done) / (1 - warm_up) if done < 1 else 0.0


def build_optimiser(
    module: nn.Module, rate: float, decay: float, factors: Mapping[str, float] | None = None
) -> AdamW:
    """The optimiser of the parameters that require a gradient.

    Args:
        rate: peak learning rate; decay: weight decay.
        factors: prefix of parameter names, such as `encoder` or `network.pool` → factor of their learning rate. The
            longest prefix counts; other parameters have the factor 1.

    Raises:
        ModelError: a prefix names no parameter that is trained.
    """
    factors = {"": 1.0, **(factors or {})}
    groups = []
    for prefix, parameters in _parameters_by_prefix(module, factors).items():
        if parameters:  # a schedule that resumes reads initial_lr
            peak = rate * factors[prefix]
            groups.append({"params": parameters, "lr": peak, "initial_lr": peak})
    return AdamW(groups, lr=rate, weight_decay=decay)


def _parameters_by_prefix(module: nn.Module, prefixes: Mapping[str, float]) -> dict[str, list[nn.Parameter]]:
    """The trained parameters, each under the longest of the prefixes that it has; `""` is one of all."""
    groups: dict[str, list[nn.Parameter]] = {prefix: [] for prefix in prefixes}
    trained = {name: p for name, p in module.named_parameters() if p.requires_grad}
    for name, parameter in trained.items():
        matching = [p for p in prefixes if not p or f"{name}.".startswith(f"{p}.")]
        groups[max(matching, key=len)].append(parameter)
    for prefix, parameters in groups.items():
        if prefix and not parameters:
            known = ", ".join(sorted({name.partition(".")[0] for name in trained}))
            raise ModelError(
                f"a learning rate is set for {prefix!r}, which trains nothing; there are: {known}"
            )
    return groups
