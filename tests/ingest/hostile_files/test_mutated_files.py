"""Damaged files of every format: the answer is a Document or a ReadError that says why, within the reader's limits."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from colde.errors import ReadError
from colde.ingest import read
from colde.text.document import Document
from tests.ingest.generated.mutations import PART_CHANGES, Change, changed, changed_archive, changes, unpacked
from tests.ingest.generated.writers import WRITERS, Writer, each_writer, examples, whole_file

pytestmark = pytest.mark.slow

Checked = Callable[[Document], Document]
REASONS = ("empty", "not_text", "unsupported", "corrupt", "encrypted", "too_large", "no_text", "garbled")
FAULTS = ("feature that this reader does not support", "crashed", "took too long", "more memory than allowed")
"""What an error says where a reader has a fault, or takes more than a small file may cost."""


def _read(data: bytes, name: str, checked: Checked) -> None:
    try:
        checked(read(data, name=name, sandbox=True))
    except ReadError as error:
        assert "\n" not in str(error)
        assert error.reason in REASONS
        assert not any(fault in str(error) for fault in FAULTS), error


@each_writer
@examples
@given(all_changes=changes, other=st.sampled_from(WRITERS), packed=st.booleans())
def test_changed_bytes(
    writer: Writer, all_changes: list[Change], other: Writer, packed: bool, checked: Checked
) -> None:
    data = whole_file(writer)
    if writer.format == "pdf" and not packed:
        data = unpacked(data)
    _read(changed(data, all_changes, whole_file(other)), f"x{writer.suffix}", checked)


ARCHIVES = [writer for writer in WRITERS if writer.format in ("docx", "odt", "epub")]


@pytest.mark.parametrize("writer", ARCHIVES, ids=lambda writer: writer.format)
@examples
@given(kind=st.sampled_from(PART_CHANGES), number=st.integers(0, 255), all_changes=changes)
def test_changed_parts_of_archives(
    writer: Writer, kind: str, number: int, all_changes: list[Change], checked: Checked
) -> None:
    data = whole_file(writer)
    _read(
        changed_archive(data, kind, number, lambda part: changed(part, all_changes, data)),
        f"x{writer.suffix}",
        checked,
    )


@examples
@given(
    data=st.binary(max_size=300),
    name=st.sampled_from([*(f"x{writer.suffix}" for writer in WRITERS), "x.xyz", ""]),
)
def test_random_bytes(data: bytes, name: str, checked: Checked) -> None:
    _read(data, name, checked)
