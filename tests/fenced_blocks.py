"""Fenced blocks of Markdown pages, whose commands tests run."""

from __future__ import annotations

import re


def fenced_blocks(text: str) -> list[tuple[str, str]]:
    """Language and text of each fenced block."""
    return re.findall(r"^```(\w*)\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
