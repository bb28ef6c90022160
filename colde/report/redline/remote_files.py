"""Files elsewhere that a Word file names, and that Word would fetch when it opens it."""

from __future__ import annotations

import io
import zipfile

from lxml import etree

from colde.ingest.files.xml_parsing import parse_xml

NOWHERE = "NULL"
"""What Word itself writes for a linked file that is lost."""


def without_remote_files(data: bytes) -> bytes:
    """The Word file without templates, pictures and objects from elsewhere; links, which a reader follows, stay.

    Raises ReadError where one of its parts is no XML.
    """
    written = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as archive,
        zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as kept,
    ):
        for name in archive.namelist():
            part = archive.read(name)
            kept.writestr(name, _local(part, name) if name.lower().endswith(".rels") else part)
    return written.getvalue()


def _local(part: bytes, name: str) -> bytes:
    root = parse_xml(part, name)
    for relationship in root.iter("{*}Relationship"):
        if relationship.get("TargetMode") == "External" and not relationship.get("Type", "").endswith(
            "/hyperlink"
        ):
            relationship.set("Target", NOWHERE)
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))
