"""`colde read`, `compare`, `encode` and `models` as a user runs them."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import colde
from colde.models import cards, recipes
from tests.cli.conftest import LIGHTHOUSE, TIDES
from tests.programs import Run
from tests.schemas import validate

Compared = Callable[..., dict[str, Any]]
WORD_MODELS = "tfidf,bm25"  # quick: they need no encoder
REFERENCES = (
    "\n## References\n\nDoodson, A. T. (1921). The harmonic development of the tide-generating potential.\n"
)
THANKS = """
## Acknowledgements

We thank the pilots of the bar, who took us out before dawn and told us what they knew of the tide.
"""


def strict(text: str) -> Any:
    """JSON without NaN and Infinity."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)


# ---------------------------------------------------------------- read


def test_read_prints_an_outline(run: Run, pair: tuple[Path, Path]) -> None:
    status, out, err = run("read", pair[0])
    assert (status, err) == (0, "")
    for part in ("The lamp", "lamp.md", "The lens", "The keeper", "words", "sentences"):
        assert part in out


def test_read_json_is_the_schema_and_offsets_point_at_their_text(run: Run, pair: tuple[Path, Path]) -> None:
    status, out, err = run("read", pair[0], "--json")
    assert (status, err) == (0, "")
    data = strict(out)
    validate("read", data)
    assert data["title"] == "The lamp"
    assert [s["heading"] for s in data["sections"]][-2:] == ["The lens", "The keeper"]
    for section in data["sections"]:
        for sentence in section["sentences"]:
            assert data["text"][sentence["start"] : sentence["end"]] == sentence["text"]


def test_what_cannot_be_read_or_compared_is_status_3_with_its_reason(
    run: Run, pair: tuple[Path, Path], tmp_path: Path
) -> None:
    short = tmp_path / "short.txt"
    short.write_text("Three short words.", encoding="utf-8")
    assert run("read", short)[0] == 0
    vectors = tmp_path / "vectors"
    for args, reason in (
        (("read", "missing.pdf"), "colde: missing.pdf: "),
        (("read", "missing.pdf"), "[not_found]"),
        (("compare", pair[0], "missing.pdf"), "[not_found]"),
        (("compare", pair[0], short, "--model", "tfidf"), "[too_short]"),
        (("encode", short, "--output", vectors), "[too_short]"),
        (("encode", "nowhere.pdf", "--output", vectors), "[not_found]"),
    ):
        status, out, err = run(*args)
        assert (status, out) == (3, "") and reason in err and err.count("\n") == 1, args
    for args, reason in (
        ((*pair, "--model", "tfidf", "--output", vectors), "tfidf has no document vectors"),
        ((pair[0], "--output", pair[1]), "is a file"),
    ):
        status, _, err = run("encode", *args)
        assert status == 2 and reason in err and err.count("\n") == 1
    assert not vectors.exists()


def test_files_that_can_and_cannot_be_read_as_expected(run: Run, shared: Callable[[str], Path]) -> None:
    folder = shared("documents/hard")
    for name, expected in json.loads((folder / "expected.json").read_text(encoding="utf-8")).items():
        status, out, err = run("read", folder / name)
        if expected["expect"] == "ok":
            assert (status, err) == (0, ""), name
            continue
        assert (status, out) == (3, ""), name
        assert err.startswith(f"colde: {name}: ") and f"[{expected['reason']}]" in err, name
        assert err.count("\n") == 1, name


