"""Every public name of `colde` has a runnable example in its docstring, and the examples work."""

from __future__ import annotations

import doctest
import inspect

import pytest

import colde
from tests.programs import ROOT

FINDER = doctest.DocTestFinder(recurse=False)


def examples(name: str) -> list[doctest.DocTest]:
    """The examples in the docstring of a public name."""
    return [test for test in FINDER.find(getattr(colde, name), name, globs={}) if test.examples]


@pytest.mark.parametrize("name", colde.__all__)
def test_a_public_name_is_documented_with_an_example(name: str) -> None:
    assert inspect.getdoc(getattr(colde, name))
    assert examples(name), f"colde.{name} has no example"


@pytest.mark.slow
@pytest.mark.usefixtures("kept_vectors")
@pytest.mark.parametrize("name", colde.__all__)
def test_the_example_works(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in examples(name):
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0
