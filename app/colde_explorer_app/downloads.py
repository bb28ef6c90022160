"""Every number shown, as files: JSON, tables, one HTML page. Made in memory when they are asked for."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import streamlit as st

from colde.report.html import to_html
from colde.report.review import Mark
from colde.report.tables import tables
from colde.results.comparison import Comparison
from colde_explorer_app import reviewing, what_if


def downloads(comparison: Comparison) -> None:
    """Download buttons: the numbers, the report, the review."""
    kinds: list[reviewing.Download] = [
        ("JSON", "json", "application/json", lambda: comparison.to_json().encode()),
        ("CSV tables", "zip", "application/zip", lambda: packed_tables(comparison)),
        ("HTML report", "html", "text/html", lambda: _report(comparison).encode()),
    ]
    stem = file_stem(comparison)
    _buttons(kinds, stem)
    _buttons(reviewing.files(comparison), stem)


def _buttons(kinds: list[reviewing.Download], stem: str) -> None:
    for label, suffix, mime, make in kinds:
        st.download_button(
            label,
            make,
            f"{stem}.{suffix}",
            mime,
            key=f"download_{suffix}",
            on_click="ignore",
            icon=":material/download:",
        )


def _report(comparison: Comparison) -> str:
    """The HTML report, with the review and with what was left out last."""
    return to_html(comparison, _marks(comparison), what_if=what_if.last(comparison))


def _marks(comparison: Comparison) -> tuple[Mark, ...]:
    return reviewing.marks(comparison.a, comparison.b)


def file_stem(comparison: Comparison) -> str:
    """A file name made of both sources: letters, digits, dots and hyphens."""
    names = [Path(d.source or d.title).stem for d in (comparison.a, comparison.b)]
    return "-and-".join(re.sub(r"[^\w.-]+", "-", name).strip("-.")[:40] or "document" for name in names)


def packed_tables(comparison: Comparison) -> bytes:
    """A zip of the files that `colde compare --csv` writes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in tables(comparison):
            file.writestr(name, content)
    return packed.getvalue()
