"""PDF, by pypdfium2: from characters and their places to sections in reading order.

The text layer in content order loses columns, headings and paragraphs; the steps that get them back are told in
the modules here, one idea each: words, lines (rows, columns, order), furniture, style, headings (and numbering),
roles, paragraphs (and hyphens), garbled.
"""

from __future__ import annotations

import threading

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from colde.document import Document, Role
from colde.errors import ReadError
from colde.ingest.blocks import assemble
from colde.ingest.language import detect_language
from colde.ingest.pdf.furniture import find_furniture
from colde.ingest.pdf.garbled import is_garbled
from colde.ingest.pdf.headings import REFERENCES, bare, find_headings, find_title
from colde.ingest.pdf.hyphens import vocabulary
from colde.ingest.pdf.lines import Line, gutters, order, rows, usual_gutters, usual_here
from colde.ingest.pdf.paragraphs import blocks
from colde.ingest.pdf.roles import captions, equations, footnotes, tables
from colde.ingest.pdf.style import body_style, prose
from colde.ingest.pdf.words import Fonts, Page, read_page
from colde.ingest.structure import language_warnings

_LOCK = threading.Lock()  # pdfium is not thread-safe
_HEAD = 1024  # the header may stand behind some other bytes
_PAGE_LEAST = 10  # characters below which a page has no text


def accepts(data: bytes, name: str) -> bool:
    """Whether the bytes are a PDF; a name alone does not make one."""
    return b"%PDF-" in data[:_HEAD]


def convert(data: bytes, name: str, password: str | None = None, *, max_pages: int = 1000) -> Document:
    """Read a PDF.

    Args:
        data: the file.
        name: what the user calls it.
        password: for encrypted files.
        max_pages: longer files are refused.

    Raises:
        ReadError: empty, corrupt, encrypted, too_large, no_text, garbled.
    """
    if not data:
        raise ReadError(name, "empty", "the file is empty", "choose another file")
    pages, warnings = _read(data, name, password, max_pages)
    return _document(pages, name, warnings)


def _read(data: bytes, name: str, password: str | None, max_pages: int) -> tuple[list[Page], list[str]]:
    """Words of all pages, and what is to be said of pages without."""
    pages = []
    broken = []
    with _LOCK:
        pdf = _open(data, name, password)
        try:
            count = len(pdf)
            if count == 0:
                raise ReadError(name, "corrupt", "the PDF has no pages", "export or download it again")
            if count > max_pages:
                raise ReadError(
                    name, "too_large", f"{count:,} pages, more than the limit of {max_pages:,}", "split the file or raise the limit"
                )  # fmt: skip
            fonts = Fonts()
            for index in range(count):
                try:
                    page = pdf[index]
                except pdfium.PdfiumError:
                    broken.append(index + 1)
                    pages.append(Page(index + 1, [], [], (612.0, 792.0), 0))
                    continue
                try:
                    pages.append(read_page(page, index + 1, fonts))
                finally:
                    page.close()
        finally:
            pdf.close()
    if len(broken) == len(pages):
        raise ReadError(name, "corrupt", "no page of the PDF can be read", "export or download it again")
    return pages, _judge(pages, broken, name)


def _open(data: bytes, name: str, password: str | None) -> pdfium.PdfDocument:
    try:
        return pdfium.PdfDocument(data, password=password)
    except pdfium.PdfiumError as error:
        if error.err_code == raw.FPDF_ERR_PASSWORD:
            what = "the password is wrong" if password else "the PDF is encrypted"
            advice = "try again with the right password" if password else "give its password, or an unprotected copy"
            raise ReadError(name, "encrypted", what, advice) from None
        if error.err_code == raw.FPDF_ERR_SECURITY:
            raise ReadError(
                name, "encrypted", "the PDF is protected in a way that cannot be opened here", "use an unprotected copy"
            ) from None
        raise ReadError(name, "corrupt", "the PDF cannot be opened, it is damaged", "export or download it again") from None


