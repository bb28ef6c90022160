"""Large maps in tiles: the tiles put together are the map, and the overview says of it what the whole would."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from colde.report.html.html_report import to_html
from colde.report.html.view_payload import view_payload
from colde.report.maps import map_tiles as module
from colde.report.maps.map_tiles import greatest_cells, overview, requested_tiles, tile, tiles
from colde.report.maps.packed_values import MISSING, pack, quantisation_steps, quantise
from colde.results.comparison import Comparison
from colde.results.similarity_map import Side, SimilarityMap
from colde.text.document import Span
from tests.report.example import example, numbers_of


def a_map(rows: int, columns: int, side: Side = "across") -> SimilarityMap:
    values = np.random.default_rng(0).uniform(0, 1, (rows, columns)).astype(np.float32)
    values[3, :] = np.nan
    left, right = (tuple(Span(10 * i, 10 * i + 10) for i in range(n)) for n in (rows, columns))
    return SimilarityMap(
        values, left, right, "cosine", "Anything.", role="passages", level="chunk", side=side
    )


@pytest.fixture
def small_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("MAX_CELLS_AT_ONCE", 100), ("TILE", 7), ("MAX_OVERVIEW", 6)):
        monkeypatch.setattr(module, name, value)


def put_together(m: SimilarityMap, size: int) -> np.ndarray:
    found = np.zeros(m.values.shape, dtype=np.int16)
    across = -(-m.values.shape[1] // size)
    for number, text in enumerate(tiles(m)):
        row, column = (size * x for x in divmod(number, across))
        part = found[row : row + size, column : column + size]
        part[:] = numbers_of(text).reshape(part.shape)
    return found


def test_tiles_put_together_are_the_map_in_the_digits_that_are_shown(small_tiles: None) -> None:
    m = a_map(31, 23)
    found = put_together(m, 7)
    np.testing.assert_array_equal(found, quantise(m.values, quantisation_steps(m.values)))
    shown = np.where(found == MISSING, np.nan, found / quantisation_steps(m.values))
    np.testing.assert_allclose(shown, m.values, atol=0.00006)


def test_the_overview_says_what_the_whole_map_would(small_tiles: None) -> None:
    m = a_map(31, 23)
    numbers = quantise(m.values, quantisation_steps(m.values))
    found = overview(m, quantisation_steps(m.values), pack)
    np.testing.assert_array_equal(numbers_of(found["best"]["rows"]), numbers.max(1))
    np.testing.assert_array_equal(numbers_of(found["best"]["columns"]), numbers.max(0))
    assert found["factor"] == 6
    coarse = numbers_of(found["coarse"]).reshape(6, 4)
    assert coarse[5, 3] == round(float(numbers[30:, 18:].mean()))
    known = numbers[:6, :6][np.array([0, 1, 2, 4, 5])]
    assert coarse[0, 0] == round(float(known.mean()))
    row, column, value = found["top"][0]
    assert value == numbers.max() == numbers[row, column] == found["most"]
    assert found["least"] == numbers[numbers != MISSING].min()
    assert found["low"] == np.sort(numbers[numbers != MISSING])[int(0.01 * (numbers != MISSING).sum())]


def test_a_passage_with_itself_is_left_out(small_tiles: None) -> None:
    m = a_map(20, 20, side="within_a")
    found = put_together(m, 7)
    assert (np.diag(found) == MISSING).all()
    assert all(row != column for row, column, _ in overview(m, quantisation_steps(m.values), pack)["top"])


def with_map(m: SimilarityMap) -> Comparison:
    whole = example()
    return replace(whole, maps={"colde": {**whole.maps["colde"], "chunk": m}})


def test_the_page_gets_an_overview_and_the_tiles_that_it_asks_for(small_tiles: None) -> None:
    m = a_map(31, 23)
    comparison = with_map(m)
    sent = view_payload(comparison, "colde")["models"][0]["maps"]
    assert sent["chunk"]["values"] is None and sent["chunk"]["overview"]["size"] == 7
    assert sent["section"]["overview"] is None and sent["section"]["values"] is not None
    asked = [{"model": "colde", "map": "chunk", "digest": "d", "tiles": [5, 0, 99, -1, "x", None]}]
    found = requested_tiles(comparison, asked)
    assert [(t["tile"], t["digest"]) for t in found] == [(5, "d"), (0, "d")]
    assert found[0]["values"] == tile(m, quantisation_steps(m.values), 5)


@pytest.mark.parametrize(
    "asked",
    [None, "x", 3, [3], [{"model": "no"}], [{"model": "colde", "map": "section", "tiles": [0]}], [{}]],
)
def test_whatever_else_is_asked_gets_nothing(small_tiles: None, asked: object) -> None:
    assert requested_tiles(with_map(a_map(31, 23)), asked) == []


def test_one_message_has_so_many_tiles_and_no_more(
    small_tiles: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_TILES_PER_MESSAGE", 3)
    asked = [{"model": "colde", "map": "chunk", "tiles": [0, 1]}] * 3
    assert [t["tile"] for t in requested_tiles(with_map(a_map(31, 23)), asked)] == [0, 1, 0]


def test_a_report_has_the_tiles_of_equal_maps_once(small_tiles: None) -> None:
    m = a_map(31, 23)
    whole = with_map(m)
    comparison = replace(whole, maps={"colde": {**whole.maps["colde"], "chunk": m, "passages": m}})
    page = to_html(comparison)
    digest = overview(m, quantisation_steps(m.values), pack)["digest"]
    assert page.count(f'<script type="text/plain" id="tiles-{digest}">') == 1
    assert page.count(next(tiles(m))) == 1


@pytest.mark.parametrize("seed", range(8))
def test_the_greatest_cells_come_first_and_ties_in_reading_order(seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.normal(size=random.integers(0, 9, 2)).round(1).astype(np.float32)  # rounded: with ties
    values[random.uniform(size=values.shape) < 0.1] = np.nan
    known = sorted((-float(v), i, j) for (i, j), v in np.ndenumerate(values) if not np.isnan(v))
    assert greatest_cells(values, 5) == [(i, j) for _, i, j in known[:5]]
