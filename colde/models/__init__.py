"""Models by name: what there is, whether it is trained, and loading it. torch is imported by `load` alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from colde.assets import asset
from colde.errors import ModelError
from colde.models.base import Card, Matcher
from colde.models.checkpoint import CONFIG, StoredConfig, read_config
from colde.models.registry import CARDS, CLASSES, DEFAULTS
from colde.models.validation import Figures, read_figures

__all__ = ["DEFAULTS", "cards", "checkpoint", "create", "figures", "info", "is_trained", "load", "resolve"]


def cards() -> dict[str, Card]:
    """Every registered model by name, in the order in which they are shown."""
    return dict(CARDS)


def checkpoint(name: str) -> Path:
    """Folder of a model's shipped figures and weights: assets/models/NAME, `smith:np` in smith-np."""
    return asset("models", name.replace(":", "-").replace("+", "-"))


def is_trained(name: str) -> bool:
    """Whether the model has a checkpoint: weights where it needs them, and thresholds from validation."""
    return (checkpoint(name) / CONFIG).is_file()


def stored(name: str) -> StoredConfig:
    """The shipped config of a model."""
    return read_config(checkpoint(name))


def info(name: str) -> dict[str, Any]:
    """What is known of a model without loading it, as `colde models --json` prints it."""
    card = _card(name)
    found: dict[str, Any] = {
        "name": name,
        "title": card.title,
        "trained": is_trained(name),
        "levels": list(card.levels),
        "profiles": {},
        "source": card.source,
        "score_means": card.score_means,
        "parameters": None,
        "training": {},
    }
    if found["trained"]:
        config = stored(name)
        found["parameters"] = config.parameters
        found["training"] = dict(config.training)
        found["profiles"] = {
            p.name: {
                "threshold": p.threshold,
                "checkpoint": (config.weights or "none")[:12],
                "measured": dict(p.measured),
            }
            for p in config.profiles.values()
        }
    return found


def figures(name: str) -> Figures | None:
    """What was measured of the shipped model; None where nothing was."""
    return read_figures(checkpoint(name), name)


def resolve(names: str | Iterable[str] | None) -> tuple[str, ...]:
    """Model names from a list, a comma list, `all` or None (the defaults that are trained).

    Raises:
        ModelError: a name that is not registered, or a model without a checkpoint.
    """
    if names is None:
        return tuple(n for n in DEFAULTS if is_trained(n))
    wanted = names.split(",") if isinstance(names, str) else list(names)
    found: list[str] = []
    for name in (n.strip() for n in wanted):
        if name == "all":
            found.extend(n for n in CARDS if ":" not in n and is_trained(n) and n not in found)
        elif name and name not in found:
            _card(name)
            if not is_trained(name) and not Path(name).is_dir():
                raise ModelError(f"{name} is not trained: no checkpoint ships with this version")
            found.append(name)
    if not found:
        raise ModelError("no model named")
    return tuple(found)


def load(name: str | Path) -> Matcher:
    """A model by its registered name, or from a checkpoint folder.

    Raises:
        ModelError: a name that is not registered, or a model without a checkpoint.
        CheckpointError: a damaged checkpoint.
    """
    text = str(name)
    if text in CARDS:
        if not is_trained(text):
            raise ModelError(f"{text} is not trained: no checkpoint ships with this version")
        folder, card = checkpoint(text), CARDS[text]
    else:
        card = _card(text)
        folder = Path(name)
    return cast(Matcher, _class(card.name).load(folder, card))


def create(name: str) -> Matcher:
    """A model that needs no training, without thresholds yet."""
    return cast(Matcher, _class(name)(_card(name)))


def _class(name: str) -> Any:
    """The class of a model; a variant has the class of its model."""
    module, _, cls = CLASSES[name.partition(":")[0]].partition(":")
    return getattr(import_module(module), cls)


def _card(name: str) -> Card:
    if name in CARDS:
        return CARDS[name]
    if (Path(name) / CONFIG).is_file():
        registered = read_config(Path(name)).name
        base = registered.partition(":")[0]
        if base in CARDS:  # a variant is described by its model's card, under its own name
            return replace(CARDS[base], name=registered)
    raise ModelError(f"there is no model named {name!r}; there are: {', '.join(CARDS)}")
