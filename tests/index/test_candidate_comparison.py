"""A text and one document of an index: what is compared of the two, and with which vectors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import colde
from colde.alignment.sentence_matches import sentence_matches
from colde.encoders import sentence_encoder
from colde.encoders.encoder_names import PACKAGED
from colde.index.index_rows import LIST_COLUMNS
from colde.index.index_schema import DOCUMENTS
from colde.index.passage_rows import searched_sentences, searched_vectors
from colde.index.sources import candidate_comparison
from colde.index.sources.candidate_comparison import SearchedDocument, shared_with
from colde.index.sources.source_stretches import SharingDocument
from colde.index.store import Store
from colde.index.write_buffer import prepare_for_index
from colde.ingest import read_text
from tests.index.source_texts import FILLER, HARBOUR, LAMP, query_text, write_sources

IN_OTHER_WORDS = (
    "At dusk the keeper brought a pair of tins with oil from whales to the top of the winding stairs. He emptied them "
    "into the tank that lay under seven wicks, and with scissors of brass he cut these till the flame was calm."
)
LONG_NAME = "long.txt"


def long_text() -> str:
    """Two hundred sentences that differ, with a passage in their middle."""
    animals = (
        "heron",
        "badger",
        "otter",
        "weasel",
        "marten",
        "beaver",
        "lizard",
        "falcon",
        "magpie",
        "hamster",
    )
    rooms = ("cellar", "garden", "attic", "stable", "quarry", "orchard", "meadow", "barn", "pond", "shed")
    days = ("Monday", "Friday")
    seen = "A {} was seen in the {} on {} by the vet."
    sentences = [seen.format(animal, room, day) for day in days for animal in animals for room in rooms]
    return " ".join([*sentences[:100], HARBOUR, *sentences[100:]])


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Iterator[Store]:
    """An index of four short documents and a longer one."""
    folder = tmp_path_factory.mktemp("candidates")
    files = write_sources(folder / "files")
    (files / LONG_NAME).write_text(long_text())
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLDE_SANDBOX", "off")
        colde.Index(folder / "index").add([files])
    yield Store(folder / "index")


def searched(*passages: str) -> SearchedDocument:
    document = prepare_for_index(read_text(query_text(*passages)))
    vectors = searched_vectors(document)
    return SearchedDocument.of(document, dict(zip(searched_sentences(document), vectors, strict=True)))


def compared(store: Store, query: SearchedDocument, name: str) -> SharingDocument:
    columns = [*LIST_COLUMNS, "packed", "sentences", "width"]
    (row,) = store.rows(DOCUMENTS, columns, f"name = '{name}'")
    return shared_with(query, row, PACKAGED)


def sentences_that_are_compared(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The number of sentences of both documents in each comparison from here on."""
    counts: list[tuple[int, int]] = []

    def count(a: Any, b: Any, *rest: Any, **options: Any) -> Any:
        counts.append((len(searched_sentences(a)), len(searched_sentences(b))))
        return sentence_matches(a, b, *rest, **options)

    monkeypatch.setattr(candidate_comparison, "sentence_matches", count)
    return counts


def test_a_document_without_a_near_sentence_or_run_is_not_compared(store, monkeypatch) -> None:
    counts = sentences_that_are_compared(monkeypatch)
    assert not compared(store, searched(LAMP), "chess.txt").passages and not counts


def test_a_passage_in_other_words_is_compared(store, monkeypatch) -> None:
    counts = sentences_that_are_compared(monkeypatch)
    assert [p.kind for p in compared(store, searched(IN_OTHER_WORDS), "lamps.txt").passages] == [
        "paraphrased"
    ]
    assert len(counts) == 1


def test_a_run_of_words_is_enough_to_be_compared(store, monkeypatch) -> None:
    monkeypatch.setattr(candidate_comparison, "LEAST_COSINE", 2.0)
    assert compared(store, searched(HARBOUR), "harbour.txt").passages
    assert not compared(store, searched(IN_OTHER_WORDS), "lamps.txt").passages


def test_only_the_surroundings_of_a_passage_of_a_long_document_are_compared(store, monkeypatch) -> None:
    whole = compared(store, searched(HARBOUR), LONG_NAME)
    monkeypatch.setattr(candidate_comparison, "LONG", 150)
    monkeypatch.setattr(candidate_comparison, "MOST_NEAREST", 5)
    counts = sentences_that_are_compared(monkeypatch)
    cut = compared(store, searched(HARBOUR), LONG_NAME)
    ((_, of_source),) = counts
    assert 2 * candidate_comparison.MARGIN < of_source < 120
    assert [(p.a, p.b, p.kind) for p in cut.passages] == [(p.a, p.b, p.kind) for p in whole.passages]
    (passage,) = cut.passages
    assert cut.text.text[passage.b.start : passage.b.end] == HARBOUR


def test_what_is_left_of_a_long_document_makes_it_no_version(store, monkeypatch) -> None:
    monkeypatch.setattr(candidate_comparison, "LONG", 150)
    monkeypatch.setattr(candidate_comparison, "MOST_NEAREST", 1)
    monkeypatch.setattr(candidate_comparison, "MARGIN", 0)
    monkeypatch.setattr("tests.index.source_texts.OWN", "He said so. ")
    query = searched(HARBOUR)
    assert compared(store, query, LONG_NAME).passages and not compared(store, query, LONG_NAME).version


def test_no_sentence_is_encoded(store, monkeypatch) -> None:
    query = searched(LAMP, FILLER["lamps.txt"])

    def encode(*documents: Any, **options: Any) -> Any:
        raise AssertionError("the vectors of all sentences are known")

    monkeypatch.setattr(sentence_encoder, "sentence_vectors_of", encode)
    assert compared(store, query, "lamps.txt").passages
