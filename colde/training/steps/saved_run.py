"""The saved state of a run: one safetensors file with the tensors, the step and the settings, without pickle."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import torch
from msgspec import Meta, Struct
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from colde import strict_json
from colde.atomic_write import atomic_write
from colde.errors import CheckpointError, ModelError
from colde.training.steps.early_stopping import Best

TENSORS = "state.safetensors"
NUMBERS, RUN = "numbers", "run"  # in the file's metadata, so that they always belong to its tensors


class _Numbers(Struct):
    """Where a run stands."""

    step: Annotated[int, Meta(ge=0)]
    best: Best


_TIME_SETTINGS = ("minutes", "save_minutes", "validate_minutes")


def save_state(
    folder: Path,
    step: int,
    best: Best,
    module: nn.Module,
    optimiser: torch.optim.Optimizer,
    kept: dict[str, Tensor],
    run: Mapping[str, Any],
) -> None:
    """Write what is needed to resume before this step.

    Args:
        run: what the result depends on, as plain values: seed, settings, corpora.

    Raises:
        CheckpointError: the file cannot be written, because the disk is full for example.
    """
    tensors = {f"module.{k}": v.contiguous() for k, v in module.state_dict().items()}
    tensors |= {f"kept.{k}": v.contiguous() for k, v in kept.items()}
    for i, state in optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{i}.{k}": v.contiguous() for k, v in state.items()}
    metadata = {NUMBERS: json.dumps({"step": step, "best": asdict(best)}), RUN: _as_json(run)}
    try:
        with atomic_write(folder / TENSORS) as temporary:
            save_file({k: v.clone() for k, v in tensors.items()}, temporary, metadata=metadata)
    except SafetensorError as error:
        raise CheckpointError(
            f"{folder}: the state of the run cannot be written ({error}); make room and go on with --resume"
        ) from None


def load_state(
    folder: Path,
    module: nn.Module,
    optimiser: torch.optim.Optimizer,
    kept: dict[str, Tensor],
    run: Mapping[str, Any],
) -> tuple[int, Best, dict[str, Tensor]] | None:
    """Restore module and optimiser in place; returns the next step, the best so far and its weights.

    Raises:
        ModelError: it is the state of another run: another seed, other settings or corpora.
        CheckpointError: it is damaged.
    """
    path = folder / TENSORS
    if not path.is_file():
        return None
    way_out = "remove the file, or train without --resume"
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
        # json.loads takes the infinity and the NaN of a run before its first validation.
        numbers = strict_json.convert(json.loads(metadata[NUMBERS]), _Numbers)
        saved_run = strict_json.convert(json.loads(metadata[RUN]), dict[str, Any])
        step, best = numbers.step, numbers.best
        tensors = load_file(path)
    except (OSError, SafetensorError, KeyError, RecursionError, ValueError) as error:
        raise CheckpointError(f"{path}: damaged, or of an earlier version ({error!r}); {way_out}") from None
    if changed := _changed(saved_run, json.loads(_as_json(run))):
        raise ModelError(
            f"{folder}: the run there has other settings ({changed}); give the same ones, name another folder, or "
            "train without --resume to begin again"
        )

    def part(prefix: str) -> dict[str, Tensor]:
        return {k.removeprefix(prefix): v for k, v in tensors.items() if k.startswith(prefix)}

    stored = optimiser.state_dict()
    state: dict[int, dict[str, Tensor]] = {}
    try:
        for key, value in part("optimiser.").items():
            index, _, name = key.partition(".")
            state.setdefault(int(index), {})[name] = value
        module.load_state_dict(part("module."))
        stored["state"] = state
        optimiser.load_state_dict(stored)
    except (KeyError, RuntimeError, ValueError) as error:
        raise CheckpointError(
            f"{path}: not the state of this network ({' '.join(str(error).split())}); {way_out}"
        ) from None
    return step, best, part("kept.") or kept


def _as_json(run: Mapping[str, Any]) -> str:
    """The run without the settings that limit its time or say how often it is saved."""
    kept = {
        k: {n: v for n, v in part.items() if n not in _TIME_SETTINGS} if isinstance(part, Mapping) else part
        for k, part in run.items()
    }
    return json.dumps(kept, sort_keys=True, default=str)


def _changed(one: Mapping[str, Any], other: Mapping[str, Any], before: str = "") -> str:
    """The differences of two runs, such as `seed 1, now 2`."""
    differences = []
    for key in sorted({*one, *other}):
        was, now = one.get(key), other.get(key)
        if isinstance(was, Mapping) and isinstance(now, Mapping):
            differences.append(_changed(was, now, f"{before}{key}."))
        elif was != now:
            differences.append(f"{before}{key} {was}, now {now}")
    return ", ".join(filter(None, differences))
