"""CoLDE for what its network was not trained on: other kinds of documents, and other encoders.

Other kinds of documents (`untrained_view`). The projection is the identity, the document vectors count in the score
(λ), and the mean of a reference replaces the centre of training where there is one. On kinds that were left out of
training, the trained projection is no better than the identity for related pairs and worse for graded similarity
(docs/log/colde.md, `studies/accuracy/unseen_kinds.py`).

Other encoders than the packaged one (`encoder_network`). Their vectors share a large part, which depends on the
language. So c (3) is the mean of the document itself, drawn towards a background, the mean of example sentences in many
languages, where the document is short. The vector z (5) then is the mean of the document less the background. Two
texts have about the same score in any language (docs/languages.md). So projection, sharpness and thresholds of the
multilingual encoder come from English pairs; translations have a threshold of their own. Over other encoders the
projection is the identity, and there are no thresholds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from colde.assets import asset
from colde.encoders.background_centre import background_centre
from colde.encoders.encoder_names import MULTILINGUAL
from colde.judge.calibration import Profile
from colde.models.base import Card
from colde.models.checkpoint import profile_from_json
from colde.models.colde.network import ColdeConfig, ColdeNetwork
from colde.results.similarity_map import Array

VECTOR_SHARE = 0.5
"""λ of (9) for other kinds, chosen on related pairs and graded pairs of kinds that were left out of training
(docs/log/colde.md)."""

BACKGROUND_SEGMENTS = 4.0
"""Segments that the background counts as in the centre of a document, chosen on sections of chapters 3 to 5 of the
Debian Reference as documents: AUC 0.994, with 0.5 or 32 it is 0.989 or 0.990."""

TRANSLATED_VECTOR_SHARE = 0.1
"""λ over another encoder. The ROC AUC of related English pairs is 0.897, and 0.877 with λ = 0. With more, other
chapters in another language come near to translations."""

TRANSLATION_THRESHOLD = 0.35
"""Score from which a text is called a translation of one in another language; chosen on chapters of the Debian FAQ and
on chapters 3 to 5 of the Debian Reference and their sections (docs/languages.md)."""

NETWORK = "network.safetensors"
"""Weights over the multilingual encoder (`studies/languages/train_network.py`)."""

PROFILES = "profiles.json"
"""Profiles of two texts in one language over the multilingual encoder (`studies/languages/fit_thresholds.py`)."""

TITLES = {"colde_words": "CoLDE without words"}
"""Titles of the models that it stands in for, by name."""

SCORE_MEANS = (
    "How much of each document has a counterpart in the other: segments of about 64 tokens are compared by their "
    "vectors, and the nearest ones count most. {trained}, and words are not compared. 1 is the same document."
)


class OutOfDomainNetwork(ColdeNetwork):
    """The network for texts that the shipped one was not trained on. Its projection starts as the identity.

    Attributes:
        around_documents: whether c is the mean of each document, drawn towards `centre`, instead of `centre`.
    """

    def __init__(self, config: ColdeConfig, centre: Array, *, around_documents: bool = False) -> None:
        super().__init__(replace(config, projection=config.width))
        self.around_documents = around_documents
        self.centre.copy_(torch.from_numpy(centre))
        self.eval().requires_grad_(False)

    def _start_projection(self) -> None:
        nn.init.eye_(self.project.weight)

    def document_centre(self, states: Array, mass: Array) -> Tensor:
        if not self.around_documents:
            return self.centre
        count = len(mass)
        mean = torch.from_numpy(np.asarray(mass @ states, dtype=np.float32))
        return (count * mean + BACKGROUND_SEGMENTS * self.centre) / (count + BACKGROUND_SEGMENTS)


def untrained_view(
    network: ColdeNetwork, reference: Sequence[Array] = (), *, vector_share: float = VECTOR_SHARE
) -> OutOfDomainNetwork:
    """A copy of a trained network for other kinds of documents.

    Args:
        reference: [segments, width] of each document of a reference, not centred; its mean becomes the centre.
        vector_share: λ of (9).
    """
    centre = centre_of(reference) if len(reference) else network.centre.numpy()
    view = OutOfDomainNetwork(replace(network.config, vector_share=vector_share), centre)
    view.attention.load_state_dict(network.attention.state_dict())
    return view


def centre_of(states: Sequence[Array]) -> Array:
    """The mean over documents of the means of their segments: [width]."""
    return np.asarray(np.mean([s.mean(0) for s in states if len(s)], axis=0), dtype=np.float32)


@lru_cache(maxsize=2)
def encoder_network(encoder: str) -> OutOfDomainNetwork:
    """The network over another encoder, which this process shares; of the multilingual one with trained weights.

    Raises:
        ModelError, MissingExtraError: as `shared_encoder`.
    """
    background = background_centre(encoder)
    config = ColdeConfig(encoder=encoder, width=len(background), vector_share=TRANSLATED_VECTOR_SHARE)
    network = OutOfDomainNetwork(config, background, around_documents=True)
    if encoder == MULTILINGUAL:
        weights = load_file(asset("models", MULTILINGUAL, NETWORK))
        network.load_state_dict({name: tensor.float() for name, tensor in weights.items()}, strict=False)
    return network


def encoder_card(card: Card, encoder: str) -> Card:
    """The card of a model that CoLDE stands in for over another encoder."""
    kind, trained = ("untrained", "Nothing was trained for this encoder")
    if encoder == MULTILINGUAL:
        kind, trained = MULTILINGUAL, "The network was trained on English documents"
    title = TITLES.get(card.name, f"{card.title}, {kind}")
    return replace(card, title=title, score_means=SCORE_MEANS.format(trained=trained), languages=(), noise={})


def encoder_profiles(encoder: str) -> Mapping[str, Profile]:
    """Profiles of the multilingual encoder; other encoders have none."""
    if encoder != MULTILINGUAL:
        return {}
    return {
        name: replace(profile_from_json(name, entry), translation_threshold=TRANSLATION_THRESHOLD)
        for name, entry in json.loads(
            asset("models", MULTILINGUAL, PROFILES).read_text(encoding="utf-8")
        ).items()
    }
