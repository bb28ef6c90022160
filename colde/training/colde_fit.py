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
from torch import nn

from colde.assets import asset
from colde.judge.profiles import GENERAL, profile_of
from colde.judge.reference import MOST
from colde.models.checkpoint import read_config, read_tensors
from colde.models.colde.adaptation import adapt
from colde.models.colde.config import ColdeConfig
from colde.models.colde.embedding import Embedder
from colde.models.colde.matcher import Colde
from colde.models.colde.network import ColdeNetwork
from colde.models.colde_words.mixture_matcher import ColdeWords, ColdeWordsConfig
from colde.models.colde_words.mixture_weights import Mixture, MixtureWeights
from colde.models.colde_words.tfidf_centre import NO_CENTRE, TfidfCentre
from colde.models.colde_words.trained_words import TrainedWords
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import Array
from colde.text.term_weights import Counts, Statistics, weighted
from colde.training.colde_corpus import VectorCorpus, load_vector_corpus
from colde.training.colde_objective import ColdeObjective, ColdeTraining, pair_scores
from colde.training.colde_words_fit import (
    CorpusWordCounts,
    WordVectorTraining,
    corpus_word_counts,
    train_word_vectors,
)
from colde.training.labelled_pairs import DocumentIds, PairGraph
from colde.training.seeding import seeded
from colde.training.sentence_vectors import MissingVectorWriter, TokenBudgets, encode_missing
from colde.training.threshold_fit import Scoring, fit_profiles
from colde.training.training_loop import LoopConfig, run_loop
from colde.training.training_run import TrainingRun, build_config


@dataclass(frozen=True, slots=True)
class HeldOutPairs:
    """A `ProfileCorpus`: validation pairs and those of the development part, for thresholds and mixtures.

    Attributes:
        positions: [whole], positions in `VectorCorpus.layouts`.
        kind: [pairs], of each pair how many of the two documents were not trained on.
    """

    name: str
    profile: str
    whole: DocumentIds
    valid: PairGraph
    related: sparse.csr_matrix
    positions: NDArray[np.int64]
    kind: NDArray[np.int64]


def held_out(corpus: VectorCorpus, folder: Path) -> HeldOutPairs:
    """All labelled pairs that were not trained on."""
    graphs = (corpus.valid, corpus.one, corpus.none)
    ends = np.concatenate([g.pairs for g in graphs])
    labels = np.concatenate([g.labels for g in graphs])
    kind = np.concatenate([corpus.new, np.full(len(corpus.one.pairs), 1), np.full(len(corpus.none.pairs), 2)])
    positions, local = np.unique(ends, return_inverse=True)
    names = corpus.layouts.names
    related = sum((g.similar for g in (*graphs, corpus.train)), start=corpus.train.similar)
    chosen = sparse.csr_matrix(related[positions][:, positions])
    return HeldOutPairs(
        name=corpus.name,
        profile=profile_of(folder.name),
        whole=DocumentIds(tuple(names[p] for p in positions)),
        valid=PairGraph(chosen, chosen, local.reshape(-1, 2), labels),
        related=chosen,
        positions=positions,
        kind=kind,
    )


def sample_pairs(known: HeldOutPairs, most: int, seed: int) -> HeldOutPairs:
    """At most so many of the pairs, and no more documents than they need; pairs of new documents first."""
    random = np.random.default_rng(seed)
    order = np.argsort(-np.minimum(known.kind, 1), kind="stable")
    order = random.permutation(order[: max(most, int((known.kind > 0).sum()))])[:most]
    used, local = np.unique(known.valid.pairs[order], return_inverse=True)
    related = sparse.csr_matrix(known.related[used][:, used])
    return replace(
        known,
        whole=DocumentIds(tuple(known.whole.ids[d] for d in used)),
        valid=PairGraph(related, related, local.reshape(-1, 2), known.valid.labels[order]),
        related=related,
        positions=known.positions[used],
        kind=known.kind[order],
    )


def scores_from_vectors(network: ColdeNetwork, corpora: Mapping[str, VectorCorpus]) -> Scoring:
    """Scores of pairs of what is judged, from the sentence vectors that are kept."""

    def score(corpus: HeldOutPairs, pairs: np.ndarray) -> Array:
        return pair_scores(network, corpora[corpus.name], corpus.positions[pairs])["attention"]

    return score


def out_of_domain_scores(network: ColdeNetwork, corpora: Mapping[str, VectorCorpus]) -> Scoring:
    """Scores as `general` judges documents of a kind it does not know: adapted to a reference of each corpus."""
    adapted = {name: adapted_to_corpus(network, corpus) for name, corpus in corpora.items()}

    def score(corpus: HeldOutPairs, pairs: np.ndarray) -> Array:
        own = corpora[corpus.name]
        return pair_scores(adapted[corpus.name], own, corpus.positions[pairs])["attention"]

    return score


