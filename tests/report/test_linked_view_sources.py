"""The modules of the linked view can be joined into one: all of them, in the order of their imports."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from colde.report import linked_view
from colde.report.view_payload import VERSION
from tests.patience import PATIENCE

LONGEST = 400
"""Lines of code of a module; beyond that it holds more than one idea."""

_FROM = re.compile(r'^import \{ [^}\n]+ \} from "\./([a-z]+\.js)";$', re.MULTILINE)
_NAMES = re.compile(r'^import \{ ([^}\n]+) \} from "\./([a-z]+\.js)";$', re.MULTILINE)
_EXPORTED = re.compile(r"^export (?:class|function|const) (\w+)", re.MULTILINE)
_TOP = re.compile(r"^(?:export )?(?:async )?(?:class|function\*?|const|let|var) (\w+)", re.MULTILINE)


def sources() -> dict[str, str]:
    folder = files(linked_view.__name__)
    return {name: folder.joinpath(name).read_text(encoding="utf-8") for name in linked_view.SOURCES}


def test_every_module_of_the_folder_is_joined_and_stands_after_those_it_imports_from() -> None:
    there = {file.name for file in files(linked_view.__name__).iterdir() if file.name.endswith(".js")}
    assert set(linked_view.SOURCES) == there
    before: set[str] = set()
    for name, text in sources().items():
        imported = _FROM.findall(text)
        assert len(imported) == len(re.findall(r"^import\b", text, re.MULTILINE)), name
        assert set(imported) <= before, name
        before.add(name)
    assert not re.search(r"^import\b", linked_view.script(), re.MULTILINE)


def test_names_of_all_modules_differ_since_they_share_one_scope() -> None:
    names = [name for text in sources().values() for name in _TOP.findall(text)]
    assert len(names) > len(linked_view.SOURCES)
    assert sorted(names) == sorted(set(names))


def test_the_view_is_of_the_version_of_its_payload() -> None:
    (version,) = re.findall(r"^export const VERSION = (\d+);", sources()["data.js"], re.MULTILINE)
    assert int(version) == VERSION


def test_a_module_is_short_and_begins_with_its_idea() -> None:
    for name, text in sources().items():
        assert text.startswith("// "), name
        code = [line for line in text.splitlines() if not line.lstrip().startswith(("//", "/*", "*"))]
        assert len(code) <= LONGEST, name


def test_every_name_is_imported_as_it_is_called_from_the_module_that_exports_it() -> None:
    texts = sources()
    for name, text in texts.items():
        for names, module in _NAMES.findall(text):
            assert set(names.split(", ")) <= set(_EXPORTED.findall(texts[module])), f"{name} from {module}"


def test_every_export_is_of_the_kind_that_joining_takes_away() -> None:
    """`export {…}`, `export let` or a default export of an inner module would stay in the middle of the joined one."""
    *inner, last = sources().items()
    for name, text in inner:
        assert len(re.findall(r"^[ \t]*export\b", text, re.MULTILINE)) == len(_EXPORTED.findall(text)), name
    kept = re.findall(r"^[ \t]*export\b.*", linked_view.script(), re.MULTILINE)
    assert kept == re.findall(r"^export\b.*", last[1], re.MULTILINE)


def test_no_line_of_code_is_lost_in_joining() -> None:
    lines = [
        re.sub(r"^export (?!default)", "", line)
        for text in sources().values()
        for line in text.splitlines()
        if not line.startswith("import ")
    ]
    joined = [re.sub(r"^export (?!default)", "", line) for line in linked_view.script().splitlines()]
    assert [line for line in joined if line] == [line for line in lines if line]


def test_the_joined_module_runs_and_gives_the_two_ways_in(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        assert not os.environ.get("CI"), "node is missing; `make node` installs it"
        pytest.skip("node is not here")
    (tmp_path / "view.mjs").write_text(linked_view.script(), encoding="utf-8")
    asked = "import('./view.mjs').then((view) => console.log(JSON.stringify(Object.keys(view))))"
    done = subprocess.run(
        [node, "-e", asked], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    assert sorted(json.loads(done.stdout)) == ["default", "mount"]
