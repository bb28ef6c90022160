"""What one core can do at most: products of matrices in float32, bfloat16 and int8, and reading memory.

python -m studies.speed.matrix_products
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Collection
from pathlib import Path

import torch

from colde.encoders.bert.prepacked_linear import Linear, prepacked_available

TOKENS, WIDTH, INNER = 4_096, 384, 1_536  # of the widest map of the packaged encoder
ROUNDS = 5
CLASSES = {
    "amx_bf16": "AMX",
    "avx512_bf16": "AVX-512 with bf16",
    "avx512_vnni": "AVX-512 with VNNI",
    "avx_vnni": "AVX2 with VNNI",
    "avx2": "AVX2",
}
"""Classes of processors, the fastest first, by the flag of Linux that makes one."""


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
    """The processor as Linux names it, and its class."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    flags = next((line.split() for line in lines if line.startswith("flags")), [])
    return f"{name or platform.machine()} ({processor_class(flags)})"


def processor_class(flags: Collection[str]) -> str:
    """What a processor multiplies fastest, by its flags."""
    return next((name for flag, name in CLASSES.items() if flag in flags), "none of the known classes")


def peaks() -> dict[str, float]:
    """Giga-operations a second of a product on one core, by the type of its numbers."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    x, layer = torch.randn(TOKENS, WIDTH), Linear(WIDTH, INNER)
    with torch.no_grad():
        layer.weight.normal_()
        layer.bias.normal_()
    half = x.bfloat16()
    ways: dict[str, Callable[[], object]] = {"float32": lambda: layer(x)}
    if prepacked_available():
        ways["bfloat16"] = lambda: layer.packed(half)
    try:
        product = int8_product()
        product()
        ways["int8"] = product
    except (AttributeError, RuntimeError, TypeError):
        pass  # torch has these products for its compiler, under names that may change
    with torch.inference_mode():
        rates = {name: 2 * TOKENS * WIDTH * INNER / best(run) / 1e9 for name, run in ways.items()}
    torch.set_num_threads(before)
    return rates


def int8_product() -> Callable[[], object]:
    """A product of unsigned bytes, zero at 128, with weights that have a scale for each channel."""
    x = torch.randint(256, (TOKENS, WIDTH), dtype=torch.uint8)
    weight = torch.randint(-127, 128, (INNER, WIDTH), dtype=torch.int8)
    packed = torch.ops.onednn.qlinear_prepack(weight, [TOKENS, WIDTH])
    scales, zeros = torch.full((INNER,), 0.01), torch.zeros(INNER, dtype=torch.int32)
    run = torch.ops.onednn.qlinear_pointwise
    return lambda: run(x, 1.0, 128, packed, scales, zeros, None, 1.0, 0, torch.float32, "none", [], "")


def main() -> None:
    print(f"{machine()}; torch {torch.__version__}; one core")
    for name, rate in peaks().items():
        print(f"{rate:8.0f} GOPS   {name}")
    torch.set_num_threads(1)
    many = torch.randn(64_000_000)  # 256 MB, far more than any cache
    print(f"{many.nbytes / best(many.sum) / 1e9:8.1f} GB/s   reading memory")


if __name__ == "__main__":
    main()
