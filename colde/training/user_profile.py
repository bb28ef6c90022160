"""`colde fit`: a profile of a user's corpus for a model that is trained already. No weights change."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from colde import models
from colde.errors import CorpusError, ModelError
from colde.judge.calibration import Profile
from colde.judge.profile_fit import ENOUGH_PAIRS, fit_channel_weights, fit_profile
from colde.judge.profiles import profile_table
from colde.models.base import ProfileAware
from colde.models.checkpoint import CONFIG, StoredConfig, copy_with_profile, read_config
from colde.models.colde_words.mixture_matcher import DENSE, ColdeWords
from colde.models.colde_words.mixture_weights import MixtureWeights
from colde.models.user_profiles import check_name, profile_path, save_user_profile
from colde.results.encoding import Encoding
from colde.results.progress import OnProgress
from colde.training.corpora.held_out import HeldOutPairs, validation_pairs
from colde.training.profile_scores import UNRELATED, draw_unrelated_pairs, score_corpus
from colde.training.untrained_fit import encode_documents, matcher_scores

FEWEST_PAIRS = 10
"""Labelled pairs that a profile needs."""


def fit_user_profile(
    model: str,
    corpus: Path,
    name: str,
    output: Path | None = None,
    *,
    force: bool = False,
    seed: int = 0,
    on_progress: OnProgress | None = None,
) -> tuple[Path, Profile]:
    """Fit a profile on the validation pairs of a corpus and store it; returns the file or folder, and the profile.

    Args:
        model: a registered name, or the folder of a checkpoint.
        output: a folder for a checkpoint with the profile; by default the profile goes to the user's profiles.
        force: replace a profile of the same name, or the checkpoint in `output`.

    Raises:
        ModelError: the model is not trained, or the name cannot be used.
        CorpusError: the corpus has no validation pairs, too few, or pairs of one label only.
    """
    folder = models.folder_of(model)
    matcher, config = models.load(model), read_config(folder)
    _check_free(name, config, folder, output, force)
    pairs = _checked_pairs(corpus, name)
    if isinstance(matcher, ProfileAware):
        matcher = matcher.for_profile(name)
    encodings = encode_documents(matcher, corpus, pairs, on_progress)
    weights: dict[str, float] = {}
    if isinstance(matcher, ColdeWords) and len(pairs.labels) >= ENOUGH_PAIRS:
        fitted = _fit_weights(matcher, encodings, pairs)
        matcher, weights = matcher.with_weights(fitted), asdict(fitted)
    scores = score_corpus(
        pairs,
        corpus,
        matcher_scores(matcher, {pairs.name: encodings}, on_progress),
        seed,
        models.spec_of(model).training.get("unrelated_pairs", UNRELATED),
    )
    profile = replace(fit_profile(name, [scores], matcher.card.score_kind), weights=weights)
    if output is None:
        return save_user_profile(profile, config), profile
    copy_with_profile(folder, output, profile)
    return output, profile


def _fit_weights(matcher: ColdeWords, encodings: Sequence[Encoding], corpus: HeldOutPairs) -> MixtureWeights:
    """The weights of the channels that tell the validation pairs of a corpus apart."""
    even = matcher.with_weights(MixtureWeights(1 / 3, 1 / 3))
    parts = [even.match(encodings[i], encodings[j], explain=False).parts for i, j in corpus.pairs]
    values = [{p.name: p.value for p in of_pair} for of_pair in parts]
    names = (DENSE, matcher.words.name, matcher.centre.name)
    channels = np.array([[of_pair.get(name, np.nan) for name in names] for of_pair in values])
    present = matcher.weights
    _, words, exact = fit_channel_weights(
        channels, corpus.labels, (present.dense, present.words, present.exact)
    )
    return MixtureWeights(words, exact)


def _check_free(name: str, config: StoredConfig, folder: Path, output: Path | None, force: bool) -> None:
    """Raise ModelError for a name that cannot be used, or that is taken and shall not be replaced."""
    check_name(name)
    _check_writable(output or profile_path(name, config).parent)
    if output is None:
        if name in profile_table():
            raise ModelError(
                f"the profile {name!r} ships: choose another name, or name a folder with --output"
            )
        if not force and (profile_path(name, config).is_file() or name in config.profiles):
            raise ModelError(
                f"{config.name} has a profile {name!r} already: replace it with --force, or choose another name"
            )
    elif not force:
        in_place = output.resolve() == folder.resolve()
        if in_place and name in config.profiles:
            raise ModelError(f"{output} has a profile {name!r} already: replace it with --force")
        if not in_place and (output / CONFIG).is_file():
            raise ModelError(
                f"{output} holds a checkpoint already: replace it with --force, or name another folder"
            )


def _check_writable(folder: Path) -> None:
    """Raise ModelError now, not after the fit, if the folder cannot be made or written."""
    existing = next(p for p in (folder.absolute(), *folder.absolute().parents) if os.access(p, os.F_OK))
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        raise ModelError(f"{folder} cannot be written: {existing} is a file, or closed to you")


def _checked_pairs(corpus: Path, profile: str) -> HeldOutPairs:
    """The validation pairs, if they are enough for a threshold.

    Raises:
        CorpusError: they are not, or all documents in them are related.
    """
    pairs, path = validation_pairs(corpus, profile), corpus / "valid.tsv"
    count, related = len(pairs.labels), int((pairs.labels == 1).sum())
    if count < FEWEST_PAIRS:
        raise CorpusError(f"{path}: {count} labelled pairs; a profile needs at least {FEWEST_PAIRS}")
    if related in (0, count):
        raise CorpusError(
            f"{path}: every pair has the label {int(related > 0)}; a threshold needs related and unrelated pairs"
        )
    if not len(draw_unrelated_pairs(pairs, 0)):
        raise CorpusError(
            f"{path}: every document is related to every other, so there are no unrelated pairs"
        )
    return pairs
