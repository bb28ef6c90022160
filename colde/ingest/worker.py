"""Parsing itself: bytes in, Document out. Runs in the child process that `sandbox` starts, or in this one."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from colde.document import Document
from colde.errors import ReadError
from colde.ingest import docx, html, markdown, plain, rst
from colde.ingest.detect import detect
from colde.ingest.language import detect_language
from colde.ingest.limits import Limits
from colde.ingest.structure import language_warnings
from colde.ingest.wire import pack
from colde.segment import split_sentences


def parse(data: bytes, name: str, password: str | None, limits: Limits) -> Document:
    """Read a file with the reader it belongs to.

    Raises:
        ReadError: whatever is wrong with the file.
        ImportError: where a library of a reader is missing; no other exception leaves this function.
    """
    called = name or "the text"
    try:
        document = _convert(detect(data, name), data, called, password, limits)
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
    if len(document.text) > limits.characters:
        raise ReadError(
            called,
            "too_large",
            f"{len(document.text):,} characters, the limit is {limits.characters:,}",
            "split it",
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


def main() -> None:
    """Serve requests from standard input until it ends: a line of JSON and the bytes; answer in JSON."""
    # Standard output belongs to the protocol; whatever a library prints goes to standard error.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.modules["torch"] = None  # type: ignore[assignment]  # spaCy would import it: a second and 180 MB for nothing
    split_sentences("Warm up.")
    base = _mapped()
    while header := sys.stdin.buffer.readline():
        request = json.loads(header)
        limits = Limits(**request["limits"])
        data = sys.stdin.buffer.read(request["size"])
        _limit(base + limits.memory, limits.seconds)
        try:
            reply: dict[str, Any] = {
                "document": pack(parse(data, request["name"], request["password"], limits))
            }
        except ReadError as error:
            reply = {"error": [error.source, error.reason, error.what, error.advice]}
        except ImportError as error:
            reply = {"missing": str(error)}
        body = json.dumps(reply).encode("ascii")
        answers.write(len(body).to_bytes(8, "big") + body)
        answers.flush()


def _mapped() -> int:
    """Bytes of address space the process has taken by now."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 2**30


def _limit(memory: int, seconds: float) -> None:
    """Limit address space and processor time; no files and no core dumps.

    The parent stops a child that is late; the limit on processor time is for a child whose parent is gone.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limits; the parent still watches time and size
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    for what, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + seconds) + 5),
    ):
        hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


if __name__ == "__main__":
    main()