def adapted_to_corpus(network: ColdeNetwork, corpus: VectorCorpus) -> ColdeNetwork:
    """The network as it judges documents of a corpus that is its own reference."""
    known = [corpus.segments[int(d)] for d in reference_documents(corpus)]
    return adapt(network, [c.means for c in known], [c.mass for c in known])


def reference_documents(corpus: VectorCorpus) -> NDArray[np.int64]:
    """As many documents as `colde.judge.reference` reads, evenly spread over the corpus."""
    count = len(corpus.layouts.names)
    return np.unique(np.round(np.linspace(0, count - 1, min(MOST, count))).astype(np.int64))


def load_vector_corpora(run: TrainingRun, aside: float) -> list[VectorCorpus]:
    """The corpora with vectors of their sentences, under `sentences` in the run's work folder; computed if need be."""
    folder = Path(run.settings.get("sentences") or run.work / "sentences")
    return corpora_with_vectors(run.corpora, folder, aside, run.on_progress)


def corpora_with_vectors(
    paths: Sequence[Path], folder: Path, aside: float, on_progress: OnProgress | None = None
) -> list[VectorCorpus]:
    """Corpora with vectors of their sentences, kept in `folder`; computed if need be."""
    filler: MissingVectorWriter | None = None
    found = []
    for path in paths:
        (folder / path.name).mkdir(parents=True, exist_ok=True)
        corpus = load_vector_corpus(path, folder, aside)
        if not corpus.kept.ready.all():
            filler = filler or MissingVectorWriter()
            for done, total in encode_missing(path, folder, TokenBudgets(), filler):
                if on_progress is not None:
                    on_progress(Progress(Stage.SENTENCES, done, total, subject=path.name))
        found.append(corpus)
    return found


def fit(run: TrainingRun) -> Path:
    """Train the network and fit its profiles; `colde.training.training_run.FitFunction`."""
    config = build_config(ColdeConfig, run.model, "model")
    training = build_config(ColdeTraining, run.training, "training")
    corpora = load_vector_corpora(run, training.aside)
    network, record = train_network(run, config, training, corpora)
    scoring = scores_from_vectors(network, {c.name: c for c in corpora})
    out_of_domain = out_of_domain_scores(network, {c.name: c for c in corpora})
    known = held_out_pairs(run, corpora)
    profiles = fit_profiles(scoring, known, run.seed, out_of_domain=out_of_domain, folders=run.corpora)
    model = Colde(Embedder(network), card=run.spec.card, profiles=profiles, training=record)
    model.save(run.output)
    return run.output


def train_network(
    run: TrainingRun, config: ColdeConfig, training: ColdeTraining, corpora: Sequence[VectorCorpus]
) -> tuple[ColdeNetwork, dict[str, Any]]:
    """The network as it was at its best validation, and what a checkpoint says of the run."""
    with seeded(run.seed):
        network = ColdeNetwork(config)
    network.centre.copy_(torch.from_numpy(np.mean([c.centre() for c in corpora], axis=0)))
    start = {name: p.detach().clone() for name, p in network.named_parameters()}
    objective = ColdeObjective(network, corpora, training, run.seed)
    quick = training.quick_rate / training.rate
    best = run_loop(
        nn.ModuleDict({"network": network, "losses": objective.pair_losses}),
        objective,
        LoopConfig(
            steps=training.steps,
            learning_rate=training.rate,
            weight_decay=training.weight_decay,
            rates={
                "network.attention.log_sharpness": quick,
                "losses": quick,
            },
            warm_up=training.warm_up,
            clip=training.clip,
            validate_every=training.validate_every,
        ),
        seed=run.seed,
        state=run.output / "state",
        resume=run.resume,
        on_progress=run.on_progress,
        run={"model": asdict(config), "training": asdict(training), "corpora": [c.name for c in corpora]},
    )
    return network, {
        "corpora": [c.name for c in corpora],
        "seed": run.seed,
        "settings": asdict(training),
        "moved": {name: round(share, 4) for name, share in network.relative_change(start).items()},
        "step": best.step,
        "history": objective.history,
        "seconds": round(best.seconds, 1),
    }


def held_out_pairs(run: TrainingRun, corpora: Sequence[VectorCorpus]) -> list[HeldOutPairs]:
    """Corpora that a run's thresholds are fitted on, under its own profile if it has one."""
    known = [held_out(c, f) for c, f in zip(corpora, run.corpora, strict=True)]
    return [replace(k, profile=run.profile) for k in known] if run.profile is not None else known


