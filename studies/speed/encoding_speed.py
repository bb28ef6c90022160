"""Ways to encode the same documents, as ratios to plain Hugging Face in float32 over chunks of 512 tokens, in one run.

python -m studies.speed.encoding_speed FILE FILE…      OMP_NUM_THREADS=1 for one core; OpenVINO takes part where it is
installed

The ways take turns, round by round, and each round is compared with the plain way of the same round. Processor time is
counted beside time by the clock: it changes less where others use the machine, too.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence
from transformers import AutoModel

import colde
from colde import models
from colde.assets import packaged_encoder
from colde.encoders.batches import padded_batches
from colde.encoders.cores import usable_cores
from colde.encoders.encoder import Ids, PackedEncoder
from colde.encoders.runtime import runtime
from colde.encoders.sentence_encoder import CachedSentenceEncoder
from colde.encoders.sentence_layout import Sentences, read_sentences
from colde.encoders.vector_math import cosines
from colde.models.colde.matcher import Colde
from colde.models.colde.pair_attention import attend_pair
from colde.models.colde.provisional_score import partial_encoding
from colde.results.similarity_map import Array
from colde.text.chunks import chunk_document, default_tokenizer
from studies.arguments import command_line
from studies.encode_texts import encode_ids, encode_sentences
from studies.tables import print_limit

ROUNDS = 3


def padded(ids: Sequence[Ids]) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids and mask, [texts, tokens]."""
    rows = [torch.from_numpy(i).long() for i in ids]
    mask = pad_sequence([torch.ones_like(r) for r in rows], batch_first=True)
    return pad_sequence(rows, batch_first=True), mask


def plain(model: torch.nn.Module, ids: Sequence[Ids]) -> Array:
    """Batches of eight in reading order, padded to the longest."""
    means = []
    for at in range(0, len(ids), 8):
        tokens, mask = padded(ids[at : at + 8])
        with torch.inference_mode():
            states = model(input_ids=tokens, attention_mask=mask).last_hidden_state
        means.append(((states * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)).numpy())
    return np.concatenate(means)


def openvino() -> Callable[[Sequence[Ids]], Array]:
    """The encoder converted for OpenVINO, in bf16, sorted by length."""
    import openvino as ov

    example = torch.ones((2, 16), dtype=torch.int64)
    shape = ov.PartialShape([-1, -1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network = ov.convert_model(
            AutoModel.from_pretrained(packaged_encoder(), attn_implementation="eager").eval(),
            example_input={"input_ids": example, "attention_mask": example},
            input=[("input_ids", shape, ov.Type.i64), ("attention_mask", shape, ov.Type.i64)],
        )
    hints = {"INFERENCE_PRECISION_HINT": "bf16", "INFERENCE_NUM_THREADS": torch.get_num_threads()}
    compiled: Any = ov.Core().compile_model(network, "CPU", hints)

    def run(ids: Sequence[Ids]) -> Array:
        out = np.zeros((len(ids), 384), np.float32)
        for batch in padded_batches([len(i) for i in ids]):
            tokens, mask = padded([ids[i] for i in batch])
            states = compiled({"input_ids": tokens.numpy(), "attention_mask": mask.numpy()})[0]
            weight = mask.unsqueeze(-1).numpy()
            out[batch] = (states * weight).sum(1) / weight.sum(1)
        return out

    return run


def rounds(ways: dict[str, Callable[[], object]]) -> dict[str, list[tuple[float, float]]]:
    """(seconds by the clock, of processor time) of each way in each round; one round before does not count."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for number in range(ROUNDS + 1):
        for name, run in ways.items():
            clock, processor = time.perf_counter(), time.process_time()
            run()
            if number:
                times[name].append((time.perf_counter() - clock, time.process_time() - processor))
    return times


def scores(model: Colde, encoder: CachedSentenceEncoder, layouts: Sequence[Sentences]) -> Array:
    """CoLDE's score of every pair of the documents."""
    encoded = [
        partial_encoding(model.network, layout.tokens, layout.segment, encode_sentences(encoder, layout))
        for layout in layouts
    ]
    return np.array([attend_pair(model.network, a, b).score for a, b in combinations(encoded, 2)])


def drift(layouts: Sequence[Sentences], model: Colde) -> float:
    """The greatest difference of a score of CoLDE from float32."""
    exact = CachedSentenceEncoder(PackedEncoder.load(packaged_encoder(), torch.float32))
    difference = scores(model, exact, layouts) - scores(model, model.sentence_encoder, layouts)
    return float(np.abs(difference).max(initial=0.0))


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    documents = [colde.read(file) for file in parser.parse_args().files]
    tokenizer = default_tokenizer()
    ids = [i for d in documents for i in chunk_document(d, tokenizer).ids]
    sentences = [read_sentences(d, tokenizer) for d in documents]
    model = models.load("colde")
    assert isinstance(model, Colde)
    theirs = AutoModel.from_pretrained(packaged_encoder()).eval()
    fast, exact = (
        PackedEncoder.load(packaged_encoder()),
        PackedEncoder.load(packaged_encoder(), torch.float32),
    )
    chunks: dict[str, Callable[[], Array]] = {
        "Hugging Face, float32": lambda: plain(theirs, ids),
        "packed, float32": lambda: encode_ids(exact, ids),
        f"packed, {runtime().precision}": lambda: encode_ids(fast, ids),
    }
    if find_spec("openvino"):
        other = openvino()
        chunks[f"OpenVINO {version('openvino')}, bfloat16"] = lambda: other(ids)
    everything = "CoLDE: all that a comparison encodes"
    ways: dict[str, Callable[[], object]] = {
        **chunks,
        everything: lambda: [encode_sentences(model.sentence_encoder, s) for s in sentences],
    }
    print(
        f"{len(documents)} documents, {len(ids)} chunks, {sum(map(len, ids))} tokens; "
        f"{sum(len(s.ids) for s in sentences)} sentences, {sum(int(s.lengths.sum()) for s in sentences)} tokens"
    )
    print(f"{runtime()}; numpy {np.__version__}; {usable_cores()} cores may be used\n")
    times = rounds(ways)
    ratio = 0.0
    base = times["Hugging Face, float32"]
    reference = cosines(*[chunks["Hugging Face, float32"]()] * 2)
    print(f"{'':42} clock: ratio (spread)   processor: ratio (spread)   change of a cosine")
    for name, seconds in times.items():
        columns = []
        for kind in (0, 1):
            ratios = sorted(b[kind] / o[kind] for b, o in zip(base, seconds, strict=True))
            ratio = ratios[len(ratios) // 2]
            columns.append(f"{ratio:6.2f} ({ratios[0]:.2f}–{ratios[-1]:.2f})")
        moved = ""
        if name in chunks:
            vectors = chunks[name]()
            moved = f"{np.abs(cosines(vectors, vectors) - reference).max():.4f}"
        print(f"{name:42} {columns[0]:>22} {columns[1]:>27}   {moved:>18}")
    print()
    print_limit(
        "what a CoLDE comparison encodes, against plain Hugging Face in float32, processor time",
        ratio,
        2.2,
        "times",
        least=True,
    )
    pairs = len(documents) * (len(documents) - 1) // 2
    print_limit(
        f"CoLDE's scores of {pairs} pairs against float32, at most",
        drift(sentences, model),
        0.005,
        "apart",
    )


if __name__ == "__main__":
    main()
