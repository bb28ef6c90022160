"""A student of few layers that imitates the encoder's sentence vectors, judged on documents it never saw.

    python benchmarks/student.py train ../shared/corpora --sentences runs/sentences --output runs/student
    python benchmarks/student.py judge ../shared/corpora --sentences runs/sentences --student runs/student

It begins as layers of the encoder (`--layers`, counted from 1) above the same frozen embeddings, and learns the vectors
that `python -m colde.training.sentence_vectors` kept, of documents in no validation pair (Sanh et al. 2019, Reimers and
Gurevych 2020). `--output` becomes an encoder's folder, to be named to `benchmarks/localisation.py`, `citances.py` and
`sentence_vectors` by `--encoder`. A run that was stopped goes on.

`judge` prints cosines with the encoder's vectors on validation documents, tokens a second beside it, and the area under
the ROC curve of `colde` with its network as it ships on pairs with a document that is new.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from sklearn.metrics import roc_auc_score
from torch import Tensor, nn
from torch.nn.functional import normalize

from colde.assets import WEIGHTS, asset
from colde.encoders.encoder import PackedEncoder
from colde.encoders.packed import Bert, length_runs, text_means
from colde.encoders.vectors import normalised
from colde.judge.profiles import corpora
from colde.results.progress import Progress
from colde.text.tokens import packaged_encoder
from colde.training.loop import LoopConfig, run_loop
from colde.training.objective import StepResult
from colde.training.sentence_vectors import (
    WIDTH,
    Budgets,
    Filler,
    Layouts,
    batches_by_length,
    choose,
    kept_layouts,
    valid_names,
)
from colde.training.whole import pair_scores
from colde.training.whole_data import load_whole
from colde.training.whole_fit import read_network

TOKENS = 4_096
"""Tokens of a step."""

POOL = 32
"""Steps whose sentences are sorted by length together."""


@dataclass(frozen=True)
class Sentences:
    """Kept sentences with the encoder's vectors: token ids `flat[offsets[n]:offsets[n + 1]]` of each `number`."""

    layouts: Layouts
    number: NDArray[np.int64]
    vectors: NDArray[np.float16]

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.asarray(np.diff(self.layouts.offsets)[self.number], dtype=np.int64)

    def ids(self, rows: NDArray[np.int64]) -> list[NDArray[np.int32]]:
        at, flat = self.layouts.offsets, self.layouts.flat
        return [flat[at[n] : at[n + 1]].astype(np.int32) for n in self.number[rows]]


def read(corpus: Path, folder: Path) -> tuple[Sentences, Sentences]:
    """Sentences to learn from, and those of the documents of the validation pairs."""
    layouts, judged = kept_layouts(corpus, folder), valid_names(corpus)
    number, first = choose(layouts, judged, Budgets())
    vectors = np.memmap(folder / corpus.name / "vectors.bin", np.float16, "r", shape=(len(number), WIDTH))
    new = np.repeat([name in judged for name in layouts.names], np.diff(first))
    return tuple(Sentences(layouts, number[part], vectors[part]) for part in (~new, new))  # type: ignore[return-value]


