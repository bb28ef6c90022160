"""From the button to the numbers, with the two methods that need no encoder."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator
from concurrent.futures import Executor
from types import SimpleNamespace
from typing import Any

import pytest
from colde_explorer_app.linked_view import linked_view_panel
from colde_explorer_app.results import results_panel
from colde_explorer_app.session import comparison_jobs
from colde_explorer_app.session.background_jobs import Job, Snapshot, State
from streamlit.testing.v1 import AppTest

from colde import models
from colde.cli.serving.app import main_page
from colde.comparison.fair_queue import FairQueue
from colde.errors import Cancelled, ColdeError, ModelError
from colde.meaning import grammar, opposites
from colde.models.base import Matcher
from colde.report.html.view_payload import view_payload
from colde.results.comparison import Comparison
from colde.results.progress import OnProgress, Progress, Provisional, Stage
from tests.app.pages import CHEAP, said
from tests.patience import PATIENCE


@pytest.fixture
def done(page: AppTest) -> AppTest:
    """The sample pair on the lighthouse lens, compared."""
    page.multiselect(key="taking_part").set_value(CHEAP).run()
    page.button(key="sample_lighthouse").click().run()
    assert not page.exception
    return page


def test_a_sample_is_compared_at_once_and_named_in_the_address(done: AppTest) -> None:
    assert "Strongest passage" in said(done)
    numbers = done.dataframe[0].value
    assert list(numbers["Model"]) == ["TF-IDF", "BM25"]
    assert numbers["Score"].between(0, 1).all()
    assert numbers["Threshold"].notna().all()
    assert "button" not in {button.key for button in done.button if button.key == "cancel"}
    said_of_sides = [
        text for text in said(done).splitlines() if "the pair related" in text or "Both models agree" in text
    ]
    assert len(said_of_sides) == 1
    assert said(done).count(" highest") == 1, "both have a section map"
    assert done.query_params["sample"] == "lighthouse"
    assert done.query_params["model"] == "tfidf"
    assert "view" not in done.query_params


def test_text_of_documents_in_disagreements_and_warnings_is_text() -> None:
    def page() -> None:
        from dataclasses import replace

        from colde_explorer_app.inputs.skipped_content import warnings
        from colde_explorer_app.results.results_panel import disagreements

        from colde.text.document import ReadWarning
        from tests.report.example import MARKUP, example

        whole = example()
        marked = tuple(replace(section, heading=MARKUP) for section in whole.a.sections)
        install = 'page 3 is Danish; the encoder reads it: pip install "colde-explorer[languages]"'
        b = replace(whole.b, warnings=(ReadWarning(f"page 2 has {MARKUP}"), ReadWarning(install)))
        whole = replace(whole, a=replace(whole.a, sections=marked), b=b)
        disagreements(whole, is_complete=True)
        disagreements(whole, is_complete=False)
        warnings(whole)

    shown = AppTest.from_function(page, default_timeout=PATIENCE).run()
    assert not shown.exception
    sides, places = [element.value for element in shown.markdown]
    assert sides.startswith("CoLDE calls the pair related\\; First half does not")
    assert places.startswith("Among all pairs of sections\\, both models rate “\\<img src\\=x")
    assert "<" not in places.replace("\\<", "")
    (line,) = shown.caption
    first, second, grade = line.value.split("  \n")
    assert first.startswith(":material/warning: B: page 2 has \\<img")
    assert second.replace("\\", "") == ":material/warning: B: page 3 is Danish; the encoder reads it"
    assert grade.replace("\\", "") == ":material/fact_check: Reading of B: grade B (2 warnings on reading)"


def test_an_address_shows_the_sample_again(monkeypatch: pytest.MonkeyPatch, page: AppTest) -> None:
    monkeypatch.setattr(models, "DEFAULTS", tuple(CHEAP))
    again = AppTest.from_file(str(main_page()), default_timeout=PATIENCE)
    again.query_params["sample"] = "banks"
    again.query_params["model"] = "bm25"
    again.run()
    assert not again.exception
    assert again.selectbox(key="model").value == "bm25"
    assert "Closest passage" in said(again)  # the two share words, not passages
    assert again.query_params["sample"] == "banks"


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The shared passages that the view of the texts got in each run."""
    lists: list[Any] = []

    def payload(*args: Any, **options: Any) -> dict[str, Any]:
        made = view_payload(*args, **options)
        lists.append(made["passages"])
        return made

    monkeypatch.setattr(linked_view_panel, "view_payload", payload)
    return lists


def test_another_model_has_the_same_shared_passages(listed: list[Any], done: AppTest) -> None:
    before = listed[-1]
    done.selectbox(key="model").set_value("bm25").run()
    assert not done.exception
    assert done.query_params["model"] == "bm25"
    assert before and listed[-1] == before


def test_swapping_swaps_the_reading_and_compares_again(done: AppTest) -> None:
    before = done.dataframe[0].value.set_index("Model")
    done.button(key="swap").click().run()
    assert not done.exception
    after = done.dataframe[0].value.set_index("Model")
    assert list(after["Read of A"]) == list(before["Read of B"])
    assert after["Score"].round(5).equals(before["Score"].round(5)), "both methods are symmetric"
    assert done.query_params["swapped"] == "1"


def test_an_upload_replaces_a_sample_and_leaves_the_address(done: AppTest) -> None:
    done.file_uploader[0].upload("harbour.txt", b"The harbour wall keeps the swell out of the basin. " * 9)
    done.run()
    assert not done.exception
    assert "harbour" in said(done)
    assert "Strongest passage" not in said(done), "results of another pair must not stand beside it"
    done.button(key="compare").click().run()
    assert not done.exception
    assert len(done.dataframe[0].value) == 2
    assert "sample" not in done.query_params


