"""The registry of models: a TOML file beside the file of each model's class describes it and its training.

    class      name of the class in the Python file of the same name, or in the package of the folder
    module     module of the class, if elsewhere; the papers' further systems are in studies/papers
    fit        `module:function` that trains it (`colde.training.training_run.FitFunction`)
    start      shipped model whose weights training starts from; default: random numbers, or the encoder
    order      position in lists; default: position among the models that a comparison runs by default
    listed     false for a system that ships without weights, as a recipe and a row of results
    also       another name for the model, as papers call it
    [card]     the fields of `Card`
    [model]    settings of its config that differ from the defaults
    [training] settings of its training
    [[variants]] variants of the model: what differs of card, model, training, class, module and fit, `also`, `listed`

Another package adds models by entry points of the group `colde.models`: each names the module of a model, with its TOML
file beside it. The registry imports no model and no torch.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from colde import assets
from colde.errors import ModelError
from colde.meta_kernels import load_meta_kernels
from colde.models.base import PAPERS, Card

COLDE = "colde"
GROUP = "colde.models"
STUDIES = "studies"
NOT_INSTALLED = (
    "the code of {model}, a system of the papers, is not installed: get the repository of CoLDE Explorer, run "
    "`make setup` there, and train the model with `.venv/bin/colde train {model} --corpus DIR --output DIR`"
)
LAST_PLACE = 1_000
"""`order` of a model that has none."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A registered model or variant.

    Attributes:
        module, class_name: of its class.
        card, fit, model, training, start, order, default, listed, also: as in its TOML file, see above.
        seeds: number of trainings behind its row of results.
        variant_of: the model that it is a variant of, or None.
    """

    card: Card
    module: str
    class_name: str
    fit: str
    model: Mapping[str, Any]
    training: Mapping[str, Any]
    start: str | None = None
    seeds: int = 1
    order: int = LAST_PLACE
    default: int | None = None
    listed: bool = True
    variant_of: str | None = None
    also: str | None = None

    @property
    def base(self) -> str:
        """The name of the model, or of the one it is a variant of."""
        return self.variant_of or self.card.name

    @property
    def installed(self) -> bool:
        """Whether the model's code is here; the code of the papers' further systems is in a checkout alone."""
        return not _in_studies(self.module) or _is_checkout()

    def matcher_class(self) -> Any:
        """Import the class of the model.

        Raises:
            ModelError: its code is not installed.
        """
        return getattr(import_code(self.module, self.card.name), self.class_name)


def import_code(module: str, model: str) -> ModuleType:
    """Import a module of a model.

    Args:
        module: dotted name.
        model: the model that it belongs to, for the message.

    Raises:
        ModelError: the module is in studies/, and this is no checkout.
    """
    if _in_studies(module):
        if not _is_checkout():
            raise ModelError(NOT_INSTALLED.format(model=model))
        if str(assets.CHECKOUT) not in sys.path:
            sys.path.insert(0, str(assets.CHECKOUT))
    if module.partition(".")[0] not in (COLDE, STUDIES):
        load_meta_kernels()
    return import_module(module)


def _in_studies(module: str) -> bool:
    return module.partition(".")[0] == STUDIES


def _is_checkout() -> bool:
    """Whether the package is used from a checkout: installed from a wheel, the folder above it is site-packages."""
    return (assets.CHECKOUT / "pyproject.toml").is_file() and (assets.CHECKOUT / STUDIES / "papers").is_dir()


@cache
def specs() -> Mapping[str, ModelSpec]:
    """Every model and variant by name, in the order in which they are shown.

    Raises:
        ModelError: a model's file is damaged, or two models have one name.
    """
    by_name: dict[str, ModelSpec] = {}
    for module, path in _files():
        for spec in read_description(module, path):
            other = by_name.setdefault(spec.card.name, spec)
            if other is not spec:
                raise ModelError(f"two models are called {spec.card.name}: {other.module}, {module}")
    return dict(sorted(by_name.items(), key=lambda item: item[1].order))


def spec(name: str) -> ModelSpec:
    """A model or variant, by its name or the name that papers give it.

    Raises:
        ModelError: there is none of that name.
    """
    registered = specs()
    if name in registered:
        return registered[name]
    for other in registered.values():
        if other.also == name:
            return other
    listed = ", ".join(n for n, s in registered.items() if s.listed)
    raise ModelError(f"there is no model named {name!r}; there are: {listed}")


def _files() -> Iterator[tuple[str, Path]]:
    """Module and TOML file of every model, those of other packages last."""
    home = Path(__file__).parent
    for path in sorted(home.rglob("*.toml")):
        module = path.with_suffix("") if path.with_suffix(".py").is_file() else path.parent
        parts = module.relative_to(home).parts
        yield ".".join(("colde.models", *parts)), path
    for point in sorted(entry_points(group=GROUP), key=lambda p: p.name):
        located = find_spec(point.module)
        if located is None or located.origin is None:
            raise ModelError(
                f"the entry point {point.name} names the module {point.module}, which is not there"
            )
        yield point.module, Path(located.origin).with_suffix(".toml")


def read_description(module: str, path: Path) -> Iterator[ModelSpec]:
    """A model and its variants from its TOML file.

    Raises:
        ModelError: the file is missing or damaged.
    """
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        base = _model_spec({"module": module, **raw})
        yield base
        for variant in raw.get("variants", ()):
            inherited = {k: raw[k] for k in ("class", "fit", "start", "order", "listed") if k in raw}
            tables = {k: {**raw.get(k, {}), **variant.get(k, {})} for k in ("card", "model", "training")}
            merged = {"module": base.module, **inherited, **variant, **tables}
            yield replace(_model_spec(merged), variant_of=base.card.name)
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise ModelError(f"{path}: not the description of a model ({error!r})") from None


def _model_spec(raw: Mapping[str, Any]) -> ModelSpec:
    """A model or variant from the entries of its TOML, those of the model it varies included."""
    optional = ("start", "seeds", "order", "default", "listed", "also")
    return ModelSpec(
        card=_card(raw["card"]),
        module=raw["module"],
        class_name=raw["class"],
        fit=raw["fit"],
        model=raw.get("model", {}),
        training=raw.get("training", {}),
        **{key: raw[key] for key in optional if key in raw},
    )


def _card(fields: Mapping[str, Any]) -> Card:
    """A card from its TOML.

    Raises:
        KeyError: a paper that is not one of `PAPERS`.
    """
    tables = tuple(fields.get("tables", ()))
    if unknown := set(tables) - set(PAPERS):
        raise KeyError(*unknown)
    return Card(**{**fields, "levels": tuple(fields["levels"]), "tables": tables})


CARDS: Mapping[str, Card] = {name: s.card for name, s in specs().items() if s.listed}
"""Cards of all listed models by name, in the order in which they are shown."""

DEFAULTS: tuple[str, ...] = tuple(
    sorted((n for n, s in specs().items() if s.default is not None), key=lambda n: specs()[n].default or 0)
)
"""The models that take part in a comparison unless others are named."""
