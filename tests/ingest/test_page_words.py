"""Counting words, on which depends whether a document is long enough to be compared."""

from __future__ import annotations

import pytest

from colde.ingest import read_text

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.mark.parametrize(
    ("text", "fewest", "most"),
    [
        ("One two three. Four, five-six!", 5, 5),
        ("これは日本語の文章です。二つ目の文もあります。漢字とひらがなとカタカナを使います。", 15, 30),
        ("这是一个用中文写的句子。这里还有第二个句子，它说的是别的事情。", 12, 25),
        ("هذه جملة عربية قصيرة. وهذه جملة ثانية؟", 7, 7),
    ],
)
def test_words(text: str, fewest: int, most: int) -> None:
    assert fewest <= read_text(text).words() <= most
