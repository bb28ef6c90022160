"""The dialog in which sections are put right, and taking in what was set aside, as Streamlit runs them."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.pages import CHEAP, said

TIDES = (
    "The tide turns twice a day along most coasts, and the pilot waits for it. Methods. We waited with him. "
)
NOTES = (
    "# A coast\n\n## Harbours\n\n{}\n\n## Wrong heading\n\n{}\n\n## References\n\nDoodson (1921). The tides."
)
TEXT = NOTES.format(TIDES * 2, TIDES)


@pytest.fixture
def compared(page: AppTest) -> AppTest:
    """Two texts of three sections, the last set aside, compared."""
    page.multiselect(key="taking_part").set_value(CHEAP).run()
    for side in (0, 1):
        page.file_uploader[side].upload(f"{side}.md", TEXT.replace("pilot", f"pilot {side}").encode())
        page.run()
    page.button(key="compare").click().run()
    assert not page.exception and len(page.dataframe[0].value) == 2
    return page


def button(page: AppTest, label: str, *, side: str = "") -> object:
    (found,) = [
        b for b in page.button if b.label.startswith(label) and (not side or (b.key or "").endswith(side))
    ]
    return found


def opened(page: AppTest, side: str = "a") -> AppTest:
    page.button(key=f"sections_{side}").click().run()
    assert not page.exception
    return page


def lines(page: AppTest) -> list[str]:
    return [option.strip().split(" :gray")[0] for option in page.radio(key="section_chosen").options]


def read_of(page: AppTest, side: str) -> str:
    return str(page.dataframe[0].value[f"Read of {side}"][0])


def test_the_list_says_what_is_set_aside_and_one_click_compares_it(compared: AppTest) -> None:
    assert "Not compared\\: references" in said(compared)
    opened(compared)
    assert lines(compared) == ["Harbours", "Wrong heading", "References"]
    options = compared.radio(key="section_chosen").options
    assert "set aside" in options[2] and "set aside" not in options[0]
    compared.button(key="close_sections").click().run()

    before = read_of(compared, "A")
    (panel,) = (e for e in compared.expander if e.label.startswith("Not scored"))
    assert panel.label == "Not scored (5 words of A, 5 of B)"
    assert list(panel.table[0].value["What"]) == ["references", "references"]
    assert "a list of works" in panel.table[0].value["Why"][0]
    button(compared, "Compare references").click().run()
    assert not compared.exception
    assert compared.multiselect(key="include").value == ["references"]
    assert read_of(compared, "A") != before, "it is compared again at once"
    assert not [e for e in compared.expander if e.label.startswith("Not scored")]
    assert "Not compared\\:" not in said(compared)
    compared.multiselect(key="include").set_value([]).run()
    assert read_of(compared, "A") == before
    assert "furniture" not in [o.lower() for o in compared.multiselect(key="include").options]


def test_merging_undoing_and_redoing(compared: AppTest) -> None:
    opened(compared)
    compared.radio(key="section_chosen").set_value(1).run()
    button(compared, "Merge with “Harbours”").click().run()
    assert lines(compared) == ["Harbours", "References"]
    assert compared.radio(key="section_chosen").value == 0
    compared.button(key="undo").click().run()
    assert lines(compared) == ["Harbours", "Wrong heading", "References"]
    assert compared.button(key="undo").disabled
    compared.button(key="redo").click().run()
    assert lines(compared) == ["Harbours", "References"]
    compared.button(key="as_read").click().run()
    assert lines(compared) == ["Harbours", "Wrong heading", "References"]
    compared.button(key="redo").click().run()
    assert lines(compared) == ["Harbours", "References"]
    assert not compared.exception


def test_renaming_and_a_missed_heading(compared: AppTest) -> None:
    opened(compared)
    compared.text_input[0].set_value("Ports & *quays*").run()
    assert lines(compared)[0] == "Ports \\& \\*quays\\*"
    assert compared.text_input[0].value == "Ports & *quays*"
    (at,) = [box for box in compared.selectbox if box.label == "Split before the sentence"]
    assert at.options[1] == "2. Methods."
    at.select_index(1).run()
    next(box for box in compared.checkbox if "heading" in box.label).check().run()
    button(compared, "Split").click().run()
    assert lines(compared) == ["Ports \\& \\*quays\\*", "Methods\\.", "Wrong heading", "References"]
    assert compared.radio(key="section_chosen").value == 1
    assert not compared.exception


def test_closing_compares_again_and_only_what_was_compared_before(compared: AppTest) -> None:
    before = read_of(compared, "A"), read_of(compared, "B")
    opened(compared)
    compared.radio(key="section_chosen").set_value(1).run()
    button(compared, "Leave out of the comparison").click().run()
    compared.button(key="close_sections").click().run()
    assert not compared.exception
    assert not compared.radio, "the dialog is closed"
    assert "removed by the user" in said(compared) and "1 change made to the sections" in said(compared)
    assert read_of(compared, "A") != before[0]
    assert read_of(compared, "B") == before[1]
    opened(compared)
    compared.radio(key="section_chosen").set_value(1).run()
    button(compared, "Include in the comparison").click().run()
    compared.button(key="close_sections").click().run()
    assert (read_of(compared, "A"), read_of(compared, "B")) == before


def test_without_a_comparison_closing_starts_none(page: AppTest) -> None:
    page.file_uploader[0].upload("a.md", TEXT.encode())
    page.run()
    opened(page)
    page.radio(key="section_chosen").set_value(1).run()
    button(page, "Leave out").click().run()
    page.button(key="close_sections").click().run()
    assert not page.exception and not page.dataframe
    assert page.session_state["state.Comparing"].request is None


def test_another_file_takes_the_changes_with_it(compared: AppTest) -> None:
    opened(compared)
    button(compared, "Leave out").click().run()
    compared.button(key="close_sections").click().run()
    compared.file_uploader[0].upload("other.md", TEXT.encode())
    compared.run()
    assert "removed by the user" not in said(compared) and "made to the sections" not in said(compared)
    compared.file_uploader[0].upload("0.md", TEXT.replace("pilot", "pilot 0").encode())
    compared.run()
    after = said(compared)
    assert "removed by the user" not in after, "nor do the edits come back with the first file"
    assert "made to the sections" not in after


def test_leaving_everything_out_is_said(compared: AppTest) -> None:
    opened(compared)
    for index in (0, 1):
        compared.radio(key="section_chosen").set_value(index).run()
        button(compared, "Leave out").click().run()
    compared.button(key="close_sections").click().run()
    assert not compared.exception
    assert "Too short to compare" in compared.error[0].value


def test_an_address_is_offered_for_samples_as_they_are_only(page: AppTest) -> None:
    page.multiselect(key="taking_part").set_value(CHEAP).run()
    page.button(key="sample_lighthouse").click().run()
    assert page.query_params["sample"]
    opened(page)
    page.text_input[0].set_value("Another name").run()
    page.button(key="close_sections").click().run()
    assert not page.exception
    assert "sample" not in page.query_params
    assert "Another name" not in (opened(page, "b"), lines(page))[1]
