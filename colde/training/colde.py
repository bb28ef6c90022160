"""`colde train colde`: network, words channel, and the profiles of their mixture.

The encoder stays frozen unless the settings say otherwise, so that its chunk vectors are computed once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from colde.encoders.frozen import shared_frozen_encoder
from colde.judge.calibration import Profile
from colde.judge.profiles import GENERAL, profile_table
from colde.models.colde import ChannelWeights, Colde, ColdeConfig, ColdeNetwork, Mixture, WordChannel
from colde.results.maps import Array
from colde.training.channels import Channels, channels, recentred
from colde.training.encoder import fit_encoder, with_encoder
from colde.training.fit import fit_network, fit_words
from colde.training.ids import kept_ids
from colde.training.pairs import TrainingCorpus, load_corpus
from colde.training.profiles import Scoring, fit_profiles
from colde.training.run import TrainingRun, build_config
from colde.training.settings import TrainConfig


def fit(run: TrainingRun) -> Path:
    """Train CoLDE or one of its variants; `colde.training.run.FitFunction`."""
    config = build_config(ColdeConfig, run.model, "model")
    training = build_config(TrainConfig, run.training, "training")
    corpora, output, seed, resume, on_progress = (
        run.corpora,
        run.output,
        run.seed,
        run.resume,
        run.on_progress,
    )
    folder = Path(run.settings.get("vectors") or run.work / "vectors")
    frozen = shared_frozen_encoder(config.encoder)
    most = {p.corpus: p.most_chunks or training.most_chunks for p in profile_table().values()}
    most |= run.settings.get("most_chunks", {})
    loaded = run.named(
        [load_corpus(c, folder, frozen, most.get(c.name, training.most_chunks), on_progress) for c in corpora]
    )
    started = time.perf_counter()
    network, best = fit_network(config, training, loaded, seed, output, resume, on_progress)
    encoder = None
    if config.fine_tuned != "frozen":
        ids = [kept_ids(c, folder, frozen.tokenizer) for c in corpora]
        encoder, best = fit_encoder(network, training, loaded, ids, seed, output, resume, on_progress)
        loaded = [with_encoder(c, encoder, i, training) for c, i in zip(loaded, ids, strict=True)]
    words = None
    if config.words:
        words = fit_words(config, training, loaded, seed, output, resume, on_progress)
    profiles = fit_mixture(network, words, loaded, seed)
    trained = Colde(
        network,
        card=run.spec.card,
        profiles=profiles,
        structured=encoder,
        words=words,
        training={
            "corpora": [c.name for c in loaded],
            "seed": seed,
            "settings": asdict(training),
            "best_step": best.step,
            "valid_auc": round(best.score, 5),
            "seconds": round(time.perf_counter() - started, 1),
        },
    )
    trained.save(output)
    return output


def fit_mixture(
    network: ColdeNetwork, words: WordChannel | None, corpora: Sequence[TrainingCorpus], seed: int
) -> dict[str, Profile]:
    """CoLDE's profiles, each with its own shares of the score."""
    known = {c.name: channels(network, words, c) for c in corpora}
    centred = {c.name: channels(recentred(network, c), words, c) for c in corpora}
    mixture = Mixture() if words is None else Mixture.of(network.config.mixture)

    def scoring(
        among: Mapping[str, Channels], weights: Callable[[TrainingCorpus], ChannelWeights]
    ) -> Scoring:
        def score(corpus: TrainingCorpus, pairs: np.ndarray) -> Array:
            return among[corpus.name].score(pairs, weights(corpus))

        return score

    return fit_profiles(
        scoring(known, lambda c: mixture.weights(c.profile)),
        corpora,
        seed,
        general=scoring(known, lambda c: mixture.weights(GENERAL)),
        strange=scoring(centred, lambda c: mixture.weights(GENERAL, reference=True)),
    )
