"""Profiles that ship: kinds of documents, their titles, and the corpora they are fitted on (profiles.toml).

Other profiles have a name only: those of a user (`colde fit`, `colde.models.user_profiles`), and those of a checkpoint
that was trained with `--profile NAME`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

GENERAL = "general"
"""The profile of all kinds of documents together."""


@dataclass(frozen=True, slots=True)
class ProfileInfo:
    """A kind of documents.

    Attributes:
        name: as in commands and checkpoints.
        title: as a choice on the page.
        documents: the documents of its corpus, as in a sentence after “pairs of”; empty without a corpus.
        related: what counts as related, as in a sentence, after “Related means:”; empty for a user's profile.
        corpus: folder name of the corpus its pairs come from; None for `general` and for a user's profile.
    """

    name: str
    title: str
    documents: str = ""
    related: str = ""
    corpus: str | None = None


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("profiles.toml").read_text(encoding="utf-8"))


@cache
def profile_table() -> Mapping[str, ProfileInfo]:
    """Profiles that ship, by name, in the order in which they are offered."""
    return {name: ProfileInfo(name=name, **entry) for name, entry in _table()["profiles"].items()}


def describe(name: str) -> ProfileInfo:
    """The description of a profile; the name, for one that a user trained."""
    return profile_table().get(name) or ProfileInfo(name, name)


def profile_of(corpus: str) -> str:
    """The profile that is fitted on a corpus; the name of the corpus, where it is not in the table."""
    return next((p.name for p in profile_table().values() if p.corpus == corpus), corpus)


def corpora() -> tuple[str, ...]:
    """Folder names of the corpora that ship profiles, in their order."""
    return tuple(p.corpus for p in profile_table().values() if p.corpus is not None)
