"""Tracked changes of a Word file turned round: insertions become deletions, and old formatting becomes new.

A redline from B to A becomes one from A to B that keeps B's styles, headers and settings.
"""

from __future__ import annotations

import io
import zipfile
from typing import Any

from lxml import etree

from colde.ingest.docx.names import W
from colde.ingest.files.xml_parsing import parse_xml

_OPPOSITE = {
    W + one + end: W + other + end
    for first, second, ends in (
        ("ins", "del", ("",)),
        ("moveFrom", "moveTo", ("", "RangeStart", "RangeEnd")),
        ("cellIns", "cellDel", ("",)),
    )
    for one, other in ((first, second), (second, first))
    for end in ends
}
_TEXT = {W + "delText": W + "t", W + "delInstrText": W + "instrText"}
_DELETED_TEXT = {shown: deleted for deleted, shown in _TEXT.items()}
_KEPT = frozenset(
    W + name
    for name in ("ins", "del", "moveFrom", "moveTo", "cellIns", "cellDel", "cellMerge", "headerReference",
                 "footerReference")
)  # fmt: skip
"""Properties that are no formatting."""
_KEPT_FIRST = (W + "rPr", W + "sectPr")
"""Properties whose other parts stand before the formatting."""


def invert_changes(data: bytes) -> bytes:
    """The Word file with the opposite changes: accepting them gives what rejecting them gave before."""
    written = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as archive,
        zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as inverted,
    ):
        for name in archive.namelist():
            part = archive.read(name)
            if name.endswith(".xml") and b"wordprocessingml" in part and not name.startswith("["):
                part = _inverted(part, name)
            inverted.writestr(name, part)
    return written.getvalue()


def _inverted(part: bytes, name: str) -> bytes:
    root = parse_xml(part, name)
    for element in list(root.iter(etree.Element)):
        if element.tag in _OPPOSITE:
            element.tag = _OPPOSITE[element.tag]
    for element in root.iter(*_TEXT, *_DELETED_TEXT):
        is_deleted = next(element.iterancestors(W + "del"), None) is not None
        element.tag = (_DELETED_TEXT if is_deleted else _TEXT).get(element.tag, element.tag)
    for change in [e for e in root.iter(etree.Element) if e.tag.startswith(W) and e.tag.endswith("PrChange")]:
        _exchange_formatting(change)
    for insertion in list(root.iter(W + "ins")):
        _put_deletion_first(insertion)
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))


def _exchange_formatting(change: Any) -> None:
    """Make the old formatting of a change the new one, and the other way round."""
    properties = change.getparent()
    old = change.find(properties.tag)
    if old is None:
        return
    of_paragraph = {W + "rPr", W + "sectPr"} if properties.tag == W + "pPr" else set()
    kept = [e for e in properties if e.tag in _KEPT or e.tag in of_paragraph]
    new = [e for e in properties if e is not change and e not in kept]
    former = list(old)
    old[:] = new
    properties[:] = [*kept, *former, change] if properties.tag in _KEPT_FIRST else [*former, *kept, change]


def _put_deletion_first(insertion: Any) -> None:
    """Exchange an insertion and the deletion right behind it, as Word writes them."""
    deletion = insertion.getnext()
    if insertion.getparent().tag == W + "p" and deletion is not None and deletion.tag == W + "del":
        insertion.addprevious(deletion)
