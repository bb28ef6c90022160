"""Training: pairs → batches → loss → early stopping on valid.tsv → checkpoint.

The encoder stays frozen here, so that its chunk vectors are computed once; what is trained is CoLDE's head. A run can
be stopped at any step and resumed with the same result: every draw depends on seed and step alone.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from colde.errors import ModelError
from colde.models import create
from colde.models.base import GENERAL, OnProgress, Profile
from colde.models.colde import SHARES, Colde, ColdeConfig, ColdeNetwork, Shares, WordChannel
from colde.models.colde.config import OWN, STRANGE
from colde.models.registry import CARDS
from colde.runtime.frozen import shared_frozen_encoder
from colde.similarity import Array
from colde.training.channels import Channels, channels, recentred
from colde.training.combined import train_combined
from colde.training.encoder import fit_encoder, with_encoder
from colde.training.fit import fit_network, fit_words
from colde.training.ids import kept_ids
from colde.training.pairs import TrainingCorpus, load_corpus
from colde.training.profiles import PROFILE_OF, Scoring, fit_profiles
from colde.training.rivals import RIVALS, train_rival
from colde.training.settings import VARIANTS, TrainConfig, read_settings
from colde.training.untrained import fit_untrained


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
        model: `colde` or one of its variants, a model with a recipe (`RIVALS`), one that needs no training and gets
            thresholds, or `combined`.
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
    if model == "combined":
        return train_combined(corpora, output, config, seed, on_progress)
    settings = read_settings(config)
    untrained = model in CARDS and not CARDS[model].needs_training
    if not untrained and model not in VARIANTS:
        known = ", ".join((*VARIANTS, *RIVALS, "combined"))
        raise ModelError(f"{model} cannot be trained here; there are: {known}")
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
    network, best = fit_network(model_config, training, loaded, seed, output, resume, on_progress)
    encoder = None
    if model_config.fine_tuned != "frozen":
        ids = [kept_ids(c, folder, frozen.tokenizer) for c in corpora]
        encoder, best = fit_encoder(network, training, loaded, ids, seed, output, resume, on_progress)
        loaded = [with_encoder(c, encoder, i, training) for c, i in zip(loaded, ids, strict=True)]
    words = None
    if model_config.words:
        words = fit_words(model_config, training, loaded, seed, output, resume, on_progress)
    profiles = fit_colde(network, words, loaded, seed)
    trained = Colde(
        network,
        card=replace(CARDS["colde"], name=model),
        profiles=profiles,
        structured=encoder,
        words=words,
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


def fit_colde(
    network: ColdeNetwork, words: WordChannel | None, corpora: Sequence[TrainingCorpus], seed: int
) -> dict[str, Profile]:
    """CoLDE's profiles, each with its own shares of the score."""
    known = {c.name: channels(network, words, c) for c in corpora}
    centred = {c.name: channels(recentred(network, c), words, c) for c in corpora}

    def scoring(among: Mapping[str, Channels], shares: Shares | None) -> Scoring:
        def score(corpus: TrainingCorpus, pairs: np.ndarray) -> Array:
            own = SHARES.get(PROFILE_OF.get(corpus.name, corpus.name), OWN)
            return among[corpus.name].score(pairs, Shares() if words is None else shares or own)

        return score

    general, strange = scoring(known, SHARES[GENERAL]), scoring(centred, STRANGE)
    return fit_profiles(scoring(known, None), corpora, seed, general, strange)
