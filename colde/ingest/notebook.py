"""Jupyter notebooks: the text between the code, by the Markdown reader."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from colde.ingest import markdown
from colde.ingest.files.character_encoding import decode
from colde.ingest.files.zip_archive import damaged
from colde.ingest.reading_limits import Reading
from colde.ingest.shared.blocks import Block
from colde.ingest.shared.outline import document_from_blocks
from colde.text.document import Document, ReadWarning

SUFFIXES = (".ipynb",)
_NOTEBOOK = re.compile(
    rb"\s*(?:\xef\xbb\xbf)?\s*\{\s*\"(?:cells|metadata|nbformat|nbformat_minor|worksheets)\"\s*:"
)
_MAX_LEVEL = 6


def accepts(data: bytes, name: str) -> bool:
    """Whether a file begins as notebooks do."""
    return _NOTEBOOK.match(data[:1000]) is not None and b'"cell_type"' in data


def convert(data: bytes, name: str, reading: Reading) -> Document:
    """Read the Markdown cells of a notebook; a warning counts the cells with code, which are left out.

    Raises:
        ReadError: `corrupt` for what is no notebook.
    """
    decoded = decode(data, name)
    try:
        notebook = json.loads(decoded.text)
    except ValueError as error:
        raise damaged(name, "the notebook is not valid JSON") from error
    blocks: list[Block] = []
    left_out = 0
    for cell in _cells(notebook):
        kind, source = cell.get("cell_type"), _source(cell)
        if kind == "markdown":
            blocks += markdown.blocks_of(source)
        elif kind == "heading":  # of old notebooks
            level = cell.get("level")
            known = isinstance(level, int) and 1 <= level <= _MAX_LEVEL
            blocks.append(Block(" ".join(source.split()), int(level or 1) if known else 1))
        elif source.strip():
            left_out += 1
    warnings = decoded.warnings
    if left_out:
        what = "1 cell with code was" if left_out == 1 else f"{left_out} cells with code were"
        warnings = (*warnings, ReadWarning(f"{what} left out, with the output of the code"))
    return document_from_blocks(
        blocks, name=name, format="notebook", title=_title(notebook), warnings=warnings
    )


def _cells(notebook: Any) -> Iterator[dict[str, Any]]:
    """The cells of a notebook, or of the worksheets of an old one."""
    if not isinstance(notebook, dict):
        return
    worksheets = notebook.get("worksheets")
    for holder in [notebook, *(worksheets if isinstance(worksheets, list) else [])]:
        cells = holder.get("cells") if isinstance(holder, dict) else None
        for cell in cells if isinstance(cells, list) else []:
            if isinstance(cell, dict):
                yield cell


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", cell.get("input", ""))
    return "".join(line for line in source if isinstance(line, str)) if isinstance(source, list | str) else ""


def _title(notebook: Any) -> str:
    metadata = notebook.get("metadata") if isinstance(notebook, dict) else None
    title = metadata.get("title") if isinstance(metadata, dict) else None
    return title if isinstance(title, str) else ""
