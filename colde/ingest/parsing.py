"""Parsing itself: bytes in, Document out. Runs in the child process that `serve` makes, or in this one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from colde.errors import ReadError
from colde.ingest import docx, html, markdown, plain_text, restructuredtext
from colde.ingest.blocks import check_characters
from colde.ingest.formats import detect
from colde.ingest.language_detection import detect_language
from colde.ingest.outline import language_warnings
from colde.ingest.reading_limits import Limits, most_characters
from colde.text.document import Document

_TEXTS = ("text", "markdown", "rst")
_BYTES_A_CHARACTER = 4  # none takes more


def parse(
    data: bytes,
    name: str,
    password: str | None,
    limits: Limits,
    allow: Callable[[float], None] = lambda seconds: None,
) -> Document:
    """Read a file with the reader it belongs to.

    Args:
        data: the file.
        name: what the user calls it.
        password: for encrypted files.
        limits: what reading it may cost.
        allow: told how many seconds of processor time the file may take, as soon as that is known.

    Raises:
        ReadError: whatever is wrong with the file.
        ImportError: where a library of a reader is missing; no other exception leaves this function.
    """
    called = name or "the text"
    most_characters.set(limits.characters)
    try:
        format = detect(data, name)
        allow(limits.processor_seconds(format, len(data)))
        if format in _TEXTS and len(data) > _BYTES_A_CHARACTER * limits.characters:
            what = f"{len(data) / 1e6:.0f} MB are more than {limits.characters:,} characters, the limit"
            raise ReadError(called, "too_large", what, "split it")
        document = _convert(format, data, called, password, limits, allow)
    except ReadError as error:
        if error.source == called:
            raise
        raise ReadError(called, error.reason, error.what, error.advice) from error
    except ImportError:  # a broken installation, not a broken file
        raise
    except MemoryError:
        raise ReadError(
            called, "too_large", "reading it took more memory than allowed", "split the file"
        ) from None
    except RecursionError:
        raise ReadError(
            called, "corrupt", "elements are nested too deeply", "save it in another format"
        ) from None
    except Exception as error:
        # Parsers of foreign formats fail in many ways; all of them mean that this file cannot be read.
        raise ReadError(
            called,
            "corrupt",
            f"the file is damaged or uses what this reader does not know ({type(error).__name__})",
            "open it in the program it comes from and save it again",
        ) from error
    check_characters(len(document.text), called, limits.characters)
    if not document.text.strip():
        raise ReadError(called, "empty", "there is no text in it", "choose a file with text in it")
    return document


def _convert(
    format: str,
    data: bytes,
    name: str,
    password: str | None,
    limits: Limits,
    allow: Callable[[float], None],
) -> Document:
    match format:
        case "pdf":
            from colde.ingest import pdf

            def counted(pages: int) -> None:
                allow(limits.processor_seconds("pdf", len(data), pages))

            return _with_language(pdf.convert(data, name, password, max_pages=limits.pages, counted=counted))
        case "docx":
            return docx.convert(data, name, password, limits)
        case "html":
            return html.convert(data, name)
        case "rst":
            return restructuredtext.convert(data, name)
        case "markdown":
            return markdown.convert(data, name)
        case _:
            return plain_text.convert(data, name)


def _with_language(document: Document) -> Document:
    """The document with its language, where its reader left that open."""
    if document.language is not None:
        return document
    language = detect_language(document.text)
    return replace(document, language=language, warnings=(*document.warnings, *language_warnings(language)))
