"""The modules of the linked view can be joined into one: all of them, in the order of their imports."""

from __future__ import annotations

import re
from importlib.resources import files

from colde.report import linked_view

LONGEST = 400
"""Lines of a module; beyond that it holds more than one idea."""

_FROM = re.compile(r'^import \{ [^}\n]+ \} from "\./([a-z]+\.js)";$', re.MULTILINE)
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


def test_a_module_is_short_and_begins_with_its_idea() -> None:
    for name, text in sources().items():
        assert text.startswith("// "), name
        assert text.count("\n") <= LONGEST, name
