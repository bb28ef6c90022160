"""Tables for spreadsheets: they hold every number, and nothing that runs."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from colde.report.tables.csv_tables import plain_cell, tables


def parsed(comparison) -> dict[str, list[list[str]]]:
    return {name: list(csv.reader(io.StringIO(text))) for name, text in tables(comparison)}


def test_one_table_for_scores_passages_and_each_map(comparison) -> None:
    assert set(parsed(comparison)) == {
        "scores.csv", "passages.csv", "set_aside.csv", "warnings.csv", "split.csv", "colde.section.csv",
        "colde.within_a_section.csv",
    }  # fmt: skip


def test_a_map_has_its_passages_beside_its_values(comparison) -> None:
    header, *rows = parsed(comparison)["colde.section.csv"]
    found = comparison.maps["colde"]["section"]
    assert len(header) == 3 + len(found.columns)
    assert header[3] == f"{found.columns[0].start}-{found.columns[0].end} Background"
    for row, span, values in zip(rows, found.rows, found.values, strict=True):
        assert [int(row[0]), int(row[1])] == [span.start, span.end]
        read = [float(cell) if cell else float("nan") for cell in row[3:]]
        np.testing.assert_allclose(read, values, rtol=1e-5)
    assert rows[1][3] == ""  # the missing value


def test_maps_within_a_document_have_that_document_on_both_sides(comparison) -> None:
    header, *rows = parsed(comparison)["colde.within_a_section.csv"]
    assert header[3].endswith("Introduction")
    assert rows[0][2] == "Introduction"


def test_scores_and_passages_hold_what_the_json_holds(comparison) -> None:
    files = parsed(comparison)
    scores = [dict(zip(files["scores.csv"][0], row, strict=True)) for row in files["scores.csv"][1:]]
    assert scores[0]["name"] == "colde"
    assert float(scores[0]["probability"]) == 0.83
    assert scores[1]["probability"] == ""
    assert (scores[1]["tokens_read_a"], scores[1]["tokens_a"]) == ("512", "6120")
    header, *rows = files["passages.csv"]
    passage, part = (dict(zip(header, row, strict=True)) for row in rows)
    assert (passage["passage"], passage["part"], part["passage"], part["part"]) == ("1", "", "1", "1")
    assert (passage["kind"], passage["words_a"], passage["certainty"]) == ("identical", "6", "0.9")
    for row in (passage, part):
        assert comparison.a.text[int(row["a_start"]) : int(row["a_end"])] == row["a_text"]


def test_a_heading_that_looks_like_a_formula_stays_text(comparison) -> None:
    rows = parsed(comparison)["colde.section.csv"]
    assert rows[2][2] == "'=Lenses"


def test_tables_of_cells_do_not_repeat_the_names_of_places(comparison) -> None:
    """A heading as long as a sentence would stand in each of 20,000 rows of thirty tables."""
    maps = {"colde": {name: replace(m, strongest_only=True) for name, m in comparison.maps["colde"].items()}}
    files = parsed(replace(comparison, maps=maps))
    assert files["colde.section.csv"][0] == ["row_start", "row_end", "column_start", "column_end", "value"]
    assert files["places.csv"][0] == ["document", "start", "end", "section"]
    places = {(side, start, end): name for side, start, end, name in files["places.csv"][1:]}
    assert len(places) == len(files["places.csv"]) - 1
    for table, sides in (("section", "ab"), ("within_a_section", "aa")):
        for row in files[f"colde.{table}.csv"][1:]:
            assert places[sides[0], row[0], row[1]] and places[sides[1], row[2], row[3]]
    assert "Introduction" in places.values() and "'=Lenses" in places.values()
    assert "places.csv" not in parsed(comparison)


@pytest.mark.parametrize(
    "text", ["=1+1", "＝1+1", "＋1", "－1", "＠SUM(A1)", "−1", " =1", "\u200b=1", "\ufeff+1", "\tx"]
)
def test_what_a_spreadsheet_takes_for_a_formula_is_text(text: str) -> None:
    assert plain_cell(text) == f"'{text}"
    assert plain_cell(f"x{text}") == f"x{text}"
