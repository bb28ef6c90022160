"""Scores for a table of pairs: each document once, in order, and taken up again where they stopped."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from colde.corpus.corpus_folder import read_records, record_to_document
from colde.errors import CorpusError
from colde.evaluation.pair_scores import match_pairs, records_of
from colde.evaluation.score_table import ScoredTable, read_table
from colde.judge.calibration import Judgement
from colde.models.base import Card
from colde.results.encoding import Encoding
from colde.results.model_score import Coverage
from colde.results.pair_result import PairResult
from colde.text.document import Document
from tests.corpora import record, write_corpus


class Lengths:
    """A model whose score is the ratio of two lengths; it remembers what it was asked to encode."""

    card = Card("lengths", "Lengths", "here", ("document",), "share", "How long the texts are.")

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress=None
    ) -> list[Encoding]:
        assert not explain
        self.calls.append([d.source for d in documents])
        return [Encoding(d, Coverage(1, 1), vector=np.array([len(d.text)], np.float32)) for d in documents]

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        assert not explain
        return PairResult(float(a.vector[0] / b.vector[0]), a.coverage, b.coverage)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Documents d0 … d9; dN has N + 1 letters."""
    return write_corpus(tmp_path, [record(f"d{i}", "x" * (i + 1)) for i in range(10)])


PAIRS = [("d0", "d1"), ("d1", "d2"), ("d3", "d3"), ("d0", "d4"), ("d5", "d6"), ("d6", "d0")]


@pytest.mark.parametrize("block", [1, 3, 100])
def test_each_document_is_encoded_once_and_scores_keep_the_order(corpus, block: int) -> None:
    model = Lengths()
    records = records_of(corpus, PAIRS)
    assert set(records) == {"d0", "d1", "d2", "d3", "d4", "d5", "d6"}
    steps = []
    results = list(
        match_pairs(
            lambda pair: model,
            lambda name: record_to_document(records[name]),
            PAIRS,
            block=block,
            on_progress=steps.append,
        )
    )
    assert [result.score for result in results] == pytest.approx([1 / 2, 2 / 3, 1, 1 / 5, 6 / 7, 7 / 1])
    encoded = [name for call in model.calls for name in call]
    assert sorted(encoded) == sorted(set(encoded))
    assert (steps[-1].done, steps[-1].total) == (7, 7)


def test_first_scores_come_before_the_last_documents_are_encoded(corpus) -> None:
    model = Lengths()
    records = records_of(corpus, PAIRS)
    scores = match_pairs(lambda pair: model, lambda name: record_to_document(records[name]), PAIRS, block=2)
    next(scores)
    assert model.calls == [["d0", "d1"]]


def test_a_document_that_the_corpus_lacks_is_named(corpus) -> None:
    with pytest.raises(CorpusError, match="no document 'zz' and 1 more"):
        records_of(corpus, [("d0", "zz"), ("yy", "d1")])


NO_RECORDS = (
    b'{"id": "x", "sections": [{"heading": "h"}]}\n',
    b'{"id": "x", "sections": [{"heading": 1, "paragraphs": []}]}\n',
    b'{"id": "x", "sections": [{"heading": null, "paragraphs": [5]}]}\n',
    b'{"id": "x", "title": [], "sections": []}\n',
    b"[1]\n",
    b"[" * 100_000,
)
RECORD = b'{"id": "x", "sections": []}\n'


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (gzip.compress(RECORD * 50, mtime=0)[:-20], "damaged"),
        (b"no gzip at all", "damaged"),
        *((gzip.compress(line, mtime=0), "line 1: not a record") for line in NO_RECORDS),
        (gzip.compress(b" " * 200_001, mtime=0), "line 1: more than 200,000 characters"),
        (
            gzip.compress(RECORD + b"\n" + RECORD, mtime=0),
            "line 3: the id 'x' stands on an earlier line, too",
        ),
    ],
)
def test_a_damaged_corpus_is_an_error_of_the_corpus(tmp_path, monkeypatch, data: bytes, message: str) -> None:
    monkeypatch.setattr("colde.corpus.corpus_folder.MAX_RECORD_CHARACTERS", 200_000)
    (tmp_path / "documents.jsonl.gz").write_bytes(data)
    with pytest.raises(CorpusError, match=message):
        list(read_records(tmp_path))


