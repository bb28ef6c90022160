"""Hostile and odd files do what documents/hard/expected.json says of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from colde.errors import ReadError
from colde.ingest import read
from colde.text.document import Document

Shared = Callable[[str], Path]
NAMES = [
    "arabic.txt",
    "binary_named.txt",
    "empty.pdf",
    "encrypted_user_password.pdf",
    "huge_paragraph.txt",
    "image_only.pdf",
    "rotated_pages.pdf",
    "script_payload.html",
    "unknown_type.xyz",
    "utf16_bom.txt",
    "zip_not_docx.docx",
]


def _expected(shared: Shared) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(shared("documents/hard/expected.json").read_text("utf-8"))
    return found


def test_every_file_is_tried(shared: Shared) -> None:
    assert sorted(_expected(shared)) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_file(name: str, shared: Shared, checked: Callable[[Document], Document]) -> None:
    expected = _expected(shared)[name]
    path = shared("documents/hard") / name
    if expected["expect"] == "error":
        with pytest.raises(ReadError) as caught:
            read(path)
        assert caught.value.reason == expected["reason"]
        assert str(caught.value).startswith(f"{name}: ")
        assert "\n" not in str(caught.value) and caught.value.advice
        return
    document = checked(read(path))
    for wanted in expected.get("must_contain", ()):
        assert wanted in document.text
    for unwanted in expected.get("must_not_contain", ()):
        assert unwanted not in document.text
    assert sum(len(s.sentences) for s in document.sections) >= expected.get("min_sentences", 0)
    if other := expected.get("same_text_as"):
        same = read(shared(f"documents/{other}")).text
        assert "".join(document.text.split()) == "".join(same.split())
