"""The cards of all models, from their TOML files, their checkpoints and the measured figures."""

from __future__ import annotations

import json

from colde import models
from colde.assets import asset
from colde.judge.profiles import GENERAL, profile_table
from colde.models.registry import ModelSpec, specs
from colde.models.validation_figures import FIGURES, ONE_NEW
from studies.tables import interval_text, markdown_table


def cards() -> str:
    """A section for each model that ships with what it needs to run."""
    figures = json.loads(asset(FIGURES).read_text(encoding="utf-8"))
    shown = (spec for spec in _base_models() if not models.missing(spec.card.name))
    return "\n\n".join(_card(spec, figures.get(spec.card.name, {})) for spec in shown)


def recipes() -> str:
    """A table of the systems of the papers whose weights do not ship."""
    rows = (
        [f"`{spec.card.name}`", spec.card.title, spec.card.source]
        for spec in _base_models()
        if models.missing(spec.card.name)
    )
    return markdown_table(["name", "model", "source"], rows)


def _base_models() -> list[ModelSpec]:
    known = [spec for name, spec in specs().items() if ":" not in name]
    return sorted(known, key=lambda spec: (spec.order, spec.card.name))


def _card(spec: ModelSpec, measured: dict[str, dict[str, dict[str, dict[str, list[float]]]]]) -> str:
    card = spec.card
    about = models.info(card.name)
    facts = [
        ("name", f"`{card.name}`"),
        ("source", card.source),
        ("score", card.score_means),
        ("explains", card.explains or "Nothing: it gives a score alone."),
        ("levels", ", ".join(card.levels)),
        ("cost", card.cost),
        ("languages", ", ".join(card.languages) or "any"),
    ]
    if about["parameters"]:
        facts.insert(2, ("parameters", f"{about['parameters'] / 1e6:.1f} M"))
    variants = [f"`{name}`" for name in specs() if name.startswith(f"{card.name}:")]
    if variants:
        facts.append(("variants", ", ".join(variants)))
    parts = [f"## {card.title}", markdown_table(["", card.title], facts)]
    rows = _rows(about["profiles"], measured)
    if rows:
        head = [
            "profile",
            "threshold",
            "pairs measured",
            "accuracy (95 % interval)",
            "ROC AUC (95 % interval)",
        ]
        parts.append(markdown_table(head, rows))
    return "\n\n".join(parts)


def _rows(
    profiles: dict[str, dict[str, float]],
    measured: dict[str, dict[str, dict[str, dict[str, list[float]]]]],
) -> list[list[str]]:
    """A row for each profile of the model; figures are of pairs of which one document is new."""
    blocks = measured.get("blocks", {}).get(ONE_NEW, {})
    rows = []
    for profile in (*(p for p in profile_table() if p != GENERAL), GENERAL):
        if profile not in profiles:
            continue
        row = [profile, f"{profiles[profile]['threshold']:.3f}"]
        known = blocks.get(profile)
        if known is None:
            rows.append([*row, "", "", ""])
            continue
        values = [interval_text(known["measures"][m]) for m in ("accuracy", "roc_auc")]
        rows.append([*row, f"{known['pairs']:,}", *values])
    return rows
