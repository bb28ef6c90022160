"""Short matches are left out by the one count of words, in texts with and without blanks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from colde_explorer_app.match_exclusions import _is_excluded

from colde.text.document import Document, Section, Span


@pytest.mark.parametrize(
    ("text", "is_short"),
    [
        ("The keeper lights the lamp at dusk and writes it down.", True),
        ("The keeper lights the lamp at dusk and writes it down each night.", False),
        ("守塔人在黄昏点亮灯，把时间写进本子。", True),
        ("守塔人在黄昏点亮灯，把时间写进本子，一直睡到船带着面包和信件来。", False),
    ],
)
def test_a_match_of_fewer_than_twelve_words_is_short(text: str, is_short: bool) -> None:
    document = Document(text, (Section(0, len(text)),))
    pair: Any = SimpleNamespace(a=document, b=document)
    match: Any = SimpleNamespace(a=Span(0, len(text)), b=Span(0, len(text)))
    assert _is_excluded(pair, match, [(), ()], small=True) is is_short
    assert not _is_excluded(pair, match, [(), ()], small=False)
