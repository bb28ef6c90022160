"""Small Streamlit components; their JavaScript and CSS lie in `components/`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import streamlit as st

from colde.report.wording.verdict_bar import VerdictBar

FOLDER = Path(__file__).resolve().parents[1] / "components"


def _component(name: str, html: str, *styles: str, **options: Any) -> Any:
    """A component by the name of its script; `styles` name the files of its style sheet."""
    script = FOLDER / f"{name}.js"
    css = "".join((FOLDER / f"{style}.css").read_text(encoding="utf-8") for style in styles) or None
    return st.components.v2.component(
        f"colde.{name}", html=html, css=css, js=script.read_text(encoding="utf-8"), **options
    )


_copy_link = _component(
    "copy_link",
    '<div><button type="button">Copy link</button><span role="status"></span></div>',
    "buttons",
    "copy_link",
)
_status_line = _component(
    "status_line",
    '<p class="colde-line" aria-live="polite"><b></b> <span></span></p>'
    '<div class="colde-verdict-bar" hidden><span>unrelated</span><svg></svg><span>related</span></div>',
    "status_line",
    isolate_styles=False,
)
_page_access = _component(
    "page_access",
    '<button type="button" class="colde-skip" hidden>Skip to the results</button>',
    "page_access",
    isolate_styles=False,
)
_review_copies = _component(
    "review_copies",
    '<div><span role="status"></span><button></button><button></button><button></button></div>',
    "buttons",
    "review_copies",
)
_tab_token = _component("tab_token", "<span hidden></span>")


def copy_link(key: str) -> None:
    """A button that copies the address of the page; a status beside it says whether that worked."""
    _copy_link(key=key, width="content")


def status_line(text: str, detail: str = "", *, testid: str, key: str, bar: VerdictBar | None = None) -> None:
    """Show `text` in bold and `detail` behind it, as they are; both are read out when they change.

    Args:
        bar: shown below them.
        testid: of the element, which a Markdown element of Streamlit cannot have.
    """
    data = {"text": text, "detail": detail, "testid": testid, "bar": bar and asdict(bar)}
    _status_line(key=key, data=data)


def page_access() -> None:
    """A link, seen while it has the focus, that skips to the results; and roles of drop zones that fit their names."""
    _page_access(key="page_access")


def review_copies(key: str, pair: tuple[str, str] | None, on_clear: Callable[[], None]) -> None:
    """Say how many reviews this browser keeps, with buttons that clear the one on a pair, or all.

    Args:
        pair: the hashes of the two texts on the page.
        on_clear: called after some were cleared; `cleared` is then `{"pairs", "id"}`, the hashes of their texts.
    """
    _review_copies(key=key, data={"pair": pair}, on_cleared_change=on_clear)


def tab_token() -> object:
    """The value that the browser sends as the token of this tab: None until it has sent it."""
    return _tab_token(key="tab_token", on_token_change=lambda: None).token