def fit_words(run: TrainingRun) -> Path:
    """Train the words channel beside the network that ships, and fit the profiles of their mixture.

    The words that are judged know nothing of the development part; those of the checkpoint are trained on all pairs, as
    long: words gain by it, the network does not (docs/results.md). The setting `network` names the checkpoint of
    `colde`, by default the one that ships.
    """
    config = build_config(ColdeWordsConfig, run.model, "model")
    settings = build_config(WordVectorTraining, run.training, "training")
    shipped = Path(run.settings.get("network") or asset("models", "colde"))
    corpora = load_vector_corpora(run, settings.aside)
    known = held_out_pairs(run, corpora)
    counted, words = train_on_corpora(run, settings, config.dimension, corpora, "state")
    network, by_name = load_network(shipped), {c.name: c for c in corpora}
    dense, around = scores_from_vectors(network, by_name), out_of_domain_scores(network, by_name)
    channels = {k.name: channel_scores(k, dense, words, c) for k, c in zip(known, counted, strict=True)}
    out_of_domain = {
        k.name: channel_scores(k, around, words, c, corpus_tfidf_centre(by_name[k.name], c, words.statistics))
        for k, c in zip(known, counted, strict=True)
    }
    mixture = Mixture.of(config.mixture)

    def scoring(weights: Callable[[HeldOutPairs], MixtureWeights], found: ByCorpus = channels) -> Scoring:
        def score(corpus: HeldOutPairs, pairs: np.ndarray) -> Array:
            return mix_channels(found[corpus.name](pairs), weights(corpus))

        return score

    profiles = fit_profiles(
        scoring(lambda c: mixture.weights(c.profile)),
        known,
        run.seed,
        general=scoring(lambda c: mixture.weights(GENERAL)),
        out_of_domain=scoring(lambda c: mixture.weights(GENERAL, reference=True), out_of_domain),
        folders=run.corpora,
    )
    if settings.everything:
        _, words = train_on_corpora(
            run, settings, config.dimension, load_vector_corpora(run, 0.0), "everything"
        )
    model = ColdeWords(
        Colde.load(shipped),
        words,
        replace(config, network=read_config(shipped).weights or ""),
        card=run.spec.card,
        profiles=profiles,
        training={"corpora": [c.name for c in corpora], "seed": run.seed, "settings": asdict(settings)},
    )
    model.save(run.output)
    return run.output


def load_network(folder: Path) -> ColdeNetwork:
    """The network of a checkpoint."""
    network = ColdeNetwork(ColdeConfig(**read_config(folder).settings))
    network.load_state_dict(read_tensors(folder))
    return network.eval()


def train_on_corpora(
    run: TrainingRun,
    settings: WordVectorTraining,
    dimension: int,
    corpora: Sequence[VectorCorpus],
    state: str,
) -> tuple[list[CorpusWordCounts], TrainedWords]:
    """The word counts of the corpora, and the words channel trained on their pairs."""
    counts = Path(run.settings.get("counts") or run.work / "counts")
    counted = [corpus_word_counts(c, f, counts) for c, f in zip(corpora, run.corpora, strict=True)]
    words = train_word_vectors(
        counted,
        settings,
        dimension,
        run.seed,
        state=run.output / state,
        resume=run.resume,
        on_progress=run.on_progress,
    )
    return counted, words


Channels = dict[str, Array]
"""Scores of pairs by channel: dense, words, exact."""

ByCorpus = Mapping[str, Callable[[np.ndarray], Channels]]
"""Scores of pairs in each channel, by corpus."""


def corpus_tfidf_centre(
    corpus: VectorCorpus, counted: CorpusWordCounts, statistics: Statistics
) -> TfidfCentre:
    """The centre of a reference made of the corpus itself."""
    return TfidfCentre.of(weighted(Counts(counted.counts[reference_documents(corpus)]), statistics))


def channel_scores(
    known: HeldOutPairs,
    dense: Scoring,
    words: TrainedWords,
    counted: CorpusWordCounts,
    centre: TfidfCentre = NO_CENTRE,
) -> Callable[[np.ndarray], Channels]:
    """Build a function that scores pairs of a corpus in each channel."""
    rows = weighted(counted.counts[known.positions], words.statistics)
    with torch.inference_mode():
        word_vectors = words(words.known(rows)).numpy()

    def score(pairs: np.ndarray) -> Channels:
        i, j = pairs[:, 0], pairs[:, 1]
        return {
            "dense": dense(known, pairs),
            "words": (word_vectors[i] * word_vectors[j]).sum(-1),
            "exact": centre.cosines(rows[i], rows[j]),
        }

    return score


def mix_channels(channels: Channels, weights: MixtureWeights) -> Array:
    """The weighted mean of the channels, as `ColdeWords.match` gives it."""
    total = (
        weights.dense * channels["dense"]
        + weights.words * channels["words"]
        + weights.exact * channels["exact"]
    )
    return np.asarray(total, dtype=np.float32)
