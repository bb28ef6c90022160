"""A warning where a document has much less text than its file promises: by its pages, or by the text of its parts."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace

from colde.ingest.files.zip_archive import ZIP_ERRORS
from colde.text.document import Document, ReadWarning
from colde.text.words import count_words

_FEWEST_PAGES = 3
_FEWEST_WORDS = 8  # of a page, in the mean; slides have more
_MISSING_LETTERS = 2_000  # that are not in the document, from which on it matters
_SHARE = {
    "text": 0.5, "markdown": 0.5, "rst": 0.5, "docx": 0.4, "odt": 0.4, "epub": 0.4, "xml": 0.3, "html": 0.2,
}  # fmt: skip
"""Share of the letters in a file of a format that the document has at least. Web pages may be mostly menus."""
_PARTS = re.compile(r"(?:^|/)(?:document\d*|footnotes|endnotes|content)\.xml$|\.x?html?$", re.IGNORECASE)
"""Parts of archives that hold the text of a document."""
_PIECE = re.compile(rb"<(?P<tag>[^<>]*)>|[^<]+|<")
_TAG_NAME = re.compile(rb"/?[\w:!-]+")
_SKIPPED = frozenset(
    b"a aside button footer head nav noscript option script style svg template w:delText w:instrText".lower().split()
)
"""Elements whose text is not promised: what is not seen, and links, since most of a page may be menus."""
_ADDRESS = re.compile(rb"data:[^\s)]*")  # pictures inside Markdown
_NO_LETTERS = re.compile(r"[\W_]+")


def with_little_text_warning(document: Document, data: bytes) -> Document:
    """The document, with a warning where it has much less text than its file promises."""
    text = _few_words_for_pages(document) or _few_letters_for_file(document, data)
    if text is None:
        return document
    return replace(document, warnings=(*document.warnings, ReadWarning(text)))


def _few_words_for_pages(document: Document) -> str | None:
    """The warning about pages that have hardly any words; those that another warning names do not count."""
    named = {page for w in document.warnings for first, last in w.pages for page in range(first, last + 1)}
    pages = (document.pages or 0) - len(named)
    words = count_words(document.text)
    if pages < _FEWEST_PAGES or words >= _FEWEST_WORDS * pages or _letters(document.text) > 40 * pages:
        return None
    return f"only {words} words were found on {pages} pages; the other pages may be pictures"


def _few_letters_for_file(document: Document, data: bytes) -> str | None:
    share = _SHARE.get(document.format)
    if share is None:
        return None
    letters = _letters(document.text) + _letters(document.title)
    if len(data) < _MISSING_LETTERS and not zipfile.is_zipfile(io.BytesIO(data)):
        return None
    parts = _text_parts(document, data)
    if _are_enough(letters, sum(map(len, parts)), share):  # no part has more letters than bytes
        return None
    promised = sum(map(_promised_letters, parts))
    if _are_enough(letters, promised, share):
        return None
    return f"only about {round(100 * letters / promised)} % of the text in the file was read"


def _are_enough(letters: int, promised: int, share: float) -> bool:
    return letters >= share * promised or promised - letters < _MISSING_LETTERS


def _text_parts(document: Document, data: bytes) -> list[bytes]:
    """The parts of an archive that hold its text; the file itself where it is none."""
    if document.format not in ("docx", "odt", "epub"):
        return [data]
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [archive.read(name) for name in archive.namelist() if _PARTS.search(name)]
    except (*ZIP_ERRORS, ValueError, RuntimeError):
        return []


def _promised_letters(part: bytes) -> int:
    """Letters outside of tags and of elements that are skipped; one that is not closed skips the rest."""
    letters = 0
    skipped: bytes | None = None
    for piece in _PIECE.finditer(part):
        if (tag := piece["tag"]) is None:
            letters += 0 if skipped else _letters(_ADDRESS.sub(b"", piece[0]).decode("utf-8", "replace"))
        elif match := _TAG_NAME.match(tag):
            name = match[0].lower()
            if skipped is not None:
                skipped = None if name == b"/" + skipped else skipped
            elif name in _SKIPPED and not tag.endswith(b"/"):
                skipped = name
    return letters


def _letters(text: str) -> int:
    return len(_NO_LETTERS.sub("", text))
