"""Fast checks of each row of the table of formats, with its example: the order of the rows does not matter."""

from __future__ import annotations

import pytest

from colde.ingest import formats, read
from colde.ingest.formats import FORMATS, TEXT, Format, detect_format
from tests.ingest.test_formats_table import EXAMPLES, PROSE

each_format = pytest.mark.parametrize("row", FORMATS, ids=lambda row: row.name)


@each_format
def test_the_example_is_read_here(row: Format) -> None:
    """In this process; `test_formats_table.py` reads it in the confined one."""
    document = read(EXAMPLES[row.name](), name=f"x{row.suffixes[0]}", sandbox=False)
    assert document.format == row.name and "smallest" in document.text


@each_format
def test_no_other_format_accepts_the_example(row: Format) -> None:
    data = EXAMPLES[row.name]()
    for name in ("", *(f"x{suffix}" for suffix in row.suffixes)):
        others = [other.name for other in FORMATS if other is not row and other.accepts(data, name)]
        assert not others, f"{name or 'a file without a name'} is accepted by {others}, too"


@each_format
def test_the_order_of_the_rows_does_not_matter(row: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    data = EXAMPLES[row.name]()
    names = ("", "x", "x.unknown", *(f"x{suffix}" for suffix in row.suffixes))
    detected = [detect_format(data, name) for name in names]
    monkeypatch.setattr(formats, "FORMATS", FORMATS[::-1])
    assert [detect_format(data, name) for name in names] == detected


@pytest.mark.parametrize("at", [0, len(FORMATS)])
def test_a_new_row_takes_nothing_from_the_others(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it stands, also behind plain text."""
    new = Format("new", "a new format", (".new",), TEXT.convert)
    monkeypatch.setattr(formats, "FORMATS", (*FORMATS[:at], new, *FORMATS[at:]))
    assert detect_format(PROSE.encode(), "notes") is detect_format(PROSE.encode(), "") is TEXT
    assert detect_format(PROSE.encode(), "notes.new") is new
    assert detect_format(EXAMPLES["docx"](), "notes.new").name == "docx"
