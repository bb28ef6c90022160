"""`colde train colde`, `colde train colde_words`: the network, then thresholds from documents not trained on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse

from colde.assets import asset
from colde.judge.profiles import GENERAL, profile_of
from colde.models.checkpoint import read_config, read_tensors
from colde.models.colde.config import ChannelWeights, Mixture
from colde.models.colde.embedding import Embedder
from colde.models.colde.whole import WholeNetwork
from colde.models.colde.whole_config import WholeConfig
from colde.models.colde.whole_matcher import WholeColde
from colde.models.colde.words_matcher import ColdeWords, WordsConfig
from colde.results.maps import Array
from colde.text.term_weights import weighted
from colde.training.pairs import DocumentIds, PairGraph
from colde.training.profiles import Scoring, fit_profiles
from colde.training.run import TrainingRun, build_config
from colde.training.settings import TrainConfig
from colde.training.states import settle
from colde.training.whole import Reader, Run, WholeTraining, document_vectors
from colde.training.whole_data import WholeCorpus, load_whole
from colde.training.whole_words import WordCorpus, train_words, word_corpus

BUDGET = 1280
"""Tokens kept of a document for training; of validation documents all."""


@dataclass(frozen=True, slots=True)
class JudgedCorpus:
    """A `ProfileCorpus`: validation pairs and those of the development part, for thresholds and mixtures.

    Attributes:
        positions: [whole], positions in `WholeCorpus.layouts`.
        kind: [pairs], of each pair how many of the two documents were not trained on.
    """

    name: str
    profile: str
    whole: DocumentIds
    valid: PairGraph
    related: sparse.csr_matrix
    positions: NDArray[np.int64]
    kind: NDArray[np.int64]


def judged(corpus: WholeCorpus, folder: Path) -> JudgedCorpus:
    """All labelled pairs that were not trained on."""
    graphs = (corpus.valid, corpus.one, corpus.none)
    ends = np.concatenate([g.pairs for g in graphs])
    labels = np.concatenate([g.labels for g in graphs])
    kind = np.concatenate([corpus.new, np.full(len(corpus.one.pairs), 1), np.full(len(corpus.none.pairs), 2)])
    positions, local = np.unique(ends, return_inverse=True)
    names = corpus.layouts.names
    related = sum((g.similar for g in (*graphs, corpus.train)), start=corpus.train.similar)
    chosen = sparse.csr_matrix(related[positions][:, positions])
    return JudgedCorpus(
        name=corpus.name,
        profile=profile_of(folder.name),
        whole=DocumentIds(tuple(names[p] for p in positions)),
        valid=PairGraph(chosen, chosen, local.reshape(-1, 2), labels),
        related=chosen,
        positions=positions,
        kind=kind,
    )


def vectors_of(
    network: WholeNetwork,
    corpora: Sequence[WholeCorpus],
    known: Sequence[JudgedCorpus],
    tokens: int | None,
    folder: Path,
) -> list[Array]:
    """Document vectors of what is judged: [documents, projection] for each corpus.

    Args:
        tokens: of each document; None: all that are kept of it.
        folder: where the vectors of the sentences lie, or are put.
    """
    reader = Reader(network, corpora, piece=8192)
    folder.mkdir(parents=True, exist_ok=True)
    wanted = []
    for corpus, own in zip(corpora, known, strict=True):
        positions = [int(p) for p in own.positions]
        rows = [corpus.rows(p) if tokens is None else corpus.drawn(p, tokens, None) for p in positions]
        wanted.append(np.concatenate(rows))
    reader.keep(wanted, folder)
    found = []
    for c, own in enumerate(known):
        vectors = document_vectors(reader, c, [int(p) for p in own.positions], tokens)["both"]
        found.append(np.stack([vectors[int(p)].numpy() for p in own.positions]))
    return found


def cosine_scoring(vectors: Mapping[str, Array]) -> Scoring:
    """Cosines of rows of a corpus' vectors."""

    def score(corpus: JudgedCorpus, pairs: np.ndarray) -> Array:
        own = vectors[corpus.name]
        return np.asarray((own[pairs[:, 0]] * own[pairs[:, 1]]).sum(-1), dtype=np.float32)

    return score


def load_corpora(run: TrainingRun, training: WholeTraining) -> list[WholeCorpus]:
    """The corpora with their states, under `states` in the run's work folder."""
    folder = Path(run.settings.get("states") or run.work / "states")
    for corpus in run.corpora:
        settle(corpus, folder, BUDGET, whole=True)
    return [load_whole(corpus, folder, training.aside) for corpus in run.corpora]


