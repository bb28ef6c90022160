"""The choice of the encoder in the settings."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from colde_explorer_app.inputs import encoder_chooser
from streamlit.testing.v1 import AppTest

from colde.encoders.encoder_names import AUTO, MULTILINGUAL, PACKAGED


def _draw() -> None:
    from colde_explorer_app.inputs import encoder_chooser

    encoder_chooser.chooser()


def _page(monkeypatch: pytest.MonkeyPatch, *, installed: bool, started_with: str = AUTO) -> AppTest:
    monkeypatch.setattr(encoder_chooser, "has_multilingual", lambda: installed)
    monkeypatch.setenv("COLDE_ENCODER", started_with)
    page = AppTest.from_function(_draw).run(timeout=60)
    assert not page.exception
    return page


def test_all_encoders_are_offered_where_the_multilingual_one_is_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = _page(monkeypatch, installed=True)
    (choice,) = page.selectbox
    assert choice.value == AUTO and not choice.disabled and not page.caption
    assert choice.options == [encoder_chooser.TITLES[name] for name in (AUTO, PACKAGED, MULTILINGUAL)]


def test_without_the_multilingual_encoder_the_page_says_what_is_missing_and_no_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = _page(monkeypatch, installed=False)
    (choice,) = page.selectbox
    assert choice.value == AUTO
    assert choice.options == [encoder_chooser.TITLES[name] for name in (AUTO, PACKAGED)]
    assert "multilingual encoder, which is not installed" in page.caption[0].value
    assert "pip" not in page.caption[0].value


@pytest.mark.parametrize(
    ("started_with", "offered"),
    [(AUTO, [AUTO, PACKAGED]), ("a/folder", ["a/folder", AUTO, PACKAGED])],
)
def test_the_encoder_that_the_explorer_was_started_with_is_the_first(
    monkeypatch: pytest.MonkeyPatch, started_with: str, offered: Sequence[str]
) -> None:
    page = _page(monkeypatch, installed=False, started_with=started_with)
    (choice,) = page.selectbox
    assert list(encoder_chooser.choices()) == offered and choice.value == started_with
