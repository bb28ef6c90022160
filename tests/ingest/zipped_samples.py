"""EPUB books and OpenDocument texts for tests, made part by part."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

_XMLNS = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (
        ("office", "office"), ("text", "text"), ("table", "table"), ("style", "style"), ("draw", "drawing"),
        ("fo", "xsl-fo-compatible"), ("meta", "meta"),
    )
)  # fmt: skip
ODT_TYPE = "application/vnd.oasis.opendocument.text"


def zipped(parts: Mapping[str, str]) -> bytes:
    """An archive with these parts, in this order."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            method = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(name, text, method)
    return file.getvalue()


def page(body: str, head: str = "<title/>") -> str:
    """A page of a book."""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:epub="http://www.idpf.org/2007/ops"><head>{head}</head><body>{body}</body></html>'
    )


def epub(
    pages: Mapping[str, str], *, title: str = "The Heap", more: Mapping[str, str] = {}, items: str = ""
) -> bytes:
    """A book of these pages; `more` are other parts, `items` what the manifest says of them."""
    manifest = "".join(
        f'<item id="i{n}" href="{name.replace(" ", "%20")}" media-type="application/xhtml+xml"/>'
        for n, name in enumerate(pages)
    )
    spine = "".join(f'<itemref idref="i{n}"/>' for n in range(len(pages)))
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="OPS/book.opf"/></rootfiles></container>',
            "OPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf"><metadata '
            f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title></metadata>'
            f"<manifest>{manifest}{items}</manifest><spine>{spine}</spine></package>",
            **{f"OPS/{name}": text for name, text in pages.items()},
            **more,
        }
    )


def odt(body: str, *, styles: str = "", more: Mapping[str, str] = {}) -> bytes:
    """An OpenDocument text with this body and these automatic styles."""
    content = (
        f"<office:document-content {_XMLNS}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    return zipped({"mimetype": ODT_TYPE, "content.xml": content, **more})


def flat_odt(body: str) -> bytes:
    """The same in a single XML file."""
    return (
        f'<?xml version="1.0"?><office:document {_XMLNS} office:mimetype="{ODT_TYPE}"><office:body><office:text>'
        f"{body}</office:text></office:body></office:document>"
    ).encode()
