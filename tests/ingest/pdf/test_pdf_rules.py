"""Each rule of the tables for headings, captions and table rows: facts to which it applies, and its absence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from colde.ingest.pdf.asides import captions
from colde.ingest.pdf.asides.table_rows import ROW_RULES, RowCandidate
from colde.ingest.pdf.furniture import running_heads
from colde.ingest.pdf.headings import heading_rules
from colde.ingest.pdf.headings.heading_rules import EMPHASIS_RULES, HEADING_RULES, StyledLine, style_of
from colde.ingest.pdf.headings.section_numbers import possible_numbers
from colde.ingest.pdf.lines.body_style import BodyStyle
from colde.ingest.pdf.lines.text_lines import Line
from colde.ingest.pdf.lines.weighted_rules import Rule, add_up
from colde.ingest.pdf.words.page import Word
from colde.ingest.pdf.words.word_splitter import Font

BODY = BodyStyle(size=10.0, family="Times", bold=False, italic=False, mono=False, leading=12.0)
PLAIN = Font("Times", bold=False, italic=False, mono=False)
BOLD, ITALIC, OTHER = replace(PLAIN, bold=True), replace(PLAIN, italic=True), replace(PLAIN, family="Arial")
TABLES = {
    "emphasis": EMPHASIS_RULES,
    "heading": HEADING_RULES,
    "caption": captions.REFUSALS,
    "caption end": captions.ENDS,
    "row": ROW_RULES,
    "running head": running_heads.RUNNING_HEAD_RULES,
}


def line(
    text: str = "Order of entries", *, size: float = 10.0, font: Font = PLAIN, gap: float = 14.0, x0: float = 100.0,
    right: float = 300.0, spacing: float = 3.0, flow: int = 0,
) -> Line:  # fmt: skip
    """A line in a column from 100 to `right`; letters are half as wide as high, words are `spacing` points apart."""
    words, at = [], x0
    for word in text.split():
        words.append(Word(word, at, at + 0.5 * size * len(word), 700.0, size, font))
        at = words[-1].x1 + spacing
    return Line(1, words, 700.0, size, left=100.0, right=right, gap=gap, flow=flow, text=text)


def styled(**about: Any) -> StyledLine:
    return StyledLine(line(**about), style_of(line(**about)), BODY)


def heading(
    text: str = "Order of entries", *, known: bool = False, above: Line | None = None, above_set_aside: bool = False,
    below: Line | None = None, numbered: bool = False, has_run_ins: bool = False, is_italic_heading: bool = False,
    is_listed: bool = False, is_centred_title: bool = False, **about: Any,
) -> heading_rules.Candidate:  # fmt: skip
    """A candidate to which no rule applies, but for what the arguments change."""
    numbers = possible_numbers(text) if numbered else []
    name = text[numbers[0].rest :] if numbers else text
    above = above or line("The text above ends here.")
    return heading_rules.Candidate(
        [line(text, **about)], BODY, text, name, numbers, known, above, above_set_aside, below,
        has_run_ins, is_italic_heading, is_listed, is_centred_title,
    )  # fmt: skip


def mixed(bold: str, plain: str) -> heading_rules.Candidate:
    """A line that begins with a bold word and goes on in plain ones."""
    both = line(f"{bold} {plain}")
    both.words[0].font = BOLD
    return replace(heading(), lines=[both])


def caption(text: str = "Figure 3: A heap.", **changes: Any) -> captions.Candidate:
    facts = captions.Candidate(line(text), mark=":", rest="A heap.", apart=True, styled=True)
    return replace(facts, **changes)


def continuation(
    text: str = "of ten entries", *, previous: Line | None = None, role: Any = None, **about: Any
) -> Any:
    below = line(text, **({"gap": 12.0} | about))
    return captions.Continuation(
        line("Figure 3: A heap"), previous or line("Figure 3: A heap"), below, role, BODY
    )


def row(text: str = "one two", **about: Any) -> RowCandidate:
    return RowCandidate(line(text, **about), BODY)


def repeated(**changes: Any) -> running_heads.RepeatedLine:
    """A line of body text at the top of one of ten pages, which nothing repeats."""
    facts = running_heads.RepeatedLine(
        pages=10, same=1, counted=1, misread=0, words=3, number_apart=False, set_like_heading=False,
        smaller=False, is_largest=False, is_title_and_page=False,
    )  # fmt: skip
    return replace(facts, **changes)


FULL = "A line of text that goes to the edge on"
CASES: dict[tuple[str, str], tuple[Any, Any]] = {
    ("emphasis", "much_larger"): (styled(size=12.5), styled(size=12.4)),
    ("emphasis", "larger"): (styled(size=10.75), styled(size=10.5)),
    ("emphasis", "smaller"): (styled(size=8.9), styled(size=9.0)),
    ("emphasis", "bold"): (styled(font=BOLD), styled()),
    ("emphasis", "capitals"): (styled(text="ORDER OF ENTRIES"), styled(text="ORDER of entries")),
    ("emphasis", "italic"): (styled(font=ITALIC), styled()),
    ("emphasis", "other_family"): (styled(font=OTHER), styled(font=replace(OTHER, mono=True))),
    ("emphasis", "other_family_styled"): (styled(font=replace(OTHER, bold=True)), styled(font=OTHER)),
    ("heading", "starts_lower_case_large"): (heading("order", size=10.75), heading("Order", size=10.75)),
    ("heading", "starts_lower_case_or_sign"): (heading("= order"), heading("“Order”")),
    ("heading", "has_number"): (heading("3 Order of entries", numbered=True), heading("3 Order")),
    ("heading", "known_name"): (heading("Abstract", known=True), heading("Abstract")),
    ("heading", "space_above"): (heading(gap=15.1), heading(gap=15.0)),
    ("heading", "continues_above"): (
        heading(gap=13.0, above=line(FULL, right=290.0)), heading(gap=13.0, above=line("Short.")),
    ),
    ("heading", "space_below"): (heading(below=line("Text", gap=15.1)), heading(below=line("Text", gap=15.0))),
    ("heading", "fills_line"): (heading(FULL, right=285.0), heading(FULL)),
    ("heading", "next_goes_on"): (
        heading(FULL, right=285.0, below=line("and on")), heading(FULL, right=285.0, below=line("It ends.")),
    ),
    ("heading", "goes_on_below"): (
        heading("Order of entries in", right=185.0, below=line("heaps are small", gap=12.0)),
        heading("Order of entries in", below=line("Heaps are small", gap=12.0)),
    ),
    ("heading", "run_in"): (mixed("Order.", "They are small"), heading("Order.", font=BOLD)),
    ("heading", "ends_like_run_in"): (
        heading("Order.", font=BOLD, has_run_ins=True, below=line("They are small", gap=12.0)),
        heading("Order.", font=BOLD, below=line("They are small", gap=12.0)),
    ),
    ("heading", "italic_heading"): (
        heading(font=ITALIC, is_italic_heading=True), heading(font=ITALIC),
    ),
    ("heading", "listed"): (heading(is_listed=True), heading()),
    ("heading", "centred_title"): (heading("ORDER", is_centred_title=True), heading("ORDER")),
    ("heading", "wide_gaps"): (heading("order entries", spacing=20.0), heading("order entries")),
    ("heading", "centred"): (heading("Order", x0=187.0), heading("Order", x0=130.0)),
    ("heading", "ends_with_comma"): (heading("Order,"), heading("Order")),
    ("heading", "ends_with_full_stop"): (heading("Order."), heading("Abstract.", known=True)),
    ("heading", "numbered_sentence"): (
        heading("8.2 The rams and goats remain with the guild.", numbered=True),
        heading("8.2 The rams and goats remain with the guild.", numbered=True, font=BOLD),
    ),
    ("heading", "ends_with_colon"): (heading("Order:"), heading("Order")),
    ("heading", "long"): (heading("A b c d e f g h i j k l m"), heading("A b c d e f g h i j k l")),
    ("heading", "few_letters"): (heading("Ab (1+2)=3"), heading("Abcdef (1)")),
    ("caption", "sentence_reference"): (
        caption(mark="", rest="shows a heap", apart=False), caption(mark="", rest="shows a heap"),
    ),
    ("caption", "inside_text"): (caption(mark=".", apart=False, styled=False), caption(apart=False, styled=False)),
    ("caption", "sentence"): (caption(mark="", rest="Heaps", apart=False), caption(mark="", rest="Heaps")),
    ("caption end", "other_role"): (continuation(role="table"), continuation()),
    ("caption end", "other_column"): (continuation(flow=1), continuation()),
    ("caption end", "other_size"): (continuation(size=9.4), continuation(size=9.5)),
    ("caption end", "space_by_size"): (continuation(gap=16.3), continuation(gap=16.2)),
    ("caption end", "space_by_leading"): (continuation(gap=15.1), continuation(gap=15.0)),
    ("caption end", "next_caption"): (continuation("Figure 4: Trees", gap=12.1), continuation("Figure 4: Trees")),
    ("caption end", "ended_early"): (
        continuation(previous=line("A heap.")), continuation(previous=line("A heap of")),
    ),
    ("row", "gap"): (row("one two", spacing=16.0), row("one two", spacing=15.0)),
    ("row", "second_gap"): (row("one two six", spacing=16.0), row("one two", spacing=16.0)),
    ("row", "third_gap"): (row("one two six ten", spacing=16.0), row("one two six", spacing=16.0)),
    ("row", "digits"): (row("12 ab"), row("1 abc")),
    ("row", "small"): (row(size=8.7), row(size=8.8)),
    ("row", "stray_letters"): (row("ab", font=OTHER), row("ab")),
    ("row", "text"): (row("Words that fill the line well"), row("Words that fill it")),
    ("row", "label"): (row("the root", font=OTHER), row("the root", font=replace(OTHER, bold=True))),
    ("running head", "on_three_pages"): (repeated(same=3), repeated(same=2)),
    ("running head", "on_two_pages"): (repeated(same=2), repeated()),
    ("running head", "with_page_number"): (
        repeated(counted=2, number_apart=True), repeated(counted=2, smaller=True, words=1),
    ),
    ("running head", "title_and_page"): (
        repeated(is_title_and_page=True), repeated(is_title_and_page=True, is_largest=True),
    ),
    ("running head", "misread"): (repeated(misread=2), repeated(misread=1)),
    ("running head", "smaller"): (repeated(smaller=True), repeated()),
    ("running head", "set_like_heading"): (repeated(set_like_heading=True), repeated()),
    ("running head", "on_nearly_all_pages"): (
        repeated(set_like_heading=True, same=8), repeated(set_like_heading=True, same=8, is_largest=True),
    ),
}  # fmt: skip
"""For each rule facts to which it applies, and facts as similar as possible to which it does not."""


def _score(table: str, name: str, facts: Any) -> float:
    """The score of the rules before this one; headings are marked, so that they reach what `centred` asks for."""
    before: list[Rule[Any]] = []
    for rule in TABLES[table]:
        if rule.name == name:
            break
        before.append(rule)
    return add_up(before, facts, 2.0 if table == "heading" else 0.0)


def test_every_rule_has_a_case_a_reason_and_a_source() -> None:
    rules = {(table, rule.name): rule for table, rules in TABLES.items() for rule in rules}
    assert list(CASES) == list(rules)
    assert all(rule.reason and rule.source and rule.weight % 0.25 == 0.0 for rule in rules.values())


@pytest.mark.parametrize(("table", "name"), CASES)
def test_the_rule_applies_to_its_case_alone(table: str, name: str) -> None:
    rule: Rule[Any] = next(rule for rule in TABLES[table] if rule.name == name)
    applying, other = CASES[table, name]
    assert rule.applies(applying, _score(table, name, applying))
    assert not rule.applies(other, _score(table, name, other))


@pytest.mark.parametrize(
    ("rules", "neutral"),
    [(EMPHASIS_RULES, styled()), (HEADING_RULES, heading()), (captions.REFUSALS, caption()),
     (captions.ENDS, continuation()), (ROW_RULES, row()), (running_heads.RUNNING_HEAD_RULES, repeated())],
)  # fmt: skip
def test_no_rule_applies_to_neutral_facts(rules: tuple[Rule[Any], ...], neutral: Any) -> None:
    assert [rule.name for rule in rules if rule.applies(neutral, 0.0)] == []


def test_a_centred_line_without_another_mark_is_no_heading() -> None:
    centred = next(rule for rule in HEADING_RULES if rule.name == "centred")
    assert centred.applies(heading("Order", x0=187.0), 1.0)
    assert not centred.applies(heading("Order", x0=187.0), 0.75)


def test_weights_add_up() -> None:
    rules = (
        Rule("always", 1.0, lambda facts, score: True, "x"),
        Rule("above 1", -0.25, lambda facts, score: score >= 1.0, "x"),
        Rule("where true", 2.0, lambda facts, score: facts, "x"),
    )
    assert add_up(rules, False) == 0.75
    assert add_up(rules, True, score=1.0) == 3.75
