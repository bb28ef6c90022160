"""Ways to run the encoder over the same chunks, as ratios to plain Hugging Face in float32, in one run.

python benchmarks/encoding.py FILE…
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

import colde
from colde.encoders.encoder import Ids, OpenVinoEncoder, TorchEncoder, encode_ids, load_hugging_face
from colde.encoders.vectors import normalised
from colde.results.maps import Array
from colde.text.tokens import chunk_document, default_tokenizer, packaged_encoder

ROUNDS = 3


def plain(ids: list[Ids]) -> Array:
    """Batches of eight in reading order, padded to the longest."""
    model = load_hugging_face(packaged_encoder()).eval()
    found = []
    for at in range(0, len(ids), 8):
        rows = [torch.from_numpy(i).long() for i in ids[at : at + 8]]
        padded = pad_sequence(rows, batch_first=True)
        mask = pad_sequence([torch.ones_like(r) for r in rows], batch_first=True)
        with torch.inference_mode():
            states = model(input_ids=padded, attention_mask=mask).last_hidden_state
        found.append(((states * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)).numpy())
    return np.concatenate(found)


def best_time(run: Callable[[], Array]) -> tuple[float, Array]:
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        found = run()
        times.append(time.perf_counter() - begun)
    return min(times), found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="+")
    ids = [
        i
        for file in parser.parse_args().files
        for i in chunk_document(colde.read(file), default_tokenizer()).ids
    ]
    ways: dict[str, Callable[[], Array]] = {"Hugging Face, float32": lambda: plain(ids)}
    torch32, torch16 = TorchEncoder(packaged_encoder()), TorchEncoder(packaged_encoder(), torch.bfloat16)
    ways["torch, float32, sorted"] = lambda: encode_ids(torch32, ids)
    ways["torch, bfloat16, sorted"] = lambda: encode_ids(torch16, ids)
    if find_spec("openvino"):
        fast = OpenVinoEncoder(packaged_encoder())
        ways["OpenVINO, bfloat16, sorted"] = lambda: encode_ids(fast, ids)
    print(
        f"{len(ids)} chunks, {sum(map(len, ids))} tokens; torch {version('torch')}, {torch.get_num_threads()} threads"
    )
    base, reference = best_time(ways["Hugging Face, float32"])
    for name, run in ways.items():
        seconds, found = best_time(run)
        drift = np.abs(
            normalised(found) @ normalised(found).T - normalised(reference) @ normalised(reference).T
        ).max()
        print(f"{base / seconds:5.2f} ×  {name:28} {seconds:6.2f} s  change of a cosine at most {drift:.4f}")


if __name__ == "__main__":
    main()
