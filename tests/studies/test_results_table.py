"""The table of all models: pairs, thresholds, measures, and the pages that show it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from colde import models
from colde.assets import asset
from colde.corpus.corpus_folder import Pair, read_pairs, write_documents, write_pairs
from colde.encoders.sentence_encoder import shared_sentence_encoder
from colde.encoders.sentence_layout import read_sentences
from colde.encoders.vector_cache import VectorCache
from colde.judge.profiles import GENERAL, corpora
from colde.models.validation_figures import BOTH_NEW, FEWEST_PAIRS, FIGURES, ONE_NEW
from colde.text.chunks import default_tokenizer
from colde.training.corpora import sentence_vectors
from colde.training.corpora.development_split import split_development
from colde.training.corpora.sentence_vectors import MissingVectorWriter, load_layout, open_stored_vectors
from studies import ROOT
from studies.accuracy import results_pages, unseen_documents
from studies.accuracy.out_of_fold import FOLDS, ScoredPairs, folds_by_source, verdicts
from studies.accuracy.pair_measures import NewPairs, by_profile, count_pairs, measure_model
from studies.accuracy.pair_score_memory import document_reader, scores_by_profile
from studies.accuracy.result_rows import ALL, OWN, SECOND, Results, read_results, write_results
from studies.accuracy.stored_sentences import fill_cache
from studies.papers.new_document_pairs import NewDocumentPairs, judged, new_documents
from tests.corpora import toy_corpus

KINDS = {"papers": 120, "proposals": 12}


@pytest.mark.parametrize("page", ["README.md", "docs/model_card.md", "docs/log/accuracy.md"])
def test_a_page_shows_the_figures_of_the_json(page: str) -> None:
    """Run python -m studies.accuracy.results_pages after the JSON or the text around the figures has changed."""
    shown = (ROOT / page).read_text(encoding="utf-8")
    text = results_pages.pages(read_results(), read_results(SECOND))[page]
    assert f"{results_pages.BEGIN}\n\n{text}\n{results_pages.END}" in shown


def test_the_models_page_shows_the_figures_of_the_json() -> None:
    shown = json.loads(asset(FIGURES).read_text(encoding="utf-8"))
    assert shown == results_pages.figures(read_results())


def test_another_figure_changes_every_page(tmp_path: Path) -> None:
    known = read_results()
    rows = [{**row, "value": 0.123} if row["measure"] == "accuracy" else row for row in known.rows]
    before, after = (results_pages.pages(r, read_results(SECOND)) for r in (known, replace(known, rows=rows)))
    assert all("0.12" in after[page] and after[page] != text for page, text in before.items())
    write_results(tmp_path / "rows.json", known)
    assert read_results(tmp_path / "rows.json") == known


def test_pairs_are_new_to_every_model(tmp_path: Path) -> None:
    write_documents(tmp_path, [{"id": n, "title": n, "sections": []} for n in "abcdef"])
    write_pairs(tmp_path / "train.tsv", [Pair("a", "b", 1), Pair("c", "b", 0)])
    write_pairs(
        tmp_path / "valid.tsv", [Pair("a", "c", 1), Pair("d", "a", 1), Pair("a", "e", 0), Pair("e", "f", 0)]
    )
    known = judged(tmp_path, None)
    assert [(p.source, p.target) for p in known.pairs] == [("d", "a"), ("a", "e"), ("e", "f")]
    assert new_documents(known).tolist() == [1, 1, 2]
    assert len(judged(tmp_path, 2).pairs) == 2


@pytest.mark.parametrize("corpus", ["textbooks", "acl"])
def test_another_seed_sets_other_documents_aside(corpus: str) -> None:
    books = [
        "microbiology",
        "introduction-sociology",
        "introductory-statistics",
        *(f"book{i}" for i in range(8)),
    ]
    names = [f"{book}/{i}" for book in books for i in range(6)]
    pairs = [Pair(a, b, 1) for a, b in pairwise(names)]
    first, again, other = (split_development(corpus, pairs, 0.2, seed) for seed in (0, 0, 1))
    assert first == again
    assert first.aside != other.aside and other.none and other.train
    if corpus == "textbooks":
        assert len({name.split("/")[0] for name in other.aside}) == 3
        assert not first.aside & other.aside


@pytest.fixture
def kinds() -> dict[str, NewPairs]:
    """Pairs of papers in both blocks, and too few pairs of proposals for a column of their own."""
    random = np.random.default_rng(2)
    return {
        kind: NewPairs.of(
            kind,
            [(f"source {i // 2}", f"target {i % 31}") for i in range(count)],
            random.integers(0, 2, count),
            1 + (np.arange(count) % 4 == 0).astype(np.int64),
        )
        for kind, count in KINDS.items()
    }


def scores_of(kinds: Mapping[str, NewPairs], shift: float = 0.0) -> dict[str, dict[str, np.ndarray]]:
    """Scores that know something of the labels; those of proposals are higher, and under `general` all are alike."""
    random = np.random.default_rng(3)
    by_kind = {}
    for number, (kind, pairs) in enumerate(kinds.items()):
        base = 0.3 * pairs.labels + random.normal(0, 0.15, len(pairs.labels))
        by_kind[kind] = {GENERAL: base, **dict.fromkeys(kinds, base + number + shift)}
    return by_kind


def test_folds_keep_the_pairs_of_a_source_together(kinds: dict[str, NewPairs]) -> None:
    sources = [a for a, _ in kinds["papers"].documents]
    fold = folds_by_source(sources)
    assert set(fold.tolist()) == set(range(FOLDS))
    assert all(len({f for f, s in zip(fold, sources, strict=True) if s == name}) == 1 for name in sources)


@pytest.mark.parametrize("profile", [OWN, GENERAL])
def test_verdicts_on_a_fold_do_not_depend_on_its_labels(kinds: dict[str, NewPairs], profile: str) -> None:
    scores, used = scores_of(kinds), by_profile(kinds)[profile]
    plain = {k: ScoredPairs(p.labels, p.folds, scores[k]) for k, p in kinds.items()}
    before = verdicts(plain, used)
    turned = {k: replace(p, labels=np.where(p.folds == 2, 1 - p.labels, p.labels)) for k, p in plain.items()}
    after = verdicts(turned, used)
    for kind, pairs in plain.items():
        fold = pairs.folds == 2
        assert np.array_equal(before[kind].probability[fold], after[kind].probability[fold])
        assert np.array_equal(before[kind].similar[fold], after[kind].similar[fold])
        assert not np.array_equal(before[kind].probability[~fold], after[kind].probability[~fold])


def test_a_pair_without_a_profile_has_no_probability(kinds: dict[str, NewPairs]) -> None:
    scores = scores_of(kinds)
    scored = {k: ScoredPairs(p.labels, p.folds, scores[k]) for k, p in kinds.items()}
    used = {k: [None if i % 2 else k for i in range(len(p.labels))] for k, p in kinds.items()}
    own, general = (verdicts(scored, by_profile(kinds)[p])["papers"] for p in (OWN, GENERAL))
    mixed = verdicts(scored, used)["papers"]
    assert np.isnan(mixed.probability[1::2]).all()
    assert np.array_equal(mixed.probability[::2], own.probability[::2])
    assert np.array_equal(mixed.similar[1::2], general.similar[1::2])


def test_rows_hold_each_block_and_kind_with_enough_pairs(kinds: dict[str, NewPairs]) -> None:
    auto = {"auto": {k: [None if i % 3 else k for i in range(len(p.labels))] for k, p in kinds.items()}}
    rows, plots = measure_model(
        kinds, scores_of(kinds), by_profile(kinds) | auto, probabilities=False, draws=40
    )
    assert {(r["documents"], r["block"]) for r in rows} == {
        (documents, block) for documents in ("papers", ALL) for block in (ONE_NEW, BOTH_NEW)
    }
    counts = count_pairs(kinds)
    assert all(r["pairs"] == counts[r["block"]]["papers"] for r in rows if r["documents"] == "papers")
    assert min(r["pairs"] for r in rows) >= FEWEST_PAIRS
    measured = {(r["profile"], r["measure"]) for r in rows if r["documents"] == ALL}
    assert ("auto", "without_kind") in measured and ("auto", "roc_auc") not in measured
    assert {
        (p, m) for p in (OWN, GENERAL) for m in ("accuracy", "f1", "roc_auc", "calibration_error")
    } <= measured
    for row in rows:
        if row["low"] is not None:
            assert 0 <= row["low"] <= row["value"] <= row["high"] <= 1
    assert set(plots) == {ONE_NEW, BOTH_NEW}
    results = Results(counts).with_model("tfidf", {"title": "TF-IDF"}, rows, plots)
    value = results.row("tfidf", "accuracy", ONE_NEW)
    assert value is not None and f"{value['value']:.2f}" in results_pages.readme(results, Results({}))
    sentence = f"TF-IDF has an accuracy of {value['value']:.2f}"
    assert sentence in results_pages.readme(results, results)  # the second set is named where it was measured
    assert sentence not in results_pages.readme(results, Results({}))


def test_over_all_kinds_scores_of_profiles_with_other_scales_are_ranked_by_probability(
    kinds: dict[str, NewPairs],
) -> None:
    def area(shift: float) -> float:
        rows, _ = measure_model(
            kinds, scores_of(kinds, shift), by_profile(kinds), probabilities=False, draws=2
        )
        (row,) = (
            r
            for r in rows
            if (r["profile"], r["documents"], r["block"], r["measure"]) == (OWN, ALL, ONE_NEW, "roc_auc")
        )
        return float(row["value"])

    assert area(0.0) == pytest.approx(area(5.0), abs=0.02)


def test_scores_are_kept_and_only_missing_pairs_are_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["rivers carry sand to the sea", "banks lend money", "sand and rivers", "the sea is deep"]
    records = [
        {"id": str(i), "title": "", "sections": [{"heading": "", "paragraphs": [text]}]}
        for i, text in enumerate(words)
    ]
    write_documents(tmp_path, records)
    write_pairs(tmp_path / "train.tsv", ())
    write_pairs(tmp_path / "valid.tsv", [Pair("0", "2", 1), Pair("0", "1", 0), Pair("2", "3", 1)])
    known = judged(tmp_path, None)
    model = models.load("tfidf")
    scores = scores_by_profile("tfidf", model, known, document_reader(known), [{GENERAL}] * 3, tmp_path)
    encode = model.encode
    expected = [
        model.match(*encode([document_reader(known)(n) for n in (p.source, p.target)])).score
        for p in known.pairs
    ]
    assert scores[GENERAL] == pytest.approx(expected)
    (path,) = tmp_path.glob("tfidf-*/*.jsonl")
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(lines[:2]) + "\n", encoding="utf-8")  # a run that was stopped
    encoded: list[str] = []
    monkeypatch.setattr(model, "encode", lambda d, **o: encoded.extend(x.text for x in d) or encode(d, **o))
    again = scores_by_profile("tfidf", model, known, document_reader(known), [{GENERAL}] * 3, tmp_path)
    assert again["papers"] == pytest.approx(scores["papers"])
    assert sorted(text.strip() for text in encoded) == sorted([words[2], words[3]])


@pytest.mark.slow
def test_stored_vectors_are_those_that_the_encoder_computes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a long document a part is stored; the rest stays open, equal sentences are filled in."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("COLDE_CACHE", raising=False)
    monkeypatch.setitem(sentence_vectors.TOKEN_BUDGETS, "judged", 80)
    corpus = toy_corpus(tmp_path / "corpus", documents=2, paragraphs=(6, 6), train=1, valid=2)
    vectors = tmp_path / "sentences"
    (vectors / corpus.name).mkdir(parents=True)
    layout = load_layout(corpus, vectors, 1)
    stored = open_stored_vectors(corpus, vectors, layout)
    assert [*MissingVectorWriter().complete(layout, stored)]
    known = NewDocumentPairs(corpus, tuple(read_pairs(corpus / "valid.tsv")))
    fill_cache(known, vectors)
    encoder = shared_sentence_encoder()
    cache = VectorCache.from_environment(f"sentences-{encoder.encoder.tag}")
    assert cache is not None
    document = document_reader(known)(known.pairs[0].source)
    sentences = read_sentences(document, default_tokenizer())
    kept = cache.load(sentences.ids)
    assert kept is not None
    filled = ~np.isnan(kept[:, 0])
    assert 0 < filled.sum() < len(filled)
    states = encoder.read_batch(sentences, np.flatnonzero(filled))
    assert kept[filled] == pytest.approx(states, abs=2e-3)


@pytest.mark.slow
def test_the_second_set_is_of_pairs_that_were_not_trained_on_and_chose_nothing(tmp_path: Path) -> None:
    folders = [
        toy_corpus(tmp_path / name, documents=16, seed=i, train=120, valid=10)
        for i, name in enumerate(corpora())
    ]
    parts = unseen_documents.retrained(folders, tmp_path, 1, {"steps": 2, "pairs": 8, "aside": 0.3})
    for part, folder in zip(parts, folders, strict=True):
        train = read_pairs(folder / "train.tsv")
        trained_on = split_development(folder.name, train, 0.3, 1).train
        seen = {n for p in trained_on for n in (p.source, p.target)}
        chose = split_development(folder.name, train, 0.3).aside
        known = part.known
        for row in unseen_documents.chose_nothing(part, folder):
            names = {known.ids[d] for d in known.pairs[row]}
            assert len(names - seen) == known.new_documents[row] > 0
            assert not names & chose
            assert names in [{p.source, p.target} for p in train]
    results = unseen_documents.measure(parts, folders)
    assert set(results.models) == set(unseen_documents.MODELS)
    assert results.row("colde", "accuracy", ONE_NEW) is not None
    text = results_pages.pages(read_results(), results)
    assert "CoLDE + words" in text["docs/log/accuracy.md"]
