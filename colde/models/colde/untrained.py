"""CoLDE without what training learnt: the same equations with the identity as projection.

It judges two things that no network was trained for.

Kinds of documents that it was not trained on (`untrained_view`). The document vectors count in the score (λ), and the
mean of a reference replaces the centre of training where there is one. On kinds that were left out of training, the
trained projection is no better than the identity for related pairs and worse for graded similarity (docs/log/colde.md,
`studies/accuracy/unseen_kinds.py`).

Other encoders than the packaged one (`untrained_network`). Their vectors share a large part, which depends on the
language. So c (3) is the mean of the document itself, drawn towards a background, the mean of example sentences in many
languages, where the document is short. The vector z (5) then is the mean of the document less the background. Whether
one text is a translation of the other was measured with the multilingual encoder (docs/languages.md). Two texts in one
language were not, and other encoders were not: these have no threshold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

VECTOR_SHARE = 0.5
"""λ of (9) for other kinds, chosen on related pairs and graded pairs of kinds that were left out of training
(docs/log/colde.md)."""

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
    "How much of each document has a counterpart in the other: segments of about 64 tokens are compared by their "
    "vectors, and the nearest ones count most. Nothing was trained for this encoder, and words are not compared. "
    "1 is the same document; there is no probability."
)


class UntrainedNetwork(ColdeNetwork):
    """The network with the identity as projection.

    Attributes:
        around_documents: whether c is the mean of each document, drawn towards `centre`, instead of `centre`.
    """

    def __init__(self, config: ColdeConfig, centre: Array, *, around_documents: bool = False) -> None:
        super().__init__(replace(config, projection=config.width))
        self.around_documents = around_documents
        self.centre.copy_(torch.from_numpy(centre))
        with torch.no_grad():
            self.project.weight.copy_(torch.eye(config.width))
        self.eval().requires_grad_(False)

    def document_centre(self, states: Array, mass: Array) -> Tensor:
        if not self.around_documents:
            return self.centre
        count = len(mass)
        mean = torch.from_numpy(np.asarray(mass @ states, dtype=np.float32))
        return (count * mean + BACKGROUND_SEGMENTS * self.centre) / (count + BACKGROUND_SEGMENTS)


def untrained_view(network: ColdeNetwork, reference: Sequence[Array] = ()) -> UntrainedNetwork:
    """A copy of a trained network for other kinds of documents.

    Args:
        reference: [segments, width] of each document of a reference, not centred; its mean becomes the centre.
    """
    centre = centre_of(reference) if len(reference) else network.centre.numpy()
    view = UntrainedNetwork(replace(network.config, vector_share=VECTOR_SHARE), centre)
    view.attention.load_state_dict(network.attention.state_dict())
    return view


def centre_of(states: Sequence[Array]) -> Array:
    """The mean over documents of the means of their segments: [width]."""
    return np.asarray(np.mean([s.mean(0) for s in states if len(s)], axis=0), dtype=np.float32)


@lru_cache(maxsize=2)
def untrained_network(encoder: str) -> UntrainedNetwork:
    """The network over another encoder, which this process shares.

    Raises:
        ModelError, MissingExtraError: as `shared_encoder`.
    """
    background = background_centre(encoder)
    config = ColdeConfig(encoder=encoder, width=len(background))
    return UntrainedNetwork(config, background, around_documents=True)


def untrained_card(card: Card) -> Card:
    """The card of a model that CoLDE stands in for over another encoder."""
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
