"""`colde verify`: status 0 where a report agrees with its files, 4 where something differs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import colde
from colde.cli import main
from colde.text.document import EXCLUDED_ROLE
from colde.text.sections.section_edits import set_role
from tests.small_encoders import write_encoder


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


def test_json_with_two_sentences_word_by_word_is_checked(
    pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files, report = list(map(str, pair)), tmp_path / "r.json"
    assert main(["compare", *files, "--model", "tfidf", "--words", "strongest", "--json", str(report)]) == 0
    assert '"contribution_word"' in report.read_text(encoding="utf-8")
    assert main(["verify", str(report), *files]) == 0
    capsys.readouterr()

    whole = json.loads(report.read_text(encoding="utf-8"))
    whole["maps"]["tfidf"]["contribution_word"]["values"][0][0] += 0.5
    report.write_text(json.dumps(whole), encoding="utf-8")
    assert main(["verify", str(report), *files]) == 4
    assert "contribution_word" in capsys.readouterr().out


def test_a_report_without_sections_that_were_left_out_is_checked(
    pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = (colde.read(path) for path in pair)
    report = tmp_path / "r.html"
    without = [set_role(a, 1, EXCLUDED_ROLE), b]
    report.write_text(colde.compare(*without, models="tfidf").to_html(), encoding="utf-8")
    assert main(["verify", str(report), *map(str, pair)]) == 0
    printed = capsys.readouterr().out
    assert "agrees       content of the report" in printed and "not checked" not in printed

    page = report.read_text(encoding="utf-8")
    excluded = f'"excluded":{{"a":[{{"start":{a.sections[1].start},"end":{a.sections[1].end}}}]'
    assert excluded in page
    report.write_text(page.replace(excluded, '"excluded":{"a":[]'), encoding="utf-8")
    assert main(["verify", str(report), *map(str, pair)]) == 4


@pytest.mark.slow
def test_a_report_by_another_encoder_is_checked_where_the_user_names_it(
    pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files, report, encoder = list(map(str, pair)), tmp_path / "r.json", tmp_path / "encoder"
    write_encoder(encoder)
    named = ["--encoder", str(encoder)]
    assert main(["compare", *files, "--model", "minilm", *named, "--json", str(report)]) == 0
    capsys.readouterr()
    assert main(["verify", str(report), *files]) == 2
    assert "name it with --encoder" in capsys.readouterr().err
    assert main(["verify", str(report), *files, *named]) == 0

    other = tmp_path / "other"
    write_encoder(other, "roberta")
    assert main(["verify", str(report), *files, "--encoder", str(other)]) == 4
    assert "DIFFERS      weights of the encoder" in capsys.readouterr().out
