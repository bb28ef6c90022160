"""Pages as images: their size, and that a hostile page costs the program that asks nothing."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image

from colde.corpus.samples import sample_named
from colde.errors import ReadError, ReadingStopped
from colde.ingest import Limits, read, sandbox
from colde.ingest.pdf import page_image
from colde.ingest.sandbox.process_pool import Reader
from colde.ingest.sandbox.protocol import Answer
from tests.ingest.pdf import hostile_pdf
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow

SHORT = Limits(seconds=30.0, base_seconds=1.0, memory=256 * 2**20)
ROOT = Path(__file__).resolve().parents[3]

ALL_OF_THEM = """
import resource
from colde.errors import ReadError
from colde.ingest import Limits, sandbox
from tests.ingest.pdf import hostile_pdf

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

limits = Limits(seconds=30.0, base_seconds=1.0, memory=256 * 2**20)
sandbox.draw_in_sandbox(hostile_pdf.page(600, 800), "good.pdf", 1, None, 1100, limits)
before = peak()
for name, make in hostile_pdf.HOSTILE.items():
    try:
        sandbox.draw_in_sandbox(make(), name, 1, None, 1100, limits)
    except ReadError as error:
        print(name, error.reason)
print((peak() - before) / 1024)
"""


def draw_page(data: bytes, page: int = 1, width: int = 1100, limits: Limits = SHORT) -> page_image.Image:
    return sandbox.draw_in_sandbox(data, "x.pdf", page, None, width, limits)


def test_a_page_is_a_webp_image_of_the_asked_width() -> None:
    found = draw_page(sample_named("lighthouse").a_pdf.read_bytes(), 1, 300)
    with Image.open(io.BytesIO(found.data)) as image:
        assert image.format == "WEBP"
        assert image.size == (found.width, found.height)
    assert abs(found.width - 300) <= 1
    assert found.height > found.width


def test_pages_differ() -> None:
    data = sample_named("lighthouse").a_pdf.read_bytes()
    assert draw_page(data, 1, 200).data != draw_page(data, 2, 200).data


@pytest.mark.parametrize("page", [0, -1, 10_000])
def test_a_page_that_is_not_there_is_an_error(page: int) -> None:
    with pytest.raises(ReadError, match="the document has") as caught:
        draw_page(sample_named("lighthouse").a_pdf.read_bytes(), page)
    assert caught.value.reason == "not_found"


def test_what_is_no_pdf_is_an_error() -> None:
    with pytest.raises(ReadError, match="cannot be drawn") as caught:
        draw_page(b"no pdf at all")
    assert caught.value.reason == "corrupt"


@pytest.mark.parametrize("name", ["narrow", "square"])
def test_an_image_has_a_limit_of_pixels_whatever_the_page_says(name: str) -> None:
    found = draw_page(hostile_pdf.HOSTILE[name]())
    assert found.width * found.height <= 1.01 * page_image.MAX_PIXELS
    assert max(found.width, found.height) <= page_image.MAX_SIDE_PIXELS + 1


@pytest.mark.parametrize("size", [(0, 100), (-5, 10), (float("nan"), 10), (1e9, 10), (10, float("inf"))])
def test_no_page_has_every_size(size: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="size"):
        page_image.scale(*size, 1100)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
@pytest.mark.parametrize("name", ["pattern in itself", "squares in squares"])
def test_a_page_that_draws_without_end_is_stopped_and_the_next_one_drawn(name: str) -> None:
    data = hostile_pdf.HOSTILE[name]()
    assert "smallest entry" in read(data, name="x.pdf").text  # nothing is wrong with its text
    with pytest.raises(ReadingStopped, match="page 1 takes too much time or memory") as caught:
        draw_page(data)
    assert caught.value.reason == "too_large"
    assert draw_page(hostile_pdf.page(600, 800)).width == 1100


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_the_memory_of_the_program_that_asks_stays_flat() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ALL_OF_THEM],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    *stopped, grown = done.stdout.splitlines()
    assert stopped == ["pattern in itself too_large", "squares in squares too_large"]
    assert float(grown) < 30.0, f"{grown} MB more than before"


@pytest.mark.parametrize("fault", [{"image": b"AAAA"}, {"width": 10**6}, {"height": 0}, {"image": None}])
def test_what_the_child_sends_is_checked(fault: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    good = Answer(image=b"RIFF\0\0\0\0WEBP", width=3, height=4)
    assert sandbox.image_of_answer(good).width == 3
    monkeypatch.setattr(Reader, "exchange", lambda *_: replace(good, **fault))
    with pytest.raises(ReadingStopped, match="crashes"):
        draw_page(b"")