def test_blank_lines_are_no_records(tmp_path) -> None:
    (tmp_path / "documents.jsonl.gz").write_bytes(gzip.compress(RECORD + b"\n"))
    assert [name for name, _ in read_records(tmp_path)] == ["x"]


# ---------------------------------------------------------------- the table on disk

HEADER = "note\tsource\ttarget\tlabel\n"
ROWS = ["first\td0\td1\t1\n", "s\u2028econd\td1\td2\t0\n", "\td3\td3\t\n"]
SCORED = [
    (0.5, Judgement("papers", 0.4, True, 0.25, None)),
    (1 / 3, Judgement("papers", 0.4, False, 1 / 3, None)),
    (1.0, Judgement()),
]
WHOLE = (
    "note\tsource\ttarget\tlabel\tscore\tprobability\tpredicted\n"
    "first\td0\td1\t1\t0.5\t0.250000\t1\n"
    "s\u2028econd\td1\td2\t0\t0.33333333\t0.333333\t0\n"
    "\td3\td3\t\t1\t\t\n"
)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text(HEADER + "".join(ROWS), encoding="utf-8")
    return path


def test_other_columns_and_the_order_of_rows_are_kept(pairs, tmp_path) -> None:
    table = read_table(pairs)
    assert table.pairs() == [("d0", "d1"), ("d1", "d2"), ("d3", "d3")]
    output = tmp_path / "scores.tsv"
    ScoredTable(output, table).append(SCORED)
    assert output.read_text(encoding="utf-8") == WHOLE


def test_stopped_after_any_byte_it_ends_up_the_same(pairs, tmp_path) -> None:
    table = read_table(pairs)
    output = tmp_path / "scores.tsv"
    data = WHOLE.encode()
    for length in range(len(data) + 1):
        output.write_bytes(data[:length])
        again = ScoredTable(output, table)
        assert len(again.kept) == max(data[:length].count(b"\n") - 1, 0)
        again.append(SCORED[len(again.kept) :])
        assert output.read_bytes() == data, length


def test_what_is_kept_is_read_back(pairs, tmp_path) -> None:
    output = tmp_path / "scores.tsv"
    output.write_text(WHOLE, encoding="utf-8")
    assert ScoredTable(output, read_table(pairs)).kept == [(0.5, 0.25), (0.33333333, 0.333333), (1.0, None)]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("source\ttarget\tscore\n", "header differs"),
        (WHOLE.replace("first", "other"), "row 1 differs"),
        (WHOLE + WHOLE.splitlines(keepends=True)[1], "row 4 differs"),
        (WHOLE.replace("0.250000", "many"), "row 1: not a score"),
    ],
)
def test_the_output_of_other_pairs_is_refused_and_left_alone(pairs, tmp_path, content: str, why: str) -> None:
    output = tmp_path / "scores.tsv"
    output.write_text(content, encoding="utf-8")
    with pytest.raises(CorpusError, match=why):
        ScoredTable(output, read_table(pairs))
    assert output.read_text(encoding="utf-8") == content


def test_scores_of_an_earlier_run_are_replaced_not_doubled(tmp_path) -> None:
    path = tmp_path / "scored.tsv"
    path.write_text(WHOLE, encoding="utf-8")
    assert read_table(path).header == ("note", "source", "target", "label")
    assert read_table(path).rows[0] == ("first", "d0", "d1", "1")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "header"),
        (b"a\tb\n", "header"),
        (b"source\ttarget\nx\n", "line 2: 1 cells where the header has 2"),
        (b"source\ttarget\n\xff\xfe\tb\n", "cannot be read"),
    ],
)
def test_a_table_that_is_none_is_an_error_of_the_corpus(tmp_path, content: bytes, why: str) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=why):
        read_table(path)


def test_windows_line_ends_blank_lines_and_a_byte_order_mark_are_read(tmp_path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(b"\xef\xbb\xbfsource\ttarget\r\nd0\td1\r\n\r\nd1\td2\r\n")
    assert read_table(path).rows == (("d0", "d1"), ("d1", "d2"))
