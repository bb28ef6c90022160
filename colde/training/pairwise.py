"""One trainer for all rivals: labelled pairs → logits → binary cross-entropy → early stopping on validation pairs.

Every draw depends on seed and step alone, dropout too, so that a run that was stopped goes on to the same weights.
Documents of a batch are read once each, in micro-batches of like length. With gradient caching a siamese network
holds the graph of one micro-batch at a time: vectors first without a graph, then the gradient of the loss with respect
to each vector, then each micro-batch again with its part of that gradient. The result is the plain gradient.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from colde.errors import ModelError
from colde.models.base import OnProgress, Progress
from colde.models.reading import Prepared
from colde.models.siamese import Cross, Rival, Siamese, stored_tensors
from colde.runtime.encoder import batches
from colde.similarity import Array
from colde.training.held import Held
from colde.training.prepared import PreparedCorpus
from colde.training.state import load_state, save_state

SCALE_PAIRS = 64  # that scale and offset are fitted to


@dataclass(frozen=True, slots=True)
class PairwiseConfig:
    """Settings of a run; a recipe in colde/training/recipes says what differs for a model, and whence."""

    steps: int = 1000
    pairs: int = 32  # a batch
    power: float = 0.0  # of a corpus' number of pairs, to which its share of the batch is proportional
    learning_rate: float = 5e-5
    weight_decay: float = 0.01
    warm_up: float = 0.1
    clip: float = 1.0
    tokens: int = 8192  # padded tokens a micro-batch
    cache_gradients: bool = True  # siamese networks only; the same result for less memory
    ema: float = 0.0  # decay of a running mean of the weights, which is then validated and kept; 0 is off
    bf16: bool = False  # autocast in bfloat16
    fit_scale: bool = False  # siamese networks: begin with a judge fitted to 64 pairs (`Siamese.begin`)
    minutes: float | None = (
        None  # (`_clock`) ends sooner than `steps`; the learning rate has come down by then
    )
    validate_every: int = 50  # steps
    validate_minutes: float | None = None  # or so many minutes after the last validation
    valid_pairs: int = 300  # of each corpus, always the same
    patience: int = 8  # validations without a better mean AUC
    profile_pairs: int | None = None  # of each corpus, for thresholds and figures; all validation pairs
    unrelated_pairs: int = 2_000  # of each corpus, for the background
    save_minutes: float = 3.0
    pretrain_steps: int = 0  # first so many steps of the network's own `pretrain`
    pretrain_documents: int = 16
    pretrain_learning_rate: float = 1e-4


@dataclass(slots=True)
class Best:
    """The best validation so far, and what a run that goes on must know besides."""

    auc: float = -1.0
    step: int = -1
    stale: int = 0
    seconds: float = 0.0  # spent so far (`_clock`)
    pretrained: float = 0.0  # of these, before the pairs
    tokens: int = 0  # trained on so far
    loss: float = float("nan")  # running mean


@dataclass(frozen=True, slots=True)
class PairBatch:
    """Documents, each once, and pairs of their positions."""

    documents: tuple[Prepared, ...]
    pairs: NDArray[np.int64]  # [pairs, 2]
    labels: NDArray[np.int64]  # [pairs]


def train_network(
    network: Rival,
    corpora: Sequence[PreparedCorpus],
    training: PairwiseConfig,
    *,
    seed: int = 0,
    state_in: Path | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> Best:
    """Train in place, on the device the network is on; it is left as it was at its best validation.

    Args:
        state_in: where the state of the run is kept; None for nowhere.
        resume: go on from the state in `state_in`, if there is one.
    """
    if training.pretrain_steps and not hasattr(network, "pretrain"):
        raise ModelError(f"{type(network).__name__} has no pre-training of its own; set pretrain_steps to 0")
    held = Held(stored_tensors(network), training.ema)
    trained = [p for p in network.parameters() if p.requires_grad]
    total = training.pretrain_steps + training.steps
    best, kept, first = Best(), held.snapshot(), 0
    optimiser = _optimiser(trained, training)
    if resume and state_in is not None:
        first, best, kept = load_state(state_in, held, optimiser, kept, Best) or (0, best, kept)
    clock = _clock(network)
    begun = clock() - best.seconds
    validated, saved = clock(), time.monotonic()
    for step in range(first, total):
        main = step - training.pretrain_steps  # < 0 while pre-training
        if main == 0:
            if training.fit_scale:
                fit_scale(network, draw_pairs(corpora, SCALE_PAIRS, seed, total), training, seed)
            optimiser = _optimiser(trained, training)
            best.loss, best.pretrained = float("nan"), clock() - begun
        spent = clock() - begun - best.pretrained
        used = spent / (60 * training.minutes - best.pretrained) if training.minutes else 0.0
        if main < 0:
            rate = training.pretrain_learning_rate * _rate(
                step / max(1, training.pretrain_steps), training.warm_up
            )
        else:
            rate = training.learning_rate * _rate(
                max(min(used, 1.0), main / training.steps), training.warm_up
            )
        for group in optimiser.param_groups:
            group["lr"] = rate
        network.train()
        optimiser.zero_grad(set_to_none=True)
        if main < 0:
            loss, tokens = _pretrain_gradients(network, corpora, training, seed, step)
        else:
            batch = draw_pairs(corpora, training.pairs, seed, step, training.power)
            loss = gradients(network, batch, training, (seed << 32) + step)
            tokens = sum(d.size for d in batch.documents)
        nn.utils.clip_grad_norm_(trained, training.clip)
        optimiser.step()
        held.update(step)
        best.tokens += tokens
        best.loss = loss if np.isnan(best.loss) else 0.95 * best.loss + 0.05 * loss
        best.seconds = clock() - begun
        timed_out = training.minutes is not None and best.seconds >= 60 * training.minutes
        last = step + 1 == total or timed_out
        now = clock()
        due = (main + 1) % training.validate_every == 0 or (
            training.validate_minutes is not None and now - validated >= 60 * training.validate_minutes
        )
        if main >= 0 and (due or last):
            with held.averaged():
                auc = float(np.mean([valid_auc(network, c, training) for c in corpora]))
                best.stale += 1
                if auc > best.auc:
                    best = replace(best, auc=auc, step=main + 1, stale=0)
                    kept = held.snapshot()
            last = last or best.stale >= training.patience
            validated = clock()
        if state_in is not None and (
            last or main + 1 == 0 or time.monotonic() - saved >= 60 * training.save_minutes
        ):
            best.seconds = clock() - begun
            save_state(state_in, total if last else step + 1, best, held, optimiser, kept)
            saved = time.monotonic()
        if on_progress is not None:
            pace = best.tokens / max(best.seconds, 1e-9)
            stage = "pre-training" if main < 0 else "training"
            figures = (
                f"loss {best.loss:.3f}, valid AUC {best.auc:.4f} at step {best.step}, {pace:,.0f} tokens/s"
            )
            on_progress(Progress(f"{stage}, {figures}", step + 1, total))
        if last:
            break
    if best.step < 0:  # nothing but pre-training
        kept = held.snapshot()
    held.restore(kept)
    network.eval()
    return best


def _clock(network: Rival) -> Callable[[], float]:
    """Seconds that count towards a run's minutes, each thread busy: what else a machine does costs a run no steps."""
    if next(network.parameters()).is_cuda:
        return time.monotonic
    return lambda: time.process_time() / torch.get_num_threads()


