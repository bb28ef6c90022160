"""EPUB books: the pages of the spine in their order, each by the HTML reader."""

from __future__ import annotations

import posixpath
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import unquote

from colde.errors import ReadError
from colde.ingest import html
from colde.ingest.epub.epub_pages import pages_as_html
from colde.ingest.files.character_encoding import decode
from colde.ingest.files.xml_parsing import attribute, local_name, parse_xml, plain_text
from colde.ingest.files.zip_archive import damaged, open_archive, read_part
from colde.ingest.html.xhtml import as_html
from colde.ingest.reading_limits import Reading
from colde.ingest.shared.blocks import Block
from colde.ingest.shared.outline import document_from_blocks
from colde.text.document import Document, ReadWarning
from colde.text.word_lists.stop_words import words

SUFFIXES = (".epub",)
_MARK = b"mimetypeapplication/epub"
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_FONT_ALGORITHMS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Ways to disguise fonts, which no reader of text needs."""
_PAGE_TYPES = words("application/xhtml+xml text/html application/x-dtbook+xml text/x-oeb1-document")
_LEFT_OUT_GUIDES = words("cover toc title-page loi lot copyright-page")
_MAX_PROMOTED = 200  # characters of a paragraph that may be a heading
_MAX_TITLE_LINES = 12  # of a title page


@dataclass(slots=True)
class _Package:
    """What the package document says: title, pages in order, pages that are no text, and files of contents."""

    title: str = ""
    pages: list[str] = field(default_factory=list)
    left_out: set[str] = field(default_factory=set)
    contents: list[str] = field(default_factory=list)
    style_sheets: list[str] = field(default_factory=list)


def accepts(data: bytes, name: str) -> bool:
    """Whether this is a zip that says it is an EPUB book or has the parts of one, or one that is named so."""
    is_book = _MARK in data[:200] or _CONTAINER.encode() in data
    return data.startswith(b"PK") and (is_book or name.lower().endswith(SUFFIXES))


def convert(data: bytes, name: str, reading: Reading) -> Document:
    """Read an EPUB book. The cover, the title page and the contents are left out; notes are set aside.

    Raises:
        ReadError: `encrypted` (a book whose text is protected), `corrupt`, `too_large` (a zip bomb).
    """
    with open_archive(data, name, reading.limits, "EPUB book") as archive:
        names = set(archive.namelist())
        package = _package(archive, names, name)
        _check_encryption(archive, names, package.pages, name)
        labels = _labels(archive, names, package.contents, name)
        sheets = [
            decode(read_part(archive, part, name), name).text
            for part in package.style_sheets
            if part in names
        ]
        pages = {part: read_part(archive, part, name) for part in package.pages if part in names}
    blocks: list[Block] = []
    warnings: list[ReadWarning] = []
    texts = pages_as_html(
        [data for part, data in pages.items() if part not in package.left_out], sheets, name
    )
    for part, text in zip((p for p in pages if p not in package.left_out), texts, strict=True):
        page_blocks, unseen = html.read_part(as_html(text), sheets)
        if not blocks and _is_title_page(page_blocks, package.title):
            continue
        blocks += _with_headings(page_blocks, labels.get(part, ()))
        warnings += unseen
    missing = len(package.pages) - len(pages)
    if missing:
        warnings.append(
            ReadWarning(f"{missing} of {len(package.pages)} parts of the book are missing in the file")
        )
    return document_from_blocks(
        blocks, name=name, format="epub", title=package.title, warnings=tuple(warnings)
    )


def _package(archive: zipfile.ZipFile, names: set[str], name: str) -> _Package:
    path = _package_path(archive, names, name)
    root = parse_xml(read_part(archive, path, name), name, path)
    package = _Package()
    items: dict[str, str] = {}
    spine: list[str] = []
    for element in root.iter():
        tag, target = local_name(element), _target(path, attribute(element, "href"))
        if tag == "title" and not package.title:
            package.title = plain_text(element)
        elif tag == "item":
            if attribute(element, "media-type").lower() in _PAGE_TYPES:
                items[attribute(element, "id")] = target
            _add_item(package, element, target)
        elif tag == "itemref":
            spine.append(attribute(element, "idref"))
        elif tag == "reference" and _is_no_text(element):
            package.left_out.add(target)
    package.pages = list(dict.fromkeys(items[i] for i in spine if i in items))
    if not package.pages:
        raise damaged(name, "the book lists no page of text")
    return package


def _add_item(package: _Package, item: Any, target: str) -> None:
    """Take in what an item of the manifest says besides being a page."""
    kind = attribute(item, "media-type")
    if "nav" in attribute(item, "properties").split() or kind == "application/x-dtbncx+xml":
        package.contents.append(target)
        package.left_out.add(target)
    elif kind == "text/css":
        package.style_sheets.append(target)


def _is_no_text(reference: Any) -> bool:
    """Whether the guide names a whole page as the cover and the like; an address with a mark is a place on a page."""
    named = attribute(reference, "type").lower() in _LEFT_OUT_GUIDES
    return named and "#" not in attribute(reference, "href")


def _is_title_page(blocks: Sequence[Block], title: str) -> bool:
    """Whether a page has the title of the book and a few lines, but no text."""
    lines = [block.text for block in blocks]
    short = all(len(line) <= _MAX_PROMOTED and not line.endswith(".") for line in lines)
    return short and any(_key(line) == _key(title) for line in lines) and len(lines) <= _MAX_TITLE_LINES


def _package_path(archive: zipfile.ZipFile, names: set[str], name: str) -> str:
    """Where the package document is: what the container says, else the first file that is called so."""
    if _CONTAINER in names:
        container = parse_xml(read_part(archive, _CONTAINER, name), name, _CONTAINER)
        for element in container.iter():
            path = unquote(attribute(element, "full-path"))
            if local_name(element) == "rootfile" and path in names:
                return path
    path = next((n for n in sorted(names) if n.lower().endswith(".opf")), "")
    if not path:
        raise damaged(name, "a zip archive without a book in it")
    return path


def _target(base: str, reference: str) -> str:
    """The part that a reference in the part `base` leads to."""
    path = unquote(reference.partition("#")[0])
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), path)) if path else base


def _check_encryption(archive: zipfile.ZipFile, names: set[str], pages: Sequence[str], name: str) -> None:
    """Raise a ReadError for a book whose pages are encrypted; disguised fonts and pictures do not matter."""
    if _ENCRYPTION not in names:
        return
    root = parse_xml(read_part(archive, _ENCRYPTION, name), name, _ENCRYPTION)
    encrypted = set()
    for data in root.iter("{*}EncryptedData"):
        algorithms = {attribute(e, "Algorithm") for e in data.iter("{*}EncryptionMethod")}
        if not algorithms & set(_FONT_ALGORITHMS):
            encrypted |= {unquote(attribute(e, "URI")) for e in data.iter("{*}CipherReference")}
    if encrypted.intersection(pages):
        advice = "ask the seller for a book without protection"
        raise ReadError(name, "encrypted", "the book is protected against copying (DRM)", advice)


def _labels(
    archive: zipfile.ZipFile, names: set[str], contents: Sequence[str], name: str
) -> Mapping[str, Sequence[tuple[str, int]]]:
    """The entries of the table of contents by the page that they lead to: their text and depth."""
    labels: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for part in contents:
        if part not in names:
            continue
        try:
            root = parse_xml(read_part(archive, part, name), name, part)
        except ReadError:  # the contents only help to find headings
            continue
        for target, label, depth in _entries(root):
            labels[_target(part, target)].append((label, depth))
    return labels


def _entries(root: Any) -> Iterator[tuple[str, str, int]]:
    """Target, text and depth of each entry of an NCX (EPUB 2) or a navigation document (EPUB 3)."""
    for element in root.iter("{*}navPoint", "{*}a"):
        depth = sum(1 for a in element.iterancestors("{*}navPoint", "{*}ol"))
        if local_name(element) == "a":
            yield attribute(element, "href"), plain_text(element), max(1, depth)
            continue
        label, content = element.find("{*}navLabel"), element.find("{*}content")
        if label is not None and content is not None:
            yield attribute(content, "src"), plain_text(label), depth + 1


def _with_headings(blocks: list[Block], labels: Sequence[tuple[str, int]]) -> list[Block]:
    """The blocks of a page without headings, those as headings that the table of contents names."""
    if any(block.level for block in blocks):
        return blocks
    levels = {_key(label): depth for label, depth in labels if _key(label)}
    return [
        replace(block, level=levels.pop(_key(block.text), 0))
        if block.role is None and len(block.text) <= _MAX_PROMOTED
        else block
        for block in blocks
    ]


def _key(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
