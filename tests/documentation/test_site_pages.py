"""The pages of the site name every command, option, JSON field, public name, format and label, and are up to date."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import colde
from colde.ingest.formats import FORMATS
from colde.models.registry import specs
from studies import ROOT
from studies.documentation import figures, findings, passages_table
from studies.documentation.command_reference import commands, options
from studies.documentation.hooks import generated
from studies.documentation.json_reference import schemas
from studies.documentation.page_labels import MEANINGS, control_labels, place_of, view_labels

DOCS = ROOT / "docs"
LABELLED = [*sorted((DOCS / "guides").glob("*.md")), DOCS / "quickstart.md", DOCS / "concepts.md"]
"""Pages on which a text in bold is a label of the explorer, unless it ends like a sentence."""


def page(name: str) -> str:
    """A page with what is generated in it."""
    return generated((DOCS / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def command_page() -> str:
    return page("reference/commands.md")


@pytest.mark.parametrize(("name", "command"), list(commands()), ids=str)
def test_a_command_and_its_options_are_documented(name: str, command: Any, command_page: str) -> None:
    section = command_page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    assert section, f"{name} has no section"
    assert "Example:" in section
    for option in options(command):
        assert option.help or option.name in ("port",), f"{name} {option.opts[0]} has no help"
        assert all(f"`{opt}" in section for opt in option.opts), f"{name}: {option.opts}"


def fields(schema: dict[str, Any]) -> set[str]:
    """The names of all fields of a schema and of the objects in it."""
    objects = [schema, *schema.get("$defs", {}).values()]
    return {key for value in objects for key in value.get("properties", {})}


@pytest.mark.parametrize("name", schemas())
def test_a_json_field_is_documented(name: str) -> None:
    text = page("reference/json.md")
    assert not [field for field in fields(schemas()[name]) if f"`{field}`" not in text]


def test_public_names_are_documented() -> None:
    text = page("reference/python.md")
    homes = {f"{getattr(colde, name).__module__}.{name}" for name in colde.__all__}
    assert not [home for home in homes if f"::: {home}\n" not in f"{text}\n"]


def test_formats_are_documented() -> None:
    text = page("reading.md")
    assert not [suffix for row in FORMATS for suffix in row.suffixes if f"`{suffix}`" not in text]
    assert not [row.label for row in FORMATS if row.label not in text]


def test_models_have_a_card_or_a_row() -> None:
    text = page("model_cards.md")
    assert not [name for name in specs() if f"`{name}`" not in text and ":" not in name]


def test_labels_are_documented() -> None:
    labels = [*control_labels(), *view_labels()]
    assert len(labels) > 200
    text = page("reference/page.md")
    written = re.sub(r"\\([|*_<])", r"\1", text)
    missing = [label.text for label in labels if " ".join(label.text.split()) not in written]
    assert not [text for text in missing if ":material/" not in text]


def test_controls_have_a_meaning() -> None:
    """A control has a help text on the page, or an entry in docs/reference/controls.toml; entries are of controls."""
    assert not [f"{label.place}: {label.text}" for label in control_labels() if not label.help]
    known = tomllib.loads(MEANINGS.read_text(encoding="utf-8"))
    named = {(module, label) for module, labels in known.items() for label in labels}
    used = {(label.place, label.text) for label in control_labels()}
    assert not [label for module, label in named if (place_of(module), label) not in used]


@cache
def texts_of_the_page() -> str:
    """Everything that the explorer's code writes out."""
    python = [*(ROOT / "app").rglob("*.py"), *(ROOT / "colde" / "report").rglob("*.py")]
    literals = [
        node.value
        for path in python
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    view = (ROOT / "colde" / "report" / "linked_view" / "labels.js").read_text(encoding="utf-8")
    return "\n".join([*literals, view])


@pytest.mark.parametrize("path", LABELLED, ids=lambda path: path.stem)
def test_a_label_that_a_guide_names_is_on_the_page(path: Path) -> None:
    """In guides, bold texts are labels; one that ends in a full stop begins a paragraph."""
    texts = texts_of_the_page()
    bold = re.findall(r"\*\*([^*\n]+)\*\*", path.read_text(encoding="utf-8"))
    labels = {text for text in bold if text[-1] not in ".:?" or text in ("Why?", "How sure?")}
    shown = {"Document A": "Document ", "Document B": "Document "}
    names = {spec.card.title for spec in specs().values()}
    assert not [label for label in labels - names if shown.get(label, label) not in texts]


@pytest.mark.parametrize("path", sorted((DOCS / "guides").glob("*.md")), ids=lambda path: path.stem)
def test_a_guide_starts_with_its_task_and_a_command_or_picture(path: Path) -> None:
    start = path.read_text(encoding="utf-8").partition("\n## ")[0]
    assert "**Task.**" in start
    assert "```sh\n" in start or "![" in start


def test_figures_are_up_to_date() -> None:
    """Run python -m studies.documentation.figures after the code or the figures behind them have changed."""
    for name, text in figures.figures().items():
        assert (DOCS / "figures" / name).read_text(encoding="utf-8") == text, name


def test_the_table_of_findings_is_up_to_date() -> None:
    """Run python -m studies.documentation.findings after docs/results/*.json or findings.toml has changed."""
    text = (DOCS / "results.md").read_text(encoding="utf-8")
    assert f"{findings.BEGIN}\n\n{findings.findings_table()}\n{findings.END}" in text


def test_the_table_of_passages_is_up_to_date() -> None:
    """Run python -m studies.documentation.passages_table after docs/results/passages.json has changed."""
    text = (DOCS / "results.md").read_text(encoding="utf-8")
    assert f"{passages_table.BEGIN}\n\n{passages_table.passages_table()}\n{passages_table.END}" in text


def test_a_difference_has_its_interval() -> None:
    row = {"kind": "difference", "file": "systems", "a": "smith", "b": "smash_rnn"}
    text = findings.number_text({"number": row})
    value, low, high = (float(x.replace("−", "-")) for x in re.findall(r"[+−]?\d+\.\d", text))
    assert low < value < high and high - value == pytest.approx(value - low, abs=0.15)
    with pytest.raises(KeyError):
        findings.number_text({"number": {**row, "b": "no_such_model"}})
