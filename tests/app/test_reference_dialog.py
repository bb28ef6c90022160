"""A pair judged against documents that the reader puts in: the same as `--reference` on a folder of the same files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from colde.cli import main
from colde.judge.reference import FEWEST
from tests.app.pages import CHEAP, packed
from tests.judge.test_reference import text


@pytest.fixture
def files() -> dict[str, bytes]:
    return {f"{i:02d}.txt": text(i).encode() for i in range(FEWEST + 2)}


@pytest.fixture
def compared(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv("COLDE_SANDBOX", "off")  # two dozen small texts
    page.multiselect(key="taking_part").set_value(CHEAP).run()
    for side in (0, 1):
        page.file_uploader[side].upload(f"{side}.txt", text(100 + side).encode())
        page.run()
    return page


def put_in(page: AppTest, *uploads: tuple[str, bytes]) -> None:
    """Open the dialog, put these files in, and have them read."""
    page.button(key="reference_opener").click().run()
    uploader = page.file_uploader(key="reference_files")
    uploader.set_value([(name, data, "application/octet-stream") for name, data in uploads]).run()
    page.button(key="reference_read").click().run()
    page.run()
    assert not page.exception


def test_the_page_judges_as_the_command_line_does(
    compared: AppTest, files: dict[str, bytes], tmp_path: Path
) -> None:
    broken = {"broken.pdf": b"%PDF-1.4 nothing"}
    put_in(compared, ("harbours.zip", packed({f"deep/../{n}": c for n, c in files.items()} | broken)))
    assert "12 documents" in compared.success[0].value
    assert any("broken" in caption.value for caption in compared.caption)
    compared.button(key="reference_close").click().run()
    compared.button(key="compare").click().run()
    assert not compared.exception

    folder = tmp_path / "harbours"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    pair = [tmp_path / f"{side}.txt" for side in (0, 1)]
    for side, path in enumerate(pair):
        path.write_bytes(text(100 + side).encode())
    out = tmp_path / "out.json"
    asked = ["compare", *map(str, pair), "--reference", str(folder), "--json", str(out)]
    assert main([*asked, "--quiet", "--model", ",".join(CHEAP)]) == 0
    expected = json.loads(out.read_text(encoding="utf-8"))
    table = compared.dataframe[0].value
    for row, model in zip(table.to_dict("records"), expected["models"], strict=True):
        assert row["Score"] == pytest.approx(model["score"])
        assert row["Threshold"] == pytest.approx(model["threshold"])
        assert row["Percentile"] == round(100 * model["percentile"])
    assert expected["reference"] == "harbours (12 documents)"

    compared.button(key="reference_opener").click().run()
    compared.button(key="reference_off").click().run()
    assert compared.button(key="reference_opener").label == "Use my own reference documents"


def test_too_few_and_what_is_no_zip_are_said_in_a_sentence(
    compared: AppTest, files: dict[str, bytes]
) -> None:
    put_in(compared, *list(files.items())[: FEWEST - 1])
    assert f"needs at least {FEWEST}" in compared.error[0].value
    put_in(compared, ("folder.zip", b"PK no zip"))
    assert "not a zip archive that can be opened" in compared.error[0].value
