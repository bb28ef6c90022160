"""Parsing: bytes in, Document out. Runs in the process that `sandbox` forks, or in the caller's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from colde.errors import ReadError
from colde.ingest.files.zip_archive import damaged
from colde.ingest.formats import detect_format
from colde.ingest.reading_limits import Limits, Reading, max_characters
from colde.ingest.shared.blocks import check_text_length
from colde.ingest.shared.little_text import with_little_text_warning
from colde.ingest.shared.page_warnings import counted_once
from colde.text.document import Document

_MAX_BYTES_PER_CHARACTER = 4  # in every encoding
_MAX_WARNINGS = 3  # that an error about a file without text repeats


def parse(
    data: bytes,
    name: str,
    password: str | None,
    limits: Limits,
    allow_seconds: Callable[[float], None] = lambda seconds: None,
) -> Document:
    """Read a file as the format that it has.

    Args:
        allow_seconds: told how many seconds of processor time the file may take, as soon as that is known.

    Raises:
        ReadError: whatever is wrong with the file.
        ImportError: where a library of a format is missing; no other exception leaves this function.
    """
    display_name = name or "the text"
    max_characters.set(limits.characters)
    try:
        format = detect_format(data, name)

        def allow_pages(pages: int) -> None:
            allow_seconds(limits.processor_seconds(len(data), format.seconds_per_megabyte, pages))

        allow_pages(0)
        if not format.markup and len(data) > _MAX_BYTES_PER_CHARACTER * limits.characters:
            what = (
                f"{len(data) / 1e6:.0f} MB of text are more than {limits.characters:,} characters, the limit"
            )
            raise ReadError(display_name, "too_large", what, "split it")
        document = format.convert(data, display_name, Reading(password, limits, allow_pages))
    except ReadError as error:
        if error.source == display_name:
            raise
        raise ReadError(display_name, error.reason, error.what, error.advice) from error
    except ImportError:  # a broken installation, not a broken file
        raise
    except MemoryError:
        what = "reading it took more memory than allowed"
        raise ReadError(display_name, "too_large", what, "split the file") from None
    except RecursionError:
        what = "elements are nested too deeply"
        raise ReadError(display_name, "corrupt", what, "save it in another format") from None
    except Exception as error:
        # Parsers of foreign formats fail in many ways; all of them mean that this file cannot be read.
        what = f"the file is damaged, or uses a feature that this reader does not support ({type(error).__name__})"
        raise damaged(display_name, what) from error
    check_text_length(len(document.text), display_name, limits.characters)
    document = replace(document, warnings=counted_once(document.warnings))
    if not document.text.strip():
        title = f" but its title, “{document.title}”" if document.title else ""
        warnings = map(str, document.warnings[:_MAX_WARNINGS])
        what = "; ".join((f"there is no text in it{title}", *warnings))
        raise ReadError(display_name, "empty", what, "choose a file with text in it")
    return with_little_text_warning(document, data)
