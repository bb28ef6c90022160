"""Disagreement of the models in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from colde.ingest.shared.blocks import Block, assemble
from colde.report.wording.disagreement import disagreement, highest_section_pair
from colde.report.wording.verdict import stance, verdict
from colde.results.comparison import Comparison
from colde.results.model_score import Coverage, Score
from colde.results.similarity_map import Role
from colde.text.document import Document, Section
from colde.text.sections.parts_without_headings import split_into_parts
from tests.report.example import drawn

READ = Coverage(100, 100)
A = ("Steps instead of a dome", "Light on the water")
B = ("Why thickness is wasted", "Who paid for it")
YES = ((0.9, 0.2), (0.1, 0.3))  # the first sections of both
NO = ((0.2, 0.1), (0.3, 0.8))  # the last sections of both


def document(headings: Sequence[str | None]) -> Document:
    blocks = []
    for heading in headings:
        blocks += [Block(heading, level=1)] if heading else []
        blocks.append(Block("The lamp turns once a minute. Its lens throws the light over the sea."))
    return assemble(blocks, source="x.txt", format="text")


TEXT_A, TEXT_B = document(A), document(B)


def score(title: str, value: float, threshold: float | None, probability: float | None = None) -> Score:
    return Score(
        name=title.lower(), title=title, score=value, score_kind="cosine", probability=probability, percentile=None,
        threshold=threshold, similar=None if threshold is None else value >= threshold, profile="general",
        levels=("document", "section"), seconds=0.1, read_a=READ, read_b=READ,
    )  # fmt: skip


def compared(
    *scores: Score,
    maps: Sequence[object] = (),
    a: Document | None = None,
    b: Document | None = None,
    role: Role = "topic",
) -> Comparison:
    """Scores, and the section maps of the first of them; None for a model without one."""
    a, b = a or TEXT_A, b or TEXT_B
    by_model = {
        s.name: {} if values is None else {"section": drawn(values, a.sections, b.sections, role)}
        for s, values in zip(scores, maps, strict=False)
    }
    return Comparison(a, b, (), (), scores, by_model, {})


COLDE = score("CoLDE", 0.62, 0.4)
TFIDF = score("TF-IDF", 0.3, 0.12)
BM25 = score("BM25", 0.11, 0.12)
SMITH = score("SMITH", 0.2, 0.3)


UNSURE = score("MiniLM", 0.41, 0.4, probability=0.55)
FREE = score("Free", 0.9, None)


@pytest.mark.parametrize(
    ("scores", "says"),
    [
        (
            (COLDE, TFIDF, BM25),
            "CoLDE and TF-IDF call the pair related; BM25 does not (score 0.11, threshold 0.12).",
        ),
        (
            (COLDE, BM25, SMITH),  # the larger side first
            "BM25 and SMITH do not call the pair related; CoLDE does (score 0.62, threshold 0.40).",
        ),
        (
            (BM25, COLDE),  # on a tie the first model
            "BM25 does not call the pair related; CoLDE does (score 0.62, threshold 0.40).",
        ),
        (
            (COLDE, BM25, TFIDF, SMITH),
            "CoLDE and TF-IDF call the pair related; BM25 (score 0.11, threshold 0.12) and SMITH (score 0.20, "
            "threshold 0.30) do not.",
        ),
        ((COLDE, TFIDF), "Both models agree: related."),
        ((BM25, SMITH) * 2, "All four models agree: unrelated."),
        ((COLDE,) * 12, "All twelve models agree: related."),
        ((COLDE,) * 13, "All 13 models agree: related."),
        ((COLDE, TFIDF, FREE), "CoLDE and TF-IDF agree: related."),
        (
            (COLDE, TFIDF, UNSURE),
            "CoLDE and TF-IDF call the pair related; MiniLM is undecided (score 0.41, threshold 0.40).",
        ),
        (
            (COLDE, BM25, UNSURE, UNSURE),
            "CoLDE calls the pair related; BM25 does not (score 0.11, threshold 0.12); MiniLM (score 0.41, threshold "
            "0.40) and MiniLM (score 0.41, threshold 0.40) are undecided.",
        ),
        ((UNSURE, UNSURE), "Both models are undecided."),
        (
            (COLDE, TFIDF, score("BM25", 0.1196, 0.1204)),  # as many digits as tell score and threshold apart
            "CoLDE and TF-IDF call the pair related; BM25 does not (score 0.1196, threshold 0.1204).",
        ),
        (
            (BM25, SMITH, score("CoLDE", 0.4, 0.4)),
            "BM25 and SMITH do not call the pair related; CoLDE does (score 0.40, threshold 0.40).",
        ),
        (
            (COLDE, FREE, BM25),
            "CoLDE calls the pair related; BM25 does not (score 0.11, threshold 0.12).",
        ),
    ],
)
def test_models_on_either_side_of_their_thresholds(scores: tuple[Score, ...], says: str) -> None:
    assert disagreement(compared(*scores)) == (says,)


@pytest.mark.parametrize("scores", [(), (COLDE,), (FREE, FREE), (COLDE, FREE)])
def test_without_thresholds_or_with_one_model_there_is_nothing_to_say(scores: tuple[Score, ...]) -> None:
    assert disagreement(compared(*scores)) == ()
    assert disagreement(compared(COLDE, maps=[YES])) == ()
    assert stance(FREE) == ""


@pytest.mark.parametrize(
    ("probability", "similar", "says"),
    [
        (None, True, "related"),
        (None, False, "unrelated"),
        (0.65, True, "related"),
        (0.64, True, "undecided"),
        (
            0.2,
            True,
            "unrelated",
        ),  # where threshold and probability contradict each other, the probability counts
        (0.35, False, "undecided"),
        (0.34, False, "unrelated"),
        (0.9, False, "related"),
    ],
)
def test_the_side_follows_from_the_probability(probability: float | None, similar: bool, says: str) -> None:
    assert stance(score("x", 0.5 if similar else 0.3, 0.4, probability)) == says


def test_where_the_verdict_is_undecided_so_is_the_side() -> None:
    for probability in np.linspace(0, 1, 101).tolist():
        judged = score("x", 0.5, 0.4, probability)
        label = verdict(compared(judged)).label
        assert stance(judged) in label.lower()


def places(*scores: Score, **more: object) -> str:
    """What the second sentence says of whole sections; all models agree on the first."""
    sides, said = disagreement(compared(*scores, **more))  # type: ignore[arg-type]
    assert "agree" in sides
    before, rest = said.split(", ", 1)
    assert before == "Among all pairs of sections"
    return rest


def test_who_rates_which_sections_highest() -> None:
    assert places(COLDE, TFIDF, maps=[YES, NO]) == (
        "CoLDE rates “Steps instead of a dome” ↔ “Why thickness is wasted” highest; "
        "TF-IDF rates “Light on the water” ↔ “Who paid for it”."
    )
    assert places(COLDE, TFIDF, TFIDF, maps=[YES, YES, YES]) == (
        "all three models rate “Steps instead of a dome” ↔ “Why thickness is wasted” highest."
    )
    third = score("MiniLM", 0.7, 0.4)
    assert places(COLDE, TFIDF, third, maps=[NO, YES, NO]).startswith(
        "CoLDE and MiniLM rate “Light on the water” ↔ “Who paid for it” highest; TF-IDF rates “Steps"
    )


def test_scales_do_not_matter_only_the_place_of_the_highest_cell() -> None:
    assert places(COLDE, TFIDF, maps=[YES, np.asarray(YES) * 7 - 20]).startswith("both models rate “Steps")


def test_missing_values_do_not_count() -> None:
    holes = ((np.nan, 0.2), (0.1, 0.3))
    assert "TF-IDF rates “Light on the water” ↔ “Who paid for it”." in places(COLDE, TFIDF, maps=[YES, holes])


@pytest.mark.parametrize(
    "silent",
    [
        None,
        ((0.5, 0.5), (0.5, 0.5)),  # BM25 without a common word: all zeros
        ((1.0, 0.1), (0.1, 0.99995)),  # a text with itself: the whole diagonal
        ((np.nan, np.nan), (np.nan, np.nan)),
    ],
)
def test_a_model_without_a_single_highest_pair_is_silent(silent: object) -> None:
    two = compared(COLDE, TFIDF, maps=[YES, silent])
    assert disagreement(two) == ("Both models agree: related.",)
    three = compared(COLDE, TFIDF, score("MiniLM", 0.7, 0.4), maps=[YES, silent, NO])
    assert "TF-IDF" not in disagreement(three)[1]


def test_a_list_of_names_is_not_named_where_there_is_more() -> None:
    """The brightest cell is of two short sections; the next one is of sections with text."""
    long = "The pilot reads the tide before a ship is brought over the bar. " * 6
    names = "A. Writer, B. Author. "
    text = names + long
    end = len(names)
    mixed = Document(text, (Section(0, end, 0, None), Section(end, len(text), end, None)))
    short = Document(names, (Section(0, 10, 0, None), Section(10, end, 10, None)))
    for twice, pair in ((mixed, (1, 1)), (short, (0, 0))):
        maps = {"section": drawn(((0.99, 0.2), (0.1, 0.7)), twice.sections, twice.sections, "topic")}
        assert highest_section_pair(maps, twice, twice) == pair


def test_attention_rates_nothing() -> None:
    assert len(disagreement(compared(COLDE, TFIDF, maps=[YES, NO], role="attention"))) == 1


def test_documents_of_one_section_have_no_highest_pair() -> None:
    one = document([None])
    whole = compared(COLDE, BM25, maps=[((0.4,),), ((0.1,),)], a=one, b=one)
    assert len(disagreement(whole)) == 1


def test_sections_of_a_text_without_headings_are_named_by_their_paragraphs() -> None:
    blocks = [Block(f"{word} comes first here. " + "Then the sea. " * 60) for word in ("Salt", "Wind")]
    headless = split_into_parts(assemble(blocks, source="x.txt", format="text"))
    assert [s.heading for s in headless.sections] == [None, None]
    said = places(COLDE, TFIDF, maps=[YES, NO], a=headless)
    assert "paragraph 1 of 2 ↔ “Why thickness is wasted” highest" in said
    assert "paragraph 2 of 2 ↔" in said


def test_many_models_do_not_make_a_list_without_end() -> None:
    a, b = document([f"A{i}" for i in range(6)]), document(["B0"])
    scores = [score(f"M{i}", 0.7, 0.4) for i in range(6)]
    said = places(*scores, maps=[np.eye(6)[:, [i]] for i in range(6)], a=a, b=b)
    assert said == (
        "M0 rates “A0” ↔ “B0” highest; M1 rates “A1” ↔ “B0”; M2 rates “A2” ↔ “B0”; M3 rates “A3” ↔ “B0”; "
        "M4 and M5 rate other pairs."
    )


def test_headings_stay_what_they_are_on_one_line_and_not_too_long() -> None:
    a = document(["**bold** <b>x</b>\nnext", "x" * 200])
    said = places(COLDE, TFIDF, maps=[YES, NO], a=a)
    assert "“**bold** <b>x</b> next”" in said
    assert f"“{'x' * 59}…”" in said
    assert "\n" not in said
