"""Reading files of all formats: `read` and `read_text`."""

from __future__ import annotations

import hashlib
import os
import stat
import time
import unicodedata
from dataclasses import replace
from pathlib import Path

from colde.errors import ReadError
from colde.ingest.reading_limits import MEBIBYTE, Limits
from colde.text.document import Document

__all__ = ["Limits", "read", "read_text", "visible_name"]


def read(
    source: str | os.PathLike[str] | bytes,
    *,
    name: str | None = None,
    password: str | None = None,
    limits: Limits | None = None,
    sandbox: bool | None = None,
) -> Document:
    """Read one document of any format in the table `colde.ingest.formats.FORMATS`.

    Args:
        source: a path, or the bytes of a file.
        name: what to call the document, with the suffix of its type; the file's name where None.
        password: opens an encrypted PDF.
        limits: how much the file may cost; see `Limits`.
        sandbox: whether to parse in a child process that can be stopped and cannot harm this one; by
            default yes, unless the environment says `COLDE_SANDBOX=off`.

    Returns:
        The Document; offsets are code points into its `text`.

    Raises:
        ReadError: with one of the reasons `not_found unsupported empty not_text encrypted no_text garbled
            corrupt too_large`.

    Examples:
        >>> import colde
        >>> document = colde.read("assets/samples/lens_history.md")
        >>> document.title
        'The Glass That Caught the Flame: A History of the Lighthouse Lens'
        >>> section = document.sections[1]
        >>> section.heading, document.text[section.body : section.end].split()[:4]
        ('Fires on the headland', ['The', 'first', 'lighthouses', 'were'])
    """
    started = time.perf_counter()
    limits = limits or Limits()
    if isinstance(source, bytes):
        data, display_name = source, name or ""
    else:
        display_name = name or Path(source).name
        data = _read_bytes(Path(source), _clean_name(display_name), limits)
    display_name = _clean_name(display_name)
    if len(data) > limits.file_bytes:
        raise _too_large(display_name, len(data), limits)
    if sandbox is None:
        sandbox = sandboxed()
    if sandbox:
        from colde.ingest.sandbox import parse_in_sandbox as parse
    else:
        from colde.ingest.parsing import parse
    document = parse(data, display_name, password, limits)
    file = hashlib.sha256(data).hexdigest()
    return replace(document, seconds=time.perf_counter() - started, file=file)


def sandboxed() -> bool:
    """Whether files are parsed in a child process unless a caller says otherwise: not with `COLDE_SANDBOX=off`."""
    return os.environ.get("COLDE_SANDBOX", "").lower() not in ("off", "0", "no")


def read_text(text: str, title: str = "") -> Document:
    """Read pasted text: Markdown where it has `#` headings, else plain text.

    Raises:
        ReadError: `empty`, `too_large`.

    Examples:
        >>> import colde
        >>> colde.read_text("# Tides\\n\\nThe moon pulls at the sea.").title
        'Tides'
    """
    from colde.text.characters.text_normalisation import without_surrogates  # imported on use: it loads numpy

    document = read(without_surrogates(text).encode(), limits=Limits())
    title = without_surrogates(title)
    return replace(document, source=title or "pasted text", title=title or document.title, file="")


def _read_bytes(path: Path, display_name: str, limits: Limits) -> bytes:
    try:
        if path.is_dir():
            raise ReadError(display_name, "unsupported", "this is a folder", "name a file in it")
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # a device or a pipe may never end
            advice = "save its content to a file, and name that file"
            raise ReadError(display_name, "unsupported", "this is not a regular file", advice)
        if status.st_size > limits.file_bytes:
            raise _too_large(display_name, status.st_size, limits)
        with path.open("rb") as file:  # it may have grown since; some files say that they have no size
            return file.read(limits.file_bytes + 1)
    except FileNotFoundError:
        advice = "check the name and the folder"
        raise ReadError(display_name, "not_found", "there is no such file", advice) from None
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or str(error)
        happened = f"the file cannot be opened ({what})"
        raise ReadError(display_name, "not_found", happened, "check its permissions") from None


def _clean_name(name: str) -> str:
    """The name without its folders and without characters that would break a line or hide text."""
    return visible_name(name.replace("\\", "/").rsplit("/", 1)[-1])[:200]


def visible_name(name: str) -> str:
    """The name without control, bidirectional and other characters that would break a line or hide text."""
    return "".join(c for c in name if unicodedata.category(c) not in ("Cc", "Cf", "Zl", "Zp", "Cs"))


def _too_large(display_name: str, size: int, limits: Limits) -> ReadError:
    what = f"{size / MEBIBYTE:.0f} MB, the limit is {limits.file_bytes / MEBIBYTE:.0f} MB"
    return ReadError(display_name, "too_large", what, "split it, or raise the limit")
