"""The sources of a document: found by a passage, ranked, each word counted once, and counted again with exclusions."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import colde
from colde.errors import StoreError
from colde.index.index_results import IndexedDocument
from colde.index.sources.counted_sources import Sources, count_sources
from colde.index.sources.source_stretches import Exclusions, SharingDocument, parse_source_exclusions
from colde.index.store import Store, read_meta
from colde.ingest import read_text
from colde.report.sources.sources_payload import sources_payload
from colde.report.sources.sources_summary import left_out_sentence, passage_pairs
from colde.report.sources.sources_tables import sources_tables
from colde.results.saved.review_decisions import Mark
from colde.results.shared_text import SharedPassage
from colde.text.document import Document, Span
from tests.index.source_texts import HARBOUR, LAMP, OWN, query_text, write_sources
from tests.schemas import validate


@pytest.fixture(scope="module")
def index(tmp_path_factory) -> Iterator[colde.Index]:
    """Four short documents, of which two have a passage that a query can take."""
    folder = tmp_path_factory.mktemp("sources")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLDE_SANDBOX", "off")
        made = colde.Index(folder / "index")
        made.add([write_sources(folder / "files")])
        yield made


def query(*passages: str) -> Document:
    return read_text(query_text(*passages))


@pytest.fixture(scope="module")
def two_sources(index) -> Sources:
    return index.sources(query(LAMP, "He also wrote this down.", HARBOUR))


def test_each_source_is_found_by_one_passage(two_sources) -> None:
    assert {source.name for source in two_sources} == {"lamps.txt", "harbour.txt"}
    for source in two_sources:
        (passage,) = source.passages
        assert passage.kind == "identical"
        text = two_sources.document.text[passage.a.start : passage.a.end]
        assert text == source.text.text[passage.b.start : passage.b.end] in (LAMP, HARBOUR)
        assert source.longest == source.words == passage.words


def test_the_total_is_the_sum_of_sources_that_share_no_word(two_sources) -> None:
    assert two_sources.shared_words == sum(source.words for source in two_sources)
    assert two_sources.share == pytest.approx(two_sources.shared_words / two_sources.words)
    assert [s.words for s in two_sources] == sorted((s.words for s in two_sources), reverse=True)


def test_decisions_stand_in_the_json_and_stay_with_other_exclusions(two_sources) -> None:
    number, passage = next(
        (n, p) for n, (one, p) in enumerate(two_sources.passages) if one.document.name == "harbour.txt"
    )
    reviewed = two_sources.reviewed({number: Mark(passage.a, passage.b, "accepted", "his own book")})
    for now in (reviewed, reviewed.excluding(fewest_words=1)):
        written = json.loads(now.to_json())
        validate("sources", written)
        decisions = {s["name"]: s["passages"][0].get("decision") for s in written["sources"]}
        assert decisions == {"harbour.txt": "accepted", "lamps.txt": None}
    (accepted,) = (
        row
        for _, table in sources_tables(reviewed)
        for row in csv.DictReader(io.StringIO(table))
        if row.get("decision")
    )
    assert (accepted["name"], accepted["note"]) == ("harbour.txt", "his own book")
    (pair,) = passage_pairs(reviewed, next(s for s in reviewed if s.name == "harbour.txt"))
    assert (pair.decision, pair.note) == ("accepted", "his own book")
    marks = {s["name"]: s["review"]["marks"] for s in sources_payload(reviewed)["sources"]}
    (mark,) = marks["harbour.txt"]
    assert (mark["decision"], mark["note"]) == ("accepted", "his own book")
    assert marks["lamps.txt"] == []


def test_a_rejected_passage_does_not_count(two_sources) -> None:
    lamps, harbour = (next(s for s in two_sources if s.name == name) for name in ("lamps.txt", "harbour.txt"))
    marks = {p.index: Mark(p.a, p.b, "rejected") for p in harbour.passages}
    left = two_sources.reviewed(marks)
    assert [s.name for s in left] == ["lamps.txt"]
    assert left.shared_words == lamps.words
    assert left.words == two_sources.words
    assert left_out_sentence(left).endswith("and 1 rejected passage.")
    assert json.loads(left.to_json())["rejected"] == 1
    assert len(left.reviewed({})) == 2


def test_a_document_without_reuse_has_no_source(index) -> None:
    empty = index.sources(
        query("She kept bees behind the house, and sold their honey at the market in August.")
    )
    assert (len(empty), empty.share, empty.shared_words) == (0, 0.0, 0)


def test_the_passages_are_those_of_a_comparison_of_the_two(index, two_sources) -> None:
    lamps = next(source for source in two_sources if source.name == "lamps.txt")
    shared = colde.compare(two_sources.document, lamps.text, models="tfidf").shared
    assert shared is not None
    same = [p for p in shared.passages if p.kind != "same topic"]
    assert [(p.a, p.b, p.kind) for p in same] == [(p.a, p.b, p.kind) for p in lamps.passages]


def test_a_document_of_the_index_is_named_and_not_counted(index) -> None:
    held = next(d for d in index.documents() if d.name == "lamps.txt")
    sources = index.sources(index.read(held.id))
    assert [(v.name, v.counted) for v in sources.versions] == [("lamps.txt", False)]
    assert "lamps.txt" not in {source.name for source in sources}
    counted = sources.excluding(leave_out=())
    assert counted[0].name == "lamps.txt"
    assert counted[0].share > 0.9


def test_an_earlier_version_is_named_and_not_counted(index) -> None:
    held = next(d for d in index.documents() if d.name == "harbour.txt")
    text = index.read(held.id).text.replace("forty labourers", "sixty labourers and a foreman")
    sources = index.sources(read_text(f"{text} The board was dissolved in the spring of the next year."))
    assert [v.name for v in sources.versions] == ["harbour.txt"]
    assert not sources.sources


def test_json_has_the_ranking_and_no_text_of_the_documents(two_sources) -> None:
    written = json.loads(two_sources.to_json())
    validate("sources", written)
    assert written.keys() == {
        "name", "title", "words", "shared_words", "share", "exclusions", "sources", "versions", "searched",
        "rejected",
    }  # fmt: skip
    assert written["sources"][0].keys() == {
        "number", "id", "name", "title", "share", "words", "own_words", "longest", "passages",
    }  # fmt: skip
    assert written["exclusions"] == {
        "leave_out": ["versions"],
        "fewest_words": 0,
        "documents": [],
    }


def test_an_index_of_an_earlier_version_says_how_to_add_passages(index, tmp_path) -> None:
    made = colde.Index(tmp_path / "old")
    files = tmp_path / "one"
    files.mkdir()
    (files / "a.txt").write_text(OWN * 2)
    made.add([files])
    meta = json.loads(made.storage.read())
    made.storage.write(json.dumps({**meta, "version": 2, "passages": 0}).encode())
    old = colde.Index(tmp_path / "old")
    with pytest.raises(StoreError, match="colde index rebuild"):
        old.sources(query(LAMP))
    old.rebuild()
    assert read_meta(tmp_path / "old").passages > 0
    assert len(Store(tmp_path / "old").rows("passages", ["document"])) > 0
    old.sources(query(LAMP))


TEXT = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon."


def place(words: str) -> Span:
    start = TEXT.index(words)
    return Span(start, start + len(words))


def source(name: str, *passages: str, standard: bool = False, version: bool = False) -> SharingDocument:
    shared = tuple(
        SharedPassage("edited", place(p), Span(0, 1), {"a": 1, "b": 1}, 0.9, standard=standard)
        for p in passages
    )
    return SharingDocument(IndexedDocument(name, name, "", 1, 1), read_text(TEXT), shared, version)


def counted(*sharing: SharingDocument, **exclusions) -> Sources:
    return count_sources(read_text(TEXT), sharing, Exclusions(**exclusions), len(sharing))


def test_a_word_that_two_sources_share_counts_once() -> None:
    both = counted(source("b", "delta epsilon zeta"), source("a", "gamma delta epsilon zeta eta"))
    assert [(s.name, s.words, s.own_words) for s in both] == [("a", 5, 5), ("b", 3, 0)]
    assert (both.words, both.shared_words) == (20, 5)
    assert both[1].passages[0].also == (1,)
    assert both[0].passages[0].also == (2,)  # b has three of its five words


def test_a_source_that_has_less_than_half_of_a_passage_is_not_named_beside_it() -> None:
    both = counted(source("b", "gamma delta"), source("a", "gamma delta epsilon zeta eta"))
    assert both[0].passages[0].also == ()


def test_what_is_excluded_counts_in_no_number() -> None:
    parts = (source("a", "gamma delta epsilon zeta eta", "pi rho"), source("b", "delta epsilon zeta"))
    assert [s.name for s in counted(*parts, documents=("a",))] == ["b"]
    assert counted(*parts, documents=("a",)).shared_words == 3
    assert counted(*parts, fewest_words=3).shared_words == 5
    assert counted(*parts, fewest_words=4)[0].words == 5
    assert len(counted(*parts, fewest_words=4)) == 1
    standard = (*parts, source("c", "sigma tau", standard=True))
    assert counted(*standard).shared_words == 9
    assert counted(*standard, leave_out=("standard",)).shared_words == 7
    version = (*parts, source("v", TEXT.rstrip("."), version=True))
    assert counted(*version).shared_words == 7
    assert counted(*version, leave_out=()).share == 1


def test_quotations_and_citations_leave_both_sides_of_the_share() -> None:
    text = (
        f"{TEXT} He said: “one two three four five six seven eight nine ten.” It is known (Smith 2010) now."
    )
    document = read_text(text)
    span = Span(text.index("one two"), text.index("six seven"))
    shared = (SharedPassage("identical", span, Span(0, 1), {"a": 5, "b": 5}, 1.0),)
    sharing = (SharingDocument(IndexedDocument("q", "q", "", 1, 1), document, shared),)
    everything = count_sources(document, sharing, Exclusions(()), 1)
    assert everything.shared_words == 5
    without = everything.excluding(leave_out=("quotes",))
    assert (without.shared_words, everything.words - without.words) == (0, 10)
    assert everything.words - everything.excluding(leave_out=("references",)).words == 2
    assert everything.excluding(leave_out=("references",)).shared_words == 5


def test_exclusions_are_read_from_a_list() -> None:
    assert parse_source_exclusions("quotes, versions") == ("versions", "quotes")
    assert parse_source_exclusions("nothing") == ()
    with pytest.raises(ValueError, match="chapters is none of"):
        parse_source_exclusions("chapters")


def test_the_index_of_passages_is_as_long_as_its_documents(index, tmp_path: Path) -> None:
    rows = Store(index.folder).rows("passages", ["document", "start", "end", "text"])
    texts = {d.id: index.read(d.id).text for d in index.documents()}
    assert {row["document"] for row in rows} == set(texts)
    assert all(texts[r["document"]][r["start"] : r["end"]] == r["text"] for r in rows)