def _optimiser(trained: Sequence[nn.Parameter], training: PairwiseConfig) -> torch.optim.AdamW:
    return torch.optim.AdamW(trained, lr=training.learning_rate, weight_decay=training.weight_decay)


def _rate(done: float, warm_up: float) -> float:
    """Linear warm-up, then linear to zero; `done` in [0, 1]."""
    if done < warm_up:
        return max(done / warm_up, 0.02)
    return max((1 - done) / (1 - warm_up), 0.0)


@torch.no_grad()
def fit_scale(network: Rival, batch: PairBatch, training: PairwiseConfig, seed: int = 0) -> None:
    """Let a siamese network set its scale by its own untrained vectors (`Siamese.begin`), dropout and all."""
    if not isinstance(network, Siamese):
        raise ModelError(f"{type(network).__name__} compares no vectors; set fit_scale to false")
    network.train()
    with _seeded(seed, 0):
        vectors = _vectors(network, batch.documents, training.tokens)
    network.begin(vectors, torch.from_numpy(batch.pairs).to(vectors.device))


def draw_pairs(
    corpora: Sequence[PreparedCorpus], pairs: int, seed: int, step: int, power: float = 0.0
) -> PairBatch:
    """Training pairs at random, of each corpus in proportion to how many it has to this power: 0 is the same number.

    What is left over by rounding goes around by step.
    """
    random = np.random.default_rng((seed, step))
    shares = np.array([len(c.labels["train"]) for c in corpora], float) ** power
    counts = np.floor(pairs * shares / shares.sum() + 1e-9).astype(int)
    left = pairs - int(counts.sum())
    documents: list[Prepared] = []
    ends, labels = [], []
    for c, corpus in enumerate(corpora):
        count = counts[c] + ((c + step) % len(corpora) < left)
        known = corpus.pairs["train"]
        chosen = random.choice(len(known), size=min(count, len(known)), replace=False)
        members, position = np.unique(known[chosen], return_inverse=True)
        ends.append(position.reshape(-1, 2) + len(documents))
        labels.append(corpus.labels["train"][chosen])
        documents.extend(corpus.documents[d] for d in members)
    return PairBatch(tuple(documents), np.concatenate(ends), np.concatenate(labels))


