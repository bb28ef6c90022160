"""Escaping for text of documents in Streamlit elements that read Markdown."""

from __future__ import annotations

import re

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_SHORTCODE = re.compile(r":(?=[\w/+-]+:)")
_ADDRESS = re.compile(r"\b(?:https?|ftp|mailto|xmpp):(?=\S)|\bwww(?=\.)|@(?=\w)", re.IGNORECASE)
_WORD_JOINER = "\u2060"


def escape_markdown(text: str) -> str:
    """`text` on one line, such that Markdown shows exactly its characters.

    CommonMark takes a backslash before any ASCII punctuation as that character. Emoji shortcodes and bare addresses
    are replaced after parsing, so a word joiner (no width) breaks them.
    """
    one_line = " ".join(text.split())
    broken = _ADDRESS.sub(rf"\g<0>{_WORD_JOINER}", _SHORTCODE.sub(":" + _WORD_JOINER, one_line))
    return _PUNCTUATION.sub(r"\\\1", broken)
