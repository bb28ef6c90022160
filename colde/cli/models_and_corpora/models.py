"""`colde models`: what there is to compare with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from colde.cli.options import Settings, common_options, console, json_flag
from colde.cli.output_files import indented_json, print_json

if TYPE_CHECKING:
    from rich.console import Console


@click.command()
@json_flag("A list of objects, one for each model of --all.")
@click.option(
    "--all", "with_untrained", is_flag=True, help="Also models without weights, and what each lacks."
)
@common_options
def models(settings: Settings, as_json: bool, with_untrained: bool) -> None:
    """List the models that can be used: what each is, and its thresholds.

    Systems of the papers that ship as recipes can be trained with `colde train`, from a checkout of the repository;
    their results are in docs/results/systems.md.

    \b
    Example:
      colde models
      colde models --all
      colde models --json
    """
    entries = model_entries(with_untrained or as_json)
    if as_json:
        print_json(indented_json(entries))
    else:
        _print_models(entries, console())


def model_entries(with_untrained: bool = False) -> list[dict[str, Any]]:
    """The models that can be used, or all, with the fields of `colde models --json`; loads none of them."""
    from colde import models as registry

    entries = []
    for name, card in {**registry.cards(), **registry.recipes()}.items():
        if not with_untrained and not registry.is_trained(name):
            continue
        info = registry.info(name)
        entries.append(
            {
                "name": name,
                "trained": registry.is_trained(name),
                "levels": list(card.levels),
                "profiles": {
                    profile: {"threshold": values.get("threshold"), "checkpoint": values.get("checkpoint")}
                    for profile, values in info["profiles"].items()
                },
                "source": card.source,
                "score_means": card.score_means,
                "parameters": info["parameters"],
            }
        )
    return entries


def _print_models(entries: Sequence[Mapping[str, Any]], console: Console) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from colde.models import missing
    from colde.report.formatting import count

    for entry in entries:
        lacks = missing(entry["name"])
        state = f"   a recipe, without {lacks}" if lacks else ""
        size = f"   {count(entry['parameters'])} parameters" if entry["parameters"] else ""
        console.print(Text.assemble((entry["name"], "bold"), f"{size}{state}", f"   {entry['source']}"))
        lines = [entry["score_means"], f"explains: {', '.join(entry['levels'])}"]
        thresholds = [
            f"{name} {profile['threshold']:.3f}"
            for name, profile in entry["profiles"].items()
            if profile["threshold"] is not None
        ]
        if thresholds:
            lines.append(f"thresholds: {', '.join(thresholds)}")
        for line in lines:
            console.print(Padding.indent(Text(line), 2))
        console.print()
