"""Saved web pages and mail: MHTML, EML, Safari's web archives; the page by the HTML reader."""

from __future__ import annotations

import plistlib
import re
from dataclasses import replace
from email import message_from_bytes
from email.message import Message

from colde.errors import ReadError
from colde.ingest import html, plain_text
from colde.ingest.files.character_encoding import decode
from colde.ingest.files.zip_archive import damaged
from colde.ingest.reading_limits import Reading
from colde.text.document import Document

SUFFIXES = (".mhtml", ".mht", ".webarchive", ".eml")
_HEADERS = re.compile(
    rb"\s*+(?:[\w-]+:[^\n]*\n(?:[ \t][^\n]*\n)*+){0,30}?Content-Type:\s*"
    rb"(?:multipart/(?:related|alternative|mixed)|text/(?:html|plain))",
    re.IGNORECASE,
)
_SAFARI = b"bplist"
_PAGE_TYPES = ("text/html", "application/xhtml+xml")


def accepts(data: bytes, name: str) -> bool:
    """Whether this begins as a message whose parts belong together, or is a web archive of Safari."""
    if data.startswith(_SAFARI):
        return b"WebMainResource" in data
    match = _HEADERS.match(data[:8192])
    return match is not None and (b"multipart/related" in match[0].lower() or name.lower().endswith(SUFFIXES))


def convert(data: bytes, name: str, reading: Reading) -> Document:
    """Read the page that was saved, or a mail; pictures, styles, frames and attachments are not read.

    Raises:
        ReadError: `corrupt` where there is no page in it.
    """
    mail = None if data.startswith(_SAFARI) else _plain_mail(data, name)
    try:
        if mail is not None:
            return replace(plain_text.convert(mail, name, reading), format="mhtml")
        page = _safari_page(data, name) if data.startswith(_SAFARI) else main_page(data, name)
        return replace(html.convert(page, name, reading), format="mhtml")
    except ReadError as error:
        if error.reason == "not_text":
            raise damaged(name, "the page in it is no text") from error
        raise


def _safari_page(data: bytes, name: str) -> bytes:
    try:
        resource = plistlib.loads(data)["WebMainResource"]
        page, encoding = resource["WebResourceData"], resource.get("WebResourceTextEncodingName")
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise damaged(name, "the web archive contains no page") from error
    return _as_unicode(page, encoding, name)


def main_page(data: bytes, name: str) -> bytes:
    """The page that was saved, as MHTML: the part that the message names as its start, else the first page.

    Raises:
        ReadError: `corrupt` where there is no page in it.
    """
    message = message_from_bytes(data.lstrip())
    pages = [part for part in message.walk() if part.get_content_type() in _PAGE_TYPES]
    if not pages:
        raise damaged(name, "the saved file contains no page")
    start = str(message.get_param("start") or "")
    named = (part for part in pages if start and str(part.get("Content-ID", "")).strip() == start.strip())
    page = next(named, pages[0])
    return _as_unicode(page.get_payload(decode=True), _charset(page), name)


def _plain_mail(data: bytes, name: str) -> bytes | None:
    """The text of a mail without a page; None where there is a page."""
    parts = list(message_from_bytes(data.lstrip()).walk())
    if any(part.get_content_type() in _PAGE_TYPES for part in parts):
        return None
    texts = (
        p for p in parts if p.get_content_type() == "text/plain" and p.get_filename() is None and p.keys()
    )
    text = next(texts, None)
    return None if text is None else _as_unicode(text.get_payload(decode=True), _charset(text), name)


def _charset(part: Message) -> str | None:
    try:
        return part.get_content_charset()
    except (LookupError, ValueError):
        return None


def _as_unicode(page: object, encoding: str | None, name: str) -> bytes:
    """The bytes of a page in UTF-8, where the archive says how they are encoded; else as they are."""
    if not isinstance(page, bytes):
        raise damaged(name, "the saved file contains no page")
    return page if encoding is None else b"\xef\xbb\xbf" + decode(page, name, encoding).text.encode()
