"""The code keeps to its layout: file names, small folders, short files, simple functions, paths in docs that exist."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

import grimp
import networkx as nx
import pytest
from radon.complexity import cc_visit
from radon.visitors import Class, Function

ROOT = Path(__file__).resolve().parents[1]
MOST_LINES = 400
MOST_MODULES = 16  # of a folder
MOST_COMPLEX = 15
MOST_SHARED_NAMES = 20


def tracked(*folders: str, suffix: str = ".py") -> list[Path]:
    """Files of the repository in these folders; all files below them where this is no checkout."""
    listed = subprocess.run(
        ["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.splitlines()
    paths = [ROOT / name for name in listed] or [p for f in folders for p in (ROOT / f).rglob(f"*{suffix}")]
    return [path for path in paths if path.suffix == suffix and path.is_file()]


PRODUCT = tracked("colde", "app")


def test_modules_of_the_product_have_names_of_their_own() -> None:
    names = Counter(path.name for path in PRODUCT if path.name != "__init__.py")
    shared = {name: count for name, count in names.items() if count > 1}
    assert sum(shared.values()) <= MOST_SHARED_NAMES, shared


def test_folders_are_small() -> None:
    modules = Counter(path.parent.relative_to(ROOT) for path in PRODUCT if path.name != "__init__.py")
    assert not {str(folder): count for folder, count in modules.items() if count > MOST_MODULES}


def test_files_are_short() -> None:
    lines = {
        p: len(p.read_text(encoding="utf-8").splitlines())
        for p in tracked("colde", "app", "studies", "tests")
    }
    assert not {str(p.relative_to(ROOT)): n for p, n in lines.items() if n > MOST_LINES}


def complex_functions(path: Path) -> dict[str, int]:
    """Functions and methods above the limit, by name."""
    blocks = cc_visit(path.read_text(encoding="utf-8"))
    methods = [m for block in blocks if isinstance(block, Class) for m in block.methods]
    functions = [block for block in [*blocks, *methods] if isinstance(block, Function)]
    return {f"{path.name}:{f.name}": f.complexity for f in functions if f.complexity > MOST_COMPLEX}


@pytest.mark.slow
def test_functions_are_simple() -> None:
    assert not {
        k: v for path in tracked("colde", "app", "studies") for k, v in complex_functions(path).items()
    }


def test_paths_that_the_documentation_names_exist() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *tracked("docs", "studies", suffix=".md")]
    missing = []
    for page in pages:
        for path in re.findall(
            r"`((?:colde|app|studies|tests|docs|assets)/[\w./-]+)(?:::\w+)?`",
            page.read_text(encoding="utf-8"),
        ):
            if "NAME" not in path and "jaccard" not in path and not (ROOT / path).exists():
                missing.append(f"{page.name}: {path}")
    assert not missing


def test_no_module_imports_itself_through_others() -> None:
    """Also where a module imports from the folder it lies in, which `make check` does not see; nor by late imports."""
    imports = grimp.build_graph("colde", "colde_explorer_app")
    graph = nx.DiGraph(
        (module, imported)
        for module in imports.modules
        for imported in imports.find_modules_directly_imported_by(module)
    )
    assert graph.has_edge("colde.ingest", "colde.ingest.sandbox"), "late imports are seen"
    assert not [sorted(circle) for circle in nx.strongly_connected_components(graph) if len(circle) > 1]
