"""Documents compared with each other: groups are found, each is read once, reasons name what is shared."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from colde import ingest
from colde.api import Collection
from colde.comparison.collections.all_pairs import compare_all, read_all
from colde.comparison.collections.clusters import clusters, groups_of
from colde.comparison.collections.reasons import DocumentFacts, reason
from colde.corpus.document_sources import document_sources
from colde.errors import Cancelled, ReadError
from colde.report.collection.collection_html import collection_html, tree_lines
from colde.report.collection.collection_tables import collection_tables, to_graphml
from tests.index.light import Light
from tests.schemas import validate

ROOT = Path(__file__).resolve().parents[2]
LAMPS = "The keeper trimmed the wick of the lamp and polished the lens of the lighthouse before dusk came. "
TIDES = "The tide rises twice a day because the moon pulls at the ocean and the earth turns below it. "
BANKS = "Depositors ran to the bank when rumours of insolvency spread and reserves melted away quickly. "


def text(subject: str, extra: str) -> str:
    return f"# {extra}\n\n## About {extra}\n\n{subject * 6}\n\n## More\n\n{extra} {subject * 3} {extra}.\n"


@pytest.fixture
def folder(tmp_path):
    made = {
        "a.md": text(LAMPS, "Fresnel"),
        "b.md": text(LAMPS, "Argand"),
        "c.md": text(TIDES, "Newton"),
        "d.md": text(TIDES, "Laplace"),
        "e.md": text(BANKS, "Bagehot"),
    }
    for name, words in made.items():
        (tmp_path / name).write_text(words, encoding="utf-8")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF nothing")
    return tmp_path


@pytest.fixture
def found(folder, monkeypatch) -> Collection:
    monkeypatch.setenv("COLDE_SANDBOX", "off")
    return Collection.read([folder], models="colde", loader=lambda name: Light())


def test_clusters_are_what_belongs_together(found) -> None:
    names = {frozenset(found.documents[i].source for i in group) for group in found.clusters}
    assert names == {frozenset({"a.md", "b.md"}), frozenset({"c.md", "d.md"}), frozenset({"e.md"})}
    assert sorted(found.order) == [0, 1, 2, 3, 4]


def test_the_bad_file_is_named_and_left_out(found) -> None:
    assert [(e.source, e.reason) for e in found.unread] == [("broken.pdf", "corrupt")]


def test_scores_are_the_models_and_pairs_are_in_their_order(found) -> None:
    model = Light()
    encoded = model.encode(found.documents)
    scores = found.scores["colde"]
    for a in range(5):
        for b in range(5):
            assert scores[a, b] == pytest.approx(model.match(encoded[a], encoded[b]).score, abs=1e-5)
    listed = [p.score for p in found.pairs]
    assert len(listed) == 10
    assert listed == sorted(listed, reverse=True)
    assert {found.pairs[0].a, found.pairs[0].b} in ({0, 1}, {2, 3})


def test_a_pair_is_passed_on_before_the_next_document_is_encoded(folder, monkeypatch) -> None:
    monkeypatch.setenv("COLDE_SANDBOX", "off")
    model = Light()
    documents, _ = read_all(list(document_sources([folder])))
    encoded = []
    pairs = []

    def passed_on(pair) -> None:
        pairs.append(pair)
        encoded.append(model.encoded)

    collection = compare_all(documents, "colde", loader=lambda name: model, on_pair=passed_on)
    assert [(p.a, p.b) for p in pairs] == [(a, b) for b in range(5) for a in range(b)]
    assert encoded == [b + 1 for b in range(5) for _ in range(b)]
    assert {(p.a, p.b, p.score) for p in pairs} == {(p.a, p.b, p.score) for p in collection.pairs}


def test_each_document_is_encoded_once(folder, monkeypatch) -> None:
    monkeypatch.setenv("COLDE_SANDBOX", "off")
    model = Light()
    Collection.read([folder], models="colde", loader=lambda name: model)
    assert model.encoded == 5


def test_json_is_the_schema(found) -> None:
    data = json.loads(found.to_json())
    validate("collection", data)
    assert data["models"] == ["colde"]
    assert [len(row) for row in data["scores"]["colde"]] == [5] * 5


def test_reasons_say_what_is_shared(found) -> None:
    pair = next(p for p in found.pairs if {p.a, p.b} == {0, 1})
    assert pair.reason.shared > 0.8
    assert "nearly the same text" in str(pair.reason)
    assert "lighthouse" in " ".join(pair.reason.words)
    assert found.duplicates == ((0, 1), (2, 3))
    other = next(p for p in found.pairs if {p.a, p.b} == {0, 4})
    assert other.reason.shared == 0


def test_two_texts_without_a_word_in_common_have_no_reason() -> None:
    a, b = (DocumentFacts(ingest.read_text(t), None) for t in (LAMPS * 2, "12 34 56 78 " * 10))
    assert str(reason(a, b)) == "similar as a whole, but in no single part"


def test_a_number_that_both_use_is_no_reason() -> None:
    a, b = (
        DocumentFacts(ingest.read_text(t), None) for t in ("marigold 2004 " * 15, "marigold 2004 tower " * 15)
    )
    assert str(reason(a, b)).endswith("both use marigold")


def test_cancelling_is_heard(folder) -> None:
    def stop(progress) -> None:
        raise Cancelled("enough")

    documents, _ = read_all(list(document_sources([folder])))
    with pytest.raises(Cancelled):
        compare_all(documents, "colde", loader=lambda name: Light(), on_progress=stop)


def test_fewer_than_two_is_an_error() -> None:
    with pytest.raises(ReadError, match="at least two are needed"):
        compare_all([ingest.read_text(LAMPS * 2)], "colde", loader=lambda name: Light())


def test_the_page_asks_for_nothing_and_holds_text_as_text(found) -> None:
    page = collection_html(found)
    assert "http" not in page.replace("http-equiv", "")
    assert "<script" not in page
    assert page.count("<tr>") == 1 + 2 + 1 + 10
    assert "broken.pdf" in page


def test_tables_and_graph_hold_the_pairs(found) -> None:
    networkx = pytest.importorskip("networkx")
    files = dict(collection_tables(found))
    assert files.keys() == {"documents.csv", "pairs.csv", "set_aside.csv", "colde.scores.csv", "unread.csv"}
    assert len(files["pairs.csv"].splitlines()) == 11
    clusters = [row["cluster"] for row in csv.DictReader(files["documents.csv"].splitlines())]
    assert clusters[0] == clusters[1] != clusters[2] == clusters[3]
    assert {*clusters} == {"1", "2", ""}
    graph = networkx.parse_graphml(to_graphml(found))
    assert [str(graph.nodes[str(i)].get("cluster", "")) for i in range(5)] == clusters
    assert len(graph) == 5
    assert {frozenset(edge) for edge in graph.edges} == {frozenset("01"), frozenset("23")}


def test_clusters_join_where_the_mean_reaches_the_threshold() -> None:
    scores = np.array([[1, 0.9, 0.5], [0.9, 1, 0.3], [0.5, 0.3, 1]], np.float32)
    assert {frozenset(g) for g in clusters(scores, 0.45).groups} == {frozenset({0, 1}), frozenset({2})}
    assert {frozenset(g) for g in clusters(scores, 0.39).groups} == {frozenset({0, 1, 2})}
    assert len(clusters(scores, None).groups) == 3


def test_groups_join_over_others() -> None:
    assert groups_of(6, [(0, 2), (2, 4), (1, 5)]) == ((0, 2, 4), (1, 5))
    assert groups_of(3, []) == ()


def test_the_tree_ends_at_the_leaves_and_at_one_root() -> None:
    merges = np.array([[0, 1, 0.2, 2], [2, 3, 0.8, 3]], np.float32)
    lines = tree_lines(merges, (2, 0, 1))
    assert len(lines) == 6
    assert max(x for line in lines for x in (line[0], line[2])) == pytest.approx(1)
    leaves = sorted({round(y0, 3) for x0, y0, _, _ in lines if x0 == 0})
    assert leaves == [0.167, 0.5, 0.833]
