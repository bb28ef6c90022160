"""Bundled files are found in a checkout and in an installed wheel."""

from __future__ import annotations

from pathlib import Path

import pytest

from colde import assets


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty package folder that `asset` takes for its own."""
    folder = tmp_path / "colde"
    folder.mkdir()
    monkeypatch.setattr(assets, "_PACKAGE", folder)
    return folder


def _put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x", encoding="utf-8")
    return path


def test_the_checkout_keeps_assets_beside_the_package(package: Path) -> None:
    beside = _put(package.parent / "assets" / "samples" / "one.md")
    assert assets.asset("samples", "one.md") == beside


def test_a_wheel_carries_assets_inside_the_package(package: Path) -> None:
    inside = _put(package / "_assets" / "samples" / "one.md")
    _put(package.parent / "assets" / "of_another_package.txt")
    assert assets.asset("samples", "one.md") == inside


def test_the_checkout_wins(package: Path) -> None:
    _put(package / "_assets" / "one.md")
    beside = _put(package.parent / "assets" / "one.md")
    assert assets.asset("one.md") == beside


def test_a_missing_file_is_answered_with_the_path_it_would_have(package: Path) -> None:
    assert assets.asset("none.md") == package.parent / "assets" / "none.md"
    (package / "_assets").mkdir()
    assert assets.asset("none.md") == package / "_assets" / "none.md"


def test_documentation_is_found_in_the_same_way(package: Path) -> None:
    inside = _put(package / "_docs" / "page.md")
    assert assets.document("page.md") == inside
    beside = _put(package.parent / "docs" / "page.md")
    assert assets.document("page.md") == beside
