"""Constants that were chosen by measurement have a study, and were chosen with the weights that ship."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from studies.release import fitted_constants
from tests.programs import ROOT

CHOSEN = re.compile(r"\b(?:chosen (?:with .* )?(?:on|by|among)|fitted (?:on|by)|tuned)\b")


def chosen_numbers(source: str) -> Iterator[str]:
    """Names of the module's numbers whose docstring, or comment on the same line, says that they were chosen."""
    body, lines = ast.parse(source).body, source.splitlines()
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.Assign) and not any(
            isinstance(part, ast.Call) for part in ast.walk(node.value)
        ):
            comment = lines[node.lineno - 1].partition("#")[2]
            docstring = ast.unparse(after) if isinstance(after, ast.Expr) else ""
            constants = [part.value for part in ast.walk(node.value) if isinstance(part, ast.Constant)]
            if CHOSEN.search(f"{comment} {docstring}") and all(isinstance(c, int | float) for c in constants):
                yield from (part.id for part in ast.walk(node) if isinstance(part, ast.Name))


def test_values_and_weights_are_those_of_the_studies() -> None:
    recorded = json.loads(fitted_constants.FILE.read_text(encoding="utf-8"))
    assert fitted_constants.present() == recorded, (
        "run the study again, then studies.release.fitted_constants --write"
    )


@pytest.mark.parametrize(
    "row", fitted_constants.ROWS, ids=lambda row: f"{row.module}-{row.constants.split()[0]}"
)
def test_each_study_exists(row: fitted_constants.Row) -> None:
    assert (ROOT / row.study).is_file() if "/" in row.study else find_spec(row.study)


def test_every_constant_that_was_chosen_has_a_row() -> None:
    listed = {(row.module, name) for row in fitted_constants.ROWS for name in row.constants.split()}
    for path in sorted((ROOT / "colde").rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for name in chosen_numbers(path.read_text(encoding="utf-8")):
            assert (module, name) in listed, (
                f"{module}.{name} says that it was chosen, and no study is named for it"
            )
