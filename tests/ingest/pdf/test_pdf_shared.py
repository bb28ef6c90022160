"""The bars that PDFs of the shared documents must reach, and the hard files among them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from colde.errors import ReadError
from colde.ingest.pdf import convert
from colde.ingest.reading_limits import Reading
from studies.reading.readers_compared import predict, scorer

Shared = Callable[[str], Path]
BARS = {
    "papers": {
        "hF": 0.97,
        "cov": 0.955,
        "sec": 0.95,
        "noise": 0.13,
        "furn": 0.0,
        "hyph": 0.97,
        "box": 0.85,
        "title": 0.99,
    },
    "peps": {"hF": 0.98, "cov": 0.98, "sec": 0.98, "noise": 0.03, "furn": 0.0, "title": 0.99, "lev": 0.98},
}
AT_MOST = {"noise", "furn"}


@pytest.mark.parametrize("kind", BARS)
def test_bars(kind: str, shared: Shared) -> None:
    """Means over the documents of a kind."""
    folder = shared("documents")
    score = scorer(folder).score
    rows = []
    for pdf in sorted((folder / kind).glob("*.pdf")):
        truth = json.loads(pdf.with_suffix(".truth.json").read_text(encoding="utf-8"))
        rows.append(score(truth, predict(pdf)))
    assert rows
    for measure, bar in BARS[kind].items():
        values = [row[measure] for row in rows if row[measure] is not None]
        mean = sum(values) / len(values)
        assert mean <= bar if measure in AT_MOST else mean >= bar, f"{measure} of {kind}: {mean:.3f}"


def test_turned_pages_read_like_upright_ones(shared: Shared) -> None:
    documents = shared("documents")
    turned = convert((documents / "hard/rotated_pages.pdf").read_bytes(), "turned.pdf", Reading())
    upright = convert((documents / "peps/pep-0509.pdf").read_bytes(), "upright.pdf", Reading())
    assert turned.title == upright.title
    assert [(s.heading, s.level) for s in turned.sections] == [(s.heading, s.level) for s in upright.sections]
    assert turned.text.split() == upright.text.split()
    assert turned.page_sizes[1] == upright.page_sizes[1][::-1]
    for section in turned.sections:
        for sentence in section.sentences:
            for box in sentence.boxes:
                width, height = turned.page_sizes[box.page - 1]
                assert 0 <= box.x0 < box.x1 <= width
                assert 0 <= box.y0 < box.y1 <= height


@pytest.mark.parametrize("name", ["encrypted_user_password.pdf", "image_only.pdf", "empty.pdf"])
def test_hard_files_are_named(name: str, shared: Shared) -> None:
    hard = shared("documents/hard")
    expected = json.loads((hard / "expected.json").read_text(encoding="utf-8"))[name]
    with pytest.raises(ReadError) as caught:
        convert((hard / name).read_bytes(), name, Reading())
    assert caught.value.reason == expected["reason"]
    assert "\n" not in str(caught.value)
