"""No file grows with the product of two long texts; ordinary maps are written in full, and their sums hold."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from colde.report.tables.csv_tables import map_table
from colde.results.saved import written_maps as module
from colde.results.saved.written_maps import written_maps
from colde.results.similarity_map import SMALL, STRONGEST, SimilarityMap
from colde.text.document import Document, Section, Span


def large_map(rows: int, columns: int, role: str = "topic", seed: int = 0) -> SimilarityMap:
    values = np.random.default_rng(seed).normal(0, 1 / (rows * columns), (rows, columns)).astype(np.float32)
    values[rows // 2, columns // 3] = 0.02
    spans = [tuple(Span(i, i + 1) for i in range(n)) for n in (rows, columns)]
    contribution = {"reference": 0.1, "residual": 0.0} if role == "contribution" else {}
    kind = "attribution" if role == "contribution" else "cosine"
    return SimilarityMap(values, *spans, kind, "M.", role, "sentence", **contribution)  # type: ignore[arg-type]


def test_sums_of_parts_of_a_written_contribution_hold() -> None:
    contribution = large_map(300, 200, "contribution")
    written = contribution.to_dict()
    values = np.array(written["values"], dtype=np.float64)
    assert values.sum() == pytest.approx(written["sum"], abs=1e-5)
    blocks = [(slice(i, i + 20), slice(j, j + 25)) for i in range(0, 300, 20) for j in range(0, 200, 25)]
    for block in blocks:
        assert values[block].sum() == pytest.approx(float(contribution.values[block].sum()), abs=1e-4)
    assert np.abs(values - contribution.values).max() < 2e-5
    assert values[150, 66] == pytest.approx(0.02, abs=1e-5)


def test_a_small_map_keeps_its_decimals_and_a_large_one_three() -> None:
    small, large = large_map(10, 10), large_map(SMALL, 2)
    np.testing.assert_allclose(small.to_dict()["values"], small.values, atol=5e-7)
    large = replace(large, values=np.full(large.values.shape, 0.123456, np.float32))
    assert large.to_dict()["values"][0] == [0.123, 0.123]
    with_gap = large.values.copy()
    with_gap[0, 0] = np.nan
    assert replace(large, values=with_gap).to_dict()["values"][0] == [None, 0.123]


def test_the_default_model_is_written_in_full_and_of_the_others_the_strongest_cells(monkeypatch) -> None:
    monkeypatch.setattr(module, "MAX_CELLS", 40_000)
    named = {"chunk": large_map(5, 5), "sentence": large_map(200, 200)}
    written = written_maps({"colde": named, "tfidf": named})
    assert written["colde"]["sentence"] is named["sentence"] and written["tfidf"]["chunk"] is named["chunk"]
    strongest = written["tfidf"]["sentence"].to_dict()
    assert strongest["values"] is None and len(strongest["cells"]) == STRONGEST
    assert strongest["cells"][0] == [100, 66, 0.02]
    sizes = [abs(value) for _, _, value in strongest["cells"]]
    assert sizes == sorted(sizes, reverse=True)
    assert strongest["meaning"] == "M. The 20,000 strongest of 200 × 200 cells are written."
    text = "x" * 300
    document = Document(text, (Section(0, 300),))
    table = map_table(written["tfidf"]["sentence"], document, document).splitlines()
    assert table[0] == "row_start,row_end,column_start,column_end,value"
    assert len(table) == STRONGEST + 1 and table[1].startswith("100,101,") and table[1].endswith(",0.02")


def test_two_texts_of_2_000_sentences_make_no_large_file() -> None:
    maps = {name: {"sentence": large_map(2_000, 2_000, seed=k)} for k, name in enumerate("abc")}
    size = sum(
        len(json.dumps(list(m.written_values or ()))) + len(json.dumps(m.cells))
        for named in written_maps(maps).values()
        for m in named.values()
    )
    assert size < 32_000_000
