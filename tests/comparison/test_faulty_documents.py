"""A document whose processing raises an exception of any type is left out of its collection, and named."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from colde import ingest
from colde.comparison.collections import all_pairs, judged_pair
from colde.comparison.collections.all_pairs import compare_all, read_all
from colde.comparison.collections.faulty_documents import Faults
from colde.corpus.document_sources import document_sources
from colde.errors import Cancelled, ModelError, ReadError, StoreError, skip_document
from colde.judge.calibration import Profile
from colde.results.encoding import Encoding
from colde.results.pair_result import PairResult
from tests.index.light import Light, write_files

BAD = "file002.md"
UNEXPECTED = [ValueError("odd"), KeyError("odd"), AssertionError(), OverflowError("odd"), MemoryError()]


class FailsToEncode(Light):
    """Raises an exception over one document."""

    def __init__(self, error: Exception, name: str = BAD) -> None:
        super().__init__()
        self.error, self.name = error, name

    def _encode(self, document) -> Encoding:
        if document.source == self.name:
            raise self.error
        return super()._encode(document)


class FailsToMatch(Light):
    """Raises an exception over pairs of documents by their names; a name alone stands for all of its pairs."""

    def __init__(self, *pairs: Sequence[str]) -> None:
        super().__init__()
        self.pairs = [set(pair) for pair in pairs]

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        names = {a.document.source, b.document.source}
        if any(pair <= names for pair in self.pairs):
            raise ZeroDivisionError("odd pair")
        return super().match(a, b, explain=explain)


@pytest.fixture
def documents(tmp_path, monkeypatch):
    monkeypatch.setenv("COLDE_SANDBOX", "off")
    read, unread = read_all(list(document_sources([write_files(tmp_path / "files", 5)])))
    assert not unread
    return read


def names_of(collection) -> list[str]:
    return [document.source for document in collection.documents]


@pytest.mark.parametrize("error", UNEXPECTED, ids=repr)
def test_a_document_that_cannot_be_encoded_is_left_out(documents, error) -> None:
    collection = compare_all(documents, "colde", loader=lambda name: FailsToEncode(error))
    assert names_of(collection) == [d.source for d in documents if d.source != BAD]
    assert [e.source for e in collection.unread] == [BAD]
    assert collection.unread[0].reason in ("failed", "too_large")
    assert collection.scores["colde"].shape == (4, 4) and np.isfinite(collection.scores["colde"]).all()
    assert collection.numbers == (0, 1, 3, 4)
    untroubled = compare_all([d for d in documents if d.source != BAD], "colde", loader=lambda name: Light())
    np.testing.assert_array_equal(collection.scores["colde"], untroubled.scores["colde"])
    assert collection.to_dict()["pairs"] == untroubled.to_dict()["pairs"]


def test_a_document_that_cannot_be_compared_with_any_is_left_out_alone(documents) -> None:
    collection = compare_all(documents, "colde", loader=lambda name: FailsToMatch([BAD]))
    assert BAD not in names_of(collection) and len(collection.documents) == 4
    assert "ZeroDivisionError: odd pair" in str(collection.unread[0])


def test_of_a_pair_that_cannot_be_compared_one_document_is_left_out(documents) -> None:
    collection = compare_all(documents, "colde", loader=lambda name: FailsToMatch(["file001.md", BAD]))
    assert names_of(collection) == ["file000.md", "file001.md", "file003.md", "file004.md"]


@pytest.mark.parametrize(("module", "step"), [(judged_pair, "reason"), (all_pairs, "run_overlap")])
def test_a_document_whose_pairs_cannot_be_explained_is_left_out(documents, module, step, monkeypatch) -> None:
    function = getattr(module, step)

    def fails(*facts):
        if BAD in {f.document.source for f in facts}:
            raise LookupError("odd reason")
        return function(*facts)

    monkeypatch.setattr(module, step, fails)
    monkeypatch.setattr(Light, "profiles", {"general": Profile("general", 0.0)})
    collection = compare_all(documents, "colde", loader=lambda name: Light())
    assert names_of(collection) == [d.source for d in documents if d.source != BAD]
    assert [e.source for e in collection.unread] == [BAD]


def test_where_all_fail_the_error_of_one_is_raised(documents) -> None:
    with pytest.raises(ReadError, match="ZeroDivisionError"):
        compare_all(documents, "colde", loader=lambda name: FailsToMatch([]))


@pytest.mark.parametrize("error", [Cancelled("stop"), ModelError("no GPU"), StoreError("in use")], ids=repr)
def test_what_stops_every_document_alike_passes(documents, error) -> None:
    with pytest.raises(type(error)):
        compare_all(documents, "colde", loader=lambda name: FailsToEncode(error))


@pytest.mark.parametrize("error", UNEXPECTED, ids=repr)
def test_a_file_whose_reader_fails_is_skipped(tmp_path, monkeypatch, error) -> None:
    sources = list(document_sources([write_files(tmp_path, 4)]))
    read = ingest.read

    def fails(path, **options):
        if path.name == BAD:
            raise error
        return read(path, **options)

    monkeypatch.setattr(ingest, "read", fails)
    documents, unread = read_all(sources)
    assert [d.source for d in documents] == ["file000.md", "file001.md", "file003.md"]
    assert [e.source for e in unread] == [BAD]


def test_the_fewest_documents_are_left_out() -> None:
    faults = Faults(["a", "b", "c", "d"])
    for pair in ((0, 1), (0, 2), (3, 0), (2, 2)):
        with faults.around(*pair):
            raise ValueError("odd")
    assert faults.hit(1, 2) is False
    assert {number: error.source for number, error in faults.take().items()} == {0: "a", 2: "c"}
    assert not faults


def test_the_message_is_one_line_without_steering_characters() -> None:
    skipped: list[ReadError] = []
    with skip_document("a.md", skipped):
        raise RuntimeError("first line\nsecond \x1b[31m" + "x" * 1_000)
    assert str(skipped[0]).count("\n") == 0 and "\x1b" not in str(skipped[0])
    assert len(str(skipped[0])) < 400
