"""Bars, numbers and sentences about the scores."""

from __future__ import annotations

from dataclasses import replace

from colde_explorer_app.charts.score_chart import Row, alt_text, figure, table, truncated

from colde.results.model_score import Coverage, Score

ALL = Coverage(100, 100)
SCORE = Score(
    name="tfidf",
    title="TF-IDF",
    score=0.16,
    score_kind="cosine",
    probability=0.834,
    percentile=0.97,
    threshold=0.12,
    similar=True,
    profile="general",
    levels=("document",),
    seconds=0.25,
    read_a=ALL,
    read_b=ALL,
)
OTHER = replace(SCORE, name="colde", title="CoLDE", score=0.5, threshold=0.6, similar=False)


def test_bars_begin_at_the_threshold_which_all_have_in_the_middle() -> None:
    rows = [Row("TF-IDF", SCORE), Row("CoLDE", OTHER), Row("SMITH", None, "reading chunks, 3 of 9")]
    drawn = figure(rows)
    assert list(drawn.data[0].x) == [1.0, 1.0, 1.0]
    above, below = drawn.data[1], drawn.data[2]
    assert above.base[0] == below.base[0] == 0.5
    assert above.x[0] > 0 > below.x[0]
    (line,) = drawn.layout.shapes
    assert line.x0 == line.x1 == 0.5
    assert {note.text for note in drawn.layout.annotations} == {"threshold", "reading chunks, 3 of 9"}


def test_a_score_without_a_threshold_has_no_bar() -> None:
    bare = replace(SCORE, threshold=None, similar=None)
    assert list(figure([Row("x", bare)]).data[1].x) == [0.0]


def test_the_table_has_a_number_only_where_there_is_one() -> None:
    numbers = table([Row("TF-IDF", replace(SCORE, probability=None)), Row("CoLDE", None, "waiting")])
    assert list(numbers["Model"]) == ["TF-IDF", "CoLDE"]
    assert numbers["Probability"].isna().all()
    assert numbers["Percentile"][0] == 97
    assert numbers["Verdict"][0] == "related"
    assert numbers.iloc[1].drop("Model").isna().all()


def test_what_was_not_read_is_said() -> None:
    assert truncated([SCORE]) == []
    short = replace(SCORE, read_b=Coverage(512, 6120))
    assert truncated([short]) == ["TF-IDF read only 512 of 6,120 tokens of B."]
    assert table([Row("TF-IDF", short)])["Read of B"][0] == "512 of 6,120"


def test_the_chart_can_be_read_aloud() -> None:
    assert alt_text([SCORE]) == "Scores against thresholds: TF-IDF 0.16 (threshold 0.12)."
    assert alt_text([]) == "Scores against thresholds: none yet."
