"""What was not compared, and warnings about the documents, in what the commands print and write."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import colde
from tests.programs import Run

TEXT = """# Tides

The tide turns twice a day along most coasts, and the pilot waits for it before he takes a ship over the bar at dawn.

## References

Doodson, A. T. (1921). The harmonic development of the tide-generating potential. Royal Society, London.
"""


def test_warnings_stand_on_standard_error_beside_files(run: Run, tmp_path: Path) -> None:
    a, b, page = (tmp_path / name for name in ("a.md", "b.md", "x.html"))
    a.write_text(TEXT.replace("## References", "## References\n\n" + "Doodson 1921. " * 40), encoding="utf-8")
    b.write_text(TEXT, encoding="utf-8")
    command = ("compare", a, b, "--model", "tfidf")
    status, out, err = run(*command)
    assert status == 0
    assert "Not compared in B: references" in out and "warning: only 2" in out and "colde:" not in err
    status, out, err = run(*command, "--json", "-", "--html", page)
    (warning,) = json.loads(out)["warnings"]["a"]
    assert warning.startswith("only 2") and f"colde: a.md: {warning}" in err.splitlines()
    assert f"<b>A</b>: {warning}" in page.read_text(encoding="utf-8")
    assert run(*command, "--json", "-", "--quiet")[2] == ""


def test_warnings_of_readers_reach_every_command(run: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_bytes(
        "The café on the pier is open at dawn, when the boats come in. ".encode() * 6
        + b"The end \xe9 is here.\n"
    )
    other = tmp_path / "other.md"
    other.write_text(TEXT, encoding="utf-8")
    status, out, err = run("read", bad, "--json")
    (warning,) = json.loads(out)["warnings"]
    assert status == 0 and err == f"colde: bad.txt: {warning}\n"
    page, tables = tmp_path / "x.html", tmp_path / "tables"
    status, _, err = run("compare", bad, other, other, "--model", "tfidf", "--html", page, "--csv", tables)
    assert status == 0 and warning in err and warning in page.read_text(encoding="utf-8")
    assert warning in (tables / "warnings.csv").read_text(encoding="utf-8")
    status, out, _ = run("compare", bad, other, other, "--model", "tfidf")
    assert status == 0 and warning[:30] in " ".join(out.split())


def test_quotations_that_are_left_out_are_counted(run: Run, tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.md" for name in "ab"]
    for path in paths:
        path.write_text(TEXT.replace("waits for it", "“waits for it”"), encoding="utf-8")
    command = ("compare", *paths, "--model", "tfidf", "--leave-out", "quotes")
    quotations = json.loads(run(*command, "--json", "-")[1])["set_aside"]["a"][-1]
    assert (quotations["what"], quotations["words"]) == ("quotations", 3)
    status, out, _ = run(*command)
    assert status == 0 and "quotations 3 words" in out


def test_what_if_and_collections_count_it_too(run: Run, tmp_path: Path) -> None:
    body = (
        "The pilot waits for the tide before he takes a ship in over the bar, at dawn or in the last light. "
        * 2
    )
    for name in "abc":
        text = f"{TEXT}\n## Bars\n\n{body}\n\n## Pilots\n\n{body}{name}\n"
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    a, b = tmp_path / "a.md", tmp_path / "b.md"
    status, out, _ = run("what-if", a, b, "--without", "a:2", "--model", "tfidf", "--json", "-")
    assert status == 0
    items = json.loads(out)["set_aside"]
    kinds = {when: [i["what"] for i in items[when]["a"]] for when in ("before", "after")}
    assert kinds == {"before": ["references"], "after": ["references", "removed by the user"]}
    assert "Not compared in A: references" in run("what-if", a, b, "--without", "a:2", "--model", "tfidf")[1]
    documents = colde.Collection.read([tmp_path], "tfidf").to_dict()["documents"]
    assert [d["set_aside"][0]["what"] for d in documents] == ["references"] * 3
    assert [d["warnings"] for d in documents] == [[]] * 3


def _report_files(folder: Path) -> dict[str, Path]:
    """Two reports with a cover of two paragraphs, and a template for each of these."""
    declaration = "I declare that this report is my own work and that I have named every source that I used."
    consent = "The school may keep a copy of this report and show it to pupils of later years who ask for it."
    bodies = {
        "a": "The tide turns at nine, and the keeper lights his lamp before he counts the boats behind the wall.",
        "b": "A loaf of rye needs four hours in a warm kitchen, and the baker knocks on it to hear that it is done.",
    }
    files = {name: folder / f"{name}.md" for name in "abtu"}
    for name, body in bodies.items():
        files[name].write_text(
            f"# Report\n\n## Cover\n\n{declaration}\n\n{consent}\n\n## Work\n\n{body}\n", encoding="utf-8"
        )
    files["t"].write_text(declaration, encoding="utf-8")
    files["u"].write_text(consent, encoding="utf-8")
    return files


@pytest.mark.parametrize(
    "order",
    [("{a}", "{b}", "--template", "{t}", "{u}"), ("--template", "{t}", "--template", "{u}", "{a}", "{b}")],
)
def test_text_of_templates_is_set_aside(run: Run, tmp_path: Path, order: tuple[str, ...]) -> None:
    files = _report_files(tmp_path)
    command = ("compare", *(part.format(**files) for part in order), "--model", "tfidf")
    status, out, _ = run(*command)
    assert status == 0 and "template 41 words" in out and "--include template" in out
    data = json.loads(run(*command, "--json", "-")[1])
    assert [i["what"] for i in data["set_aside"]["b"]] == ["template"] and data["split"]["a"][
        "identical"
    ] == 0
    assert run(*command, "--json", tmp_path / "t.md")[0] == 2, "a template is not overwritten"
    kept = json.loads(run(*command, "--json", "-", "--include", "template")[1])
    assert not kept["set_aside"]["a"] and kept["split"]["a"]["identical"] > 0.5


def test_templates_of_a_collection(run: Run, tmp_path: Path) -> None:
    files = _report_files(tmp_path)
    (tmp_path / "c.md").write_text(
        files["a"].read_text(encoding="utf-8").replace("nine", "ten"), encoding="utf-8"
    )
    page, tables = tmp_path / "x.html", tmp_path / "tables"
    command = ("compare", tmp_path, "--model", "tfidf", "--template", files["t"], files["u"])
    status, out, _ = run(*command)
    out = " ".join(out.split())
    assert status == 0 and "3 documents" in out, "a template is no document of the collection"
    assert "Not compared: 123 words in 3 of 3 documents (--include template)." in out
    assert "a.md: Report: template 41 words" in out
    assert run(*command, "--html", page, "--csv", tables)[0] == 0
    assert "--include template" in page.read_text(encoding="utf-8")
    rows = (tables / "set_aside.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 4 and all(",template,41," in row for row in rows[1:])
    page.unlink()
    shutil.rmtree(tables)
    data = json.loads(run(*command, "--json", "-", "--include", "template,boilerplate")[1])
    assert [d["set_aside"] for d in data["documents"]] == [[]] * 3
    documents = [colde.read(files[name]) for name in "ab"]
    templates = [colde.read(files[name]) for name in "tu"]
    in_python = colde.Collection.of(documents, "tfidf", templates=templates)
    assert [[item.what for item in items] for items in in_python.set_aside] == [["template"]] * 2


def test_a_template_of_what_if(run: Run, tmp_path: Path) -> None:
    files = _report_files(tmp_path)
    more = (
        "\n\n## More\n\n" + "The clerk writes the hour of each tide into the book that lies by the door. " * 2
    )
    files["a"].write_text(files["a"].read_text(encoding="utf-8") + more, encoding="utf-8")
    command = ("what-if", files["a"], files["b"], "--template", files["t"], "--model", "tfidf", "--without")
    status, out, err = run(*command, "a:3")
    assert status == 0, err
    assert "Not compared in A: template 20 words" in " ".join(out.split())


def test_what_a_model_did_not_read_of_a_collection_is_counted() -> None:
    text = "The keeper trims the wick of lamp number {} and writes the hour into the book by the door. "
    documents = [
        colde.read_text(side + " ".join(text.format(i) for i in range(60))) for side in ("One. ", "Two. ")
    ]
    collection = colde.Collection.of(documents, "arc_i")
    assert [item.model for items in collection.set_aside for item in items] == ["arc_i"] * 2
