"""Models over the encoder that a comparison takes."""

from __future__ import annotations

from collections.abc import Callable

from colde.encoders.encoder_names import PACKAGED
from colde.models.base import EncoderAware, Matcher


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
