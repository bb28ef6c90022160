"""How encoders run in this process: cores and precision."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import torch

from colde.encoders.bert.prepacked_linear import prepacked_available
from colde.encoders.cores import usable_cores
from colde.encoders.memory import reuse_freed_blocks
from colde.serialise import JsonObject

Precision = Literal["bfloat16", "float32"]


@dataclass(frozen=True, slots=True)
class Runtime(JsonObject):
    """How encoders run.

    Attributes:
        library: name and version.
        precision: of the encoder; bfloat16 changes a score by at most about 0.002 (docs/log/speed.md).
        prepacked: whether `colde.encoders.bert.prepacked_linear` is used.
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
    """How encoders run in this process. The first call sets torch's threads and what becomes of freed memory.

    The precision is that of `COLDE_PRECISION`, else bfloat16 if the processor has instructions for it.
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
    """The precision as a type of torch."""
    return torch.bfloat16 if runtime().precision == "bfloat16" else torch.float32


def _has_bfloat16() -> bool:
    """Whether the processor has instructions for bf16; without them it is slower than float32."""
    known = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return bool(known.get("avx512_bf16") or known.get("amx_bf16") or known.get("bf16"))
