"""The HTML report as text: self-contained, escaped, and sure of its own script."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from selectolax.lexbor import LexborHTMLParser

from colde.report.html.html_report import to_html
from colde.report.html.view_payload import view_payload
from colde.report.wording.verdict import stance
from colde.results.comparison import Comparison
from colde.results.saved.review_decisions import Decisions, Mark
from colde.results.verdicts.verdict_words import percent_or_dash
from tests.report.example import MARKUP, example


@pytest.fixture(scope="module")
def page() -> str:
    return to_html(example())


def test_no_address_stands_in_any_attribute_and_nothing_is_loaded(page: str) -> None:
    tree = LexborHTMLParser(page)
    for node in tree.css("main *, head *"):
        for name in ("src", "href", "action", "srcset", "data", "style", "onclick", "onload", "onerror"):
            assert name not in node.attributes
    assert not re.search(r"@import|url\(", "".join(n.text() for n in tree.css("style")))


def test_the_policy_allows_this_script_and_this_style_alone(page: str) -> None:
    tree = LexborHTMLParser(page)
    policy = tree.css_first('meta[http-equiv="Content-Security-Policy"]').attributes["content"]
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for directive, selector in (("script-src", 'script[type="module"]'), ("style-src", "style")):
        text = tree.css_first(selector).text(deep=True)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy


def test_the_payload_survives_the_html_around_it(page: str) -> None:
    inside = LexborHTMLParser(page).css_first("#payload").text(deep=True)
    assert "<" not in inside
    assert json.loads(inside) == view_payload(example(), boxes=False)


def test_scores_thresholds_and_passages_stand_in_tables(page: str) -> None:
    whole = example()
    tree = LexborHTMLParser(page)
    scores, contributions, _, passages, closest = (
        [[c.text(strip=True) for c in row.css("td")] for row in t.css("tbody tr")]
        for t in tree.css("table")[:5]
    )
    assert [row[0] for row in scores] == ["CoLDE", "First half"]
    assert [row[2:5] for row in scores] == [
        [f"{s.score:.2f}", f"{s.threshold:.2f}", stance(s)] for s in whole.models
    ]
    assert scores[1][7] == "450 of 900 tokens; all"
    assert contributions[0] == ["1", "Spring and neap tides", "The Moon and the harbour", "37 %"]
    assert whole.shared is not None and len(passages) == 10 and len(closest) == 1
    first = whole.shared.passages[0]
    assert whole.a.text[first.a.start : first.a.end] in passages[0][1]
    assert passages[0][3] == "identical" and passages[0][4] == f"{first.words['a']}"


def test_a_mixture_is_told_as_a_table(comparison: Comparison) -> None:
    (table,) = LexborHTMLParser(to_html(comparison)).css(".parts table")
    assert [[c.text() for c in row.css("td")] for row in table.css("tbody tr")] == [
        ["vectors", "0.75", "0.68", "0.51"],
        ["words", "0.25", "0.44", "0.11"],
    ]


def test_awkward_headings_and_missing_numbers_are_printed(without_profile: Comparison) -> None:
    tree = LexborHTMLParser(to_html(without_profile))
    text = tree.body.text() if tree.body else ""
    assert "\x1b" not in tree.css("table")[-1].text()
    assert "SMITH names" not in text
    assert "No threshold and no probability: the model has no profile general." in text
    assert "fitted on validation pairs of research papers and encyclopedia articles." in text
    assert "512 of 6,120 tokens" in text
    assert "83 in 100" in tree.css_first(".verdict").text()


def test_where_the_models_disagree_is_said_below_the_scores(comparison: Comparison) -> None:
    section = comparison.maps["colde"]["section"]
    other = np.array([[0.1, 0.2], [0.3, 0.4], [0.1, 0.9]], dtype=np.float32)
    lines = replace(
        comparison.a, sections=(*comparison.a.sections[:2], replace(comparison.a.sections[2], heading=MARKUP))
    )
    maps = {**comparison.maps, "smith:np": {"section": replace(section, values=other)}}
    page = to_html(replace(comparison, a=lines, maps=maps))
    said = [p.text() for p in LexborHTMLParser(page).css(".wide + p, .wide + p + p")][:2]
    assert said[0] == "CoLDE calls the pair related; SMITH does not (score 0.10, threshold 0.30)."
    assert said[1].startswith(
        "Among all pairs of sections, CoLDE rates “Introduction” ↔ “Background” highest; SMITH rates “<img src=x"
    )
    assert not LexborHTMLParser(page).css("img")


def test_without_a_score_there_is_no_report(comparison: Comparison) -> None:
    with pytest.raises(ValueError, match="no model has finished"):
        to_html(replace(comparison, models=()))


def test_a_probability_is_never_said_to_be_certain() -> None:
    shares = (1.0, 0.999, 0.5, 0.0, None)
    assert [percent_or_dash(share) for share in shares] == ["99 %", "99 %", "50 %", "1 %", "–"]


def test_a_review_stands_first_and_its_notes_stay_text() -> None:
    whole = example()
    assert whole.shared is not None
    first = whole.shared.passages[0]
    review = Decisions((Mark(first.a, first.b, "accepted", "<b>Seen</b>"),))
    page = to_html(replace(whole, review=review))
    assert "1 were accepted and 0 rejected" in page
    assert "&lt;b&gt;Seen&lt;/b&gt;" in page
    assert "<b>Seen</b>" not in page
    assert page.index("<h2>Review</h2>") < page.index("<h2>Scores</h2>")
    assert "<h2>Review</h2>" not in to_html(whole)
