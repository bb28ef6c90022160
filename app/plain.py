"""Text of a document inside a Streamlit element that reads Markdown."""

from __future__ import annotations

import re

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_SHORTCODE = re.compile(r":(?=[\w/+-]+:)")
_WORD_JOINER = "\u2060"


def escape(text: str) -> str:
    """`text` on one line, such that Markdown shows exactly its characters.

    CommonMark takes a backslash before any ASCII punctuation as that character. Emoji shortcodes are replaced
    after parsing, so a word joiner (no width) breaks them.
    """
    one_line = " ".join(text.split())
    return _PUNCTUATION.sub(r"\\\1", _SHORTCODE.sub(":" + _WORD_JOINER, one_line))
