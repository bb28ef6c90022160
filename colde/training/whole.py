"""Training of the whole network: encoder's upper layers, embeddings, attention, Bi-LSTM and projection from step 0.

One step: so many pairs of each corpus; of every document some sentences, drawn evenly from its chunks; their vectors
without gradients; some updates of what is above the sentences on these; then the gradient of the last one through the
encoder, a piece at a time (Gao et al. 2021, gradient cache), so that a large batch needs little memory. Every part has
its own learning rate, all rise and fall together.

A few sentences say little of a long paper. So in the end the sentence vectors are computed once more, for all that is
kept, and what is above them goes on over more sentences of more documents.

    python -m colde.training.whole --states FOLDER --output FOLDER CORPUS…
"""

from __future__ import annotations

import argparse
import json
import logging
import math
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from torch import Tensor, nn
from torch.nn.functional import normalize

from colde.models.colde.aggregate import Aggregated, Layout, summed
from colde.models.colde.layers import length_runs
from colde.models.colde.whole import GROUPS, WholeNetwork
from colde.models.colde.whole_config import WholeConfig
from colde.training.losses import PairLoss, supervised_contrastive
from colde.training.pairs import Batch, draw
from colde.training.state import load_state, save_state
from colde.training.states import Filler, batches_by_length
from colde.training.whole_data import Gathered, WholeCorpus, gather, load_whole, sentences_of

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WholeTraining:
    """How a run goes; each figure from trials on the development part unless a source is named."""

    steps: int = 152
    inner: int = 3  # updates above the sentences in a step
    pairs: int = 12  # of each corpus in a step
    tokens: int = 448  # drawn of each document in a step
    piece: int = 6144  # tokens that go through the encoder at once
    aside: float = 0.06  # documents of the development part
    temperature: float = 0.1  # tau; the paper's .5 is worse (docs/results.md)
    unlabelled: float = 0.1  # weight of unlabelled pairs in the denominator
    each_path: float = 0.5  # weight of the losses of either path on its own
    close: float = 1.0  # weight of 1 - cosine of a sentence with its vector in the frozen encoder
    warm_up: float = 0.1
    clip: float = 1.0
    weight_decay: float = 0.01  # 4.1.2
    rates: Mapping[str, float] = field(
        default_factory=lambda: {
            "encoder": 1e-4,
            "section": 2e-3,
            "chunk": 2e-3,
            "salience": 2e-3,
            "attention": 5e-4,
            "lstm": 5e-4,
            "recurrent": 1e-3,
            "direct": 1e-3,
            "loss": 1e-2,
        }
    )
    validate_every: int = 60
    save_every: int = 5
    above_steps: int = 160  # afterwards, of what is above the sentences alone, over more of each document
    above_pairs: int = 40  # of each corpus in such a step
    above_tokens: int = 1000  # of each document in such a step
    above_rate: float = 0.5  # of the rates in the first steps


@dataclass
class Best:
    """What is kept beside the weights: figures of each validation so far, and seconds of work."""

    history: list[dict[str, float]] = field(default_factory=list)
    seconds: float = 0.0


class Objective(nn.Module):
    """The supervised contrastive loss over parts and the pair loss over documents, for the sum and for either path."""

    def __init__(self) -> None:
        super().__init__()
        self.pairs = nn.ModuleDict({name: PairLoss() for name in ("both", "direct", "recurrent")})

    def forward(self, found: Aggregated, layout: Layout, batch: Batch, training: WholeTraining) -> Tensor:
        documents, parts = len(batch.documents), len(layout.document)
        of = layout.document
        positive = torch.from_numpy(batch.similar)[of][:, of] | (of.unsqueeze(0) == of.unsqueeze(1))
        weight = torch.from_numpy(batch.weight)[of][:, of]
        ends, labels = torch.from_numpy(batch.pairs), torch.from_numpy(batch.labels)
        total = found.direct.new_zeros(())
        for name, vectors in (
            ("both", found.chunks),
            ("direct", found.direct),
            ("recurrent", found.recurrent),
        ):
            z = summed(vectors, found.mass, layout.part, parts)
            d = summed(vectors, found.mass, layout.owner, documents)
            loss = supervised_contrastive(z, positive, training.temperature, weight) / parts
            loss = loss + self.pairs[name]((d[ends[:, 0]] * d[ends[:, 1]]).sum(-1), labels)
            total = total + (1.0 if name == "both" else training.each_path) * loss
        return total


