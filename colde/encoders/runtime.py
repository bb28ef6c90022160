"""What the encoder runs on: the processor's cores that may really be used, and the numbers it computes in."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import torch

from colde.encoders.cores import usable_cores
from colde.encoders.memory import reuse_freed_blocks
from colde.encoders.prepacked_linear import prepacked_available
from colde.serialise import JsonObject

Precision = Literal["bfloat16", "float32"]


@dataclass(frozen=True, slots=True)
class Runtime(JsonObject):
    """How encoders run here.

    Attributes:
        library: name and version.
        precision: of the encoder's numbers; bfloat16 moves a score by about .002 at most (docs/performance.md).
        prepacked: whether its weights are laid out for the processor once (`colde.encoders.prepacked_linear`).
        threads: processor threads.
    """

    library: str
    precision: Precision
    prepacked: bool
    threads: int

    def __str__(self) -> str:
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        return f"{self.library}, {self.precision}, {threads}"


@lru_cache(maxsize=1)
def runtime() -> Runtime:
    """How encoders run in this process; sets torch's number of threads to the cores that may be used, and keeps memory.

    `COLDE_PRECISION=float32` or `bfloat16` insists; else bfloat16 where the processor has instructions for it.
    """
    asked = os.environ.get("COLDE_PRECISION", "auto")
    if asked in ("float32", "bfloat16"):
        precision: Precision = "float32" if asked == "float32" else "bfloat16"
    else:
        precision = "bfloat16" if _has_bfloat16() else "float32"
    if "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(usable_cores())
    reuse_freed_blocks()
    return Runtime(
        library=f"torch {torch.__version__}",
        precision=precision,
        prepacked=precision == "bfloat16" and prepacked_available(),
        threads=torch.get_num_threads(),
    )


def compute_dtype() -> torch.dtype:
    """The precision as torch calls it."""
    return torch.bfloat16 if runtime().precision == "bfloat16" else torch.float32


def _has_bfloat16() -> bool:
    """Whether the processor multiplies bf16 itself; without, it is slower than float32."""
    known = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return bool(known.get("avx512_bf16") or known.get("amx_bf16") or known.get("bf16"))
