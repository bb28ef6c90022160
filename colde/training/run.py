"""Training: pairs → batches → loss → early stopping on valid.tsv → checkpoint.

The encoder stays frozen here, so that its chunk vectors are computed once; what is trained is CoLDE's head. A run can
be stopped at any step and resumed with the same result: every draw depends on seed and step alone.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch import Tensor, nn

from colde.errors import ModelError
from colde.models import create
from colde.models.base import OnProgress, Progress
from colde.models.colde import Colde, ColdeConfig, ColdeNetwork
from colde.models.masked import pad
from colde.models.registry import CARDS
from colde.runtime.frozen import shared_frozen_encoder
from colde.similarity import Array
from colde.training.losses import PairLoss, cosine_objective, supervised_contrastive
from colde.training.pairs import Batch, TrainingCorpus, draw, load_corpus
from colde.training.profiles import fit_profiles
from colde.training.rivals import RIVALS, train_rival
from colde.training.state import load_state, save_state
from colde.training.untrained import fit_untrained
from colde.training.vectors import CorpusVectors, evenly


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """Settings of a run; figures for the choices stand in docs/results.md."""

    steps: int = 480
    pool_steps: int = 420  # residual form: so many steps before attention and Bi-LSTM join in
    joint_chunks: int = 8  # chunks a document, evenly spread, from then on
    pairs: int = 96  # of each corpus, a batch
    learning_rate: float = 3e-4
    weight_decay: float = 0.01  # 4.1.2
    warm_up: float = 0.1
    clip: float = 1.0
    temperature: float = 0.1  # 0.5 in the paper (4.1.2)
    unlabelled: float = 0.1  # weight of pairs without a label as negatives; 1 in the paper
    sections: int = 2  # n_p (3.1); 1 with CoLDE−Aug
    pair_loss: float = 1.0  # weight of the pair loss beside the contrastive one; 0 in the paper
    most_chunks: int = 16  # of a document, evenly spread
    validate_every: int = 40
    patience: int = 6  # validations without a better mean AUC


VARIANTS: Mapping[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "colde": ({}, {}),
    "colde:paper": (
        {"form": "paper", "dropout": 0.0},
        {"temperature": 0.5, "unlabelled": 1.0, "pair_loss": 0.0},
    ),
    "colde:no_aug": ({"augment": False}, {"sections": 1}),
    "colde:no_lstm": ({"recurrent": False}, {}),
    "colde:no_cl": ({"contrastive": False, "augment": False}, {"sections": 1, "pair_loss": 0.0}),
}
"""Model name → what it changes in ColdeConfig and TrainConfig."""


def train(
    model: str,
    corpora: Sequence[Path],
    output: Path,
    config: Path | None = None,
    seed: int = 0,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> Path:
    """Train a model on one or several corpora and write its checkpoint.

    Args:
        model: `colde` or one of its variants.
        corpora: folders with documents.jsonl.gz, train.tsv and valid.tsv.
        output: the checkpoint's folder; the kept chunk vectors and the state of the run lie in it, too.
        config: JSON `{"model": {…ColdeConfig}, "training": {…TrainConfig}, "vectors": folder,
            "most_chunks": {corpus: number}}`; all optional.
        resume: go on with the run in `output`, if there is one.

    Returns:
        The checkpoint's folder.
    """
    if model in RIVALS:
        return train_rival(model, corpora, output, config, seed, resume, on_progress)
    settings = _read(config)
    untrained = model in CARDS and not CARDS[model].needs_training
    if not untrained and model not in VARIANTS:
        raise ModelError(f"{model} cannot be trained here; there are: {', '.join(VARIANTS)}")
    of_model, of_training = VARIANTS.get(model, ({}, {}))
    model_config = ColdeConfig(**{**of_model, **settings.get("model", {})})
    training = TrainConfig(**{**of_training, **settings.get("training", {})})
    folder = Path(settings.get("vectors", output / "vectors"))
    frozen = shared_frozen_encoder(model_config.encoder)
    loaded = []
    for corpus in corpora:
        most = settings.get("most_chunks", {}).get(corpus.name, training.most_chunks)
        loaded.append(load_corpus(corpus, folder, frozen, most, on_progress))
    if untrained:
        score = create(model)
        score.profiles = fit_untrained(score, corpora, loaded, seed)
        score.save(output)
        return output
    started = time.perf_counter()
    network, best = fit(model_config, training, loaded, seed, output if resume else None, output, on_progress)
    card = replace(CARDS["colde"], name=model)
    profiles = fit_profiles(lambda c, ends: pair_cosines(network, c, ends), loaded, seed)
    trained = Colde(
        network,
        card=card,
        profiles=profiles,
        training={
            "corpora": [c.name for c in loaded],
            "seed": seed,
            "settings": asdict(training),
            "best_step": best.step,
            "valid_auc": round(best.auc, 5),
            "seconds": round(time.perf_counter() - started, 1),
        },
    )
    trained.save(output)
    return output


@dataclass(slots=True)
class Best:
    """The best validation so far."""

    auc: float = -1.0
    step: int = -1
    stale: int = 0


def fit(
    config: ColdeConfig,
    training: TrainConfig,
    corpora: Sequence[TrainingCorpus],
    seed: int,
    resume_from: Path | None = None,
    state_in: Path | None = None,
    on_progress: OnProgress | None = None,
) -> tuple[ColdeNetwork, Best]:
    """Train a network; returns it as it was at its best validation."""
    torch.manual_seed(seed)
    network = ColdeNetwork(config)
    initialise(network, corpora)
    pair_loss = PairLoss()
    everything = nn.ModuleDict({"network": network, "pair_loss": pair_loss})
    optimiser = torch.optim.AdamW(
        everything.parameters(), lr=training.learning_rate, weight_decay=training.weight_decay
    )
    best = Best()
    kept = {k: v.clone() for k, v in network.state_dict().items()}
    first = 0
    if resume_from is not None:
        first, best, kept = load_state(resume_from, everything, optimiser, kept, Best) or (0, best, kept)
    for step in range(first, training.steps):
        for group in optimiser.param_groups:
            group["lr"] = training.learning_rate * _one_cycle(step, training)
        torch.manual_seed((seed << 32) + step)
        batch = draw(corpora, training.pairs, training.unlabelled, np.random.default_rng((seed, step)))
        network.train()
        loss = batch_loss(network, pair_loss, batch, corpora, training, step)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(everything.parameters(), training.clip)
        optimiser.step()
        if (step + 1) % training.validate_every == 0 or step + 1 == training.steps:
            auc = float(np.mean([valid_auc(network, c) for c in corpora]))
            best.stale += 1
            if auc > best.auc:
                best = Best(auc, step + 1)
                kept = {k: v.clone() for k, v in network.state_dict().items()}
            if state_in is not None:
                save_state(state_in, step + 1, best, everything, optimiser, kept)
            if on_progress is not None:
                on_progress(
                    Progress(f"training, valid AUC {auc:.4f} (best {best.auc:.4f})", step + 1, training.steps)
                )
            if best.stale >= training.patience:
                break
    network.load_state_dict(kept)
    return network.eval(), best


def initialise(network: ColdeNetwork, corpora: Sequence[TrainingCorpus]) -> None:
    """Centre on the corpora's mean of document means; start the projection at their principal axes.

    So the untrained residual form is already the centred mean of the frozen vectors, as well as 256 numbers can
    hold it.
    """
    means = []
    for corpus in corpora:
        unit = nn.functional.normalize(torch.from_numpy(corpus.vectors.vectors), dim=-1)
        first = corpus.vectors.first
        means.append(torch.stack([unit[first[d] : first[d + 1]].mean(0) for d in range(len(first) - 1)]))
    network.centre.copy_(torch.stack([m.mean(0) for m in means]).mean(0))
    if network.config.form == "residual":
        centred = torch.cat(means) - network.centre
        _, _, axes = torch.linalg.svd(centred, full_matrices=False)
        with torch.no_grad():
            found = min(len(axes), network.config.projection)  # fewer in a corpus of few documents
            network.project.weight[:found].copy_(axes[:found])


def batch_loss(
    network: ColdeNetwork,
    pair_loss: PairLoss,
    batch: Batch,
    corpora: Sequence[TrainingCorpus],
    training: TrainConfig,
    step: int,
) -> Tensor:
    """Supervised contrastive loss over all sections of the batch, and the pair loss over whole documents."""
    joint = network.config.recurrent and (network.config.form == "paper" or step >= training.pool_steps)
    most = training.joint_chunks if joint else training.most_chunks
    chunks = []
    for c, d in batch.documents:
        vectors = corpora[c].vectors.of(d)
        chunks.append(torch.from_numpy(vectors[evenly(len(vectors), most)]))
    labels = torch.from_numpy(batch.labels)
    ends = torch.from_numpy(batch.pairs)
    needs_whole = bool(training.pair_loss) or not network.config.contrastive
    whole = network(*pad(chunks), correct=joint) if needs_whole else None
    if not network.config.contrastive:
        assert whole is not None
        return cosine_objective((whole[ends[:, 0]] * whole[ends[:, 1]]).sum(-1), labels)
    owner, parts = _split(chunks, training.sections)
    z = network(*pad(parts), following=_next_of_same(owner), correct=joint)  # [sections, projection]
    of = torch.from_numpy(owner)
    same = of.unsqueeze(0) == of.unsqueeze(1)
    positive = torch.from_numpy(batch.similar)[of][:, of] | same
    weight = torch.from_numpy(batch.weight)[of][:, of]
    contrastive = supervised_contrastive(z, positive, training.temperature, weight) / len(z)
    if not training.pair_loss:
        return contrastive
    assert whole is not None
    cosine = (whole[ends[:, 0]] * whole[ends[:, 1]]).sum(-1)
    term: Tensor = pair_loss(cosine, labels)
    return contrastive + training.pair_loss * term


def _split(chunks: Sequence[Tensor], sections: int) -> tuple[np.ndarray, list[Tensor]]:
    """Each document in n_p parts of neighbouring chunks (3.1); one with fewer chunks gives fewer parts."""
    owner, parts = [], []
    for d, values in enumerate(chunks):
        for part in torch.tensor_split(values, min(sections, len(values))):
            owner.append(d)
            parts.append(part)
    return np.array(owner), parts


def _next_of_same(owner: np.ndarray) -> Tensor:
    """For each section the next of its document, for the last the first (cyclic)."""
    following = np.arange(1, len(owner) + 1)
    first = np.flatnonzero(np.r_[True, owner[1:] != owner[:-1]])
    last = np.r_[first[1:] - 1, len(owner) - 1]
    following[last] = first
    return torch.from_numpy(following)


@torch.inference_mode()
def document_vectors(network: ColdeNetwork, vectors: CorpusVectors) -> Array:
    """Vectors of whole documents: [documents, projection]."""
    network.eval()
    order = np.argsort(np.diff(vectors.first))  # documents of like length together: little padding
    found = np.zeros((len(order), network.config.projection), dtype=np.float32)
    for at in range(0, len(order), 64):
        some = order[at : at + 64]
        found[some] = network(*pad([torch.from_numpy(vectors.of(int(d))) for d in some])).numpy()
    return found


def pair_cosines(network: ColdeNetwork, corpus: TrainingCorpus, pairs: np.ndarray) -> Array:
    """Scores of pairs of positions in `corpus.whole` [pairs, 2]: [pairs]."""
    z = document_vectors(network, corpus.whole)
    return np.asarray((z[pairs[:, 0]] * z[pairs[:, 1]]).sum(-1), dtype=np.float32)


def valid_auc(network: ColdeNetwork, corpus: TrainingCorpus) -> float:
    """Area under the ROC curve on the validation pairs."""
    return float(roc_auc_score(corpus.valid.labels, pair_cosines(network, corpus, corpus.valid.pairs)))


def _one_cycle(step: int, training: TrainConfig) -> float:
    """Linear warm-up, then a cosine to zero."""
    warm = max(1, round(training.warm_up * training.steps))
    if step < warm:
        return (step + 1) / warm
    return 0.5 * (1 + float(np.cos(np.pi * (step - warm) / max(1, training.steps - warm))))


def _read(config: Path | None) -> dict[str, Any]:
    if config is None:
        return {}
    try:
        settings: dict[str, Any] = json.loads(config.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{config}: not a readable JSON file ({error})") from None
    known = {"model": ColdeConfig, "training": TrainConfig}
    for part, cls in known.items():
        names = {f.name for f in fields(cls)}
        for key in settings.get(part, {}):
            if key not in names:
                raise ModelError(
                    f"{config}: {part} has no setting {key!r}; there are: {', '.join(sorted(names))}"
                )
    return settings
