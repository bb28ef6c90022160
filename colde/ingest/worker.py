"""Parsing itself: bytes in, Document out. Runs inside the child process that `sandbox` starts, or in this one."""

from __future__ import annotations

from dataclasses import replace

from colde.document import Document
from colde.errors import ReadError
from colde.ingest import docx, html, markdown, plain, rst
from colde.ingest.detect import detect
from colde.ingest.language import detect_language
from colde.ingest.limits import Limits
from colde.ingest.structure import language_warnings


def parse(data: bytes, name: str, password: str | None, limits: Limits) -> Document:
    """Read a file with the reader it belongs to.

    Raises:
        ReadError: whatever is wrong with the file; no other exception leaves this function.
    """
    called = name or "the text"
    try:
        document = _convert(detect(data, name), data, called, password, limits)
    except ReadError as error:
        if error.source == called:
            raise
        raise ReadError(called, error.reason, error.what, error.advice) from error
    except MemoryError:
        raise ReadError(called, "too_large", "reading it took more memory than allowed", "split the file") from None
    except RecursionError:
        raise ReadError(called, "corrupt", "elements are nested too deeply", "save it in another format") from None
    except Exception as error:  # parsers of foreign formats fail in many ways; none of them is the user's fault
        raise ReadError(
            called,
            "corrupt",
            f"the file is damaged or uses what this reader does not know ({type(error).__name__})",
            "open it in the program it comes from and save it again",
        ) from error
    if len(document.text) > limits.characters:
        raise ReadError(
            called, "too_large", f"{len(document.text):,} characters, the limit is {limits.characters:,}", "split it"
        )
    if not document.text.strip():
        raise ReadError(called, "empty", "there is no text in it", "choose a file with text in it")
    return document


def _convert(format: str, data: bytes, name: str, password: str | None, limits: Limits) -> Document:
    match format:
        case "pdf":
            from colde.ingest import pdf

            return _with_language(pdf.convert(data, name, password, max_pages=limits.pages))
        case "docx":
            return docx.convert(data, name, password, limits)
        case "html":
            return html.convert(data, name)
        case "rst":
            return rst.convert(data, name)
        case "markdown":
            return markdown.convert(data, name)
        case _:
            return plain.convert(data, name)


def _with_language(document: Document) -> Document:
    """The document with its language, where its reader left that open."""
    if document.language is not None:
        return document
    language = detect_language(document.text)
    return replace(document, language=language, warnings=(*document.warnings, *language_warnings(language)))