def gradients(network: Rival, batch: PairBatch, training: PairwiseConfig, seed: int) -> float:
    """Add the gradient of the batch's mean loss to the parameters; returns the loss."""
    labels = torch.from_numpy(batch.labels).float().to(network.device)
    if isinstance(network, Siamese):
        return _siamese_gradients(network, batch, labels, training, seed)
    assert isinstance(network, Cross)
    joined = [network.join(batch.documents[i], batch.documents[j]) for i, j in batch.pairs]
    total = 0.0
    for k, some in enumerate(batches([p.size for p in joined], training.tokens)):
        with _seeded(seed, k), _autocast(network, training):
            logits = network.logits([joined[i] for i in some])
        loss = binary_cross_entropy_with_logits(
            logits.float(), labels[torch.from_numpy(some)], reduction="sum"
        )
        (loss / len(joined)).backward()  # type: ignore[no-untyped-call]
        total += float(loss.detach()) / len(joined)
    return total


def _siamese_gradients(
    network: Siamese, batch: PairBatch, labels: Tensor, training: PairwiseConfig, seed: int
) -> float:
    micro = list(batches([d.size for d in batch.documents], training.tokens))
    order = torch.from_numpy(np.argsort(np.concatenate(micro))).to(network.device)
    cached = training.cache_gradients and len(micro) > 1

    def forward(k: int) -> Tensor:
        with _seeded(seed, k), _autocast(network, training):
            return network.vectors([batch.documents[i] for i in micro[k]]).float()

    with torch.set_grad_enabled(not cached):
        vectors = torch.cat([forward(k) for k in range(len(micro))])[order]  # [documents, d]
    if cached:
        vectors.requires_grad_()
    ends = torch.from_numpy(batch.pairs).to(network.device)
    logits = network.judge(vectors[ends[:, 0]], vectors[ends[:, 1]])
    loss = binary_cross_entropy_with_logits(logits, labels)
    loss.backward()  # type: ignore[no-untyped-call]
    if cached:
        assert vectors.grad is not None
        for k, some in enumerate(micro):
            vectors_again = forward(k)
            if vectors_again.requires_grad:
                vectors_again.backward(vectors.grad[torch.from_numpy(some)])  # type: ignore[no-untyped-call]
    return float(loss.detach())


