"""A model fitted to a profile or to a reference, or over another encoder than its own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from colde.comparison.standard_text import prepare_documents
from colde.encoders.encoder_names import PACKAGED
from colde.judge.calibration import QUANTILES, Background
from colde.judge.profiles import threshold_profile
from colde.judge.reference import Reference
from colde.models.base import EncoderAware, Matcher, ProfileAware
from colde.results.progress import OnProgress

PAIRS = 2_000  # random pairs, few of which are related


def apply_reference(
    matcher: Matcher,
    profile: str,
    reference: Reference | None = None,
    on_progress: OnProgress | None = None,
) -> tuple[Matcher, Background | None]:
    """The matcher for documents of a profile or of a reference, and the background of the reference.

    The documents of the reference are prepared as those that are compared. The background depends on the model and the
    reference alone; the reference stores it.
    """
    profile = threshold_profile(profile)
    if reference is None:
        return (matcher.for_profile(profile) if isinstance(matcher, ProfileAware) else matcher), None
    key = matcher, profile  # the model object, not its name, which another model may have
    if key not in reference.applied:
        reference.applied[key] = _apply(matcher, profile, reference, on_progress)
    applied: tuple[Matcher, Background] = reference.applied[key]
    return applied


def _apply(
    matcher: Matcher, profile: str, reference: Reference, on_progress: OnProgress | None
) -> tuple[Matcher, Background]:
    documents = prepare_documents(reference.documents)
    encoded = matcher.encode(documents, explain=False, on_progress=on_progress)
    if isinstance(matcher, ProfileAware):
        matcher = matcher.for_profile(profile, encoded)
        encoded = matcher.encode(documents, explain=False)  # with the new centre; slow parts are cached
    drawn = np.random.default_rng(0).integers(len(encoded), size=(PAIRS, 2))
    scores = [matcher.match(encoded[i], encoded[j], explain=False).score for i, j in drawn if i != j]
    return matcher, Background(
        name=reference.name,
        documents=len(documents),
        # A threshold is not measured in standard deviations of a probability.
        score_std=float(np.std(scores)) if matcher.card.score_kind != "probability" else 0.0,
        quantiles=tuple(float(q) for q in np.quantile(scores, np.linspace(0, 1, QUANTILES))),
    )


def over_encoder(matcher: Matcher, encoder: str) -> Matcher:
    """The model over the encoder of this name; the model itself where it uses none, or for the packaged one.

    Raises:
        ModelError, MissingExtraError: there is no such encoder.
    """
    if encoder == PACKAGED or not isinstance(matcher, EncoderAware):
        return matcher
    return matcher.for_encoder(encoder)


def loader_over_encoder(load: Callable[[str], Matcher], encoder: str) -> Callable[[str], Matcher]:
    """A loader of models by name that gives each over this encoder."""
    return load if encoder == PACKAGED else lambda name: over_encoder(load(name), encoder)
