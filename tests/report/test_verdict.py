"""The verdict in words: it names its model, and counts only what unrelated texts rarely have."""

from __future__ import annotations

from dataclasses import replace

import pytest

from colde.report.disagreement import disagreement
from colde.report.html import to_html
from colde.report.payload import view_payload
from colde.report.verdict import stance, verdict
from colde.results.evidence import STANDS_OUT
from tests.report.example import example


def test_the_verdict_names_its_model() -> None:
    whole = example()
    first = replace(whole.results[0], title="SMITH", probability=0.83)
    said = verdict(replace(whole, results=(first,)))
    assert "SMITH" in said.sentence
    assert "83 in 100 were related" in said.sentence
    assert "both chosen" not in said.basis


@pytest.mark.parametrize(
    ("similar", "says", "label"), [(True, "related", "Related"), (False, "unrelated", "Unrelated")]
)
def test_one_vocabulary(similar: bool, says: str, label: str) -> None:
    whole = example()
    first = replace(whole.results[0], probability=None, similar=similar)
    assert stance(first) == says
    assert verdict(replace(whole, results=(first,))).label == label


def test_nothing_is_certain_in_the_report_either() -> None:
    whole = example()
    first = replace(whole.results[0], probability=0.9999, percentile=1.0)
    html = to_html(replace(whole, results=(first,)))
    assert '<td class="number">99 %</td>' in html
    assert '<td class="number">100 %</td>' not in html


def test_matched_counts_only_what_stands_out() -> None:
    whole = example()
    weak = replace(whole.evidence[0], weight=STANDS_OUT - 0.01, kind="weak")
    strong = replace(whole.evidence[1], weight=STANDS_OUT, kind="reworded")
    assert not weak.stands_out
    assert strong.stands_out
    assert replace(weak, kind="shared word").stands_out, "no limit was measured for weights of that kind"
    (both,) = list(view_payload(replace(whole, evidence=(weak, strong)), "colde")["models"])
    (alone,) = list(view_payload(replace(whole, evidence=(strong,)), "colde")["models"])
    assert both["matched"] == alone["matched"]
    assert [e["weak"] for e in both["evidence"]] == [False, True]
    (none,) = list(view_payload(replace(whole, evidence=(weak,)), "colde")["models"])
    nothing = {"verbatim": 0, "reworded": 0}
    assert none["matched"] == {"a": nothing, "b": nothing}


def test_two_models_of_three_are_named_and_not_called_both() -> None:
    whole = example()
    one, other = whole.results[0], whole.results[1]
    free = replace(other, title="Free", threshold=None, similar=None, probability=None)
    twice = [replace(one, title=title, probability=None, similar=True) for title in ("CoLDE", "TF-IDF")]
    (sides, *_) = disagreement(replace(whole, results=(*twice, free)))
    assert sides == "CoLDE and TF-IDF agree: related."
