"""CoLDE's attention over an encoder that no network was trained for: without a projection, and with its own centre.

Vectors of such an encoder share a large part, which depends on the language. So c (3) is the mean of the document
itself, drawn towards a background, the mean of example sentences in many languages, where the document is short. The
vector z (5) then is the mean of the document less the background.

Whether one text is a translation of the other was measured with the multilingual encoder (docs/languages.md). Two texts
in one language were not, and other encoders were not: these have no threshold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from colde.encoders.background_centre import background_centre
from colde.encoders.encoder_names import MULTILINGUAL
from colde.judge.calibration import Profile
from colde.judge.profiles import profile_table
from colde.models.base import Card
from colde.models.colde.network import ColdeConfig, ColdeNetwork
from colde.results.similarity_map import Array

BACKGROUND_SEGMENTS = 4.0
"""Segments that the background counts as in the centre of a document, chosen on sections of chapters 3 to 5 of the
Debian Reference as documents: AUC 0.994, with 0.5 or 32 it is 0.989 or 0.990."""

TRANSLATION_THRESHOLD = 0.3
"""Score from which a text is called a translation of the other. On those chapters, translations have at least 0.44, and
other chapters at most 0.10."""

CORPUS = "Debian Reference in five languages"
"""Where the threshold was chosen."""

TITLES = {"colde_words": "CoLDE without words"}
"""Titles of the models that it stands in for, by name."""

SCORE_MEANS = (
    "What the segments of each document, about 64 tokens each, find in the other: the similarity of every pair, "
    "weighted by attention. No network was trained for this encoder, and words are not compared. 1 for the same "
    "document; no probability."
)


class UntrainedNetwork(ColdeNetwork):
    """The network without trained weights, over an encoder.

    Args:
        background: [width], the mean unit vector of example sentences.
    """

    def __init__(self, encoder: str, background: Array) -> None:
        width = len(background)
        super().__init__(ColdeConfig(encoder=encoder, width=width, projection=width))
        self.centre.copy_(torch.from_numpy(background))
        with torch.no_grad():
            self.project.weight.copy_(torch.eye(width))
        self.eval().requires_grad_(False)

    def document_centre(self, states: Array, mass: Array) -> Tensor:
        count = len(mass)
        mean = torch.from_numpy(np.asarray(mass @ states, dtype=np.float32))
        return (count * mean + BACKGROUND_SEGMENTS * self.centre) / (count + BACKGROUND_SEGMENTS)


@lru_cache(maxsize=2)
def untrained_network(encoder: str) -> UntrainedNetwork:
    """The network over an encoder, which this process shares.

    Raises:
        ModelError, MissingExtraError: as `shared_encoder`.
    """
    return UntrainedNetwork(encoder, background_centre(encoder))


def untrained_card(card: Card) -> Card:
    """The card of a model that CoLDE's attention stands in for."""
    title = TITLES.get(card.name, f"{card.title}, untrained")
    return replace(card, title=title, score_means=SCORE_MEANS, languages=(), noise={})


def untrained_profiles(encoder: str) -> Mapping[str, Profile]:
    """Thresholds between languages with the multilingual encoder, the same for all kinds; none for others."""
    if encoder != MULTILINGUAL:
        return {}
    return {
        name: Profile(name, TRANSLATION_THRESHOLD, corpora=(CORPUS,), between_languages=True)
        for name in profile_table()
    }
