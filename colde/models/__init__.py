"""Models by name: their cards, whether they are trained, and loading them. Only `load` imports torch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from colde.assets import asset
from colde.errors import CheckpointError, ModelError
from colde.judge.profiles import profile_table
from colde.models.base import COSTS, Card, Matcher
from colde.models.checkpoint import CONFIG, StoredConfig, read_config
from colde.models.registry import CARDS, DEFAULTS, NOT_INSTALLED, ModelSpec, spec, specs
from colde.models.user_profiles import unusable_reason, user_profiles
from colde.models.validation_figures import Figures, read_figures

__all__ = [
    "DEFAULTS",
    "card",
    "cards",
    "checkpoint",
    "cost_rank",
    "create",
    "figures",
    "info",
    "is_trained",
    "load",
    "missing",
    "recipes",
    "registered_models",
    "resolve",
]


def cards() -> dict[str, Card]:
    """Every listed model by name, in the order of lists."""
    return dict(CARDS)


def recipes() -> dict[str, Card]:
    """Models and variants that ship without weights, as a recipe and a row of results, by name."""
    return {name: s.card for name, s in specs().items() if not s.listed}


def checkpoint(name: str) -> Path:
    """Folder of a model's shipped weights: assets/models/NAME, with smith-np for `smith:np`."""
    return asset("models", name.replace(":", "-").replace("+", "-"))


def folder_of(name: str) -> Path:
    """The shipped checkpoint of a registered name, else the folder of that path."""
    return checkpoint(name) if name in CARDS else Path(name)


def is_trained(name: str) -> bool:
    """Whether a checkpoint of the model ships."""
    return (checkpoint(name) / CONFIG).is_file()


def _has_checkpoint(name: str) -> bool:
    """Whether there is a checkpoint of a registered name, or in the folder of that path."""
    return (folder_of(name) / CONFIG).is_file()


def missing(name: str) -> str:
    """What a registered model lacks to run: `weights`, `code and weights`, `a threshold`, or nothing."""
    if is_trained(name):
        return ""
    lacking = "weights" if spec(name).card.needs_training else "a threshold"
    return lacking if spec(name).installed else f"code and {lacking}"


def not_trained(name: str) -> ModelError:
    """Error of a registered model without a checkpoint: how to get one, and its code where that is missing."""
    if not spec(name).installed:
        return ModelError(NOT_INSTALLED.format(model=name))
    if spec(name).card.needs_training:
        missing, way_out = "is not trained: no weights ship with this version", "train it with"
    else:
        missing, way_out = (
            "has no threshold: it needs no training, but none ships with this version",
            "fit one with",
        )
    return ModelError(
        f"{name} {missing}; {way_out} `colde train {name} --corpus DIR --output DIR` and name the output folder "
        "instead of the model"
    )


def stored(name: str) -> StoredConfig:
    """The config of a model's checkpoint and the user's profiles for it, by its registered name or from a folder."""
    config = read_config(folder_of(name))
    return replace(config, profiles={**config.profiles, **user_profiles(config)})


def profiles(names: Iterable[str]) -> tuple[str, ...]:
    """Profiles that can be chosen with these models: those that ship, and others that one of the models has."""
    others = [p for name in names if _has_checkpoint(name) for p in stored(name).profiles]
    return tuple(dict.fromkeys([*profile_table(), *others]))


def unusable_profile(profile: str, names: Iterable[str]) -> str:
    """Why a profile of the user applies to none of these models as they are now; empty where there is no such one."""
    configs = (read_config(folder_of(name)) for name in names if _has_checkpoint(name))
    return next(filter(None, (unusable_reason(profile, config) for config in configs)), "")


