"""The folders of encoders on this machine, and fetching one that the user asks for. Without torch."""

from __future__ import annotations

from pathlib import Path

from colde.assets import WEIGHTS
from colde.encoders.encoder_names import MULTILINGUAL, PACKAGED
from colde.errors import ModelError
from colde.text.chunks import packaged_encoder


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
