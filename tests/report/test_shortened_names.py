"""Names that are shortened still differ where they differ."""

from __future__ import annotations

import pytest

from colde.report.formatting import shorten_apart


@pytest.mark.parametrize(
    ("names", "length", "shown"),
    [
        (["notes.md", "harbour.md"], 12, ["notes.md", "harbour.md"]),
        (["A history of the harbour wall", "Tides"], 12, ["A history o…", "Tides"]),
        (
            ["harbour-rules-general-edition.md", "harbour-rules-corporate-edition.md"],
            14,
            ["…general-edit…", "…corporate-ed…"],
        ),
        (
            [
                "/data/2024/contracts/wall/a.md",
                "/data/2024/contracts/wall/b.md",
                "/data/2024/contracts/lamp/b.md",
            ],
            16,
            ["…wall/a.md", "…wall/b.md", "…lamp/b.md"],
        ),
        (["Minutes of the board, 3 May 2024", "Minutes of the board, 3 May 2025"], 20, ["…2024", "…2025"]),
        (
            ["港口管理条例实施细则征求意见稿第一版", "港口管理条例实施细则征求意见稿第二版"],
            10,
            ["…第一版", "…第二版"],
        ),
        (["same name of two files", "same name of two files"], 9, ["same nam…", "same nam…"]),
        (["A" * 30, "A" * 31], 9, ["…A", "…AA"]),
    ],
)
def test_the_part_that_differs_is_shown(names: list[str], length: int, shown: list[str]) -> None:
    assert shorten_apart(names, length) == shown
    assert all(len(name) <= length for name in shown)