class Imitation:
    """An `Objective`: one less the cosine with the encoder's vectors; the measure is the mean cosine elsewhere."""

    def __init__(self, student: Bert, learned: Sequence[Sentences], judged: Sequence[Sentences], seed: int):
        self.student, self.learned, self.seed = student, learned, seed
        random = np.random.default_rng(seed)
        self.judged = [(s, np.sort(random.permutation(len(s.number))[:500])) for s in judged]
        self.lengths = np.concatenate([s.lengths for s in learned])
        self.ends = np.cumsum([len(s.number) for s in learned])
        self._steps = self._plan(random)

    def _plan(self, random: np.random.Generator) -> list[NDArray[np.int64]]:
        """Sentences of each step of a pass: drawn anew, of like length within a step."""
        order = random.permutation(len(self.lengths))
        pools = (np.cumsum(self.lengths[order]) - 1) // (POOL * TOKENS)
        steps: list[NDArray[np.int64]] = []
        for pool in np.split(order, np.flatnonzero(np.diff(pools)) + 1):
            found = [pool[some] for some in batches_by_length(self.lengths[pool], TOKENS)]
            steps += [found[i] for i in random.permutation(len(found))]
        return steps

    @property
    def steps(self) -> int:
        """Of one pass over everything."""
        return len(self._steps)

    def gradients(self, step: int) -> StepResult:
        rows = self._steps[step % len(self._steps)]
        ids, wanted = self._of(rows)
        self.student.train()
        with torch.autocast("cpu", torch.bfloat16):
            found = vectors(self.student, ids)
        loss = 1 - (found * wanted).sum(1).mean()
        loss.backward()  # type: ignore[no-untyped-call]
        return StepResult(loss.item(), int(self.lengths[rows].sum()))

    def _of(self, rows: NDArray[np.int64]) -> tuple[list[NDArray[np.int32]], Tensor]:
        """Ids and vectors of sentences, by their length."""
        ids, wanted = [], []
        for which, own in enumerate(self.learned):
            start = int(self.ends[which]) - len(own.number)
            some = rows[(rows >= start) & (rows < self.ends[which])] - start
            ids += own.ids(some)
            wanted.append(np.asarray(own.vectors[some], dtype=np.float32))
        order = np.argsort([len(i) for i in ids], kind="stable")
        return [ids[i] for i in order], normalize(torch.from_numpy(np.concatenate(wanted)[order]))

    @torch.inference_mode()
    def validate(self) -> float:
        self.student.eval()
        found = []
        for own, rows in self.judged:
            rows = rows[np.argsort(own.lengths[rows], kind="stable")]
            got = np.concatenate(
                [vectors(self.student, own.ids(some)).numpy() for some in np.array_split(rows, 4)]
            )
            found.append((got * normalised(np.asarray(own.vectors[rows], dtype=np.float32))).sum(1).mean())
        return float(np.mean(found))


def vectors(bert: Bert, ids: Sequence[NDArray[np.int32]]) -> Tensor:
    """Unit vectors of texts, those of one length side by side: [texts, width]."""
    runs = length_runs(np.array([len(i) for i in ids], dtype=np.int64))
    tokens = torch.from_numpy(np.concatenate(ids).astype(np.int64))
    return normalize(text_means(bert(tokens, runs), runs))


def beginning(layers: Sequence[int]) -> Bert:
    """These layers of the packaged encoder, counted from 1, above its embeddings, which stay frozen."""
    whole = Bert.load(packaged_encoder())
    student = Bert(whole.embeddings, [whole.layers[i - 1] for i in layers])
    student.layers.requires_grad_(True)
    return student