class Reader:
    """Sentence vectors of a network from kept states, computing what is not kept yet."""

    def __init__(self, network: WholeNetwork, corpora: Sequence[WholeCorpus], piece: int) -> None:
        self.network = network
        self.corpora = corpora
        self.piece = piece
        self.filler: Filler | None = None
        self.bank: list[NDArray[np.float16]] | None = None

    @torch.no_grad()
    def keep(self, wanted: Sequence[NDArray[np.int64]], folder: Path) -> None:
        """Compute the vectors of these kept sentences of each corpus and read them from memory from now on.

        Those that lie in `folder` already are taken from there.
        """
        bank = []
        for c, (corpus, rows) in enumerate(zip(self.corpora, wanted, strict=True)):
            path = folder / f"vectors-{corpus.name}.npy"
            shape = (len(corpus.kept.sentence), self.network.config.width + 1)
            known = np.load(path) if path.exists() else np.zeros(shape, np.float16)
            rest = rows[~known[rows].any(1)]
            for at in range(0, len(rest), 4096):
                some = rest[at : at + 4096]
                gathered = sentences_of(corpus, c, some)
                known[some] = self.vectors(gathered).numpy().astype(np.float16)
                LOG.info(f"{corpus.name}: {at + len(some)} of {len(rest)} sentences")
            np.save(path, known)
            bank.append(known)
        self.bank = bank

    def ready(self, gathered: Gathered) -> None:
        """See to it that the states of these sentences are kept."""
        for c, corpus in enumerate(self.corpora):
            rows = gathered.source[gathered.source[:, 0] == c, 1]
            if not corpus.kept.ready[rows].all():
                self.filler = self.filler or Filler()
                self.filler.fill(corpus.layouts, corpus.kept, rows)

    def _piece(self, gathered: Gathered, some: NDArray[np.int64]) -> Tensor:
        lengths = gathered.lengths[some]
        rows = []
        for c, r in gathered.source[some].tolist():
            kept = self.corpora[c].kept
            rows.append(kept.states[kept.offsets[r] : kept.offsets[r + 1]])
        x = torch.from_numpy(np.concatenate(rows)).view(torch.bfloat16)
        at = torch.from_numpy(some)
        with torch.autocast("cpu", torch.bfloat16):
            found: Tensor = self.network.upper(
                x, length_runs(lengths), gathered.section[at], gathered.chunk[at], torch.from_numpy(lengths)
            )
        return found

    @torch.no_grad()
    def vectors(self, gathered: Gathered) -> Tensor:
        """[sentences, width], without gradients."""
        self.ready(gathered)
        if self.bank is not None:
            rows = [self.bank[c][r] for c, r in gathered.source.tolist()]
            return torch.from_numpy(np.stack(rows)).float()
        found = torch.zeros(len(gathered.lengths), self.network.config.width + 1)
        for some in batches_by_length(gathered.lengths, self.piece):
            found[torch.from_numpy(some)] = self._piece(gathered, some)
        return found

    def backward(self, gathered: Gathered, gradient: Tensor) -> None:
        """Carry the gradient of the sentence vectors into the encoder's parameters."""
        for some in batches_by_length(gathered.lengths, self.piece):
            vectors = self._piece(gathered, some)
            torch.autograd.backward([vectors], [gradient[torch.from_numpy(some)]])

    def frozen(self, gathered: Gathered) -> Tensor:
        """Unit vectors of the frozen encoder: [sentences, width]."""
        self.ready(gathered)
        found = np.zeros((len(gathered.lengths), self.network.config.width), dtype=np.float32)
        for c, corpus in enumerate(self.corpora):
            of = gathered.source[:, 0] == c
            found[of] = corpus.kept.frozen[gathered.source[of, 1]]
        return normalize(torch.from_numpy(found), dim=-1)


