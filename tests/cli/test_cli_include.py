"""`colde compare --include`: what was set aside takes part, and only that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import colde
from colde.cli import main

TEXT = """# Tides

The tide turns twice a day along most coasts, and the pilot waits for it before he takes a ship over the bar at dawn.

## References

Doodson, A. T. (1921). The harmonic development of the tide-generating potential. Royal Society, London.
"""

THANKS = """## Acknowledgements

We thank the pilots of the bar, who took us out before dawn and told us what they knew of the tide.

"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = [tmp_path / name for name in ("a.md", "b.md")]
    for path in paths:
        path.write_text(TEXT, encoding="utf-8")
    return [str(p) for p in paths]


def compared(capfd: pytest.CaptureFixture[str], files: list[str], *more: str) -> list[str]:
    """Headings of the sections of A that have chunks."""
    assert main(["compare", *files, "--model", "tfidf", "--json", "-", "--quiet", *more]) == 0
    sections = json.loads(capfd.readouterr().out)["documents"]["a"]["sections"]
    return [s["heading"] for s in sections if s["chunks"]]


@pytest.mark.parametrize("names", ["references", "References, captions", "all"])
def test_references_take_part(capfd: pytest.CaptureFixture[str], files: list[str], names: str) -> None:
    assert "References" not in compared(capfd, files)
    assert "References" in compared(capfd, files, "--include", names)


def test_acknowledgements_are_set_aside_as_in_the_explorer(
    capfd: pytest.CaptureFixture[str], files: list[str]
) -> None:
    for path in map(Path, files):
        path.write_text(TEXT.replace("## References", THANKS + "## References"), encoding="utf-8")
    assert compared(capfd, files) == [None]
    assert compared(capfd, files, "--include", "boilerplate") == [None, "Acknowledgements"]
    a, b = (colde.read(path) for path in files)
    for include, headings in (((), [None]), (("boilerplate",), [None, "Acknowledgements"])):
        found = colde.compare(a, b, models="tfidf", include=include).to_dict()
        assert [s["heading"] for s in found["documents"]["a"]["sections"] if s["chunks"]] == headings


def test_other_roles_change_nothing(capfd: pytest.CaptureFixture[str], files: list[str]) -> None:
    assert "References" not in compared(capfd, files, "--include", "table,footnotes")


@pytest.mark.parametrize(
    ("names", "said"), [("furniture", "'furniture'"), ("captions,x", "'x'"), (",", "name what")]
)
def test_an_unknown_role_is_one_line(
    capfd: pytest.CaptureFixture[str], files: list[str], names: str, said: str
) -> None:
    assert main(["compare", *files, "--include", names]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert said in err and "footnotes" in err
    assert len(err.strip().splitlines()) == 1