def fit(run: TrainingRun) -> Path:
    """Train the network and fit its profiles; `colde.training.run.FitFunction`."""
    config = build_config(WholeConfig, run.model, "model")
    training = build_config(WholeTraining, run.training, "training")
    corpora = load_corpora(run, training)
    torch.set_num_threads(int(run.settings.get("threads", torch.get_num_threads())))
    work = Run(corpora, config, training, run.seed, run.output)
    work.go()
    work.above()
    known = [judged(c, f) for c, f in zip(corpora, run.corpora, strict=True)]
    if run.profile is not None:
        known = [replace(k, profile=run.profile) for k in known]
    tokens = run.settings.get("judged_tokens")
    vectors = vectors_of(work.network, corpora, known, tokens, run.output / "judged")
    named: dict[str, Any] = {k.name: v for k, v in zip(known, vectors, strict=True)}
    np.savez(run.output / "vectors.npz", **named)
    scoring = cosine_scoring(named)
    model = WholeColde(
        Embedder(work.network),
        card=run.spec.card,
        profiles=fit_profiles(scoring, known, run.seed, strange=scoring),
        training={
            "corpora": [c.name for c in corpora],
            "seed": run.seed,
            "settings": asdict(training),
            "moved": {name: round(share, 4) for name, share in work.network.moved(work.start).items()},
            "history": work.best.history,
            "seconds": round(work.best.seconds, 1),
        },
    )
    model.save(run.output)
    return run.output


@dataclass(frozen=True, slots=True)
class WordSettings:
    """How the words of `colde_words` are trained."""

    steps: int = 100
    pairs: int = 200
    rate: float = 1e-2
    dropout: float = 0.3
    aside: float = WholeTraining().aside


def fit_words(run: TrainingRun) -> Path:
    """Train the words channel beside the network that ships, and fit the profiles of their mixture."""
    config = build_config(WordsConfig, run.model, "model")
    settings = build_config(WordSettings, run.training, "training")
    corpora = load_corpora(run, WholeTraining(aside=settings.aside))
    known = [judged(c, f) for c, f in zip(corpora, run.corpora, strict=True)]
    counted = [
        word_corpus(c, f, Path(run.settings.get("counts") or run.work / "counts"))
        for c, f in zip(corpora, run.corpora, strict=True)
    ]
    words = train_words(
        counted,
        TrainConfig(
            words_steps=settings.steps,
            words_pairs=settings.pairs,
            words_rate=settings.rate,
            words_dropout=settings.dropout,
        ),
        config.dimension,
        run.seed,
    )
    kept = run.settings.get("vectors")
    if kept:
        with np.load(kept) as stored:
            dense = [stored[k.name] for k in known]
    else:
        network = WholeNetwork(WholeConfig(**read_config(asset("models", "colde")).settings))
        network.load_state_dict(read_tensors(asset("models", "colde")))
        dense = vectors_of(network, corpora, known, run.settings.get("judged_tokens"), run.work / "judged")
    channels = {k.name: channel_scores(k, d, words, c) for k, d, c in zip(known, dense, counted, strict=True)}
    mixture = Mixture.of(config.mixture)

    def scoring(weights: Callable[[JudgedCorpus], ChannelWeights]) -> Scoring:
        def score(corpus: JudgedCorpus, pairs: np.ndarray) -> Array:
            return mixed(channels[corpus.name](pairs), weights(corpus))

        return score

    profiles = fit_profiles(
        scoring(lambda c: mixture.weights(c.profile)),
        known,
        run.seed,
        general=scoring(lambda c: mixture.weights(GENERAL)),
        strange=scoring(lambda c: mixture.weights(GENERAL, reference=True)),
    )
    shipped = asset("models", "colde")
    model = ColdeWords(
        WholeColde.load(shipped),
        words,
        replace(config, network=read_config(shipped).weights or ""),
        card=run.spec.card,
        profiles=profiles,
        training={"corpora": [c.name for c in corpora], "seed": run.seed, "settings": asdict(settings)},
    )
    model.save(run.output)
    return run.output


Channels = dict[str, Array]
"""Scores of pairs by channel: dense, words, exact."""


def channel_scores(
    known: JudgedCorpus, dense: Array, words: Any, counted: WordCorpus
) -> Callable[[np.ndarray], Channels]:
    """How pairs of a corpus score in each channel."""
    rows = weighted(counted.counts[known.positions], words.statistics)
    with torch.inference_mode():
        spoken = words(words.known(rows)).numpy()

    def score(pairs: np.ndarray) -> Channels:
        i, j = pairs[:, 0], pairs[:, 1]
        exact = np.asarray(rows[i].multiply(rows[j]).sum(1)).ravel()
        return {
            "dense": (dense[i] * dense[j]).sum(-1),
            "words": (spoken[i] * spoken[j]).sum(-1),
            "exact": exact,
        }

    return score


def mixed(channels: Channels, weights: ChannelWeights) -> Array:
    """The weighted mean of the channels, as `ColdeWords.match` gives it."""
    total = (
        weights.dense * channels["dense"]
        + weights.words * channels["words"]
        + weights.exact * channels["exact"]
    )
    return np.asarray(total, dtype=np.float32)
