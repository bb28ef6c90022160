"""`colde score` and `colde evaluate` on a table of pairs."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import pytest

from tests.corpora import record
from tests.programs import Run


def rows_of(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_score_gives_no_probability_across_languages(score: Run, corpus: Path, tmp_path: Path) -> None:
    output = tmp_path / "scores.tsv"
    german = "Der Mieter behandelt die Wohnung pfleglich und meldet jeden Schaden sofort dem Vermieter. " * 4
    with gzip.open(corpus / "documents.jsonl.gz", "at", encoding="utf-8") as file:
        file.write(json.dumps(record("de", german, heading="Eins", title="Miete")) + "\n")
    with (corpus / "pairs.tsv").open("a", encoding="utf-8") as table:
        table.write("d0\tde\t0\tr\nde\tde\t1\tr\n")
    assert score(output, "--profile", "papers")[0] == 0
    *english, mixed, same = rows_of(output)
    assert all(row["probability"] and row["predicted"] for row in english)
    for row in (mixed, same):
        assert row["score"] and (row["probability"], row["predicted"]) == ("", "")


def test_score_adds_its_columns_and_can_be_taken_up_again(score: Run, tmp_path: Path) -> None:
    output = tmp_path / "scores.tsv"
    assert score(output, "--profile", "papers")[:2] == (0, "")
    complete = output.read_text(encoding="utf-8")
    rows = rows_of(output)
    assert list(rows[0]) == ["source", "target", "label", "remark", "score", "probability", "predicted"]
    assert [(r["source"], r["target"]) for r in rows[:2]] == [("d0", "d6"), ("d0", "d9")]
    assert all(0 <= float(r["score"]) <= 1 and 0 <= float(r["probability"]) <= 1 for r in rows)
    assert {r["predicted"] for r in rows} <= {"0", "1"}
    same, other = ([float(r["score"]) for r in rows if r["label"] == label] for label in "10")
    assert min(same) > max(other)
    output.write_text(complete[: len(complete) // 2], encoding="utf-8")
    status, _, err = score(output, "--profile", "papers")
    assert status == 0 and "from an earlier run" in err
    assert output.read_text(encoding="utf-8") == complete


def test_score_at_a_prior(score: Run, tmp_path: Path) -> None:
    for name, options in (("balanced", ()), ("rare", ("--prior", "0.05"))):
        assert score(tmp_path / name, "--quiet", "--profile", "papers", *options)[0] == 0
    balanced, rare = rows_of(tmp_path / "balanced"), rows_of(tmp_path / "rare")
    assert [r["predicted"] for r in rare] == [r["predicted"] for r in balanced]
    low, high = ([float(r["probability"]) for r in rows] for rows in (rare, balanced))
    assert all(x <= y for x, y in zip(low, high, strict=True)) and sum(low) < sum(high)


@pytest.mark.parametrize("options", [("--model", "bm25"), ("--prior", ".05")], ids=" ".join)
def test_score_does_not_mix_rows_of_two_runs(score: Run, tmp_path: Path, options: tuple[str, ...]) -> None:
    output = tmp_path / "scores.tsv"
    profile = ("--profile", "papers")
    assert score(output, "--quiet", *profile)[0] == 0
    before = output.read_bytes()
    status, _, err = score(output, *profile, *options)
    assert status == 3 and "another model" in err
    assert output.read_bytes() == before


@pytest.mark.parametrize(
    ("pairs", "says"), [("source\ttarget\nd0\tzz\n", "zz"), ("a\tb\n", "header")], ids=["document", "header"]
)
def test_score_says_what_is_wrong_with_its_input(
    score: Run, corpus: Path, tmp_path: Path, pairs: str, says: str
) -> None:
    (corpus / "pairs.tsv").write_text(pairs, encoding="utf-8")
    status, _, err = score(tmp_path / "scores.tsv")
    assert status == 3 and says in err and err.count("\n") == 1
    assert not (tmp_path / "scores.tsv").exists()


def test_evaluate_says_what_is_wrong_with_its_input(run: Run, corpus: Path, tmp_path: Path) -> None:
    (corpus / "pairs.tsv").write_text("source\ttarget\nd0\td1\n", encoding="utf-8")
    table = ("--pairs", corpus / "pairs.tsv", "--model", "tfidf")
    status, _, err = run("evaluate", "--corpus", corpus, *table)
    assert status == 3 and "no pair has a label" in err
    assert run("evaluate", "--corpus", tmp_path, *table)[0] == 3


@pytest.mark.slow
def test_evaluate_prints_a_table_and_writes_it(run: Run, corpus: Path, tmp_path: Path) -> None:
    target = tmp_path / "table.json"
    args = ("--corpus", corpus, "--pairs", corpus / "pairs.tsv", "--model", "tfidf,bm25", "--json", target)
    status, out, _ = run("evaluate", *args, "--profile", "papers")
    assert status == 0 and "18 pairs, 9 similar, 6 sources" in " ".join(out.split())
    text = target.read_text(encoding="utf-8")
    assert "NaN" not in text
    tfidf, bm25 = json.loads(text)["models"]
    assert (tfidf["name"], bm25["name"]) == ("tfidf", "bm25")
    assert list(tfidf["measures"]) == [
        "precision", "recall", "f1", "accuracy", "roc_auc", "average_precision", "calibration_error", "brier"
    ]  # fmt: skip
    assert tfidf["measures"]["roc_auc"]["value"] == 1.0
    assert all(measure["low"] <= measure["high"] for measure in tfidf["measures"].values())


def test_evaluate_at_a_prior(run: Run, corpus: Path, tmp_path: Path) -> None:
    target = tmp_path / "table.json"
    args = ("--corpus", corpus, "--pairs", corpus / "pairs.tsv", "--model", "bm25", "--json", target)
    status, out, _ = run("evaluate", *args, "--prior", ".1")
    assert status == 0 and "weighted as if 10 in 100 were similar" in " ".join(out.split())
    assert json.loads(target.read_text(encoding="utf-8"))["prior"] == 0.1