def write(student: Bert, folder: Path) -> None:
    """The student as a folder of an encoder in Hugging Face's format, in float16."""
    source = packaged_encoder()
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {k: v for k, v in load_file(source / WEIGHTS).items() if k.startswith("embeddings.")}
    for i, layer in enumerate(student.layers):
        state, at = layer.state_dict(), f"encoder.layer.{i}."
        for kind in ("weight", "bias"):
            for name, part in zip(("query", "key", "value"), state[f"qkv.{kind}"].chunk(3), strict=True):
                tensors[f"{at}attention.self.{name}.{kind}"] = part
            tensors |= {
                f"{at}attention.output.dense.{kind}": state[f"out.{kind}"],
                f"{at}attention.output.LayerNorm.{kind}": state[f"attended.{kind}"],
                f"{at}intermediate.dense.{kind}": state[f"up.{kind}"],
                f"{at}output.dense.{kind}": state[f"down.{kind}"],
                f"{at}output.LayerNorm.{kind}": state[f"done.{kind}"],
            }
    save_file(
        {k: v.half().contiguous() if v.is_floating_point() else v for k, v in tensors.items()},
        folder / WEIGHTS,
    )
    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    config["num_hidden_layers"] = len(student.layers)
    (folder / "config.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
    (folder / "tokenizer.json").write_bytes((source / "tokenizer.json").read_bytes())


def train(chosen: argparse.Namespace) -> None:
    torch.set_num_threads(chosen.threads)
    parts = [read(chosen.corpora / name, chosen.sentences) for name in corpora()]
    student = beginning(chosen.layers)
    objective = Imitation(student, [p[0] for p in parts], [p[1] for p in parts], chosen.seed)
    print(
        f"{len(objective.lengths)} sentences, {objective.lengths.sum()} tokens, {objective.steps} steps a pass"
    )
    print(f"cosine at the beginning {objective.validate():.4f}", flush=True)
    module = nn.ModuleDict({"layers": student.layers})
    config = LoopConfig(
        steps=chosen.steps or objective.steps,
        learning_rate=chosen.rate,
        validate_every=100,
        patience=50,
        warm_up=0.05,
    )

    def tell(progress: Progress) -> None:
        if progress.done % 10 == 0:
            print(f"{progress.done} of {progress.total}: {progress.figures}", flush=True)

    run = {"layers": chosen.layers}
    run_loop(
        module,
        objective,
        config,
        seed=chosen.seed,
        state=chosen.output / "state",
        resume=True,
        on_progress=tell,
        run=run,
    )
    write(student, chosen.output)


def judge(chosen: argparse.Namespace) -> None:
    """Cosines, speed, and what `colde` scores with the student's vectors in the place of the encoder's."""
    torch.set_num_threads(chosen.threads)
    network = read_network(asset("models", "colde"))
    kept = chosen.student / "sentences"
    speeds(chosen)
    filler = Filler(chosen.student)
    print("| | cosine with the encoder's: mean, 5th percentile | pairs | AUC | with the student's vectors |")
    print("| --- | --- | --- | --- | --- |")
    for name in corpora():
        corpus = chosen.corpora / name
        _, judged = read(corpus, chosen.sentences)
        rows = np.sort(np.random.default_rng(0).permutation(len(judged.number))[:2000])
        rows = rows[np.argsort(judged.lengths[rows], kind="stable")]
        with torch.inference_mode():
            got = vectors(filler.encoder, judged.ids(rows)).float().numpy()
        cosine = (got * normalised(np.asarray(judged.vectors[rows], dtype=np.float32))).sum(1)
        linked(corpus, chosen.sentences, kept)
        areas, labels = [], np.zeros(0)
        for folder in (chosen.sentences, kept):
            whole = load_whole(corpus, folder, 0.06)
            pairs = whole.valid.pairs[whole.new > 0]
            labels = whole.valid.labels[whole.new > 0]
            if folder == kept:
                for d in np.unique(pairs):
                    filler.fill(
                        whole.layouts, whole.kept, np.arange(whole.kept.first[d], whole.kept.first[d + 1])
                    )
            areas.append(roc_auc_score(labels, pair_scores(network, whole, pairs)["attention"]))
        print(
            f"| {name} | {cosine.mean():.4f}, {np.quantile(cosine, 0.05):.4f} | {len(labels)} "
            f"| {areas[0]:.4f} | {areas[1]:.4f} |",
            flush=True,
        )


def linked(corpus: Path, sentences: Path, kept: Path) -> None:
    """A folder for vectors of the same sentences by another encoder."""
    own = kept / corpus.name
    own.mkdir(parents=True, exist_ok=True)
    if not (own / "sentences.npz").exists():
        (own / "sentences.npz").symlink_to((sentences / corpus.name / "sentences.npz").resolve())


def speeds(chosen: argparse.Namespace, rounds: int = 3) -> None:
    """Tokens a processor second of encoder and student in turns, on the same sentences."""
    _, judged = read(chosen.corpora / corpora()[0], chosen.sentences)
    both = {"encoder": PackedEncoder(packaged_encoder()), "student": PackedEncoder(chosen.student)}
    batches = list(batches_by_length(judged.lengths[:2000], TOKENS))
    found: dict[str, list[float]] = {name: [] for name in both}
    for round_ in range(rounds + 1):
        for name, encoder in both.items():
            begun = time.process_time()
            for some in batches:
                encoder.mean_states(judged.ids(some))
            if round_:
                found[name].append(judged.lengths[:2000].sum() / (time.process_time() - begun))
    for name, values in found.items():
        print(
            f"{name}: {np.median(values):,.0f} tokens a processor second ({min(values):,.0f}–{max(values):,.0f})"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    for name, run in (("train", train), ("judge", judge)):
        command = commands.add_parser(name)
        command.add_argument("corpora", type=Path)
        command.add_argument("--sentences", type=Path, required=True)
        command.add_argument("--threads", type=int, default=1)
        command.set_defaults(run=run)
        if name == "train":
            command.add_argument("--output", type=Path, required=True)
            command.add_argument("--layers", type=int, nargs="+", default=[1, 3, 6])
            command.add_argument("--steps", type=int, help="one pass where it is not given")
            command.add_argument("--rate", type=float, default=5e-4)
            command.add_argument("--seed", type=int, default=0)
        else:
            command.add_argument("--student", type=Path, required=True)
    chosen = parser.parse_args()
    chosen.run(chosen)


if __name__ == "__main__":
    main()
