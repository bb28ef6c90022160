"""What a reviewer decides is in every file that the explorer saves, and is still there after a reload."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import docx
import openpyxl
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from colde.corpus.samples import sample_named, samples
from tests.browser.explorer import SLOW, compare, download, settled, upload
from tests.pdf_annotations import annotations
from tests.printed_text import docx_text, pdf_text
from tests.report.redline.accepted import accepted, lines, paragraphs_of, rejected
from tests.schemas import validate

NOTE = "Checked against the first edition – copied."
FILES = (
    "JSON",
    "CSV tables",
    "HTML report",
    "DOCX report",
    "PDF report",
    "Redline (DOCX)",
    "Redline (PDF)",
    "Matrix (PNG)",
    "Matrix (SVG)",
    "Review file",
    "Shared passages (CSV)",
    "Changes (CSV)",
    "Claim chart (DOCX)",
    "Claim chart (XLSX)",
    "Claim chart (CSV)",
    "Claim chart (JSON)",
    "Ledger (XLSX)",
    "Ledger (CSV)",
    "Ledger (JSON)",
    "Annotated PDF of A",
    "Annotated PDF of B",
)
REVIEWED = (
    "JSON",
    "CSV tables",
    "HTML report",
    "Review file",
    "Shared passages (CSV)",
    "Annotated PDF of A",
    "Annotated PDF of B",
)
"""Files with each thing that a reload may lose: decisions, notes, scores without a passage, the PDFs themselves."""

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def exported(page: Page, names: Sequence[str]) -> dict[str, bytes]:
    """The content of files by the names of their buttons."""
    return {name: download(page, name).read_bytes() for name in names}


def payload_of(report: str) -> dict[str, Any]:
    """The data of the view in an HTML report."""
    start = report.index('id="payload">') + len('id="payload">')
    found: dict[str, Any] = json.loads(report[start : report.index("</script>", start)])
    return found


def expect_reviewed(files: dict[str, bytes]) -> dict[str, Any]:
    """The files of `REVIEWED` contain the accepted passage with its note, the rejected one, and the passage left out of
    A; returns the content of the JSON file."""
    saved = json.loads(files["Review file"])
    decisions = {mark["decision"]: mark for mark in saved["marks"]}
    assert decisions["accepted"]["note"] == NOTE
    assert decisions["rejected"]["note"] == ""
    ((start, end),) = saved["left_out"]["a"]
    assert saved["left_out"]["b"] == []

    found: dict[str, Any] = json.loads(files["JSON"])
    said = {mark["decision"]: mark for mark in found["review"]["marks"]}
    for decision, mark in decisions.items():
        assert [said[decision]["a"]["start"], said[decision]["a"]["end"]] == mark["a"]
        assert said[decision]["note"] == mark["note"]
    assert found["review"]["left_out"] == {"a": [{"start": start, "end": end}], "b": []}
    gone = found["documents"]["a"]["text"][start:end]
    assert gone.strip()

    with zipfile.ZipFile(io.BytesIO(files["CSV tables"])) as packed:
        packed_review = packed.read("review.csv").decode()
    for table in (packed_review, files["Shared passages (CSV)"].decode()):
        rows = rows_of(table)
        by = {row["decision"]: row for row in rows}
        assert by["accepted"]["note"] == NOTE
        accepted = decisions["accepted"]["a"]
        assert by["accepted"]["a_text"].lstrip("'") == found["documents"]["a"]["text"][slice(*accepted)]
        assert by["rejected"]["number"]
        assert by["left out"]["a_text"].lstrip("'") == gone
        assert {row["kind"] for row in rows if row["number"]} == {
            p["kind"] for p in found["shared"]["passages"]
        }

    report = files["HTML report"].decode()
    assert "1 were accepted and 1 rejected" in report
    assert report.index(NOTE) < report.index('id="view"'), "the summary, which needs no script"
    assert "Left out with What if" in report
    content = payload_of(report)
    assert {mark["decision"] for mark in content["review"]["marks"]} == {"accepted", "rejected"}
    assert content["settings"]["out"]

    for side in "ab":
        written = [note.text for note in annotations(files[f"Annotated PDF of {side.upper()}"])]
        assert any("accepted" in note and NOTE in note for note in written)
        assert not any("rejected" in note for note in written)
        assert any(note.startswith("Left out with What if") for note in written) == (side == "a")
    return found


def expect_printed(files: dict[str, bytes], found: dict[str, Any]) -> None:
    """Both printed reports contain the decisions, the note and what was left out."""
    for printed in (docx_text(files["DOCX report"]), pdf_text(files["PDF report"])):
        assert "1 were accepted and 1 rejected" in printed
        assert NOTE in printed
        assert "Left out with What if" in printed
        for document in found["documents"].values():
            assert document["title"] in printed


def expect_ledger(files: dict[str, bytes], found: dict[str, Any]) -> None:
    """All three files have the same rows, and every sentence of both texts that was not left out stands in one."""
    listed = json.loads(files["Ledger (JSON)"])
    validate("ledger", listed)
    rows = rows_of(files["Ledger (CSV)"].decode())
    sheet = openpyxl.load_workbook(io.BytesIO(files["Ledger (XLSX)"])).worksheets[0]
    assert len(rows) == len(listed["rows"]) == sheet.max_row - 1
    for side, document in found["documents"].items():
        places = [(row[side]["start"], row[side]["end"]) for row in listed["rows"] if row[side]]
        for sentence in document["sentences"]:
            holding = [p for p in places if p[0] <= sentence["start"] and sentence["end"] <= p[1]]
            assert len(holding) == 1


def expect_redline(files: dict[str, bytes], found: dict[str, Any]) -> None:
    """Both redlines hold the note; accepted and rejected, the Word document is the text of B and of A."""
    noted = next(mark for mark in found["review"]["marks"] if mark["note"])
    kind = next(
        p["kind"] for p in found["shared"]["passages"] if (p["a"], p["b"]) == (noted["a"], noted["b"])
    )
    comments = [comment.text for comment in docx.Document(io.BytesIO(files["Redline (DOCX)"])).comments]
    assert f"{kind}: accepted. {NOTE}" in comments
    assert NOTE in " ".join(pdf_text(files["Redline (PDF)"]).split())
    for resolved, side in ((accepted, "b"), (rejected, "a")):
        assert paragraphs_of(resolved(files["Redline (DOCX)"])) == lines(found["documents"][side]["text"])


def expect_matrix(files: dict[str, bytes], found: dict[str, Any]) -> None:
    """Both images show the map of sections: a cell for each pair, the first heading, and a scale."""
    section = found["maps"]["colde_words"]["section"]["values"]
    drawn = ElementTree.fromstring(files["Matrix (SVG)"])
    cells = drawn.find("{http://www.w3.org/2000/svg}g")
    assert cells is not None and len(cells) == sum(map(len, section))
    labels = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    heading = next(s["heading"] for s in found["documents"]["a"]["sections"] if s["heading"])
    assert {"Cosine", heading} <= set(labels)
    assert any("usual between unrelated texts" in str(label) for label in labels)
    with Image.open(io.BytesIO(files["Matrix (PNG)"])) as image:
        assert image.format == "PNG" and min(image.size) > 500


def choose_passage(page: Page, number: int) -> None:
    page.locator(f'.lv-reviewed[data-noun=passage] [data-item="{number - 1}"]').click()


def test_a_review_is_in_every_file_and_survives_a_reload(visit: Callable[..., Page]) -> None:
    page = visit()
    for side, path in zip(
        "AB", (sample_named("lighthouse").a_pdf, sample_named("lighthouse").b_pdf), strict=True
    ):
        upload(page, side, path)
    compare(page)
    page.get_by_role("tab", name="Passages").click()
    choose_passage(page, 3)
    # The page asks the models, so that it has not taken in the decision when the file is asked for.
    leave_out_in_a(page)
    choose_passage(page, 1)
    page.get_by_role("button", name="✓ Accept", exact=True).click()
    marks = json.loads(download_now(page, "Review file").read_text("utf-8"))["marks"]
    assert [mark["decision"] for mark in marks] == ["accepted"], (
        "a decision of the last moment is in the file"
    )
    page.keyboard.press("Escape")
    page.get_by_role("textbox", name="Note on passage 1").fill(NOTE)
    choose_passage(page, 2)
    page.get_by_role("button", name="Reject").click()
    files = exported(page, FILES)
    found = expect_reviewed(files)
    validate("comparison", found)
    expect_printed(files, found)
    expect_matrix(files, found)
    expect_redline(files, found)
    expect_ledger(files, found)

    page.reload()
    expect(page.get_by_role("tab", name="Passages", selected=True)).to_be_visible(timeout=SLOW)
    expect(page.locator(".lv-reviewed[data-noun=passage]")).to_contain_text(
        "1 accepted · 1 rejected", timeout=SLOW
    )
    expect(page.locator(".lv-reviewed[data-noun=passage]")).to_contain_text(NOTE)
    expect(page.locator(".lv-what-if")).to_contain_text("Left out")
    expect_reviewed(exported(page, REVIEWED))


def leave_out_in_a(page: Page) -> None:
    """Leave the selected passage of A out with What if."""
    selected = page.get_by_role("group", name="The selected passage").first
    selected.get_by_role("button", name="Leave out").click()
    expect(page.locator(".lv-what-if")).to_contain_text("Left out")


def download_now(page: Page, name: str) -> Path:
    """Press a download button without waiting for the page to come to rest."""
    page.get_by_role("button", name="Export").click()
    with page.expect_download(timeout=SLOW) as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    return Path(waiting.value.path())


def test_files_of_a_collection_hold_its_documents(visit: Callable[..., Page]) -> None:
    page = visit("/collection")
    page.get_by_test_id("stSelectbox").filter(has_text="Model").get_by_role("combobox").click()
    page.get_by_role("option", name="TF-IDF").click()
    settled(page)
    page.get_by_role("button", name="Use the samples").click()
    expect(page.get_by_role("heading", name="Strongest pairs")).to_be_visible(timeout=SLOW)
    files = {
        name: download(page, name).read_bytes() for name in ("JSON", "CSV tables", "HTML report", "GraphML")
    }
    found = json.loads(files["JSON"])
    assert found["models"] == ["tfidf"]
    titles = [document["title"] for document in found["documents"]]
    assert len(titles) == 2 * len(samples())
    with zipfile.ZipFile(io.BytesIO(files["CSV tables"])) as packed:
        tables = "".join(packed.read(name).decode() for name in packed.namelist())
    for content in (tables, files["HTML report"].decode(), files["GraphML"].decode()):
        assert all(title.split(":")[0].split("’")[0] in content for title in titles)
