"""Whatever stands in a document, Markdown shows its characters."""

from __future__ import annotations

import re

import pytest
from colde_explorer_app.page_parts.page_texts import escape_markdown
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

MARKDOWN = MarkdownIt("gfm-like", {"linkify": False})


def shown(text: str) -> str:
    """The text of one paragraph as CommonMark understands it; fails on any other structure."""
    paragraph, inline, _ = MARKDOWN.parse(escape_markdown(text))
    assert paragraph.type == "paragraph_open"
    assert inline.children is not None
    assert {child.type for child in inline.children} <= {"text", "text_special"}
    return "".join(child.content for child in inline.children)


@pytest.mark.parametrize(
    "text",
    [
        "# not a heading",
        "**not bold** _not italic_ ~~not struck~~ `not code`",
        "<img src=x onerror=alert(1)>",
        "[link](http://example.com) ![image](x.png)",
        "1. not a list",
        "$x^2$ :red[not red]",
        "a | b",
        r"C:\path\to",
    ],
)
def test_markup_stays_text(text: str) -> None:
    assert shown(text).replace("\u2060", "") == text


def test_emoji_shortcodes_are_broken_without_a_trace() -> None:
    assert shown("a :smile: b :material/home:").replace("\u2060", "") == "a :smile: b :material/home:"
    assert ":smile:" not in shown(":smile:")


@given(st.text(st.characters(codec="ascii", exclude_categories=("Cc",)), min_size=1).filter(str.strip))
def test_any_ascii_text_stays_itself(text: str) -> None:
    assert shown(text).replace("\u2060", "") == " ".join(text.split())


def test_it_is_one_line() -> None:
    assert escape_markdown("a\n\n- b\tc") == "a \\- b c"


@pytest.mark.parametrize(
    "heading",
    ["https://example.org/x", "HTTP://example.org", "www.example.org", "a.b@example.org", "mailto:a@b.org"],
)
def test_a_bare_address_is_no_link(heading: str) -> None:
    """Streamlit's Markdown finds addresses after backslashes are gone (GFM autolinks)."""
    plain = re.sub(r"\\(.)", r"\1", escape_markdown(f"See {heading} now"))
    assert not re.search(r"https?://|www\.|mailto:\w|[\w.+-]@[\w-]", plain, re.IGNORECASE)
    assert plain.replace("\u2060", "") == f"See {heading} now"