def test_recent_comparisons_come_back(done: AppTest) -> None:
    first = said(done)
    done.button(key="sample_banks").click().run()
    assert said(done) != first
    old = [button for button in done.button if (button.key or "").startswith("recent_")]
    assert len(old) == 2
    old[1].click().run()
    assert not done.exception
    assert "Steps instead of a dome" in said(done) or "lens" in said(done).lower()
    assert done.query_params["sample"] == "lighthouse"


def test_a_failure_is_said_and_can_be_tried_again(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    from colde.errors import CheckpointError

    def broken(name: str) -> object:
        raise CheckpointError("model.safetensors: damaged")

    load = comparison_jobs.load
    monkeypatch.setattr(comparison_jobs, "load", broken)
    page.multiselect(key="taking_part").set_value(CHEAP).run()
    page.button(key="sample_lighthouse").click().run()
    assert [error.value for error in page.error] == ["model\\.safetensors\\: damaged"]
    monkeypatch.setattr(comparison_jobs, "load", load)
    page.button(key="compare").click().run()
    assert not page.error and not page.exception
    assert "Strongest passage" in said(page)


def test_what_is_left_out_is_counted_no_more(
    listed: list[Any], done: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("colde.passages.find_passages.SMALL", 40)  # the pair has no shorter passage
    scores, before = done.dataframe[0].value, listed[-1]
    done.multiselect(key="leave_out").set_value(["small"]).run()
    assert not done.exception
    assert 0 < len(listed[-1]) < len(before)
    assert done.dataframe[0].value["Score"].equals(scores["Score"]), "scores stay"
    done.multiselect(key="leave_out").set_value([]).run()
    assert listed[-1] == before


def test_a_prior_changes_the_probability_at_once(done: AppTest) -> None:
    next(s for s in done.selectbox if str(s.key).startswith("judged_as_")).set_value("general").run()
    assert "its probabilities differed from the observed share of related pairs by" in said(done)
    before = done.dataframe[0].value
    done.select_slider(key="prior").set_value(0.01).run()
    assert not done.exception
    assert "still assume that half of the pairs are related" in said(done)
    after = done.dataframe[0].value
    assert (after["Probability"] < before["Probability"]).all()
    assert list(after["Verdict"]) == list(before["Verdict"])


def test_a_provisional_score_is_said_of_the_first_model_while_it_reads() -> None:
    said = Provisional(0.6, spread=0.02, read=0.3, threshold=0.5)
    request: Any = SimpleNamespace(models=("colde_words", "colde"))

    def so_far(model: str, state: State) -> Provisional | None:
        progress = Progress(Stage.SENTENCES, 1, 4, model=model, provisional=said)
        return results_panel.provisional(request, Snapshot(state, None, progress, None))

    assert so_far("colde_words", "running") is said
    assert so_far("colde", "running") is None
    assert so_far("colde_words", "cancelled") is None


@pytest.mark.parametrize(
    ("error", "state", "advice"),
    [
        (Cancelled("by the reader"), "cancelled", "Press Compare to start again."),
        (ModelError("Out of memory."), "failed", "Change a document or the settings, then press Compare."),
    ],
)
def test_a_run_that_was_stopped_says_so_everywhere(
    error: ColdeError,
    state: State,
    advice: str,
    done: AppTest,
    comparison: Comparison,
    monkeypatch: pytest.MonkeyPatch,
    now: Executor,
) -> None:
    """One of two models had finished. The header, the scores and the view say how it ended, and nothing waits."""

    def work(report: OnProgress) -> Generator[Comparison, None, None]:
        yield comparison
        raise error

    stopped = Job(work).start(now)
    lines: list[str] = []
    seen: list[dict[str, Any]] = []
    monkeypatch.setattr(results_panel, "job", lambda request: stopped)
    monkeypatch.setattr(
        results_panel, "status_line", lambda text, detail="", **_: lines.append(f"{text} {detail}")
    )
    monkeypatch.setattr(results_panel, "view", lambda *_, **kwargs: seen.append(kwargs))
    done.run()
    assert not done.exception
    words = "".join([said(done), *lines])
    assert f"{state.capitalize()} after 1 of 2 models. {advice}" in words
    assert "models say" not in words
    assert "Both models" not in words
    assert [error.value for error in done.error] == (["Out of memory\\."] if state == "failed" else [])
    assert not seen[-1]["active"]
    assert seen[-1]["stopped"] == state
    request = done.session_state["state.Comparing"].request
    rows = results_panel.score_rows(request, stopped.snapshot(), comparison)
    assert [row.state for row in rows if row.score is None] == [state]


def test_a_fresh_server_loads_what_the_first_comparison_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []

    def load(name: str) -> Matcher:
        loaded.append(name)
        return models.load(name)

    monkeypatch.setattr(comparison_jobs, "load", load)
    monkeypatch.setattr(models, "DEFAULTS", ("tfidf", "bm25"))
    monkeypatch.setattr(grammar, "_read", OrderedDict())  # sentences that other tests have read
    grammar._pipeline.cache_clear()
    opposites._antonyms.cache_clear()
    comparison_jobs.load_default_models(FairQueue())
    assert set(loaded) == {"tfidf", "bm25"}
    assert grammar._pipeline.cache_info().currsize == opposites._antonyms.cache_info().currsize == 1
