"""All models as parameters of a test: each on one worker, those that take long marked as slow."""

from __future__ import annotations

from functools import lru_cache

import pytest

from colde import models
from colde.evaluation.model_contract import Subject, shipped, subject

HEAVY = {
    "colde", "colde_paper", "colde_words", "cross_encoder", "han", "match_ignition", "minilm", "s_bert", "s_long",
    "smash_rnn", "smith",
}  # fmt: skip
"""Models that run an encoder over whole documents, or derivatives of one; the others take a second or two."""


DERIVED = {"colde_paper", "cross_encoder", "match_ignition", "s_long", "smash_rnn", "smith"}
"""Models that take seconds to explain a pair: by derivatives, or by asking their network many times."""


SAME_NETWORK = {"colde_words": "colde"}
"""Models whose documents another one has encoded already; they follow it on its worker."""


def marked(name: str) -> object:
    """A model's tests run on one worker, which then encodes for it; heavy ones are slow tests."""
    marks = [
        pytest.mark.xdist_group(SAME_NETWORK.get(name, name)),
        *([pytest.mark.slow] if name in HEAVY else []),
    ]
    return pytest.param(name, marks=marks)


SHIPPED = [marked(name) for name in shipped()]


@lru_cache(maxsize=2)  # as many as a group has
def subject_of(name: str) -> Subject:
    """A model that ships and what it says of the sample pair, worked out once for all files that ask."""
    return subject(models.load(name))
