"""The page of all labels of the explorer, from the linked view's texts and the calls that make controls."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from studies import ROOT
from studies.tables import markdown_table

VIEW = ROOT / "colde" / "report" / "linked_view" / "labels.js"
APP = ROOT / "app" / "colde_explorer_app"
MEANINGS = ROOT / "docs" / "reference" / "controls.toml"
"""What controls do that have no help on the page, by module and label."""

CONTROLS = {
    "button": "button",
    "checkbox": "checkbox",
    "download_button": "download",
    "expander": "section that opens",
    "file_uploader": "file input",
    "form_submit_button": "button",
    "multiselect": "list",
    "number_input": "number",
    "popover": "menu",
    "radio": "choice",
    "segmented_control": "choice",
    "select_slider": "slider",
    "selectbox": "list",
    "slider": "slider",
    "text_area": "text",
    "text_input": "text",
    "toggle": "switch",
}
"""Functions of Streamlit that make a control, and what a reader would call it."""


class Label(NamedTuple):
    """A text on the page: where it stands, what it is, and its explanation."""

    place: str
    text: str
    kind: str
    help: str


def page_labels() -> str:
    """A table for each part of the page."""
    tables: dict[str, list[list[str]]] = {}
    for label in [*control_labels(), *view_labels()]:
        row = [f"**{_escaped(label.text)}**", label.kind, _escaped(label.help)]
        rows = tables.setdefault(label.place, [])
        if row not in rows:
            rows.append(row)
    return "\n\n".join(
        f"## {place}\n\n{markdown_table(['label', 'kind', 'meaning'], rows)}"
        for place, rows in tables.items()
    )


def view_labels() -> Iterator[Label]:
    """Short texts of the linked view, by the heading they stand under; a title or help joins its label."""
    text = VIEW.read_text(encoding="utf-8")
    for section in re.split(r"(?m)^// ---- ", text)[1:]:
        place = section.partition(" ----")[0]
        named = dict(_constants(section))
        for name, value in named.items():
            base = re.sub(r"(Title|Help|Note)$", "", name)
            if base != name and base in named:
                continue
            helps = [named[name + end] for end in ("Title", "Help") if name + end in named]
            yield Label(f"Linked view: {place}", value, "text", " ".join(helps))


def _constants(section: str) -> Iterator[tuple[str, str]]:
    """Names and values of exported texts; what a function puts in becomes an ellipsis."""
    pattern = r"export const (\w+) =\s*(?:\([^)]*\) =>\s*)?((?:\"(?:[^\"\\]|\\.)*\"|`[^`]*`))"
    for name, literal in re.findall(pattern, section):
        value = re.sub(r"\$\{[^}]*\}", "…", literal[1:-1])
        yield name, value.replace('\\"', '"').strip()


def control_labels() -> Iterator[Label]:
    """Labels of controls that a module of the explorer makes, with the help of the page, or else with their meaning."""
    meanings = tomllib.loads(MEANINGS.read_text(encoding="utf-8"))
    for path in sorted(APP.rglob("*.py")):
        place = place_of(path.stem)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        known = _module_texts(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                kind = CONTROLS.get(node.func.attr)
                text = _literal(node.args[0], known) if kind and node.args else None
                if kind and text:
                    helps = [_literal(k.value, known) or "" for k in node.keywords if k.arg == "help"]
                    meaning = meanings.get(path.stem, {}).get(text, "")
                    yield Label(place, text, kind, "".join(helps) or meaning)


def _module_texts(tree: ast.Module) -> dict[str, str]:
    """Texts that a module gives names to."""
    return {
        target.id: text
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and (text := _literal(node.value, {}))
    }


def place_of(module: str) -> str:
    """The heading under which the controls of a module stand."""
    words = module.replace("_", " ")
    return f"Explorer: {words.removesuffix(' page')}"


def _literal(node: ast.expr, known: Mapping[str, str]) -> str | None:
    """A string, or the name of one; what is put into it becomes an ellipsis."""
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(v.value) if isinstance(v, ast.Constant) else "…" for v in node.values)
    return None


def _escaped(text: str) -> str:
    text = re.sub(r":material/\w+:", "", text).strip()
    return " ".join(re.sub(r"([|*_<])", r"\\\1", text).split())
