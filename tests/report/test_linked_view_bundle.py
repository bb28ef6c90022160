"""The bundle of the linked view is built from the sources beside it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from colde.report import linked_view
from colde.report.html.view_payload import VERSION
from tests.patience import PATIENCE

FOLDER = Path(linked_view.__file__).parent
LONGEST = 400
"""Lines of code of a JavaScript module, and lines of a style sheet."""


def sources() -> dict[str, str]:
    """Text of every module and style sheet, by its path in the folder, in the order of the paths."""
    paths = {
        path.relative_to(FOLDER).as_posix(): path
        for path in FOLDER.rglob("*")
        if path.suffix in (".js", ".css")
    }
    return {
        name: paths[name].read_text(encoding="utf-8")
        for name in sorted(paths)
        if not name.startswith("bundle/")
    }


def test_the_bundle_was_built_from_these_sources() -> None:
    """If this fails, run `make view` and commit the bundle. `make check-js` compares byte by byte."""
    digest = hashlib.sha256(
        "".join(f"{name}\n{text}\n" for name, text in sources().items()).encode()
    ).hexdigest()
    for bundle in (linked_view.script(), linked_view.style()):
        assert bundle.startswith(f"/* Built from sources {digest} ")


def test_the_bundle_is_one_file_that_ends_no_script_element() -> None:
    assert not re.search(r"^import\b", linked_view.script(), re.MULTILINE)
    assert "@import" not in linked_view.style()
    assert "</script" not in linked_view.script()


def test_every_style_sheet_is_imported_once() -> None:
    imported = re.findall(r'^@import "\./([^"]+)";$', sources()["linked_view.css"], re.MULTILINE)
    assert sorted([*imported, "linked_view.css"]) == [name for name in sources() if name.endswith(".css")]


def test_the_view_is_of_the_version_of_its_payload() -> None:
    (version,) = re.findall(r"^export const VERSION = (\d+);", "\n".join(sources().values()), re.MULTILINE)
    assert int(version) == VERSION


def test_a_module_is_short_and_begins_with_what_it_holds() -> None:
    for name, text in sources().items():
        code = [line for line in text.splitlines() if not line.lstrip().startswith(("//", "/*", "*"))]
        assert name.endswith(".css") or len(code) <= LONGEST, name
        assert name.endswith(".css") or text.startswith("// "), name


def test_the_bundle_exports_its_entry_points(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        assert not os.environ.get("CI"), "node is missing; `make node` installs it"
        pytest.skip("node is not installed")
    (tmp_path / "view.mjs").write_text(linked_view.script(), encoding="utf-8")
    code = "import('./view.mjs').then((view) => console.log(JSON.stringify(Object.keys(view))))"
    done = subprocess.run(
        [node, "-e", code], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    assert sorted(json.loads(done.stdout)) == ["default", "mount", "mountSources", "unpackTiles"]
