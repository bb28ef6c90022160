"""The report on the terminal."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

import colde
from colde.report.content.report_content import report_content
from colde.report.formatting import clean, size
from colde.report.html.html_report import to_html
from colde.report.printed.printed_report import printed_blocks
from colde.report.terminal.terminal_report import BAR, print_report, score_bar
from colde.results.comparison import Comparison
from colde.results.shared_text import ClosestPair
from colde.text.document import Span


def printed(comparison: Comparison, *, width: int = 100, colour: bool = False) -> str:
    stream = io.StringIO()
    console = Console(
        file=stream, width=width, force_terminal=colour, color_system="truecolor" if colour else None
    )
    print_report(comparison, console)
    return stream.getvalue()


def test_says_verdict_scores_matrix_and_passages(comparison) -> None:
    text = printed(comparison)
    said = " ".join(text.split())
    assert "1 shared passage, 6 words, 10 % of A. Probably related: 83 in 100 such pairs are related." in said
    for part in ("CoLDE", "0.62", "0.40", "83 %", "97 %", "SMITH"):
        assert part in text, part
    assert "1  Background" in text
    assert "0.91" in text
    assert "1  identical, 6 words, certainty 0.90" in text
    assert "“The lamp turns once a minute.”" in text
    assert "warning: page 2 was skipped" in text


def test_names_of_columns_are_whole_on_eighty_columns(comparison) -> None:
    longest = replace(comparison.models[0], title="CoLDE + words", similar=False)
    text = printed(replace(comparison, models=(longest, *comparison.models[1:])), width=80)
    (head,) = (line for line in text.splitlines() if line.startswith("model "))
    assert " ".join(head.split()) == "model threshold │ score threshold probability percentile verdict"


def test_where_no_passage_is_shared_the_closest_sentences_are_shown(comparison) -> None:
    closest = (ClosestPair(Span(14, 43), Span(12, 41), 0.3),)
    text = printed(replace(comparison, shared=replace(comparison.shared, passages=(), closest=closest)))
    assert "\nClosest other sentences\n1  certainty 0.30" in text
    assert "Shared passages" not in text
    both = printed(replace(comparison, shared=replace(comparison.shared, closest=closest)))
    assert "\nShared passages\n" in both and "Closest other" not in both


@pytest.mark.parametrize("kind", ["same topic", "opposite"])
def test_passages_that_do_not_say_the_same_are_not_called_shared(comparison, kind) -> None:
    passages = tuple(replace(passage, kind=kind) for passage in comparison.shared.passages)
    other = replace(comparison, shared=replace(comparison.shared, passages=passages))
    pages = printed(other), to_html(other), str([*printed_blocks(report_content(other), other)])
    for page in pages:
        assert "Closest passages" in page
    assert "Shared passages" not in pages[0] and "<h2>Shared passages" not in pages[1]


def test_standard_text_is_said(comparison) -> None:
    (passage,) = comparison.shared.passages
    standard = replace(comparison.shared, passages=(replace(passage, standard=True),))
    assert "1  identical, standard text, 6 words" in printed(replace(comparison, shared=standard))


def test_names_what_made_the_score_with_shares_and_the_strongest_sentences() -> None:
    a, b = (
        colde.read_text(
            f"# {first}\n\nThe tide comes in over the bar twice a day, and {word} pilots wait for it.\n\n"
            f"# {second}\n\nBread rises in an oven for an hour, and {word} crust is done when it sounds hollow.\n"
        )
        for first, second, word in (("Method", "Results", "all"), ("Approach", "Evaluation", "most"))
    )
    text = printed(colde.compare(a, b, models=["tfidf"]))
    begin = text.index("Contribution to score")
    said = " ".join(text[begin : text.index("Sections of A (rows)")].split())
    assert re.search(
        r"\d+ % “Method” ↔ “Approach” \d+ % from these two sentences: A Method: “The tide comes in", said
    )
    assert re.search(r"These \d of 4 pairs of sections make up \d+ % of the score.", said)


def test_one_of_a_thing_is_singular() -> None:
    document = colde.read_text("One sentence stands here.")
    assert size(document) == "4 words · 1 sentence · 1 section"


def test_says_of_what_a_score_is_the_sum(comparison) -> None:
    assert "The score of CoLDE: 0.75 × vectors 0.68 + 0.25 × words 0.44\n" in printed(comparison)


def test_the_matrix_is_of_likeness_by_whatever_name_and_never_of_attention(comparison) -> None:
    section = comparison.maps["colde"]["section"]
    looked = replace(section, role="attention", kind="attention")
    maps = {"colde": {"section": looked, "alike": section}}
    assert "topic similarity, by CoLDE, cosine" in printed(replace(comparison, maps=maps))
    maps = {"colde": {"section": looked}}
    assert "Sections of A (rows)" not in printed(replace(comparison, maps=maps))


def test_says_what_was_not_read_and_which_model_has_no_profile(without_profile) -> None:
    text = " ".join(printed(without_profile).split())
    assert "SMITH read 512 of the 6,120 tokens of A." in text
    assert "No verdict from SMITH: the model has no profile general." in text


def test_says_where_the_models_disagree(comparison) -> None:
    section = comparison.maps["colde"]["section"]
    other = replace(section, values=np.array([[0.1, 0.2], [0.3, 0.4], [0.1, 0.9]], dtype=np.float32))
    maps = {**comparison.maps, "smith:np": {"section": other}}
    text = printed(replace(comparison, maps=maps), colour=True)
    words = " ".join(clean(text).split())
    assert "CoLDE calls the pair related; SMITH does not (score 0.10, threshold 0.30)." in words
    assert (
        "Among all pairs of sections, CoLDE rates “Introduction” ↔ “Background” highest; SMITH rates "
        "“[bold]Results[/bold]"
    ) in words
    assert "\x1b[31m" not in text


def test_document_text_neither_styles_nor_steers_the_terminal(comparison) -> None:
    plain = printed(comparison)
    assert "\x1b" not in plain
    assert "[bold]Results[/bold]" in plain
    assert "\x1b[31m" not in printed(comparison, colour=True)


def test_cells_are_coloured_where_there_is_colour_and_numbers_stay(comparison) -> None:
    text = printed(comparison, colour=True)
    assert "48;2;3;78;123m 0.91" in text  # the darkest step for the largest value
    assert "0.91" in printed(comparison)


def test_a_missing_value_is_blank_never_zero(comparison) -> None:
    row = next(line for line in printed(comparison).splitlines() if "=Lenses" in line)
    assert row.split() == ["2", "=Lenses", "0.35"]


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_wide_documents_are_folded_to_the_strongest(comparison, width: int) -> None:
    generator = np.random.default_rng(0)
    values = generator.uniform(0, 0.5, (60, 90)).astype(np.float32)
    values[41, 77] = 0.99
    section = comparison.maps["colde"]["section"]
    wide = replace(section, values=values, rows=section.rows[:1] * 60, columns=section.columns[:1] * 90)
    text = printed(replace(comparison, maps={"colde": {"section": wide}}), width=width)
    assert max(len(line) for line in text.splitlines()) <= width
    assert "0.99" in text
    assert "of 60 sections of A" in " ".join(text.split())
    assert any(line.startswith("42 ") for line in text.splitlines())
    assert any(line.startswith("78 ") for line in text.splitlines())


def test_negative_values_fit_their_cells(comparison) -> None:
    found = comparison.maps["colde"]["section"]
    values = np.array([[-0.5, -0.001], [1.0, 0.999], [0.1, -1.0]], dtype=np.float32)
    changed = replace(found, values=values)
    lines = printed(replace(comparison, maps={"colde": {"section": changed}})).splitlines()
    assert any(line.split()[-2:] == ["-0.50", "0.00"] for line in lines if "Introduction" in line)
    assert any(line.split()[-2:] == ["1.00", "1.00"] for line in lines if "=Lenses" in line)
    assert any(line.split()[-2:] == ["0.10", "-1.00"] for line in lines if "Results" in line)


def test_a_comparison_without_maps_and_passages_prints(comparison) -> None:
    bare = replace(comparison, maps={}, shared=None)
    assert "Probably related" in printed(bare)


@pytest.mark.parametrize(
    ("score", "threshold"),
    [
        (0.62, 0.4),
        (0.39999, 0.4),
        (0.4, 0.4),
        (-0.2, 0.1),
        (0.1, -0.2),
        (-0.5, -0.2),
        (9.0, 0.4),
        (0.0, 0.0),
        (0.3, 0.0),
    ],
)
def test_a_bar_passes_its_tick_exactly_when_the_score_reaches_the_threshold(
    score: float, threshold: float
) -> None:
    bar = score_bar(score, threshold, BAR).plain
    assert len(bar) == BAR
    before, tick, after = bar.partition("│")
    assert tick
    assert ("░" not in before) == ("█" in after) == (score >= threshold)


def test_a_bar_without_threshold_has_no_tick() -> None:
    assert score_bar(0.5, None, BAR).plain == "█" * (BAR // 2) + "░" * (BAR // 2)


def test_clean_keeps_words_of_every_script_and_drops_what_steers() -> None:
    assert clean("a\tb\nc\x1b[2J\u202edrow\u200b") == "a b c [2J drow"
    assert clean("naïve 東京 שלום 👍") == "naïve 東京 שלום 👍"


def test_further_lines_of_a_sentence_stand_below_its_first_words(comparison) -> None:
    lines = printed(comparison, width=40).splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("   A  "))
    further = lines[begin + 1 : next(i for i in range(begin, len(lines)) if lines[i].startswith("   B  "))]
    assert further and all(line.startswith(" " * 6) and line[6] != " " for line in further)
