"""Packed values: the page gets the values of the result, in fewer bytes, and each list once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from colde.report import linked_view
from colde.report.html.html_report import to_html
from colde.report.html.view_payload import view_payload
from colde.report.maps.packed_values import MISSING, Numbered, pack, quantisation_steps, quantise
from colde.results.comparison import Comparison
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Span
from tests.programs import PATIENCE
from tests.report.example import example, map_values, numbers_of, unpacked

NUMBERS = arrays(np.int16, array_shapes(min_dims=2, max_dims=2, max_side=20))
VALUES = arrays(np.float32, 12, elements=st.floats(-50, 50, width=32) | st.just(np.nan))


@given(NUMBERS)
def test_integers_come_back(numbers: np.ndarray) -> None:
    np.testing.assert_array_equal(numbers_of(pack(numbers)), numbers.ravel())


@given(VALUES, st.sampled_from([1.0, 0.01, 1e-4]))
def test_values_come_back_within_a_step_and_missing_ones_stay_missing(
    values: np.ndarray, scale: float
) -> None:
    values = values * np.float32(scale)
    steps = quantisation_steps(values)
    back = unpacked(pack(quantise(values, steps)), steps)
    assert np.array_equal(np.isnan(back), np.isnan(values))
    greatest = np.nanmax(np.abs(values), initial=0)
    assert np.nanmax(np.abs(back - values), initial=0) <= max(0.50001 / steps, 1e-6 * greatest)
    assert greatest == 0 or 1 / steps <= max(greatest / 1_000, 1e-4)


def test_the_page_unpacks_what_is_packed_here(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        assert not os.environ.get("CI"), "node is missing; `make node` installs it"
        pytest.skip("node is not installed")
    random = np.random.default_rng(0)
    lists = [random.integers(-(2**k), 2**k, 100).astype(np.int16) for k in range(15)]
    lists += [np.array([MISSING, 32767, 0, -1], dtype=np.int16), np.zeros(0, dtype=np.int16)]
    (tmp_path / "view.mjs").write_text(linked_view.script(), encoding="utf-8")
    (tmp_path / "packed.json").write_text(json.dumps([{"values": pack(numbers)} for numbers in lists]))
    code = (
        "const { unpackTiles } = await import('./view.mjs'); const { readFileSync } = await import('node:fs');"
        "const tiles = await unpackTiles(JSON.parse(readFileSync('packed.json', 'utf8')));"
        "console.log(JSON.stringify(tiles.map(({ values }) => [...values])))"
    )
    done = subprocess.run(
        [node, "--input-type=module", "-e", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [numbers.tolist() for numbers in lists]


def test_the_same_list_has_the_same_number() -> None:
    words: Numbered[str] = Numbered()
    assert [words.number(word) for word in ("tide", "sea", "tide")] == [0, 1, 0]
    assert words.values == ["tide", "sea"]


def sentence_map(rows: int, columns: int, seed: int, *, parts: bool = False) -> SimilarityMap:
    """Cosines as sentences have them, or their parts of a score."""
    random = np.random.default_rng(seed)
    values = random.normal(0.02, 0.03, (rows, columns))
    values = values / values.size if parts else values
    spans = [tuple(Span(10 * i, 10 * i + 10) for i in range(n)) for n in (rows, columns)]
    if parts:
        return SimilarityMap(
            values, *spans, "attribution", "M.", "contribution", "sentence", reference=0.1, residual=0.0
        )
    return SimilarityMap(values, *spans, "cosine", "M.", "passages", "sentence")


def two_models() -> Comparison:
    """Two models that have the same map of sentences, and different contributions."""
    sentence = sentence_map(200, 150, 0)
    maps = {
        name: {"sentence": sentence, "contribution_sentence": sentence_map(200, 150, seed, parts=True)}
        for seed, name in enumerate(("colde", "counter"), 1)
    }
    return replace(example(), maps=maps)


def test_the_page_has_the_maps_of_the_result() -> None:
    whole = two_models()
    payload = view_payload(whole)
    assert [m["name"] for m in payload["models"]] == ["colde", "counter"]
    for number, (_, maps) in enumerate(whole.maps.items()):
        for name, m in maps.items():
            sent: dict[str, Any] = payload["models"][number]["maps"][name]
            np.testing.assert_allclose(
                map_values(payload, name, number), m.values, atol=0.51 / sent["steps"], rtol=0
            )
            assert payload["spans"][sent["rows"]][:4] == [0, 10, 10, 20]
            total = map_values(payload, name, number).sum()
            assert total == pytest.approx(
                m.values.sum(dtype=np.float64), abs=1e-3 * abs(m.values).max() * 200
            )


def test_what_several_maps_share_is_sent_once_and_all_of_it_in_few_bytes() -> None:
    whole = two_models()
    payload = view_payload(whole)
    assert len(payload["values"]) == 3 and len(payload["spans"]) == 2
    cells = sum(m.values.size for maps in whole.maps.values() for m in maps.values())
    assert sum(map(len, payload["values"])) < 1.6 * cells  # 16 bits in base64 are 2.7 characters
    alone = replace(whole, maps={"colde": whole.maps["colde"]})
    assert len(to_html(whole)) - len(to_html(alone)) < 2.3 * 30_000  # cells
