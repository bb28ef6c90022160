"""The gallery shows what its commands write, and the front page answers a stranger's questions in one click."""

from __future__ import annotations

import re

import pytest

from studies import ROOT
from studies.release.report_pictures import PICTURES
from tests.test_readme import commands

PAGE = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_of_commands_that_stand_below_it(name: str) -> None:
    assert (ROOT / "assets" / "screenshots" / f"{name}.png").is_file()
    below = PAGE.partition(f"assets/screenshots/{name}.png)")[2].partition("\n## ")[0]
    assert set(PICTURES[name].commands) <= set(commands(below))


def test_the_front_page_answers_ten_questions() -> None:
    section = (
        (ROOT / "README.md")
        .read_text(encoding="utf-8")
        .partition("## Ten questions\n")[2]
        .partition("\n## ")[0]
    )
    rows = re.findall(r"^\| [^|]+\? \| (.+) \|$", section, flags=re.MULTILINE)
    assert len(rows) == 10
    pages = [re.match(r"\[[^\]]+\]\(([^)#]+)", answer) for answer in rows]
    assert all(page is not None and (ROOT / page[1]).is_file() for page in pages)


def test_the_research_log_comes_last() -> None:
    sections = re.findall(
        r"^  - ([^:\n]+):", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    assert sections[-1] == "Research log"
