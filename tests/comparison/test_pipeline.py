"""The steps of a comparison, its errors and its arrays."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace

import numpy as np
import pytest

import colde
from colde import models
from colde.comparison import text_comparison
from colde.comparison.growing_result import share_equal_arrays
from colde.comparison.pipeline import compare_steps
from colde.corpus.samples import sample_named
from colde.encoders import cancellation, encoders_by_name, sentence_encoder
from colde.encoders.bert import packed_bert
from colde.encoders.runtime import runtime
from colde.errors import Cancelled, ModelError, ReadError
from colde.report.wording.verdict import verdict
from colde.results.comparison import Comparison
from colde.results.progress import Progress, Stage
from colde.results.shared_text import SharedPassage
from colde.results.similarity_map import SimilarityMap
from colde.results.verdicts.verdict_words import LABELS, percent
from colde.text.document import Span

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def documents() -> tuple[colde.Document, colde.Document]:
    sample = sample_named("lighthouse")
    return colde.read(sample.a), colde.read(sample.b_pdf)


@pytest.fixture(scope="module")
def steps(documents: tuple[colde.Document, colde.Document]) -> tuple[list[Comparison], list[Progress]]:
    seen: list[Progress] = []
    return list(compare_steps(*documents, profile="general", on_progress=seen.append)), seen


def test_grows_cheap_models_first_in_the_order_asked_for(
    steps: tuple[list[Comparison], list[Progress]],
) -> None:
    names = [[s.name for s in c.models] for c in steps[0]]
    assert names[0] == []
    assert names[1] == ["tfidf"]
    assert names[-1] == list(models.DEFAULTS)


def test_what_the_encoder_ran_on_is_named(steps: tuple[list[Comparison], list[Progress]]) -> None:
    assert steps[0][1].runtime is None  # TF-IDF alone: torch is not even imported for it
    assert steps[0][-1].runtime == str(runtime())
    assert steps[0][-1].to_dict()["runtime"] == str(runtime())


def test_section_map_fills_in(steps: tuple[list[Comparison], list[Progress]]) -> None:
    partial = [p.partial["section"] for p in steps[1] if "section" in p.partial]
    known = [float((~(p.values != p.values)).mean()) for p in partial]
    assert known == sorted(known) and known[0] < 1 and known[-1] == 1
    whole = steps[0][-1].maps["colde"]["section"]
    assert [(s.start, s.end) for s in partial[0].rows] == [(s.start, s.end) for s in whole.rows]


def test_a_provisional_score_stands_after_a_quarter_and_settles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sentence_encoder, "SMALLEST_BATCH", 300
    )  # these documents are short: in batches all the same
    seen: list[Progress] = []
    sample = sample_named(
        "lighthouse"
    )  # other texts than those of the other tests: what was read of a text is not read again
    documents = colde.read(sample.a), colde.read(sample.b_pdf)
    whole = colde.compare(*documents, "colde_words,colde", "general", on_progress=seen.append)
    for model in ("colde_words", "colde"):
        score = next(s for s in whole.models if s.name == model)
        said = [p.provisional for p in seen if p.model == model and p.provisional is not None]
        if model == "colde":
            assert not said, "what colde_words has read is not read again"
            continue
        assert said[0].read >= 0.25 and [s.read for s in said] == sorted(s.read for s in said)
        assert [s.spread for s in said] == sorted((s.spread for s in said), reverse=True)
        assert all(s.threshold == score.threshold for s in said)
        assert abs(said[-1].score - score.score) < 2 * said[-1].spread
    maps = [p.partial["section"] for p in seen if "section" in p.partial]
    known = [float((~(m.values != m.values)).mean()) for m in maps]
    assert known[-1] == 1 and all(k == 1 for k in known[len(known) // 2 :])
    assert maps[0].meaning.startswith("Provisional")


def test_two_runs_agree(
    documents: tuple[colde.Document, colde.Document], steps: tuple[list[Comparison], list[Progress]]
) -> None:
    first = steps[0][-1]
    second = colde.compare(*(replace(d) for d in documents), profile="general")
    assert [s.score for s in first.models] == [s.score for s in second.models]
    assert first.to_dict()["maps"] == second.to_dict()["maps"]
    assert first.shared == second.shared


def test_at_once_and_in_steps_take_the_same_arguments() -> None:
    at_once, in_steps = inspect.signature(colde.compare), inspect.signature(colde.compare_steps)
    assert list(at_once.parameters) == list(in_steps.parameters)
    assert [(p.kind, p.default) for p in at_once.parameters.values()] == [
        (p.kind, p.default) for p in in_steps.parameters.values()
    ]
    assert colde.compare.__name__ == "compare" and "two documents" in (colde.compare.__doc__ or "")


def test_can_be_stopped(documents: tuple[colde.Document, colde.Document]) -> None:
    def stop(progress: Progress) -> None:
        if (progress.model, progress.stage) == ("tfidf", Stage.WORDS):
            raise Cancelled

    with pytest.raises(Cancelled):
        colde.compare(*documents, on_progress=stop)


def test_errors_say_what_to_do(documents: tuple[colde.Document, colde.Document]) -> None:
    with pytest.raises(ReadError, match=r"note\.txt: 3 words .*\[too_short\]"):
        colde.compare(colde.read(b"Three short words.", name="note.txt"), documents[1])
    with pytest.raises(ModelError, match="no model named 'word2vec'; there are: colde"):
        colde.compare(*documents, models=["word2vec"])
    with pytest.raises(ModelError, match="no profile named 'poems'"):
        colde.compare(*documents, profile="poems")


def test_the_verdict_in_words(steps: tuple[list[Comparison], list[Progress]]) -> None:
    c = steps[0][-1]
    says = verdict(c)
    probability = c.models[0].probability
    assert probability is not None
    assert c.shared is not None and f"{c.shared.passages[0].kind})" in says.strongest
    assert re.match(r"\d+ shared passages?, \d+ words, \d+ % of A", says.headline)
    assert says.related == f"{says.label}: {percent(probability)} in 100 such pairs are related."
    assert says.label == next(words for limit, words in LABELS if probability >= limit)
    assert says.label == c.to_dict()["models"][0]["says"]
    assert "CoLDE" in says.basis and "decide yourself" in says.caution
    with pytest.raises(ValueError, match="no model"):
        verdict(steps[0][0])


@pytest.mark.parametrize(("share", "shown"), [(0.0, 1), (0.004, 1), (0.834, 83), (0.999, 99), (1.0, 99)])
def test_nothing_is_certain(share: float, shown: int) -> None:
    assert percent(share) == shown


def test_every_number_of_the_json_points_into_the_text(
    steps: tuple[list[Comparison], list[Progress]],
) -> None:
    found = steps[0][-1].to_dict()
    for side in ("a", "b"):
        d = found["documents"][side]
        for i, section in enumerate(d["sections"]):
            assert all(d["chunks"][c]["section"] == i for c in section["chunks"])
        assert [c for s in d["sections"] for c in s["chunks"]] == list(range(len(d["chunks"])))
        for part in (*d["sections"], *d["chunks"], *d["sentences"]):
            assert d["text"][part["start"] : part["end"]].strip()
    for name in ("chunk", "passages"):
        rows = found["maps"]["colde"][name]["rows"]
        assert rows == [{"start": c["start"], "end": c["end"]} for c in found["documents"]["a"]["chunks"]]


def test_a_model_without_an_encoder_loads_none(
    documents: tuple[colde.Document, colde.Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    def loaded(*_: object) -> None:
        raise AssertionError("the encoder is loaded")

    monkeypatch.setattr(encoders_by_name, "shared_encoder", loaded)
    monkeypatch.setattr(packed_bert, "frozen_bert", loaded)
    found = colde.compare(*documents, models="dssm,arc_i")
    assert found.shared is not None and not any(p.aligned for p in found.shared.passages)


def test_a_cancel_is_heard_while_words_are_looked_for(
    documents: tuple[colde.Document, colde.Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cancellation, "POLL_SECONDS", 0.0)
    asked: list[object] = []

    def looking(*of: object) -> tuple[SharedPassage, ...]:
        asked.append(of)
        cancellation.poll_cancel()
        raise AssertionError("the cancel was not heard")

    def stop(progress: Progress) -> None:
        if asked:
            raise Cancelled

    monkeypatch.setattr(text_comparison, "with_aligned_words", looking)
    with pytest.raises(Cancelled):
        colde.compare(*documents, models="minilm", on_progress=stop)


def a_map(values: np.ndarray) -> SimilarityMap:
    spans = tuple(Span(i, i + 1) for i in range(3))
    return SimilarityMap(values, spans, spans, "cosine", "Anything.", role="topic", level="chunk")


def test_equal_maps_share_their_values() -> None:
    values = np.arange(9, dtype=np.float32).reshape(3, 3)
    values[1, 1] = np.nan
    known = {"chunk": a_map(values)}
    nearly = values.copy()
    nearly[0, 0] = 1e-7
    maps = {"same": a_map(values.copy()), "other": a_map(nearly), "again": a_map(nearly.copy())}
    found = share_equal_arrays(maps, [known])
    assert found["same"].values is known["chunk"].values
    assert found["other"].values is found["again"].values is not values
    np.testing.assert_array_equal(found["other"].values, nearly)
