"""The table of the papers' other systems and SMASH RNN's studies: which pairs are judged, and how."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from colde.corpus.corpus_folder import Pair, read_records, record_to_document
from studies import tables
from studies.papers import new_document_pairs as systems
from studies.papers import shuffled_weights, systems_rows, systems_studies
from studies.robustness import changed_texts


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    head = "source\ttarget\tlabel\n"
    (tmp_path / "train.tsv").write_text(head + "a\tb\t1\nb\tc\t0\n")
    (tmp_path / "valid.tsv").write_text(head + "a\tc\t1\na\td\t1\ne\td\t0\nd\tb\t0\ne\tf\t1\n")
    return tmp_path


def test_pairs_with_a_new_document_are_judged_in_their_order(corpus: Path) -> None:
    found = systems.judged(corpus, most=3)
    assert [(p.source, p.target) for p in found.pairs] == [("a", "d"), ("e", "d"), ("d", "b")]
    assert found.labels.tolist() == [1, 0, 0]


def many(pairs: int = 60) -> Any:
    return systems.NewDocumentPairs(Path(), tuple(Pair(f"s{i % 12}", f"t{i}", i % 2) for i in range(pairs)))


def test_a_threshold_comes_from_other_sources() -> None:
    known = many()
    scores = known.labels + np.linspace(0, 0.4, 60)
    assert (systems.predicted_similar(known, scores) == known.labels).all()
    odd = np.where(np.array(known.sources) == "s1", 5 + scores, scores)
    assert systems.predicted_similar(known, odd)[np.array(known.sources) == "s1"].all()


def test_a_row_says_whether_training_is_worth_anything() -> None:
    known = many()
    random = np.random.default_rng(0).random(60).astype(np.float32)
    trained = systems.figures(known, (known.labels + 0.2 * random).astype(np.float32), random)
    assert trained["accuracy"] == trained["roc_auc"] == 1 and trained["gain"]["low"] > 0
    same = systems.figures(known, random, random)
    same_for_all = {"weights": "recipe", "minutes": 1, "steps": 5, "pairs_a_step": 2}
    rows = [
        {"name": n, "title": n, "corpora": {"c": f}, **same_for_all} for n, f in (("x", trained), ("y", same))
    ]
    lines = systems_rows.table(rows, ["c"]).splitlines()
    assert "not beyond chance" not in lines[2] and "not beyond chance" in lines[3]


def test_table_2_has_what_coldes_paper_compares() -> None:
    found = {"accuracy": 0.8, "precision": 0.7, "recall": 0.9, "f1": 0.7875}
    rows = [{"name": n, "title": n.upper(), "corpora": {"c": found}} for n in ("rnn", "dssm", "colde")]
    lines = systems_rows.four_measures(rows, ["c"]).splitlines()
    assert [line.split(" ")[1] for line in lines[2:]] == ["COLDE", "DSSM"]
    assert lines[2].endswith("| 0.800 / 0.700 / 0.900 / 0.787 |")


def test_shuffled_numbers_are_the_same_in_another_order() -> None:
    network = torch.nn.Linear(20, 4)
    network.bias.requires_grad_(False)
    weight, bias = network.weight.detach().clone(), network.bias.clone()
    shuffled_weights.shuffle(network, 0)
    assert not torch.equal(network.weight, weight) and torch.equal(network.bias, bias)
    assert torch.equal(network.weight.flatten().sort().values, weight.flatten().sort().values)


def test_seeds_of_a_row_stand_in_it_with_their_spread() -> None:
    found = {"pairs": 400, "accuracy": 0.7, "f1": 0.6, "roc_auc": 0.8}
    row = {"name": "x", "title": "X", "weights": "recipe", "minutes": 1, "steps": 5, "pairs_a_step": 2}
    rows = [{"name": "y"}, {**row, "corpora": {"c": found}}]
    more = systems_rows.add_seed(rows, {**row, "corpora": {"c": {**found, "accuracy": 0.72}}}, 1)
    assert [r["name"] for r in more] == ["y", "x"]
    cells = systems_rows.table(more[1:], ["c"]).splitlines()[2]
    assert "0.710 ± 0.014 / 0.600 ± 0.000 / 0.800 ± 0.000" in cells and "5 × 2, 2 seeds" in cells
    again = systems_rows.add_seed(more[::-1], {**row, "corpora": {"c": found}}, 0)
    assert [r["name"] for r in again] == ["x", "y"] and "seeds" not in again[0]


def test_a_list_holds_at_most_five_related_documents_among_ten() -> None:
    known = systems.NewDocumentPairs(Path(), tuple(Pair("s", f"t{i}", int(i < 8)) for i in range(30)))
    ((names, labels),) = systems_studies.candidates(known).values()
    assert len(set(names)) == 10 and labels.sum() == 5
    assert "s" not in names and not {f"t{i}" for i in range(8)} & set(np.array(names)[labels == 0])


def test_a_list_is_ranked_by_score() -> None:
    labels, scores = np.array([0, 1, 0, 1]), np.array([0.9, 0.8, 0.1, 0.7])
    first, reciprocal, precision = systems_studies.ranked(labels, scores)
    assert (first, reciprocal) == (0.0, 0.5)
    assert precision == pytest.approx((1 / 2 + 2 / 3) / 2)


TEXTS = [f"Paragraph {i} speaks of tides." for i in range(12)]
PARTS = {"One": TEXTS[:5], "Two": TEXTS[5:11], "Three": TEXTS[11:]}
RECORD = {"id": "x", "title": "x", "sections": [{"heading": h, "paragraphs": p} for h, p in PARTS.items()]}


def test_shuffled_paragraphs_are_the_same_paragraphs() -> None:
    document = record_to_document(changed_texts.shuffle_paragraphs(RECORD, 0))
    found = [line for line in document.text.splitlines() if line.startswith("Paragraph")]
    assert sorted(found) == sorted(TEXTS) and found != TEXTS
    assert [s.heading for s in document.sections] == ["One", "Two", "Three"]


def test_shuffled_sections_keep_their_paragraphs() -> None:
    orders = {
        tuple(s["heading"] for s in changed_texts.shuffle_sections(RECORD, i)["sections"]) for i in range(20)
    }
    assert len(orders) > 3
    sections = changed_texts.shuffle_sections(RECORD, 1)["sections"]
    assert sorted(sections, key=str) == sorted(RECORD["sections"], key=str)


@given(most=st.integers(1, 80))
def test_the_first_words_are_kept_and_no_more(most: int) -> None:
    cut = changed_texts.keep_first_words(most)(RECORD, 0)
    left = " ".join(t for s in cut["sections"] for t in s["paragraphs"]).split()
    assert left == " ".join(TEXTS).split()[:most]


def test_a_changed_corpus_holds_the_judged_pairs_and_their_changed_texts(tmp_path: Path) -> None:
    corpus = tmp_path / "acl"
    systems.write_corpus([{**RECORD, "id": n} for n in "abc"], [], corpus)
    known = systems.NewDocumentPairs(corpus, (Pair("a", "b", 1),))
    own = changed_texts.write_changed_corpus(known, changed_texts.keep_first_words(3), tmp_path / "changed")
    assert own.pairs == known.pairs and own.folder.name == "acl"
    records = dict(read_records(own.folder))
    assert sorted(records) == ["a", "b"]
    assert [s["paragraphs"] for s in records["a"]["sections"]] == [["Paragraph 0 speaks"]]


def test_means_are_of_the_texts_of_a_length() -> None:
    found = systems_studies.by_length(
        np.array([[1.0, 0.0], [0.0, 0.5], [1.0, 1.0]]), np.array([10, 1000, 5000])
    )
    assert found["up to 1,000 words"] == (2, [0.5, 0.25]) and found["more"] == (1, [1.0, 1.0])
    assert found["1,000 to 4,000"][0] == 0


def test_every_study_of_a_system_has_a_line() -> None:
    rank = {"lists": 2, "p_at_1": 1.0, "mrr": 0.5, "map": 0.25}
    changed = {
        "as they are": {"accuracy": 0.8, "roc_auc": 0.9},
        "shuffled": {"accuracy": 0.7, "roc_auc": 0.8},
    }
    own = {"title": "X", "seed": 1, "ranking": {"acl": rank}, "ranking_by_length": {"more": rank}}
    own["sections"] = changed
    text = systems_studies.study_tables({"x": own, "y": {"title": "Y"}}, ["acl"])
    assert text.count("| X, seed 1 | 1.000 / 0.500 / 0.250 |") == 2
    assert "| X, seed 1 | 0.800 / 0.900 | 0.700 / 0.800 |" in text and "| Y" not in text


def test_a_table_is_put_in_its_place(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Before.\n\n<!-- a -->\nold\n<!-- b -->\n\nAfter.\n")
    for text in ("first\n", "second\n"):
        tables.replace_between(page, "<!-- a -->", "<!-- b -->", text)
    assert page.read_text() == "Before.\n\n<!-- a -->\n\nsecond\n\n<!-- b -->\n\nAfter.\n"
    tables.replace_between(tmp_path / "new.md", "<!-- a -->", "<!-- b -->", "text\n")
    assert (tmp_path / "new.md").read_text() == "<!-- a -->\n\ntext\n\n<!-- b -->\n"
