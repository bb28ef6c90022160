"""The table of `make bench`."""

from __future__ import annotations

import pytest

from studies.speed import bench
from studies.speed.matrix_products import processor_class
from studies.tables import print_limit


def test_the_limits_that_programs_print_are_rows_of_one_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    print_limit("encoding, against float32: all", 2.4, 2.2, "times", least=True)
    print_limit("two PDFs of 10 pages, verdict", 4.321, 4, "s")
    printed = ["3 documents, 40 chunks: met (of 4)\n", *capsys.readouterr().out.splitlines(keepends=True)]
    rows = bench.limit_rows(printed)
    assert rows == [
        ("encoding, against float32: all", "2.4 times", "≥ 2.2 times", "yes"),
        ("two PDFs of 10 pages, verdict", "4.321 s", "≤ 4 s", "**no**"),
    ]
    monkeypatch.setattr(bench, "machine", lambda: "a processor (AVX2)")
    lines = bench.table({"float32": 87.4, "int8": 153.2}, rows).splitlines()
    assert lines[0].startswith("| a processor (AVX2), torch ")
    assert lines[2] == "| products in float32, one core | 87 GOPS |  |  |"
    assert [line.count("|") for line in lines] == [5] * 6


@pytest.mark.parametrize(
    ("flags", "name"),
    [
        ("avx2 avx512f avx512_vnni avx512_bf16 amx_bf16", "AMX"),
        ("avx2 avx512f avx512_vnni avx512_bf16", "AVX-512 with bf16"),
        ("avx2 avx512f avx512_vnni", "AVX-512 with VNNI"),
        ("avx2 avx_vnni", "AVX2 with VNNI"),
        ("avx2", "AVX2"),
        ("sse4_2", "none of the known classes"),
    ],
)
def test_a_processor_is_of_the_class_of_its_fastest_product(flags: str, name: str) -> None:
    assert processor_class(flags.split()) == name
