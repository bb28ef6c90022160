"""A corpus of our own through the commands, as people use them: nothing beside the checkout is needed."""

from __future__ import annotations

import csv
import json
from itertools import combinations
from pathlib import Path

import pytest
from sklearn.metrics import roc_auc_score

from colde.cli import main
from colde.corpus.corpus_folder import documents_file, read_documents, read_pairs, read_records
from colde.corpus.document_sources import document_sources
from colde.errors import CorpusError
from colde.judge.reference import read_reference
from colde.training.corpora.corpus_cache import corpus_and_pairs_digest
from tests.corpora import record, write_corpus
from tests.programs import ROOT

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


def test_a_corpus_need_not_be_compressed() -> None:
    """The folder of the repository is one as it stands."""
    folder = ROOT / "tests" / "data" / "small"
    names = [name for name, _ in read_records(folder)]
    assert len(names) == 12 and documents_file(folder) == folder / "documents.jsonl"
    assert {source.name for source in document_sources([folder])} == set(names)
    assert len(read_reference(folder).documents) == 12
    assert len(corpus_and_pairs_digest(folder)) == 16


def test_the_compressed_documents_count_where_there_are_both(tmp_path: Path) -> None:
    write_corpus(tmp_path, [record("one", "The tide rises.")])
    (tmp_path / "documents.jsonl").write_text("nothing", encoding="utf-8")
    assert [name for name, _ in read_records(tmp_path)] == ["one"]
    with pytest.raises(CorpusError, match=r"no documents.jsonl.gz and no documents.jsonl"):
        list(read_records(tmp_path / "none"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            '{"id": "a", "sections": [{"paragraphs": ["x", 3]}]}',
            r"line 2: .*paragraphs\[1\]: expected str",
        ),
        ('{"id": "a", "sections": null}', "sections: expected array"),
        ('{"id": "a", "title": 5, "sections": []}', "title: expected str"),
        ('{"id": "a", "sections": [{"paragraphs": [], "heading": NaN}]}', "JSON is malformed"),
        ('{"id": "one", "sections": []}', "stands on an earlier line"),
        ("[]", "expected object"),
    ],
)
def test_a_faulty_line_is_named(line: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "documents.jsonl").write_text(f'{{"id": "one", "sections": []}}\n{line}\n', encoding="utf-8")
    with pytest.raises(CorpusError, match=message):
        list(read_records(tmp_path))


def test_half_a_surrogate_pair_is_replaced(tmp_path: Path) -> None:
    lines = r'{"id": "\ud83d", "title": "\ud83d\ude00 \ud800", '
    lines += r'"sections": [{"paragraphs": ["\\ud800 and \udc00\ud83d."]}]}'
    (tmp_path / "documents.jsonl").write_text(lines, encoding="utf-8")
    ((name, kept),) = read_records(tmp_path)
    assert (name, kept["title"], kept["sections"][0]["paragraphs"]) == ("�", "😀 �", ["\\ud800 and ��."])
