"""The models and profiles to choose from. No model is loaded for it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from colde import models
from colde.judge.profiles import DETECT, describe, profile_table
from colde.models.base import Card
from colde.models.validation_figures import Figures


@st.cache_resource(max_entries=1, ttl="10m", show_spinner=False)
def cards() -> dict[str, Card]:
    """The trained models, defaults first, slow ones last."""
    registered = {name: card for name, card in models.cards().items() if models.is_trained(name)}
    order = {name: i for i, name in enumerate(models.DEFAULTS)}
    rank = {name: (order.get(name, len(order)), card.cost == "slow") for name, card in registered.items()}
    return {name: registered[name] for name in sorted(registered, key=lambda name: rank[name])}


@st.cache_data(max_entries=64, ttl="10m", show_spinner=False)
def info(name: str) -> dict[str, Any]:
    """What the checkpoint of a model records: profiles with thresholds and figures, number of parameters."""
    return models.info(name)


@st.cache_data(max_entries=64, ttl="10m", show_spinner=False)
def figures(name: str) -> Figures | None:
    """Figures of a model on validation pairs; None without any."""
    return models.figures(name)


def untrained() -> dict[str, Card]:
    """Models that are known and have no checkpoint, the papers' further systems last."""
    known = {**models.cards(), **models.recipes()}
    return {name: card for name, card in known.items() if not models.is_trained(name)}


def defaults() -> tuple[str, ...]:
    """The models that are chosen at first."""
    return tuple(name for name in models.DEFAULTS if name in cards())


def profiles() -> tuple[str, ...]:
    """The profiles that at least one model has: those of the table in its order, then those of the user."""
    known = {profile for name in cards() for profile in info(name)["profiles"]}
    shipped = [profile for profile in profile_table() if profile in known]
    return (*shipped, *sorted(known - set(shipped)))


def profile_choices() -> tuple[str, ...]:
    """What a pair can be judged as: by its kind, or by one of the profiles."""
    return (DETECT, *profiles())


def profile_meaning(name: str) -> str:
    """What a profile calls related, as a sentence; empty for a profile of the user and where the kind is detected."""
    related = "" if name == DETECT else describe(name).related
    return f"Related means: {related}." if related else ""


AUTOMATIC = "Automatic"
"""The choice in place of a kind of documents that recognises it."""


def profile_title(name: str) -> str:
    """Title of a profile."""
    return AUTOMATIC if name == DETECT else describe(name).title


def title(name: str) -> str:
    """Title of a model."""
    card = cards().get(name)
    return name if card is None else card.title
