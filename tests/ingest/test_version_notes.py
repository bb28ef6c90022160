"""Notes on versions in manuals: the number is no part of the sentence."""

from __future__ import annotations

import pytest

import colde

SENTENCE = "The lamp burns *all* night."
SHOWN = "The lamp burns all night."


def compared(text: str, name: str) -> list[str]:
    document = colde.read(f"{text}\n\nThe keeper sleeps by day.\n".encode(), name=name)
    return [document.text[s.start : s.end] for section in document.sections for s in section.sentences][:-1]


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("versionadded", "Added in version"),
        ("versionchanged", "Changed in version"),
        ("deprecated", "Deprecated since version"),
        ("versionremoved", "Removed in version"),
    ],
)
def test_the_number_of_a_version_stands_before_the_sentence(name: str, phrase: str) -> None:
    shown = [f"{phrase} 2.1: {SHOWN}"]
    assert compared(f".. {name}:: 2.1\n   {SENTENCE}", "a.rst") == shown
    assert compared(f".. {name}:: 2.1\n\n   {SENTENCE}", "a.rst") == shown
    assert compared(f".. {name}:: 2.1 {SENTENCE}", "a.rst") == shown
    assert compared(f"A list:\n\n- one\n\n  .. {name}:: 2.1\n     {SENTENCE}", "a.rst")[2:] == shown
    assert compared(f".. {name}:: 2.1", "a.rst") == []
    if name != "versionremoved":
        assert compared(f"```{{{name}}} 2.1\n{SENTENCE}\n```", "a.md") == shown


def test_two_paragraphs_of_a_note_stay_two() -> None:
    text = f".. versionchanged:: 3.0\n   {SENTENCE}\n\n   It was lit at dusk."
    assert compared(text, "a.rst") == [f"Changed in version 3.0: {SHOWN}", "It was lit at dusk."]


def test_arguments_of_other_directives_are_still_text_where_they_are_sentences() -> None:
    assert compared(".. remark:: The lamp burns for the whole night.", "a.rst") == [
        "The lamp burns for the whole night."
    ]


def test_raised_figures_stay_apart_from_numbers() -> None:
    assert compared(
        "The lamp sends 10\\ :sup:`6` rays, 101\\ :sub:`2` of them at the 10\\ :sup:`th` hour.", "a.rst"
    ) == ["The lamp sends 10^6 rays, 101_2 of them at the 10th hour."]


@pytest.mark.parametrize("name", ["versionadded", "deprecated", "versionremoved"])
def test_notes_in_colons_are_read_as_those_in_backticks(name: str) -> None:
    (shown, second) = compared(f":::{{{name}}} 2.1\n{SENTENCE}\n\nIt was lit at dusk.\n:::", "a.md")
    assert (shown.partition("version ")[2], second) == (f"2.1: {SHOWN}", "It was lit at dusk.")
    (alone,) = compared(f"::::{{{name}}} 2.1 {SENTENCE}\n::::", "a.md")
    assert alone == shown


def test_titles_and_short_sentences_behind_directives_are_read() -> None:
    text = ".. seealso:: The lamp.\n\n.. dropdown:: Oil\n\n   Whale oil burns.\n\n.. remark:: It glows.\n\n.. x:: a b"
    assert compared(text, "a.rst") == ["The lamp.", "Oil", "Whale oil burns.", "It glows."]


def test_roles_of_myst_show_their_text() -> None:
    text = "See {doc}`the lamp <lamp>` and {ref}`oil` with 10{sup}`6` rays, H{sub}`2`O; {x} `y` stays."
    assert compared(text, "a.md") == ["See the lamp and oil with 10^6 rays, H2O; {x} y stays."]