def test_a_password_opens_an_encrypted_pdf(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    path = tmp_path / "locked.pdf"
    canvas = Canvas(str(path), encrypt=StandardEncryption("secret"))
    canvas.drawString(72, 700, "The lamp turns once a minute and throws its light over the sea.")
    canvas.save()
    status, _, err = run("read", path)
    assert status == 3 and "[encrypted]" in err
    assert run("read", path, "--password", "wrong")[0] == 3
    status, out, _ = run("read", path, "--password", "secret", "--json")
    assert status == 0 and "turns once a minute" in json.loads(out)["text"]
    monkeypatch.setenv("COLDE_PASSWORD", "secret")
    assert run("read", path)[0] == 0


# ---------------------------------------------------------------- compare


def test_compare_prints_a_report(run: Run, pair: tuple[Path, Path]) -> None:
    status, out, err = run("compare", *pair, "--model", WORD_MODELS)
    assert (status, err) == (0, "")
    matrix = "Sections of A (rows) and B (columns)"
    for part in ("lamp.md", "tides.md", "TF-IDF", "BM25", matrix, "trimmed the wick"):
        assert part in out, part
    assert "\x1b" not in out


def test_compare_json_on_standard_output_is_json_and_nothing_else(run: Run, pair: tuple[Path, Path]) -> None:
    status, out, err = run("compare", *pair, "--model", WORD_MODELS, "--json", "-")
    assert (status, err) == (0, "")
    data = strict(out)
    validate("comparison", data)
    assert [m["name"] for m in data["models"]] == ["tfidf", "bm25"]
    for maps in data["maps"].values():
        for one in maps.values():
            assert len(one["values"]) == len(one["rows"])
            assert all(len(row) == len(one["columns"]) for row in one["values"])


def test_compare_writes_the_files_it_is_asked_for_and_prints_no_report(
    run: Run, pair: tuple[Path, Path], tmp_path: Path
) -> None:
    target, page, folder = tmp_path / "out.json", tmp_path / "out.html", tmp_path / "tables"
    args = ("--model", "tfidf", "--json", target, "--html", page, "--csv", folder)
    status, out, err = run("compare", *pair, *args)
    assert (status, out) == (0, "")
    assert err.splitlines() == [f"wrote {folder}", f"wrote {target}", f"wrote {page}"]
    data = json.loads(target.read_text(encoding="utf-8"))
    validate("comparison", data)
    assert "<html" in page.read_text(encoding="utf-8")[:200].lower()
    assert {p.name for p in folder.iterdir()} == {
        "scores.csv", "passages.csv", "set_aside.csv", "split.csv", "changes.csv",
        *(f"tfidf.{name}.csv" for name in data["maps"]["tfidf"]),
    }  # fmt: skip
    with (folder / "scores.csv").open(encoding="utf-8", newline="") as table:
        (row,) = csv.DictReader(table)
    assert float(row["score"]) == pytest.approx(data["models"][0]["score"])
    assert run("compare", *pair, *args, "--quiet") == (0, "", "")


@pytest.mark.parametrize("names", ["references", "References, captions", "all"])
def test_references_take_part_where_they_are_included(
    compare_json: Compared, pair: tuple[Path, Path], names: str
) -> None:
    for file in pair:
        file.write_text(file.read_text(encoding="utf-8") + REFERENCES, encoding="utf-8")
    assert "References" not in with_chunks(compare_json())
    assert "References" in with_chunks(compare_json("--include", names))
    assert "References" not in with_chunks(compare_json("--include", "table,footnotes"))


def with_chunks(data: dict[str, Any]) -> list[str]:
    return [s["heading"] for s in data["documents"]["a"]["sections"] if s["chunks"]]


def test_acknowledgements_are_set_aside_as_in_the_explorer(
    compare_json: Compared, pair: tuple[Path, Path]
) -> None:
    headings = [None, "The lens", "The keeper"]
    pair[0].write_text(LIGHTHOUSE + THANKS + REFERENCES, encoding="utf-8")
    assert with_chunks(compare_json()) == headings
    assert with_chunks(compare_json("--include", "boilerplate")) == [*headings, "Acknowledgements"]
    a, b = map(colde.read, pair)
    for include, more in (((), []), (("boilerplate",), ["Acknowledgements"])):
        data = colde.compare(a, b, models="tfidf", include=include).to_dict()
        assert with_chunks(data) == [*headings, *more]


@pytest.mark.parametrize(
    ("names", "says"), [("furniture", "'furniture'"), ("captions,x", "'x'"), (",", "name what")]
)
def test_an_unknown_role_is_one_line(run: Run, pair: tuple[Path, Path], names: str, says: str) -> None:
    status, out, err = run("compare", *pair, "--include", names)
    assert (status, out) == (2, "")
    assert says in err and "footnotes" in err and err.count("\n") == 1


# ---------------------------------------------------------------- prior


def test_a_comparison_at_a_prior(compare_json: Compared, run: Run, pair: tuple[Path, Path]) -> None:
    ((balanced,), (rare,)) = (
        compare_json("--profile", "general", *options)["models"] for options in ((), ("--prior", "0.05"))
    )
    assert (balanced["prior"], rare["prior"]) == (0.5, 0.05)
    p = balanced["probability"]
    assert rare["probability"] == pytest.approx(p * 0.05 / (p * 0.05 + (1 - p) * 0.95))
    same = ("score", "threshold", "similar", "percentile")
    assert [rare[k] for k in same] == [balanced[k] for k in same]
    status, out, _ = run("compare", *pair, "--model", "tfidf", "--profile", "general", "--prior", "0.01")
    report = " ".join(out.split())
    assert status == 0
    assert (
        "If 1 in 100 pairs are related" in report
        and "still assume that half of the pairs are related" in report
    )


def test_what_if_keeps_the_prior(run: Run, pair: tuple[Path, Path]) -> None:
    options = ("--model", "tfidf", "--without", "a:2", "--prior", ".1", "--json", "-", "--quiet")
    status, out, _ = run("what-if", *pair, *options)
    assert status == 0
    assert [json.loads(out)[when][0]["prior"] for when in ("before", "after")] == [0.1, 0.1]


@pytest.mark.parametrize("prior", ["0", "1", "5", "often"])
def test_a_prior_is_a_share(run: Run, pair: tuple[Path, Path], prior: str) -> None:
    status, _, err = run("compare", *pair, "--model", "tfidf", "--prior", prior)
    assert status == 2 and "--prior" in err


# ---------------------------------------------------------------- encode and models


def test_encode_writes_what_the_model_encodes_and_what_each_row_is(
    run: Run, pair: tuple[Path, Path], tmp_path: Path
) -> None:
    other = tmp_path / "other" / "lamp.md"
    other.parent.mkdir()
    other.write_text(TIDES, encoding="utf-8")  # a file of that name is in the pair
    folder = tmp_path / "vectors"
    assert run("encode", *pair, other, "--output", folder, "--quiet") == (0, "", "")
    stems = {"lamp.md": LIGHTHOUSE, "tides.md": TIDES, "lamp.md-2": TIDES}
    assert {p.name for p in folder.iterdir()} == {
        f"{stem}{end}" for stem in stems for end in (".json", ".document.npy", ".sections.npy", ".chunks.npy")
    }
    model = colde.load("colde")
    for stem, text in stems.items():
        about = json.loads((folder / f"{stem}.json").read_text("utf-8"))
        document = colde.read(text.encode(), name="x.md")
        arrays = {level: np.load(folder / file, allow_pickle=False) for level, file in about["files"].items()}
        assert arrays["document"].shape == (about["dimension"],)
        for level in ("sections", "chunks"):
            assert arrays[level].shape == (len(about[level]), about["dimension"])
        np.testing.assert_allclose(arrays["document"], model.encode([document])[0].vector, atol=1e-5)
        assert [s["heading"] for s in about["sections"]] == [s.heading for s in document.sections]
        for chunk in about["chunks"]:
            section = about["sections"][chunk["section"]]
            assert section["start"] <= chunk["start"] < chunk["end"] <= section["end"] <= len(document.text)


def test_models_json_has_exactly_the_documented_fields(run: Run) -> None:
    status, out, err = run("models", "--json")
    assert (status, err) == (0, "")
    listed = strict(out)
    assert {"colde", "tfidf", "bm25", "minilm"} <= {entry["name"] for entry in listed}
    assert {entry["name"] for entry in listed} == {*cards(), *recipes()}, "every registered model"
    for entry in listed:
        assert set(entry) == {"name", "trained", "levels", "profiles", "source", "score_means", "parameters"}
        for profile in entry["profiles"].values():
            assert set(profile) == {"threshold", "checkpoint"}
        assert bool(entry["profiles"]) == entry["trained"]


def test_models_lists_them_for_people(run: Run) -> None:
    status, out, err = run("models")
    assert (status, err) == (0, "")
    assert "Supervised Contrastive Learning" in " ".join(out.split()) and "without weights" not in out
    status, out, _ = run("models", "--all")
    assert status == 0
    assert "simnet   a recipe, without weights" in out and "Supervised Contrastive" in out


def parsed(lines: str) -> list[dict[str, Any]]:
    assert lines.endswith("\n")
    return [json.loads(line) for line in lines.splitlines()]


def test_json_lines_of_a_pair_are_those_of_its_json(
    run: Run, compare_json: Compared, pair: tuple[Path, Path], tmp_path: Path
) -> None:
    whole, target = compare_json(), tmp_path / "out.jsonl"
    status, out, err = run("compare", *pair, "--model", "tfidf", "--jsonl", "-", "--quiet")
    assert (status, err) == (0, "")
    assert run("compare", *pair, "--model", "tfidf", "--jsonl", target)[0] == 0
    assert target.read_text(encoding="utf-8") == out
    lines = parsed(out)
    by_type = {
        kind: [line for line in lines if line["type"] == kind] for kind in ("score", "passage", "change")
    }
    assert [line["letter"] for line in lines if line["type"] == "document"] == ["a", "b"]
    assert [line["name"] for line in by_type["score"]] == ["tfidf"]
    assert len(by_type["passage"]) == len(whole["shared"]["passages"]) > 0
    for line, change in zip(by_type["change"], whole["changes"], strict=True):
        assert line["kind"] == change["kind"] and line["importance"] == change["importance"]
        for side in "ab":
            span = change[side]
            text = whole["documents"][side]["text"]
            assert (line[side] and line[side]["text"]) == (span and text[span["start"] : span["end"]])


def test_json_lines_of_many_documents_are_their_pairs(
    run: Run, pair: tuple[Path, Path], tmp_path: Path
) -> None:
    third = tmp_path / "third.md"
    third.write_text(pair[0].read_text(encoding="utf-8").replace("evening", "night"), encoding="utf-8")
    status, out, _ = run("compare", *pair, third, "--model", "tfidf", "--jsonl", "-", "--quiet")
    lines = parsed(out)
    assert status == 0 and [line["type"] for line in lines] == ["document"] * 3 + ["pair"] * 3
    assert [(line["a"], line["b"]) for line in lines[3:]] == [(0, 1), (0, 2), (1, 2)]
    assert max(lines[3:], key=lambda line: line["score"]) == lines[4]
    target = tmp_path / "out.jsonl"
    assert run("compare", *pair, third, "--model", "tfidf", "--jsonl", target, "--quiet")[0] == 0
    assert target.read_text(encoding="utf-8") == out


def test_two_results_are_not_printed_into_one_another(run: Run, pair: tuple[Path, Path]) -> None:
    status, out, err = run("compare", *pair, "--json", "-", "--jsonl", "-")
    assert (status, out) == (2, "") and "cannot both be printed" in err
