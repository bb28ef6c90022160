"""`make docs` builds the site strictly: links lead somewhere, and nothing is asked of the network."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("site")]

LOADED = re.compile(r"""<(?:script|link|img|iframe|source)\b[^>]*?(?:src|href)=["']?([^"' >]+)""")
"""What a page loads by itself."""


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        loaded = LOADED.findall(page.read_text(encoding="utf-8"))
        assert loaded, page
        assert not [url for url in loaded if re.match(r"(https?:)?//", url)], page


def test_style_sheets_load_nothing_from_elsewhere(site: Path) -> None:
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", sheet.read_text(encoding="utf-8")), (
            sheet
        )


def test_what_is_generated_is_in_the_pages(site: Path) -> None:
    assert "<!-- generate" not in "".join(p.read_text(encoding="utf-8") for p in site.rglob("*.html"))
    for name, text in (
        ("index.html", "What do other tools do better?"),
        ("reference/commands.html", "--leave-out"),
        ("reference/json.html", "set_aside"),
        ("reference/python.html", "with_faithfulness"),
        ("reference/page.html", "Document"),
        ("model_cards.html", "Match-Ignition"),
        ("results.html", "beyond chance"),
    ):
        assert text in (site / name).read_text(encoding="utf-8"), name


def test_marks_of_the_tests_are_not_shown(site: Path) -> None:
    assert "# tested" not in (site / "quickstart.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name", ["index.html", "gallery.html", "quickstart.html", "guides/contract_versions.html"]
)
def test_pictures_are_shown(site: Path, name: str) -> None:
    page = site / name
    pictures = re.findall(
        r'<img [^>]*src="([^"]*assets/screenshots/[^"]+)"', page.read_text(encoding="utf-8")
    )
    assert pictures
    assert all((page.parent / picture).is_file() for picture in pictures)
