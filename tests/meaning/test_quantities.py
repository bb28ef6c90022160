"""Quantities of sentences: the same figures in other forms agree, other figures for the same quantity do not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from colde.meaning.figures import figures_disagree
from colde.meaning.quantities import quantities
from tests.operation_counts import calls_of

AGREE = [
    ("The fee is 40 euros a month.", "Customers pay forty euros monthly."),
    ("The fee is 40 euros a month.", "Customers pay 480 euros a year."),
    ("The fee is 40 euros a month.", "Customers pay 40 euros monthly and a deposit of 100 euros."),
    ("The survey reached 2,713 people.", "About 2,700 people took part in the survey."),
    ("The survey reached 2,713 people.", "More than 2,500 people took part in the survey."),
    ("Two hundred and fifty guests came.", "250 guests attended."),
    ("A hundred and twelve guests came.", "112 guests attended."),
    ("The grant is 1.5 million dollars.", "They receive $1,500,000."),
    ("The contract ends on 30 September 2025.", "It runs until 2025-09-30."),
    ("The contract ends on 30 September 2025.", "It runs until 09/30/2025."),
    ("The contract ends on 30 September 2025.", "It runs until the end of September 2025."),
    ("Water is off until the end of March.", "There is no water before April."),
    ("He left in 1954, nine years after the war.", "The war had ended in 1945; he left in 1954."),
    ("The track is 5 kilometres long.", "The track runs for about 3.1 miles."),
    ("The notice period is three months.", "Either side must give notice 90 days ahead."),
    ("A lesson lasts three quarters of an hour.", "Lessons take 45 minutes."),
    ("The battery lasts for one and a half hours.", "It runs for 90 minutes."),
    ("The office opens at 9 a.m. and closes at 3 p.m.", "Doors are open from 9:00 to 15:00."),
    ("Three quarters of the members agreed.", "75 % of the members were in favour."),
    ("Three quarters of the members agreed.", "A quarter of the members were against it."),
    ("Of 80 pupils, 12 stayed away.", "15 per cent of the pupils did not come."),
    ("Chapter 3 describes the model.", "The model is explained in chapter 4."),
    ("Only one of them is open.", "Two of them are closed."),
    ("A lamp (10) comprises a cell (14).", "The lamp (100) comprises one or more cells (114, 115a)."),
]
DISAGREE = [
    ("The fee is 40 euros a month.", "Customers pay 45 euros monthly."),
    ("The fee is 40 euros a month.", "Customers pay 500 euros a year."),
    ("The survey reached 2,713 people.", "Nearly 3,700 people took part in the survey."),
    ("Two hundred and fifty guests came.", "205 guests attended."),
    ("The grant is 1.5 million dollars.", "They receive $1,050,000."),
    ("The contract ends on 30 September 2025.", "It runs until 15 October 2025."),
    ("The contract ends in September.", "It runs out in November."),
    ("He was born in 1954.", "His year of birth was 1945."),
    ("The track is 5 kilometres long.", "The track runs for 8 km."),
    ("The notice period is three months.", "Either side must give notice six weeks ahead."),
    ("Refunds are paid within 14 days.", "You get your money back within a month."),
    ("Use 14 to 18 grams of coffee.", "You need 20 to 24 g of coffee."),
    ("Three quarters of the members agreed.", "Only 57 per cent of the members were in favour."),
    ("The office opens at 9 a.m.", "Doors are open from 8:00."),
    ("The study (1954) covers two towns.", "It was published as a study (1945) of two towns."),
    ("Notice is given sixty (60) days ahead.", "Each side gives notice thirty (30) days before."),
]


@pytest.mark.parametrize(("a", "b"), AGREE)
def test_the_same_figures_in_another_form_agree(a: str, b: str) -> None:
    assert not figures_disagree(a, b) and not figures_disagree(b, a)


@pytest.mark.parametrize(("a", "b"), DISAGREE)
def test_other_figures_for_the_same_quantity_disagree(a: str, b: str) -> None:
    assert figures_disagree(a, b) and figures_disagree(b, a)


def test_quantities_have_a_measure_and_a_value_in_its_unit() -> None:
    read = quantities("In 1998 about two dozen boats paid £3.50 each for fourteen working days, 12 % more.")
    assert [(q.measure, round(q.value, 3), q.hedged) for q in read] == [
        ("year", 1998, False),
        ("count", 24, True),
        ("money pound", 3.5, False),
        ("working time", 14, False),
        ("share", 0.12, False),
    ]


FIGURES = st.one_of(
    st.sampled_from(
        ["0", "00", "0.0", "0,0", "0:00", "1", "-1", "1e999", "½", "¾", "1/0", "0/0", "12:99", "1.2.3", "3rd"]
    ),
    st.integers(0, 10**12).map(str),
    st.floats(0, 1e300).map(lambda x: f"{x:f}"),
    st.integers(300, 6_000).map(lambda n: "9" * n),
    st.integers(0, 10**9).map(lambda n: f"{n:,}"),
    st.text("٣٤९๕０１", min_size=1, max_size=4),
    st.sampled_from(
        ["zero", "one", "twelve", "hundred", "a million", "two and a half", "three quarters", "billion"]
    ),
)
DATES = st.one_of(
    st.builds("{}/{}/{}".format, *[st.integers(0, 99)] * 3),
    st.builds("20{:02}-{:02}-{:02}".format, *[st.integers(0, 99)] * 3),
    st.builds("{} {}".format, st.integers(0, 40), st.sampled_from(["May", "sept.", "february", "Dec"])),
)
WORDS_AROUND = st.sampled_from(
    [
        "percent", "per cent", "%", "of", "out of", "in", "every", "patients", "deaths", "days", "weeks", "months",
        "years", "miles", "km", "$", "€", "euros", "o'clock", "am", "to", "or", "and", "about", "over", "no",
        "more than", "at least", "a", "the", "within", "monthly", "working", "and a half", "section", "(", ")", ",",
    ]
)  # fmt: skip
SENTENCES_OF_FIGURES = st.lists(FIGURES | DATES | WORDS_AROUND, max_size=12).map(" ".join)


@given(SENTENCES_OF_FIGURES, SENTENCES_OF_FIGURES)
@example("25 percent of 40 patients, with 0 deaths", "30 percent of the patients")
@example("9 percent", "0 patients and 3 visits")
def test_no_figures_break_the_arithmetic(a: str, b: str) -> None:
    assert all(math.isfinite(q.value) and math.isfinite(q.number) for q in quantities(a))
    assert figures_disagree(a, b) in (True, False)
    assert figures_disagree(b, a) == figures_disagree(a, b)


def test_a_figure_of_zero_is_a_quantity_like_others() -> None:
    assert figures_disagree("The ward had 0 deaths in May.", "The ward had 12 deaths in May.")
    assert not figures_disagree("The ward had 0 deaths in May.", "The ward had zero deaths in May.")


def row(figures: int, seed: int) -> str:
    """A row of a table with so many figures."""
    random = np.random.default_rng(seed)
    return " ".join(f"{n:,} visitors" for n in random.integers(1_000, 10**7, figures))


def test_the_work_for_rows_of_tables_grows_with_their_figures() -> None:
    work = [calls_of(lambda n=n: figures_disagree(row(n, 1), row(n, 2))) for n in (40, 320)]
    assert work[1] < 10 * work[0]  # 8 times as many figures; 512 times the work if three figures are combined


@pytest.mark.parametrize(("others", "disagree"), [(14, False), (15, True)])
def test_sums_are_taken_of_few_figures(others: int, disagree: bool) -> None:
    listed = " and ".join(f"{n} patients" for n in (40, 25, *range(1_001, 1_001 + others)))
    assert figures_disagree("The ward has 65 patients.", f"The wards have {listed}.") == disagree
