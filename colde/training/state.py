"""The state of a run on disk, without pickle: tensors as safetensors, numbers as JSON."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

TENSORS = "state.safetensors"
NUMBERS = "state.json"


Best = TypeVar("Best")


def save_state(
    folder: Path,
    step: int,
    best: Any,
    module: nn.Module,
    optimiser: torch.optim.Optimizer,
    kept: dict[str, Tensor],
) -> None:
    """Write what is needed to go on after this step; each file whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {f"module.{k}": v.contiguous() for k, v in module.state_dict().items()}
    tensors |= {f"kept.{k}": v.contiguous() for k, v in kept.items()}
    for i, state in optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{i}.{k}": v.contiguous() for k, v in state.items()}
    save_file({k: v.clone() for k, v in tensors.items()}, folder / (TENSORS + ".part"))
    numbers = {"step": step, "best": asdict(best)}
    (folder / (NUMBERS + ".part")).write_text(json.dumps(numbers), encoding="utf-8")
    os.replace(folder / (TENSORS + ".part"), folder / TENSORS)
    os.replace(folder / (NUMBERS + ".part"), folder / NUMBERS)


def load_state(
    folder: Path,
    module: nn.Module,
    optimiser: torch.optim.Optimizer,
    kept: dict[str, Tensor],
    best: type[Best],
) -> tuple[int, Best, dict[str, Tensor]] | None:
    """Restore module and optimiser in place; returns the next step, the best so far and its weights."""
    if not (folder / NUMBERS).is_file():
        return None
    numbers = json.loads((folder / NUMBERS).read_text(encoding="utf-8"))
    tensors = load_file(folder / TENSORS)

    def part(prefix: str) -> dict[str, Tensor]:
        return {k.removeprefix(prefix): v for k, v in tensors.items() if k.startswith(prefix)}

    module.load_state_dict(part("module."))
    stored = optimiser.state_dict()
    state: dict[int, dict[str, Tensor]] = {}
    for key, value in part("optimiser.").items():
        index, _, name = key.partition(".")
        state.setdefault(int(index), {})[name] = value
    stored["state"] = state
    optimiser.load_state_dict(stored)
    return numbers["step"], best(**numbers["best"]), part("kept.") or kept
