"""What was not compared, and the warnings, stand in every output."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

import colde
from colde.cli import main
from colde.report.csv_tables import tables
from colde.report.html_report import to_html
from colde.report.not_compared import not_compared_lines
from colde.results.comparison import TOO_LONG, Comparison
from colde.results.shared_text import SentenceMatches
from colde.text.document import ReadWarning
from tests.report.example import example

TEXT = """# Tides

The tide turns twice a day along most coasts, and the pilot waits for it before he takes a ship over the bar at dawn.

## References

Doodson, A. T. (1921). The harmonic development of the tide-generating potential. Royal Society, London.
"""


def warned() -> Comparison:
    found = example()
    return replace(found, b=replace(found.b, warnings=(ReadWarning("page 2 has no <text>"),)))


def test_json_python_and_tables_give_the_same_counts() -> None:
    found = warned()
    data = json.loads(found.to_json())
    assert data["set_aside"]["b"] == [{"what": "references", "words": 12, "why": "a list of works"}]
    assert data["set_aside"] == {s: [i.to_dict() for i in items] for s, items in found.set_aside.items()}
    assert data["warnings"] == {"a": [], "b": ["page 2 has no <text>"]}
    assert found.warnings["b"] == ("page 2 has no <text>",)
    rows = list(csv.DictReader(io.StringIO(dict(tables(found))["set_aside.csv"])))
    assert [(r["document"], r["what"], int(r["words"])) for r in rows] == [
        (side, item["what"], item["words"]) for side in "ab" for item in data["set_aside"][side]
    ]


def test_what_a_model_did_not_read_is_counted() -> None:
    found = example()
    (limited,) = (s for s in found.results if s.read_a.tokens_read < s.read_a.tokens)
    (item,) = (i for i in found.set_aside["a"] if i.model == limited.name)
    assert 0 < item.words < found.a.words()
    assert limited.title in item.what and limited.title not in " ".join(not_compared_lines(found))


def test_texts_too_long_for_the_search_for_shared_text_have_a_warning() -> None:
    finished = replace(example(), sentences=SentenceMatches(None), shared=None)
    assert finished.warnings == {"a": (TOO_LONG,), "b": (TOO_LONG,)}
    assert replace(finished, sentences=None).warnings == {"a": (), "b": ()}, "models are still at work"


def test_html_and_terminal() -> None:
    found = warned()
    assert not_compared_lines(found) == [
        "Not compared in A: references 12 words (--include references).",
        "Not compared in B: references 12 words (--include references).",
    ]
    page = to_html(found)
    assert "<h2>Not compared</h2>" in page and "<code>--include references</code>" in page
    assert '<p class="warning"><b>B</b>: page 2 has no &lt;text&gt;</p>' in page


def test_warnings_stand_on_standard_error_beside_files(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    paths = [tmp_path / "a.md", tmp_path / "b.md"]
    paths[0].write_text(TEXT.replace("## References", "## References\n\n" + "Doodson 1921. " * 40))
    paths[1].write_text(TEXT)
    command = ["compare", *map(str, paths), "--model", "tfidf"]
    assert main(command) == 0
    out, err = capfd.readouterr()
    assert "Not compared in B: references" in out and "warning: only 2" in out and "colde:" not in err
    page = tmp_path / "x.html"
    assert main([*command, "--json", "-", "--html", str(page)]) == 0
    out, err = capfd.readouterr()
    (warning,) = json.loads(out)["warnings"]["a"]
    assert warning.startswith("only 2") and f"colde: a.md: {warning}" in err.splitlines()
    assert f"<b>A</b>: {warning}" in page.read_text(encoding="utf-8")
    assert main([*command, "--json", "-", "--quiet"]) == 0
    assert capfd.readouterr().err == ""


def test_quotations_that_are_left_out_are_counted(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    paths = [str(tmp_path / f"{name}.md") for name in "ab"]
    for path in map(Path, paths):
        path.write_text(TEXT.replace("waits for it", "“waits for it”"))
    command = ["compare", *paths, "--model", "tfidf", "--leave-out", "quotes"]
    assert main([*command, "--json", "-"]) == 0
    found = json.loads(capfd.readouterr().out)["set_aside"]["a"]
    assert {k: found[-1][k] for k in ("what", "words")} == {"what": "quotations", "words": 3}
    assert main(command) == 0
    assert "quotations 3 words" in capfd.readouterr().out


def test_what_if_and_collections_count_it_too(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    body = (
        "The pilot waits for the tide before he takes a ship in over the bar, at dawn or in the last light. "
        * 2
    )
    for name in "abc":
        (tmp_path / f"{name}.md").write_text(f"{TEXT}\n## Bars\n\n{body}\n\n## Pilots\n\n{body}{name}\n")
    a, b = (str(tmp_path / f"{name}.md") for name in "ab")
    assert main(["what-if", a, b, "--without", "a:2", "--model", "tfidf", "--json", "-"]) == 0
    data = json.loads(capfd.readouterr().out)
    kinds = {when: [i["what"] for i in data["set_aside"][when]["a"]] for when in ("before", "after")}
    assert kinds == {"before": ["references"], "after": ["references", "left out by hand"]}
    found = colde.Collection.read([tmp_path], "tfidf").to_dict()
    assert [d["set_aside"][0]["what"] for d in found["documents"]] == ["references"] * 3
    assert [d["warnings"] for d in found["documents"]] == [[]] * 3
