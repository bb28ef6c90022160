"""Memory of a training step of SMITH and of one Transformer over the whole text, by length (SMITH, 4.1.3).

Each figure comes from a process of its own: the most memory it held, less what it held before the step. The one
Transformer has SMITH's width and as many layers as both its levels; its attention is taken by torch's fused way, which
never holds the N × N weights, and by the plain way, which the paper's analysis is of.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from colde.models.smith.smith_network import SmithConfig, first_state_through, transformer
from studies.speed.process_memory import peak_mebibytes

LENGTHS = (512, 1024, 1536, 2048)
DOCUMENTS = 8
FORMS = ("two levels", "one level, fused attention", "one level, plain attention")


def step(form: str, tokens: int) -> None:
    """Forwards and backwards over some documents of random states."""
    config = SmithConfig(dropout=0.0)
    blocks = tokens // config.tokens
    width, layers = config.width, config.sentence_layers + config.document_layers
    if form == FORMS[0]:
        lower, upper = (
            transformer(config, config.sentence_layers),
            transformer(config, config.document_layers),
        )
        x = torch.randn(DOCUMENTS * blocks, config.tokens, width)
        first = _first(lower, x).view(DOCUMENTS, blocks, width)
        _first(upper, first).sum().backward()  # type: ignore[no-untyped-call]
        return
    backend = SDPBackend.MATH if form == FORMS[2] else SDPBackend.FLASH_ATTENTION
    with sdpa_kernel(backend):
        network = transformer(config, layers)
        states: Any = network(torch.randn(DOCUMENTS, tokens, width))
        states[:, 0].sum().backward()


def _first(layers: nn.TransformerEncoder, x: torch.Tensor) -> torch.Tensor:
    return first_state_through(layers, x, torch.ones(x.shape[:2], dtype=torch.bool))[0]


def memory(results: dict[str, Any], save: Callable[[], None]) -> None:
    """MiB by form and length."""
    for form in FORMS:
        row: dict[str, float] = results.setdefault(form, {})
        for tokens in LENGTHS:
            if str(tokens) not in row:
                told = subprocess.run(
                    [sys.executable, "-m", "studies.papers.smith_memory", form, str(tokens)],
                    check=True,
                    capture_output=True,
                    text=True,
                    env={k: v for k, v in os.environ.items() if not k.startswith("MALLOC_")},
                )
                row[str(tokens)] = json.loads(told.stdout)
                save()


if __name__ == "__main__":
    torch.set_num_threads(1)
    before = peak_mebibytes()
    step(sys.argv[1], int(sys.argv[2]))
    print(json.dumps(round(peak_mebibytes() - before, 1)))
