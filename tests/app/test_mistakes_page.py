"""The page of known errors."""

from __future__ import annotations

import pytest
from colde_explorer_app.explorer_pages import mistakes_page

from tests.app.pages import open_page, said

SHARE = {"wrong": 1, "of": 4, "low": 0.05, "high": 0.7}
FOUND = {
    "pairs": 8,
    "related": 4,
    "missed": 1,
    "called": 1,
    "threshold": 0.5,
    "common": {"words": [{"from": 100.0, "to": 900.0, "missed": SHARE, "called": {**SHARE, "of": 0}}]},
    "shown": [
        {
            "titles": ["Tides *of* <b>sea</b>", "Bread"],
            "words": [900, 1200],
            "label": "unrelated",
            "score": 0.71,
            "probability": 0.93,
            "shared": 0.2,
            "unseen": 1,
            "map": [[0.1, 0.9]],
        }
    ],
}


def test_mistakes_by_title_with_what_they_have_in_common(monkeypatch: pytest.MonkeyPatch) -> None:
    models = {"colde": {"title": "CoLDE", "profiles": {"papers": FOUND}}}
    monkeypatch.setattr(mistakes_page, "_bundled", lambda: {"models": models})
    page = open_page("mistakes_page").run()
    assert not page.exception
    assert "Of 4 related pairs the model missed 1" in said(page) and "93 %" in said(page)
    assert "<b>" not in said(page) and r"\*of\*" in said(page)
    (table,) = page.dataframe
    assert table.value["Missed"].tolist() == ["25 % (5–70) of 4"]
    assert table.value["Called related"].tolist() == ["–"]


def test_only_small_maps_are_drawn() -> None:
    assert mistakes_page._picture([]) is None
    assert "<svg" in (mistakes_page._picture([[0.5]]) or "")
    for wrong in ([0.5], [[0.0] * 400], [["x"]]):
        with pytest.raises(ValueError):
            mistakes_page._picture(wrong)