def document_vectors(
    reader: Reader, corpus: int, documents: Sequence[int], tokens: int | None
) -> dict[str, dict[int, Tensor]]:
    """Vectors of documents by path (both, direct, recurrent), from so many tokens of each or all that are kept."""
    reader.network.eval()
    found: dict[str, dict[int, Tensor]] = {"both": {}, "direct": {}, "recurrent": {}}
    own = reader.corpora[corpus]
    with torch.no_grad():
        for at in range(0, len(documents), 64):
            some = documents[at : at + 64]
            rows = [own.rows(d) if tokens is None else own.drawn(d, tokens, None) for d in some]
            gathered = gather(reader.corpora, [(corpus, d) for d in some], rows)
            layout = gathered.layout
            out = reader.network.aggregate(reader.vectors(gathered), layout)
            for name, y in (("both", out.chunks), ("direct", out.direct), ("recurrent", out.recurrent)):
                found[name].update(zip(some, summed(y, out.mass, layout.owner, len(some)), strict=True))
    return found


def figures(reader: Reader, most: int, tokens: int | None, seed: int = 0) -> dict[str, float]:
    """AUC on at most so many pairs of each kind: development (one and none seen) and validation by documents seen."""
    found: dict[str, float] = {}
    for c, corpus in enumerate(reader.corpora):
        kinds: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}
        random = np.random.default_rng(seed)

        def some(
            pairs: NDArray[np.int64], labels: NDArray[np.int64]
        ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
            chosen = random.permutation(len(pairs))[:most]  # noqa: B023
            return pairs[chosen], labels[chosen]

        for name, graph in (("one", corpus.one), ("none", corpus.none)):
            kinds[f"development, {name} seen"] = some(graph.pairs, graph.labels)
        kinds["valid"] = some(corpus.valid.pairs, corpus.valid.labels)
        documents = sorted({int(d) for pairs, _ in kinds.values() for d in pairs.ravel()})
        vectors = document_vectors(reader, c, documents, tokens)
        for kind, (pairs, labels) in kinds.items():
            if len(pairs) >= 20:
                for path in ("both",) if kind != "valid" else vectors:
                    z = vectors[path]
                    cosines = [float(z[int(i)] @ z[int(j)]) for i, j in pairs]
                    key = f"{corpus.name}, {kind}" + ("" if path == "both" else f", {path}")
                    found[key] = round(float(roc_auc_score(labels, cosines)), 4)
    return found


UPPER = ("encoder", "section", "chunk", "salience")
"""Parts up to the sentence vectors."""


def scale(step: int, training: WholeTraining) -> float:
    """Share of the highest learning rate: up in the first steps, then down by a cosine."""
    at = (step + 1) / (training.warm_up * training.steps)
    if at < 1:
        return at
    rest = (step - training.warm_up * training.steps) / max(1.0, (1 - training.warm_up) * training.steps)
    return 0.5 + 0.5 * math.cos(math.pi * min(1.0, rest))


def grouped(network: WholeNetwork, objective: Objective, training: WholeTraining) -> list[dict[str, object]]:
    """Parameter groups of the optimiser, by name."""
    groups: list[dict[str, object]] = []
    for name in GROUPS:
        own = list(network.group(name).values())
        if own:
            groups.append({"params": own, "name": name, "lr": training.rates[name]})
    groups.append({"params": list(objective.parameters()), "name": "loss", "lr": training.rates["loss"]})
    return groups


class Run:
    """A run of training that can be stopped after any step."""

    def __init__(
        self,
        corpora: Sequence[WholeCorpus],
        config: WholeConfig,
        training: WholeTraining,
        seed: int,
        output: Path,
    ) -> None:
        torch.manual_seed(seed)
        self.corpora, self.training, self.seed, self.output = corpora, training, seed, output
        self.network = WholeNetwork(config)
        self.objective = Objective()
        self.reader = Reader(self.network, corpora, training.piece)
        self.module = nn.ModuleDict({"network": self.network, "objective": self.objective})
        self._centre()
        self.start = {n: p.detach().clone() for n, p in self.network.named_parameters()}
        self.optimiser = torch.optim.AdamW(
            grouped(self.network, self.objective, training), weight_decay=training.weight_decay
        )
        self.best = Best()

    def _centre(self) -> None:
        """The mean of the frozen vectors of sentences of training documents, each corpus counting the same."""
        random = np.random.default_rng(self.seed)
        means = []
        for c, corpus in enumerate(self.corpora):
            known = np.unique(corpus.train.pairs)
            some = random.choice(known, min(48, len(known)), replace=False)
            gathered = gather(
                self.corpora, [(c, int(d)) for d in some], [corpus.drawn(int(d), 256, random) for d in some]
            )
            means.append(self.reader.frozen(gathered).mean(0))
        self.network.aggregate.centre.copy_(torch.stack(means).mean(0))

    def step(self, number: int) -> float:
        """One batch; returns the loss of its last update."""
        training = self.training
        random = np.random.default_rng((self.seed, number))
        torch.manual_seed(self.seed * 100_003 + number)
        self.network.train()
        batch = draw(self.corpora, training.pairs, training.unlabelled, random)
        rows = [self.corpora[c].drawn(d, training.tokens, random) for c, d in batch.documents]
        gathered = gather(self.corpora, batch.documents, rows)
        vectors = self.reader.vectors(gathered)
        for group in self.optimiser.param_groups:
            group["lr"] = training.rates[group["name"]] * scale(number, training)
        above = [p for n, p in self.network.named_parameters() if n.startswith("aggregate.")]
        above += list(self.objective.parameters())
        loss = torch.zeros(())
        for turn in range(training.inner):
            last = turn == training.inner - 1
            leaf = vectors.clone().requires_grad_(last)
            self.optimiser.zero_grad(set_to_none=True)
            loss = self.objective(
                self.network.aggregate(leaf, gathered.layout), gathered.layout, batch, training
            )
            loss.backward()
            if last:
                assert leaf.grad is not None
                frozen = self.reader.frozen(gathered)
                pull = torch.zeros_like(leaf)
                pull[:, :-1] = (
                    -training.close * frozen / len(frozen)
                )  # of 1 - cosine, mean over the sentences
                self.reader.backward(gathered, leaf.grad + pull)
                upper = list(self.network.upper.parameters())
                nn.utils.clip_grad_norm_(upper, training.clip)
            nn.utils.clip_grad_norm_(above, training.clip)
            self.optimiser.step()
        if number % 5 == 0:
            kept = float((vectors[:, :-1] * self.reader.frozen(gathered)).sum(-1).mean())
            LOG.info(f"step {number}: cosine with the frozen sentences {kept:.4f}")
        return float(loss.detach())

    def above(self) -> None:
        """The last steps: what is above the sentences, over more of each document."""
        training, folder = self.training, self.output / "above"
        folder.mkdir(parents=True, exist_ok=True)
        wanted = []
        for corpus in self.corpora:
            known = np.unique(corpus.train.pairs)
            wanted.append(np.concatenate([corpus.drawn(int(d), training.above_tokens, None) for d in known]))
        self.reader.keep(wanted, folder)
        held = [np.zeros(len(c.kept.sentence), dtype=bool) for c in self.corpora]
        for mask, rows in zip(held, wanted, strict=True):
            mask[rows] = True
        module = nn.ModuleDict({"aggregate": self.network.aggregate, "objective": self.objective})
        groups = [g for g in grouped(self.network, self.objective, training) if g["name"] not in UPPER]
        optimiser = torch.optim.AdamW(groups, weight_decay=training.weight_decay)
        first, _, _ = load_state(folder, module, optimiser, {}, Best, self.described) or (0, None, None)
        steps = replace(training, steps=training.above_steps)
        self.network.eval()
        for number in range(first, training.above_steps):
            begun = time.time()
            random = np.random.default_rng((self.seed, 1, number))
            torch.manual_seed(self.seed * 100_003 + 50_000 + number)
            self.network.aggregate.train()
            batch = draw(self.corpora, training.above_pairs, training.unlabelled, random)
            own = [(c, self.corpora[c].rows(d)) for c, d in batch.documents]
            gathered = gather(self.corpora, batch.documents, [rows[held[c][rows]] for c, rows in own])
            for group in optimiser.param_groups:
                rate = training.rates[group["name"]] * training.above_rate
                group["lr"] = rate * scale(number, steps)
            optimiser.zero_grad(set_to_none=True)
            found = self.network.aggregate(self.reader.vectors(gathered), gathered.layout)
            loss = self.objective(found, gathered.layout, batch, training)
            loss.backward()
            nn.utils.clip_grad_norm_(module.parameters(), training.clip)
            optimiser.step()
            LOG.info(f"above {number}: loss {float(loss.detach()):.3f}, {time.time() - begun:.1f} s")
            if number % 20 == 19 or number == training.above_steps - 1:
                save_state(folder, number + 1, Best(), module, optimiser, {}, self.described)
        self.reader.bank = None

    @property
    def described(self) -> dict[str, object]:
        """What the run depends on: a state of another is refused."""
        corpora = [c.name for c in self.corpora]
        return {"seed": self.seed, "corpora": corpora, "training": asdict(self.training)}

    def go(self, until: int | None = None) -> None:
        """All steps that are left."""
        restored = load_state(self.output / "run", self.module, self.optimiser, {}, Best, self.described)
        first = 0
        if restored is not None:
            first, self.best, _ = restored
        for number in range(first, until or self.training.steps):
            begun = time.time()
            loss = self.step(number)
            self.best.seconds += time.time() - begun
            LOG.info(f"step {number}: loss {loss:.3f}, {time.time() - begun:.1f} s")
            last = number == self.training.steps - 1
            if number % self.training.validate_every == self.training.validate_every - 1 and not last:
                found = {"step": float(number + 1), **figures(self.reader, 120, self.training.tokens)}
                self.best.history.append(found)
                LOG.info(json.dumps(found))
                LOG.info(json.dumps({k: round(v, 4) for k, v in self.network.moved(self.start).items()}))
            if number % self.training.save_every == self.training.save_every - 1 or last:
                save_state(
                    self.output / "run",
                    number + 1,
                    self.best,
                    self.module,
                    self.optimiser,
                    {},
                    self.described,
                )


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, or go on with a run that was stopped."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--states", required=True, type=Path)
    parser.add_argument("--output", required=True, type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--tokens", type=int)
    chosen = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
    torch.set_num_threads(chosen.threads)
    own = {k: v for k in ("steps", "pairs", "tokens") if (v := getattr(chosen, k)) is not None}
    training = replace(WholeTraining(), **own)
    corpora = [load_whole(c, chosen.states, training.aside) for c in chosen.corpora]
    chosen.output.mkdir(parents=True, exist_ok=True)
    run = Run(corpora, WholeConfig(), training, chosen.seed, chosen.output)
    (chosen.output / "settings.json").write_text(json.dumps(asdict(training)))
    run.go()
    run.above()


if __name__ == "__main__":
    main()
