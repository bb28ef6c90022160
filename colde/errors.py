"""One tree of exceptions. Every message is a small help page: what happened, why, what to do."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar, Literal

from colde.serialise import JsonFields

Reason = Literal[
    "not_found", "unsupported", "empty", "not_text", "encrypted", "no_text", "garbled", "corrupt", "too_large",
    "too_short", "busy", "failed",
]  # fmt: skip
"""`failed`: an error of this program, by which one of many documents is skipped."""

logger = logging.getLogger("colde")

MAX_CAUSE = 200
"""Characters of an unexpected exception that the message about a skipped document has."""


class ColdeError(Exception):
    """Base of everything this package raises on purpose.

    Examples:
        >>> import colde
        >>> try:
        ...     colde.load("no_such_model")
        ... except colde.ColdeError as error:
        ...     print(str(error).partition(";")[0])
        there is no model named 'no_such_model'
    """

    @property
    def sentence(self) -> str:
        """The message for a page."""
        return str(self)


class ReadError(ColdeError):
    """A file that cannot be read or compared.

    `str(error)` is one line: ``SOURCE: WHAT HAPPENED [REASON]: WHAT TO DO``.

    Args:
        source: what the user calls the file (its name, never a path they did not type).
        reason: stable code, one of `Reason`.
        what: what happened, in plain words, without a full stop. Characters of the file that control or cannot be seen
            are left out.
        advice: what to do about it; may be empty.

    Examples:
        >>> import colde
        >>> try:
        ...     colde.read("missing.pdf")
        ... except colde.ReadError as error:
        ...     print(error.reason)
        not_found
    """

    JSON: ClassVar = JsonFields("source reason what advice")
    source: str
    reason: Reason
    what: str
    advice: str

    def __init__(self, source: str, reason: Reason, what: str, advice: str = "") -> None:
        self.source = source
        self.reason = reason
        self.what = "".join(c for c in what if c.isprintable())
        self.advice = advice
        super().__init__(f"{source}: {self.what} [{reason}]" + (f": {advice}" if advice else ""))

    @property
    def sentence(self) -> str:
        """The message without the code: `SOURCE: WHAT HAPPENED. WHAT TO DO.`"""
        advice = f" {self.advice[:1].upper()}{self.advice[1:]}." if self.advice else ""
        return f"{self.source}: {self.what}.{advice}"

    def called(self, source: str) -> ReadError:
        """Copy the error with another name for the file, such as its path below a folder."""
        return type(self)(source, self.reason, self.what, self.advice)

    def __reduce__(self) -> tuple[type[ReadError], tuple[str, Reason, str, str]]:
        return type(self), (self.source, self.reason, self.what, self.advice)


class ReadingStopped(ReadError):
    """The process that read the file was stopped, crashed, or was not to be had: another try may end otherwise."""


class ModelError(ColdeError):
    """A model that does not exist, is not trained, or cannot do what was asked of it."""


class DamagedFileError(ModelError):
    """Weights, a tokenizer or fonts of another package that are not those that were tested."""


class CheckpointError(ModelError):
    """A checkpoint folder that is missing, damaged, or made for another base encoder."""


class PartError(ColdeError):
    """A section or chunk that a document does not have, or that takes no part in the comparison."""


class CorpusError(ColdeError):
    """A corpus folder or pairs file that is missing or malformed."""


class StoreError(ColdeError):
    """An index on disk that is missing, damaged, in use by another program, or made otherwise than it is now used."""


class MissingExtraError(ColdeError):
    """An optional dependency is needed; the message names the command that installs it."""


class Cancelled(ColdeError):
    """The caller asked to stop; nothing was lost but the work in hand."""


@contextmanager
def skip_document(name: str, skipped: list[ReadError]) -> Iterator[None]:
    """Around the work on one of many documents: an exception of any kind ends the work on this document alone.

    It is appended to `skipped` under the document's name. Only what stops all documents alike passes: `Cancelled`, and
    errors of the model, the index or the installation.

    Examples:
        >>> skipped: list[ReadError] = []
        >>> for name in ("a.md", "b.md"):
        ...     with skip_document(name, skipped):
        ...         print(name, 1 / (name == "b.md"))
        b.md 1.0
        >>> print(skipped[0])
        a.md: this document cannot be processed, ZeroDivisionError: division by zero [failed]: please report this bug
    """
    try:
        yield
    except ReadError as error:
        skipped.append(error.called(name))
    except (PartError, CorpusError) as error:
        skipped.append(ReadError(name, "corrupt", str(error)))
    except ColdeError:
        raise
    except MemoryError:
        what = "processing it takes more memory than there is"
        skipped.append(ReadError(name, "too_large", what, "split it"))
    except Exception as error:
        logger.debug("%s is skipped", name, exc_info=error)
        cause = " ".join(f"{type(error).__name__}: {error}".split())[:MAX_CAUSE]
        what = f"this document cannot be processed, {cause.rstrip(': ')}"
        skipped.append(ReadError(name, "failed", what, "please report this bug"))
