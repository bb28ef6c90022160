"""Parsing itself: bytes in, Document out. Runs in the child process that `serve` makes, or in this one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from colde.errors import ReadError
from colde.ingest import docx, html, markdown, plain_text, restructuredtext
from colde.ingest.blocks import check_text_length
from colde.ingest.formats import detect
from colde.ingest.language_detection import detect_language
from colde.ingest.outline import language_warnings
from colde.ingest.reading_limits import Limits, max_characters
from colde.text.document import Document

_TEXTS = ("text", "markdown", "rst")
_MAX_BYTES_PER_CHARACTER = 4  # none takes more


def parse(
    data: bytes,
    name: str,
    password: str | None,
    limits: Limits,
    allow_seconds: Callable[[float], None] = lambda seconds: None,
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
    display_name = name or "the text"
    max_characters.set(limits.characters)
    try:
        format = detect(data, name)
        allow_seconds(limits.processor_seconds(format, len(data)))
        if format in _TEXTS and len(data) > _MAX_BYTES_PER_CHARACTER * limits.characters:
            what = f"{len(data) / 1e6:.0f} MB are more than {limits.characters:,} characters, the limit"
            raise ReadError(display_name, "too_large", what, "split it")
        document = _convert(format, data, display_name, password, limits, allow_seconds)
    except ReadError as error:
        if error.source == display_name:
            raise
        raise ReadError(display_name, error.reason, error.what, error.advice) from error
    except ImportError:  # a broken installation, not a broken file
        raise
    except MemoryError:
        raise ReadError(
            display_name, "too_large", "reading it took more memory than allowed", "split the file"
        ) from None
    except RecursionError:
        raise ReadError(
            display_name, "corrupt", "elements are nested too deeply", "save it in another format"
        ) from None
    except Exception as error:
        # Parsers of foreign formats fail in many ways; all of them mean that this file cannot be read.
        raise ReadError(
            display_name,
            "corrupt",
            f"the file is damaged or uses what this reader does not know ({type(error).__name__})",
            "open it in the program it comes from and save it again",
        ) from error
    check_text_length(len(document.text), display_name, limits.characters)
    if not document.text.strip():
        raise ReadError(display_name, "empty", "there is no text in it", "choose a file with text in it")
    return document


def _convert(
    format: str,
    data: bytes,
    name: str,
    password: str | None,
    limits: Limits,
    allow_seconds: Callable[[float], None],
) -> Document:
    match format:
        case "pdf":
            from colde.ingest import pdf

            def counted(pages: int) -> None:
                allow_seconds(limits.processor_seconds("pdf", len(data), pages))

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
