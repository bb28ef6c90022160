"""`colde compare --matrix`: an image of a map, as SVG or PNG; what cannot be made is refused before any work."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PIL import Image

import colde.ingest
from colde.cli import main
from colde.corpus.samples import sample_named

CALL = ["compare", str(sample_named("lighthouse").a), str(sample_named("lighthouse").b), "--model", "tfidf"]


@pytest.mark.slow
def test_the_map_asked_for_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    png, svg = tmp_path / "a.png", tmp_path / "b.SVG"
    assert main([*CALL, "--matrix", str(png)]) == 0
    with Image.open(png) as image:
        assert image.format == "PNG" and min(image.size) > 300
    assert main([*CALL, "--matrix", str(svg), "--matrix-map", "tfidf.contribution_section"]) == 0
    assert "contribution to score" in svg.read_text(encoding="utf-8")
    capsys.readouterr()
    assert main([*CALL, "--matrix", str(tmp_path / "c.svg"), "--matrix-map", "nothing"]) == 2
    assert "there are: section," in capsys.readouterr().err


@pytest.mark.parametrize("options", [["--pdf", "a.pdf"], ["--matrix", "a.png"]])
def test_a_missing_extra_is_named_before_the_work(
    options: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "typst", None)
    monkeypatch.setattr(colde.ingest, "read", lambda *args, **more: pytest.fail("work was done"))
    assert main([*CALL, *options]) == 2
    assert "pip install 'colde-explorer[reports]'" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