def _pretrain_gradients(
    network: Rival, corpora: Sequence[PreparedCorpus], training: PairwiseConfig, seed: int, step: int
) -> tuple[float, int]:
    """One batch of training documents of all corpora through the network's own objective; its loss and tokens."""
    random = np.random.default_rng((seed, step, 1))
    documents: list[Prepared] = []
    for c, corpus in enumerate(corpora):
        count = training.pretrain_documents // len(corpora) + (
            (c + step) % len(corpora) < training.pretrain_documents % len(corpora)
        )
        known = np.unique(corpus.pairs["train"])
        documents.extend(
            corpus.documents[d] for d in random.choice(known, min(count, len(known)), replace=False)
        )
    with _seeded((seed << 32) + step, 0), _autocast(network, training):
        loss: Tensor = network.pretrain(documents)  # type: ignore[operator]
    loss.backward()  # type: ignore[no-untyped-call]
    return float(loss.detach()), sum(d.size for d in documents)


@contextmanager
def _seeded(seed: int, part: int) -> Iterator[None]:
    """The same dropout whenever the same part of the same step is run; the generators go on as before after it."""
    devices = range(torch.cuda.device_count()) if torch.cuda.is_available() else []
    with torch.random.fork_rng(devices=list(devices)):
        torch.manual_seed(int(np.random.SeedSequence((seed, part)).generate_state(1)[0]))
        yield


def _autocast(network: Rival, training: PairwiseConfig) -> torch.autocast:
    return torch.autocast(network.device.type, dtype=torch.bfloat16, enabled=training.bf16)


@torch.inference_mode()
def document_vectors(network: Siamese, documents: Sequence[Prepared], tokens: int = 8192) -> Tensor:
    """[documents, d], on the network's device; about so many padded tokens at a time."""
    network.eval()
    return _vectors(network, documents, tokens)


def _vectors(network: Siamese, documents: Sequence[Prepared], tokens: int) -> Tensor:
    order = list(batches([d.size for d in documents], tokens))
    vectors = torch.cat([network.vectors([documents[i] for i in some]).float() for some in order])
    return vectors[torch.from_numpy(np.argsort(np.concatenate(order))).to(network.device)]


@torch.inference_mode()
def score_vectors(network: Siamese, vectors: Tensor, pairs: NDArray[np.int64]) -> Array:
    """Scores of pairs of rows of `vectors` [documents, d]: [pairs, 2] → [pairs]."""
    scores = [
        network.score(vectors[e[:, 0]], vectors[e[:, 1]])
        for e in torch.split(torch.from_numpy(pairs).to(vectors.device), 4096)
    ]
    return np.asarray(torch.cat(scores).float().cpu().numpy(), dtype=np.float32)


@torch.inference_mode()
def score_pairs(
    network: Rival,
    documents: Sequence[Prepared],
    pairs: NDArray[np.int64],
    *,
    tokens: int = 8192,
    both_orders: bool = False,
) -> Array:
    """Scores of pairs of positions in `documents`: [pairs, 2] → [pairs]; each document is read once.

    Args:
        both_orders: cross-encoders: the mean of (a, b) and (b, a), as a symmetric model compares.
    """
    network.eval()
    if isinstance(network, Siamese):
        wanted, position = np.unique(pairs, return_inverse=True)
        vectors = document_vectors(network, [documents[d] for d in wanted], tokens)
        return score_vectors(network, vectors, position.reshape(-1, 2))
    assert isinstance(network, Cross)
    found = np.zeros(len(pairs), dtype=np.float32)
    orders = (pairs, pairs[:, ::-1]) if both_orders else (pairs,)
    for ends_of in orders:
        joined = [network.join(documents[i], documents[j]) for i, j in ends_of]
        for some in batches([p.size for p in joined], tokens):
            probability = network.logits([joined[i] for i in some]).float().sigmoid()
            found[some] += probability.cpu().numpy() / len(orders)
    return found


def valid_auc(network: Rival, corpus: PreparedCorpus, training: PairwiseConfig) -> float:
    """Area under the ROC curve on a fixed part of the validation pairs."""
    chosen = corpus.some_valid(training.valid_pairs)
    with _autocast(network, training):
        scores = score_pairs(
            network, corpus.documents, corpus.pairs["valid"][chosen], tokens=2 * training.tokens
        )
    return float(roc_auc_score(corpus.labels["valid"][chosen], scores))
