"""Opening a PDF, its pages as words, and what is wrong with it: encrypted, damaged, scanned, garbled."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import islice

import pypdfium2 as pdfium
from pypdfium2 import raw

from colde.errors import ReadError
from colde.ingest.pdf.opening.document_catalog import placeholder_warnings, read_catalog
from colde.ingest.pdf.opening.garbled_text import garbled_pages, skip_garbled_fonts
from colde.ingest.pdf.words.page import Page
from colde.ingest.pdf.words.page_words import read_page
from colde.ingest.pdf.words.typed_text import TypedTextReader
from colde.ingest.pdf.words.visible_words import left_out_warnings
from colde.ingest.pdf.words.word_splitter import Fonts
from colde.ingest.reading_limits import Reading
from colde.ingest.shared.page_warnings import page_warning, pages_phrase
from colde.text.document import ReadWarning

_LOCK = threading.Lock()  # pdfium is not thread-safe
_MIN_PAGE_CHARACTERS = 10  # characters below which a page has no text
_MAX_GARBLED_SHARE = 0.6  # of the characters; beyond it the file is refused
_MAX_BOOKMARKS = 5000
_PATTERN = b"/PatternType"  # stands in the dictionary of a stream, which is never compressed
_LETTER_SIZE = (612.0, 792.0)  # what a page that cannot be opened is taken to measure


def read_pages(data: bytes, name: str, reading: Reading) -> tuple[list[Page], list[ReadWarning]]:
    """Words of all pages, and warnings about pages that have none.

    Raises:
        ReadError: corrupt, encrypted, too_large, unsupported, no_text, garbled.
    """
    broken: list[int] = []
    catalog = read_catalog(data, reading.password)
    with _LOCK:
        pdf = _open_pdf(catalog.data, name, reading.password)
        try:
            count = len(pdf)
            if count == 0:
                raise ReadError(name, "corrupt", "the PDF has no pages", "export or download it again")
            if count > reading.limits.pages:
                what = f"{count:,} pages, more than the limit of {reading.limits.pages:,}"
                raise ReadError(name, "too_large", what, "split the file or raise the limit")
            reading.allow_pages(count)
            typed_text = TypedTextReader(pdf)
            has_patterns = _PATTERN in catalog.data
            pages = list(_pages(pdf, broken, typed_text, has_patterns=has_patterns))
            if not any(map(_character_count, pages)) and any(p.left_out.hidden for p in pages):
                broken.clear()
                pages = list(_pages(pdf, broken, typed_text, has_patterns=has_patterns, all_text=True))
            _read_bookmarks(pdf, pages)
            warnings = [*placeholder_warnings(pdf, catalog, pages, name), *typed_text.warnings()]
        finally:
            pdf.close()
    if len(broken) == len(pages):
        raise ReadError(name, "corrupt", "no page of the PDF can be read", "export or download it again")
    if catalog.hidden_layers_on:
        where = pages_phrase(catalog.hidden_layers_on)
        text = f"the text of layers that are switched off was left out on {where}"
        warnings.append(page_warning(catalog.hidden_layers_on, text))
    warnings += left_out_warnings([p.left_out for p in pages])
    return pages, [*warnings, *_check_pages(pages, broken, name)]


def _pages(
    pdf: pdfium.PdfDocument,
    broken: list[int],
    typed_text: TypedTextReader,
    *,
    has_patterns: bool,
    all_text: bool = False,
) -> Iterator[Page]:
    """All pages; those that cannot be read are empty, and noted in `broken`."""
    fonts = Fonts()
    for number in range(1, len(pdf) + 1):
        try:
            with closing(pdf[number - 1]) as page:
                words = read_page(
                    page, number, fonts, typed_text, has_patterns=has_patterns, all_text=all_text
                )
        except pdfium.PdfiumError:
            broken.append(number)
            words = Page(number, [], [], _LETTER_SIZE, 0, key=number)
        yield words


def _read_bookmarks(pdf: pdfium.PdfDocument, pages: list[Page]) -> None:
    """Give the pages the titles of the bookmarks that lead to them."""
    try:
        for bookmark in islice(pdf.get_toc(), _MAX_BOOKMARKS):
            destination = bookmark.get_dest()
            number = destination.get_index() if destination is not None else None
            if number is not None and 0 <= number < len(pages):
                pages[number].bookmarks.append(bookmark.get_title())
    except (pdfium.PdfiumError, UnicodeDecodeError):
        return  # a damaged outline says nothing


def _open_pdf(data: bytes, name: str, password: str | None) -> pdfium.PdfDocument:
    try:
        return pdfium.PdfDocument(data, password=password)
    except pdfium.PdfiumError as error:
        if error.err_code == raw.FPDF_ERR_PASSWORD:
            what = "the password is wrong" if password else "the PDF is encrypted and needs a password"
            advice = (
                "try again with the right one" if password else "give its password, or an unprotected copy"
            )
            raise ReadError(name, "encrypted", what, advice) from None
        if error.err_code == raw.FPDF_ERR_SECURITY:
            what = "the PDF is encrypted in a way that cannot be opened here"
            raise ReadError(name, "encrypted", what, "use an unprotected copy") from None
        what = "the PDF is damaged and cannot be opened"
        raise ReadError(name, "corrupt", what, "export or download it again") from None


def _check_pages(pages: list[Page], broken: list[int], name: str) -> list[ReadWarning]:
    """Refuse scans and garbled text layers; warn of single pages, and clear what cannot be used of them."""
    warnings = [
        *_broken_pages(broken),
        *_pages_with_unread_letters(pages, name),
        *_scanned_pages(pages, broken, name),
        *skip_garbled_fonts(pages),
        *_garbled_pages(pages, name),
        *_vertical_pages(pages),
    ]
    for page in pages:
        page.words[:] = [w for w in page.words if w.text.strip("\ufffd")]
    return warnings


def _broken_pages(broken: list[int]) -> Iterator[ReadWarning]:
    if broken:
        yield page_warning(
            broken, f"{pages_phrase(broken)} cannot be read and {_was_or_were(broken)} skipped"
        )


def _pages_with_unread_letters(pages: list[Page], name: str) -> Iterator[ReadWarning]:
    affected = [p for p in pages if p.fonts_of_unread_letters]
    if not affected:
        return
    fonts = " and ".join(sorted({font for p in affected for font in p.fonts_of_unread_letters}))
    if all(_character_count(p) < _MIN_PAGE_CHARACTERS for p in pages):
        what = f"its letters cannot be read: the font {fonts} is neither in the file nor installed"
        advice = "export the PDF again with its fonts embedded, or run OCR over it, for example "
        raise ReadError(name, "garbled", what, f"{advice}{_ocr_command(name, '--force-ocr ')}")
    numbers = [p.number for p in affected]
    text = (
        f"letters of {pages_phrase(numbers)} could not be read and were skipped: "
        f"the font {fonts} is neither in the file nor installed"
    )
    yield page_warning(numbers, text)


def _vertical_pages(pages: list[Page]) -> Iterator[ReadWarning]:
    numbers = [p.number for p in pages if p.has_vertical_lines and p.words]
    if numbers:
        has = "has" if len(numbers) == 1 else "have"
        text = f"{pages_phrase(numbers)} {has} vertical lines: check that they are read in the right order"
        yield page_warning(numbers, text)


def _scanned_pages(pages: list[Page], broken: list[int], name: str) -> Iterator[ReadWarning]:
    scans = [p.number for p in pages if p.number not in broken and _character_count(p) < _MIN_PAGE_CHARACTERS]
    if len(scans) + len(broken) == len(pages):
        advice = f"run OCR first, for example {_ocr_command(name)}"
        raise ReadError(name, "no_text", "no text layer, the pages are scans", advice)
    if scans:
        has = "has" if len(scans) == 1 else "have"
        skipped = f"{_was_or_were(scans)} skipped"
        yield page_warning(scans, f"{pages_phrase(scans)} {has} no text (scans?) and {skipped}")


def _garbled_pages(pages: list[Page], name: str) -> Iterator[ReadWarning]:
    certain, unsure = garbled_pages([" ".join(w.text for w in p.words) for p in pages])
    garbled = [pages[i] for i in certain]
    characters = sum(map(_character_count, garbled))
    if garbled and characters > _MAX_GARBLED_SHARE * sum(map(_character_count, pages)):
        what = "the text layer is garbled, its fonts do not say which letters they show"
        advice = f"run OCR over it, for example {_ocr_command(name, '--force-ocr ')}"
        raise ReadError(name, "garbled", what, advice)
    if garbled:
        numbers = [p.number for p in garbled]
        yield page_warning(numbers, f"the text of {pages_phrase(numbers)} is garbled and was skipped")
        for page in garbled:
            page.words.clear()
    if unsure:
        numbers = [pages[i].number for i in unsure]
        text = f"the text of {pages_phrase(numbers)} may be garbled in part: check it before you rely on it"
        yield page_warning(numbers, text)


def _ocr_command(name: str, option: str = "") -> str:
    """What recognises the text of a file, as a shell takes it, whatever the name holds."""
    return f"ocrmypdf {option}{shlex.quote(f'./{name}' if name.startswith('-') else name)} out.pdf"


def _character_count(page: Page) -> int:
    return sum(len(w.text) for w in page.words)


def _was_or_were(numbers: list[int]) -> str:
    return "was" if len(numbers) == 1 else "were"
