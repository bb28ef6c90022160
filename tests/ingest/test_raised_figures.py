"""Raised and lowered figures do not join the number before or behind them; other raised text does."""

from __future__ import annotations

import pytest

from colde.ingest.formulas.raised_figures import formula_behind, lowered_text, raised_text


@pytest.mark.parametrize(
    ("before", "raised", "after", "line"),
    [
        ("about 10", "6", " grains", "about 10^6 grains"),
        ("2.5 × 10", "−3", " kg", "2.5 × 10^-3 kg"),
        ("2", "10", "", "2^10"),
        ("2", "n", "", "2^n"),
        ("2", "n+1", "", "2^(n+1)"),
        ("4", "1/2", "", "4^(1/2)"),
        ("(1.02)", "12", "", "(1.02)^12"),
        ("10", "th", " day", "10th day"),
        ("1", "er", " mai", "1er mai"),
        ("3", "o", "", "3o"),
        ("12", "h", "30", "12h30"),
        ("20 m", "2", " of land", "20 m2 of land"),
        ("cm", "3", "12", "cm3 12"),
        ("in ", "14", "C", "in 14C"),
        ("2", "1", "/2 hours", "2 1/2 hours"),
        ("SO4", "2−", " ions", "SO4^2- ions"),
        ("Ca", "2+", " ions", "Ca2+ ions"),
        ("x²", "2", "", "x²^2"),
    ],
)
def test_a_raised_text_is_a_power_behind_figures_only(
    before: str, raised: str, after: str, line: str
) -> None:
    assert before + raised_text(raised, before, after) + after == line


@pytest.mark.parametrize(
    ("before", "lowered", "after", "line"),
    [
        ("101", "2", " is five", "101_2 is five"),
        ("H", "2", "O", "H2O"),
        ("log", "10", "100", "log10 100"),
        ("x", "max", "", "xmax"),
        ("1⁄", "20", " of it", "1⁄20 of it"),
    ],
)
def test_a_lowered_text_is_an_index_behind_figures_only(
    before: str, lowered: str, after: str, line: str
) -> None:
    assert before + lowered_text(lowered, before, after) + after == line


def test_a_formula_that_is_an_exponent_alone_belongs_to_the_number_before_it() -> None:
    assert formula_behind("^6", "10") == "^6"
    assert formula_behind("^14C", "in ") == "14C"
    assert formula_behind("a+b", "10") == "a+b"