def _judge(pages: list[Page], broken: list[int], name: str) -> list[str]:
    """Refuse scans and garbled text layers; warn of single pages, and drop what cannot be used of them."""
    warnings = []
    if broken:
        warnings.append(f"{_pages(broken)} cannot be read and {'was' if len(broken) == 1 else 'were'} skipped")
    empty = [p.number for p in pages if p.number not in broken and sum(len(w.text) for w in p.words) < _PAGE_LEAST]
    if len(empty) + len(broken) == len(pages):
        raise ReadError(
            name, "no_text", "no text layer, the pages are scans", f"run OCR first, for example ocrmypdf {name} out.pdf"
        )  # fmt: skip
    if empty:
        has = "has" if len(empty) == 1 else "have"
        was = "was" if len(empty) == 1 else "were"
        warnings.append(f"{_pages(empty)} {has} no text (scans?) and {was} skipped")
    bad = [p for p in pages if is_garbled(" ".join(w.text for w in p.words))]
    full = sum(len(w.text) for p in pages for w in p.words)
    if bad and sum(len(w.text) for p in bad for w in p.words) > 0.6 * full:
        raise ReadError(
            name, "garbled", "the text layer is garbled, its fonts have no Unicode map",
            f"run OCR over it, for example ocrmypdf --force-ocr {name} out.pdf",
        )  # fmt: skip
    if bad:
        was = "was" if len(bad) == 1 else "were"
        warnings.append(f"the text of {_pages([p.number for p in bad])} is garbled and {was} skipped")
        for page in bad:
            page.words.clear()
    return warnings


def _pages(numbers: list[int]) -> str:
    """Page numbers in words: "page 3", "pages 3–5 and 8"."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and runs[-1][-1] == n - 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    named = [f"{r[0]}–{r[-1]}" if len(r) > 1 else str(r[0]) for r in runs]
    words = ", ".join(named[:-1]) + " and " + named[-1] if len(named) > 1 else named[0]
    return f"{'page' if len(numbers) == 1 else 'pages'} {words}"


def _lines(pages: list[Page]) -> list[Line]:
    """Lines of the whole document in reading order, without furniture."""
    table = [rows(p) for p in pages]
    furniture = find_furniture(pages, table)
    table = [[r for i, r in enumerate(own) if i not in out] for own, out in zip(table, furniture, strict=True)]
    found = [gutters(p, r) for p, r in zip(pages, table, strict=True)]
    usual = usual_gutters(found)
    if usual:
        found = [g if len(g) >= len(usual) else usual_here(p, r, usual) or g for p, r, g in zip(pages, table, found, strict=True)]
    return [line for p, r, g in zip(pages, table, found, strict=True) for line in order(p, r, g)]


def _document(pages: list[Page], name: str, warnings: list[str]) -> Document:
    lines = _lines(pages)
    if not lines:
        raise ReadError(name, "no_text", "no text but running heads and page numbers", "check the file")
    body = body_style(lines)
    roles: list[Role | None] = [None] * len(lines)
    begin, end = find_title(lines, body, pages[lines[0].page - 1].height)
    references = next((i for i, l in enumerate(lines) if REFERENCES.fullmatch(bare(l.text))), len(lines))
    captions(lines, body, roles)
    footnotes(
        lines, body, {p.number: p.rules for p in pages}, {p.number: p.height for p in pages}, roles, references
    )
    running = prose(lines, body)
    tables(lines, body, running, roles)
    for i in range(begin, end):
        roles[i] = None
    headings = find_headings(lines, body, running, roles, end)
    heads = {i for h in headings for i in range(h.begin, h.end)}
    equations(lines, body, roles)
    for i in heads:
        roles[i] = None
    words = vocabulary(lines)
    by_number = {p.number: p for p in pages}
    title = ""
    if end > begin:
        from colde.ingest.pdf.paragraphs import _Builder

        title = _Builder(by_number, words).block(lines[begin:end], None).text
    flat = list(blocks(lines[:begin] + lines[end:], roles[:begin] + roles[end:], [_shift(h, begin - end) for h in headings], body, by_number, words))
    language = detect_language("\n".join(b.text for b in flat if b.role is None and not b.level))
    return assemble(
        flat,
        source=name,
        format="pdf",
        title=title,
        pages=len(pages),
        page_sizes=tuple((round(p.size[0], 2), round(p.size[1], 2)) for p in pages),
        language=language,
        warnings=(*warnings, *language_warnings(language)),
    )


def _shift(heading, by):
    heading.begin += by
    heading.end += by
    return heading
