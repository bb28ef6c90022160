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
from colde.models.colde.config import WholeConfig
from colde.models.colde.embedding import Embedder
from colde.models.colde.matcher import WholeColde
from colde.models.colde.network import WholeNetwork
from colde.models.colde_words.mixture_matcher import ColdeWords, WordsConfig
from colde.models.colde_words.mixture_weights import ChannelWeights, Mixture
from colde.models.colde_words.tfidf_centre import PLAIN, WordCentre
from colde.models.colde_words.trained_words import WordChannel
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import Array
from colde.text.term_weights import Counts, Statistics, weighted
from colde.training.colde_corpus import WholeCorpus, load_whole
from colde.training.colde_objective import WholeObjective, WholeTraining, pair_scores
from colde.training.colde_words_fit import WordCorpus, WordSettings, train_words, word_corpus
from colde.training.labelled_pairs import DocumentIds, PairGraph
from colde.training.seeding import seeded
from colde.training.sentence_vectors import Budgets, Filler, fill
from colde.training.threshold_fit import Scoring, fit_profiles
from colde.training.training_loop import LoopConfig, run_loop
from colde.training.training_run import TrainingRun, build_config


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


def some_pairs(known: JudgedCorpus, most: int, seed: int) -> JudgedCorpus:
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


def scores_of(network: WholeNetwork, corpora: Mapping[str, WholeCorpus]) -> Scoring:
    """Scores of pairs of what is judged, from the sentence vectors that are kept."""

    def score(corpus: JudgedCorpus, pairs: np.ndarray) -> Array:
        return pair_scores(network, corpora[corpus.name], corpus.positions[pairs])["attention"]

    return score


def stranger_scores(network: WholeNetwork, corpora: Mapping[str, WholeCorpus]) -> Scoring:
    """Scores as `general` judges documents of a kind it does not know: adapted to a reference of each corpus."""
    adapted = {name: adapted_to_itself(network, corpus) for name, corpus in corpora.items()}

    def score(corpus: JudgedCorpus, pairs: np.ndarray) -> Array:
        own = corpora[corpus.name]
        return pair_scores(adapted[corpus.name], own, corpus.positions[pairs])["attention"]

    return score


def adapted_to_itself(network: WholeNetwork, corpus: WholeCorpus) -> WholeNetwork:
    """The network as it judges documents of a corpus that is its own reference."""
    known = [corpus.segments[int(d)] for d in reference_documents(corpus)]
    return adapt(network, [c.means for c in known], [c.mass for c in known])


def reference_documents(corpus: WholeCorpus) -> NDArray[np.int64]:
    """As many documents as `colde.judge.reference` reads, evenly spread over the corpus."""
    count = len(corpus.layouts.names)
    return np.unique(np.round(np.linspace(0, count - 1, min(MOST, count))).astype(np.int64))


def load_corpora(run: TrainingRun, aside: float) -> list[WholeCorpus]:
    """The corpora with vectors of their sentences, under `sentences` in the run's work folder; computed if need be."""
    folder = Path(run.settings.get("sentences") or run.work / "sentences")
    return ready_corpora(run.corpora, folder, aside, run.on_progress)


def ready_corpora(
    paths: Sequence[Path], folder: Path, aside: float, on_progress: OnProgress | None = None
) -> list[WholeCorpus]:
    """Corpora with vectors of their sentences, kept in `folder`; computed if need be."""
    filler: Filler | None = None
    found = []
    for path in paths:
        (folder / path.name).mkdir(parents=True, exist_ok=True)
        corpus = load_whole(path, folder, aside)
        if not corpus.kept.ready.all():
            filler = filler or Filler()
            for done, total in fill(path, folder, Budgets(), filler):
                if on_progress is not None:
                    on_progress(Progress(Stage.SENTENCES, done, total, subject=path.name))
        found.append(corpus)
    return found


def fit(run: TrainingRun) -> Path:
    """Train the network and fit its profiles; `colde.training.training_run.FitFunction`."""
    config = build_config(WholeConfig, run.model, "model")
    training = build_config(WholeTraining, run.training, "training")
    corpora = load_corpora(run, training.aside)
    network, record = train_network(run, config, training, corpora)
    scoring = scores_of(network, {c.name: c for c in corpora})
    strange = stranger_scores(network, {c.name: c for c in corpora})
    known = judged_corpora(run, corpora)
    profiles = fit_profiles(scoring, known, run.seed, strange=strange, folders=run.corpora)
    model = WholeColde(Embedder(network), card=run.spec.card, profiles=profiles, training=record)
    model.save(run.output)
    return run.output


