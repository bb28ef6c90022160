"""Every part of a shipped model was trained: how far it is from its random start."""

from __future__ import annotations

import pytest
import torch

from colde import models
from colde.models.colde.matcher import Colde
from colde.models.colde.network import GROUPS, ColdeNetwork
from colde.models.colde_paper.paper_matcher import PaperColde
from colde.models.colde_words.mixture_matcher import ColdeWords
from colde.models.colde_words.trained_words import TrainedWords
from colde.models.registry import spec
from colde.models.shared.bi_cross_encoder import BaselineMatcher
from colde.training.colde_models.colde_paper_fit import COMPONENTS
from tests.models.groups import shipped

LEAST = 0.01
"""Least change of a part, relative to its norm at the start."""


@pytest.mark.slow
def test_every_part_of_colde_has_moved() -> None:
    """The shares in the checkpoint are those recomputed from its seed, and none is small."""
    model = models.load("colde")
    assert isinstance(model, Colde)
    network = model.network
    torch.manual_seed(model.training["seed"])
    begun = ColdeNetwork(network.config).named_parameters()
    relative_change = network.relative_change({name: value.detach().clone() for name, value in begun})
    known = [
        name for name, value in network.named_parameters() if any(name in network.group(g) for g in GROUPS)
    ]
    assert known == [name for name, _ in network.named_parameters()], "no parameter is outside of the parts"
    assert min(relative_change.values()) >= LEAST, relative_change
    assert {k: v for k, v in model.training["moved"].items() if k in relative_change} == pytest.approx(
        relative_change, abs=2e-3
    )


@pytest.mark.slow
def test_every_part_of_the_papers_form_has_moved() -> None:
    """Its checkpoint says how far each part has moved; the embeddings began at zero, the encoder's layers trained."""
    model = models.load("colde_paper")
    assert isinstance(model, PaperColde)
    relative_change = model.training["moved"]
    assert set(relative_change) == set(COMPONENTS.values())
    assert relative_change["encoder, last layers"] >= LEAST / 2
    assert min(share for name, share in relative_change.items() if name != "encoder, last layers") >= LEAST, (
        relative_change
    )
    for table in (model.encoder.part, model.encoder.chunk):
        assert float(table.weight.detach().float().abs().max()) > 0


@pytest.mark.slow
def test_the_vectors_of_words_have_moved() -> None:
    model = models.load("colde_words")
    assert isinstance(model, ColdeWords)
    torch.manual_seed(model.training["seed"])
    begun = TrainedWords(model.config.dimension, model.words.statistics).table.detach()
    relative_change = float((model.words.table.detach() - begun).norm() / begun.norm())
    assert LEAST <= relative_change < 1.3, "1.41 would be another start, not this one moved"


def test_no_checkpoint_is_left_out() -> None:
    """Baselines are tested by `test_every_trained_tensor_has_moved`."""
    tested = (Colde, ColdeWords, PaperColde, BaselineMatcher)
    trained = [name for name in shipped() if models.card(name).needs_training]
    assert not [name for name in trained if not issubclass(spec(name).matcher_class(), tested)]
