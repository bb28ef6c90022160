"""`colde verify`: status 0 where a report agrees with its files, 4 where something differs."""

from __future__ import annotations

from pathlib import Path

import pytest

from colde.cli import main


def test_a_report_is_checked_against_its_files(
    pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files, report = list(map(str, pair)), tmp_path / "r.html"
    assert main(["compare", *files, "--model", "tfidf", "--leave-out", "small", "--html", str(report)]) == 0
    capsys.readouterr()
    assert main(["verify", str(report), *files]) == 0
    printed = capsys.readouterr().out
    assert "agrees       content of the report" in printed and "DIFFERS" not in printed

    pair[1].write_text(pair[1].read_text(encoding="utf-8").replace("basins", "basin"), encoding="utf-8")
    assert main(["verify", str(report), *files]) == 4
    printed = capsys.readouterr().out
    for what in ("file B", "text of B", "content of the report"):
        assert f"DIFFERS      {what}: " in printed
    assert "agrees       file A" in printed


def test_what_is_no_report_is_a_wrong_use(
    pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(pair[0]), *map(str, pair)]) == 2
    assert "not a report" in capsys.readouterr().err
    assert main(["verify", str(tmp_path / "none.json"), *map(str, pair)]) == 2
