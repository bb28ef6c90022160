"""The Models page: what was measured of each model, best first, and which are not trained."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest
from colde_explorer_app.charts import model_charts
from colde_explorer_app.charts.model_charts import Entry
from streamlit.testing.v1 import AppTest

from colde import models
from colde.assets import asset
from colde.judge.profiles import GENERAL, describe, profile_table
from colde.models import validation_figures as validation
from colde.models.checkpoint import CONFIG
from colde.models.validation_figures import (
    BOTH_NEW,
    FEWEST_PAIRS,
    ONE_NEW,
    Interval,
    ProfileFigures,
    read_figures,
)
from colde.report.formatting import share_percent
from tests.app.pages import open_page

OVERVIEW = "All figures of all models"
TRAINED = [name for name in models.cards() if models.is_trained(name)]
MEASURED = list(json.loads(asset(validation.FIGURES).read_text(encoding="utf-8")))


def entry(title: str, accuracy: float, error: float) -> Entry:
    measured = ProfileFigures(
        pairs=100,
        measures={"accuracy": Interval(accuracy, accuracy - 0.05, accuracy + 0.04)},
        calibration_error=error,
        by_chance=0.03,
        reliability=((0.1, 0.2, 0.5), (0.9, 0.8, 0.5)),
    )
    return Entry(title, {"papers": measured}, 12, {"document": 0.5}, {})


@pytest.fixture
def page() -> AppTest:
    return open_page("models_page")


def test_the_best_stands_first_and_of_errors_the_smallest() -> None:
    entries = [entry("worse", 0.7, 0.01), entry("better", 0.8, 0.2)]
    assert [e.title for e in model_charts.ranked(entries, "papers", "accuracy")] == ["better", "worse"]
    by_error = model_charts.ranked(entries, "papers", "calibration_error")
    assert [e.title for e in by_error] == ["worse", "better"]
    assert model_charts.ranked(entries, "proposals", "accuracy") == []


def test_a_dot_has_its_own_interval() -> None:
    chart = model_charts.chart([entry("one", 0.8, 0.1)], "papers", "accuracy")
    (dots,) = chart.data
    assert dots.x == (0.8,)
    assert dots.error_x.array == pytest.approx([0.04])
    assert dots.error_x.arrayminus == pytest.approx([0.05])
    (errors,) = model_charts.chart([entry("one", 0.8, 0.02)], "papers", "calibration_error").data
    assert errors.x[0] - errors.error_x.arrayminus[0] == pytest.approx(0)
    assert errors.x[0] + errors.error_x.array[0] == pytest.approx(0.03)


def test_the_table_says_how_well_on_how_much_and_what_was_not_measured() -> None:
    (one,) = model_charts.overview([entry("one", 0.8, 0.1)], "papers").to_dict("records")
    assert one["Accuracy"] == "0.800 (0.750–0.840)"
    assert one["Calibration error"] == "0.100 (0.030)"
    assert one["Pairs"] == 100
    assert one["Seconds a document"] == 0.5
    assert pd.isna(one["Seconds a pair"])
    assert "F1" not in one


@pytest.mark.parametrize("name", MEASURED)
def test_figures_are_those_of_the_checkpoint_that_ships(name: str) -> None:
    """Run studies/accuracy/results_table.py after weights or settings have changed."""
    figures = models.figures(name)
    assert figures is not None
    assert set(figures.blocks) == {ONE_NEW, BOTH_NEW}
    for profiles in figures.blocks.values():
        for profile, measured in profiles.items():
            assert profile in profile_table()
            assert measured.pairs >= FEWEST_PAIRS
            for interval in measured.measures.values():
                assert interval.low <= interval.value <= interval.high
    if GENERAL in figures.blocks[ONE_NEW]:
        points = figures.blocks[ONE_NEW][GENERAL].reliability
        assert sum(point[2] for point in points) == pytest.approx(1, abs=0.01)


def test_all_models_are_measured_on_the_same_pairs() -> None:
    counts = [
        {(block, p): m.pairs for block, profiles in figures.blocks.items() for p, m in profiles.items()}
        for name in MEASURED
        if (figures := models.figures(name))
    ]
    assert counts and all(count.items() <= counts[0].items() for count in counts)


def test_figures_of_another_configuration_are_not_shown(tmp_path: Path) -> None:
    shutil.copytree(models.checkpoint("tfidf"), tmp_path, dirs_exist_ok=True)
    assert read_figures(tmp_path, "tfidf") is not None
    config = json.loads((tmp_path / CONFIG).read_text(encoding="utf-8"))
    config["profiles"]["papers"]["threshold"] += 0.1  # the figures have thresholds of their own
    (tmp_path / CONFIG).write_text(json.dumps(config), encoding="utf-8")
    assert read_figures(tmp_path, "tfidf") is not None
    (tmp_path / CONFIG).write_text(json.dumps({**config, "settings": {"other": 1}}), encoding="utf-8")
    assert read_figures(tmp_path, "tfidf") is None


def test_what_to_use_comes_first_with_the_figures_that_ship(page: AppTest) -> None:
    page.run()
    assert not page.exception
    (table,) = page.table
    rows = table.value.set_index("You want")
    assert rows.loc["A verdict, and why", "Model"] == "**CoLDE + words**"
    figures = models.figures("tfidf")
    assert figures is not None
    accuracy = figures.blocks[ONE_NEW]["papers"].measures["accuracy"].value
    assert rows.loc["Shared wording, at once", "Research papers"] == share_percent(accuracy)


def test_what_is_measured_is_in_the_overview_and_what_is_trained_has_a_section(page: AppTest) -> None:
    page.session_state["overview"] = True
    page.run()
    assert not page.exception
    titles = {name: card.title for name, card in models.cards().items()}
    page.radio(key="documents").set_value("papers").run()
    assert set(page.dataframe[0].value["Model"]) == {titles[name] for name in MEASURED}
    page.radio(key="block").set_value(BOTH_NEW)
    page.radio(key="documents").set_value("proposals").run()
    assert not page.exception
    assert any("too few for a figure" in caption.value for caption in page.caption)
    assert {e.label for e in page.expander} == {titles[name] for name in TRAINED} | {OVERVIEW}


def test_an_open_section_has_the_figures_of_each_kind_of_documents(page: AppTest) -> None:
    page.session_state["model_tfidf"] = True
    page.run()
    assert not page.exception
    table = page.dataframe[0].value
    figures = models.figures("tfidf")
    assert figures is not None
    measured_on = [describe(p).title for profiles in figures.blocks.values() for p in profiles]
    assert list(table["Documents"]) == measured_on
    assert table["Accuracy"].str.match(r"[01]\.\d{3} \(0\.\d{3}–[01]\.\d{3}\)").all()


@pytest.mark.parametrize(
    ("paper", "own", "other"), [("SMASH RNN", "HAN", "S-LONG"), ("CoLDE", "S-LONG", "SMASH RNN")]
)
def test_models_are_filtered_by_the_paper_they_are_compared_in(
    page: AppTest, paper: str, own: str, other: str
) -> None:
    page.run()
    page.radio(key="paper").set_value(paper).run()
    assert not page.exception
    shown = {e.label for e in page.expander}
    assert own in shown and other not in shown and "TF-IDF" not in shown


def test_models_without_weights_are_named_as_such(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    trained = models.is_trained
    monkeypatch.setattr(models, "is_trained", lambda name: name != "smith" and trained(name))
    page.run()
    lacking = page.dataframe[-1].value.set_index("Name")["Missing"]
    assert lacking["smith"] == "weights" and {"smith:np", "rnn", "lda"} <= set(lacking.index)
    assert "SMITH" not in {e.label for e in page.expander}


def test_without_figures_the_page_still_says_what_each_model_is(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validation, "_entries", dict)
    page.session_state["model_tfidf"] = True  # its section is open
    page.run()
    assert not page.exception
    assert len(page.expander) == len(TRAINED) + 1
    assert list(page.dataframe[0].value.columns) == ["Documents", "Threshold"]