def info(name: str) -> dict[str, Any]:
    """Description of a model without loading it, for `colde models --json`."""
    described = card(name)
    config = stored(name) if _has_checkpoint(name) else None
    fitted = {} if config is None else config.profiles
    weights = "none" if config is None or config.weights is None else config.weights[:12]
    return {
        "name": name,
        "title": described.title,
        "trained": config is not None,
        "levels": list(described.levels),
        "profiles": {
            p.name: {"threshold": p.threshold, "checkpoint": weights, "measured": dict(p.measured)}
            for p in fitted.values()
        },
        "source": described.source,
        "score_means": described.score_means,
        "parameters": None if config is None else config.parameters,
        "training": {} if config is None else dict(config.training),
    }


def figures(name: str) -> Figures | None:
    """Figures of the shipped model, if there are any."""
    return read_figures(checkpoint(name), name)


def resolve(names: str | Iterable[str] | None) -> tuple[str, ...]:
    """Model names from a list, a comma list, `all` or None (the defaults that are trained).

    Raises:
        ModelError: a name that is not registered, or a model without a checkpoint.
    """
    if names is None:
        return tuple(n for n in DEFAULTS if is_trained(n))
    asked = names.split(",") if isinstance(names, str) else names
    resolved = dict.fromkeys(name for item in asked for name in _expanded(item.strip()))
    if not resolved:
        raise ModelError("no model named")
    return tuple(resolved)


def registered_models(model: str | None) -> tuple[str, ...]:
    """The requested models, by registered names only: a path is none, so that a client finds nothing out about files.

    Raises `ModelError` for an unknown or an untrained model.
    """
    for name in (model or "").split(","):
        if name.strip() not in ("", "all"):
            spec(name.strip())
    return resolve(model or None)


def _expanded(name: str) -> list[str]:
    """The models that one item of a list stands for: every trained one for `all`, none for an empty item."""
    if name == "all":
        return [n for n in CARDS if spec(n).variant_of is None and is_trained(n)]
    if not name:
        return []
    card(name)
    if not _has_checkpoint(name):
        raise not_trained(name)
    return [name]


def load(name: str | Path) -> Matcher:
    """A model by its registered name, or from a checkpoint folder.

    Raises:
        ModelError: a name that is not registered, or a model without a checkpoint.
        CheckpointError: a damaged checkpoint.

    Examples:
        >>> import colde
        >>> model = colde.load("tfidf")
        >>> a = colde.read("assets/samples/lens_history.md")
        >>> b = colde.read("assets/samples/lens_physics.md")
        >>> one, two = model.encode([a, b])
        >>> result = model.match(one, two)
        >>> result.score > model.profiles["general"].threshold
        True
    """
    text = str(name)
    described = card(text)
    if not _has_checkpoint(text):
        raise not_trained(text)
    folder, matcher_class = folder_of(text), spec_of(text).matcher_class()
    try:
        matcher = cast(Matcher, matcher_class.load(folder, described))
    except CheckpointError:
        raise
    except (ModelError, TypeError, ValueError, KeyError, AttributeError, RuntimeError) as error:
        # A checkpoint may have unknown settings, or tensors of other sizes.
        what = " ".join(str(error).split())
        raise CheckpointError(
            f"{folder}: not a checkpoint of {described.name} ({what}); train again"
        ) from error
    if fitted := user_profiles(read_config(folder)):
        matcher.profiles = {**matcher.profiles, **fitted}
    return matcher


def create(name: str) -> Matcher:
    """A model that needs no training, without thresholds yet."""
    return cast(Matcher, spec(name).matcher_class()(card(name)))


def spec_of(name: str) -> ModelSpec:
    """The registered model of a name, or of a checkpoint folder.

    Raises:
        ModelError: a name that is not registered.
    """
    if name not in CARDS and (Path(name) / CONFIG).is_file():
        return spec(read_config(Path(name)).name)
    return spec(name)


def cost_rank(name: str) -> int:
    """Position of a model in the order in which models run, the fastest first."""
    return COSTS.index(card(name).cost)


def card(name: str) -> Card:
    """Card of a model, by its registered name or from a checkpoint folder.

    Raises:
        ModelError: a name that is not registered.
    """
    return spec_of(name).card
