"""A hub that has nothing, and remembers what it was asked for."""

from __future__ import annotations

import huggingface_hub
import pytest
from huggingface_hub.errors import LocalEntryNotFoundError


def count_fetches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that are asked for over the network from now on; a look at the files of this machine is none."""
    asked: list[str] = []

    def nothing(name: str, *, local_files_only: bool = False, **settings: object) -> str:
        if not local_files_only:
            asked.append(name)
        raise LocalEntryNotFoundError(name)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", nothing)
    return asked
