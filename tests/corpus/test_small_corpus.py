"""A corpus of our own through the commands, as people use them: nothing beside the checkout is needed."""

from __future__ import annotations

import csv
import json
from itertools import combinations
from pathlib import Path

import pytest
from sklearn.metrics import roc_auc_score

from colde.cli import main
from colde.corpus.corpus_folder import read_documents, read_pairs

RUN = 8  # words in a row that two of its documents do not share


def subject(name: str) -> str:
    return name.split("/")[0]


def test_it_is_a_corpus_of_three_subjects(small_corpus: Path) -> None:
    documents = dict(read_documents(small_corpus))
    assert len(documents) == 12 and len({subject(name) for name in documents}) == 3
    assert all(d.title and len(d.sections) == 2 and d.words() > 60 for d in documents.values())
    pairs = [p for split in ("train", "valid") for p in read_pairs(small_corpus / f"{split}.tsv")]
    assert len({(p.source, p.target) for p in pairs}) == len(pairs) == 36
    assert all(p.label == (subject(p.source) == subject(p.target)) for p in pairs)
    assert {n for p in pairs for n in (p.source, p.target)} == set(documents)


def test_no_passage_stands_in_two_documents(small_corpus: Path) -> None:
    runs = []
    for _, document in read_documents(small_corpus):
        words = document.text.lower().split()
        runs.append({tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)})
    assert not any(a & b for a, b in combinations(runs, 2))


def test_scores_tell_its_subjects_apart(small_corpus: Path, tmp_path: Path) -> None:
    output = tmp_path / "scores.tsv"
    command = ["score", "--corpus", str(small_corpus), "--pairs", str(small_corpus / "train.tsv")]
    assert main([*command, "--model", "tfidf", "--output", str(output), "--quiet"]) == 0
    with output.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    area = roc_auc_score([int(r["label"]) for r in rows], [float(r["score"]) for r in rows])
    assert area >= 0.95, "two texts on one subject share its words"


@pytest.mark.slow
def test_the_default_model_makes_no_mistake_in_it(
    small_corpus: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.json"
    command = ["evaluate", "--corpus", str(small_corpus), "--pairs", str(small_corpus / "valid.tsv")]
    assert main([*command, "--model", "colde,tfidf", "--json", str(table)]) == 0
    colde, tfidf = json.loads(table.read_text(encoding="utf-8"))["models"]
    assert (colde["name"], tfidf["name"]) == ("colde", "tfidf")
    assert colde["measures"]["roc_auc"]["value"] == 1.0
    assert "12 pairs, 6 similar" in " ".join(capfd.readouterr().out.split())
