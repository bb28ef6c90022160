"""The verdict in words, and the position of a score against its threshold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import colde
from colde.judge.calibration import Calibration, Profile, judge, score_at
from colde.report.formatting import apart
from colde.report.html.html_report import to_html
from colde.report.wording.headline import headline, strongest_passage
from colde.report.wording.verdict import NOT_CALIBRATED, stance, verdict
from colde.report.wording.verdict_bar import score_position, verdict_bar
from colde.results.change import Change
from colde.results.comparison import Comparison
from colde.results.shared_text import LABELS
from colde.results.verdicts.verdict_words import label_of, stance_of
from colde.text.document import Span
from tests.report.example import example


def test_one_sentence_one_probability_and_the_kind() -> None:
    whole = example()
    first = replace(whole.models[0], title="SMITH", probability=0.83, profile="papers")
    said = verdict(replace(whole, models=(first,)))
    assert said.sentence == (
        "10 shared passages, 131 words, 37 % of A. Probably related: 83 in 100 such pairs are related. "
        "Kind of documents: research papers."
    )
    running = verdict(replace(whole, models=(first,), shared=None, sentences=None))
    assert running.headline == "Probably related: 83 in 100 such pairs are related." and not running.related
    assert "SMITH" in said.basis


@pytest.mark.parametrize("similar", [True, False])
def test_a_pair_of_no_kind_has_no_probability_and_says_so(similar: bool) -> None:
    whole = example()
    first = replace(
        whole.models[0], probability=None, percentile=None, score=0.5, similar=similar, profile="none"
    )
    said = verdict(replace(whole, models=(first,)))
    assert said.related.startswith("Related: the score 0.50 reaches" if similar else "Unrelated: the score")
    assert said.detail == NOT_CALIBRATED and "in 100" not in str(said)


def test_nearly_identical_texts_are_related_whatever_their_kind() -> None:
    text = " ".join(
        f"The {word} stands beside the old harbour wall." for word in ("gate", "crane", "mill", "barn")
    )
    same = colde.compare(colde.read_text(text), colde.read_text(text), models=["tfidf"])
    assert verdict(same).related == "Almost surely related: 100 % of A and 100 % of B are identical."
    longer = colde.read_text(f"{text} It rains at night.")
    nearly = colde.compare(colde.read_text(text), longer, models=["tfidf"])
    assert verdict(nearly).related.startswith("Nearly the same text: 100 % of A and 8")
    half = colde.compare(
        colde.read_text(text), colde.read_text(f"{text} {text.upper()[::-1]}"), models=["tfidf"]
    )
    assert "identical" not in verdict(half).related
    heads = [verdict(c).headline for c in (same, nearly, half)]
    assert heads[0] == "The two texts are identical." and heads[1] == "Two versions: 1 change."
    assert heads[2].startswith("Two versions: ")


def test_a_nearly_identical_pair_without_a_verdict_says_it_once_and_why() -> None:
    text = " ".join(
        f"The {word} stands beside the old harbour wall." for word in ("gate", "crane", "mill", "barn")
    )
    same = colde.compare(colde.read_text(text), colde.read_text(text), models=["tfidf"])
    unread = replace(same.models[0], similar=None, threshold=None, no_verdict="both texts are Danish")
    said = verdict(replace(same, models=(unread,)))
    assert said.sentence.count("100 %") == 2 and "identical." in said.related
    assert said.detail == f"{unread.title} does not judge this pair: both texts are Danish."


def test_the_strongest_passage_is_named_by_its_first_words() -> None:
    lines = [
        f"The {word} ferry leaves the long pier beside the mill at noon."
        for word in ("first", "next", "last")
    ]
    headed = f"# Ferries\n\n{lines[0]}\n\n# Piers\n\n{lines[2]}\n".encode()
    texts = colde.read_text("\n\n".join(lines)), colde.read(headed, name="b.md")
    said = verdict(colde.compare(*texts, models=["tfidf"])).strongest
    assert said == "Strongest passage: “The first ferry leaves the long…” (edited)."


def shared(**changes: Any) -> Comparison:
    """The example with other passages."""
    whole = example()
    assert whole.shared is not None
    return replace(whole, shared=replace(whole.shared, **changes))


def test_the_headline_counts_what_is_shared() -> None:
    whole = shared()
    assert whole.shared is not None
    one, *_ = whole.shared.passages
    none = dict.fromkeys(LABELS, 0.0)
    few = none | {"paraphrased": 0.05, "standard": 0.18}
    found = shared(a=few, passages=(one, replace(one, standard=True)))
    assert headline(found, related=True) == (
        "1 shared passage, 18 words, 5 % of A; 18 % of A is standard text that both have."
    )
    assert headline(found, related=True, standard="with") == "2 shared passages, 82 words, 23 % of A."
    assert headline(found, related=True, standard="out") == "1 shared passage, 18 words, 6 % of A."
    topic = shared(a=none, passages=(replace(one, kind="same topic"),))
    assert headline(topic, related=True) == "No shared passage; same topic."
    assert headline(topic, related=False) == "No shared passage."
    opposite = shared(a=none, passages=(replace(one, kind="opposite"),))
    assert headline(opposite, related=True) == "No shared passage; 1 opposite statement."
    words = shared(a=none, passages=(), searched=("identical", "edited"))
    assert headline(words, related=False) == "No identical or edited passage."
    assert strongest_passage(words).startswith("Closest sentences: “")
    assert strongest_passage(topic).startswith("Closest passage: ") and "same topic" in strongest_passage(
        topic
    )


def test_the_headline_of_versions_counts_their_changes() -> None:
    same = dict.fromkeys(LABELS, 0.0) | {"identical": 0.9}
    place = Span(0, 5)
    for kinds, says in (
        ((), "no change found"),
        (("negation", "negation", "wording"), "3 changes, 2 of them negations"),
        (("number", "wording"), "2 changes, 1 of them a number or date"),
        (("wording",), "1 change"),
        (("number", "form", "form"), "1 change, 1 of them a number or date; 2 differences of form"),
        (("form",), "1 difference of form"),
    ):
        changes = tuple(Change(kind, place, place, 0.5) for kind in kinds)  # type: ignore[arg-type]
        found = replace(shared(a=same, b=same), changes=changes)
        untitled = replace(found, a=replace(found.a, title=""))
        assert headline(untitled, related=True) == f"Two versions: {says}."


def test_a_text_in_a_much_longer_one_is_no_version_of_it() -> None:
    """A source and an essay that holds it, or a clause and its contract."""
    whole, part = ({**dict.fromkeys(LABELS, 0.0), "edited": share} for share in (0.69, 0.15))
    for a, b, said in ((part, whole, "69 % of B is in A"), (whole, part, "69 % of A is in B")):
        found = shared(a=a, b=b)
        untitled = replace(found, a=replace(found.a, title=""), changes=())
        assert headline(untitled, related=True) == f"{said}, identical or edited: no change found."
        titled = replace(found, a=replace(found.a, title="Draft"), b=replace(found.b, title="Final"))
        assert headline(titled, related=True).endswith(" The titles differ: “Draft” → “Final”.")


def test_score_and_threshold_have_as_many_digits_as_tell_them_apart() -> None:
    assert apart(0.2497, 0.25) == ("0.2497", "0.2500")
    assert apart(0.5, 0.25) == ("0.50", "0.25") and apart(0.4, 0.4) == ("0.40", "0.40")
    assert apart(0.311, None) == ("0.31", "–")
    whole = example()
    first = replace(whole.models[0], probability=None, score=0.2497, threshold=0.25, similar=False)
    said = verdict(replace(whole, models=(first,)))
    assert said.related == "Unrelated: the score 0.2497 is below the threshold 0.2500."
    assert "score 0.2497, threshold 0.2500" in said.basis


@pytest.mark.parametrize("percent", range(1, 100))
def test_the_words_follow_from_the_probability_alone(percent: int) -> None:
    """No words contradict the side of the threshold: it lies in the undecided part."""
    profile = Profile("x", 0.3, Calibration(20.0, -6.0))
    value = score_at(percent / 100, profile.calibration)
    judged = judge(value, {"x": profile}, "x")
    assert judged.probability == pytest.approx(percent / 100)
    words = label_of(judged.probability, judged.similar)
    assert words == label_of(percent / 100, not judged.similar)
    assert stance_of(judged.probability, judged.similar) in words.lower()
    assert not (judged.similar and words.endswith("unrelated"))
    assert judged.similar or words.endswith(("unrelated", "Undecided"))


def test_the_bar_has_the_probability_and_that_of_the_threshold() -> None:
    first = replace(example().models[0], probability=0.83, threshold_probability=0.41)
    bar = verdict_bar(first)
    assert bar is not None and (bar.at, bar.threshold) == (0.83, 0.41)
    unsure = verdict_bar(replace(first, probability=None, score=0.2, threshold=0.4))
    assert unsure is not None and unsure.at < 0.5 == unsure.threshold
    assert verdict_bar(replace(first, threshold=None)) is None


@pytest.mark.parametrize(
    ("similar", "says", "label"), [(True, "related", "Related"), (False, "unrelated", "Unrelated")]
)
def test_one_vocabulary(similar: bool, says: str, label: str) -> None:
    whole = example()
    first = replace(whole.models[0], probability=None, similar=similar)
    assert stance(first) == says
    assert verdict(replace(whole, models=(first,))).label == label


def test_nothing_is_certain_in_the_report_either() -> None:
    whole = example()
    first = replace(whole.models[0], probability=0.9999, percentile=1.0)
    html = to_html(replace(whole, models=(first,)))
    assert '<td class="number">99 %</td>' in html
    assert html.count('<td class="number">100 %</td>') == 1, "a percentile is a count of pairs"


@pytest.mark.parametrize(
    ("score", "threshold", "position"),
    [
        (0.2, 0.2, 0.5),
        (0.1, 0.2, 0.25),
        (0.6, 0.2, 0.75),
        (1.0, 0.2, 1.0),
        (0.0, 0.2, 0.0),
        (-0.4, 0.2, 0.0),
        (1.7, 0.2, 1.0),
        (-1.5, -1.0, 0.25),
        (15.0, 10.0, 0.75),
        (0.5, None, None),
    ],
)
def test_the_threshold_is_the_middle_and_each_side_has_its_scale(
    score: float, threshold: float | None, position: float | None
) -> None:
    found = score_position(replace(example().models[0], score=score, threshold=threshold))
    assert found == (None if position is None else pytest.approx(position))
