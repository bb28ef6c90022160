"""All models that ship as parameters of a test: each on one worker, those with a network marked as slow."""

from __future__ import annotations

import sys
from functools import cache, lru_cache

import pytest

from colde import models
from colde.evaluation.model_contract import (
    TWENTY,
    Subject,
    card_is_complete,
    contributions_nest,
    map_spans_lie_in_the_texts,
    map_values_add_up,
    map_values_are_finite,
    maps_are_labelled,
    reports_coverage,
    sample_pair,
    subject,
)
from colde.ingest import read_text
from colde.models.base import Matcher
from colde.models.shared import network_input
from colde.text.document import Document

SECONDS_FOR_A_PAIR = ("cross_encoder", "match_ignition", "smash_rnn")
"""Models that explain a pair by many passes of their network: they are given the beginnings of its sections."""

SAME_NETWORK = {"colde_words": "colde"}
"""Models whose documents another one has encoded already; they follow it on its worker."""


OF_CARD_AND_RESULT = (
    card_is_complete,
    maps_are_labelled,
    map_values_are_finite,
    map_values_add_up,
    contributions_nest,
    map_spans_lie_in_the_texts,
    reports_coverage,
)
"""Checks that compute nothing: one test runs them all."""


def shipped() -> list[str]:
    """Names of the models and variants that have a checkpoint."""
    return [name for name in models.cards() if models.is_trained(name)]


def marked(name: str) -> object:
    """A model's tests run on one worker, which then encodes for it; those of models with a network are slow tests."""
    group = pytest.mark.xdist_group(SAME_NETWORK.get(name, name))
    counts_words = models.card(name).cost == "instant"
    return pytest.param(name, marks=[group] if counts_words else [group, pytest.mark.slow])


SHIPPED = [marked(name) for name in shipped()]


@lru_cache(maxsize=2)  # as many as a group has
def subject_of(name: str) -> Subject:
    """A model that ships and its result for the sample pair, computed once for all files."""
    return subject(models.load(name), short_pair() if name in SECONDS_FOR_A_PAIR else None)


@cache
def short_pair() -> tuple[Document, Document]:
    """The first two sentences of each section of the sample pair."""
    a, b = (_beginnings(document, sentences=2) for document in sample_pair())
    return a, b


def _beginnings(document: Document, sentences: int) -> Document:
    parts = []
    for section in document.sections:
        first = " ".join(document.text[s.start : s.end] for s in section.sentences[:sentences])
        parts.append(f"# {section.heading or 'Lamps'}\n\n{first}")
    return read_text("\n\n".join(parts))


def reads_documents_once(model: Matcher, monkeypatch: pytest.MonkeyPatch) -> None:
    """Encoding splits a document into word pieces once, and matching never."""
    pair = [read_text(f"# One\n\n{TWENTY} {TWENTY}\n\n# {n}\n\n{TWENTY}") for n in ("A", "B")]
    read: list[Document] = []
    split = network_input.document_tokens

    def spy(document: Document) -> network_input.DocumentTokens:
        read.append(document)
        return split(document)

    for module in [m for name, m in sys.modules.items() if name.startswith("colde.models")]:
        if hasattr(module, "document_tokens"):
            monkeypatch.setattr(module, "document_tokens", spy)
    encoded = model.encode(pair)
    assert len(read) <= 2
    read.clear()
    model.match(*encoded)
    assert not read
