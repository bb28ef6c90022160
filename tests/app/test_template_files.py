"""Templates that the reader puts in: their text is set aside, as `--template` does, and a button compares it."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.app.pages import CHEAP

DECLARATION = (
    "I declare that this report is my own work and that I have named every source that I used in writing it."
)
BODIES = (
    "The tide turns at nine, and the keeper lights his lamp before he counts the boats that lie behind the wall.",
    "A loaf of rye needs four hours in a warm kitchen, and the baker knocks on it to hear that it is done.",
)


def test_text_of_a_template_is_set_aside(page: AppTest) -> None:
    page.multiselect(key="taking_part").set_value(CHEAP).run()
    for side, body in enumerate(BODIES):
        page.file_uploader[side].upload(
            f"{side}.md", f"# Report\n\n{DECLARATION}\n\n## Work\n\n{body}\n".encode()
        )
        page.run()
    uploader = page.file_uploader(key="template_files")
    uploader.set_value([("form.md", DECLARATION.encode(), "text/markdown")]).run()
    assert any(caption.value.endswith(": 22 words") for caption in page.caption)
    page.button(key="compare").click().run()
    assert not page.exception
    assert "template" in page.table[0].value["What"].tolist()
    page.button(key="include_template").click().run()
    page.run()
    assert not page.exception and not any(button.key == "include_template" for button in page.button)
