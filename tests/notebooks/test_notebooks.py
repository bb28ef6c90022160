"""Every notebook runs from the first cell to the last."""

from __future__ import annotations

from tests.patience import PATIENCE

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = pytest.mark.slow

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NotebookClient]:
    """A kernel for all notebooks, which imports the libraries once, with a cache of vectors as people have it."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("COLDE_CACHE", "on")
        environment.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        folder = {"metadata": {"path": str(NOTEBOOKS[0].parent)}}
        made = NotebookClient(
            nbformat.v4.new_notebook(), timeout=PATIENCE, kernel_name="python3", resources=folder
        )
        with made.setup_kernel():
            yield made


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
@pytest.mark.filterwarnings("ignore")  # Jupyter's own
def test_runs(path: Path, client: NotebookClient) -> None:
    notebook = nbformat.read(path, as_version=4)
    forget = nbformat.v4.new_code_cell("%reset -f")  # the names of the notebook before
    client.nb = nbformat.v4.new_notebook(cells=[forget, *notebook.cells])
    for number, cell in enumerate(client.nb.cells):
        client.execute_cell(cell, number)
    code = [c for c in notebook.cells if c.cell_type == "code"]
    assert code and all(c.outputs for c in code[:1])
    assert not [o for c in code for o in c.outputs if o.output_type == "error"]


@pytest.mark.parametrize("name", ["tour", "a_thousand_papers"])
def test_it_has_ten_cells(name: str) -> None:
    notebook = nbformat.read(next(p for p in NOTEBOOKS if p.stem == name), as_version=4)
    assert len([c for c in notebook.cells if c.cell_type == "code"]) == 10
    assert not [c for c in notebook.cells if c.get("outputs")]  # committed without outputs