def train_network(
    run: TrainingRun, config: WholeConfig, training: WholeTraining, corpora: Sequence[WholeCorpus]
) -> tuple[WholeNetwork, dict[str, Any]]:
    """The network as it was at its best validation, and what a checkpoint says of the run."""
    with seeded(run.seed):
        network = WholeNetwork(config)
    network.centre.copy_(torch.from_numpy(np.mean([c.centre() for c in corpora], axis=0)))
    start = {name: p.detach().clone() for name, p in network.named_parameters()}
    objective = WholeObjective(network, corpora, training, run.seed)
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
        "moved": {name: round(share, 4) for name, share in network.moved(start).items()},
        "step": best.step,
        "history": objective.history,
        "seconds": round(best.seconds, 1),
    }


def judged_corpora(run: TrainingRun, corpora: Sequence[WholeCorpus]) -> list[JudgedCorpus]:
    """Corpora that a run's thresholds are fitted on, under its own profile if it has one."""
    known = [judged(c, f) for c, f in zip(corpora, run.corpora, strict=True)]
    return [replace(k, profile=run.profile) for k in known] if run.profile is not None else known


def fit_words(run: TrainingRun) -> Path:
    """Train the words channel beside the network that ships, and fit the profiles of their mixture.

    The words that are judged know nothing of the development part; those of the checkpoint are trained on all pairs, as
    long: words gain by it, the network does not (docs/results.md). The setting `network` names the checkpoint of
    `colde`, by default the one that ships.
    """
    config = build_config(WordsConfig, run.model, "model")
    settings = build_config(WordSettings, run.training, "training")
    shipped = Path(run.settings.get("network") or asset("models", "colde"))
    corpora = load_corpora(run, settings.aside)
    known = judged_corpora(run, corpora)
    counted, words = train_channel(run, settings, config.dimension, corpora, "state")
    network, by_name = read_network(shipped), {c.name: c for c in corpora}
    dense, around = scores_of(network, by_name), stranger_scores(network, by_name)
    channels = {k.name: channel_scores(k, dense, words, c) for k, c in zip(known, counted, strict=True)}
    strange = {
        k.name: channel_scores(k, around, words, c, word_centre(by_name[k.name], c, words.statistics))
        for k, c in zip(known, counted, strict=True)
    }
    mixture = Mixture.of(config.mixture)

    def scoring(weights: Callable[[JudgedCorpus], ChannelWeights], found: ByCorpus = channels) -> Scoring:
        def score(corpus: JudgedCorpus, pairs: np.ndarray) -> Array:
            return mixed(found[corpus.name](pairs), weights(corpus))

        return score

    profiles = fit_profiles(
        scoring(lambda c: mixture.weights(c.profile)),
        known,
        run.seed,
        general=scoring(lambda c: mixture.weights(GENERAL)),
        strange=scoring(lambda c: mixture.weights(GENERAL, reference=True), strange),
        folders=run.corpora,
    )
    if settings.everything:
        _, words = train_channel(run, settings, config.dimension, load_corpora(run, 0.0), "everything")
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


def read_network(folder: Path) -> WholeNetwork:
    """The network of a checkpoint."""
    network = WholeNetwork(WholeConfig(**read_config(folder).settings))
    network.load_state_dict(read_tensors(folder))
    return network.eval()


def train_channel(
    run: TrainingRun, settings: WordSettings, dimension: int, corpora: Sequence[WholeCorpus], state: str
) -> tuple[list[WordCorpus], WordChannel]:
    """The word counts of the corpora, and the words channel trained on their pairs."""
    counts = Path(run.settings.get("counts") or run.work / "counts")
    counted = [word_corpus(c, f, counts) for c, f in zip(corpora, run.corpora, strict=True)]
    words = train_words(
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


def word_centre(corpus: WholeCorpus, counted: WordCorpus, statistics: Statistics) -> WordCentre:
    """The centre of a reference made of the corpus itself."""
    return WordCentre.of(weighted(Counts(counted.counts[reference_documents(corpus)]), statistics))


def channel_scores(
    known: JudgedCorpus,
    dense: Scoring,
    words: WordChannel,
    counted: WordCorpus,
    centre: WordCentre = PLAIN,
) -> Callable[[np.ndarray], Channels]:
    """Build a function that scores pairs of a corpus in each channel."""
    rows = weighted(counted.counts[known.positions], words.statistics)
    with torch.inference_mode():
        spoken = words(words.known(rows)).numpy()

    def score(pairs: np.ndarray) -> Channels:
        i, j = pairs[:, 0], pairs[:, 1]
        return {
            "dense": dense(known, pairs),
            "words": (spoken[i] * spoken[j]).sum(-1),
            "exact": centre.cosines(rows[i], rows[j]),
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
