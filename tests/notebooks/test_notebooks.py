"""Every notebook runs from the first cell to the last."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import nbformat
import plotly.io
import pytest

pytestmark = pytest.mark.slow

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


def run_cell(source: str, name: str, names: dict[str, Any]) -> Any:
    """Run a cell, and return what Jupyter shows under it: its last expression as a picture, a table or text."""
    body = ast.parse(source, name).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), name, "exec"), names)
    if last is None:
        return None
    value = eval(compile(ast.Expression(last.value), name, "eval"), names)
    for form in ("_repr_mimebundle_", "_repr_html_"):
        if hasattr(value, form):
            return getattr(value, form)()
    return None if value is None else repr(value)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
@pytest.mark.filterwarnings("ignore")  # of libraries, as people see them
@pytest.mark.usefixtures("kept_vectors")
def test_runs(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(path.parent)
    monkeypatch.setattr(plotly.io.renderers, "default", "plotly_mimetype")
    code = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    names: dict[str, Any] = {"__name__": "__main__"}
    outputs = [
        (run_cell(source, f"{path.stem}, cell {number}", names), capsys.readouterr().out)
        for number, source in enumerate(code, 1)
    ]
    assert any(outputs[0])


@pytest.mark.parametrize("name", ["tour", "a_thousand_papers"])
def test_it_has_ten_cells(name: str) -> None:
    notebook = nbformat.read(next(p for p in NOTEBOOKS if p.stem == name), as_version=4)
    assert len([c for c in notebook.cells if c.cell_type == "code"]) == 10
    assert not [c for c in notebook.cells if c.get("outputs")]  # committed without outputs
