"""What one core can do at most: products of matrices in float32, bfloat16 and int8, and reading memory.

python -m studies.speed.matrix_products
"""

from __future__ import annotations

import platform
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import torch

from colde.encoders.prepacked_linear import Linear, prepacked_available

TOKENS, WIDTH, INNER = 4_096, 384, 1_536  # of the widest map of the packaged encoder
ROUNDS = 5


def best(run: Callable[[], object]) -> float:
    """Processor seconds of the fastest of some rounds."""
    run()
    seconds = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        run()
        seconds.append(time.process_time() - begun)
    return min(seconds)


def machine() -> str:
    """The processor as Linux names it, and what it multiplies."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    flags = next((line.split() for line in lines if line.startswith("flags")), [])
    wanted = ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16")
    return f"{name or platform.machine()}, {' '.join(f for f in wanted if f in flags)}"


def main() -> None:
    torch.set_num_threads(1)
    print(f"{machine()}; torch {torch.__version__}; one core")
    operations = 2 * TOKENS * WIDTH * INNER
    x, layer = torch.randn(TOKENS, WIDTH), Linear(WIDTH, INNER)
    with torch.no_grad():
        layer.weight.normal_()
        layer.bias.normal_()
    ways: dict[str, Callable[[], object]] = {"float32": lambda: layer(x)}
    half = x.bfloat16()
    if prepacked_available():
        ways["bfloat16, weights laid out once"] = lambda: layer.packed(half)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        layers = torch.nn.Sequential(torch.nn.Linear(WIDTH, INNER))
        int8 = torch.ao.quantization.quantize_dynamic(layers, {torch.nn.Linear}, dtype=torch.qint8)
    ways["int8, scaled anew for each table"] = lambda: int8(x)
    with torch.inference_mode():
        for name, run in ways.items():
            print(f"{operations / best(run) / 1e9:8.0f} GFLOPS   {name}")
        many = torch.randn(64_000_000)  # 256 MB, far more than any cache
        print(f"{many.nbytes / best(many.sum) / 1e9:8.1f} GB/s     reading memory")


if __name__ == "__main__":
    main()
