"""The state of a run on disk, without pickle: one file of tensors, with the numbers and the run it belongs to."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from colde.errors import CheckpointError, ModelError

TENSORS = "state.safetensors"
NUMBERS = "numbers"  # in the file's own description, so that no step can stand beside another one's optimiser
RUN = "run"


_OF_TIME = ("minutes", "save_minutes", "validate_minutes")
Best = TypeVar("Best")


def save_state(
    folder: Path,
    step: int,
    best: Any,
    module: nn.Module,
    optimiser: torch.optim.Optimizer,
    kept: dict[str, Tensor],
    run: Mapping[str, Any],
) -> None:
    """Write what is needed to go on after this step, whole or not at all.

    Args:
        run: what the run depends on, plain values: seed, settings, corpora.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {f"module.{k}": v.contiguous() for k, v in module.state_dict().items()}
    tensors |= {f"kept.{k}": v.contiguous() for k, v in kept.items()}
    for i, state in optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{i}.{k}": v.contiguous() for k, v in state.items()}
    said = {NUMBERS: json.dumps({"step": step, "best": asdict(best)}), RUN: _as_json(run)}
    temporary = folder / (TENSORS + ".part")
    try:
        save_file({k: v.clone() for k, v in tensors.items()}, temporary, metadata=said)
    except SafetensorError as error:  # a full disk, among others
        temporary.unlink(missing_ok=True)
        raise CheckpointError(
            f"{folder}: the state of the run cannot be written ({error}); make room and go on with --resume"
        ) from None
    os.replace(temporary, folder / TENSORS)


def load_state(
    folder: Path,
    module: nn.Module,
    optimiser: torch.optim.Optimizer,
    kept: dict[str, Tensor],
    best: type[Best],
    run: Mapping[str, Any],
) -> tuple[int, Best, dict[str, Tensor]] | None:
    """Restore module and optimiser in place; returns the next step, the best so far and its weights.

    Raises:
        ModelError: the state is that of another run: another seed, other settings or corpora.
        CheckpointError: it is damaged.
    """
    path = folder / TENSORS
    if not path.is_file():
        return None
    way_out = "remove the file, or train without --resume"
    try:
        with safe_open(path, framework="pt") as file:
            said = file.metadata() or {}
        numbers, begun = json.loads(said[NUMBERS]), json.loads(said[RUN])
        step, so_far = int(numbers["step"]), best(**numbers["best"])
        tensors = load_file(path)
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"{path}: damaged, or of an earlier version ({error!r}); {way_out}") from None
    if changed := _changed(begun, json.loads(_as_json(run))):
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
    return step, so_far, part("kept.") or kept


def _as_json(run: Mapping[str, Any]) -> str:
    """Without what only says how long a run may take and how often it is kept."""
    kept = {
        k: {n: v for n, v in part.items() if n not in _OF_TIME} if isinstance(part, Mapping) else part
        for k, part in run.items()
    }
    return json.dumps(kept, sort_keys=True, default=str)


def _changed(one: Mapping[str, Any], other: Mapping[str, Any], before: str = "") -> str:
    """Name the differences of two runs in words: `seed 1, now 2`."""
    found = []
    for key in sorted({*one, *other}):
        was, now = one.get(key), other.get(key)
        if isinstance(was, Mapping) and isinstance(now, Mapping):
            found.append(_changed(was, now, f"{before}{key}."))
        elif was != now:
            found.append(f"{before}{key} {was}, now {now}")
    return ", ".join(filter(None, found))
